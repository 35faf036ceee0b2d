//! The names of columns that a question gives no name to: those that PostgreSQL gives them.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    DataType, Expr, Ident, ObjectNamePart, Query, Select, SelectItem, SetExpr, Statement, Value,
    Visit, Visitor,
};

use super::kind::Kind;

/// What has no name.
const NAMELESS: &str = "?column?";
/// What the server tells of itself without parentheses.
const TOLD: [&str; 6] = [
    "current_user",
    "session_user",
    "user",
    "current_role",
    "current_schema",
    "current_catalog",
];

/// Names the columns of a question.
pub(super) fn name(query: &mut Query) {
    if let Some(select) = first(&mut query.body) {
        for item in &mut select.projection {
            if let SelectItem::UnnamedExpr(expr) = item
                && let Some(name) = of(expr)
            {
                *item = alias(expr.clone(), name);
            }
        }
    }
}

/// Two columns of one selection must not have the same name here: the second is given a number.
pub(super) fn tell_apart(query: &mut Query) {
    let Some(select) = first(&mut query.body) else {
        return;
    };
    let mut seen: HashMap<String, usize> = HashMap::new();
    for item in &mut select.projection {
        let (expr, name) = match item {
            SelectItem::UnnamedExpr(Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => continue,
            SelectItem::UnnamedExpr(expr) => (expr.clone(), expr.to_string()),
            SelectItem::ExprWithAlias { expr, alias } => (expr.clone(), alias.value.clone()),
            _ => continue,
        };
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let name = match item {
                SelectItem::UnnamedExpr(_) => NAMELESS.to_owned(),
                _ => name,
            };
            *item = alias(expr, format!("{name}_{count}"));
        }
    }
}

fn alias(expr: Expr, name: String) -> SelectItem {
    SelectItem::ExprWithAlias {
        expr,
        alias: Ident::with_quote('"', name),
    }
}

/// The selection that names the columns.
fn first(body: &mut SetExpr) -> Option<&mut Select> {
    match body {
        SetExpr::Select(select) => Some(select),
        SetExpr::Query(query) => first(&mut query.body),
        SetExpr::SetOperation { left, .. } => first(left),
        _ => None,
    }
}

/// The name of an expression; `None` if it is that of a column, and stays.
fn of(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name) => {
            let small = name.value.to_ascii_lowercase();
            (name.quote_style.is_none() && TOLD.contains(&small.as_str())).then_some(small)
        }
        Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => None,
        other => Some(inner(other).unwrap_or_else(|| NAMELESS.to_owned())),
    }
}

/// The name that an expression lends to what is made of it.
fn inner(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name) => Some(name.value.clone()),
        Expr::CompoundIdentifier(names) => Some(names.last()?.value.clone()),
        Expr::Function(function) => match function.name.0.last()? {
            ObjectNamePart::Identifier(name) => Some(name.value.to_ascii_lowercase()),
            ObjectNamePart::Function(_) => None,
        },
        Expr::Nested(expr) | Expr::Collate { expr, .. } => inner(expr),
        Expr::Cast {
            expr, data_type, ..
        } => inner(expr).or_else(|| Some(of_type(data_type))),
        Expr::Case { .. } => Some("case".to_owned()),
        Expr::Exists { .. } => Some("exists".to_owned()),
        Expr::Array(_) => Some("array".to_owned()),
        Expr::Extract { .. } => Some("extract".to_owned()),
        Expr::Substring { shorthand, .. } => {
            Some(if *shorthand { "substr" } else { "substring" }.to_owned())
        }
        Expr::TypedString(typed) => Some(of_type(&typed.data_type)),
        Expr::Interval(_) => Some("interval".to_owned()),
        Expr::Position { .. } => Some("position".to_owned()),
        Expr::Trim { .. } => Some("btrim".to_owned()),
        Expr::Ceil { .. } => Some("ceil".to_owned()),
        Expr::Floor { .. } => Some("floor".to_owned()),
        Expr::Subquery(query) => match &*query.body {
            SetExpr::Select(select) => match select.projection.first()? {
                SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
                SelectItem::UnnamedExpr(expr) => inner(expr),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn of_type(data_type: &DataType) -> String {
    let name = data_type.to_string().to_ascii_lowercase();
    let name = name.split('(').next().unwrap_or_default().trim();
    match name {
        "int" | "integer" => "int4",
        "bigint" => "int8",
        "smallint" => "int2",
        "real" => "float4",
        "double precision" | "double" | "float" => "float8",
        "decimal" => "numeric",
        "boolean" => "bool",
        "character varying" => "varchar",
        "timestamp with time zone" => "timestamptz",
        other => other,
    }
    .to_owned()
}

/// The types that a statement says its parameters have: `$1::bigint`.
pub(super) fn of_parameters(statement: &Statement) -> BTreeMap<String, Kind> {
    struct Casts(BTreeMap<String, Kind>);
    impl Visitor for Casts {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            if let Expr::Cast {
                expr, data_type, ..
            } = expr
                && let Expr::Value(value) = &**expr
                && let Value::Placeholder(name) = &value.value
            {
                let wanted = of_type(data_type);
                let kind = Kind::ALL.into_iter().find(|kind| kind.facts().3 == wanted);
                self.0.extend(kind.map(|kind| (name.clone(), kind)));
            }
            ControlFlow::Continue(())
        }
    }
    let mut casts = Casts(BTreeMap::new());
    let _ = Visit::visit(statement, &mut casts);
    casts.0
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    fn named(sql: &str) -> String {
        let mut statements = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap();
        let Some(Statement::Query(mut query)) = statements.pop() else {
            panic!("{sql}");
        };
        name(&mut query);
        tell_apart(&mut query);
        query.to_string()
    }

    #[test]
    fn columns_have_the_names_that_postgresql_gives_them() {
        for (sql, wanted) in [
            ("SELECT a, t.b FROM t", "SELECT a, t.b FROM t"),
            (
                "SELECT count(*) FROM t",
                "SELECT count(*) AS \"count\" FROM t",
            ),
            ("SELECT a::int FROM t", "SELECT a::INT AS \"a\" FROM t"),
            (
                "SELECT DATE '2026-11-15'",
                "SELECT DATE '2026-11-15' AS \"date\"",
            ),
            ("SELECT '1'::bigint", "SELECT '1'::BIGINT AS \"int8\""),
            ("SELECT 1, 2 AS b", "SELECT 1 AS \"?column?\", 2 AS b"),
            (
                "SELECT 1, 1",
                "SELECT 1 AS \"?column?\", 1 AS \"?column?_2\"",
            ),
            (
                "SELECT current_user",
                "SELECT current_user AS \"current_user\"",
            ),
            (
                "SELECT max(a), max(b) FROM t",
                "SELECT max(a) AS \"max\", max(b) AS \"max_2\" FROM t",
            ),
        ] {
            assert_eq!(named(sql), wanted);
        }
    }
}
