//! The settlement of a round of pai gow.

use super::delivery::Style;
use super::document::{check_document, read_split};
use super::tiles::{self, Setting};
use super::{Choice, Hand, HouseWay, IrregularityKind, Kind, Options, PaiGow, Play, Rules, Wager};
use crate::floor::{Cents, Rounding, Seat, Tile, TileCounts};
use crate::games::shared::pai_gow::{self, BankCodes, Holding, Irregular, Mode};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Verdict, Violations};
use crate::unseen::Reach;

const BANK: BankCodes = BankCodes {
    not_offered: "pai_gow.bank_not_offered",
    first_round: "pai_gow.bank_first_round",
    consecutive: "pai_gow.bank_consecutive",
    not_eligible: "pai_gow.bank_not_eligible",
    underfunded: "pai_gow.bank_underfunded",
};
/// The dealer, six areas and the dead hand.
const POSITIONS: u16 = 8;
/// Every hand has so many tiles.
const TILES: usize = 4;

pub(super) fn settle(rules: &Rules, round: &Round<PaiGow>) -> Result<Outcome, Refusal> {
    let (options, wagers, play) = (&round.options, &round.wagers[..], &round.play);
    check_document(wagers, play)?;

    let mut violations = Violations::default();
    let mut refused = check_main_wagers(options, wagers, play, &mut violations);
    let live = |area: Seat, refused: &[usize]| main_wager(wagers, refused, area).is_some();
    violations.add_if(
        options.max_areas_per_player > rules.max_areas,
        "config.max_areas",
    );
    let hands = play.hands.iter().map(|hand| {
        let holding = if play.bank_seat == Some(hand.seat) {
            Holding::Bank
        } else if live(hand.seat, &refused) {
            Holding::Wager
        } else {
            Holding::Nothing
        };
        (hand.seat, hand.player.as_deref(), holding)
    });
    let max_areas = options.max_areas_per_player.min(rules.max_areas);
    pai_gow::flag_areas(hands, max_areas, &mut violations);
    check_bank(options, wagers, play, &mut refused, &mut violations);
    flag_tiles(play, &mut violations);
    flag_delivery(options, play, &mut violations);

    let wagers = if is_void(rules, play, &mut violations)? {
        wagers.iter().map(Settled::void).collect()
    } else {
        settle_wagers(rules, round, &refused, &mut violations)?
    };
    Ok(Outcome::of_wagers(wagers, violations))
}

/// A main wager hangs on its own hand, unless that is void or given up, and on the one that it is held against;
/// the bank's entry on all of them.
pub(super) fn decided_by(round: &Round<PaiGow>, wager: &Wager) -> Reach {
    let play = &round.play;
    let place = |area: Seat| {
        let at = play.hands.iter().position(|hand| hand.seat == area);
        at.map(|at| format!("hands[{at}]"))
    };
    let against = play.bank_seat.map_or(Some("dealer".to_owned()), place);
    let own = |wager: &Wager| match wager.kind {
        Kind::DealerVsBank => Some("dealer".to_owned()),
        Kind::PaiGow => {
            let hand = play.hands.iter().find(|hand| hand.seat == wager.seat)?;
            let is_gone = hand.surrender || play.is_hand_void(wager.seat);
            place(wager.seat).filter(|_| !is_gone)
        }
        Kind::Bank => None,
    };
    let places: Vec<String> = match wager.kind {
        Kind::Bank => round.wagers.iter().filter_map(own).collect(),
        _ => own(wager).into_iter().collect(),
    };
    match places.is_empty() {
        true => Reach::Only(places),
        false => Reach::Only(places.into_iter().chain(against).collect()),
    }
}

/// Flags the players' wagers, and gives those that go back.
fn check_main_wagers(
    options: &Options,
    wagers: &[Wager],
    play: &Play,
    violations: &mut Violations,
) -> Vec<usize> {
    let limits = Limits {
        min: options.table_min,
        max: options.table_max,
    };
    let mut refused = Vec::new();
    for (index, wager) in wagers.iter().enumerate() {
        if wager.kind != Kind::PaiGow {
            continue;
        }
        let earlier = |other: &Wager| other.kind == Kind::PaiGow && other.seat == wager.seat;
        if play.bank_seat == Some(wager.seat) {
            violations.add("wager.bank_extra_area");
            refused.push(index);
        } else if wagers[..index].iter().any(earlier) {
            violations.add("wager.duplicate_kind");
            refused.push(index);
        } else {
            limits.flag(wager.amount, violations);
        }
    }
    refused
}

/// The wager that an area's hand is played for.
fn main_wager<'a>(wagers: &'a [Wager], refused: &[usize], area: Seat) -> Option<&'a Wager> {
    let mut wagers = wagers.iter().enumerate();
    wagers
        .find(|(index, wager)| {
            wager.kind == Kind::PaiGow && wager.seat == area && !refused.contains(index)
        })
        .map(|(_, wager)| wager)
}

fn check_bank(
    options: &Options,
    wagers: &[Wager],
    play: &Play,
    refused: &mut Vec<usize>,
    violations: &mut Violations,
) {
    let areas = pai_gow::AREAS.map(Seat::new);
    let covered = areas
        .filter_map(|area| main_wager(wagers, refused, area))
        .map(|wager| wager.amount)
        .sum();
    BANK.flag(
        play.mode,
        [options.banking, options.co_banking],
        play.bank_check.as_ref(),
        covered,
        violations,
    );
    let against_bank = wagers.iter().enumerate();
    let against_bank = against_bank
        .filter(|(_, wager)| wager.kind == Kind::DealerVsBank)
        .map(|(index, wager)| (index, wager.amount));
    refused.extend(options.dealer_bank_wager_rule.check(
        play.mode,
        play.bank_check.as_ref(),
        against_bank,
        "pai_gow.dealer_bank_wager",
        violations,
    ));
}

/// The hands on record by position.
fn positions(play: &Play) -> impl Iterator<Item = (u16, &[Tile])> {
    let dealer = play.dealer.iter().map(|dealer| (0, &dealer.tiles[..]));
    let hands = play.hands.iter();
    dealer.chain(hands.map(|hand| (hand.seat.number(), &hand.tiles[..])))
}

/// More tiles of a kind than the set has, among the hands or in the stacks: settled as they lie.
fn flag_tiles(play: &Play, violations: &mut Violations) {
    let dealt: TileCounts = positions(play)
        .flat_map(|(_, tiles)| tiles.iter().copied())
        .collect();
    let stacked: TileCounts = play
        .deal
        .stacks
        .iter()
        .flatten()
        .flatten()
        .copied()
        .collect();
    violations.add_if(
        dealt.beyond_a_set().or(stacked.beyond_a_set()).is_some(),
        "tiles.duplicate_tile",
    );
}

fn flag_delivery(options: &Options, play: &Play, violations: &mut Violations) {
    let style = play.deal.style;
    let offered = play.mode != Mode::Dealer && options.delivery_styles.contains(&style);
    violations.add_if(
        style != Style::HouseWayRight && !offered,
        "pai_gow.style_not_offered",
    );
    let (Some(stacks), Some(first)) = (&play.deal.stacks, play.deal.first) else {
        return;
    };
    let bag = |tiles: &[Tile]| tiles.iter().copied().collect::<TileCounts>();
    let astray = positions(play).any(|(position, tiles)| {
        let at = (position + POSITIONS - u16::from(first)) % POSITIONS;
        bag(&style.deliver(stacks, usize::from(at))) != bag(tiles)
    });
    violations.add_if(astray, "pai_gow.delivery_mismatch");
}

/// Are all hands void: declared so, dealt from the wrong position, or not of four tiles?
fn is_void(rules: &Rules, play: &Play, violations: &mut Violations) -> Result<bool, Refusal> {
    let declared = play.is_declared_void(&rules.irregular);
    let deal = &play.deal;
    let wrong_start = deal.dice.zip(deal.first).is_some_and(|(dice, first)| {
        let total: u16 = dice.iter().map(|die| u16::from(die.face())).sum();
        let bank = play.bank_seat.map_or(0, Seat::number);
        u16::from(first) != (bank + total - 1) % POSITIONS
    });
    let is_over = positions(play).any(|(_, tiles)| tiles.len() > TILES);
    let short = short_hand(play);
    violations.add_if(wrong_start && !declared, "pai_gow.wrong_start");
    violations.add_if(!declared && (is_over || short.is_some()), "deal.tile_count");
    let is_void = declared || wrong_start || is_over;
    match short.filter(|_| !is_void) {
        Some((place, tiles)) => Err(Refusal::at(
            place,
            format!("{tiles} of the four tiles of a hand, in a round that nothing voids"),
        )),
        None => Ok(is_void),
    }
}

/// Where a hand of fewer than four tiles lies, and how many it has.
fn short_hand(play: &Play) -> Option<(String, usize)> {
    let hands = play.hands.iter().enumerate();
    let hands = hands.map(|(at, hand)| (format!("play.hands[{at}].tiles"), hand.tiles.len()));
    let dealer = play.dealer.iter();
    let dealer = dealer.map(|dealer| ("play.dealer.tiles".to_owned(), dealer.tiles.len()));
    dealer.chain(hands).find(|(_, tiles)| *tiles < TILES)
}

impl Play {
    fn is_declared_void(&self, irregular: &Irregular<IrregularityKind>) -> bool {
        self.irregularities.iter().any(|told| {
            // 9(d),(e): the bank's own tile is no player's.
            let is_of_bank = told.seat.is_some() && told.seat == self.bank_seat;
            is_of_bank || irregular.voids_round(&told.kind)
        })
    }

    fn is_hand_void(&self, area: Seat) -> bool {
        self.irregularities.iter().any(|irregularity| {
            irregularity.seat == Some(area) && irregularity.choice == Some(Choice::Void)
        })
    }

    fn hand(&self, area: Seat) -> Result<(&Hand, String), Refusal> {
        let at = self.hands.iter().position(|hand| hand.seat == area);
        at.map(|at| (&self.hands[at], format!("play.hands[{at}]")))
            .ok_or_else(|| Refusal::at("play.hands", format!("the hand of area {area} is missing")))
    }
}

fn settle_wagers(
    rules: &Rules,
    round: &Round<PaiGow>,
    refused: &[usize],
    violations: &mut Violations,
) -> Result<Vec<Settled>, Refusal> {
    let (options, play) = (&round.options, &round.play);
    let vigorish = |won| rules.vigorish.on(won, options.vig_rounding);
    let reference = reference(options, play, violations)?;
    let mut settled = Vec::with_capacity(round.wagers.len());
    for (index, wager) in round.wagers.iter().enumerate() {
        let verdict = match wager.kind {
            _ if refused.contains(&index) => Verdict::Void,
            Kind::PaiGow => player_verdict(play, reference, wager.seat)?,
            Kind::DealerVsBank => compare(dealer_setting(options, play, violations)?, reference),
            // Settled below, when all others are.
            Kind::Bank => Verdict::Push,
        };
        let outcome = match verdict {
            Verdict::Win => {
                let win = rules
                    .main
                    .both_hands_higher
                    .win_on(wager.amount, Rounding::DOWN);
                // 8(q): no vigorish on the house's own win.
                let commission = match wager.kind {
                    Kind::DealerVsBank => Cents::ZERO,
                    _ => vigorish(win),
                };
                Settled::win(wager, win, commission)
            }
            Verdict::Push => Settled::push(wager),
            Verdict::Lose => Settled::lose(wager),
            Verdict::Void | Verdict::Open => Settled::void(wager),
        };
        settled.push(outcome);
    }
    let net = pai_gow::centre(round.wagers.iter().zip(&settled));
    for (wager, settled) in round.wagers.iter().zip(&mut settled) {
        if wager.kind == Kind::Bank {
            *settled = pai_gow::settle_bank(wager, play.mode, net, vigorish);
        }
    }
    Ok(settled)
}

/// Both hands must rank above; a low hand of value zero never does: 7(h)-(j).
fn compare(hand: Setting, reference: Setting) -> Verdict {
    pai_gow::verdict(
        hand.high > reference.high,
        hand.low > reference.low && !hand.low.is_zero(),
    )
}

fn player_verdict(play: &Play, reference: Setting, area: Seat) -> Result<Verdict, Refusal> {
    let (hand, place) = play.hand(area)?;
    if play.is_hand_void(area) {
        return Ok(Verdict::Void);
    }
    if hand.surrender {
        return Ok(Verdict::Lose);
    }
    Ok(compare(own_setting(hand, &place)?, reference))
}

/// The hand that all others are compared with.
fn reference(
    options: &Options,
    play: &Play,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    let Some(bank) = play.bank_seat else {
        return dealer_setting(options, play, violations);
    };
    let (hand, place) = play.hand(bank)?;
    // 8(e): a co-bank's hand is set by the dealer.
    match (play.mode, options.house_way, laid(&hand.high, &hand.low)) {
        (Mode::CoBank, HouseWay::Base, laid) => {
            house_setting(&hand.tiles, laid, options, &place, violations)
        }
        _ => own_setting(hand, &place),
    }
}

fn dealer_setting(
    options: &Options,
    play: &Play,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    let Some(dealer) = &play.dealer else {
        return Err(Refusal::at("play", "the key \"dealer\" is missing"));
    };
    let laid = laid(&dealer.high, &dealer.low);
    house_setting(&dealer.tiles, laid, options, "play.dealer", violations)
}

fn laid<'a>(
    high: &'a Option<Vec<Tile>>,
    low: &'a Option<Vec<Tile>>,
) -> Option<(&'a [Tile], &'a [Tile])> {
    high.as_deref().zip(low.as_deref())
}

/// A hand as its player set it.
fn own_setting(hand: &Hand, place: &str) -> Result<Setting, Refusal> {
    let Some((high, low)) = laid(&hand.high, &hand.low) else {
        let what = "the setting is missing: write \"high\" and \"low\"";
        return Err(Refusal::at(place, what));
    };
    let [high, low] = read_split(four(&hand.tiles, place)?, high, low, place)?;
    Ok(Setting::of(high, low))
}

/// A hand that the house sets. A setting that 7(d) does not allow is corrected: 9(f).
fn house_setting(
    tiles: &[Tile],
    laid: Option<(&[Tile], &[Tile])>,
    options: &Options,
    place: &str,
    violations: &mut Violations,
) -> Result<Setting, Refusal> {
    let tiles = four(tiles, place)?;
    let Some((high, low)) = laid else {
        return Ok(tiles::house_way(tiles));
    };
    let split = read_split(tiles, high, low, place)?;
    if options.house_way == HouseWay::Base && !tiles::is_allowed(tiles, &split) {
        violations.add("pai_gow.house_way_error");
        return Ok(tiles::house_way(tiles));
    }
    let [high, low] = split;
    Ok(Setting::of(high, low))
}

/// A hand of another number of tiles voids the round, so that nothing is set.
fn four(tiles: &[Tile], place: &str) -> Result<[Tile; 4], Refusal> {
    tiles
        .try_into()
        .map_err(|_| Refusal::at(format!("{place}.tiles"), "a hand has four tiles"))
}
