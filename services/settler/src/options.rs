//! The options of a table, read once.

use std::sync::{Arc, OnceLock};

use catwalk_events::Json;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Options as a table posted them. Every round of the table shares them, and nobody reads their text
/// twice.
#[derive(Clone, Debug)]
pub struct Options(Arc<Posted>);

#[derive(Debug)]
struct Posted {
    text: Json,
    value: OnceLock<Value>,
}

impl Options {
    /// As they were posted.
    pub fn text(&self) -> &Json {
        &self.0.text
    }

    pub(crate) fn value(&self) -> &Value {
        self.0.value.get_or_init(|| self.0.text.value())
    }
}

impl From<Json> for Options {
    fn from(text: Json) -> Options {
        Options(Arc::new(Posted {
            text,
            value: OnceLock::new(),
        }))
    }
}

impl PartialEq for Options {
    fn eq(&self, other: &Options) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Options {}

impl Serialize for Options {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Options, D::Error> {
        Json::deserialize(deserializer).map(Options::from)
    }
}
