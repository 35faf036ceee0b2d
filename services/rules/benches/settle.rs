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

/// The same rounds as JSON values, and told in the types of their game.
mod told {
    use catwalk_rules::games::{
        BigSix, Blackjack, CraplessCraps, Craps, Minibaccarat, Roulette, SicBo,
    };
    use catwalk_rules::{Game, Told, UNSEEN};
    use divan::Bencher;
    use divan::counter::ItemsCount;
    use serde::Serialize;
    use serde_json::Value;

    const GAMES: [&str; 7] = [
        "big_six",
        "blackjack",
        "crapless_craps",
        "craps",
        "minibaccarat",
        "roulette",
        "sic_bo",
    ];

    fn values(game: &str) -> Vec<Value> {
        let documents = super::documents(game).into_iter();
        // What nobody saw is read from no document.
        let documents = documents.filter(|document| !document.contains(UNSEEN));
        documents
            .map(|document| serde_json::from_str(&document).expect("JSON"))
            .collect()
    }

    #[divan::bench(args = GAMES)]
    fn as_values(bencher: Bencher<'_, '_>, game: &str) {
        let values = values(game);
        bencher.counter(ItemsCount::new(values.len())).bench(|| {
            for value in &values {
                divan::black_box(super::RULEBOOK.settle_value(value).expect("a good round"));
            }
        });
    }

    #[divan::bench(args = GAMES)]
    fn in_types(bencher: Bencher<'_, '_>, game: &str) {
        match game {
            "big_six" => told::<BigSix>(bencher, game),
            "blackjack" => told::<Blackjack>(bencher, game),
            "crapless_craps" => told::<CraplessCraps>(bencher, game),
            "craps" => told::<Craps>(bencher, game),
            "minibaccarat" => told::<Minibaccarat>(bencher, game),
            "roulette" => told::<Roulette>(bencher, game),
            _ => told::<SicBo>(bencher, game),
        }
    }

    fn told<G: Game<Wager: Clone + Sync, Play: Clone + Sync + Serialize>>(
        bencher: Bencher<'_, '_>,
        game: &str,
    ) {
        let values = values(game).into_iter().map(|mut value| {
            let edition = value["edition"].as_str().map(str::to_owned);
            let wagers: Vec<G::Wager> =
                serde_json::from_value(value["wagers"].take()).expect("parts of the game");
            let play: G::Play =
                serde_json::from_value(value["play"].take()).expect("parts of the game");
            (
                edition.expect("a name"),
                value["options"].take(),
                wagers,
                play,
            )
        });
        let values: Vec<_> = values.collect();
        bencher.counter(ItemsCount::new(values.len())).bench(|| {
            for (edition, options, wagers, play) in &values {
                let told = || {
                    let play = play.clone();
                    let was_seen = true;
                    Ok(Told { play, was_seen })
                };
                let names = (game, edition.as_str());
                let rulebook = &super::RULEBOOK;
                let settled = rulebook.settle_told::<G>(names, options, wagers.clone(), told);
                divan::black_box(settled.expect("a good round"));
            }
        });
    }
}
