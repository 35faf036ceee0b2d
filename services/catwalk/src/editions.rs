//! The rulebook in force: the built-in editions, and those of houses that the configuration names.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use catwalk_rules::Rulebook;

use crate::config::Config;

/// By which rules.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// Configuration whose [rules] names editions of houses, beside the built-in ones.
    #[arg(short = 'c', long = "config", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl RulesArgs {
    pub(crate) fn rulebook(&self) -> anyhow::Result<Rulebook> {
        Config::load(self.config.as_deref())?.rulebook()
    }
}

impl Config {
    /// The built-in rulebook, and the editions that `[rules]` names.
    pub(crate) fn rulebook(&self) -> anyhow::Result<Rulebook> {
        let mut rulebook = Rulebook::load()?;
        for folder in &self.rules.editions {
            rulebook = with_folder(rulebook, folder)?;
        }
        Ok(rulebook)
    }
}

/// The rulebook with the edition of a folder.
pub(crate) fn with_folder(rulebook: Rulebook, folder: &Path) -> anyhow::Result<Rulebook> {
    let files = read(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let rulebook = rulebook.with_house(&files);
    rulebook.with_context(|| format!("the edition in {}", folder.display()))
}

/// The TOML files of a folder, by their names.
fn read(folder: &Path) -> std::io::Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|name| name.ends_with(".toml")) {
            files.insert(name.to_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}
