//! The tables of `information_schema`.

use std::sync::Arc;

use datafusion::catalog::{MemorySchemaProvider, SchemaProvider};

use super::Relation;
use super::made::Made;
use crate::Result;

/// Tables that never have rows, and columns that any of them has.
const EMPTY_TABLES: &str = "table_constraints key_column_usage constraint_column_usage \
    referential_constraints routines parameters sequences triggers table_privileges column_privileges element_types";
const EMPTY_COLUMNS: &str = "table_catalog table_schema table_name column_name constraint_catalog constraint_schema \
    constraint_name constraint_type unique_constraint_schema unique_constraint_name update_rule \
    delete_rule routine_schema routine_name routine_type specific_schema specific_name data_type \
    sequence_schema sequence_name trigger_schema trigger_name privilege_type grantee parameter_name \
    parameter_mode";

pub(super) fn schema(relations: &[Relation]) -> Result<Arc<MemorySchemaProvider>> {
    let schema = Arc::new(MemorySchemaProvider::new());
    let put = |name: &str, made: Made| -> Result<()> {
        schema.register_table(name.to_owned(), made.table()?)?;
        Ok(())
    };
    put(
        "schemata",
        Made::default()
            .text(
                "schema_name",
                ["pg_catalog", "public", "catwalk", "information_schema"],
            )
            .all("catalog_name='catwalk' schema_owner='catwalk'"),
    )?;
    put(
        "tables",
        Made::default()
            .text("table_name", relations.iter().map(|one| &*one.name))
            .text(
                "table_type",
                relations
                    .iter()
                    .map(|one| if one.is_view() { "VIEW" } else { "BASE TABLE" }),
            )
            .all("table_catalog='catwalk' table_schema='public' is_insertable_into='NO'"),
    )?;
    let views = || relations.iter().filter(|one| one.is_view());
    put(
        "views",
        Made::default()
            .text("table_name", views().map(|one| &*one.name))
            .maybe("view_definition", views().map(|one| one.definition.clone()))
            .all("table_catalog='catwalk' table_schema='public' is_updatable='NO'"),
    )?;
    put("columns", columns(relations))?;
    put(
        "character_sets",
        Made::default().text("character_set_name", ["UTF8"]),
    )?;
    for name in EMPTY_TABLES.split_whitespace() {
        let mut made = Made::default();
        for column in EMPTY_COLUMNS.split_whitespace() {
            made = made.maybe(column, std::iter::empty());
        }
        put(
            name,
            made.int("ordinal_position", std::iter::empty())
                .int("position_in_unique_constraint", std::iter::empty()),
        )?;
    }
    Ok(schema)
}

fn columns(relations: &[Relation]) -> Made {
    let all = || {
        relations.iter().flat_map(|one| {
            (1i64..)
                .zip(&one.columns)
                .map(move |(place, column)| (one, place, column))
        })
    };
    Made::default()
            .text("table_name", all().map(|(one, ..)| &*one.name))
            .text("column_name", all().map(|(.., column)| &*column.name))
            .int("ordinal_position", all().map(|(_, place, _)| place))
            .text(
                "is_nullable",
                all().map(|(.., column)| if column.is_nullable { "YES" } else { "NO" }),
            )
            .text(
                "data_type",
                all().map(|(.., column)| {
                    if column.kind.is_list {
                        "ARRAY"
                    } else {
                        column.kind.kind.facts().4
                    }
                }),
            )
            .text(
                "udt_name",
                all().map(|(.., column)| {
                    format!(
                        "{}{}",
                        if column.kind.is_list { "_" } else { "" },
                        column.kind.kind.facts().3
                    )
                }),
            )
            .all("table_catalog='catwalk' table_schema='public' column_default=null udt_catalog='catwalk' \
             udt_schema='pg_catalog' character_maximum_length=0 numeric_precision=null numeric_scale=null \
             datetime_precision=null is_identity='NO' is_generated='NEVER' is_updatable='NO' \
             domain_name=null domain_schema=null character_octet_length=null")
}
