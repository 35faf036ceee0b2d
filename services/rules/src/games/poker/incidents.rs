//! Irregularities: what they void, which hands they strike and which cards they kill. 15

use super::IncidentFacts;
use super::play::{Election, Incident, IncidentKind, TableCard, Wager, seen};
use super::room::Room;
use crate::floor::{Card, CardSet};
use crate::refusal::Refusal;
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

pub(super) fn judge(room: &Room<'_>, violations: &mut Violations) -> Result<Ruling, Refusal> {
    let mut ruling = Ruling::default();
    for (index, incident) in room.play.incidents.iter().enumerate() {
        check(room, incident)
            .map_err(|(key, what)| Refusal::at(format!("play.incidents[{index}].{key}"), what))?;
        let is_exposure = room.rules.exposing.contains(&incident.kind);
        violations.add_if(is_exposure, "deal.card_exposed");
        judge_one(room, incident, &mut ruling, violations);
    }
    judge_face_up(room, &mut ruling, violations);
    let dead = ruling.dead_cards;
    let used = cards_in_use(room).any(|card| dead.contains(card));
    violations.add_if(used, "deal.dead_card_used");
    Ok(ruling)
}

/// Refuses what an incident of its kind cannot tell: the key, and why.
fn check(room: &Room<'_>, incident: &Incident) -> Result<(), (String, String)> {
    let mut known = room.rules.incidents.iter();
    let facts = known.find(|facts| facts.incident == incident.kind);
    let refuse = |key: &str, what: &str| Err((key.to_owned(), what.to_owned()));
    let Some(IncidentFacts {
        keys,
        optional,
        families,
        ..
    }) = facts
    else {
        return refuse("kind", "is not an irregularity of the rules");
    };
    if families
        .as_ref()
        .is_some_and(|families| !families.contains(&room.facts.family))
    {
        return refuse("kind", "does not happen in this form");
    }
    let given: Vec<&str> = incident.keys().collect();
    let is_known = |key: &str| keys.iter().chain(optional).any(|known| known == key);
    if let Some(key) = given.iter().find(|key| !is_known(key)) {
        return refuse(key, "says nothing about this incident");
    }
    if let Some(key) = keys.iter().find(|key| !given.contains(&key.as_str())) {
        return refuse(key, "is missing");
    }
    let is_dealt = |place: usize| room.players[place].dealt;
    if incident
        .seat
        .is_some_and(|seat| !room.place(seat).is_some_and(is_dealt))
    {
        return refuse("seat", "was not dealt in");
    }
    let cards = incident.cards().len();
    let most = if room.facts.is_seven_card_stud() {
        2
    } else {
        1
    };
    match incident.kind {
        IncidentKind::HoleExposed if cards == 0 || cards > most => refuse(
            "cards",
            "one hole card, or the first two of seven-card stud",
        ),
        IncidentKind::FaceUpInDeck if given.is_empty() => refuse("cards", "is missing"),
        IncidentKind::FaceUpInDeck if face_up(incident).is_none() => {
            refuse("count", "is not the number of the cards")
        }
        _ => Ok(()),
    }
}

/// How many cards a record tells to have been face up in the deck, if it does not contradict itself.
fn face_up(incident: &Incident) -> Option<usize> {
    let named = incident.cards().len();
    match incident.count {
        None => Some(named),
        Some(count) => {
            let count = usize::try_from(count).ok().filter(|&count| count > 0)?;
            (named == 0 || named == count).then_some(count)
        }
    }
}

/// 15(e)3, 15(h): one is a dead card; more, all records together, are a misdeal.
fn judge_face_up(room: &Room<'_>, ruling: &mut Ruling, violations: &mut Violations) {
    let records = room.play.incidents.iter();
    let records = records.filter(|incident| incident.kind == IncidentKind::FaceUpInDeck);
    let cards: usize = records.clone().filter_map(face_up).sum();
    violations.add_if(cards > 0, "deal.face_up_card");
    match cards {
        0 | 1 => records.for_each(|incident| ruling.kill(incident.cards())),
        _ => ruling.void(Void::Misdeal),
    }
}

fn judge_one(
    room: &Room<'_>,
    incident: &Incident,
    ruling: &mut Ruling,
    violations: &mut Violations,
) {
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
        IncidentKind::FaceUpInDeck => {}
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
            ruling.kill(incident.cards());
        }
        // 15(n)
        IncidentKind::OffTable => ruling.kill(incident.cards()),
        // 15(o)
        IncidentKind::ExposedDownCard => ruling.kill(incident.card.as_slice()),
        IncidentKind::HoleExposed => judge_hole_exposed(room, incident, ruling, violations),
        // 15(k), 15(m)
        IncidentKind::LastHoleExposed => {
            if incident.elects == Some(Election::Stop) {
                ruling.stopped.extend(place);
            }
        }
        // 15(i)
        IncidentKind::HandFouled if incident.is_reconstructed() => {}
        IncidentKind::HandFouled => {
            let protected = incident.is_protected() || room.facts.is_stud();
            let refunded = protected && !incident.is_own_fault();
            ruling.strikes.extend(strike(room, incident, refunded));
        }
        IncidentKind::HandCollected => {
            let protected = incident.is_protected();
            let refunded = protected && !incident.is_own_fault();
            let code = Some("deal.protected_hand_collected").filter(|_| protected);
            let strike = strike(room, incident, refunded);
            ruling
                .strikes
                .extend(strike.map(|strike| Strike { code, ..strike }));
        }
        IncidentKind::LeftTable if incident.is_protected() => {}
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
    let Some(seat) = incident.seat else {
        return;
    };
    let [card] = incident.cards() else {
        let place = room.place(seat).into_iter();
        let kept_out = place.map(|place| (place, "exposed_hole_cards"));
        return ruling.kept_out.extend(kept_out);
    };
    let hand = room.play.hands.get(&seat);
    let first_up = hand.and_then(|hand| hand.up().first());
    // Of a card that nobody saw nobody can tell.
    let is_unseen = |card: &TableCard| card.0.is_none();
    let is_balanced = is_unseen(card) || first_up.is_some_and(|up| is_unseen(up) || up == card);
    violations.add_if(!is_balanced, "deal.exposure_not_balanced");
}

fn strike(room: &Room<'_>, incident: &Incident, refunded: bool) -> Option<Strike> {
    let place = incident.seat.and_then(|seat| room.place(seat))?;
    let last = room.facts.rounds - 1;
    let (round, after) = incident.when();
    // What is noticed after the last betting round strikes at its end.
    let after = if round > last { usize::MAX } else { after };
    Some(Strike {
        place,
        round: round.min(last),
        after,
        refunded,
        code: None,
    })
}

/// 15(e): had two different players put in a wager of their own will by then?
fn two_had_wagered(room: &Room<'_>, incident: &Incident) -> bool {
    let (noticed, after) = incident.when();
    let before = room.actions.iter().enumerate().flat_map(|(round, moves)| {
        let until = match round.cmp(&noticed) {
            std::cmp::Ordering::Less => moves.len(),
            std::cmp::Ordering::Equal => after.min(moves.len()),
            std::cmp::Ordering::Greater => 0,
        };
        &moves[..until]
    });
    let voluntary = |wager: &&Wager| wager.kind.is_voluntary();
    let wagers = before.filter_map(|action| action.what.wager());
    let mut seats = wagers.filter(voluntary).map(|wager| wager.seat);
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
    let shown = play.shown.values().flatten().copied();
    hands.chain(shared).chain(drawn).chain(shown)
}
