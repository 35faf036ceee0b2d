//! Hands of which nobody told who checked and who folded: what chips and turned cards show of it.

use serde_json::json;

use super::draws::Drawing;
use super::told::{Family, Told};

impl Told<'_> {
    /// Did nobody say what he does?
    pub(super) fn is_mute(&self) -> bool {
        !self.tells_acts && self.incidents.is_empty()
    }

    /// Must somebody have checked or folded, though nobody told of a decision? Who turned his hand over had not
    /// folded, and where nobody bets any more it is all one whether they checked or were all-in.
    pub(super) fn is_silent(
        &self,
        is_all_in: impl Fn(u32) -> bool,
        has_more: impl Fn(u32) -> bool,
    ) -> bool {
        if !self.is_mute() {
            return false;
        }
        // Which cards a reshuffle brought back, nobody knows who was not told what was thrown away.
        let is_unsaid = |draw: &Drawing<'_>| draw.discard.is_none() && draw.count.is_none();
        let mut draws = self.draws.iter().flatten();
        if draws.clone().any(is_unsaid) && draws.any(|draw| draw.reshuffle) {
            return true;
        }
        let is_out_of_chips = |seat: u32| {
            let stays = self.turned.contains(&seat) && self.all_in.contains(&seat);
            is_all_in(seat) || stays && !has_more(seat)
        };
        let live: Vec<u32> = (self.dealt.iter().copied())
            .filter(|&seat| !is_out_of_chips(seat))
            .collect();
        let left_of_button = |seat: &u32| (Some(*seat) <= self.button, *seat);
        let last = self.rounds.iter().rposition(|acts| !acts.is_empty());
        let checks = self.rounds.iter().enumerate().any(|(street, actions)| {
            let seats = actions.iter().filter_map(|action| action["seat"].as_u64());
            let acted: Vec<u32> = seats.filter_map(|seat| u32::try_from(seat).ok()).collect();
            let opener = acted.iter().copied().min_by_key(left_of_button);
            let is_early = street > 0 && !self.form.is_stud() && acted.first().copied() != opener;
            let waits = live.iter().filter(|seat| !acted.contains(seat));
            let waits = match last.is_some_and(|last| street > last) {
                true => waits
                    .filter(|&&seat| has_more(seat) || !self.turned.contains(&seat))
                    .count(),
                false => waits.count(),
            };
            is_early || waits > usize::from(acted.is_empty())
        });
        checks || live.iter().any(|seat| self.owing.contains(seat))
    }

    /// Writes the folds that must have been: who put in less than another, turned nothing over, and is not known
    /// to be all-in nor called for less, was out from then on. Whose turn it was stays untold. False where the
    /// chips do not show who was left, or the cards do not show who won.
    pub(super) fn infer_folds(&mut self, is_all_in: impl Fn(u32) -> bool) -> bool {
        if self.form.family == Family::Draw {
            return false;
        }
        let mut left = self.dealt.clone();
        for street in 0..self.bets.len().min(self.rounds.len()) {
            let level = self.bets[street].values().copied().max().unwrap_or(0);
            let has_bet = |at: usize, seat: u32| self.bets[at].get(&seat).copied().unwrap_or(0);
            let last_act = |seat: u32| {
                let mut acts = self.rounds[street].iter();
                acts.rposition(|act| act["seat"] == seat)
            };
            let at_level = self.bets[street].iter().filter(|(_, bet)| **bet == level);
            let raised = at_level.map(|(&seat, _)| last_act(seat)).min().flatten();
            let stays = |seat: u32| {
                self.turned.contains(&seat) || is_all_in(seat) || last_act(seat) > raised
            };
            let folds = |&seat: &u32| has_bet(street, seat) < level && !stays(seat);
            let (out, in_hand): (Vec<u32>, Vec<u32>) = left.into_iter().partition(folds);
            let later = street + 1..self.bets.len();
            if out
                .iter()
                .any(|&seat| later.clone().any(|at| has_bet(at, seat) > 0))
            {
                return false;
            }
            let folds = out.iter().map(|seat| json!({"seat": seat, "act": "fold"}));
            self.rounds[street].extend(folds);
            self.folded.extend(&out);
            left = in_hand;
            // Nobody deals on to one player.
            if left.len() < 2 && later.start < self.rounds.len() {
                return false;
            }
        }
        // Who folded had chips left, as far as nobody knows better.
        self.all_in.retain(|seat| !self.folded.contains(seat));
        self.idle.retain(|seat| !self.folded.contains(seat));
        let shows = |seat: &u32| self.turned.contains(seat);
        if left.len() > 1 {
            let acts = left
                .iter()
                .map(|seat| (*seat, if shows(seat) { "show" } else { "muck" }));
            self.showdown = acts.collect();
        }
        left.len() == 1 || left.iter().any(shows)
    }
}

/// Does this violation need to know whose turn it was, or when somebody folded?
pub(super) fn is_of_turn(code: &str) -> bool {
    let named = [
        "round.incomplete",
        "showdown.order",
        "deal.common_card",
        "wager.obligation_unpaid",
    ];
    code.starts_with("action.") || named.contains(&code)
}
