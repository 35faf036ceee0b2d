//! What a table of the family posts with its options and its signs together.

use catwalk_rules::Edition;
use catwalk_rules::book::{Allowed, OptionEntry};
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::laid::PayoutLimit;
use super::{Form, Stud};
use crate::games::rules_options;
use crate::judge::due;
use crate::watch::Posting;

impl Stud {
    /// A limit that is lower than what can be won with the least that may be bet. What is too low whatever
    /// the signs say is broken by the options alone.
    pub(super) fn limit_floor(&self, posting: &Posting<'_>) -> Option<(&'static str, String)> {
        const CODE: &str = "config.payout_limit_too_low";
        let limit = self.laid.limit.as_ref()?;
        let posted = posting.rules.option(limit.option)?.as_i64()?;
        let posted = Cents::new(posted);
        let main = posting.least(self.laid.main)?;
        let most = self.most_at_the_minimum(posting, limit, main);
        let message = match most.filter(|won| *won > posted) {
            Some(won) => format!("{won} can be won at the minimum, and {posted} is the limit"),
            None => {
                let least = limit.by_signs(posting.rules, self.laid.main);
                if posted >= least || self.form == Form::Listed {
                    return None;
                }
                format!("{least} can be won at the minimum, and {posted} is the limit")
            }
        };
        Some((CODE, message))
    }

    /// What the best hand wins with the least stake of each kind.
    fn most_at_the_minimum(
        &self,
        posting: &Posting<'_>,
        limit: &PayoutLimit,
        main: Cents,
    ) -> Option<Cents> {
        let [hand, dealer] = self.best?;
        let kinds = limit.kinds.iter().chain(&limit.counted);
        let wagers: Vec<Value> = kinds
            .filter_map(|&kind| {
                let goes_with_main = self.laid.later.contains(&kind) || kind == "super_bonus";
                let least = posting.least(kind);
                let amount = least.or_else(|| goes_with_main.then_some(main))?;
                let mut wager = json!({"id": kind, "seat": 1, "kind": kind, "amount": amount});
                if self.laid.later.contains(&kind) {
                    wager["on"] = json!(self.laid.main);
                }
                Some(wager)
            })
            .collect();
        let mut options = rules_options(posting.rules);
        options.as_object_mut()?.remove(limit.option);
        let hand = json!({"seat": 1, "cards": hand, "decision": "play"});
        let round = json!({"game": self.game, "edition": posting.rules.posted_edition(), "options": options,
            "wagers": wagers, "play": {"dealer": dealer, "hands": [hand]}});
        let settled = posting.rulebook.settle_value(&round).ok()?;
        let wins = wagers
            .iter()
            .filter_map(|wager| due(&settled, wager["id"].as_str()?));
        Some(wins.map(|due| due.win).sum())
    }

    /// A pay table of the three card bonus that the edition does not have.
    pub(super) fn unknown_paytable(&self, posting: &Posting<'_>) -> Option<(&'static str, String)> {
        const KEY: &str = "three_card_bonus_paytable";
        let rules = posting.rules;
        let posted = rules.option(KEY).filter(|posted| !posted.is_null())?;
        let edition = Edition::from_name(&rules.edition)?;
        if self.game != "let_it_ride" {
            return None;
        }
        let game = rules.game_in(posting.rulebook).ok()?;
        let options = game.book().options().iter();
        let mut known =
            options.filter(|option| option.key == KEY && option.editions.holds(edition));
        let has = |option: &OptionEntry| match &option.value {
            Allowed::OneOf(tables) => tables.contains(&posted),
            _ => true,
        };
        let message = format!("The edition has no pay table {posted} of the three card bonus");
        (!known.any(has)).then_some(("config.paytable_unknown", message))
    }
}
