//! Rounds per second, game by game, over each game's own sample rounds: reading the JSON alone,
//! reading it into a round, and settling it on top.
//!
//! `cargo bench -p catwalk-rules --bench settle`

use std::sync::LazyLock;

use catwalk_rules::Rulebook;
use divan::counter::ItemsCount;
use serde::Deserialize;
use serde_json::Value;

static RULEBOOK: LazyLock<Rulebook> = LazyLock::new(|| Rulebook::load().expect("a good rulebook"));

fn main() {
    divan::main();
}

#[derive(Deserialize)]
struct Example {
    document: Value,
    settlement: Value,
}

/// The documents of a game that settle.
fn documents(game: &str) -> Vec<String> {
    let game = RULEBOOK.game(game).expect("a game of the rulebook");
    let examples = game
        .examples()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    examples
        .filter(|example: &Example| example.settlement.get("error").is_none())
        .map(|example| example.document.to_string())
        .collect()
}

fn games() -> Vec<&'static str> {
    RULEBOOK.games().map(|game| game.name()).collect()
}

/// The baseline: any program that takes these documents must at least do this.
#[divan::bench(args = games())]
fn read_json(bencher: divan::Bencher<'_, '_>, game: &str) {
    let documents = documents(game);
    bencher.counter(ItemsCount::new(documents.len())).bench(|| {
        for document in &documents {
            divan::black_box(serde_json::from_str::<Value>(document).expect("JSON"));
        }
    });
}

/// Document in, settlement out.
#[divan::bench(args = games())]
fn read_and_settle(bencher: divan::Bencher<'_, '_>, game: &str) {
    let documents = documents(game);
    bencher.counter(ItemsCount::new(documents.len())).bench(|| {
        for document in &documents {
            divan::black_box(RULEBOOK.settle(document).expect("a good round"));
        }
    });
}

/// Where the time of a minibaccarat document goes: reading it, and settling the round that was read.
mod minibaccarat {
    use catwalk_rules::Loaded;
    use catwalk_rules::games::Minibaccarat;
    use catwalk_rules::round::Envelope;
    use divan::counter::ItemsCount;

    #[divan::bench]
    fn read(bencher: divan::Bencher<'_, '_>) {
        let game = Loaded::<Minibaccarat>::load().expect("a good data file");
        let documents = super::documents("minibaccarat");
        bencher.counter(ItemsCount::new(documents.len())).bench(|| {
            for document in &documents {
                let envelope = Envelope::read(document).expect("a document");
                divan::black_box(game.read(&envelope).expect("a good round"));
            }
        });
    }

    #[divan::bench]
    fn settle(bencher: divan::Bencher<'_, '_>) {
        let game = Loaded::<Minibaccarat>::load().expect("a good data file");
        let documents = super::documents("minibaccarat");
        let rounds: Vec<_> = documents
            .iter()
            .map(|document| {
                let envelope = Envelope::read(document).expect("a document");
                game.read(&envelope).expect("a good round")
            })
            .collect();
        bencher.counter(ItemsCount::new(rounds.len())).bench(|| {
            for round in &rounds {
                divan::black_box(game.settle(round).expect("a good round"));
            }
        });
    }
}
