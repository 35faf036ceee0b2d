//! What few programs ask, in words that are understood here.

use std::collections::BTreeMap;

use datafusion::sql::sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Query, SelectItem, SetExpr, Statement, Value,
    ValueWithSpan,
};
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
use datafusion::sql::sqlparser::parser::Parser;

use super::rewrite::{call, null_text, number, text, text_of};

/// Answers as a whole what is made of functions that only PostgreSQL has, of tables that never have rows.
pub(super) fn whole(query: &mut Query) {
    let asked = query.to_string();
    if asked.contains("pg_relation_is_publishable(") {
        nothing_of_three(query);
    } else if asked.contains("_pg_expandarray(") {
        nothing_of_its_columns(query);
    }
}

/// psql asks by which publications a table goes elsewhere: by none, told in the three columns that it expects.
fn nothing_of_three(query: &mut Query) {
    let sql = "SELECT '' AS pubname, '' AS condition, '' AS columns WHERE false";
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, sql);
    if let Ok(Some(Statement::Query(nothing))) = parsed.map(|mut all| all.pop()) {
        *query = *nothing;
    }
}

/// `format('%s.%s', a, b)` as the parts that it puts together.
pub(super) fn format(args: Vec<Expr>) -> Option<Expr> {
    let mut args = args.into_iter();
    let form = text_of(&args.next()?)?;
    let mut parts = vec![text("")];
    for (place, piece) in form.split('%').enumerate() {
        let rest = match place {
            0 => piece,
            _ => {
                parts.push(args.next()?);
                piece.strip_prefix(['s', 'I'])?
            }
        };
        if !rest.is_empty() {
            parts.push(text(rest));
        }
    }
    Some(call("concat", parts))
}

/// A driver of Java asks for the columns of keys and indexes, of which there are none: that is told in the columns that
/// it expects.
fn nothing_of_its_columns(query: &mut Query) {
    let SetExpr::Select(select) = &*query.body else {
        return;
    };
    let names = select.projection.iter().map(|item| match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(alias),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(names)) => names.last(),
        _ => None,
    });
    let Some(names) = names.collect::<Option<Vec<_>>>() else {
        return;
    };
    let columns = names.iter().map(|name| match name.quote_style {
        None => format!("'' AS \"{}\"", name.value.to_ascii_lowercase()),
        Some(_) => format!("'' AS \"{}\"", name.value.replace('"', "\"\"")),
    });
    let columns: Vec<String> = columns.collect();
    let sql = format!("SELECT {} WHERE false", columns.join(", "));
    let parsed = Parser::parse_sql(&PostgreSqlDialect {}, &sql);
    if let Ok(Some(Statement::Query(nothing))) = parsed.map(|mut all| all.pop()) {
        *query = *nothing;
    }
}

/// What a session is set to, by a name that may come with the question.
pub(super) fn setting(name: Expr, settings: &BTreeMap<String, String>) -> Option<Expr> {
    if let Some(name) = text_of(&name) {
        let value = settings.get(&name.to_ascii_lowercase());
        return Some(value.map_or_else(null_text, |value| text(value)));
    }
    let (names, values): (Vec<Expr>, Vec<Expr>) = settings
        .iter()
        .map(|(name, value)| (text(name), text(value)))
        .unzip();
    let name = call("lower", vec![name]);
    let place = Expr::Cast {
        kind: CastKind::Cast,
        expr: Box::new(call(
            "array_position",
            vec![call("make_array", names), name],
        )),
        data_type: DataType::BigInt(None),
        array: false,
        format: None,
    };
    Some(call(
        "array_element",
        vec![call("make_array", values), place],
    ))
}

/// Columns of tables that never have rows, of which each value would be a list.
const LISTS: [&str; 4] = ["indkey", "indclass", "indoption", "indcollation"];

/// The parts of such a list, and their places: there are none, whatever stands for them.
pub(super) fn of_nothing(name: &str, list: &Expr) -> Option<Expr> {
    let column = match list {
        Expr::Identifier(column) => column,
        Expr::CompoundIdentifier(parts) => parts.last()?,
        _ => return None,
    };
    let is_list = LISTS.contains(&column.value.to_ascii_lowercase().as_str());
    is_list.then(|| number(u32::from(name != "unnest")))
}

/// A pattern with another sign before what is meant as it is written has the usual one.
pub(super) fn escape(pattern: &mut Expr, escape: &mut Option<ValueWithSpan>) {
    let sign = match escape.as_ref().map(|sign| &sign.value) {
        Some(Value::SingleQuotedString(sign)) if sign.chars().count() == 1 && sign != "\\" => {
            sign.clone()
        }
        _ => return,
    };
    // A sign that nobody writes stands for the pair while the single ones are replaced.
    const PAIR: &str = "\u{1}";
    let replaced =
        |inner: Expr, from: &str, to: &str| call("replace", vec![inner, text(from), text(to)]);
    let usual = replaced(pattern.clone(), "\\", "\\\\");
    let usual = replaced(usual, &sign.repeat(2), PAIR);
    let usual = replaced(usual, &sign, "\\");
    *pattern = replaced(usual, PAIR, &sign);
    *escape = None;
}

pub(super) fn is_placeholder(expr: &Expr) -> bool {
    match expr {
        Expr::Value(value) => matches!(value.value, Value::Placeholder(_)),
        Expr::Cast { expr, .. } | Expr::Nested(expr) => is_placeholder(expr),
        _ => false,
    }
}

/// A number with an exponent, as PostgreSQL reads it: by its digits, and not as what comes close to it.
pub(super) fn digits(number: &str) -> Option<Expr> {
    let (digits, exponent) = number.split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{rest}");
    let length = i32::try_from(all.len()).ok()?;
    // So many digits stand before the point.
    let before = i32::try_from(whole.len()).ok()?.saturating_add(exponent);
    if length > MOST_DIGITS || !(-MOST_DIGITS..=MOST_DIGITS).contains(&before) {
        return None;
    }
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if before >= length {
        return Some(Expr::Cast {
            kind: CastKind::Cast,
            expr: Box::new(plain(all + &zeros(before - length))),
            data_type: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 0)),
            array: false,
            format: None,
        });
    }
    Some(plain(match usize::try_from(before) {
        Ok(before) => format!("0{}.{}", &all[..before], &all[before..]),
        Err(_) => format!("0.{}{all}", zeros(-before)),
    }))
}

/// What fits into a number with digits, with room for what is reckoned with it.
const MOST_DIGITS: i32 = 30;

fn plain(digits: String) -> Expr {
    Expr::value(Value::Number(digits, false))
}

/// A number that becomes a float is read as one.
pub(super) fn float(inner: &Expr, to: &DataType) -> Option<Expr> {
    let is_float = matches!(
        to,
        DataType::Double(_)
            | DataType::DoublePrecision
            | DataType::Float(_)
            | DataType::Real
            | DataType::Float4
            | DataType::Float8
    );
    match inner {
        Expr::Nested(inner) => float(inner, to),
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) if is_float && digits.contains(['e', 'E']) => {
                Some(Expr::Cast {
                    kind: CastKind::Cast,
                    expr: Box::new(text(digits)),
                    data_type: to.clone(),
                    array: false,
                    format: None,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_keys_are_told_by_their_names() {
        let sql = "SELECT result.TABLE_CAT, result.\"Keys\" AS \"K\" FROM (SELECT 1) AS result";
        let mut parsed = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap();
        let Some(Statement::Query(mut query)) = parsed.pop() else {
            panic!("{sql}");
        };
        nothing_of_its_columns(&mut query);
        let wanted = "SELECT '' AS \"table_cat\", '' AS \"K\" WHERE false";
        assert_eq!(query.to_string(), wanted);
    }

    #[test]
    fn numbers_with_an_exponent_are_read_by_their_digits() {
        let read = |number| digits(number).map(|read| read.to_string());
        for (number, wanted) in [
            ("1e15", "CAST(1000000000000000 AS DECIMAL(38,0))"),
            ("1.5e3", "CAST(1500 AS DECIMAL(38,0))"),
            ("1.25E1", "012.5"),
            ("15e-4", "0.0015"),
            ("1e-3", "0.001"),
            ("12.5e-1", "01.25"),
        ] {
            assert_eq!(read(number).as_deref(), Some(wanted), "{number}");
        }
        assert_eq!(
            (read("1e300"), read("1e-300"), read("15")),
            (None, None, None)
        );
    }

    #[test]
    fn another_sign_of_escape_becomes_the_usual_one() {
        let sql = "SELECT a LIKE 'x/_y' ESCAPE '/'";
        let mut parsed = Parser::parse_sql(&PostgreSqlDialect {}, sql).unwrap();
        let Some(Statement::Query(query)) = parsed.pop() else {
            panic!("{sql}");
        };
        let projected = match *query.body {
            SetExpr::Select(select) => select.projection.into_iter().next(),
            _ => None,
        };
        let Some(SelectItem::UnnamedExpr(Expr::Like {
            mut pattern,
            mut escape_char,
            ..
        })) = projected
        else {
            panic!("{sql}");
        };
        escape(&mut pattern, &mut escape_char);
        assert_eq!(escape_char, None);
        assert!(
            pattern.to_string().starts_with("replace(replace("),
            "{pattern}"
        );
        let mut usual = Some(Value::SingleQuotedString("\\".to_owned()).with_empty_span());
        let before = pattern.clone();
        escape(&mut pattern, &mut usual);
        assert!(usual.is_some() && pattern == before);
    }
}
