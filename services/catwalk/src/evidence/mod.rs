//! `catwalk evidence`: one file that proves a round.

mod bundle;
mod check;
mod data;
mod report;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use catwalk_archive::{
    Archive, DayHeads, Lane, SealedRow, TABLES, TableVersion, day_heads, key_notes, lanes,
    read_key, sealed_rows, trusted_keys,
};
use catwalk_proof::spicy::LeafProof;
use catwalk_proof::{Checkpoint, Folder, Note, Reader, SigningKey, VerifyingKey};
use catwalk_query::{Bounds, Format, Money, named};
use catwalk_rules::Rulebook;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use self::bundle::Bundle;
pub(crate) use self::check::check;
use crate::editions::RulesArgs;
use crate::proof::{Trees, key_file};
use crate::query::{LookArgs, command};
use crate::{Verdict, bad_usage};

/// What was asked for, by whom and when, and what is in it.
const MANIFEST: &str = "manifest.json";
/// The rounds for a person.
const REPORT: &str = "report.html";
/// The keys of the house, each signed by the one before.
const KEYS: &str = "keys";
/// More rounds are no bundle that a person could read.
const MOST_ROUNDS: usize = 500;
/// The second verifier, which shares no code with this one.
const VERIFIER: &str = include_str!("verify.py");

/// Put all that the archive has about a round, or about the rounds that a named query lists, into one file that proves
/// it: events, document, settlement, findings, rules, and the proof that nothing of it was changed.
///
/// Of a query the answer is in it, which the house signs; what is proven is every row about the rounds in it.
///
/// `catwalk verify FILE` checks it anywhere, with nothing but the public key of the house; so does the verify.py in it,
/// which shares no code with this program. The file holds the ids of patrons: hand it on as you would those.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk evidence BJ-07-20261115-000123 -o BJ-07.zip \\\n      \
    --case 26-114 --requester \"J. Smith, IEB\" --authority \"subpoena 26-0031\"\n  \
    catwalk evidence --query findings -p code=pay.over -o overpaid.zip --case 26-114\n  \
    catwalk verify --key house.vkey BJ-07.zip"
)]
pub(crate) struct Args {
    /// The round.
    #[arg(required_unless_present = "query", conflicts_with = "query")]
    round: Option<String>,

    /// A named query whose answer has a column `round`.
    #[arg(long, value_name = "NAME")]
    query: Option<String>,

    /// A parameter of the query.
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = name_and_value, requires = "query")]
    params: Vec<(String, String)>,

    /// The bundle, a zip file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

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
    look: LookArgs,

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
    let key = signing_key(args, &archive, &keys)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let began = Timestamp::now();
    let look = args.look.ask(&archive, &command(), None)?;
    let mut bundle = Bundle::default();
    let rounds = match (&args.round, &args.query) {
        (Some(round), _) => vec![round.clone()],
        (None, query) => ask(args, query.as_deref().unwrap_or_default(), &mut bundle)?,
    };
    let gathered = runtime.block_on(gather(&archive, &rounds));
    let count = |(rows, _): &(Rows, _)| rows.values().map(Vec::len).sum::<usize>() as u64;
    let found = gathered.as_ref().map_or(0, count);
    let (rows, versions) = look.ended(found, gathered)?;
    let heads = Heads::of(&folder, &keys)?;
    let mut counts = BTreeMap::new();
    for (table, rows) in &rows {
        counts.insert(*table, rows.len());
        heads.add_rows(&mut bundle, table, rows)?;
    }
    let parsed = parse(&rows)?;
    if !rows.contains_key("rounds") {
        eprintln!(
            "catwalk: the archive has no settlement of {}: nothing in the bundle says what was due",
            rounds.join(", ")
        );
    }
    let rules = add_rules(&mut bundle, &parsed, &args.rules.rulebook()?)?;
    let notes: String = notes.iter().map(ToString::to_string).collect();
    bundle.add(KEYS, notes);
    let manifest = json!({
        "format": "catwalk evidence v1",
        "rounds": rounds,
        "query": args.query.as_ref().map(|name| asked(name, &args.params)),
        "began_at": began.to_string(),
        "made_at": Timestamp::now().to_string(),
        "case": args.look.case(), "requester": args.requester, "authority": args.authority,
        "made_by": made_by(),
        "archive": args.trees.archive.location(),
        "delta_versions": versions,
        "rows": counts,
        "rules": rules,
        "key": key.verifying().to_string(),
    });
    for (table, rows) in &parsed {
        bundle.add(format!("data/{table}.csv"), data::csv(rows));
    }
    bundle.add("custody.csv", custody(&manifest));
    bundle.add(MANIFEST, serde_json::to_string_pretty(&manifest)? + "\n");
    bundle.add(REPORT, report::html(&manifest, &parsed));
    bundle.add("verify.py", VERIFIER);
    bundle.sign(&key)?;
    bundle.write(&args.output)?;
    let proven: usize = counts.values().sum();
    tell(args, proven, &rounds, &key)?;
    Ok(Verdict::Fine)
}

fn tell(args: &Args, proven: usize, rounds: &[String], key: &SigningKey) -> io::Result<()> {
    let about = match rounds {
        [round] => format!("round {round}"),
        rounds => format!("{} rounds", rounds.len()),
    };
    writeln!(
        io::stdout(),
        "{}: {proven} rows of {about} with their proofs, signed by\n  {}",
        args.output.display(),
        key.verifying()
    )
}

/// Who makes bundles.
fn made_by() -> String {
    format!("catwalk {}", env!("CARGO_PKG_VERSION"))
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// What was asked, in full, so that it can be asked again.
fn asked(name: &str, params: &[(String, String)]) -> Value {
    let sql = named::find(name).map(|query| query.sql.clone());
    let params: BTreeMap<_, _> = params.iter().cloned().collect();
    json!({ "name": name, "parameters": params, "sql": sql.ok() })
}

/// The rounds that a named query lists; its answer becomes part of the bundle.
fn ask(args: &Args, name: &str, bundle: &mut Bundle) -> anyhow::Result<Vec<String>> {
    let query = named::find(name)
        .unwrap_or_else(|error| bad_usage(&format!("{error} (catwalk query --list shows all)")));
    let values: BTreeMap<_, _> = args.params.iter().cloned().collect();
    let (csv, parquet, mut listed) =
        args.trees
            .archive
            .with(Bounds::default(), &args.look, async |session| {
                let (mut csv, mut parquet) = (Vec::new(), Vec::new());
                let answer = session.named(query, &values).await?;
                answer.write(Format::Csv(Money::Cents), &mut csv).await?;
                let answer = session.named(query, &values).await?;
                answer.write(Format::Parquet, &mut parquet).await?;
                let listed: Vec<Listed> = session.named(query, &values).await?.read().await?;
                Ok((csv, parquet, listed))
            })?;
    let mut known = BTreeSet::new();
    listed.retain(|row| row.round.is_some() && known.insert(row.round.clone()));
    let rounds: Vec<String> = listed.into_iter().filter_map(|row| row.round).collect();
    anyhow::ensure!(
        !rounds.is_empty(),
        "the answer of {name} has no round (no row, or no column `round`): there is nothing that could be proven"
    );
    anyhow::ensure!(
        rounds.len() <= MOST_ROUNDS,
        "the answer of {name} has {} rounds, a bundle has at most {MOST_ROUNDS}: ask for less",
        rounds.len()
    );
    bundle.add("answer.csv", csv);
    bundle.add("answer.parquet", parquet);
    Ok(rounds)
}

/// A row of an answer, as far as it names a round.
#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    round: Option<String>,
}

/// Through whose hands the bundle went. The first line is the house's; whoever hands it on writes the next on paper.
fn custody(manifest: &Value) -> String {
    let entry = json!({
        "from": manifest["key"], "to": manifest["requester"], "when": manifest["made_at"],
        "purpose": manifest["authority"], "case": manifest["case"],
    });
    data::csv(&[entry])
}

/// The secret key of the archive, which signs the list of what is in the bundle.
fn signing_key(
    args: &Args,
    archive: &Archive,
    keys: &[VerifyingKey],
) -> anyhow::Result<SigningKey> {
    let key_file = key_file(args.key_file.as_deref(), archive)?;
    let key = read_key(&key_file)?;
    let shown = key_file.display();
    let key = key.with_context(|| {
        format!("{shown} is not there: name the key of the archive by --key-file")
    })?;
    anyhow::ensure!(
        keys.contains(&key.verifying()),
        "{shown} is not the key of this archive"
    );
    Ok(key)
}

type Rows = BTreeMap<&'static str, Vec<SealedRow>>;
type Parsed = BTreeMap<&'static str, Vec<Value>>;

/// The rows about a round: those that name it, and what was done about its findings.
async fn gather(
    archive: &Archive,
    rounds: &[String],
) -> anyhow::Result<(Rows, BTreeMap<String, u64>)> {
    let tables = archive.reader().newest().await?;
    // What is not there, or not yet, must not look like what never was.
    let mut lacking = tables.missing.iter().chain(&tables.unfilled);
    // Who has looked is no part of a round.
    if let Some(table) = lacking.find(|table| **table != "access") {
        anyhow::bail!(
            "the archive has no {table}, or not as far as the rest: a bundle would lack it"
        );
    }
    let mut rows = Rows::new();
    let read = async |version: &TableVersion, column, values: &[String]| {
        sealed_rows(archive, version, column, values).await
    };
    for version in &tables.found {
        let found = read(version, "round", rounds).await?;
        if let Some(row) = found.first() {
            rows.insert(row.table, found);
        }
    }
    anyhow::ensure!(
        !rows.is_empty(),
        "no round {:?} is in the archive",
        rounds.join(", ")
    );
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

/// The heads that rows are proven under.
struct Heads<'a> {
    lanes: Vec<Lane>,
    /// Those of gaming days that somebody else has stamped, the earliest first.
    stamped: Vec<DayHeads>,
    keys: &'a [VerifyingKey],
}

impl<'a> Heads<'a> {
    fn of(folder: &Folder, keys: &'a [VerifyingKey]) -> anyhow::Result<Heads<'a>> {
        let days = day_heads(folder)?.into_iter();
        Ok(Heads {
            lanes: lanes(folder)?,
            stamped: days.filter(|day| day.stamp.is_some()).collect(),
            keys,
        })
    }

    /// Rows with the proof of each.
    fn add_rows(&self, bundle: &mut Bundle, table: &str, rows: &[SealedRow]) -> anyhow::Result<()> {
        let mut lines = String::new();
        for row in rows {
            let lane = self.lanes.iter().find(|lane| lane.index == row.lane);
            let lane = lane.with_context(|| format!("the archive has no tree {}", row.lane))?;
            let (Some(leaf), Some(salt)) = (row.leaf, row.salt) else {
                anyhow::bail!(
                    "a row of {table} is from before the archive was sealed, so nothing proves it: {}",
                    row.json
                );
            };
            let (note, head) = match self.stamped(lane, leaf) {
                Some((day, note, head)) => {
                    bundle.add(format!("stamps/{}", day.day), day.text.clone());
                    let stamp = day.stamp.clone().unwrap_or_default();
                    bundle.add(format!("stamps/{}.tsr", day.day), stamp);
                    (note, head)
                }
                None => {
                    let note = lane.head.as_ref().context("a tree has no signed head")?;
                    (note, lane.open_head(note, self.keys)?)
                }
            };
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

    /// The earliest stamped head that a leaf is under.
    fn stamped(&self, lane: &Lane, leaf: u64) -> Option<(&DayHeads, &Note, Checkpoint)> {
        self.stamped.iter().find_map(|day| {
            day.heads.iter().find_map(|note| {
                let head = lane.open_head(note, self.keys).ok()?;
                (head.size > leaf).then_some((day, note, head))
            })
        })
    }
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
