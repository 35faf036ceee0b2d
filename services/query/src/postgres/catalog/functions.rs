//! Functions that look something up in the catalogue.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, Int64Array, StringArray, new_null_array};
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result as DataResult, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use datafusion::prelude::SessionContext;

use super::{OIDS, Relation};
use crate::postgres::kind::{Kind, names};

/// Functions that look something up in the catalogue.
pub(super) fn register(context: &SessionContext, relations: &[Relation]) {
    let mut types = BTreeMap::new();
    for kind in Kind::ALL {
        let (oid, list, _, _, name) = kind.facts();
        types.insert(vec![oid.into()], name.to_owned());
        types.insert(vec![list.into()], format!("{name}[]"));
    }
    types.extend([
        (vec![26], "oid".to_owned()),
        (vec![1043], "character varying".to_owned()),
    ]);
    let of_types = types.iter().map(|(oid, name)| (name.clone(), oid[0]));
    let short = Kind::ALL.map(|kind| (kind.facts().3.to_owned(), i64::from(kind.oid())));
    let of_relations = relations
        .iter()
        .map(|one| (one.name.clone(), one.oid.into()));
    let of_catalogue = OIDS.map(|(name, oid)| (name.to_owned(), i64::from(oid)));
    let of_relations = of_relations.chain(of_catalogue);
    for (name, known) in [
        (
            "to_regtype",
            of_types.chain(short).collect::<BTreeMap<_, _>>(),
        ),
        ("catwalk_oid", of_relations.collect()),
    ] {
        context.register_udf(ScalarUDF::from(Numbered {
            name,
            known: Arc::new(known),
            signature: Signature::any(1, Volatility::Stable),
        }));
    }
    let exactly = Signature::exact(vec![DataType::Utf8], Volatility::Immutable);
    context.register_udf(ScalarUDF::from(Named(exactly)));
    let (mut called, mut objects, mut columns) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut views = BTreeMap::new();
    for one in relations {
        let oid = i64::from(one.oid);
        views.extend(one.definition.clone().map(|sql| (vec![oid], sql)));
        called.insert(vec![oid], one.name.clone());
        objects.extend(one.comment.clone().map(|told| (vec![oid], told)));
        columns.extend(
            (1i64..)
                .zip(&one.columns)
                .filter_map(|(place, column)| Some((vec![oid, place], column.comment.clone()?))),
        );
    }
    for (name, keys, known) in [
        ("format_type", 1, types),
        ("catwalk_relation", 1, called),
        ("pg_get_viewdef", 1, views),
        ("obj_description", 1, objects),
        ("col_description", 2, columns),
    ] {
        context.register_udf(ScalarUDF::from(Known {
            name,
            keys,
            known: Arc::new(known),
            signature: Signature::variadic_any(Volatility::Stable),
        }));
    }
}

/// A text as a name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Named(Signature);

impl ScalarUDFImpl for Named {
    fn name(&self) -> &str {
        "catwalk_name"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> DataResult<DataType> {
        Ok(DataType::Utf8)
    }

    fn return_field_from_args(&self, _: ReturnFieldArgs<'_>) -> DataResult<FieldRef> {
        let field = Field::new(self.name(), DataType::Utf8, false);
        Ok(Arc::new(names(field)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> DataResult<ColumnarValue> {
        let first = args.args.into_iter().next();
        Ok(first.unwrap_or(ColumnarValue::Scalar(ScalarValue::Utf8(None))))
    }
}

/// A function that knows the number of a name.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Numbered {
    name: &'static str,
    known: Arc<BTreeMap<String, i64>>,
    signature: Signature,
}

impl ScalarUDFImpl for Numbered {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> DataResult<DataType> {
        Ok(DataType::Int64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> DataResult<ColumnarValue> {
        let Some(names) = args.args.first() else {
            return Ok(ColumnarValue::Scalar(ScalarValue::Int64(None)));
        };
        let names = names.to_array(args.number_rows)?;
        let names = arrow::compute::cast(&names, &DataType::Utf8)?;
        let number = |name: &str| {
            let bare = name
                .rsplit('.')
                .next()?
                .trim_matches('"')
                .to_ascii_lowercase();
            let known = self.known.get(&bare).copied();
            known.or_else(|| name.parse().ok())
        };
        let numbers = names.as_string::<i32>().iter();
        let numbers: Int64Array = numbers.map(|name| number(name?)).collect();
        Ok(ColumnarValue::Array(Arc::new(numbers)))
    }
}

/// A function that knows a text for numbers.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Known {
    name: &'static str,
    /// So many of its arguments are what it goes by.
    keys: usize,
    known: Arc<BTreeMap<Vec<i64>, String>>,
    signature: Signature,
}

impl ScalarUDFImpl for Known {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> DataResult<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> DataResult<ColumnarValue> {
        let keys = args.args.iter().take(self.keys).map(|arg| {
            let column = arg.to_array(args.number_rows)?;
            if !column.data_type().is_integer() {
                // What is no number is known by none.
                return Ok(new_null_array(&DataType::Int64, args.number_rows));
            }
            Ok(arrow::compute::cast(&column, &DataType::Int64)?)
        });
        let keys: Vec<ArrayRef> = keys.collect::<DataResult<_>>()?;
        let texts = (0..args.number_rows).map(|row| {
            let key = keys
                .iter()
                .map(|column| match ScalarValue::try_from_array(column, row) {
                    Ok(ScalarValue::Int64(key)) => key,
                    _ => None,
                });
            let key: Option<Vec<i64>> = key.collect();
            key.and_then(|key| self.known.get(&key).cloned())
        });
        let texts: StringArray = texts.collect();
        Ok(ColumnarValue::Array(Arc::new(texts)))
    }
}
