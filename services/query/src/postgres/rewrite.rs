//! What programs ask of PostgreSQL's catalogue, in words that are understood here.
//!
//! Functions that tell of the server become what they tell; types that are only PostgreSQL's become text or numbers;
//! a selection from a table of the catalogue that never has rows becomes nothing.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::catalog::OIDS;
use super::{names, odd, subquery};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, CastKind, DataType, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArguments, Ident, ObjectName, ObjectNamePart, Query, Statement, Value, Visit, VisitMut,
    Visitor, VisitorMut,
};

/// The tables of the catalogue that never have rows here.
pub(super) const EMPTY: [&str; 35] = [
    "pg_aggregate",
    "pg_attrdef",
    "pg_auth_members",
    "pg_cast",
    "pg_collation",
    "pg_constraint",
    "pg_conversion",
    "pg_depend",
    "pg_enum",
    "pg_event_trigger",
    "pg_extension",
    "pg_foreign_data_wrapper",
    "pg_foreign_server",
    "pg_foreign_table",
    "pg_index",
    "pg_inherits",
    "pg_language",
    "pg_matviews",
    "pg_opclass",
    "pg_operator",
    "pg_partitioned_table",
    "pg_policy",
    "pg_proc",
    "pg_publication",
    "pg_publication_namespace",
    "pg_publication_rel",
    "pg_range",
    "pg_rewrite",
    "pg_sequence",
    "pg_sequences",
    "pg_shdescription",
    "pg_stat_user_tables",
    "pg_statistic_ext",
    "pg_tablespace",
    "pg_trigger",
];

/// What a session tells of itself.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(super) user: String,
    pub(super) process: i32,
    pub(super) settings: BTreeMap<String, String>,
    /// Tables and views, and their numbers.
    pub(super) relations: BTreeMap<String, u32>,
}

/// Rewrites a statement where it asks for what only PostgreSQL has.
pub(super) fn rewrite(statement: &mut Statement, about: &About) {
    // As they are written: what stands there instead has other names.
    if let Statement::Query(query) = statement {
        odd::whole(query);
        names::name(query);
    }
    let _ = VisitMut::visit(statement, &mut Rewriter { about });
}

struct Rewriter<'a> {
    about: &'a About,
}

impl VisitorMut for Rewriter<'_> {
    type Break = ();

    fn pre_visit_relation(&mut self, relation: &mut ObjectName) -> ControlFlow<()> {
        // The catalogue is found without its schema.
        if let [ObjectNamePart::Identifier(only)] = relation.0.as_slice()
            && only.value.to_ascii_lowercase().starts_with("pg_")
        {
            let schema = ObjectNamePart::Identifier(Ident::new("pg_catalog"));
            relation.0.insert(0, schema);
        }
        // What a client takes for the name of the database.
        if let [ObjectNamePart::Identifier(first), _, _] = relation.0.as_slice()
            && first.value == DATABASE
        {
            relation.0.remove(0);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        names::tell_apart(query);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::Subquery(query) = expr {
            subquery::one_row(query);
        }
        let nothing = match expr {
            // What some programs ask of the search path as if it were a table.
            Expr::InSubquery {
                expr,
                subquery,
                negated,
            } => asks_for_path(subquery).then(|| Expr::InList {
                expr: expr.clone(),
                list: vec![text("public")],
                negated: *negated,
            }),
            Expr::Subquery(query) => is_empty(query).then(|| Expr::value(Value::Null)),
            Expr::Exists { subquery, negated } => {
                let told = Expr::value(Value::Boolean(*negated));
                is_empty(subquery).then_some(told)
            }
            _ => None,
        };
        if let Some(nothing) = nothing {
            *expr = nothing;
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Some(other) = self.instead(expr) {
            *expr = other;
        }
        ControlFlow::Continue(())
    }
}

impl Rewriter<'_> {
    fn instead(&self, expr: &mut Expr) -> Option<Expr> {
        match expr {
            Expr::Collate { expr, .. } => Some((**expr).clone()),
            Expr::BinaryOp { op, .. } => {
                if let BinaryOperator::PGCustomBinaryOperator(parts) = op {
                    *op = match parts.last().map(String::as_str)? {
                        "~" => BinaryOperator::PGRegexMatch,
                        "!~" => BinaryOperator::PGRegexNotMatch,
                        "~*" => BinaryOperator::PGRegexIMatch,
                        "!~*" => BinaryOperator::PGRegexNotIMatch,
                        "~~" => BinaryOperator::PGLikeMatch,
                        "!~~" => BinaryOperator::PGNotLikeMatch,
                        "=" => BinaryOperator::Eq,
                        "<>" => BinaryOperator::NotEq,
                        _ => return None,
                    };
                }
                None
            }
            Expr::Cast {
                expr,
                data_type,
                kind,
                ..
            } => self.cast(expr, data_type, kind),
            Expr::Function(function) => {
                if let [ObjectNamePart::Identifier(schema), name] = function.name.0.as_slice()
                    && matches!(schema.value.as_str(), "pg_catalog" | "information_schema")
                {
                    function.name = ObjectName(vec![name.clone()]);
                }
                self.function(function)
            }
            Expr::Value(value) => match &value.value {
                Value::Number(number, _) => odd::digits(number),
                _ => None,
            },
            Expr::Like {
                pattern,
                escape_char,
                ..
            }
            | Expr::ILike {
                pattern,
                escape_char,
                ..
            } => {
                odd::escape(pattern, escape_char);
                None
            }
            Expr::Identifier(name) if name.quote_style.is_none() => {
                self.told(&name.value.to_ascii_lowercase(), true)
            }
            _ => None,
        }
    }

    fn cast(&self, inner: &Expr, to: &mut DataType, kind: &mut CastKind) -> Option<Expr> {
        if let Some(read) = odd::float(inner, to) {
            return Some(read);
        }
        let name = match to {
            DataType::Regclass => "regclass".to_owned(),
            DataType::Custom(name, _) => last(name)?,
            _ => return None,
        };
        let literal = match inner {
            Expr::Value(value) => match &value.value {
                Value::SingleQuotedString(text) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        };
        match name.as_str() {
            "regclass" => match literal {
                Some(text) if text.parse::<u32>().is_err() => {
                    let bare = text.rsplit('.').next()?.trim_matches('"');
                    Some(self.oid_of(bare))
                }
                Some(_) => {
                    *to = DataType::BigInt(None);
                    None
                }
                // A name that comes with the question.
                None if odd::is_placeholder(inner) => {
                    Some(call("catwalk_oid", vec![inner.clone()]))
                }
                None => Some(call("catwalk_relation", vec![inner.clone()])),
            },
            "regtype" => match literal {
                Some(_) => Some(inner.clone()),
                None => Some(call(
                    "format_type",
                    vec![inner.clone(), Expr::value(Value::Null)],
                )),
            },
            "oid" if called(inner).is_some_and(|(name, _)| name == "catwalk_relation") => {
                Some(call("catwalk_oid", called(inner)?.1))
            }
            "oid" | "xid" | "cid" => {
                *to = DataType::BigInt(None);
                *kind = CastKind::Cast;
                None
            }
            "name" | "char" | "regproc" | "regprocedure" | "regnamespace" | "regrole"
            | "citext" | "json" | "jsonb" | "aclitem" | "cstring" => {
                *to = DataType::Text;
                None
            }
            "int2vector" | "oidvector" => Some(inner.clone()),
            // PostgreSQL's own types, by their full names.
            "text" | "varchar" | "bpchar" => {
                *to = DataType::Text;
                None
            }
            "int2" | "int4" | "int8" => {
                *to = DataType::BigInt(None);
                None
            }
            "bool" => {
                *to = DataType::Boolean;
                None
            }
            _ => None,
        }
    }

    fn oid_of(&self, name: &str) -> Expr {
        let own = || OIDS.iter().find(|(own, _)| *own == name);
        let oid = self.about.relations.get(name).copied();
        let oid = oid.or_else(|| own().map(|(_, oid)| *oid));
        oid.map_or(Expr::value(Value::Null), number)
    }

    fn function(&self, function: &Function) -> Option<Expr> {
        let name = last(&function.name)?;
        let args = arguments(function);
        if let Some(told) = self.told(&name, false) {
            return Some(told);
        }
        // The lists that programs make so are of what never has rows.
        if name == "array" && matches!(function.args, FunctionArguments::Subquery(_)) {
            let one = call("make_array", vec![text("")]);
            return Some(call("array_remove", vec![one, text("")]));
        }
        if name.ends_with("_is_visible") {
            return Some(Expr::value(Value::Boolean(true)));
        }
        if name.starts_with("has_") && name.ends_with("_privilege") {
            // Only what may be read can be named.
            let right = args
                .last()
                .and_then(text_of)
                .unwrap_or_default()
                .to_ascii_lowercase();
            let may = ["select", "usage", "connect", "execute"];
            let only_reads = right.split(',').any(|right| may.contains(&right.trim()));
            return Some(Expr::value(Value::Boolean(only_reads)));
        }
        self.looked_up(&name, args)
    }

    /// Functions that look something up.
    fn looked_up(&self, name: &str, args: Vec<Expr>) -> Option<Expr> {
        match name {
            "pg_get_userbyid" => Some(text("catwalk")),
            "pg_encoding_to_char" | "pg_client_encoding" | "getdatabaseencoding" => {
                Some(text("UTF8"))
            }
            "pg_get_expr"
            | "pg_get_constraintdef"
            | "pg_get_indexdef"
            | "pg_get_ruledef"
            | "pg_get_triggerdef"
            | "pg_get_serial_sequence"
            | "pg_get_partkeydef"
            | "pg_get_function_result"
            | "pg_get_function_arguments"
            | "pg_get_function_identity_arguments"
            | "pg_get_functiondef"
            | "shobj_description"
            | "pg_size_pretty"
            | "pg_relation_size"
            | "pg_total_relation_size"
            | "pg_table_size"
            | "pg_indexes_size"
            | "pg_database_size"
            | "pg_tablespace_location"
            | "pg_get_statisticsobjdef_columns"
            | "pg_relation_filenode"
            | "pg_get_partition_constraintdef" => Some(null_text()),
            // By the number of the view, or by its name.
            "pg_get_viewdef" => {
                let view = call("catwalk_oid", vec![args.into_iter().next()?]);
                Some(call("pg_get_viewdef", vec![view]))
            }
            "quote_ident" | "quote_literal" => args.into_iter().next(),
            "to_regclass" => {
                let name = args.first().and_then(text_of)?;
                let bare = name.rsplit('.').next()?.trim_matches('"').to_owned();
                Some(self.oid_of(&bare))
            }
            "current_setting" => odd::setting(args.into_iter().next()?, &self.about.settings),
            "unnest" | "generate_subscripts" => odd::of_nothing(name, args.first()?),
            "set_config" => {
                let name = args.first().and_then(text_of)?;
                (name == "search_path")
                    .then(|| args.get(1).cloned())
                    .flatten()
            }
            "format" => odd::format(args),
            "current_schemas" => Some(call("make_array", vec![text("pg_catalog"), text("public")])),
            _ => None,
        }
    }

    /// What the server tells of itself; some of it is asked for without parentheses.
    fn told(&self, name: &str, is_bare: bool) -> Option<Expr> {
        let name_of = |told: &str| call("catwalk_name", vec![text(told)]);
        Some(match name {
            "current_user" | "session_user" | "user" | "current_role" => name_of(&self.about.user),
            "current_schema" => name_of("public"),
            "current_catalog" => name_of(DATABASE),
            _ if is_bare => return None,
            "current_database" => name_of(DATABASE),
            "version" => text(&version()),
            "pg_backend_pid" => number(self.about.process.unsigned_abs()),
            "pg_is_in_recovery" | "pg_is_wal_replay_paused" => Expr::value(Value::Boolean(true)),
            "txid_current" => number(1),
            "pg_postmaster_start_time" | "pg_conf_load_time" => call("now", Vec::new()),
            "inet_server_addr" | "inet_client_addr" | "inet_server_port" | "inet_client_port" => {
                null_text()
            }
            _ => return None,
        })
    }
}

/// The name of the one database.
pub(super) const DATABASE: &str = "catwalk";

pub(super) fn version() -> String {
    let own = env!("CARGO_PKG_VERSION");
    format!("PostgreSQL 15.0 (catwalk {own}: the archive of a casino floor, to be read only)")
}

pub(super) fn last(name: &ObjectName) -> Option<String> {
    match name.0.last()? {
        ObjectNamePart::Identifier(name) => Some(name.value.to_ascii_lowercase()),
        ObjectNamePart::Function(_) => None,
    }
}

fn arguments(function: &Function) -> Vec<Expr> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    let args = list.args.iter().filter_map(|arg| match arg {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr.clone()),
        _ => None,
    });
    args.collect()
}

fn asks_for_path(query: &Query) -> bool {
    let text = query.to_string().to_ascii_lowercase();
    text.contains("string_to_array(current_setting('search_path')")
}

/// What is called, and with what.
fn called(expr: &Expr) -> Option<(String, Vec<Expr>)> {
    match expr {
        Expr::Function(function) => Some((last(&function.name)?, arguments(function))),
        _ => None,
    }
}

pub(super) fn text_of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        Expr::Cast { expr, .. } => text_of(expr),
        _ => None,
    }
}

pub(super) fn text(text: &str) -> Expr {
    Expr::value(Value::SingleQuotedString(text.to_owned()))
}

pub(super) fn number(number: u32) -> Expr {
    Expr::value(Value::Number(number.to_string(), false))
}

pub(super) fn null_text() -> Expr {
    Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(Expr::value(Value::Null)),
        data_type: DataType::Text,
        array: false,
        format: None,
    }
}

pub(super) fn call(name: &str, args: Vec<Expr>) -> Expr {
    use datafusion::sql::sqlparser::ast::FunctionArgumentList;
    let args = args
        .into_iter()
        .map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)));
    Expr::Function(Function {
        name: ObjectName(vec![ObjectNamePart::Identifier(Ident::new(name))]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: args.collect(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    })
}

/// Whether a selection joins a table that never has rows, and counts none of them.
fn is_empty(query: &Query) -> bool {
    struct Empty(bool);
    impl Visitor for Empty {
        type Break = ();

        fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
            self.0 |= last(relation).is_some_and(|name| EMPTY.contains(&name.as_str()));
            ControlFlow::Continue(())
        }

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                // Of no rows there is a count.
                Expr::Function(function) if last(&function.name).as_deref() == Some("count") => {
                    self.0 = false;
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let mut empty = Empty(false);
    let counts = Visit::visit(query, &mut empty).is_break();
    empty.0 && !counts
}
