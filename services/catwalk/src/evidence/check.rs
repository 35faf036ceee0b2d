//! A bundle is held against the key of the house: no archive, no network.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use catwalk_archive::trusted_keys;
use catwalk_proof::spicy::LeafProof;
use catwalk_proof::{Commitment, Note, Salt, VerifyingKey};
use catwalk_rules::Rulebook;
use serde_json::{Value, json};

use super::bundle::Bundle;
use super::{KEYS, MANIFEST, rules};
use crate::Verdict;
use crate::verify::unchanged;

/// What a bundle shows.
struct Shown {
    round: String,
    rows: usize,
    keys: Vec<VerifyingKey>,
    /// What is left to say of the rounds that were settled again.
    settled: Vec<String>,
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
                "verdict": "unchanged", "round": shown.round, "rows": shown.rows,
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
        Ok(_) => Verdict::Fine,
        Err(_) => Verdict::FoundWrong,
    })
}

fn tell(out: &mut impl Write, shown: &Shown, trusted: &[VerifyingKey]) -> io::Result<()> {
    writeln!(
        out,
        "Round {}: {} rows, each under a signed head",
        shown.round, shown.rows
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
    writeln!(out, "{}", unchanged(!trusted.is_empty(), false))
}

fn verify(bundle: &Bundle, trusted: &[VerifyingKey]) -> anyhow::Result<Shown> {
    let notes = Note::read_all(bundle.text(KEYS)?).context(KEYS)?;
    let keys = trusted_keys(&notes, trusted).context(KEYS)?;
    bundle.check(&keys)?;
    let manifest: Value = serde_json::from_str(bundle.text(MANIFEST)?).context(MANIFEST)?;
    let round = manifest["round"]
        .as_str()
        .context("the manifest names no round")?;
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
    let settled = settle_again(&rules::rulebook(bundle)?, &rows)?;
    Ok(Shown {
        round: round.to_owned(),
        rows: count,
        keys,
        settled,
    })
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
