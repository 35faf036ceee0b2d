//! Irregularities: what they void, which hands they strike and which cards they kill. 15

use super::forms::Form;
use super::play::{Election, Incident, IncidentKind, TableCard, seen};
use super::room::{Room, What};
use crate::floor::{Card, CardSet};
use crate::settlement::Violations;

/// What the incidents of a round come to.
#[derive(Default)]
pub(super) struct Ruling {
    pub(super) void: Option<Void>,
    /// Places that never got into the round, with the reason that their chips go back for.
    pub(super) kept_out: Vec<(usize, &'static str)>,
    /// Places that bet no more once their last hole card lay open.
    pub(super) stopped: Vec<usize>,
    /// Hands that left the round while it was played.
    pub(super) strikes: Vec<Strike>,
    dead_cards: CardSet,
}

/// Why nothing of the round counts. A dead round goes before a misdeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Void {
    Misdeal,
    Dead,
}

impl Void {
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Void::Misdeal => "misdeal",
            Void::Dead => "dead_round",
        }
    }
}

/// A hand leaves the round just before the next action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strike {
    pub(super) place: usize,
    pub(super) round: usize,
    pub(super) after: usize,
    /// All chips go back to a player whose protected hand was lost without his fault.
    pub(super) refunded: bool,
    pub(super) code: Option<&'static str>,
}

impl Ruling {
    pub(super) fn void(&mut self, void: Void) {
        self.void = self.void.max(Some(void));
    }

    /// An eligible player who got no cards. 15(e)4
    pub(super) fn is_skipped(&self, place: usize) -> bool {
        self.kept_out.contains(&(place, "not_dealt"))
    }

    fn kill(&mut self, cards: &[TableCard]) {
        self.dead_cards = self.dead_cards.union(seen(cards).collect());
    }
}

pub(super) fn judge(room: &Room<'_>, violations: &mut Violations) -> Ruling {
    let mut ruling = Ruling::default();
    for incident in &room.play.incidents {
        judge_one(room, incident, &mut ruling, violations);
    }
    let dead = ruling.dead_cards;
    let used = cards_in_use(room).any(|card| dead.contains(card));
    violations.add_if(used, "deal.dead_card_used");
    ruling
}

fn judge_one(
    room: &Room<'_>,
    incident: &Incident,
    ruling: &mut Ruling,
    violations: &mut Violations,
) {
    let form = room.form;
    let place = incident.seat.and_then(|seat| room.place(seat));
    match incident.kind {
        // 15(g)
        IncidentKind::DeckCount => {
            let code = match incident.count {
                Some(..52) => "deck.missing_card",
                Some(53..) => "deck.extra_card",
                Some(52) | None => return,
            };
            violations.add(code);
            ruling.void(Void::Dead);
        }
        // 15(e)1
        IncidentKind::NotShuffled => {
            violations.add("deck.not_shuffled");
            ruling.void(Void::Misdeal);
        }
        // 15(e)3, 15(h)
        IncidentKind::FaceUpInDeck => {
            violations.add("deal.face_up_card");
            match incident.cards.len() {
                0 | 1 => ruling.kill(&incident.cards),
                _ => ruling.void(Void::Misdeal),
            }
        }
        // 15(e)2
        IncidentKind::WrongStart => {
            violations.add("deal.wrong_start");
            if !two_had_wagered(room, incident) {
                ruling.void(Void::Misdeal);
            }
        }
        // 15(e)4
        IncidentKind::PlayerNotDealt => {
            violations.add("deal.player_skipped");
            if !two_had_wagered(room, incident) {
                ruling.void(Void::Misdeal);
            } else if let Some(place) = place {
                ruling.kept_out.push((place, "not_dealt"));
            }
        }
        // 15(f)
        IncidentKind::DealtToIneligible => {
            violations.add("deal.ineligible_player");
            ruling.kill(&incident.cards);
        }
        // 15(n)
        IncidentKind::OffTable => ruling.kill(&incident.cards),
        // 15(o): hold'em and the omahas, the forms with a flop.
        IncidentKind::ExposedDownCard => {
            if !form.is_stud() && !form.is_draw() {
                ruling.kill(incident.card.as_slice());
                ruling.kill(&incident.cards);
            }
        }
        IncidentKind::HoleExposed => judge_hole_exposed(room, incident, ruling, violations),
        // 15(k), 15(m)
        IncidentKind::LastHoleExposed => {
            let offered = form.is_seven_card_stud() || form == Form::MamboStudHighLow6;
            if offered && incident.elects == Some(Election::Stop) {
                ruling.stopped.extend(place);
            }
        }
        // 15(i)
        IncidentKind::HandFouled if incident.reconstructed => {}
        IncidentKind::HandFouled => {
            let protected = incident.protected || form.is_stud();
            let refunded = protected && !incident.contributed;
            ruling.strikes.extend(strike(room, incident, refunded));
        }
        IncidentKind::HandCollected => {
            let refunded = incident.protected && !incident.contributed;
            let code = Some("deal.protected_hand_collected").filter(|_| incident.protected);
            let strike = strike(room, incident, refunded);
            ruling
                .strikes
                .extend(strike.map(|strike| Strike { code, ..strike }));
        }
        IncidentKind::LeftTable if incident.protected => {}
        IncidentKind::LeftTable => ruling.strikes.extend(strike(room, incident, false)),
    }
}

/// 15(k)-(m): one hole card turned up stands for the up-card, and the next is dealt down; both of
/// seven-card stud kill the hand.
fn judge_hole_exposed(
    room: &Room<'_>,
    incident: &Incident,
    ruling: &mut Ruling,
    violations: &mut Violations,
) {
    let Some(seat) = incident.seat.filter(|_| room.form.is_stud()) else {
        return;
    };
    let cards: Vec<TableCard> = incident
        .cards
        .iter()
        .chain(&incident.card)
        .copied()
        .collect();
    if room.form.is_seven_card_stud() && cards.len() >= 2 {
        let place = room.place(seat);
        ruling
            .kept_out
            .extend(place.map(|place| (place, "exposed_hole_cards")));
        return;
    }
    let first_up = room
        .play
        .hands
        .get(&seat)
        .and_then(|hand| hand.up().first());
    // Of a card that nobody saw nobody can tell.
    let is_unseen = |card: Option<&TableCard>| card.is_some_and(|card| card.0.is_none());
    let is_balanced = is_unseen(first_up) || is_unseen(cards.first()) || cards.first() == first_up;
    violations.add_if(!is_balanced, "deal.exposure_not_balanced");
}

fn strike(room: &Room<'_>, incident: &Incident, refunded: bool) -> Option<Strike> {
    let place = incident.seat.and_then(|seat| room.place(seat))?;
    let last = room.facts.rounds - 1;
    // What is noticed after the last betting round strikes at its end.
    let after = if incident.round > last {
        usize::MAX
    } else {
        incident.after
    };
    Some(Strike {
        place,
        round: incident.round.min(last),
        after,
        refunded,
        code: None,
    })
}

/// 15(e): had two different players put in a wager of their own will by then?
fn two_had_wagered(room: &Room<'_>, incident: &Incident) -> bool {
    let before = room.actions.iter().enumerate().flat_map(|(round, moves)| {
        let until = match round.cmp(&incident.round) {
            std::cmp::Ordering::Less => moves.len(),
            std::cmp::Ordering::Equal => incident.after.min(moves.len()),
            std::cmp::Ordering::Greater => 0,
        };
        &moves[..until]
    });
    let mut seats = before.filter_map(|action| match action.what {
        What::Wager(wager) if wager.kind.is_voluntary() => Some(action.seat),
        _ => None,
    });
    let first = seats.next();
    seats.any(|seat| Some(seat) != first)
}

/// Hands, board, common cards and draws.
fn cards_in_use(room: &Room<'_>) -> impl Iterator<Item = Card> {
    let play = room.play;
    let hands = play.hands.values().flat_map(|hand| hand.seen());
    let drawn = play.draws.iter().flatten();
    let drawn = drawn.flat_map(|draw| draw.drawn());
    let shared = seen(&play.board).chain(seen(&play.common));
    hands.chain(shared).chain(drawn)
}
