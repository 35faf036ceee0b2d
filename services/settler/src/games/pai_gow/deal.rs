//! The hands of a round: what was dealt where, how it was set, and from which position on.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardPlace, CountScope, Decision, Face, HandSet, TilePlace};
use catwalk_rules::UNSEEN;
use serde_json::{Map, Value, json};

use super::button::button_at;
use super::words::{called_number, is_said, word};
use super::{Variant, bank, is_ohio, only_area, setting};
use crate::round::RoundFold;

/// The pieces by position, as far as they were seen, and the positions in dealing order.
#[derive(Debug, Default)]
pub(super) struct Dealt {
    hands: BTreeMap<u32, Vec<Option<String>>>,
    /// Positions in the order of their first piece.
    pub(super) order: Vec<u32>,
    /// Positions whose pieces lay open.
    open: Vec<u32>,
}

pub(super) fn read(variant: &Variant, round: &RoundFold) -> Dealt {
    let mut dealt = Dealt::default();
    for (_, body) in &round.play {
        match body {
            Body::CardDealt(card) => {
                let Some(position) = position_of_card(card.to, card.seat, round) else {
                    continue;
                };
                dealt.put(position, [card.card.clone()]);
                if card.face == Face::Up {
                    dealt.open.push(position);
                }
            }
            Body::CardRevealed(shown) => {
                let position = position_of_card(shown.to, shown.seat, round);
                let hand = position.and_then(|position| dealt.hands.get_mut(&position));
                if let Some(card) = hand.and_then(|hand| hand.get_mut(shown.index as usize)) {
                    *card = Some(shown.card.clone());
                }
                dealt.open.extend(position);
            }
            Body::TilesDealt(tiles) => {
                let position = match tiles.to {
                    TilePlace::Dealer => Some(0),
                    TilePlace::Bank => tiles.seat.or_else(|| bank::seat(round)),
                    TilePlace::DeadHand => Some(variant.positions - 1),
                    TilePlace::Seat => tiles.seat.or_else(|| only_area(round)),
                };
                let Some(position) = position else { continue };
                match &tiles.tiles {
                    Some(named) => {
                        dealt.name(position, named);
                        dealt.open.push(position);
                    }
                    // A delivery by twos is told twice: what is not named is no more than a hand.
                    None => {
                        let there = dealt.hands.get(&position).map_or(0, Vec::len);
                        dealt.put(position, vec![None; variant.size.saturating_sub(there)]);
                    }
                }
            }
            _ => {}
        }
    }
    dealt
}

pub(super) fn position_of_card(to: CardPlace, seat: Option<u32>, round: &RoundFold) -> Option<u32> {
    match to {
        CardPlace::Dealer => Some(0),
        CardPlace::Banker => seat.or_else(|| bank::seat(round)),
        CardPlace::Player | CardPlace::Seat => seat.or_else(|| only_area(round)),
        CardPlace::Community => seat,
    }
}

impl Dealt {
    fn put(&mut self, position: u32, pieces: impl IntoIterator<Item = Option<String>>) {
        if !self.order.contains(&position) {
            self.order.push(position);
        }
        self.hands.entry(position).or_default().extend(pieces);
    }

    /// Tiles by their names: first those that lie there unnamed.
    fn name(&mut self, position: u32, named: &[String]) {
        let mut named = named.iter().cloned();
        let unnamed = self.hands.get_mut(&position).into_iter().flatten();
        for piece in unnamed.filter(|piece| piece.is_none()) {
            *piece = named.next();
        }
        self.put(position, named.map(Some));
    }

    /// All pieces of a position: as they were shown, or as they were `laid`; `??` for those that nobody saw.
    fn pieces(&self, variant: &Variant, position: u32, laid: Option<&HandSet>) -> Vec<String> {
        let shown = self.hands.get(&position).cloned().unwrap_or_default();
        let mut rest = laid.map_or_else(Vec::new, |set| [set.high.as_slice(), &set.low].concat());
        match (shown.is_empty(), rest.is_empty()) {
            (true, true) => return vec![UNSEEN.to_owned(); variant.size],
            (true, false) => return rest,
            (false, _) => {}
        }
        for known in shown.iter().flatten() {
            if let Some(at) = rest.iter().position(|piece| piece == known) {
                rest.remove(at);
            }
        }
        let mut rest = rest.into_iter();
        let unseen = || UNSEEN.to_owned();
        let shown = shown.into_iter();
        let mut pieces: Vec<String> = shown
            .map(|piece| piece.or_else(|| rest.next()).unwrap_or_else(unseen))
            .collect();
        // What was laid and never told to be dealt lies there too, as far as a hand goes.
        let missing = variant.size.saturating_sub(pieces.len());
        pieces.extend(rest.take(missing));
        pieces
    }

    /// A position of the round that has fewer pieces than a hand, and how many.
    pub(super) fn short(&self, variant: &Variant, round: &RoundFold) -> Option<(u32, usize)> {
        let bank = bank::seat(round);
        let mains = round.wagers.iter();
        let mains = mains.filter(|wager| wager.kind == variant.main && !wager.late);
        let areas = mains.map(|wager| wager.seat).chain(bank);
        areas.chain([0]).find_map(|position| {
            let pieces = self
                .pieces(variant, position, setting(round, position))
                .len();
            (pieces < variant.size).then_some((position, pieces))
        })
    }

    fn is_told(&self, position: u32, set: Option<&HandSet>) -> bool {
        set.is_some() || self.hands.contains_key(&position)
    }

    fn knows_first_three(&self, position: u32) -> bool {
        let hand = self.hands.get(&position).map(Vec::as_slice);
        hand.and_then(|hand| hand.get(..3))
            .is_some_and(|cards| cards.iter().all(Option::is_some))
    }

    /// `play.hands`: of every area with a wager, of the bank, and of areas whose pieces lay open
    /// without one. Where hands `may_miss`, those do of which nobody told.
    pub(super) fn hands(&self, variant: &Variant, round: &RoundFold, may_miss: bool) -> Vec<Value> {
        let bank = bank::seat(round);
        let mut hands = Vec::new();
        for seat in 1..=6 {
            let mut mains = round
                .wagers
                .iter()
                .filter(|wager| wager.kind == variant.main);
            let main = mains.find(|wager| wager.seat == seat && !wager.late);
            let plays = main.is_some() || bank == Some(seat);
            // The hand of a wager that came too late was not dealt to nobody.
            let mut late = round.wagers.iter().filter(|wager| wager.late);
            let is_late = late.any(|wager| wager.kind == variant.main && wager.seat == seat);
            if !plays && (is_late || !self.open.contains(&seat)) {
                continue;
            }
            let set = setting(round, seat);
            // How the cards were laid does not say which of them came first.
            let mut wagers = round.wagers.iter().filter(|wager| wager.seat == seat);
            let is_in_order = wagers.any(|wager| wager.kind == "three_card_bonus");
            let laid = set.filter(|_| !is_in_order || self.knows_first_three(seat));
            let said = |action: &str| {
                bank::decisions(round).any(|(_, said)| said.seat == seat && is_said(said, action))
            };
            let is_given_up = said("surrender") || said("abandon");
            let pieces = self.pieces(variant, seat, laid);
            let is_unseen = pieces.iter().any(|piece| piece == UNSEEN);
            let is_missing = may_miss && !self.is_told(seat, set) && !is_given_up;
            let is_part = is_unseen || pieces.len() < variant.size;
            if is_missing || is_part && !plays {
                continue;
            }
            let mut hand = Map::new();
            hand.insert("seat".into(), json!(seat));
            hand.insert(variant.pieces.into(), json!(pieces));
            let is_needed = match is_given_up {
                true => is_barred(variant, round, seat),
                false => plays && (is_unseen || is_untold(variant, round, seat)),
            };
            lay(variant, &mut hand, set, is_needed);
            if said("surrender") && main.is_some() {
                hand.insert("surrender".into(), json!(true));
            }
            if is_ohio(&round.rules) && said("abandon") && main.is_some() {
                hand.insert("abandoned".into(), json!(true));
            }
            let entry = round.wagers.iter().find(|wager| wager.kind == "bank");
            let owner = main.or(entry.filter(|entry| entry.seat == seat));
            if let Some(player) = owner.and_then(|wager| wager.player.as_ref()) {
                hand.insert("player".into(), json!(player));
            }
            hands.push(Value::Object(hand));
        }
        hands
    }

    /// `play.dealer`, which a banked round needs only for the dealer's own wager.
    pub(super) fn dealer(
        &self,
        variant: &Variant,
        round: &RoundFold,
        may_miss: bool,
    ) -> Option<Value> {
        let mut wagers = round.wagers.iter();
        let is_needed = bank::seat(round).is_none()
            || wagers.any(|wager| wager.kind == "dealer_vs_bank" && !wager.late);
        let set = setting(round, 0);
        let pieces = self.pieces(variant, 0, set);
        let is_unseen = pieces.iter().any(|piece| piece == UNSEEN);
        let is_missing = may_miss && !self.is_told(0, set);
        if is_missing || is_unseen && !is_needed {
            return None;
        }
        let mut dealer = Map::new();
        dealer.insert(variant.pieces.into(), json!(pieces));
        lay(variant, &mut dealer, set, !variant.knows_house_way(round));
        Some(Value::Object(dealer))
    }
}

/// A surrender that was not allowed leaves the hand in play, as it was set. 9(e)
fn is_barred(variant: &Variant, round: &RoundFold, seat: u32) -> bool {
    const BARS: [&str; 2] = ["progressive", "seven_card_bonus"];
    let mut wagers = round.wagers.iter().filter(|wager| !wager.late);
    variant.size == 7
        && !is_ohio(&round.rules)
        && wagers.any(|wager| wager.seat == seat && BARS.contains(&wager.kind.as_str()))
}

/// A feed may know the cards and not how they were laid, the players' or those that they play against. A bank
/// sets its own, and the house those of a co-bank.
fn is_untold(variant: &Variant, round: &RoundFold, seat: u32) -> bool {
    let mut play = round.play.iter();
    let is_told = play.any(|(_, body)| matches!(body, Body::HandSet(_)));
    let is_bank = bank::seat(round) == Some(seat);
    let sets_its_own = bank::mode(round) == "bank" || !variant.knows_house_way(round);
    !is_told || is_bank && sets_its_own
}

/// How a hand lay; `??` where that `is_needed` and nobody told.
fn lay(variant: &Variant, hand: &mut Map<String, Value>, set: Option<&HandSet>, is_needed: bool) {
    let unseen = |number: usize| json!(vec![UNSEEN; number]);
    let (high, low) = match set {
        Some(set) => (json!(set.high), json!(set.low)),
        None if is_needed => (unseen(variant.size - 2), unseen(2)),
        None => return,
    };
    hand.insert("high".into(), high);
    hand.insert("low".into(), low);
}

/// How the start was found.
#[derive(Clone, Copy, Debug)]
enum Start<'a> {
    Dice(&'a [u8]),
    Number(u32),
    Button(u32),
    LeftFirst,
}

fn found(round: &RoundFold) -> Option<Start<'_>> {
    let told = round.play.iter().rev().find_map(|(_, body)| match body {
        Body::DiceRolled(roll) if roll.valid && roll.dice.len() == 3 => {
            Some(Start::Dice(&roll.dice))
        }
        Body::WheelSpun(draw) if draw.valid => draw.result.parse().ok().map(Start::Number),
        Body::Decision(said) if is_said(said, "button") => Some(Start::Button(button_at(said))),
        Body::Decision(said) => called_number(said).map(Start::Number),
        _ => None,
    });
    let posted = round.rules.option("start_method");
    let left_first = posted.is_some_and(|method| method == "left_first");
    told.or(left_first.then_some(Start::LeftFirst))
}

/// The position that is due the first piece; nothing where the rules name another way.
fn due(variant: &Variant, round: &RoundFold, start: Start<'_>) -> Option<u32> {
    let bank = bank::seat(round).unwrap_or_default();
    let count = |total: u32| (bank + total + variant.positions - 1) % variant.positions;
    match start {
        Start::Dice(dice) => Some(count(dice.iter().map(|&die| u32::from(die)).sum())),
        Start::Number(number) => Some(count(number)),
        Start::Button(position) => Some(position),
        Start::LeftFirst => {
            let mains = round.wagers.iter();
            let mains = mains.filter(|wager| wager.kind == variant.main && !wager.late);
            mains.map(|wager| wager.seat).max()
        }
    }
}

/// `play.deal`. Where the deal began is known only if the position that was due is among those that
/// were told: a reader need not tell of areas without a wager.
pub(super) fn start(variant: &Variant, round: &RoundFold, dealt: &Dealt) -> Option<Value> {
    let start = found(round);
    let mut deal = Map::new();
    match start {
        Some(Start::Dice(dice)) => drop(deal.insert("dice".into(), json!(dice))),
        Some(Start::Number(number)) => drop(deal.insert("number".into(), json!(number))),
        Some(Start::Button(at)) => drop(deal.insert("button".into(), json!(at))),
        Some(Start::LeftFirst) => drop(deal.insert("method".into(), json!("left_first"))),
        None => {
            let drawn = drawn(variant, round, dealt);
            deal.extend(drawn.map(|number| ("number".to_owned(), number)));
        }
    }
    let due = start.and_then(|start| due(variant, round, start));
    if let (Some(due), Some(first)) = (due, dealt.order.first())
        && dealt.order.contains(&due)
    {
        deal.insert("first".into(), json!(first));
    }
    if let Some(style) = style(round) {
        deal.insert("style".into(), json!(style));
    }
    (!deal.is_empty()).then_some(Value::Object(deal))
}

/// The number of a generator of which nobody told: a deal that was told whole began where it says, and else nobody
/// knows it. Who wagers on one wagers on a generator, unless the table posts another way to find the start.
fn drawn(variant: &Variant, round: &RoundFold, dealt: &Dealt) -> Option<Value> {
    let posted = round.rules.option("start_method");
    let mut wagers = round.wagers.iter().filter(|wager| !wager.late);
    let is_drawn = posted.is_none_or(|method| method == "rng");
    if !is_drawn || !wagers.any(|wager| wager.kind == "number") {
        return None;
    }
    let is_whole = dealt.order.len() == variant.positions as usize;
    let bank = bank::seat(round).unwrap_or_default();
    let first = dealt.order.first().filter(|_| is_whole);
    Some(json!(first.map(|first| (first + variant.positions - bank)
        % variant.positions
        + 1)))
}

/// A deal of which the direction is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told {
    /// To all positions, from a start that was told too.
    Whole,
    /// To the areas with a wager, from the leftmost on.
    FromLeft,
}

pub(super) fn told_from(variant: &Variant, round: &RoundFold, dealt: &Dealt) -> Option<Told> {
    let start = found(round)?;
    match start {
        // One that began elsewhere is wrong by that alone, and where a bank has its turn is not said.
        Start::LeftFirst if bank::seat(round).is_some() => None,
        Start::LeftFirst => {
            let first = dealt.order.first().copied();
            (first == due(variant, round, start)).then_some(Told::FromLeft)
        }
        Start::Button(_) => None,
        Start::Dice(_) | Start::Number(_) => {
            let is_whole = dealt.order.len() == variant.positions as usize;
            is_whole.then_some(Told::Whole)
        }
    }
}

/// The ten ways to deliver tiles that a bank may choose from.
const STYLES: [&str; 10] = [
    "house_way_right",
    "house_way_left",
    "cup_say_right",
    "cup_say_left",
    "jung_quat",
    "chee_yee",
    "pin_say_right",
    "pin_say_left",
    "dragon_phoenix_right",
    "dragon_phoenix_left",
];

pub(super) fn is_style(said: &Decision) -> bool {
    STYLES.contains(&word(said).as_str())
}

fn style(round: &RoundFold) -> Option<String> {
    let mut said = bank::decisions(round).filter(|(_, said)| is_style(said));
    said.next().map(|(_, said)| word(said))
}

/// Cards left over after the deal, where they were counted.
pub(super) fn remaining(round: &RoundFold) -> Option<u32> {
    round.play.iter().find_map(|(_, body)| match body {
        Body::CardsCounted(counted) if counted.scope == Some(CountScope::Stub) => {
            Some(counted.count)
        }
        _ => None,
    })
}
