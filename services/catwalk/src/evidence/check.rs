//! A bundle is held against the key of the house: no archive, no network.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use catwalk_archive::{TABLES, trusted_keys};
use catwalk_proof::spicy::LeafProof;
use catwalk_proof::{Commitment, Note, Salt, VerifyingKey};
use catwalk_rules::Rulebook;
use serde_json::{Value, json};

use super::bundle::Bundle;
use super::{KEYS, MANIFEST, REPORT, data, made_by, report, rules};
use crate::Verdict;
use crate::verify::unchanged;

/// What a bundle shows.
struct Shown {
    /// Which rounds it is about.
    subject: String,
    rows: usize,
    keys: Vec<VerifyingKey>,
    /// What is left to say of the rounds that were settled again.
    settled: Vec<String>,
}

/// How what is told of a bundle begins that lacks something.
const INCOMPLETE: &str = "INCOMPLETE";

impl Shown {
    fn is_incomplete(&self) -> bool {
        self.settled.iter().any(|told| told.starts_with(INCOMPLETE))
    }
}

pub(crate) fn check(
    path: &Path,
    trusted: &[VerifyingKey],
    as_json: bool,
) -> anyhow::Result<Verdict> {
    // Another file was not changed: it is another file.
    anyhow::ensure!(
        Bundle::is_like(path)?,
        "{} is no evidence bundle: name one, or the folder of an archive",
        path.display()
    );
    let shown = Bundle::read(path).and_then(|bundle| verify(&bundle, trusted));
    let mut out = io::stdout().lock();
    if as_json {
        let told = match &shown {
            Ok(shown) => json!({
                "verdict": if shown.is_incomplete() { "incomplete" } else { "unchanged" },
                "about": shown.subject, "rows": shown.rows,
                "keys": shown.keys.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "settled_again": shown.settled, "key_from_elsewhere": !trusted.is_empty(),
            }),
            Err(error) => json!({"verdict": "changed", "first": {"what": format!("{error:#}")}}),
        };
        writeln!(out, "{told}")?;
    } else {
        match &shown {
            Ok(shown) => tell(&mut out, shown, trusted)?,
            Err(error) => writeln!(out, "CHANGED: {error:#}")?,
        }
    }
    Ok(match shown {
        Ok(shown) if !shown.is_incomplete() => Verdict::Fine,
        _ => Verdict::FoundWrong,
    })
}

fn tell(out: &mut impl Write, shown: &Shown, trusted: &[VerifyingKey]) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} rows, each under a signed head",
        shown.subject, shown.rows
    )?;
    for settled in &shown.settled {
        writeln!(out, "{settled}")?;
    }
    let key = shown
        .keys
        .last()
        .map(ToString::to_string)
        .unwrap_or_default();
    match trusted {
        [] => writeln!(
            out,
            "The key is the bundle's own word; compare it with the one that you were given:\n  {key}"
        )?,
        _ => writeln!(out, "Signed by {key}")?,
    }
    let holds = unchanged(!trusted.is_empty(), false);
    match shown.is_incomplete() {
        true => writeln!(out, "It is incomplete. Of what is in it: {holds}"),
        false => writeln!(out, "{holds}"),
    }
}

fn verify(bundle: &Bundle, trusted: &[VerifyingKey]) -> anyhow::Result<Shown> {
    let notes = Note::read_all(bundle.text(KEYS)?).context(KEYS)?;
    let keys = trusted_keys(&notes, trusted).context(KEYS)?;
    bundle.check(&keys)?;
    let manifest: Value = serde_json::from_str(bundle.text(MANIFEST)?).context(MANIFEST)?;
    let rounds = manifest["rounds"].as_array().into_iter().flatten();
    let rounds: Vec<&str> = rounds.filter_map(Value::as_str).collect();
    let subject = match rounds.as_slice() {
        [] => anyhow::bail!("the manifest names no round"),
        [round] => format!("Round {round}"),
        rounds => format!("{} rounds", rounds.len()),
    };
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut count = 0;
    for (name, bytes) in &bundle.files {
        let table = name
            .strip_prefix("rows/")
            .and_then(|name| name.strip_suffix(".jsonl"));
        let Some(table) = table else { continue };
        let lines = std::str::from_utf8(bytes).with_context(|| name.clone())?;
        for (at, line) in lines.lines().enumerate() {
            let place = || format!("{name}, line {}", at + 1);
            let row = check_row(bundle, table, line, &keys).with_context(place)?;
            rows.entry(table.to_owned()).or_default().push(row);
            count += 1;
        }
    }
    let counted = manifest["rows"].as_object().into_iter().flatten();
    for (table, said) in counted {
        let there = rows.get(table).map_or(0, Vec::len);
        let said = said.as_u64().unwrap_or_default();
        anyhow::ensure!(
            said == there as u64,
            "{said} rows of {table} were put in, {there} are there"
        );
    }
    // A bundle without any row would be whole, and would show nothing.
    anyhow::ensure!(count > 0, "there is no row in it: it proves nothing");
    check_parts(bundle, &rows)?;
    let mut settled = settle_again(&rules::rulebook(bundle)?, &rows)?;
    settled.extend(check_report(bundle, &manifest, &rows)?);
    Ok(Shown {
        subject,
        rows: count,
        keys,
        settled,
    })
}

/// What stands in other parts is what the proven rows say: nobody is shown a document or a list that is not.
fn check_parts(bundle: &Bundle, rows: &BTreeMap<String, Vec<Value>>) -> anyhow::Result<()> {
    let mut expected: BTreeMap<String, String> = BTreeMap::new();
    for (table, rows) in rows {
        expected.insert(format!("data/{table}.csv"), data::csv(rows));
    }
    for round in rows.get("rounds").into_iter().flatten() {
        if let (Some(id), Some(document)) = (round["round"].as_str(), round["document"].as_str()) {
            expected.insert(format!("documents/{id}.json"), document.to_owned());
        }
    }
    for name in bundle.files.keys() {
        let is_of_rows = ["data/", "documents/"]
            .iter()
            .any(|folder| name.starts_with(folder));
        let is_there = expected.contains_key(name);
        anyhow::ensure!(
            !is_of_rows || is_there,
            "no row of the bundle says what {name} says"
        );
    }
    for (name, text) in &expected {
        anyhow::ensure!(
            bundle.text(name)? == text,
            "{name} is not what the rows say"
        );
    }
    Ok(())
}

/// The page is made again from the rows. Another version would write it in other words, which are then the house's.
fn check_report(
    bundle: &Bundle,
    manifest: &Value,
    rows: &BTreeMap<String, Vec<Value>>,
) -> anyhow::Result<Option<String>> {
    if manifest["made_by"] != made_by() {
        return Ok(Some(format!(
            "report.html was written by {}: it is signed, and its words were not compared with the rows",
            manifest["made_by"].as_str().unwrap_or("another program")
        )));
    }
    let known = TABLES
        .iter()
        .filter_map(|table| Some((table.name, rows.get(table.name)?.clone())));
    let page = report::html(manifest, &known.collect());
    anyhow::ensure!(
        bundle.text(REPORT)? == page,
        "{REPORT} is not the page that {} writes from these rows",
        made_by()
    );
    Ok(None)
}

/// A row, if it is in the tree that the house has signed.
fn check_row(
    bundle: &Bundle,
    table: &str,
    line: &str,
    keys: &[VerifyingKey],
) -> anyhow::Result<Value> {
    let line: Value = serde_json::from_str(line)?;
    let row = line["row"].as_str().context("no row")?;
    let lane = line["lane"].as_u64().context("no lane")?;
    let name = line["proof"].as_str().context("no proof")?;
    let proof = LeafProof::read(bundle.text(name)?).with_context(|| name.to_owned())?;
    let salt = proof.extra.as_deref().and_then(|salt| salt.try_into().ok());
    let salt = Salt(salt.context("the proof has no salt")?);
    let leaf = Commitment::new(salt, table, row.as_bytes()).leaf();
    let mut failed = None;
    for key in keys.iter().rev() {
        let key = key.named(&format!("{}/{lane:03}", key.name()))?;
        match proof.verify(leaf, &key, &[]) {
            Ok(_) => return Ok(serde_json::from_str(row)?),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        Some(error) => Err(error.into()),
        None => anyhow::bail!("there is no key"),
    }
}

/// Wagers that a document has and no row tells of.
fn without_row(round: &Value, document: &str, wagers: &[Value]) -> Vec<String> {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let ids = document["wagers"].as_array().into_iter().flatten();
    let ids = ids.map(|wager| &wager["id"]);
    let lacks = |id: &&Value| {
        let mut rows = wagers.iter();
        !rows.any(|row| row["round"] == round["round"] && row["wager"] == **id)
    };
    let told = ids.filter(lacks).map(|id| {
        let round = round["round"].as_str().unwrap_or_default();
        format!(
            "{INCOMPLETE}: the document of {round} has wager {id}, and no row of it is in the bundle: it was left out, \
             or erased by law"
        )
    });
    told.collect()
}

/// Settles the documents again and holds the wagers against what the archive says was due.
pub(super) fn settle_again(
    rulebook: &Rulebook,
    rows: &BTreeMap<String, Vec<Value>>,
) -> anyhow::Result<Vec<String>> {
    let mut told = Vec::new();
    let none = Vec::new();
    for round in rows.get("rounds").unwrap_or(&none) {
        let id = round["round"].as_str().unwrap_or_default();
        let Some(document) = round["document"].as_str() else {
            told.push(format!(
                "{id} has no document: it was not judged, and is not settled again"
            ));
            continue;
        };
        let game = round["game"].as_str().unwrap_or_default();
        let edition = round["edition"].as_str().unwrap_or_default();
        let hash = rulebook
            .game_in(game, edition)
            .map(|game| game.book().hash().to_owned());
        if round["rules"].is_null() {
            told.push(format!("{id} was not judged, and is not settled again"));
            continue;
        }
        told.extend(without_row(
            round,
            document,
            rows.get("wagers").unwrap_or(&none),
        ));
        if hash.ok().as_deref() != round["rules"].as_str() {
            told.push(format!(
                "{id} was judged by rules that this version does not have: it is not settled again"
            ));
            continue;
        }
        let settled = rulebook.settle(document);
        let settled = settled.with_context(|| format!("{id} cannot be settled again"))?;
        let settled = serde_json::to_value(&settled)?;
        let settled = settled["wagers"].as_array().cloned().unwrap_or_default();
        let of_round = |row: &&Value| row["round"] == round["round"];
        for row in rows.get("wagers").unwrap_or(&none).iter().filter(of_round) {
            let wager = &row["wager"];
            let again = settled.iter().find(|again| again["id"] == *wager);
            let again =
                again.with_context(|| format!("{id}: the document has no wager {wager}"))?;
            let same =
                again["result"] == row["result"] && again["returned"] == row["returned_cents"];
            anyhow::ensure!(
                same,
                "{id}: wager {wager} settles to {} with {} back, the archive says {} with {}",
                again["result"],
                again["returned"],
                row["result"],
                row["returned_cents"]
            );
        }
        told.push(format!(
            "{id} was settled again from its document: the same is due"
        ));
    }
    Ok(told)
}
