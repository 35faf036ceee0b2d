//! The settlement of a round of minibaccarat.

use super::{
    DragonBonusTable, DragonTable, Kind, Minibaccarat, Options, Rules, VigorishType, Wager,
};
use crate::Edition;
use crate::floor::{Card, CardCounts, Cents, Odds, Rounding, WagerId};
use crate::games::shared::baccarat::{self, DragonBonus, Hands};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Verdict, Violations};

pub(super) fn settle(rules: &Rules, round: &Round<Minibaccarat>) -> Result<Outcome, Refusal> {
    let play = &round.play;
    baccarat::refuse_jokers(&play.player, "play.player")?;
    baccarat::refuse_jokers(&play.banker, "play.banker")?;
    if play.error_card_disclosed.is_some() && round.edition != Edition::OhJack2017 {
        return Err(Refusal::at(
            "play.error_card_disclosed",
            "a key of oh-jack-2017 only",
        ));
    }

    let mut violations = standing_violations(rules, round);
    let wagers = match counting_hands(round, &mut violations) {
        Some(hands) => settle_wagers(rules, round, &hands, &mut violations),
        None => round.wagers.iter().map(Settled::void).collect(),
    };
    Ok(Outcome::of_wagers(wagers, violations))
}

/// What is wrong whatever the cards: it shows in void and simulated rounds too.
fn standing_violations(rules: &Rules, round: &Round<Minibaccarat>) -> Violations {
    let (options, wagers) = (&round.options, &round.wagers);
    let mut violations = Violations::default();

    let [fewest, most] = if options.shuffler {
        rules.decks_per_batch
    } else {
        rules.decks_per_shoe
    };
    violations.add_if(
        !(fewest..=most).contains(&options.decks),
        "deck.illegal_count",
    );
    let mut shoe = CardCounts::shoe(u8::try_from(options.decks).unwrap_or(u8::MAX), 0);
    let mut dealt = round.play.player.iter().chain(&round.play.banker);
    violations.add_if(
        !dealt.all(|&card: &Card| shoe.take(card)),
        "deck.duplicate_card",
    );
    violations.add_if(
        options.tie_pays < rules.main.tie,
        "config.odds_below_minimum",
    );
    let not_offered = |wager: &Wager| !is_offered(rules, options, wager.kind);
    violations.add_if(wagers.iter().any(not_offered), "wager.not_offered");

    if round.edition == Edition::OhJack2017 {
        ohio_violations(rules, round, &mut violations);
    }
    violations
}

fn ohio_violations(rules: &Rules, round: &Round<Minibaccarat>, violations: &mut Violations) {
    let (options, wagers) = (&round.options, &round.wagers);
    let seat_has = |wager: &Wager, kinds: &[Kind]| {
        wagers
            .iter()
            .any(|other| other.seat == wager.seat && kinds.contains(&other.kind))
    };
    for wager in wagers {
        if matches!(
            wager.kind,
            Kind::DragonBonusPlayer | Kind::DragonBonusBanker
        ) && is_offered(rules, options, wager.kind)
        {
            let has_main = seat_has(wager, &[Kind::Player, Kind::Banker, Kind::Tie]);
            violations.add_if(!has_main, "wager.side_without_main");
            violations.add_if(wager.amount < rules.dragon_bonus_minimum, "wager.under_min");
        }
        let elsewhere = |other: &Wager| other.patron == wager.patron && other.seat != wager.seat;
        let two_positions = wager.patron.is_some() && wagers.iter().any(elsewhere);
        violations.add_if(two_positions, "wager.multi_position");
        if options.tournament {
            let player = seat_has(wager, &[Kind::Player]);
            let banker = seat_has(wager, &[Kind::Banker]);
            violations.add_if(player && banker, "tournament.both_sides");
            violations.add_if(!player && !banker, "tournament.no_main_bet");
        }
    }
}

fn is_offered(rules: &Rules, options: &Options, kind: Kind) -> bool {
    let on_this_table = match kind {
        Kind::Player | Kind::Banker | Kind::Tie => true,
        Kind::DragonBonusPlayer | Kind::DragonBonusBanker => {
            options.dragon_bonus != DragonBonusTable::Off
        }
        Kind::Dragon7 | Kind::Panda8 => options.ez_baccarat,
        Kind::HouseMoney | Kind::HouseMoneyPress => options.house_money,
        Kind::Fortune7 => false,
    };
    on_this_table && rules.offered.contains(&kind)
}

/// The hands that decide the wagers; `None` in a round that decides none.
fn counting_hands(round: &Round<Minibaccarat>, violations: &mut Violations) -> Option<Hands> {
    let play = &round.play;
    if play.void.is_some() {
        return None;
    }
    // A stray third card of the Player: 13(b),(c) of the Massachusetts text gives it to a Banker
    // who must draw, shown or not; 14.B,C of the Ohio text only if it was not shown.
    let stray_to_banker =
        round.edition == Edition::Mgc2017 || play.error_card_disclosed == Some(false);
    let hands = baccarat::rederive(&play.player, &play.banker, stray_to_banker, violations)?;
    if play.simulated {
        violations.add_if(!round.wagers.is_empty(), "wager.in_simulated_round");
        return None;
    }
    Some(hands)
}

fn settle_wagers(
    rules: &Rules,
    round: &Round<Minibaccarat>,
    hands: &Hands,
    violations: &mut Violations,
) -> Vec<Settled> {
    let wagers = &round.wagers;
    let mut settled: Vec<Settled> = wagers
        .iter()
        .map(|wager| match wager.kind {
            kind if !is_offered(rules, &round.options, kind) => Settled::void(wager),
            _ => settle_wager(rules, &round.options, hands, wager),
        })
        .collect();
    // Presses are added to other wagers, so they come after all of them.
    let mut presses: Vec<usize> = Vec::new();
    for (index, wager) in wagers.iter().enumerate() {
        if wager.kind != Kind::HouseMoneyPress || !is_offered(rules, &round.options, wager.kind) {
            continue;
        }
        match press_target(wagers, &settled, &presses, wager) {
            Some((from, on)) => {
                let portion = settled[from].win;
                let portion =
                    portion.percent(round.options.house_money_press_percent, Rounding::DOWN);
                violations.add_if(wager.amount != portion, "house_money.press_wrong_amount");
                let earlier = presses
                    .iter()
                    .filter(|&&press| wagers[press].on == wager.on);
                let before =
                    wagers[on].amount + earlier.map(|&press| wagers[press].amount).sum::<Cents>();
                settled[index] =
                    settle_press(rules, round, wager, &wagers[on], &settled[on], before);
                presses.push(index);
            }
            None => violations.add("house_money.press_invalid"),
        }
    }
    settled
}

fn settle_wager(rules: &Rules, options: &Options, hands: &Hands, wager: &Wager) -> Settled {
    let (player, banker) = (hands.player.count(), hands.banker.count());
    let tied = player == banker;
    match wager.kind {
        Kind::Player if tied => Settled::push(wager),
        Kind::Player if player > banker => pay(wager, rules.main.player),
        Kind::Banker if tied => {
            Settled::push(wager).charged(tie_charge(rules, options, wager.amount))
        }
        Kind::Banker if options.ez_baccarat && hands.is_dragon_seven() => Settled::push(wager),
        Kind::Banker if banker > player => {
            let win = rules.main.banker.win_on(wager.amount, Rounding::DOWN);
            Settled::win(wager, win, vigorish(rules, options, win))
        }
        // 13.H: a tournament's Tie is 8 to 1 even if the table normally pays more.
        Kind::Tie if tied && options.tournament => pay(wager, rules.main.tie),
        Kind::Tie if tied => pay(wager, options.tie_pays),
        Kind::DragonBonusPlayer | Kind::DragonBonusBanker => {
            settle_dragon_bonus(rules, options, hands, wager)
        }
        Kind::Dragon7 => pay_if(
            hands.is_dragon_seven(),
            wager,
            rules.ez.as_ref().map(|ez| ez.dragon_7),
        ),
        Kind::Panda8 => pay_if(
            hands.is_panda_eight(),
            wager,
            rules.ez.as_ref().map(|ez| ez.panda_8),
        ),
        Kind::HouseMoney => {
            let table = rules.house_money.as_ref();
            match (hands.player.is_pair(), hands.banker.is_pair()) {
                (true, true) => pay_if(true, wager, table.map(|table| table.both_pairs)),
                (one, other) => pay_if(one || other, wager, table.map(|table| table.one_pair)),
            }
        }
        // A press is void unless what it was added to is found; see `settle_wagers`.
        Kind::HouseMoneyPress => Settled::void(wager),
        Kind::Player | Kind::Banker | Kind::Tie | Kind::Fortune7 => Settled::lose(wager),
    }
}

fn settle_dragon_bonus(rules: &Rules, options: &Options, hands: &Hands, wager: &Wager) -> Settled {
    let table = match options.dragon_bonus {
        DragonBonusTable::Off => None,
        DragonBonusTable::A => rules.dragon_a.as_ref(),
        DragonBonusTable::B => rules.dragon_b.as_ref(),
        DragonBonusTable::C => rules.dragon_c.as_ref(),
    };
    let Some(table) = table else {
        return Settled::void(wager);
    };
    let (own, other) = match wager.kind {
        Kind::DragonBonusPlayer => (hands.player, hands.banker),
        _ => (hands.banker, hands.player),
    };
    match DragonBonus::of(own, other) {
        DragonBonus::Natural => pay(wager, table.natural),
        DragonBonus::NaturalTie => match table.natural_tie {
            super::Push::Push => Settled::push(wager),
        },
        DragonBonus::By(margin) => pay(wager, table.by(margin)),
        DragonBonus::Lost => Settled::lose(wager),
    }
}

impl DragonTable {
    /// Four to nine points.
    fn by(&self, margin: u8) -> Odds {
        match margin {
            ..=4 => self.by_4,
            5 => self.by_5,
            6 => self.by_6,
            7 => self.by_7,
            8 => self.by_8,
            9.. => self.by_9,
        }
    }
}

fn pay(wager: &Wager, odds: Odds) -> Settled {
    Settled::win(
        wager,
        odds.win_on(wager.amount, Rounding::DOWN),
        Cents::ZERO,
    )
}

/// `odds` are `None` where the edition has no such table; the wager is not offered there.
fn pay_if(won: bool, wager: &Wager, odds: Option<Odds>) -> Settled {
    match odds {
        Some(odds) if won => pay(wager, odds),
        Some(_) => Settled::lose(wager),
        None => Settled::void(wager),
    }
}

/// Vigorish on a Banker win. None at EZ Baccarat, in a tournament, or where ties are charged instead.
fn vigorish(rules: &Rules, options: &Options, win: Cents) -> Cents {
    let free =
        options.ez_baccarat || options.tournament || options.vigorish_type == VigorishType::OnTies;
    if free {
        Cents::ZERO
    } else {
        charge(rules, options, win, rules.vigorish_percent)
    }
}

/// What a tied Banker wager is charged under the Ohio type `tie_25pct`.
fn tie_charge(rules: &Rules, options: &Options, stake: Cents) -> Cents {
    let charged = options.vigorish_type == VigorishType::OnTies && !options.tournament;
    if charged {
        charge(rules, options, stake, rules.tie_charge_percent)
    } else {
        Cents::ZERO
    }
}

fn charge(rules: &Rules, options: &Options, base: Cents, percent: i64) -> Cents {
    base.percent(
        percent,
        options.vigorish_rounding.in_units_of(rules.vigorish_unit),
    )
}

/// The House Money wager behind a press and the wager it was added to, by index: both of the
/// press's seat, the first a winner whose payout no earlier press used. 8(c)(3)
fn press_target(
    wagers: &[Wager],
    settled: &[Settled],
    presses: &[usize],
    press: &Wager,
) -> Option<(usize, usize)> {
    let find = |id: &Option<WagerId>, kinds: &[Kind]| {
        let id = id.as_ref()?;
        wagers.iter().position(|wager| {
            wager.id == *id && wager.seat == press.seat && kinds.contains(&wager.kind)
        })
    };
    let from = find(&press.from, &[Kind::HouseMoney])?;
    let on = find(&press.on, &[Kind::Player, Kind::Banker])?;
    let used = presses
        .iter()
        .any(|&earlier| wagers[earlier].from == press.from);
    (settled[from].result == Verdict::Win && !used).then_some((from, on))
}

/// A press shares the fate of the wager it was added to. Vigorish is what the whole stake owes less
/// what the stake `before` it owed.
fn settle_press(
    rules: &Rules,
    round: &Round<Minibaccarat>,
    press: &Wager,
    on: &Wager,
    fate: &Settled,
    before: Cents,
) -> Settled {
    match (fate.result, on.kind) {
        (Verdict::Win, Kind::Banker) => {
            let owed = |stake| vigorish(rules, &round.options, stake);
            let win = rules.main.banker.win_on(press.amount, Rounding::DOWN);
            Settled::win(press, win, owed(before + press.amount) - owed(before))
        }
        (Verdict::Win, _) => pay(press, rules.main.player),
        (Verdict::Lose, _) => Settled::lose(press),
        _ => Settled::push(press),
    }
}
