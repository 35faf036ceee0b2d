//! How records travel on the log.
//!
//! Events and the records of the audit topics are written as Avro ([`Avro`]) with the schemas of
//! `schemas/`; a reader knows every schema that ever wrote one ([`Logged::PAST`]). Where a schema
//! [`Registry`] is in use, it says which id a schema has. [`Formats`] has the codec of every topic.

mod avro;
mod formats;
mod records;
mod registry;

pub use avro::{Avro, AvroError, Codec, Framing};
pub use formats::{Formats, Unreadable};
pub use records::Logged;
pub use registry::{Registry, RegistryError};
