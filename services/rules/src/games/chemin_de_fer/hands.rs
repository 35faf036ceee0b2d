//! The counts of the two hands: what was drawn, who may use it, and what a misdeal makes of it.

use super::{Decision, Irregularity, Play};
use crate::floor::Card;
use crate::games::shared::baccarat::hands::{banker_draws, count, first_two, value};
use crate::refusal::Refusal;
use crate::settlement::Violations;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) player: u8,
    pub(super) banker: u8,
}

/// The counts that decide, from the cards as they were placed. Both hands need two cards.
pub(super) fn counts(play: &Play, violations: &mut Violations) -> Result<Counts, Refusal> {
    let deal = Deal::of(play)?;
    let all = |cards: &[Card]| count(cards.iter().copied());
    Ok(match play.irregularity {
        // 11(b): straight to settlement.
        Some(Irregularity::BankerExtraInitial) => Counts {
            player: all(&play.player),
            banker: 0,
        },
        // 11(c): the Player hand is final, the Banker's cards count as recorded.
        Some(Irregularity::PlayerThreeInitial) => Counts {
            player: best_of_two_or_three(deal.player, deal.player_more.first().copied()),
            banker: all(&play.banker),
        },
        _ => deal.counts(violations),
    })
}

/// Refuses an irregularity that the cards contradict.
pub(super) fn check_irregularity(play: &Play) -> Result<(), Refusal> {
    let Some(irregularity) = play.irregularity else {
        return Ok(());
    };
    let misfit = irregularity.misfit(play.player.len(), play.banker.len());
    let is_idle = || irregularity == Irregularity::InsufficientCards && is_complete(play);
    match misfit.or_else(|| is_idle().then_some("no card is missing")) {
        Some(what) => Err(Refusal::at("play.irregularity", what)),
        None => Ok(()),
    }
}

impl Play {
    /// Do the cards contradict what was told to be irregular? Nobody can say where a card that was not seen decides
    /// it.
    pub fn is_contradicted(&self) -> bool {
        let is_seen = |cards: &[Card]| cards.iter().all(|card| *card != Card::UNSEEN);
        self.irregularity.is_some_and(|irregularity| {
            let misfit = irregularity.misfit(self.player.len(), self.banker.len());
            let was_seen = is_seen(&self.player) && is_seen(&self.banker);
            misfit.is_some() || was_seen && check_irregularity(self).is_err()
        })
    }
}

impl Irregularity {
    /// What so many cards would have to be. 11(b)-(d)
    fn misfit(self, player: usize, banker: usize) -> Option<&'static str> {
        match self {
            Irregularity::BankerExtraInitial if banker < 3 || !(2..=3).contains(&player) => {
                Some("the Banker has three cards or more then, and the Player two or three")
            }
            Irregularity::PlayerThreeInitial if player != 3 || !(2..=3).contains(&banker) => {
                Some("the Player has exactly three cards then, and the Banker two or three")
            }
            Irregularity::BankerTwoThird if banker != 4 => {
                Some("the Banker has exactly four cards then")
            }
            _ => None,
        }
    }
}

/// Did both hands get every card that was due? Whether the Player had to have one on five, only he can say.
fn is_complete(play: &Play) -> bool {
    let Ok(deal) = Deal::of(play) else {
        return false;
    };
    let (player, banker) = (count(deal.player), count(deal.banker));
    let is_open = player == 5 && banker < 8 && deal.player_more.is_empty();
    let mut violations = Violations::default();
    deal.counts(&mut violations);
    let missing = [
        "chemin.player_missing_third_card",
        "chemin.banker_missing_third_card",
    ];
    let is_missing = missing.iter().any(|code| violations.contains(code));
    !is_missing && (deal.decision.is_some() || !is_open)
}

/// The initial four cards and what came after them.
struct Deal<'a> {
    player: [Card; 2],
    player_more: &'a [Card],
    banker: [Card; 2],
    banker_more: &'a [Card],
    decision: Option<Decision>,
    /// 11(d): two cards instead of one after the initial deal.
    banker_took_two: bool,
}

impl Deal<'_> {
    fn of(play: &Play) -> Result<Deal<'_>, Refusal> {
        let (player, player_more) = first_two(&play.player, "play.player", "play.irregularity")?;
        let (banker, banker_more) = first_two(&play.banker, "play.banker", "play.irregularity")?;
        Ok(Deal {
            player,
            player_more,
            banker,
            banker_more,
            decision: play.decision,
            banker_took_two: play.irregularity == Some(Irregularity::BankerTwoThird),
        })
    }

    fn counts(&self, violations: &mut Violations) -> Counts {
        let (player, banker) = (count(self.player), count(self.banker));
        let decision = self.decision.unwrap_or_else(|| self.usual_decision(player));
        violations.add_if(!is_allowed(decision, player), "chemin.illegal_decision");

        let natural = player >= 8 || banker >= 8;
        let entitled = decision == Decision::Card && player <= 5 && !natural;
        let bound = player <= 4 && !natural;
        violations.add_if(
            bound && decision != Decision::Card,
            "chemin.player_missing_third_card",
        );

        let mut player_card = self.player_more.first().copied();
        let mut banker_more = self.banker_more.iter().copied();
        if entitled && player_card.is_none() && !self.banker_took_two {
            // 11(i): what the Banker drew for himself while "Card" stood is the Player's.
            player_card = banker_more.next();
            violations.add_if(player_card.is_some(), "chemin.banker_took_player_card");
        }
        let (third, stray) = match entitled {
            true => (player_card, None),
            false => (None, player_card),
        };
        violations.add_if(
            entitled && third.is_none(),
            "chemin.player_missing_third_card",
        );
        violations.add_if(stray.is_some(), "chemin.player_drew_in_error");
        violations.add_if(self.player_more.len() > 1, "chemin.too_many_cards");

        let must_draw = !natural && banker_draws(banker, third);
        let banker = if self.banker_took_two && must_draw {
            lowest_of_two(self.banker.iter().chain(self.banker_more))
        } else {
            // 11(e),(f): a card dealt after "Stay" is the Banker's if he must draw. 11(g),(h): of two cards that he
            // took instead of none, neither is his.
            let given = stray.filter(|_| must_draw && decision == Decision::Stay);
            let drawn = banker_third(must_draw, given, banker_more, violations);
            count(self.banker.into_iter().chain(drawn))
        };
        let player = count(self.player.into_iter().chain(third));
        Counts { player, banker }
    }

    /// What the Dominant Player must have said, where the document does not tell.
    fn usual_decision(&self, count: u8) -> Decision {
        match count {
            0..=4 => Decision::Card,
            5 if self.player_more.is_empty() => Decision::Stay,
            5 => Decision::Card,
            6 | 7 => Decision::Stay,
            _ => Decision::Natural,
        }
    }
}

/// 8(a): only on five is there a choice.
fn is_allowed(decision: Decision, count: u8) -> bool {
    match decision {
        Decision::Card => count <= 5,
        Decision::Stay => (5..=7).contains(&count),
        Decision::Natural => count >= 8,
    }
}

/// The Banker's third card: `given` to him, or the first that he drew.
fn banker_third(
    must_draw: bool,
    given: Option<Card>,
    mut drawn: impl Iterator<Item = Card>,
    violations: &mut Violations,
) -> Option<Card> {
    let own = drawn.next();
    if !must_draw || given.is_some() {
        violations.add_if(own.is_some(), "chemin.banker_drew_in_error");
        return given;
    }
    violations.add_if(own.is_none(), "chemin.banker_missing_third_card");
    violations.add_if(drawn.next().is_some(), "chemin.too_many_cards");
    own
}

/// 11(c): the highest count of any two of the cards, or of all three.
fn best_of_two_or_three([first, second]: [Card; 2], third: Option<Card>) -> u8 {
    let two = count([first, second]);
    let Some(third) = third else {
        return two;
    };
    two.max(count([first, third]))
        .max(count([second, third]))
        .max(count([first, second, third]))
}

/// 11(d): the lowest count of any two of the cards.
fn lowest_of_two<'a>(cards: impl Iterator<Item = &'a Card>) -> u8 {
    let mut of_value = [0usize; 10];
    for &card in cards {
        of_value[usize::from(value(card))] += 1;
    }
    // Two different values, or one that is there twice.
    let both_there = |one: u8, other: u8| {
        let needed = 1 + usize::from(one == other);
        of_value[usize::from(one)] >= needed && of_value[usize::from(other)] >= 1
    };
    (0..10)
        .flat_map(|one| (one..10).map(move |other| (one, other)))
        .filter(|&(one, other)| both_there(one, other))
        .map(|(one, other)| (one + other) % 10)
        .min()
        .unwrap_or(0)
}
