//! A simulated floor in front of the desk: nothing that was done wrong is missing from the queue, and an honest
//! floor wakes nobody.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use catwalk_desk::{Desk, Incident, Priorities, Priority, Status};
use catwalk_events::audit::Finding;
use catwalk_floor::score::Alarm;
use catwalk_floor::{Config, Floor, Happening, Label};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};

/// Loaded once for all tests.
static RULEBOOK: LazyLock<Arc<Rulebook>> = LazyLock::new(|| Arc::new(Rulebook::load().unwrap()));

/// Plays a floor: what was found, and what was done wrong.
fn play(config: Config) -> (Vec<Finding>, Vec<Label>) {
    let mut settler = Settler::new(RULEBOOK.clone()).unwrap();
    let (mut findings, mut labels) = (Vec::new(), Vec::new());
    let mut take = |outputs: Vec<Output>| {
        for output in outputs {
            if let Output::Finding(finding) = output {
                findings.push(*finding);
            }
        }
    };
    for happening in Floor::under(RULEBOOK.clone(), config).unwrap() {
        match happening.unwrap() {
            Happening::Event(event) => take(settler.receive(*event)),
            Happening::Fault(label) => labels.push(*label),
            Happening::Garbled(_) | Happening::Round(_) => {}
        }
    }
    take(settler.finish());
    (findings, labels)
}

fn heard(findings: &[Finding]) -> Desk {
    let (mut desk, room) = (Desk::default(), Priorities::default());
    for finding in findings {
        desk.hear(finding, finding.at, &room);
    }
    desk
}

/// Whether the desk has shown a finding: its incident is open, or was put right within its grace and says so.
fn is_shown(finding: &Finding, one: &Incident, findings: &[Finding]) -> bool {
    let mut healed = findings.iter().filter(|other| {
        let after = other.at.micros() - finding.at.micros();
        other.resolves.as_ref() == Some(&finding.id) && after <= 10_000_000
    });
    let closed_by_itself = one.status == Status::Resolved;
    one.is_open()
        || closed_by_itself && (healed.next().is_some() || one.priority >= Priority::Three)
}

/// What the rules permit, though somebody calls it a fault.
const PERMITTED: [&str; 2] = ["wager.over_max", "progressive.deferred_no_id"];

/// Whether a single one of such faults is found; others show in reports, or in many outcomes.
fn is_certain(label: &Label) -> bool {
    !label.codes.is_empty() && label.strength_per_mille.is_none()
}

#[test]
fn none_of_what_was_done_wrong_is_missing_from_the_queue() {
    let (findings, labels) = play(Config {
        seed: 33,
        tables: 60,
        rounds: 5_000,
        faults_per_mille: 50,
        ..Config::default()
    });
    let desk = heard(&findings);
    let of_finding: HashMap<&str, &Incident> = desk
        .incidents()
        .flat_map(|one| {
            one.findings
                .iter()
                .map(move |part| (&*part.finding.id, one))
        })
        .collect();
    let (mut wanted, mut permitted, mut missing) = (0, 0, Vec::new());
    for label in labels.iter().filter(|label| is_certain(label)) {
        let told = findings
            .iter()
            .filter(|finding| label.is_told_by(&Alarm::from(*finding)));
        let told: Vec<&Finding> = told.collect();
        // What the rules permit is no alert, whoever calls it a fault.
        let is_permitted = |finding: &&Finding| PERMITTED.contains(&&*finding.code);
        if !told.is_empty() && told.iter().all(is_permitted) {
            permitted += 1;
            continue;
        }
        wanted += 1;
        let is_there = |finding: &&Finding| {
            let one = of_finding.get(&*finding.id);
            one.is_some_and(|one| is_shown(finding, one, &findings))
        };
        // One that nobody has found is missing too.
        if !told.iter().any(is_there) {
            missing.push((label, told));
        }
    }
    assert!(
        missing.is_empty(),
        "{} are missing: {:#?}",
        missing.len(),
        missing.first()
    );
    let (open, all) = (desk.queue(), desk.incidents().count());
    let alerts: u64 = desk.incidents().map(|one| one.count).sum();
    let (faults, found, closed) = (labels.len(), findings.len(), all - open.len());
    println!(
        "{faults} faults, {wanted} in the queue, {permitted} permitted; {found} findings, {alerts} alerts"
    );
    println!("{all} incidents, {closed} of them closed by themselves");
    println!("{:.2} alerts an incident", alerts as f64 / all as f64);
    for priority in Priority::ALL {
        let count = open.iter().filter(|one| one.priority == priority).count();
        println!("priority {priority}: {count}");
    }
    assert!(wanted > 120, "{wanted}");
    let for_reports = labels.iter().filter(|label| !is_certain(label)).count();
    assert_eq!(wanted + permitted + for_reports, faults);
    assert!(permitted * 20 < faults, "{permitted} are the exception");
    assert!(closed * 10 < all, "what closes by itself is the exception");
}

#[test]
fn an_honest_floor_with_noise_wakes_nobody() {
    let (findings, labels) = play(Config {
        seed: 34,
        tables: 60,
        rounds: 4_000,
        noise_per_mille: 100,
        ..Config::default()
    });
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for label in &labels {
        *kinds.entry(label.kind.name()).or_default() += 1;
    }
    println!("what the noise does to the feed: {kinds:?}");
    assert!(
        findings.len() > 100,
        "there was no noise: {}",
        findings.len()
    );
    let desk = heard(&findings);
    for incident in desk.queue().iter().take(3) {
        println!(
            "{} {:?} {}",
            incident.priority, incident.codes, incident.headline
        );
    }
    let pressing: Vec<_> = desk
        .incidents()
        .filter(|one| one.priority <= Priority::Two)
        .collect();
    println!(
        "{} findings, {} incidents",
        findings.len(),
        desk.incidents().count()
    );
    assert!(pressing.is_empty(), "{:#?}", pressing.first());
}
