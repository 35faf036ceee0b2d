//! `catwalk evidence`: one file that proves a round.

mod bundle;
mod check;
mod report;
mod rules;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use catwalk_archive::{
    Archive, Lane, SealedRow, TABLES, TableVersion, key_notes, lanes, read_key, sealed_rows,
    trusted_keys,
};
use catwalk_proof::spicy::LeafProof;
use catwalk_proof::{Checkpoint, Reader, VerifyingKey};
use catwalk_rules::Rulebook;
use jiff::Timestamp;
use serde_json::{Value, json};

use self::bundle::Bundle;
pub(crate) use self::check::check;
use crate::Verdict;
use crate::editions::RulesArgs;
use crate::proof::{Trees, key_file};

/// What was asked for, by whom and when, and what is in it.
const MANIFEST: &str = "manifest.json";
/// The keys of the house, each signed by the one before.
const KEYS: &str = "keys";
/// The second verifier, which shares no code with this one.
const VERIFIER: &str = include_str!("verify.py");

/// Put all that the archive has about a round into one file that proves it: events, document, settlement, findings,
/// rules, and the proof that nothing of it was changed.
///
/// `catwalk verify FILE` checks it anywhere, with nothing but the public key of the house; so does the verify.py in it,
/// which shares no code with this program. The file holds the ids of patrons: hand it on as you would those.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk evidence BJ-07-20261115-000123 -o BJ-07.zip \\\n      \
    --case 26-114 --requester \"J. Smith, IEB\" --authority \"subpoena 26-0031\"\n  \
    catwalk verify --key house.vkey BJ-07.zip"
)]
pub(crate) struct Args {
    /// The round.
    round: String,

    /// The bundle, a zip file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The case that it is for.
    #[arg(long)]
    case: Option<String>,

    /// Who asks for it.
    #[arg(long)]
    requester: Option<String>,

    /// By what right.
    #[arg(long)]
    authority: Option<String>,

    /// The secret key of the archive, if it is not beside it: it signs the list of what is in the bundle.
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,

    #[command(flatten)]
    trees: Trees,

    #[command(flatten)]
    rules: RulesArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let folder = args.trees.folder()?;
    let notes = key_notes(&folder)?;
    anyhow::ensure!(
        !notes.is_empty(),
        "the archive is not sealed: nothing can be proven from it"
    );
    let keys = trusted_keys(&notes, &[])?;
    let archive = Archive::at(args.trees.archive.location())?;
    let key_file = key_file(args.key_file.as_deref(), &archive)?;
    let key = read_key(&key_file)?;
    let shown = key_file.display();
    let key = key.with_context(|| {
        format!("{shown} is not there: name the key of the archive by --key-file")
    })?;
    anyhow::ensure!(
        keys.contains(&key.verifying()),
        "{shown} is not the key of this archive"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let (rows, versions) = runtime.block_on(gather(&archive, &args.round))?;
    let mut bundle = Bundle::default();
    let heads = lanes(&folder)?;
    let mut counts = BTreeMap::new();
    for (table, rows) in &rows {
        counts.insert(*table, rows.len());
        add_rows(&mut bundle, table, rows, &heads, &keys)?;
    }
    let parsed = parse(&rows)?;
    if !rows.contains_key("rounds") {
        eprintln!(
            "catwalk: the archive has no settlement of round {}: nothing in the bundle says what was due",
            args.round
        );
    }
    let rules = add_rules(&mut bundle, &parsed, &args.rules.rulebook()?)?;
    bundle.add(
        KEYS,
        notes.iter().map(ToString::to_string).collect::<String>(),
    );
    let manifest = json!({
        "format": "catwalk evidence v1",
        "round": args.round,
        "made_at": Timestamp::now().to_string(),
        "case": args.case, "requester": args.requester, "authority": args.authority,
        "made_by": format!("catwalk {}", env!("CARGO_PKG_VERSION")),
        "archive": args.trees.archive.location(),
        "delta_versions": versions,
        "rows": counts,
        "rules": rules,
        "key": key.verifying().to_string(),
    });
    bundle.add(MANIFEST, serde_json::to_string_pretty(&manifest)? + "\n");
    bundle.add("report.html", report::html(&manifest, &parsed));
    bundle.add("verify.py", VERIFIER);
    bundle.sign(&key)?;
    bundle.write(&args.output)?;
    let proven: usize = counts.values().sum();
    writeln!(
        io::stdout(),
        "{}: {proven} rows of round {} with their proofs, signed by\n  {}",
        args.output.display(),
        args.round,
        key.verifying()
    )?;
    Ok(Verdict::Fine)
}

type Rows = BTreeMap<&'static str, Vec<SealedRow>>;
type Parsed = BTreeMap<&'static str, Vec<Value>>;

/// The rows about a round: those that name it, and what was done about its findings.
async fn gather(archive: &Archive, round: &str) -> anyhow::Result<(Rows, BTreeMap<String, u64>)> {
    let tables = archive.reader().newest().await?;
    // What is not there, or not yet, must not look like what never was.
    if let Some(table) = tables.missing.iter().chain(&tables.unfilled).next() {
        anyhow::bail!(
            "the archive has no {table}, or not as far as the rest: a bundle would lack it"
        );
    }
    let mut rows = Rows::new();
    let read = async |version: &TableVersion, column, values: &[String]| {
        sealed_rows(archive, version, column, values).await
    };
    for version in &tables.found {
        let found = read(version, "round", &[round.to_owned()]).await?;
        if let Some(row) = found.first() {
            rows.insert(row.table, found);
        }
    }
    anyhow::ensure!(!rows.is_empty(), "no round {round:?} is in the archive");
    let findings = rows.get("findings").into_iter().flatten();
    let findings: Vec<String> = findings
        .filter_map(|row| {
            let row: Value = serde_json::from_str(&row.json).ok()?;
            Some(row["id"].as_str()?.to_owned())
        })
        .collect();
    for version in &tables.found {
        let found = read(version, "finding", &findings).await?;
        if let Some(row) = found.first() {
            rows.insert(row.table, found);
        }
    }
    let known = |table: &str| TABLES.iter().any(|known| known.name == table);
    let versions = tables.found.iter().filter(|version| known(&version.table));
    let versions = versions.map(|version| (version.table.clone(), version.version));
    Ok((rows, versions.collect()))
}

/// Rows with the proof of each.
fn add_rows(
    bundle: &mut Bundle,
    table: &str,
    rows: &[SealedRow],
    heads: &[Lane],
    keys: &[VerifyingKey],
) -> anyhow::Result<()> {
    let mut lines = String::new();
    for row in rows {
        let lane = heads.iter().find(|lane| lane.index == row.lane);
        let lane = lane.with_context(|| format!("the archive has no tree {}", row.lane))?;
        let (Some(leaf), Some(salt)) = (row.leaf, row.salt) else {
            anyhow::bail!(
                "a row of {table} is from before the archive was sealed, so nothing proves it: {}",
                row.json
            );
        };
        let note = lane.head.as_ref().context("a tree has no signed head")?;
        let head: Checkpoint = lane.open_head(note, keys)?;
        anyhow::ensure!(
            leaf < head.size,
            "a row of {table} is not under a signed head yet: try again in some seconds"
        );
        let proof = LeafProof {
            extra: Some(salt.0.to_vec()),
            index: leaf,
            path: Reader::new(&lane.folder, head.size).inclusion(leaf)?,
            head: note.clone(),
        };
        let name = format!("proofs/{:03}/{leaf}.tlog-proof", row.lane);
        let line = json!({"lane": row.lane, "leaf": leaf, "proof": name, "row": row.json});
        lines.push_str(&line.to_string());
        lines.push('\n');
        bundle.add(name, proof.to_string());
    }
    bundle.add(format!("rows/{table}.jsonl"), lines);
    Ok(())
}

fn parse(rows: &Rows) -> anyhow::Result<Parsed> {
    let mut parsed = Parsed::new();
    for (table, rows) in rows {
        let rows: Result<Vec<Value>, _> = rows
            .iter()
            .map(|row| serde_json::from_str(&row.json))
            .collect();
        parsed.insert(table, rows?);
    }
    Ok(parsed)
}

/// The documents, their settlements, and the rules that judged. Returns which rules files there are and their hashes.
fn add_rules(bundle: &mut Bundle, rows: &Parsed, rulebook: &Rulebook) -> anyhow::Result<Value> {
    let mut files = BTreeMap::new();
    for round in rows.get("rounds").into_iter().flatten() {
        let id = round["round"].as_str().unwrap_or_default();
        let edition = round["edition"].as_str().unwrap_or_default();
        match rulebook.house(edition) {
            Some(house) => {
                for (name, text) in rules::of_house(house) {
                    files.insert(name.clone(), catwalk_archive::sha256_hex(text.as_bytes()));
                    bundle.add(name, text);
                }
            }
            None if edition.is_empty() || rulebook.edition(edition).is_some() => {}
            None => eprintln!(
                "catwalk: {id} was played by {edition}, which no rulebook has: the bundle proves its rows, and is \
                 without the rules that judged it; a configuration whose [rules] names the folder brings them in (-c)"
            ),
        }
        if let Some(document) = round["document"].as_str() {
            bundle.add(format!("documents/{id}.json"), document);
            if let Ok(settled) = rulebook.settle(document) {
                let settled = serde_json::to_string_pretty(&settled)? + "\n";
                bundle.add(format!("settlements/{id}.json"), settled);
            }
        }
        let game = round["game"].as_str().unwrap_or_default();
        if let Some(file) = rules::of(game) {
            let hash = catwalk_archive::sha256_hex(file.as_bytes());
            files.insert(format!("rules/{game}.toml"), hash);
            bundle.add(format!("rules/{game}.toml"), file);
        }
    }
    Ok(serde_json::to_value(files)?)
}
