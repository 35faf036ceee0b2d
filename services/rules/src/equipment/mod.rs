//! What must be true of cards, dice, tiles, wheels, chips, limits and notices at every table.
//!
//! Regulation of equipment is of a jurisdiction: each [`Chapter`] is one, with the editions of the rules
//! that are played under it, and cites its own texts alone. What no text judges, such as a feed that
//! contradicts itself, is the same everywhere.

mod bounds;
mod cards;
mod general;
mod objects;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use cards::{CardRule, Method};
pub use general::{CardLife, ChipRule, DeviceRule, DiceLife, LimitRatio, Notice, TileLife};
pub use general::{Tournament, Uncited};
pub use objects::{DiceRule, Positions, WheelRule};

use crate::book::{BookError, Severity};
use crate::{Edition, Said, hex};

const CHAPTERS: [&str; 2] = [
    include_str!("massachusetts.toml"),
    include_str!("ohio.toml"),
];
/// What a house may change of a chapter: figures that hold for all games.
const OF_HOUSE: [&str; 7] = [
    "card_life",
    "dice_life",
    "tile_life",
    "limit_ratio",
    "notice",
    "tournament",
    "chips",
];
const EVERYWHERE: &str = include_str!("everywhere.toml");

/// The equipment chapters of all jurisdictions.
#[derive(Debug)]
pub struct Equipment {
    chapters: Vec<Chapter>,
    everywhere: Vec<WatchFinding>,
    hash: String,
}

/// What one jurisdiction asks of equipment, as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chapter {
    title: String,
    /// The editions of the rules of the games that are played under it.
    editions: Vec<Edition>,
    pub card_life: Option<CardLife>,
    pub dice_life: Option<DiceLife>,
    pub tile_life: Option<TileLife>,
    pub limit_ratio: Option<LimitRatio>,
    pub notice: Option<Notice>,
    pub tournament: Option<Tournament>,
    pub chips: Option<ChipRule>,
    #[serde(default)]
    devices: Vec<DeviceRule>,
    cards: Vec<CardRule>,
    dice: Vec<DiceRule>,
    wheels: Vec<WheelRule>,
    positions: Vec<Positions>,
    findings: Vec<WatchFinding>,
    /// What holds for all games, figure by figure.
    #[serde(skip)]
    figures: BTreeMap<String, Said>,
    #[serde(skip)]
    hash: String,
}

/// A code of the watch, with its severity and the section that says so.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchFinding {
    pub code: String,
    /// The games that it is about; all that have no entry of their own if none is named.
    #[serde(default)]
    pub games: Vec<String>,
    pub severity: Severity,
    pub meaning: String,
    pub cite: Option<String>,
    /// Why it is found although no section says so.
    pub uncited: Option<Uncited>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Everywhere {
    findings: Vec<WatchFinding>,
}

impl Equipment {
    /// Reads and validates the chapters. Fails only if a data file is wrong, which the tests catch.
    pub(crate) fn load() -> Result<Equipment, BookError> {
        let chapters: Vec<Chapter> = CHAPTERS
            .into_iter()
            .map(Chapter::read)
            .collect::<Result<_, _>>()?;
        let everywhere: Everywhere = read(EVERYWHERE)?;
        check_findings("everywhere", &everywhere.findings)?;
        for edition in Edition::ALL {
            let its = chapters.iter().filter(|chapter| chapter.holds(edition));
            if its.count() != 1 {
                return Err(error(
                    "all chapters",
                    format!("{edition} belongs to one of them"),
                ));
            }
        }
        let mut hash = Sha256::new();
        chapters
            .iter()
            .for_each(|chapter| hash.update(chapter.hash()));
        hash.update(EVERYWHERE);
        Ok(Equipment {
            chapters,
            everywhere: everywhere.findings,
            hash: hex(&hash.finalize()),
        })
    }

    /// Hash over all chapters.
    pub(crate) fn hash(&self) -> &str {
        &self.hash
    }

    /// The chapter that tables of an edition are judged by. A table that has told no edition, or one that
    /// nobody knows, is taken to be of the first jurisdiction, Massachusetts.
    pub(crate) fn chapter(&self, edition: Option<Edition>) -> &Chapter {
        let its = |chapter: &&Chapter| edition.is_some_and(|edition| chapter.holds(edition));
        self.chapters.iter().find(its).unwrap_or(&self.chapters[0])
    }

    pub(crate) fn chapters(&self) -> &[Chapter] {
        &self.chapters
    }

    /// The chapter of an edition as a house has it: what `changes` says of an entry, with a cite, replaces what the
    /// chapter says.
    pub(crate) fn overlaid(
        &self,
        base: Edition,
        changes: &toml::Table,
    ) -> Result<Chapter, BookError> {
        let at = self.chapters.iter().position(|it| it.holds(base));
        let at = at.unwrap_or_default();
        let title = &self.chapters[at].title;
        let mut chapter: toml::Table = read(CHAPTERS[at])?;
        for (entry, fields) in changes {
            if entry == "findings" {
                overlay_findings(title, &mut chapter, fields)?;
                continue;
            }
            let bad = |what: &str| error(title, format!("equipment.{entry}: {what}"));
            if !OF_HOUSE.contains(&entry.as_str()) {
                let known = OF_HOUSE.join(", ");
                return Err(bad(&format!("a house may change {known} and findings")));
            }
            let fields = fields
                .as_table()
                .ok_or_else(|| bad("figures are expected"))?;
            if !fields.contains_key("cite") {
                return Err(bad("has no cite"));
            }
            let filed = chapter.get_mut(entry).and_then(toml::Value::as_table_mut);
            let filed = filed.ok_or_else(|| bad("the base has no such rule"))?;
            bounds::check(entry, filed, fields).map_err(|what| bad(&what))?;
            filed.extend(fields.clone());
        }
        let text = toml::to_string(&chapter).map_err(|fault| error(title, fault.to_string()))?;
        Chapter::read(&text)
    }

    pub(crate) fn everywhere(&self) -> &[WatchFinding] {
        &self.everywhere
    }

    /// Every game that an entry is about is one of these.
    pub(crate) fn check_games(&self, known: &[&str]) -> Result<(), BookError> {
        for chapter in &self.chapters {
            let mut games = chapter.games();
            if let Some(stray) = games.find(|game| !known.contains(game)) {
                return Err(error(&chapter.title, format!("there is no game {stray}")));
            }
        }
        Ok(())
    }
}

impl Chapter {
    fn read(text: &str) -> Result<Chapter, BookError> {
        let mut chapter: Chapter = read(text)?;
        chapter.hash = hex(&Sha256::digest(text));
        chapter.figures = figures(&read(text)?);
        chapter.check()?;
        Ok(chapter)
    }

    /// What holds for all games, by `notice.minutes`.
    pub(crate) fn figures(&self) -> &BTreeMap<String, Said> {
        &self.figures
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// SHA-256 of the chapter's data file, in hexadecimal.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn editions(&self) -> &[Edition] {
        &self.editions
    }

    pub fn holds(&self, edition: Edition) -> bool {
        self.editions.contains(&edition)
    }

    pub fn findings(&self) -> &[WatchFinding] {
        &self.findings
    }

    /// What it says of a code at a table of this game.
    pub fn finding(&self, game: Option<&str>, code: &str) -> Option<&WatchFinding> {
        find(&self.findings, game, code)
    }

    /// How the cards of a game, or of a variation of it, may be used.
    pub fn cards(&self, game: &str, variation: Option<&str>) -> Option<&CardRule> {
        let rules = || self.cards.iter().filter(|rule| rule.game == game);
        let special =
            rules().find(|rule| rule.variation.is_some() && rule.variation.as_deref() == variation);
        special.or_else(|| rules().find(|rule| rule.variation.is_none()))
    }

    pub fn dice(&self, game: &str) -> Option<&DiceRule> {
        self.dice.iter().find(|rule| rule.game == game)
    }

    pub fn wheel(&self, game: &str) -> Option<&WheelRule> {
        self.wheels.iter().find(|rule| rule.game == game)
    }

    /// How many positions the layout of a game has for wagers of a kind; `posted` says whether an option of
    /// the table has a value.
    pub fn positions(
        &self,
        game: &str,
        kind: &str,
        posted: impl Fn(&str, &str) -> bool,
    ) -> Option<u32> {
        let mut rules = self.positions.iter();
        let rule = rules.find(|rule| rule.game == game && rule.fits(kind, &posted));
        rule.map(|rule| rule.count)
    }

    /// The duty to inspect a device of this kind, if a game has one.
    pub fn device(&self, kind: &str, game: Option<&str>) -> Option<&DeviceRule> {
        let mut rules = self.devices.iter();
        rules.find(|rule| rule.kind == kind && rule.is_of(game))
    }

    fn games(&self) -> impl Iterator<Item = &str> {
        let named = self.findings.iter().flat_map(|entry| &entry.games);
        let named = named.chain(self.devices.iter().flat_map(|rule| &rule.games));
        let cards = self.cards.iter().map(|rule| &rule.game);
        let dice = self.dice.iter().map(|rule| &rule.game);
        let wheels = self.wheels.iter().map(|rule| &rule.game);
        let positions = self.positions.iter().map(|rule| &rule.game);
        let games = named
            .chain(cards)
            .chain(dice)
            .chain(wheels)
            .chain(positions);
        games.map(String::as_str)
    }

    fn check(&self) -> Result<(), BookError> {
        let bad = |what: String| error(&self.title, what);
        let cites = self.cites();
        if let Some((what, _)) = cites.into_iter().find(|(_, cite)| cite.trim().is_empty()) {
            return Err(bad(format!("{what} has no cite")));
        }
        for rule in &self.cards {
            rule.check().map_err(&bad)?;
        }
        let mut seen = BTreeSet::new();
        let rules = self.cards.iter().map(|rule| (&rule.game, &rule.variation));
        if let Some((game, _)) = rules.into_iter().find(|rule| !seen.insert(*rule)) {
            return Err(bad(format!("cards of {game} are there twice")));
        }
        for rule in &self.positions {
            if rule.count == 0 {
                return Err(bad(format!("{} has no positions", rule.game)));
            }
        }
        check_findings(&self.title, &self.findings)
    }

    /// Every entry that has a cite, and what to call it in an error.
    fn cites(&self) -> Vec<(String, &str)> {
        let cards = self.cards.iter().flat_map(|rule| {
            let what = format!("cards of {}", rule.game);
            let all = [Some(&rule.cite), rule.hand_cite.as_ref()];
            all.into_iter()
                .flatten()
                .map(move |cite| (what.clone(), &**cite))
        });
        let dice = self
            .dice
            .iter()
            .map(|rule| (format!("dice of {}", rule.game), &*rule.cite));
        let wheels = self
            .wheels
            .iter()
            .map(|rule| (format!("wheel of {}", rule.game), &*rule.cite));
        let devices = self
            .devices
            .iter()
            .map(|rule| (format!("device {}", rule.kind), &*rule.cite));
        let general = [
            ("card_life", self.card_life.as_ref().map(|rule| &rule.cite)),
            ("dice_life", self.dice_life.as_ref().map(|rule| &rule.cite)),
            ("tile_life", self.tile_life.as_ref().map(|rule| &rule.cite)),
            (
                "limit_ratio",
                self.limit_ratio.as_ref().map(|rule| &rule.cite),
            ),
            ("notice", self.notice.as_ref().map(|rule| &rule.cite)),
            (
                "tournament",
                self.tournament.as_ref().map(|rule| &rule.cite),
            ),
            ("chips", self.chips.as_ref().map(|rule| &rule.cite)),
        ];
        let general = general.into_iter();
        let general = general.filter_map(|(what, cite)| Some((what.to_owned(), &**cite?)));
        cards
            .chain(dice)
            .chain(wheels)
            .chain(devices)
            .chain(general)
            .collect()
    }

    /// Everything that it cites.
    pub fn cited(&self) -> Vec<&str> {
        let rules = self.cites().into_iter().map(|(_, cite)| cite);
        let findings = self
            .findings
            .iter()
            .filter_map(|entry| entry.cite.as_deref());
        rules.chain(findings).collect()
    }
}

impl WatchFinding {
    /// Its section, or why there is none, for people to read.
    pub fn source(&self) -> String {
        match (&self.cite, self.uncited) {
            (Some(cite), _) => cite.clone(),
            (None, Some(why)) => why.to_string(),
            (None, None) => String::new(),
        }
    }
}

/// What a list says of a code at a table of this game: an entry of the game's own before that of all.
pub(crate) fn find<'a>(
    findings: &'a [WatchFinding],
    game: Option<&str>,
    code: &str,
) -> Option<&'a WatchFinding> {
    let of_code = || findings.iter().filter(|entry| entry.code == code);
    let is_own =
        |entry: &&WatchFinding| entry.games.iter().any(|known| Some(known.as_str()) == game);
    of_code()
        .find(is_own)
        .or_else(|| of_code().find(|entry| entry.games.is_empty()))
}

fn check_findings(title: &str, findings: &[WatchFinding]) -> Result<(), BookError> {
    let mut seen = BTreeSet::new();
    for entry in findings {
        let code = &entry.code;
        let cite = entry.cite.as_ref().filter(|cite| !cite.trim().is_empty());
        if cite.is_some() == entry.uncited.is_some() {
            let what = format!("{code}: either `cite` or, where no section says so, `uncited`");
            return Err(error(title, what));
        }
        let games = entry.games.iter().map(|game| Some(game.as_str()));
        let everywhere = entry.games.is_empty().then_some(None);
        for game in games.chain(everywhere) {
            if !seen.insert((code, game)) {
                let game = game.unwrap_or("all games");
                return Err(error(title, format!("{code} is there twice for {game}")));
            }
        }
        let first = findings.iter().find(|other| other.code == *code);
        if first.is_some_and(|first| first.severity != entry.severity) {
            return Err(error(title, format!("{code} has two severities")));
        }
    }
    Ok(())
}

/// What holds for all games, figure by figure.
fn figures(chapter: &toml::Table) -> BTreeMap<String, Said> {
    let entries = OF_HOUSE.into_iter().filter_map(|name| {
        let entry = chapter.get(name)?.as_table()?;
        Some((name, entry))
    });
    let figures = entries.flat_map(|(name, entry)| {
        let cite = entry.get("cite").and_then(toml::Value::as_str);
        let figures = entry.iter().filter(|(key, _)| *key != "cite");
        figures.map(move |(key, value)| {
            let said = Said::new(value.to_string(), cite.unwrap_or_default());
            (format!("{name}.{key}"), said)
        })
    });
    figures.collect()
}

/// Severity, meaning and cite of codes that hold for all games, as a house has them.
fn overlay_findings(
    title: &str,
    chapter: &mut toml::Table,
    changes: &toml::Value,
) -> Result<(), BookError> {
    let filed = chapter.get_mut("findings");
    let mut filed = filed.and_then(toml::Value::as_array_mut);
    for change in changes.as_array().into_iter().flatten() {
        let code = change.get("code").and_then(toml::Value::as_str);
        let code = code.unwrap_or_default();
        let bad = |what: &str| error(title, format!("equipment.findings.{code}: {what}"));
        let fields = change
            .as_table()
            .filter(|fields| fields.contains_key("cite"));
        let fields = fields.ok_or_else(|| bad("has no cite"))?;
        let known = ["code", "severity", "meaning", "cite"];
        if let Some(stray) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            return Err(bad(&format!(
                "{stray}: a house may change severity, meaning and cite"
            )));
        }
        let entries = filed.iter_mut().flat_map(|list| list.iter_mut());
        let entries = entries.filter_map(toml::Value::as_table_mut);
        let is_it = |entry: &&mut toml::Table| {
            entry.get("code").and_then(toml::Value::as_str) == Some(code)
        };
        let mut is_there = false;
        for entry in entries.filter(is_it) {
            check_severity(entry, fields).map_err(|what| bad(&what))?;
            entry.extend(fields.clone());
            entry.remove("uncited");
            is_there = true;
        }
        if !is_there {
            return Err(bad("the base has no such code, and nothing would raise it"));
        }
    }
    Ok(())
}

/// A house may take a fault more gravely than its jurisdiction, and not more lightly.
fn check_severity(filed: &toml::Table, changes: &toml::Table) -> Result<(), String> {
    let severity = |of: &toml::Table| {
        let said = of.get("severity")?.clone();
        said.try_into::<Severity>().ok()
    };
    match severity(filed).zip(severity(changes)) {
        Some((base, posted)) if posted < base => Err(format!(
            "severity: {} is the least that the base allows",
            filed["severity"]
        )),
        _ => Ok(()),
    }
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, BookError> {
    toml::from_str(text).map_err(|fault| error("a data file", fault.to_string()))
}

fn error(title: &str, what: String) -> BookError {
    BookError::of(format!("equipment, {title}"), what)
}

#[cfg(test)]
mod tests;
