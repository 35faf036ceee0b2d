//! The draws of a hand: what the seats threw away and got for it, as far as it was told.

use catwalk_rules::Settlement;
use serde_json::{Map, Value, json};

use super::told::{Family, Held, Told, is_partly_seen, told};
use crate::fault::Fault;

#[derive(Debug)]
pub(super) struct Drawing<'a> {
    pub(super) seat: u32,
    /// Cards put down, where they were named.
    pub(super) discard: Option<Vec<String>>,
    pub(super) count: Option<usize>,
    pub(super) reshuffle: bool,
    pub(super) drawn: Vec<Held<'a>>,
}

impl Told<'_> {
    /// The draws of hands that are followed card by card. Without those of the others nobody knows how long the
    /// stub lasts: discards that were told to be reshuffled were needed.
    pub(super) fn draws_told(&self) -> Value {
        let mut stub = 52usize.saturating_sub(self.form.first * self.dealt.len());
        let mut left_out = false;
        let mut reshuffled = false;
        let draws = self.draws.iter().map(|draw| -> Value {
            stub = stub.saturating_sub(1);
            let mut entries = Vec::new();
            for entry in draw {
                if self.is_known_by_its_end(entry.seat) {
                    left_out = true;
                    reshuffled |= entry.reshuffle;
                    continue;
                }
                let mut told = entry.document(self.tells_deal);
                let drawn = entry.drawn.len();
                let runs_out = drawn > stub;
                if left_out && !runs_out {
                    reshuffled |= told.remove("reshuffle").is_some();
                } else if std::mem::take(&mut reshuffled) && runs_out {
                    told.insert("reshuffle".into(), json!(true));
                }
                stub = stub.saturating_sub(drawn);
                entries.push(Value::Object(told));
            }
            Value::Array(entries)
        });
        draws.collect()
    }

    /// A hand of a draw form of which only the cards shown in the end are known: it is written as if
    /// it had stood pat on them.
    pub(super) fn is_known_by_its_end(&self, seat: u32) -> bool {
        let own = self.own(seat);
        let unseen = own.iter().any(|held| held.card.is_none());
        let entries = self
            .draws
            .iter()
            .flatten()
            .filter(|entry| entry.seat == seat);
        let untold = entries.clone().any(|entry| entry.discard.is_none());
        let shown = own.iter().filter(|held| held.shown).count();
        // A fouled hand has another number of cards, and shows them all.
        let thrown: usize = entries.map(Drawing::thrown).sum();
        let is_all = shown == self.form.first || shown > 0 && shown + thrown == own.len();
        self.form.family == Family::Draw && (unseen || untold) && is_all
    }

    /// What is wrong with draws that a document cannot tell: those of hands known by their end, and cards that
    /// nobody saw. 12(f), 21(g), 22(g)
    pub(super) fn flag_draws(
        &self,
        settlement: Option<&Settlement>,
        seq: u64,
        faults: &mut Vec<Fault>,
    ) {
        let turn = |seat: u32| (Some(seat) <= self.button, seat);
        let is_early = |draw: &Vec<Drawing<'_>>| {
            let turns: Vec<(bool, u32)> = draw.iter().map(|entry| turn(entry.seat)).collect();
            !turns.is_sorted()
        };
        let is_short = |entry: &Drawing<'_>| {
            let said = entry.discard.as_ref().map(Vec::len).or(entry.count);
            self.tells_deal && said.is_some_and(|said| said != entry.drawn.len())
        };
        let found = [
            (
                "draw.out_of_turn",
                "Cards were drawn out of order",
                self.draws.iter().any(is_early),
            ),
            (
                "draw.count_mismatch",
                "Another number of cards was drawn than thrown away",
                self.draws.iter().flatten().any(is_short),
            ),
        ];
        let raised = |code: &str| {
            settlement.is_some_and(|settlement| settlement.violations().contains(code))
        };
        for (code, message, _) in found
            .into_iter()
            .filter(|&(code, _, is)| is && !raised(code))
        {
            faults.push(Fault::new(code, vec![seq], message.to_owned()));
        }
    }
}

impl Drawing<'_> {
    /// Cards put down: as they were named or counted, else as many as came for them.
    fn thrown(&self) -> usize {
        let named = self.discard.as_ref().map(Vec::len);
        named.or(self.count).unwrap_or(self.drawn.len())
    }

    /// Where no card is told to be dealt, none that was drawn is either.
    fn document(&self, tells_deal: bool) -> Map<String, Value> {
        let mut entry = Map::new();
        entry.insert("seat".into(), json!(self.seat));
        let is_named = self.drawn.is_empty() || is_partly_seen(&self.drawn);
        let drawn = (tells_deal && is_named).then(|| told(&self.drawn));
        if let Some(discard) = &self.discard {
            entry.insert("discard".into(), json!(discard));
        }
        if let Some(drawn) = &drawn {
            entry.insert("draw".into(), json!(drawn));
        }
        if drawn.is_none() || self.discard.is_none() {
            let named = self.discard.as_ref().map(Vec::len);
            let count = self.count.or(named.filter(|_| !tells_deal));
            entry.insert("count".into(), json!(count.unwrap_or(self.drawn.len())));
        }
        if self.reshuffle {
            entry.insert("reshuffle".into(), json!(true));
        }
        entry
    }
}
