//! A schema registry that speaks Confluent's protocol.

use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

use crate::avro::{Avro, Framing};
use crate::formats::Unreadable;
use crate::records::Logged;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);
const CONTENT: &str = "application/vnd.schemaregistry.v1+json";

#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error("the schema registry at {url} does not answer: {source}")]
    Unreachable {
        url: String,
        source: Box<ureq::Error>,
    },
    #[error("the schema registry at {url} answers {status}: {body}")]
    Refused {
        url: String,
        status: u16,
        body: String,
    },
    #[error("the schema registry at {url} answers without {missing}")]
    Form { url: String, missing: &'static str },
}

/// Where schemas have ids.
#[derive(Debug)]
pub struct Registry {
    url: String,
    agent: Agent,
}

impl Registry {
    /// At a base address such as `http://localhost:8081`. A name and a password may be part of it.
    pub fn at(url: &str) -> Registry {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false);
        Registry {
            url: url.trim_end_matches('/').to_owned(),
            agent: config.build().into(),
        }
    }

    /// The schema of an id; `None` if the registry has none.
    pub fn schema(&self, id: u32) -> Result<Option<String>, RegistryError> {
        let url = format!("{}/schemas/ids/{id}", self.url);
        let answer = self.agent.get(&url).header("accept", CONTENT).call();
        let (status, body) = self.read(answer)?;
        if status == 404 {
            return Ok(None);
        }
        let body = self.success(status, body)?;
        match body["schema"].as_str() {
            Some(schema) => Ok(Some(schema.to_owned())),
            None => Err(self.misses("schema")),
        }
    }

    /// Registers a schema under a subject, if it is not yet there, and gives its id.
    pub fn register(&self, subject: &str, schema: &str) -> Result<u32, RegistryError> {
        let url = format!("{}/subjects/{subject}/versions", self.url);
        let answer = self
            .agent
            .post(&url)
            .header("accept", CONTENT)
            .content_type(CONTENT)
            .send(json!({ "schema": schema }).to_string());
        let (status, body) = self.read(answer)?;
        let body = self.success(status, body)?;
        let id = body["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        id.ok_or_else(|| self.misses("id"))
    }

    /// A codec that writes the values of a topic with the registry's id of today's schema.
    pub(crate) fn codec<R: Logged>(&self, topic: &str) -> Result<Avro<R>, Unreadable> {
        let plain = Avro::<R>::new(Framing::SingleObject)?;
        let id = self.register(&format!("{topic}-value"), plain.schema_json())?;
        Ok(Avro::new(Framing::Confluent(id))?)
    }

    fn read(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<(u16, String), RegistryError> {
        let unreachable = |error| RegistryError::Unreachable {
            url: self.url.clone(),
            source: Box::new(error),
        };
        let mut answer = answer.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().read_to_string().map_err(unreachable)?;
        Ok((status, body))
    }

    fn success(&self, status: u16, body: String) -> Result<Value, RegistryError> {
        if !(200..300).contains(&status) {
            let url = self.url.clone();
            return Err(RegistryError::Refused { url, status, body });
        }
        serde_json::from_str(&body).map_err(|_| self.misses("JSON"))
    }

    fn misses(&self, missing: &'static str) -> RegistryError {
        RegistryError::Form {
            url: self.url.clone(),
            missing,
        }
    }
}
