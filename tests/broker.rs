//! A Kafka broker of our own for the tests of a process, gone with it. Tests of several services share
//! this file.

use std::path::Path;
use std::process::{self, Command};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use catwalk_log::KafkaConfig;

/// Where the broker that the tests of this process share listens.
pub(crate) fn broker() -> &'static str {
    static BOOTSTRAP: OnceLock<String> = OnceLock::new();
    BOOTSTRAP.get_or_init(|| kafka(&["start", "--with", &process::id().to_string()]))
}

/// A floor of its own on that broker.
pub(crate) fn floor() -> KafkaConfig {
    static FLOORS: AtomicU32 = AtomicU32::new(0);
    let mut config = KafkaConfig::new(broker());
    config.prefix = format!("floor-{}.", FLOORS.fetch_add(1, Ordering::Relaxed));
    config
}

/// Runs the script, and gives the last line that it says.
pub(crate) fn kafka(arguments: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/kafka/kafka");
    let ran = Command::new(script).args(arguments).output().unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{arguments:?}: {out}{errors}");
    out.lines().last().unwrap_or_default().to_owned()
}
