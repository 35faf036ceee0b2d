//! What can happen in each game, and how often.

mod baccarat;
mod basic_strategy;
mod blackjack;
mod craps;
mod drawn;
mod fire;
mod own_cards;
mod red_dog;
mod showdown;
mod streets;
mod stud;
mod texas_bonus;
mod twenty_one;
mod ultimate;
mod wheels;

use catwalk_rules::book::WagerEntry;

use crate::OddsError;
use crate::felt::Felt;
use crate::kept;
use crate::sheet::{Line, merged};

pub use drawn::{Drawn, State, draw, kept_draws};
pub(crate) use showdown::Results;

/// The lines of a game. What it has no line for is said to be not computed.
pub(crate) fn lines(felt: &Felt<'_>, long: bool) -> Result<Vec<Line>, OddsError> {
    let lines = match felt.game() {
        "roulette" => wheels::roulette(felt)?,
        "big_six" => wheels::big_six(felt)?,
        "sic_bo" => wheels::sic_bo(felt)?,
        "craps" | "crapless_craps" => craps::lines(felt)?,
        "baccarat" | "midibaccarat" | "minibaccarat" | "dragon_bonus_baccarat_commission_free" => {
            baccarat::lines(felt)?
        }
        "chemin_de_fer" => baccarat::chemin_de_fer(felt)?,
        "blackjack" => {
            let mut lines = twenty_one::lines(felt)?;
            lines.extend(blackjack::sides(felt)?);
            lines
        }
        "red_dog" => red_dog::lines(felt)?,
        "three_card_poker" | "four_card_poker" | "crazy_four_poker" | "caribbean_stud"
        | "dj_wild" | "let_it_ride" | "double_down_stud" | "mississippi_stud" => {
            stud_lines(felt, long)?
        }
        "ultimate_texas_holdem" => ultimate::lines(felt)?,
        "texas_holdem_bonus" => texas_bonus::lines(felt)?,
        _ => Vec::new(),
    };
    Ok(merged(lines))
}

/// The lines of a stud game.
fn stud_lines(felt: &Felt<'_>, long: bool) -> Result<Vec<Line>, OddsError> {
    let spread = match (felt.game(), stud::showdown(felt)) {
        (_, Some(game)) if stud::is_long(felt.game()) && !long => {
            match kept::results(felt.game(), felt.edition(), felt.hash(), felt.is_as_filed()) {
                Ok(results) => {
                    // The settlement is asked once, so that options it objects to are told.
                    stud::ask(felt, &game)?;
                    Ok(showdown::spread(&results))
                }
                Err(why) => Err(why),
            }
        }
        (_, Some(game)) => Ok(showdown::spread(&showdown::best_play(felt, &game, None)?)),
        ("let_it_ride", _) => Ok(streets::ride(felt)?),
        ("double_down_stud", _) => Ok(streets::double_down(felt)?),
        _ => Ok(streets::streets(felt)?),
    };
    let mut lines = stud::main_lines(felt, spread);
    lines.extend(stud::sides(felt)?);
    Ok(lines)
}

/// The enumerations of a game's main wager that take long, made anew: all of it, or its rarest hands.
pub(crate) fn enumerate(felt: &Felt<'_>, rarest: bool) -> Result<Option<Results>, OddsError> {
    let Some(game) = stud::showdown(felt).filter(|_| stud::is_long(felt.game())) else {
        return Ok(None);
    };
    let rare = stud::rarest(&game);
    let only = rarest.then_some(&rare[..]);
    showdown::best_play(felt, &game, only).map(Some)
}

/// Why a wager of a game that has no line is not computed.
pub(crate) fn why_not(game: &str, wager: &WagerEntry) -> &'static str {
    match game {
        "poker" => "players play against each other, and the house takes a rake",
        _ if wager.meter.is_some() => "it pays shares of a meter, which is worth what it shows",
        "spanish_21" | "free_bet_blackjack" if wager.kind == "main" => {
            "the best play depends on every card that is gone, and no strategy is declared here"
        }
        _ => "it is not enumerated",
    }
}
