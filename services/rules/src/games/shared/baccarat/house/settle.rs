//! The settlement of a round that the house banks.

use super::dragon_bonus::Push;
use super::press::settle_presses;
use super::{
    Bet, DragonBonus, DragonBonusTable, Kind, Options, Play, Rules, Vigorish, VigorishType,
};
use crate::floor::{Cents, Odds, Rounding};
use crate::games::shared::baccarat::hands::{Hands, are_complete, rederive};
use crate::games::shared::baccarat::shoe::{flag_shoe, refuse_jokers};
use crate::games::shared::minimum::{Posted, at_least};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Settled, Violations};
use crate::unseen::Reach;
use crate::{Edition, Game};

pub(crate) fn settle<G>(rules: &Rules, round: &Round<G>) -> Result<Outcome, Refusal>
where
    G: Game<Options = Options, Play = Play>,
    G::Wager: Bet,
{
    let (play, wagers) = (&round.play, &round.wagers);
    refuse_jokers(&play.player, "play.player")?;
    refuse_jokers(&play.banker, "play.banker")?;
    let ohio = round.edition == Edition::OhJack2017;
    if play.error_card_disclosed.is_some() && !ohio {
        return Err(Refusal::at(
            "play.error_card_disclosed",
            "a key of oh-jack-2017 only",
        ));
    }
    // A stray third card of the Player: the Massachusetts texts give it to a Banker who must draw,
    // shown or not; the Ohio texts only if it was not shown.
    let stray_to_banker = !ohio || play.error_card_disclosed == Some(false);

    let table = Table {
        rules,
        options: &round.options,
    };
    refuse_links(wagers)?;
    let mut violations = Violations::default();
    table.flag_standing(wagers, play, &mut violations);
    let hands = counting_hands(play, !wagers.is_empty(), stray_to_banker, &mut violations)?;
    let settled = match hands {
        Some(hands) => table.settle_wagers(wagers, &hands, &mut violations),
        None => wagers.iter().map(Settled::void).collect(),
    };
    Ok(Outcome::of_wagers(settled, violations))
}

/// What of the cards can decide a wager: House Money is won by the first two of each hand, and no hand has more
/// than three that count.
pub(crate) fn decided_by<G>(round: &Round<G>, wager: &G::Wager) -> Reach
where
    G: Game<Options = Options, Play = Play>,
    G::Wager: Bet,
{
    let play = &round.play;
    let cards = match wager.kind() {
        _ if play.void.is_some() || play.simulated => 0,
        Kind::HouseMoney => 2,
        _ => 3,
    };
    let of_hand = |hand: &'static str| (0..cards).map(move |at| format!("{hand}[{at}]"));
    Reach::Only(of_hand("player").chain(of_hand("banker")).collect())
}

/// The hands that decide the wagers; `None` in a round that decides none.
fn counting_hands(
    play: &Play,
    has_wagers: bool,
    stray_to_banker: bool,
    violations: &mut Violations,
) -> Result<Option<Hands>, Refusal> {
    let (player, banker) = (&play.player, &play.banker);
    if play.void.is_some() {
        return match are_complete(player, banker, stray_to_banker) {
            true => Err(Refusal::at(
                "play.void",
                "both hands have every card that was due: none was wanting",
            )),
            false => Ok(None),
        };
    }
    let hands = rederive(player, banker, stray_to_banker, violations)?;
    if play.simulated {
        violations.add_if(has_wagers, "wager.in_simulated_round");
        return Ok(None);
    }
    Ok(Some(hands))
}

/// Only a press is added to a wager, and paid from another.
fn refuse_links<B: Bet>(wagers: &[B]) -> Result<(), Refusal> {
    for (index, wager) in wagers.iter().enumerate() {
        let links = [("on", wager.on()), ("from", wager.from())];
        let link = links.iter().find(|(_, id)| id.is_some());
        if let Some((key, _)) = link.filter(|_| wager.kind() != Kind::HouseMoneyPress) {
            let place = format!("wagers[{index}].{key}");
            return Err(Refusal::at(place, "a key of \"house_money_press\" only"));
        }
    }
    Ok(())
}

/// The table that a round was played at: the rules in force and what the licensee chose.
pub(super) struct Table<'a> {
    pub(super) rules: &'a Rules,
    pub(super) options: &'a Options,
}

impl Table<'_> {
    /// Flags what is wrong whatever the cards: it shows in void and simulated rounds too.
    fn flag_standing<B: Bet>(&self, wagers: &[B], play: &Play, violations: &mut Violations) {
        let (rules, options) = (self.rules, self.options);
        let lawful = match rules.decks_per_batch {
            Some(batch) if options.shuffler => batch,
            _ => rules.decks_per_shoe,
        };
        let dealt = play.player.iter().chain(&play.banker);
        flag_shoe(options.decks, lawful, dealt, violations);
        violations.add_if(self.posted_tie().is_below, "config.odds_below_minimum");
        let is_off = |wager: &B| wager.seat().number() > rules.positions;
        violations.add_if(wagers.iter().any(is_off), "table.seat");
        for wager in wagers {
            let offered = self.offers(wager.kind());
            violations.add_if(!offered, "wager.not_offered");
            if let Some(minimum) = rules.bonus_minimum
                && offered
                && wager.kind().is_bonus()
            {
                let has_main = seat_has(wagers, wager, Kind::is_main);
                violations.add_if(!has_main, "wager.side_without_main");
                violations.add_if(wager.amount() < minimum, "wager.under_min");
            }
            if options.tournament {
                let player = seat_has(wagers, wager, |kind| kind == Kind::Player);
                let banker = seat_has(wagers, wager, |kind| kind == Kind::Banker);
                violations.add_if(player && banker, "tournament.both_sides");
                violations.add_if(!player && !banker, "tournament.no_main_bet");
            }
        }
    }

    pub(super) fn offers(&self, kind: Kind) -> bool {
        let options = self.options;
        let on_this_table = match kind {
            Kind::Player | Kind::Banker | Kind::Tie => true,
            Kind::DragonBonusPlayer | Kind::DragonBonusBanker => {
                options.dragon_bonus != DragonBonusTable::Off
            }
            Kind::Dragon7 | Kind::Panda8 => options.ez_baccarat,
            Kind::Fortune7 => options.fortune_7,
            Kind::HouseMoney | Kind::HouseMoneyPress => options.house_money,
        };
        on_this_table && self.rules.offered.contains(&kind)
    }

    fn settle_wagers<B: Bet>(
        &self,
        wagers: &[B],
        hands: &Hands,
        violations: &mut Violations,
    ) -> Vec<Settled> {
        let mut settled: Vec<Settled> = wagers
            .iter()
            .map(|wager| match self.offers(wager.kind()) {
                true => self.settle_wager(hands, wager),
                false => Settled::void(wager),
            })
            .collect();
        settle_presses(self, wagers, &mut settled, violations);
        settled
    }

    fn settle_wager(&self, hands: &Hands, wager: &impl Bet) -> Settled {
        let rules = self.rules;
        let (player, banker) = (hands.player.count(), hands.banker.count());
        let tied = player == banker;
        match wager.kind() {
            Kind::Player if tied => Settled::push(wager),
            Kind::Player => pay_if(player > banker, wager, Some(rules.main.player)),
            Kind::Banker if tied => Settled::push(wager).charged(self.tie_charge(wager.amount())),
            Kind::Banker if self.pushes_on_dragon_seven() && hands.is_dragon_seven() => {
                Settled::push(wager)
            }
            Kind::Banker if banker > player => {
                let win = rules.main.banker.win_on(wager.amount(), Rounding::DOWN);
                Settled::win(wager, win, self.vigorish(win))
            }
            Kind::Banker => Settled::lose(wager),
            Kind::Tie => pay_if(tied, wager, Some(self.tie_odds())),
            Kind::DragonBonusPlayer => {
                self.settle_dragon_bonus(DragonBonus::of(hands.player, hands.banker), wager)
            }
            Kind::DragonBonusBanker => {
                self.settle_dragon_bonus(DragonBonus::of(hands.banker, hands.player), wager)
            }
            Kind::Dragon7 => {
                let odds = rules.ez.as_ref().map(|ez| ez.dragon_7);
                pay_if(hands.is_dragon_seven(), wager, odds)
            }
            Kind::Panda8 => {
                let odds = rules.ez.as_ref().map(|ez| ez.panda_8);
                pay_if(hands.is_panda_eight(), wager, odds)
            }
            Kind::Fortune7 => {
                let odds = rules.fortune.as_ref().map(|fortune| fortune.fortune_7);
                pay_if(hands.is_dragon_seven(), wager, odds)
            }
            Kind::HouseMoney => {
                let (one, other) = (hands.player.is_pair(), hands.banker.is_pair());
                let odds = rules.house_money.as_ref().map(|table| match one && other {
                    true => table.both_pairs,
                    false => table.one_pair,
                });
                pay_if(one || other, wager, odds)
            }
            // Void unless what it was added to is found; see `settle_presses`.
            Kind::HouseMoneyPress => Settled::void(wager),
        }
    }

    fn settle_dragon_bonus(&self, result: DragonBonus, wager: &impl Bet) -> Settled {
        let table = match self.options.dragon_bonus {
            DragonBonusTable::Off => None,
            DragonBonusTable::A => self.rules.dragon_a.as_ref(),
            DragonBonusTable::B => self.rules.dragon_b.as_ref(),
            DragonBonusTable::C => self.rules.dragon_c.as_ref(),
        };
        let Some(table) = table else {
            return Settled::void(wager);
        };
        match result {
            DragonBonus::Natural => pay(wager, table.natural),
            DragonBonus::NaturalTie => match table.natural_tie {
                Push::Push => Settled::push(wager),
            },
            DragonBonus::By(margin) => pay(wager, table.by(margin)),
            DragonBonus::Lost => Settled::lose(wager),
        }
    }

    /// Where no vigorish is taken, the Banker wager pushes on a winning three-card seven instead: at
    /// an EZ table and in the commission-free game. A tournament only waives the vigorish.
    fn pushes_on_dragon_seven(&self) -> bool {
        self.options.ez_baccarat || self.rules.vigorish.is_none()
    }

    /// The posted odds, but never less than the text's, unless a tournament fixes them.
    fn tie_odds(&self) -> Odds {
        match &self.rules.tournament {
            Some(tournament) if self.options.tournament => tournament.tie,
            _ => self.posted_tie().due,
        }
    }

    fn posted_tie(&self) -> Posted<Odds> {
        at_least(self.options.tie_pays, self.rules.tie.tie)
    }

    /// Vigorish on what a Banker wager won. None where ties are charged instead.
    pub(super) fn vigorish(&self, win: Cents) -> Cents {
        match self.vigorish_in_force() {
            Some(vigorish) if self.options.vigorish_type == VigorishType::OnWins => {
                self.charge(vigorish, win, vigorish.percent)
            }
            _ => Cents::ZERO,
        }
    }

    /// What a tied Banker wager is charged where the house charges ties.
    fn tie_charge(&self, stake: Cents) -> Cents {
        match self.vigorish_in_force() {
            Some(vigorish) if self.options.vigorish_type == VigorishType::OnTies => {
                let percent = vigorish.tie_charge_percent.unwrap_or(0);
                self.charge(vigorish, stake, percent)
            }
            _ => Cents::ZERO,
        }
    }

    /// None at an EZ table and in a tournament.
    fn vigorish_in_force(&self) -> Option<&Vigorish> {
        let waived = self.options.ez_baccarat || self.options.tournament;
        self.rules.vigorish.as_ref().filter(|_| !waived)
    }

    fn charge(&self, vigorish: &Vigorish, base: Cents, percent: i64) -> Cents {
        let rounding = self.options.vigorish_rounding.in_units_of(vigorish.unit);
        base.percent(percent, rounding)
    }
}

impl Kind {
    fn is_main(self) -> bool {
        matches!(self, Kind::Player | Kind::Banker | Kind::Tie)
    }

    /// The bonus wagers of the Ohio texts.
    fn is_bonus(self) -> bool {
        matches!(
            self,
            Kind::DragonBonusPlayer | Kind::DragonBonusBanker | Kind::Fortune7
        )
    }
}

/// Has the seat of this wager one of such a kind?
fn seat_has<B: Bet>(wagers: &[B], wager: &B, is: impl Fn(Kind) -> bool) -> bool {
    wagers
        .iter()
        .any(|other| other.seat() == wager.seat() && is(other.kind()))
}

fn pay(wager: &impl Bet, odds: Odds) -> Settled {
    let win = odds.win_on(wager.amount(), Rounding::DOWN);
    Settled::win(wager, win, Cents::ZERO)
}

/// `odds` are `None` where the edition has no such table; the wager is not offered there.
fn pay_if(won: bool, wager: &impl Bet, odds: Option<Odds>) -> Settled {
    match odds {
        Some(odds) if won => pay(wager, odds),
        Some(_) => Settled::lose(wager),
        None => Settled::void(wager),
    }
}
