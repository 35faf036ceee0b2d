//! Looks for ways to hide a mispay: takes honest streams of events, moves money against the rules with one edit,
//! covers it with another, and lists what nobody hears of.
//!
//! `cargo run --release -p catwalk-floor --example evade`
//! `cargo run --release -p catwalk-floor --example evade -- --games craps,poker --rounds 12 --seed 7`
//!
//! The first edit is of the money: a win that is paid too high or not at all, a loser that is paid, given back or
//! left alone, a winner or a push that is taken, a bet paid that nobody made, a commission, a rake or a pot of another
//! amount. The second is of anything: an event of every type put in at every kind of place, an irregularity in every
//! word that any game knows, an event left out or told when the round is over, a card that nobody saw, a payment under
//! another name, in another round or in none, or under a number that was sent before. A pair is silent when it raises
//! nothing of warn or above: what lies in quarantine is no finding. The exit status is 1 if a pair is.

mod search;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use catwalk_floor::GAMES;
use catwalk_rules::Rulebook;
use mimalloc::MiMalloc;
use search::{Depth, Search, words};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let asked = Asked::read(std::env::args().skip(1))?;
    let rulebook = Arc::new(Rulebook::load()?);
    let words = words(&rulebook);
    let (mut silent, mut tried) = (0, 0);
    for game in &asked.games {
        let mut search = Search::new(&rulebook, game, &asked.depth)?;
        search.run(&words, |_| false)?;
        let unheard: usize = search.silent.values().map(Vec::len).sum();
        let Depth {
            rounds,
            seed,
            every,
        } = asked.depth;
        println!(
            "{game}: {} tried, {} left alone, {unheard} silent (--rounds {rounds} --seed {seed} --every {every})",
            search.tried, search.boxed
        );
        search
            .told(asked.examples)
            .iter()
            .for_each(|line| println!("{line}"));
        silent += unheard;
        tried += search.tried;
    }
    println!("{silent} of {tried} are silent");
    Ok(ExitCode::from(u8::from(silent > 0)))
}

struct Asked {
    games: Vec<String>,
    depth: Depth,
    /// So many of each kind are shown.
    examples: usize,
}

impl Asked {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
        let mut asked = Asked {
            games: GAMES.iter().map(|&game| game.to_owned()).collect(),
            depth: Depth {
                rounds: 8,
                seed: 1,
                every: 1,
            },
            examples: 1,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--games" => asked.games = value.split(',').map(str::to_owned).collect(),
                "--rounds" => asked.depth.rounds = value.parse()?,
                "--seed" => asked.depth.seed = value.parse()?,
                "--every" => asked.depth.every = value.parse()?,
                "--examples" => asked.examples = value.parse()?,
                _ => return Err(format!("{name} is not an option of this example").into()),
            }
        }
        Ok(asked)
    }
}
