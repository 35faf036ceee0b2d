//! How much a question may ask of the machine.

use std::sync::Arc;
use std::time::Duration;

use arrow::array::{Array as _, AsArray as _};
use arrow::compute::cast;
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{Result as DataResult, exec_err};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::{Error, Result};

/// How much a question may ask of the machine. Whatever exceeds one is refused or broken off, and the error names
/// the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Memory of sorts, joins and groups; beyond it they go to the disk where they can.
    pub memory_bytes: usize,
    /// What goes to the disk for that.
    pub disk_bytes: u64,
    /// From the question to the last row of its answer.
    pub time: Duration,
    /// The text of a question.
    pub sql_bytes: usize,
    /// Operators of one expression, which lie one within the other.
    pub operators: usize,
    /// Tables that are joined, and selections that are united.
    pub joins: usize,
    /// Text and lists that one function makes of a batch of rows.
    pub made_bytes: usize,
    /// Rows of an answer that is shown as a whole.
    pub rows_shown: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            memory_bytes: 2 << 30,
            disk_bytes: 20 << 30,
            time: Duration::from_secs(600),
            sql_bytes: 64 * 1024,
            operators: 200,
            joins: 50,
            made_bytes: 64 << 20,
            rows_shown: 100_000,
        }
    }
}

impl Bounds {
    pub(crate) fn runtime(&self) -> Result<Arc<RuntimeEnv>> {
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_limit(self.memory_bytes, 1.0)
            .with_max_temp_directory_size(self.disk_bytes)
            .build_arc()?;
        Ok(runtime)
    }

    /// Replaces the functions that can make much of little.
    pub(crate) fn limit_functions(&self, context: &SessionContext) {
        for (name, grows) in GROWING {
            let Some(inner) = context.state().scalar_functions().get(name).cloned() else {
                continue;
            };
            context.register_udf(ScalarUDF::from(Limited {
                inner,
                grows,
                most: self.made_bytes,
            }));
        }
    }

    /// Refuses a question by its text, before it is planned: a plan of an endless expression ends the program.
    pub(crate) fn check(&self, sql: &str) -> Result<()> {
        if sql.len() > self.sql_bytes {
            return Err(beyond("sql_bytes", self.sql_bytes, "the text is longer"));
        }
        let tokens = Tokenizer::new(&GenericDialect {}, sql).tokenize();
        // What is no SQL is refused by whoever reads it.
        let Ok(tokens) = tokens else {
            return Ok(());
        };
        let (mut operators, mut joins) = (vec![0usize], 0usize);
        for token in &tokens {
            match token {
                Token::LParen => operators.push(operators.last().copied().unwrap_or(0)),
                Token::RParen if operators.len() > 1 => drop(operators.pop()),
                Token::Comma | Token::SemiColon => *last(&mut operators) = 0,
                Token::Word(word) => match word.keyword {
                    Keyword::JOIN | Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT => {
                        joins += 1;
                        *last(&mut operators) = 0;
                    }
                    Keyword::SELECT
                    | Keyword::FROM
                    | Keyword::WHERE
                    | Keyword::GROUP
                    | Keyword::HAVING
                    | Keyword::ORDER
                    | Keyword::ON
                    | Keyword::WHEN
                    | Keyword::THEN
                    | Keyword::ELSE => *last(&mut operators) = 0,
                    Keyword::AND
                    | Keyword::OR
                    | Keyword::NOT
                    | Keyword::IS
                    | Keyword::LIKE
                    | Keyword::ILIKE
                    | Keyword::BETWEEN => *last(&mut operators) += 1,
                    _ => {}
                },
                Token::Whitespace(_)
                | Token::Number(..)
                | Token::SingleQuotedString(_)
                | Token::Period
                | Token::RParen
                | Token::Placeholder(_) => {}
                _ => *last(&mut operators) += 1,
            }
            if operators.iter().any(|count| *count > self.operators) {
                let what = "an expression has more; write x IN (...) for many of x = ... OR";
                return Err(beyond("operators", self.operators, what));
            }
            if joins > self.joins {
                let what = "more tables are joined or selections united";
                return Err(beyond("joins", self.joins, what));
            }
        }
        Ok(())
    }
}

fn last(counts: &mut [usize]) -> &mut usize {
    match counts {
        [.., last] => last,
        [] => unreachable!("the outermost is never taken off"),
    }
}

pub(crate) fn beyond(bound: &'static str, limit: usize, what: &str) -> Error {
    Error::Beyond {
        bound,
        limit: limit.to_string(),
        what: what.to_owned(),
    }
}

/// How long what a function makes becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Grows {
    /// The second value, times the first where it is text.
    Times,
    /// As long as the second value says.
    To,
    /// From the first to the second value, or up to the only one.
    Between,
    /// Each byte of the first value may become the third.
    Replaced,
}

const GROWING: [(&str, Grows); 9] = [
    ("repeat", Grows::Times),
    ("array_repeat", Grows::Times),
    ("lpad", Grows::To),
    ("rpad", Grows::To),
    ("range", Grows::Between),
    ("generate_series", Grows::Between),
    ("replace", Grows::Replaced),
    ("regexp_replace", Grows::Replaced),
    ("array_resize", Grows::To),
];

/// A function that refuses to make too much.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Limited {
    inner: Arc<ScalarUDF>,
    grows: Grows,
    most: usize,
}

impl Limited {
    /// The most bytes that the function makes of these values.
    fn bytes(&self, args: &ScalarFunctionArgs) -> DataResult<u128> {
        let is_constant = |arg: &ColumnarValue| matches!(arg, ColumnarValue::Scalar(_));
        // Constants are worked out once.
        let rows = match args.args.iter().all(is_constant) {
            true => args.number_rows.min(1),
            false => args.number_rows,
        };
        let number = |index: usize| integers(args.args.get(index), rows);
        let length = |index: usize| lengths(args.args.get(index), rows);
        let each = |made: &dyn Fn(usize) -> u128| (0..rows).map(made).sum();
        Ok(match (self.grows, args.args.len()) {
            (Grows::Times, _) => {
                let (texts, times) = (length(0)?, number(1)?);
                each(&|row| texts[row].max(1) * positive(times[row]))
            }
            (Grows::To, _) => {
                let to = number(1)?;
                each(&|row| positive(to[row]))
            }
            (Grows::Between, 0 | 1) => {
                let to = number(0)?;
                each(&|row| positive(to[row]) * 8)
            }
            (Grows::Between, _) => {
                let (from, to) = (number(0)?, number(1)?);
                each(&|row| u128::from(to[row].abs_diff(from[row])) * 8)
            }
            (Grows::Replaced, _) => {
                let (texts, by) = (length(0)?, length(2)?);
                each(&|row| (texts[row] + 1) * (by[row] + 1))
            }
        })
    }
}

fn positive(number: i64) -> u128 {
    u128::from(number.max(0).unsigned_abs())
}

/// The values of an argument as numbers; what is none is 0.
fn integers(arg: Option<&ColumnarValue>, rows: usize) -> DataResult<Vec<i64>> {
    let Some(arg) = arg else {
        return Ok(vec![0; rows]);
    };
    let values = arg.to_array(rows)?;
    if !values.data_type().is_integer() {
        return Ok(vec![0; rows]);
    }
    let values = cast(&values, &DataType::Int64)?;
    let values = values.as_primitive::<Int64Type>();
    Ok(values.iter().map(|value| value.unwrap_or(0)).collect())
}

/// How long the texts of an argument are.
fn lengths(arg: Option<&ColumnarValue>, rows: usize) -> DataResult<Vec<u128>> {
    let Some(arg) = arg else {
        return Ok(vec![0; rows]);
    };
    let values = arg.to_array(rows)?;
    match values.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let texts = cast(&values, &DataType::LargeUtf8)?;
            let texts = texts.as_string::<i64>();
            let length = |text: Option<&str>| text.map_or(0, str::len) as u128;
            Ok(texts.iter().map(length).collect())
        }
        // A list or a number in a list: eight bytes stand for it.
        _ => Ok(vec![8; rows]),
    }
}

impl ScalarUDFImpl for Limited {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, types: &[DataType]) -> DataResult<DataType> {
        self.inner.inner().return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> DataResult<FieldRef> {
        self.inner.inner().return_field_from_args(args)
    }

    fn coerce_types(&self, types: &[DataType]) -> DataResult<Vec<DataType>> {
        self.inner.inner().coerce_types(types)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> DataResult<ColumnarValue> {
        let bytes = self.bytes(&args)?;
        if bytes > self.most as u128 {
            return exec_err!(
                "{} would make {bytes} bytes at once: the bound made_bytes is {}",
                self.name(),
                self.most
            );
        }
        self.inner.inner().invoke_with_args(args)
    }
}
