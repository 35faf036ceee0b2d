//! `pg_catalog` and `information_schema`, as programs read them: what may be asked, with what it means.

mod functions;
mod information;
mod made;
mod tables;

use std::sync::Arc;

use arrow::datatypes::Field;
use catwalk_archive::{Kind as ColumnKind, Table};
use datafusion::catalog::{MemorySchemaProvider, SchemaProvider};
use datafusion::prelude::SessionContext;

use self::made::Made;
use super::kind::Type;
use super::rewrite::{DATABASE, EMPTY};
use crate::{DefaultValue, Result, edges, named};

/// Tables of the catalogue by whose numbers programs ask what something belongs to.
pub(super) const OIDS: [(&str, u32); 8] = [
    ("pg_type", 1247),
    ("pg_attribute", 1249),
    ("pg_proc", 1255),
    ("pg_class", 1259),
    ("pg_database", 1262),
    ("pg_constraint", 2606),
    ("pg_namespace", 2615),
    ("pg_trigger", 2620),
];

/// The first number of a relation.
const FIRST_OID: u32 = 16_384;

/// What may be asked.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) oid: u32,
    /// Of a view: how it is made.
    pub(super) definition: Option<String>,
    comment: Option<String>,
    columns: Vec<Attribute>,
}

impl Relation {
    pub(super) fn is_view(&self) -> bool {
        self.definition.is_some()
    }
}

#[derive(Clone, Debug)]
struct Attribute {
    name: String,
    kind: Type,
    is_nullable: bool,
    comment: Option<String>,
}

/// The tables and views of a session, with what they mean.
pub(super) async fn relations(context: &SessionContext) -> Result<Vec<Relation>> {
    let Some(public) = context
        .catalog(DATABASE)
        .and_then(|catalog| catalog.schema("public"))
    else {
        return Ok(Vec::new());
    };
    let mut names = public.table_names();
    names.sort();
    let mut relations = Vec::new();
    for (name, oid) in names.into_iter().zip(FIRST_OID..) {
        let Some(provider) = public.table(&name).await? else {
            continue;
        };
        let table = Table::named(&name).or_else(|| Table::named(name.strip_suffix(DOLLARS)?));
        let definition = provider.get_table_definition().map(|sql| format!("{sql};"));
        let is_view = definition.is_some();
        let schema = provider.schema();
        let of_worth = edges::meaning(&name);
        let table = table.or_else(|| of_worth.and_then(|_| Table::named("wagers")));
        let columns = schema.fields().iter().map(|field| attribute(field, table));
        let comment = table
            .filter(|_| of_worth.is_none())
            .map(|table| match is_view {
                true => format!(
                    "{} Money in dollars, for people; {} has it in cents.",
                    table.meaning, table.name
                ),
                false => table.meaning.to_owned(),
            });
        relations.push(Relation {
            name,
            oid,
            definition,
            comment: comment.or(of_worth.map(str::to_owned)),
            columns: columns.collect(),
        });
    }
    Ok(relations)
}

/// How the name of a view with money in dollars ends.
pub(super) const DOLLARS: &str = "_dollars";

fn attribute(field: &Field, table: Option<&Table>) -> Attribute {
    let name = field.name();
    let column = table.and_then(|table| {
        let mut columns = table.columns.iter();
        columns.find(|column| {
            column.name == name || column.name.strip_suffix("_cents") == Some(name.as_str())
        })
    });
    let comment = column.map(|column| match (column.kind, column.name == name) {
        (ColumnKind::Cents, true) => format!("{} In cents.", column.meaning),
        (ColumnKind::Cents, false) => format!("{} In dollars.", column.meaning),
        _ => column.meaning.to_owned(),
    });
    Attribute {
        name: name.clone(),
        kind: Type::of_field(field),
        is_nullable: field.is_nullable(),
        comment: comment.or_else(|| edges::meaning_of_column(name).map(str::to_owned)),
    }
}

/// Puts the catalogue into a session.
pub(super) fn register(context: &SessionContext, relations: &[Relation], user: &str) -> Result<()> {
    let Some(catalog) = context.catalog(DATABASE) else {
        return Ok(());
    };
    let pg = Arc::new(MemorySchemaProvider::new());
    let put = |name: &str, made: Made| -> Result<()> {
        pg.register_table(name.to_owned(), made.table()?)?;
        Ok(())
    };
    put("pg_namespace", tables::namespaces())?;
    put("pg_class", tables::classes(relations))?;
    put("pg_attribute", tables::attributes(relations))?;
    put("pg_type", tables::types())?;
    put("pg_description", tables::descriptions(relations))?;
    put("pg_database", tables::databases())?;
    put("pg_roles", tables::roles(user))?;
    put(
        "pg_user",
        Made::default()
            .text("usename", [user])
            .all("usesysid=10 usecreatedb=false usesuper=false"),
    )?;
    put(
        "pg_am",
        Made::default()
            .int("oid", [2])
            .text("amname", ["heap"])
            .all("amhandler='-' amtype='t'"),
    )?;
    put(
        "pg_settings",
        Made::default()
            .text("name", ["server_version", "max_index_keys"])
            .text("setting", ["15.0", "32"])
            .all("unit=null category=null short_desc=null"),
    )?;
    let tables = || relations.iter().filter(|one| !one.is_view());
    let views = || relations.iter().filter(|one| one.is_view());
    put(
        "pg_tables",
        Made::default()
            .text("tablename", tables().map(|one| &*one.name))
            .all("schemaname='public' tableowner='catwalk' tablespace=null hasindexes=false hasrules=false \
             hastriggers=false rowsecurity=false"),
    )?;
    put(
        "pg_views",
        Made::default()
            .text("viewname", views().map(|one| &*one.name))
            .maybe("definition", views().map(|one| one.definition.clone()))
            .all("schemaname='public' viewowner='catwalk'"),
    )?;
    for name in EMPTY {
        put(name, tables::empty(name))?;
    }
    catalog.register_schema("pg_catalog", pg)?;
    catalog.register_schema("information_schema", information::schema(relations)?)?;
    let queries = Arc::new(MemorySchemaProvider::new());
    queries.register_table("queries".to_owned(), named_queries()?.table()?)?;
    catalog.register_schema("catwalk", queries)?;
    functions::register(context, relations);
    Ok(())
}

/// The named queries, and how each is called.
fn named_queries() -> Result<Made> {
    let all = named::all()?;
    let call = |query: &crate::NamedQuery| {
        let parameters = query.parameters.iter().map(|parameter| {
            let default = match &parameter.default {
                None => String::new(),
                Some(DefaultValue::None) => " = null".to_owned(),
                Some(DefaultValue::Value(value)) => format!(" = {value}"),
            };
            format!("\"{}\" {}{default}", parameter.name, parameter.kind)
        });
        parameters.collect::<Vec<_>>().join(", ")
    };
    Ok(Made::default()
        .text("name", all.iter().map(|query| query.name.replace('-', "_")))
        .text("parameters", all.iter().map(call))
        .text("audience", all.iter().map(|query| &*query.audience))
        .text("about", all.iter().map(|query| &*query.about)))
}
