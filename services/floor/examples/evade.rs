//! Looks for ways to hide a mispay: takes honest streams of events, moves money against the rules with one edit,
//! covers it with another, and lists what nobody hears of.
//!
//! `cargo run --release -p catwalk-floor --example evade`
//! `cargo run --release -p catwalk-floor --example evade -- --games craps,poker --rounds 12 --seed 7`
//!
//! The first edit is of the money: a win that is paid too high or not at all, a loser that is paid, given back or
//! left alone, a winner or a push that is taken, a bet paid that nobody made, a commission, a rake or a pot of another
//! amount, a bet that is made, raised, lowered or taken down when the result is known. The second is of anything: an
//! event of every type put in at every kind of place, an irregularity in every word that any game knows, an event left
//! out or told when the round is over, a card that nobody saw, a payment under another name, in another round or in
//! none, or under a number that was sent before. Besides, every event of the stream, of this round, of another and of
//! the table, is left out, told twice, told elsewhere, and has each of its fields changed, alone and with money moved
//! (`--change`, `--each` and `--kinds` say of how many).
//!
//! What raises nothing of warn or above is silent: what lies in quarantine is no finding. But where every round is
//! judged, every wager was given what was due and all chips are in a judgement, the stream is as true as the honest
//! one; and what hangs on a card that nobody saw is counted apart, as `statistics.unseen` counts it. The exit status is
//! 1 if one is silent.

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
        let (mut by_part, mut before) = (Vec::new(), 0);
        let mut count = |name: &str, tried: usize| {
            by_part.push(format!("{} {name}", tried - before));
            before = tried;
        };
        if asked.change > 0 {
            search.change(asked.change)?;
        }
        count("of one event", search.tried);
        search.run(&words, |_| false)?;
        count("of money and one more event", search.tried);
        if asked.each > 0 {
            search.cover(asked.each, asked.kinds)?;
        }
        count("of money and one changed event", search.tried);
        let unheard: usize = search.silent.values().map(Vec::len).sum();
        let Depth {
            rounds,
            seed,
            every,
        } = asked.depth;
        println!(
            "{game}: {} tried ({}), {} left alone, {} as true, {} open, {unheard} silent \
             (--rounds {rounds} --seed {seed} --every {every} --change {} --each {} --kinds {})",
            search.tried,
            by_part.join(", "),
            search.boxed,
            search.true_stories.values().sum::<usize>(),
            search.open,
            asked.change,
            asked.each,
            asked.kinds
        );
        if asked.true_stories {
            for ((how, cover), times) in &search.true_stories {
                println!("  as true: {how}, covered by {cover}: {times}");
            }
        }
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
    /// Of all changes of one event, every so many is tried; 0 for none.
    change: usize,
    /// Of each kind of money moved and each kind of change of another event, so many are tried.
    each: usize,
    /// Of those kinds every so many is tried.
    kinds: usize,
    /// Are those shown that are as true as the honest stream?
    true_stories: bool,
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
            change: 1,
            each: 1,
            kinds: 1,
            true_stories: false,
        };
        while let Some(name) = arguments.next() {
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--games" => asked.games = value.split(',').map(str::to_owned).collect(),
                "--rounds" => asked.depth.rounds = value.parse()?,
                "--seed" => asked.depth.seed = value.parse()?,
                "--every" => asked.depth.every = value.parse()?,
                "--change" => asked.change = value.parse()?,
                "--kinds" => asked.kinds = value.parse()?,
                "--each" => asked.each = value.parse()?,
                "--true" => asked.true_stories = value.parse()?,
                "--examples" => asked.examples = value.parse()?,
                _ => return Err(format!("{name} is not an option of this example").into()),
            }
        }
        Ok(asked)
    }
}
