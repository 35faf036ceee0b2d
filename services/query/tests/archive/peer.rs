//! DuckDB reads the same files, by what deltalake's own reader says of the tables' logs, and answers alike: all tables,
//! the questions of `tests/sql`, and the named queries, wherever its dialect can run them.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use catwalk_archive::TABLES;
use catwalk_odds::odds;
use catwalk_query::{DefaultValue, Edge, Format, NamedQuery, ParameterKind, Session, named};
use catwalk_rules::Rulebook;
use serde_json::{Value, json};

use crate::support::{archive, ask, at};

/// What a named query is asked about, by the name of its parameter and how it is found in the archive.
const ABOUT: [(&str, &str); 13] = [
    ("day", "SELECT max(gaming_day) FROM rounds"),
    (
        "dealer",
        "SELECT dealer FROM rounds WHERE dealer IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
    ),
    (
        "item",
        "SELECT item FROM custody GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
    ),
    (
        "list",
        "SELECT string_agg(player, ',' ORDER BY player) FROM (SELECT DISTINCT player FROM wagers) AS p",
    ),
    (
        "moment",
        "SELECT replace(CAST(max(\"at\") AS text), ' ', 'T') FROM events",
    ),
    (
        "player",
        "SELECT player FROM wagers WHERE player IS NOT NULL GROUP BY 1 \
        ORDER BY count(*) FILTER (WHERE kind = 'main') DESC, count(*) DESC, 1 LIMIT 1",
    ),
    (
        "players",
        "SELECT string_agg(player, ',' ORDER BY player) FROM (SELECT DISTINCT player FROM wagers) AS p",
    ),
    (
        "round",
        "SELECT round FROM findings WHERE round IS NOT NULL ORDER BY round LIMIT 1",
    ),
    (
        "serial",
        "SELECT coalesce(min(serial), 'none') FROM (SELECT unnest(serials) AS serial FROM outcomes) AS s",
    ),
    (
        "set",
        "SELECT \"set\" FROM rounds WHERE \"set\" IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1",
    ),
    (
        "shoe",
        "SELECT shoe FROM rounds WHERE shoe IS NOT NULL GROUP BY 1 \
        ORDER BY count(*) FILTER (WHERE game LIKE '%blackjack') DESC, count(*) DESC, 1 LIMIT 1",
    ),
    (
        "table",
        "SELECT table_id FROM wagers GROUP BY 1 \
        ORDER BY count(*) FILTER (WHERE kind IN ('player', 'banker', 'pass', 'dont_pass')) DESC, 1 LIMIT 1",
    ),
    (
        "tables",
        "SELECT string_agg(table_id, ',' ORDER BY table_id) FROM (SELECT DISTINCT table_id FROM rounds) AS t",
    ),
];

/// A Python with DuckDB, made once.
fn python() -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    let (python, done) = (home.join("bin/python"), home.join("done"));
    if !done.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&home));
        let libraries = ["duckdb==2.0.0", "deltalake==1.6.6", "numpy", "pyarrow"];
        let install = ["-m", "pip", "install", "--quiet"];
        run(Command::new(&python).args(install).args(libraries));
        std::fs::write(done, "").unwrap();
    }
    python
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{told}{errors}");
    told
}

/// The edges of games that are known at once.
async fn edges(session: &Session) -> Vec<Edge> {
    let rulebook = Rulebook::load().unwrap();
    let posted = "SELECT DISTINCT game || ' | ' || edition || ' | ' || options FROM rounds \
        WHERE game IN ('big_six', 'craps', 'roulette') ORDER BY 1";
    let mut edges = Vec::new();
    for posted in ask(session, posted).await {
        let mut posted = posted.splitn(3, " | ");
        let [game, edition, options] = [(); 3].map(|()| posted.next().unwrap());
        let read: Value = serde_json::from_str(options).unwrap();
        let sheet = odds(&rulebook, game, edition, &read, false).unwrap();
        for line in &sheet.lines {
            let figures = line.figures.as_ref();
            edges.push(Edge {
                game: game.to_owned(),
                edition: edition.to_owned(),
                options: options.to_owned(),
                kind: line.wager.clone(),
                choice: None,
                house_edge: figures.map(|figures| figures.house_edge.approximate()),
                variance: figures.map(|figures| figures.variance.approximate()),
                won: Some(0.0),
                win_rate: figures.map(|figures| figures.probability("win").approximate()),
                basis: line.basis.words(),
                exact: None,
                rules: sheet.rules.clone(),
            });
        }
    }
    // One of each, as whoever tells them does it.
    let mut told = std::collections::BTreeSet::new();
    edges.retain(|edge| told.insert((edge.game.clone(), edge.options.clone(), edge.kind.clone())));
    edges
}

async fn values_of(session: &Session, query: &NamedQuery) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    for parameter in query.missing(&BTreeMap::new()) {
        let (_, sql) = ABOUT
            .iter()
            .find(|(name, _)| *name == parameter.name)
            .unwrap();
        let found = ask(session, sql).await;
        let value = found
            .first()
            .unwrap_or_else(|| panic!("no {}", parameter.name));
        values.insert(parameter.name.clone(), value.clone());
    }
    // What is shown to be improbable only would be shown of few.
    for loose in ["limit", "min_rounds"] {
        if query
            .parameters
            .iter()
            .any(|parameter| parameter.name == loose)
        {
            values.insert(loose.to_owned(), "1".to_owned());
        }
    }
    values
}

/// The values as they are bound, with their types.
fn bound(query: &NamedQuery, values: &BTreeMap<String, String>) -> Value {
    let bound = query.parameters.iter().map(|parameter| {
        let value = match (values.get(&parameter.name), &parameter.default) {
            (Some(value), _) | (None, Some(DefaultValue::Value(value))) => json!(value),
            (None, _) => Value::Null,
        };
        let kind = match parameter.kind {
            ParameterKind::Text => "text",
            ParameterKind::Int => "int",
            ParameterKind::Moment => "moment",
            ParameterKind::Day => "day",
        };
        (parameter.name.clone(), json!([kind, value]))
    });
    Value::Object(bound.collect())
}

/// All columns of a table, by name: in the files are more.
async fn columns_of(session: &Session, table: &str) -> String {
    let rows = session
        .sql(&format!("SELECT * FROM {table}"))
        .await
        .unwrap();
    let schema = rows.schema();
    let names = schema
        .fields()
        .iter()
        .map(|field| format!("\"{}\"", field.name()));
    format!(
        "SELECT {} FROM {table}",
        names.collect::<Vec<_>>().join(", ")
    )
}

/// Asks everything, and puts each answer in a file beside a list of what was asked.
async fn answers(folder: &Path) {
    let session = Session::open(&at(archive())).await.unwrap();
    session.tell_edges(&edges(&session).await).await.unwrap();
    let mut questions = Vec::new();
    let tables = TABLES.iter().map(|table| table.name).chain(["edges"]);
    for table in tables {
        questions.push((
            format!("all of {table}"),
            columns_of(&session, table).await,
            json!({}),
            None,
        ));
    }
    let sql = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sql");
    for file in std::fs::read_dir(sql).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        questions.push((
            name,
            std::fs::read_to_string(&file).unwrap(),
            json!({}),
            None,
        ));
    }
    for query in named::all().unwrap() {
        let values = values_of(&session, query).await;
        questions.push((
            format!("named {}", query.name),
            query.sql.clone(),
            bound(query, &values),
            Some((query, values)),
        ));
    }
    questions.sort_by(|a, b| a.0.cmp(&b.0));
    let mut asked = Vec::new();
    for (name, sql, bound, query) in questions {
        let answer = match &query {
            None => session.sql(&sql).await,
            Some((query, values)) => session.named(query, values).await,
        };
        let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut file = File::create(folder.join(format!("{name}.parquet"))).unwrap();
        answer.write(Format::Parquet, &mut file).await.unwrap();
        asked.push(json!({"name": name, "sql": sql, "values": bound}));
    }
    std::fs::write(
        folder.join("questions.json"),
        Value::Array(asked).to_string(),
    )
    .unwrap();
}

#[test]
fn duckdb_gives_the_same_rows_of_the_same_files() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("answers");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let archived = archive();
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(answers(&folder));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sql_peers.py");
    let told = run(Command::new(python())
        .arg(script)
        .arg(archived)
        .arg("--answers")
        .arg(&folder));
    println!("{told}");
    let empty = told
        .lines()
        .filter(|line| line.contains(" 0 rows, the same"))
        .count();
    let skipped = told
        .lines()
        .filter(|line| line.contains("not asked of DuckDB"))
        .count();
    let asked = told.lines().count() - 1;
    // What has no rows shows little.
    assert!(
        asked >= 110 && empty <= 30 && skipped <= 5,
        "{asked}, {empty}, {skipped}:\n{told}"
    );
}
