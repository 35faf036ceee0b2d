//! How much a question may ask of the machine.

use std::sync::Arc;
use std::time::Duration;

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::compute::cast;
use arrow::compute::kernels::concat_elements::concat_elements_utf8;
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{DFSchema, Result as DataResult, ScalarValue, exec_err};
use datafusion::error::DataFusionError;
use datafusion::execution::FunctionRegistry as _;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::logical_expr::planner::{ExprPlanner, PlannerResult, RawBinaryExpr};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable as _, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::BinaryOperator;
use datafusion::sql::sqlparser::dialect::PostgreSqlDialect;
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
    /// Rows of an answer, in whatever form, and bytes of its values.
    pub rows: usize,
    pub answer_bytes: usize,
    /// Footers and page indexes of files that are kept for the next question.
    pub footer_bytes: usize,
    /// Questions of several people share the memory: each that can go to the disk has as much as another.
    pub is_shared: bool,
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
            rows: usize::MAX,
            answer_bytes: usize::MAX,
            footer_bytes: 256 << 20,
            is_shared: false,
        }
    }
}

impl Bounds {
    pub(crate) fn runtime(&self) -> Result<Arc<RuntimeEnv>> {
        let runtime = match self.is_shared {
            true => RuntimeEnvBuilder::new()
                .with_memory_pool(Arc::new(FairSpillPool::new(self.memory_bytes))),
            false => RuntimeEnvBuilder::new().with_memory_limit(self.memory_bytes, 1.0),
        };
        let runtime = runtime
            .with_max_temp_directory_size(self.disk_bytes)
            .with_metadata_cache_limit(self.footer_bytes)
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
        let joins = Joins(Arc::new(ScalarUDF::from(Joined {
            signature: Signature::any(2, Volatility::Immutable),
            most: self.made_bytes,
        })));
        // A session takes every planner.
        drop(
            context
                .state_ref()
                .write()
                .register_expr_planner(Arc::new(joins)),
        );
    }

    /// Refuses a question by its text, before it is planned: a plan of an endless expression ends the program.
    pub(crate) fn check(&self, sql: &str) -> Result<()> {
        if sql.len() > self.sql_bytes {
            return Err(beyond("sql_bytes", self.sql_bytes, "the text is longer"));
        }
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, sql).tokenize();
        // What is no SQL is refused by whoever reads it.
        let Ok(tokens) = tokens else {
            return Ok(());
        };
        let (mut operators, mut joins) = (vec![0usize], 0usize);
        let mut depth = 0usize;
        for token in &tokens {
            depth = match token {
                Token::LParen => depth + 1,
                Token::RParen => depth.saturating_sub(1),
                Token::Word(word) if word.keyword == Keyword::CASE => depth + 1,
                Token::Word(word) if word.keyword == Keyword::END => depth.saturating_sub(1),
                _ => depth,
            };
            if depth > DEPTH {
                return Err(too_deep());
            }
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

/// What lies one within the other: parentheses, selections, cases. It is the bound of DataFusion's parser.
const DEPTH: usize = 50;

/// A question whose parts lie too deep within each other.
pub(crate) fn too_deep() -> Error {
    beyond("depth", DEPTH, "more lies one within the other")
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

/// What functions make of constants alone is put into the plan, which is copied many times over, and may be laid beside
/// each row of a batch: this part of `made_bytes` is the most of it.
const OF_CONSTANTS: usize = 1024;

/// Refuses to make too much of these values.
fn hold(name: &str, bytes: u128, of_constants: bool, most: usize) -> DataResult<()> {
    let most_of_constants = most / OF_CONSTANTS;
    if of_constants && bytes > most_of_constants as u128 {
        return exec_err!(
            "{name} would make {bytes} bytes of constants: the bound made_bytes is {most}, and of \
             constants {most_of_constants}"
        );
    }
    if bytes > most as u128 {
        return exec_err!(
            "{name} would make {bytes} bytes at once: the bound made_bytes is {most}"
        );
    }
    Ok(())
}

fn are_constants(args: &[ColumnarValue]) -> bool {
    args.iter()
        .all(|arg| matches!(arg, ColumnarValue::Scalar(_)))
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
    /// All values, one behind the other, and for the first of `concat_ws` again between them.
    Joined,
}

const GROWING: [(&str, Grows); 11] = [
    ("concat", Grows::Joined),
    ("concat_ws", Grows::Joined),
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
        // Constants are worked out once.
        let rows = match are_constants(&args.args) {
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
            (Grows::Joined, count) => {
                let parts = (0..count).map(length).collect::<DataResult<Vec<_>>>()?;
                let between = match self.inner.name() == "concat_ws" {
                    true => count as u128,
                    false => 1,
                };
                each(&|row| {
                    let lengths = parts.iter().map(|part| part[row]);
                    lengths.clone().next().unwrap_or(0) * between + lengths.skip(1).sum::<u128>()
                })
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
    let values = match arg {
        // Never laid beside each row: that is what may be too much.
        ColumnarValue::Scalar(value) => {
            return Ok(vec![lengths_of(&value.to_array()?)?[0]; rows]);
        }
        ColumnarValue::Array(values) => values,
    };
    lengths_of(values)
}

fn lengths_of(values: &ArrayRef) -> DataResult<Vec<u128>> {
    match values.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let texts = cast(values, &DataType::LargeUtf8)?;
            let texts = texts.as_string::<i64>();
            let length = |text: Option<&str>| text.map_or(0, str::len) as u128;
            Ok(texts.iter().map(length).collect())
        }
        // A list or a number in a list: eight bytes stand for it.
        _ => Ok(vec![8; values.len()]),
    }
}

/// `a || b` of texts, which the core works out without a bound, becomes a function that has one.
#[derive(Debug)]
struct Joins(Arc<ScalarUDF>);

impl ExprPlanner for Joins {
    fn plan_binary_op(
        &self,
        expr: RawBinaryExpr,
        schema: &DFSchema,
    ) -> DataResult<PlannerResult<RawBinaryExpr>> {
        let is_list = |side: &Expr| Ok::<_, DataFusionError>(side.get_type(schema)?.is_nested());
        let of_texts = expr.op == BinaryOperator::StringConcat
            && !is_list(&expr.left)?
            && !is_list(&expr.right)?;
        if !of_texts {
            return Ok(PlannerResult::Original(expr));
        }
        let joined = self.0.call(vec![expr.left, expr.right]);
        Ok(PlannerResult::Planned(joined))
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Joined {
    signature: Signature,
    most: usize,
}

impl ScalarUDFImpl for Joined {
    fn name(&self) -> &str {
        "||"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> DataResult<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> DataResult<ColumnarValue> {
        let constant = are_constants(&args.args);
        let rows = if constant { 1 } else { args.number_rows };
        let mut bytes = 0;
        for arg in &args.args {
            bytes += lengths(Some(arg), rows)?.iter().sum::<u128>();
        }
        hold(self.name(), bytes, constant, self.most)?;
        let text = |index: usize| -> DataResult<ArrayRef> {
            Ok(cast(&args.args[index].to_array(rows)?, &DataType::Utf8)?)
        };
        let (left, right) = (text(0)?, text(1)?);
        let (left, right) = (left.as_string::<i32>(), right.as_string::<i32>());
        let joined = concat_elements_utf8(left, right)?;
        Ok(match constant {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&joined, 0)?),
            false => ColumnarValue::Array(Arc::new(joined)),
        })
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
        hold(self.name(), bytes, are_constants(&args.args), self.most)?;
        self.inner.inner().invoke_with_args(args)
    }
}
