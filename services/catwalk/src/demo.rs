//! `catwalk demo`: settles the sample rounds of every game and compares.

use catwalk_rules::Rulebook;
use catwalk_rules::floor::Cents;
use comfy_table::CellAlignment;

use crate::{Verdict, output, samples};

/// Settle the sample rounds of every game and compare with the settlements written beside them.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> anyhow::Result<Verdict> {
    let rulebook = Rulebook::load()?;
    let mut table = output::table(&[
        "game",
        "rounds",
        "wagers",
        "staked",
        "returned",
        "flagged",
        "as written",
    ]);
    let mut wrong = Vec::new();
    for game in rulebook.games() {
        let (mut rounds, mut wagers, mut flagged, mut as_written) = (0, 0, 0, 0);
        let (mut staked, mut returned) = (Cents::ZERO, Cents::ZERO);
        for sample in samples::of_game(game)?
            .iter()
            .filter(|sample| !sample.is_refused())
        {
            rounds += 1;
            let stakes = sample.document["wagers"].as_array().into_iter().flatten();
            staked += stakes
                .filter_map(|wager| wager["amount"].as_i64())
                .map(Cents::new)
                .sum();
            let settled = match rulebook.settle(&sample.document.to_string()) {
                Ok(settlement) => settlement,
                Err(refusal) => {
                    wrong.push(format!("{} / {}: {refusal}", game.name(), sample.name));
                    continue;
                }
            };
            wagers += sample.document["wagers"].as_array().map_or(0, Vec::len);
            returned += settled
                .wagers()
                .iter()
                .map(|wager| wager.returned)
                .sum::<Cents>();
            if let Some(pots) = settled.pots() {
                returned += pots.awards.iter().map(|award| award.amount).sum::<Cents>();
                returned += pots
                    .refunds
                    .iter()
                    .map(|refund| refund.amount)
                    .sum::<Cents>();
            }
            flagged += usize::from(settled.violations().iter().next().is_some());
            let mut expected = sample.settlement.clone();
            expected["game"] = game.name().into();
            if serde_json::to_value(&settled)? == expected {
                as_written += 1;
            } else {
                wrong.push(format!("{} / {}", game.name(), sample.name));
            }
        }
        table.add_row([
            game.name().to_owned(),
            rounds.to_string(),
            wagers.to_string(),
            staked.to_string(),
            returned.to_string(),
            flagged.to_string(),
            format!("{as_written} of {rounds}"),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!("rulebook {}", rulebook.hash());
    if wrong.is_empty() {
        println!("\nTry next:");
        println!("  catwalk rules                         the games");
        println!("  catwalk rules minibaccarat            one game in full");
        println!("  catwalk rules roulette --samples | catwalk settle");
        return Ok(Verdict::Fine);
    }
    wrong
        .iter()
        .for_each(|name| eprintln!("catwalk: does not settle as written: {name}"));
    Ok(Verdict::FoundWrong)
}
