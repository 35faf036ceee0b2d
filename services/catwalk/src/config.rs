//! The one configuration file: TOML, overridden by the environment.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context;
#[cfg(feature = "services")]
use catwalk_desk::Destination;
use config::{Environment, File, FileFormat};
use serde::Deserialize;

use crate::gateway::TOKEN;

/// The settings with their defaults and what they mean.
pub(crate) const DEFAULTS: &str = include_str!("../../../deploy/catwalk.toml");

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) services: Vec<Service>,
    pub(crate) rules: RulesConfig,
    pub(crate) log: LogConfig,
    pub(crate) schema_registry: SchemaRegistry,
    pub(crate) settler: SettlerConfig,
    pub(crate) archive: ArchiveConfig,
    pub(crate) proof: ProofConfig,
    pub(crate) http: HttpConfig,
    pub(crate) desk: DeskConfig,
    pub(crate) console: ConsoleConfig,
    pub(crate) sql: SqlConfig,
    pub(crate) gateway: GatewayConfig,
    pub(crate) users: UsersConfig,
    pub(crate) oidc: OidcConfig,
    pub(crate) tls: TlsConfig,
    pub(crate) house: HouseConfig,
    #[cfg(feature = "services")]
    pub(crate) alerts: Vec<Destination>,
    /// Read and left: nothing is told outside without the desk.
    #[cfg(not(feature = "services"))]
    alerts: Vec<serde_json::Value>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulesConfig {
    /// Folders with editions of houses.
    pub(crate) editions: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Service {
    Settler,
    Archiver,
    Desk,
    Console,
    Sql,
    Gateway,
    Http,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogConfig {
    pub(crate) home: Home,
    pub(crate) partitions: u32,
    pub(crate) embedded: Embedded,
    pub(crate) kafka: Kafka,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Home {
    Embedded,
    Kafka,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Embedded {
    pub(crate) folder: PathBuf,
    pub(crate) sync_within_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kafka {
    pub(crate) bootstrap: String,
    pub(crate) prefix: String,
    pub(crate) replication: i32,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) topic_settings: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchemaRegistry {
    pub(crate) url: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettlerConfig {
    pub(crate) name: String,
    pub(crate) max_events: usize,
    pub(crate) replay_offsets: u64,
    pub(crate) max_tables: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArchiveConfig {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) gaming_day_hour: u8,
    pub(crate) time_zone: String,
    pub(crate) flush_bytes: usize,
    pub(crate) flush_interval_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProofConfig {
    pub(crate) key: PathBuf,
    pub(crate) name: String,
    /// Empty: beside the tables.
    pub(crate) folder: PathBuf,
    pub(crate) interval_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HttpConfig {
    pub(crate) listen: SocketAddr,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeskConfig {
    pub(crate) name: String,
    pub(crate) priorities: PathBuf,
    pub(crate) camera_url: String,
    pub(crate) camera_days: u64,
    pub(crate) cameras: BTreeMap<String, String>,
    pub(crate) silence_seconds: u64,
    pub(crate) immediately_minutes: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConsoleConfig {
    pub(crate) listen: SocketAddr,
}

/// What clients of PostgreSQL may ask of the machine, all of them together but for the time.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SqlConfig {
    pub(crate) listen: SocketAddr,
    pub(crate) max_seconds: u64,
    pub(crate) max_memory_mb: usize,
    pub(crate) max_disk_mb: u64,
    pub(crate) max_rows: usize,
    pub(crate) max_answer_mb: usize,
    pub(crate) max_rows_of: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GatewayConfig {
    pub(crate) listen: SocketAddr,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsersConfig {
    pub(crate) file: PathBuf,
    pub(crate) idle_minutes: u64,
    pub(crate) session_hours: u64,
}

/// What is empty is not there; without an issuer nobody signs in by a provider.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OidcConfig {
    pub(crate) issuer: String,
    pub(crate) name: String,
    pub(crate) client_id: String,
    pub(crate) client_secret_file: PathBuf,
    pub(crate) redirect_url: String,
    pub(crate) scopes: Vec<String>,
    pub(crate) also: Vec<String>,
    pub(crate) ca: PathBuf,
    pub(crate) user_claim: String,
    pub(crate) name_claim: String,
    pub(crate) groups_claim: String,
    pub(crate) audience: String,
    pub(crate) tokens_days: u64,
    pub(crate) groups: Vec<OidcGroup>,
}

/// What a group of the provider is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OidcGroup {
    pub(crate) group: String,
    pub(crate) roles: BTreeSet<String>,
    pub(crate) properties: Option<BTreeSet<String>>,
}

/// Paths that are empty name no file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TlsConfig {
    pub(crate) cert: PathBuf,
    pub(crate) key: PathBuf,
    pub(crate) client_ca: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HouseConfig {
    pub(crate) name: String,
}

impl Config {
    /// The defaults, the file over them, the environment over both.
    pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<Config> {
        // One that is no text cannot be a setting.
        let variables = std::env::vars_os();
        let variables = variables.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Config::from_layers(file, settings(variables))
    }

    fn from_layers(file: Option<&Path>, environment: Environment) -> anyhow::Result<Config> {
        let mut layers =
            config::Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml));
        if let Some(file) = file {
            layers = layers.add_source(File::from(file).format(FileFormat::Toml));
        }
        let layers = layers.add_source(environment).build()?;
        // Read once more as JSON: its errors say what would be allowed.
        let settings: serde_json::Value = layers.try_deserialize()?;
        let config: Config = serde_path_to_error::deserialize(settings)?;
        config.check().context("a setting cannot be")?;
        Ok(config)
    }

    /// What the types cannot say.
    fn check(&self) -> anyhow::Result<()> {
        let runs = |service| self.services.contains(&service);
        anyhow::ensure!(
            runs(Service::Desk) || !runs(Service::Console),
            "services: \"console\" shows the desk of its own process: add \"desk\""
        );
        #[cfg(feature = "services")]
        served::distinct(&self.alerts)?;
        let hour = self.archive.gaming_day_hour;
        anyhow::ensure!(
            hour < 24,
            "archive.gaming_day_hour = {hour}: 0 to 23 is allowed"
        );
        let partitions = self.log.partitions;
        anyhow::ensure!(
            (1..=1024).contains(&partitions),
            "log.partitions = {partitions}: 1 to 1024 is allowed"
        );
        anyhow::ensure!(
            self.archive.flush_bytes > 0,
            "archive.flush_bytes = 0: 1 or more is allowed"
        );
        let settler = &self.settler;
        for (setting, value) in [
            ("settler.max_tables", settler.max_tables as u64),
            ("settler.max_events", settler.max_events as u64),
            ("settler.replay_offsets", settler.replay_offsets),
            (
                "desk.immediately_minutes",
                u64::from(self.desk.immediately_minutes),
            ),
            ("users.idle_minutes", self.users.idle_minutes),
            ("users.session_hours", self.users.session_hours),
            ("oidc.tokens_days", self.oidc.tokens_days),
            ("sql.max_seconds", self.sql.max_seconds),
            ("sql.max_memory_mb", self.sql.max_memory_mb as u64),
            ("sql.max_rows", self.sql.max_rows as u64),
            ("sql.max_answer_mb", self.sql.max_answer_mb as u64),
        ] {
            anyhow::ensure!(value > 0, "{setting} = 0: 1 or more is allowed");
        }
        for (setting, name) in [
            ("settler.name", &self.settler.name),
            ("desk.name", &self.desk.name),
        ] {
            anyhow::ensure!(!name.is_empty(), "{setting}: it must not be empty");
        }
        for (setting, hours) in [
            ("users.idle_minutes", self.users.idle_minutes / 60),
            ("users.session_hours", self.users.session_hours),
        ] {
            anyhow::ensure!(hours <= 24 * 31, "{setting}: at most a month is allowed");
        }
        let TlsConfig {
            cert,
            key,
            client_ca,
        } = &self.tls;
        let is_set = |path: &Path| !path.as_os_str().is_empty();
        anyhow::ensure!(
            is_set(cert) == is_set(key) && (is_set(cert) || !is_set(client_ca)),
            "tls.cert and tls.key go together, and tls.client_ca with them"
        );
        Ok(())
    }
}

/// The settings among the variables of the environment: a token says who asks, and sets nothing.
fn settings(variables: impl Iterator<Item = (String, String)>) -> Environment {
    let variables = variables.filter(|(name, _)| name != TOKEN);
    Environment::with_prefix("CATWALK")
        .prefix_separator("_")
        .separator("__")
        .try_parsing(true)
        .list_separator(",")
        .with_list_parse_key("services")
        .with_list_parse_key("rules.editions")
        .source(Some(variables.collect()))
}

/// What only the services ask of the settings.
#[cfg(feature = "services")]
mod served {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use catwalk_desk::Destination;
    use catwalk_log::Durability;

    use super::{Config, Home, LogConfig, Service};
    use crate::log::{LogAddress, LogChoice};

    impl Config {
        /// The log, and how records are written on it.
        pub(crate) fn log_choice(&self) -> LogChoice {
            let LogConfig {
                embedded, kafka, ..
            } = &self.log;
            let address = match self.log.home {
                Home::Embedded => LogAddress::Embedded(embedded.folder.clone()),
                Home::Kafka => LogAddress::Kafka {
                    bootstrap: kafka.bootstrap.clone(),
                    prefix: kafka.prefix.clone(),
                },
            };
            let registry = &self.schema_registry.url;
            LogChoice {
                partitions: Some(self.log.partitions),
                kafka: kafka.settings.clone(),
                topic_settings: kafka.topic_settings.clone(),
                replication: Some(kafka.replication).filter(|copies| *copies > 0),
                durability: match embedded.sync_within_ms {
                    0 => Durability::Commit,
                    within => Durability::Within(Duration::from_millis(within)),
                },
                registry: Some(registry.clone()).filter(|url| !url.is_empty()),
                ..LogChoice::new(address)
            }
        }

        /// Whether somebody answers at the address of a service. Without the page the desk does so at its.
        pub(crate) fn answers(&self, service: Service) -> bool {
            let runs = |service| self.services.contains(&service);
            runs(service) || (service == Service::Console && runs(Service::Desk))
        }

        /// Whether any of the services is for users alone.
        pub(crate) fn has_users(&self) -> bool {
            let doors = [Service::Console, Service::Gateway, Service::Sql];
            doors.into_iter().any(|service| self.answers(service))
        }
    }

    pub(super) fn distinct(alerts: &[Destination]) -> anyhow::Result<()> {
        let names: BTreeSet<&str> = alerts.iter().map(|one| &*one.name).collect();
        anyhow::ensure!(
            names.len() == alerts.len(),
            "alerts: two destinations have one name"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::Write;

    use super::*;

    fn load(file: &str, environment: &[(&str, &str)]) -> anyhow::Result<Config> {
        let mut written = tempfile::NamedTempFile::new().unwrap();
        written.write_all(file.as_bytes()).unwrap();
        let variables = environment
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Config::from_layers(Some(written.path()), settings(variables))
    }

    #[test]
    fn the_documented_file_gives_every_setting_its_default() {
        let config = load("", &[]).unwrap();
        assert_eq!(
            config.services,
            [
                Service::Settler,
                Service::Archiver,
                Service::Desk,
                Service::Console,
                Service::Sql,
                Service::Gateway,
                Service::Http
            ]
        );
        assert_eq!(config.archive.gaming_day_hour, 6);
        assert_eq!(config.log.home, Home::Embedded);
    }

    #[test]
    fn the_file_overrides_the_defaults_and_the_environment_the_file() {
        let file = "[archive]\nflush_bytes = 5\nflush_interval_ms = 7\n\
            [log.kafka.settings]\n\"security.protocol\" = \"SSL\"";
        let environment = [
            ("CATWALK_ARCHIVE__FLUSH_BYTES", "9"),
            ("CATWALK_LOG__HOME", "kafka"),
            ("CATWALK_SERVICES", "settler,http"),
            // Who asks is no setting.
            ("CATWALK_TOKEN", "cw_0123"),
        ];
        let config = load(file, &environment).unwrap();
        assert_eq!(config.archive.flush_bytes, 9);
        assert_eq!(config.archive.flush_interval_ms, 7);
        assert_eq!(config.log.home, Home::Kafka);
        assert_eq!(config.services, [Service::Settler, Service::Http]);
        let settings = config.log.kafka.settings;
        assert_eq!(settings["security.protocol"], "SSL");
    }

    #[test]
    fn a_bad_setting_is_named_with_what_is_allowed() {
        let refusal = |file: &str| format!("{:#}", load(file, &[]).unwrap_err());
        let message = format!(
            "{:#}",
            load("", &[("CATWALK_SERVICE", "settler")]).unwrap_err()
        );
        assert!(message.contains("unknown field `service`"), "{message}");
        let message = refusal("[log]\nhome = \"kafak\"");
        assert!(
            message.contains("kafak") && message.contains("embedded"),
            "{message}"
        );
        let message = refusal("[archive]\nflush_bytez = 5");
        assert!(
            message.contains("flush_bytez") && message.contains("flush_bytes"),
            "{message}"
        );
        let message = refusal("[archive]\ngaming_day_hour = 24");
        assert!(
            message.contains("archive.gaming_day_hour") && message.contains("23"),
            "{message}"
        );
        let message = refusal("services = [\"console\"]");
        assert!(message.contains("add \"desk\""), "{message}");
        let message = refusal("[settler]\nmax_tables = 0");
        assert!(message.contains("settler.max_tables = 0"), "{message}");
        let message = refusal("[tls]\ncert = \"c.pem\"");
        assert!(message.contains("tls.key"), "{message}");
        let message = refusal("[users]\nidle_minutes = 0");
        assert!(message.contains("users.idle_minutes = 0"), "{message}");
        let message = refusal("[http]\nlisten = \"here\"");
        assert!(message.contains("http.listen"), "{message}");
    }
}
