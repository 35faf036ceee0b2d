//! A value that is looked up in the catalogue, row by row: `(SELECT typname FROM pg_type WHERE oid = a.atttypid)`.
//!
//! PostgreSQL takes it that there is one row, and says so when there are two; the planner here wants it proved. What is
//! looked up in these tables is looked up by what is there once, so that the greatest of it is it.

use std::ops::ControlFlow;

use datafusion::sql::sqlparser::ast::{
    Expr, FunctionArguments, GroupByExpr, ObjectName, Query, Select, SelectItem, SetExpr,
    TableFactor, Visit, Visitor,
};

use super::rewrite::{call, last};

/// Tables in which a row is found by its number, or by its numbers.
const LOOKED_UP: [&str; 6] = [
    "pg_class",
    "pg_database",
    "pg_description",
    "pg_namespace",
    "pg_roles",
    "pg_type",
];

/// Makes the only value of such a selection the greatest.
pub(super) fn one_row(query: &mut Query) {
    if query.order_by.is_some() || query.with.is_some() {
        return;
    }
    let SetExpr::Select(select) = &mut *query.body else {
        return;
    };
    if !is_look_up(select) {
        return;
    }
    if let [SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }] =
        select.projection.as_mut_slice()
        && !sums_up(expr)
    {
        let value = expr.clone();
        *expr = call("max", vec![value]);
        query.limit_clause = None;
    }
}

fn is_look_up(select: &Select) -> bool {
    let [from] = select.from.as_slice() else {
        return false;
    };
    let TableFactor::Table { name, .. } = &from.relation else {
        return false;
    };
    let groups = match &select.group_by {
        GroupByExpr::All(_) => true,
        GroupByExpr::Expressions(by, _) => !by.is_empty(),
    };
    let is_known =
        |name: &ObjectName| last(name).is_some_and(|name| LOOKED_UP.contains(&name.as_str()));
    is_known(name)
        && select.selection.is_some()
        && select.distinct.is_none()
        && select.having.is_none()
        && !groups
}

/// Whether it is made of several rows already.
fn sums_up(expr: &Expr) -> bool {
    struct Sums;
    impl Visitor for Sums {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            let Expr::Function(function) = expr else {
                return ControlFlow::Continue(());
            };
            let name = last(&function.name).unwrap_or_default();
            let is_list = !matches!(function.args, FunctionArguments::None);
            let sums = ["count", "sum", "min", "max", "avg", "every"].contains(&name.as_str())
                || [
                    "array_agg",
                    "string_agg",
                    "bool_",
                    "json_agg",
                    "first_value",
                ]
                .iter()
                .any(|begin| name.starts_with(begin));
            match is_list && sums {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }
    Visit::visit(expr, &mut Sums).is_break()
}

#[cfg(test)]
mod tests {
    use datafusion::sql::sqlparser::ast::Statement;
    use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
    use datafusion::sql::sqlparser::parser::Parser;

    use super::*;

    fn rewritten(sql: &str) -> String {
        let mut parsed = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap();
        let Some(Statement::Query(mut query)) = parsed.pop() else {
            panic!("{sql}");
        };
        one_row(&mut query);
        query.to_string()
    }

    #[test]
    fn what_is_looked_up_by_its_number_is_one_value() {
        assert_eq!(
            rewritten(
                "SELECT t.typname FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid LIMIT 1"
            ),
            "SELECT max(t.typname) FROM pg_catalog.pg_type t WHERE t.oid = a.atttypid"
        );
        for same in [
            "SELECT round FROM rounds WHERE round = r.round",
            "SELECT count(*) FROM pg_class WHERE oid = a.oid",
            "SELECT typname FROM pg_type WHERE oid = 1 GROUP BY typname",
            "SELECT typname FROM pg_type WHERE oid = 1 ORDER BY typname",
            "SELECT typname, oid FROM pg_type WHERE oid = 1",
            "SELECT typname FROM pg_type",
        ] {
            assert_eq!(rewritten(same), same);
        }
    }
}
