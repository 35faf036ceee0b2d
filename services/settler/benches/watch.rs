//! What the watch costs an event: the same events settled with it and without.

use std::sync::{Arc, OnceLock};

use catwalk_events::Event;
use catwalk_floor::{Config, Floor, Happening};
use catwalk_rules::Rulebook;
use catwalk_settler::Settler;
use divan::Bencher;
use divan::counter::ItemsCount;

const ROUNDS: u64 = 10_000;
const TABLES: usize = 40;

fn main() {
    divan::main();
}

/// Of all games, so that every watcher has something to see.
fn events() -> &'static [Event] {
    static EVENTS: OnceLock<Vec<Event>> = OnceLock::new();
    EVENTS.get_or_init(|| {
        let config = Config {
            tables: TABLES,
            rounds: ROUNDS,
            ..Config::default()
        };
        let floor = Floor::open(config).expect("a floor");
        let events = floor.filter_map(|happening| match happening.expect("play") {
            Happening::Event(event) => Some(*event),
            _ => None,
        });
        events.collect()
    })
}

#[divan::bench(sample_count = 5)]
fn with_the_watch(bencher: Bencher<'_, '_>) {
    let rulebook = Arc::new(Rulebook::load().expect("the rulebook"));
    settle(bencher, &Settler::new(rulebook).expect("the watch"));
}

#[divan::bench(sample_count = 5)]
fn without_the_watch(bencher: Bencher<'_, '_>) {
    let rulebook = Arc::new(Rulebook::load().expect("the rulebook"));
    settle(
        bencher,
        &Settler::without_watch(rulebook).expect("the watch"),
    );
}

fn settle(bencher: Bencher<'_, '_>, settler: &Settler) {
    bencher
        .counter(ItemsCount::new(events().len()))
        .with_inputs(|| (settler.without_tables(), events().to_vec()))
        .bench_local_values(|(mut settler, events)| {
            for event in events {
                divan::black_box(settler.receive(event));
            }
        });
}
