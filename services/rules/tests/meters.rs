//! No reading, no share: what a meter showed cannot be made up.
//!
//! Every sample round with a meter is settled again with the reading taken out, and with `null` in its place, as the
//! events of a table write a meter that nobody told of.

#![allow(clippy::unwrap_used)]

use catwalk_rules::{Rulebook, Settled, Verdict};
use serde_json::Value;

/// The sample rounds that are settled, with the names of their meters.
fn samples(rulebook: &Rulebook) -> Vec<(Value, String)> {
    let mut samples = Vec::new();
    for line in rulebook.games().flat_map(|game| game.examples().lines()) {
        let document = serde_json::from_str::<Value>(line).unwrap()["document"].take();
        let Some(meters) = document["play"]["meters"].as_object() else {
            continue;
        };
        if rulebook.settle_value(&document).is_ok() {
            let read = meters.iter().filter(|(_, shown)| !shown.is_null());
            samples.extend(read.map(|(name, _)| (document.clone(), name.clone())));
        }
    }
    samples
}

/// What hangs on the reading is open and says so; everything else is as it was.
fn is_open_by(place: &str, was: &Settled, is: &Settled) -> Result<bool, String> {
    let is_open = is.result == Verdict::Open && was.result != Verdict::Open;
    match is_open {
        false if was == is => Ok(false),
        true if is.hangs_on == [place] => Ok(true),
        _ => Err(format!("{was:?}\n  without the reading {is:?}")),
    }
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_or_open() {
    let rulebook = Rulebook::load().unwrap();
    let (mut wrong, mut shares) = (Vec::new(), 0);
    for (document, meter) in samples(&rulebook) {
        let place = format!("play.meters.{meter}");
        let was = rulebook.settle_value(&document).unwrap();
        let mut unread = document.clone();
        unread["play"]["meters"][&meter] = Value::Null;
        let open = rulebook
            .settle_value(&unread)
            .map_err(|why| why.to_string());
        let wagers = open.and_then(|is| {
            let pairs = was.wagers().iter().zip(is.wagers());
            pairs
                .map(|(was, is)| is_open_by(&place, was, is))
                .collect::<Result<Vec<_>, _>>()
        });
        let wagers = match wagers {
            Ok(wagers) => wagers,
            Err(why) => {
                wrong.push(format!("{document}\n  {why}"));
                continue;
            }
        };
        let has_share = wagers.contains(&true);
        shares += usize::from(has_share);
        let meters = unread["play"]["meters"].as_object_mut().unwrap();
        meters.remove(&meter);
        match rulebook.settle_value(&unread) {
            Err(refusal) if has_share && refusal.place() == place => {}
            Ok(is) if !has_share && is == was => {}
            other => wrong.push(format!("{document}\n  without {place}: {other:?}")),
        }
    }
    assert!(shares > 10, "{shares} rounds have a share");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
