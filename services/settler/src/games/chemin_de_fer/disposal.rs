//! A card that was shown in error and that nobody can use goes to the discards, and others with it.
//!
//! It is told by an irregularity: `disclosed_card`, or `face_up_card` for one found so in the shoe, with
//! the card in `detail`. What goes with it is burned in the same round, or before the next card is dealt.

use catwalk_events::body::{Body, Irregularity};
use catwalk_rules::floor::Card;
use serde::{Deserialize, Serialize};

use crate::fault::Fault;
use crate::games::baccarat::{plain, value};
use crate::games::felt::word_of;
use crate::round::RoundFold;
use crate::table::RulesInForce;

/// No procedure burns as many as this.
const MAX_BURNED: usize = 16;

/// A card and what was burned since it was shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Disposal {
    card: String,
    /// Found face up in the shoe.
    in_shoe: bool,
    seq: u64,
    burned: Vec<(u64, Option<String>)>,
}

/// What waits for its disposal after the play of a round, if something did before it.
pub(super) fn waiting(before: Option<Disposal>, round: &RoundFold) -> Option<Disposal> {
    let play = round.play.iter();
    play.fold(before, |waiting, (seq, body)| match body {
        Body::Irregularity(told) => Disposal::of(told, *seq).or(waiting),
        Body::CardDealt(_) => None,
        body => waiting.map(|disposal| disposal.with(*seq, body)),
    })
}

impl Disposal {
    fn of(told: &Irregularity, seq: u64) -> Option<Disposal> {
        let in_shoe = match plain(&told.kind).as_str() {
            "disclosed_card" | "card_disclosed" => false,
            "face_up_card" | "face_up_card_in_shoe" => true,
            _ => return None,
        };
        Some(Disposal {
            card: word_of(told.detail.as_ref(), "card")?,
            in_shoe,
            seq,
            burned: Vec::new(),
        })
    }

    pub(super) fn with(mut self, seq: u64, body: &Body) -> Disposal {
        if let Body::CardBurned(burned) = body
            && self.burned.len() < MAX_BURNED
        {
            self.burned.push((seq, burned.card.clone()));
        }
        self
    }

    pub(super) fn is_begun(&self) -> bool {
        !self.burned.is_empty()
    }

    /// 11(h) and (j), when nothing more can go with it. A disposal that nobody told of is not judged, and
    /// the card itself may be told as burned or not.
    pub(super) fn check(&self, rules: &RulesInForce, seq: u64, faults: &mut Vec<Fault>) {
        let Some((due, face_down)) = self.due(rules) else {
            return;
        };
        let is_itself = |(_, card): &(u64, Option<String>)| card.as_ref() == Some(&self.card);
        let further = match self.burned.split_first() {
            None => return,
            Some((first, rest)) if is_itself(first) => rest,
            Some(_) => &self.burned[..],
        };
        let shown = further.iter().any(|(_, card)| card.is_some());
        if further.len() != due || face_down && shown {
            let message = format!(
                "{} cards went to the discards with {}; {due} are due",
                further.len(),
                self.card
            );
            let burned = self.burned.iter().map(|(seq, _)| *seq);
            let evidence = burned.chain([self.seq, seq]).collect();
            faults.push(Fault::new("chemin.disposal_wrong", evidence, message));
        }
    }

    /// So many further cards go with it, and whether these are not shown.
    fn due(&self, rules: &RulesInForce) -> Option<(usize, bool)> {
        let worth = usize::from(value(self.card.parse::<Card>().ok()?));
        let procedure = rules.option("disclosed_card_procedure");
        let procedure = procedure.as_ref().and_then(|procedure| procedure.as_str());
        Some(match procedure.filter(|_| !self.in_shoe) {
            Some("one_face_down") => (1, true),
            // It opens a round without wagers instead.
            Some("simulated_round") => (0, false),
            _ if worth == 0 && !self.in_shoe => {
                let tens = rules.option("ten_value_burn");
                let tens = tens.and_then(|tens| usize::try_from(tens.as_u64()?).ok());
                (tens.unwrap_or(10), false)
            }
            _ => (worth, false),
        })
    }
}
