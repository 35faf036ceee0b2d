//! Rules and limits that change while nobody was told.

use catwalk_events::body::{LimitsChanged, RulesChanged};
use catwalk_events::{Json, PostedLimit};
use catwalk_rules::Rulebook;
use catwalk_rules::floor::Cents;
use rand::seq::IndexedRandom;

use crate::fault::{FaultKind, Label};
use crate::table::Table;

impl Table {
    /// The sign is changed, and back before anybody plays.
    pub(in crate::table) fn surprise(
        &mut self,
        kind: FaultKind,
        rulebook: &Rulebook,
        round: &str,
    ) -> Option<Label> {
        let code = match kind {
            FaultKind::UnannouncedRules => {
                let posted = self.options.as_object()?.clone();
                let keys: Vec<&String> = posted.keys().collect();
                let left_out = (*keys.choose(&mut self.rng)?).clone();
                let mut other = posted.clone();
                other.remove(&left_out);
                for options in [other, posted] {
                    let changed = RulesChanged {
                        edition: self.edition.to_owned(),
                        options: Json::new(&options.into()),
                        notice: None,
                    };
                    self.send(None, changed.into());
                }
                "rules.notice"
            }
            _ => {
                let posted = self.signs.limits.clone();
                let other = match posted.as_slice() {
                    [] => vec![self.some_limit(rulebook)?],
                    posted => posted.iter().map(doubled).collect(),
                };
                for limits in [other, posted] {
                    let notice = None;
                    self.send(None, LimitsChanged { limits, notice }.into());
                }
                "limits.notice"
            }
        };
        let mut label = self.label(kind, round, None, Cents::ZERO, vec![code]);
        label.seqs = vec![self.seq - 1, self.seq];
        Some(label)
    }

    /// A limit on a wager of the game that nobody has to mind.
    fn some_limit(&self, rulebook: &Rulebook) -> Option<PostedLimit> {
        let game = rulebook.game(self.game_name).ok()?;
        let wager = game.book().wagers().first()?;
        Some(PostedLimit {
            kind: wager.kind.clone(),
            min: Cents::new(100),
            max: Cents::new(100_000_000),
            increment: None,
        })
    }
}

fn doubled(limit: &PostedLimit) -> PostedLimit {
    PostedLimit {
        max: limit.max.times(2),
        ..limit.clone()
    }
}
