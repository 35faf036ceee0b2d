//! What every home of the log promises, tried on each.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod crash;
mod embedded;
mod kafka;
mod suite;

use std::env;
use std::hash::{BuildHasher, RandomState};

/// The seed of a test that takes its chances. `CATWALK_SEED` repeats a run.
pub(crate) fn seed() -> u64 {
    let seed = match env::var("CATWALK_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => RandomState::new().hash_one(0),
    };
    println!("CATWALK_SEED={seed}");
    seed
}

/// One test for each promise of the suite, on the home that `home` gives.
macro_rules! promises {
    ($home:expr; $($promise:ident)*) => {
        $(
            #[test]
            fn $promise() {
                crate::suite::$promise(&$home);
            }
        )*
    };
}

macro_rules! all_promises {
    ($home:expr) => {
        crate::promises! { $home;
            topics_keep_their_number_of_partitions
            a_record_comes_back_as_it_was_sent
            a_key_keeps_its_order
            a_key_goes_where_murmur2_says
            a_reader_begins_at_any_offset
            a_reader_waits_for_what_comes
            a_commit_is_there_as_a_whole
            what_is_committed_is_read_when_its_end_is_decided
            a_failed_commit_leaves_nothing
            what_was_not_committed_comes_again
            only_who_holds_a_partition_commits_it
            the_latest_state_is_restored
            two_workers_share_and_one_takes_over
            a_namesake_takes_the_place
            workers_come_and_go
        }
    };
}

pub(crate) use all_promises;
pub(crate) use promises;
