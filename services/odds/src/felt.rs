//! A table at which rounds are composed and settled.

use std::cell::RefCell;
use std::collections::BTreeSet;

use catwalk_rules::book::{Pay, WagerEntry};
use catwalk_rules::floor::Odds;
use catwalk_rules::{AnyGame, Edition, Refusal, Rulebook, Verdict};
use num_rational::BigRational;
use serde_json::{Value, json};

use crate::OddsError;
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

/// A table of one game, with its options.
pub(crate) struct Felt<'a> {
    rulebook: &'a Rulebook,
    game: &'a dyn AnyGame,
    edition: &'a str,
    base: Edition,
    options: &'a Value,
    violations: RefCell<BTreeSet<&'static str>>,
}

/// What came of one wager.
#[derive(Clone, Debug)]
pub(crate) struct Came {
    pub(crate) result: &'static str,
    /// In cents, less the stake and the vigorish.
    pub(crate) gain: i64,
    pub(crate) stake: i64,
}

/// A wager with those that it needs beside it, and what it is on.
#[derive(Debug)]
pub(crate) struct Bet {
    pub(crate) kind: String,
    pub(crate) on: String,
    /// The wager itself first.
    pub(crate) wagers: Vec<Value>,
}

const NOT_TAKEN: &str = "a table with these options does not take it";

/// So many bets are settled in one document.
const TOGETHER: usize = 16;

impl Bet {
    pub(crate) fn new(kind: &str, on: impl Into<String>, wager: Value) -> Bet {
        Bet {
            kind: kind.to_owned(),
            on: on.into(),
            wagers: vec![wager],
        }
    }

    /// With another wager beside it, which it cannot lie without.
    pub(crate) fn beside(mut self, wager: Value) -> Bet {
        self.wagers.push(wager);
        self
    }

    fn stake(&self) -> i64 {
        self.wagers[0]["amount"].as_i64().unwrap_or_default()
    }

    fn on(&self, line: Line) -> Line {
        if self.on.is_empty() {
            line
        } else {
            line.on(&*self.on)
        }
    }

    /// The wagers with ids that no other bet has.
    fn numbered(&self, index: usize) -> impl Iterator<Item = Value> + '_ {
        self.wagers.iter().map(move |wager| {
            let mut wager = wager.clone();
            for key in ["id", "on"] {
                if let Some(id) = wager.get(key).and_then(Value::as_str) {
                    wager[key] = json!(format!("{index}/{id}"));
                }
            }
            wager
        })
    }
}

impl Came {
    pub(crate) fn is_open(&self) -> bool {
        self.result == "open"
    }
}

impl<'a> Felt<'a> {
    pub(crate) fn open(
        rulebook: &'a Rulebook,
        game: &str,
        edition: &'a str,
        options: &'a Value,
    ) -> Result<Felt<'a>, OddsError> {
        let base = rulebook.edition(edition).ok_or_else(|| {
            Refusal::unknown("edition", edition, "an edition", &rulebook.edition_names())
        })?;
        let game = rulebook.game_in(game, edition)?;
        game.check_options(edition, &options.to_string())?;
        Ok(Felt {
            rulebook,
            game,
            edition,
            base,
            options,
            violations: RefCell::default(),
        })
    }

    pub(crate) fn game(&self) -> &str {
        self.game.name()
    }

    pub(crate) fn hash(&self) -> &str {
        self.game.book().hash()
    }

    /// The name of the edition, which may be of a house.
    pub(crate) fn edition(&self) -> &str {
        self.edition
    }

    /// Is everything that is posted as it is filed?
    pub(crate) fn is_as_filed(&self) -> bool {
        let entries = || self.game.book().options().iter();
        let filed = |(key, posted): (&String, &Value)| {
            let mut entries = entries();
            let entry = entries.find(|it| it.key == *key && it.editions.holds(self.base));
            entry.and_then(|entry| entry.default.as_ref()) == Some(posted)
        };
        self.options
            .as_object()
            .is_none_or(|posted| posted.iter().all(filed))
    }

    /// The wagers of the edition.
    pub(crate) fn wagers(&self) -> impl Iterator<Item = &WagerEntry> {
        let wagers = self.game.book().wagers().iter();
        wagers.filter(|wager| wager.editions.holds(self.base))
    }

    /// The option as posted, or its default; null where the edition has none.
    pub(crate) fn option(&self, key: &str) -> Value {
        if let Some(posted) = self.options.get(key) {
            return posted.clone();
        }
        let mut entries = self.game.book().options().iter();
        let entry = entries.find(|entry| entry.key == key && entry.editions.holds(self.base));
        entry
            .and_then(|entry| entry.default.clone())
            .unwrap_or(Value::Null)
    }

    /// The figure of the data file; null where the edition has none.
    pub(crate) fn figure(&self, key: &str) -> &Value {
        let mut figures = self.game.book().figures().iter();
        let figure = figures.find(|figure| figure.key == key && figure.editions.holds(self.base));
        figure.map_or(&Value::Null, |figure| &figure.value)
    }

    /// Settles a round: what came of each wager, in their order.
    pub(crate) fn settle(&self, wagers: &[Value], play: &Value) -> Result<Vec<Came>, OddsError> {
        let document = json!({
            "game": self.game.name(), "edition": self.edition, "options": self.options,
            "wagers": wagers, "play": play,
        });
        let settlement =
            self.rulebook
                .settle_value(&document)
                .map_err(|refusal| OddsError::Refused {
                    game: self.game.name().to_owned(),
                    refusal,
                })?;
        let raised = settlement.violations().iter();
        self.violations.borrow_mut().extend(raised);
        let settled = settlement.wagers().iter().zip(wagers);
        Ok(settled
            .map(|(settled, wager)| {
                let stake = wager["amount"].as_i64().unwrap_or_default();
                let (win, returned) = (settled.win.get(), settled.returned.get());
                let commission = settled.commission.get();
                // The vigorish is taken out of what goes back, or was laid beside the stake.
                let full = match settled.result {
                    Verdict::Win => stake + win,
                    Verdict::Push => stake,
                    _ => returned,
                };
                let beside = if full - returned == commission {
                    0
                } else {
                    commission
                };
                Came {
                    result: word(settled.result),
                    gain: returned - stake - beside,
                    stake,
                }
            })
            .collect())
    }

    /// The same of a round that the rules do not object to; none of one that they do.
    pub(crate) fn lawful(
        &self,
        wagers: &[Value],
        play: &Value,
    ) -> Result<Option<Vec<Came>>, OddsError> {
        let (came, objections) = self.judged(wagers, play)?;
        let void = came.iter().any(|came| came.result == "void");
        Ok((objections.is_empty() && !void).then_some(came))
    }

    /// What came of a round, and what the rules object to in it beyond the options of the table. Those are told of
    /// the whole sheet, and stop nothing.
    fn judged(
        &self,
        wagers: &[Value],
        play: &Value,
    ) -> Result<(Vec<Came>, Vec<&'static str>), OddsError> {
        let before = self.violations.borrow().clone();
        let came = self.settle(wagers, play)?;
        let raised = self.violations.replace(before.clone());
        let of_options = |code: &str| code.starts_with("config.") || code.starts_with("deck.");
        let (options, objections): (BTreeSet<&str>, BTreeSet<&str>) = raised
            .into_iter()
            .filter(|code| !before.contains(code))
            .partition(|code| of_options(code));
        self.violations.borrow_mut().extend(options);
        Ok((came, objections.into_iter().collect()))
    }

    /// Why a table with these options does not take the first wager, if it does not.
    fn declines(&self, wagers: &[Value], play: &Value) -> Result<Option<String>, OddsError> {
        match self.judged(wagers, play) {
            Ok((_, codes)) if !codes.is_empty() => {
                Ok(Some(format!("{NOT_TAKEN} ({})", codes.join(", "))))
            }
            Ok((came, _)) => {
                let void = came.first().is_some_and(|came| came.result == "void");
                Ok(void.then(|| NOT_TAKEN.to_owned()))
            }
            Err(OddsError::Refused { refusal, .. }) => Ok(Some(refusal.to_string())),
            Err(other) => Err(other),
        }
    }

    /// Hands that should settle alike do not.
    pub(crate) fn ambiguous(&self, play: &Value) -> OddsError {
        OddsError::Ambiguous {
            game: self.game.name().to_owned(),
            play: play.to_string(),
        }
    }

    /// What came of the first wager.
    pub(crate) fn first(&self, wagers: &[Value], play: &Value) -> Result<Came, OddsError> {
        let came = self.settle(wagers, play)?;
        came.into_iter().next().ok_or_else(|| OddsError::Lost {
            game: self.game.name().to_owned(),
            wager: String::new(),
        })
    }

    /// The line of a wager whose results these are.
    pub(crate) fn line(&self, kind: &str, basis: Basis, spread: &Spread, stake: i64) -> Line {
        if spread.is_empty() || spread.is_void() {
            self.violations
                .borrow_mut()
                .retain(|code| !code.starts_with("wager."));
            return self.not_offered(kind);
        }
        Line::new(kind, basis, spread.figures(stake))
    }

    pub(crate) fn not_offered(&self, kind: &str) -> Line {
        Line::without_figures(kind, NOT_TAKEN)
    }

    /// Lines of wagers that leave the player nothing to decide, over rounds with their weights. Each is what it is
    /// alone; they are settled together because that is quicker.
    pub(crate) fn lines(
        &self,
        bets: &[Bet],
        plays: &[(Value, u128)],
    ) -> Result<Vec<Line>, OddsError> {
        let Some((first, _)) = plays.first() else {
            return Ok(Vec::new());
        };
        let mut lines = Vec::new();
        let mut taken = Vec::new();
        for (at, bet) in bets.iter().enumerate() {
            match self.declines(&bet.wagers, first)? {
                Some(why) => {
                    let line = Line::without_figures(&bet.kind, why);
                    lines.push((at, bet.on(line)));
                }
                None => taken.push((at, bet)),
            }
        }
        for together in taken.chunks(TOGETHER) {
            let wagers: Vec<Value> = together
                .iter()
                .enumerate()
                .flat_map(|(index, (_, bet))| bet.numbered(index))
                .collect();
            let mut spreads = vec![Spread::default(); together.len()];
            for (play, ways) in plays {
                let weight = whole(*ways);
                let mut came = self.settle(&wagers, play)?.into_iter();
                for (spread, (_, bet)) in spreads.iter_mut().zip(together) {
                    if let Some(came) = came.next() {
                        spread.add(&came, &weight);
                    }
                    came.by_ref().take(bet.wagers.len() - 1).for_each(drop);
                }
            }
            for (spread, (at, bet)) in spreads.iter().zip(together) {
                let line = self.line(&bet.kind, Basis::Exact, spread, bet.stake());
                lines.push((*at, bet.on(line)));
            }
        }
        lines.sort_by_key(|(at, _)| *at);
        Ok(lines.into_iter().map(|(_, line)| line).collect())
    }

    /// All codes that were raised so far.
    pub(crate) fn violations(&self) -> Vec<&'static str> {
        self.violations.borrow().iter().copied().collect()
    }

    /// Names the paying rows of the data file, where what is paid tells them.
    pub(crate) fn name_rows(&self, lines: &mut [Line]) {
        for line in lines {
            let filed = self.filed(&line.wager);
            let Some(figures) = &mut line.figures else {
                continue;
            };
            for row in figures.rows.iter_mut().filter(|row| row.rows.is_empty()) {
                let pays = |odds: &Odds| {
                    BigRational::new(odds.win().into(), odds.stake().into()) == row.gains.0
                };
                let named = filed.iter().filter(|(_, odds)| pays(odds));
                row.rows = named.map(|(key, _)| key.clone()).collect();
            }
        }
    }

    /// The rows that pay a wager: those of its one table, or those that its entry names.
    fn filed(&self, kind: &str) -> Vec<(String, Odds)> {
        let mut wagers = self.wagers();
        let Some(wager) = wagers.find(|wager| wager.kind == kind) else {
            return Vec::new();
        };
        let whole = wager.pays.iter().filter(|pays| !pays.contains('.'));
        if whole.count() > 1 {
            return Vec::new();
        }
        let mut filed = Vec::new();
        let tables = self.game.book().tables().iter();
        for table in tables.filter(|table| table.editions.holds(self.base)) {
            for row in &table.rows {
                let name = format!("{}.{}", table.id, row.key);
                let is_named = wager
                    .pays
                    .iter()
                    .any(|pays| *pays == table.id || *pays == name);
                if let (true, Pay::Odds(odds)) = (is_named, row.pays) {
                    filed.push((row.key.clone(), odds));
                }
            }
        }
        filed
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Lose => "lose",
        Verdict::Push => "push",
        Verdict::Void => "void",
        Verdict::Open => "open",
    }
}

/// A wager `w1` of seat 1 with further keys.
pub(crate) fn wager(kind: &str, amount: i64, keys: Value) -> Value {
    let mut wager = json!({"id": "w1", "seat": 1, "kind": kind, "amount": amount});
    if let (Some(wager), Value::Object(keys)) = (wager.as_object_mut(), keys) {
        wager.extend(keys);
    }
    wager
}
