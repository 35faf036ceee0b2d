//! Days of a floor as auditors see them: what is wrong with its money is in a report or a finding, an honest floor is
//! accused of nothing, and the sums of the reports are each other's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use assert_cmd::Command;
use catwalk_floor::{Config, FaultKind, Floor, Happening, Label};

use super::{archived, report_of, rows};

type Row = BTreeMap<String, String>;

/// Meters, coupons, a table that defers vigorish, one that is open overnight, and two of the poker room.
const GAMES: [&str; 8] = [
    "poker",
    "roulette",
    "blackjack",
    "caribbean_stud",
    "poker",
    "minibaccarat",
    "craps",
    "ultimate_texas_holdem",
];

fn days(days: u32, tables: usize) -> Config {
    Config {
        seed: 34,
        tables,
        rounds: u64::MAX,
        days: Some(days),
        games: GAMES.map(str::to_owned).to_vec(),
        pause_seconds: 900,
        ..Config::default()
    }
}

fn with_faults(config: Config) -> Config {
    Config {
        faults_per_mille: 60,
        fault_kinds: [&FaultKind::OF_PAPERS[..], &FaultKind::OF_REPORTS].concat(),
        ..config
    }
}

fn honest() -> &'static str {
    static ARCHIVE: OnceLock<String> = OnceLock::new();
    ARCHIVE.get_or_init(|| archived("days-of-an-honest-floor", days(3, 8)))
}

/// All tables of all reports of the month, by the names of their files: `A1-master-game`, `A1-master-game-by-pit`.
struct Pack(BTreeMap<String, Vec<Row>>);

impl Pack {
    fn of(archive: &str) -> Pack {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let asked = ["--all", "--month", "2026-11", "--format", "csv", "-o", path];
        let (status, _, errors) = report_of(archive, &asked);
        assert_eq!(status, 0, "{errors}");
        let mut tables = BTreeMap::new();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            if let Some(name) = name.strip_suffix(".csv") {
                let name = name.replace("-2026-11", "");
                tables.insert(name, rows(&std::fs::read_to_string(file.path()).unwrap()));
            }
        }
        Pack(tables)
    }

    fn table(&self, name: &str) -> &[Row] {
        let known = self.0.keys();
        self.0
            .get(name)
            .unwrap_or_else(|| panic!("{name}: {known:?}"))
    }

    /// What the reports except to: the report, the table or link, and each exception.
    fn exceptions(&self) -> Vec<(&str, &str, &str)> {
        let mut found = Vec::new();
        for (name, rows) in &self.0 {
            for row in rows {
                let place = row.get("table_id").or(row.get("link"));
                let told = row
                    .get("exception")
                    .into_iter()
                    .flat_map(|it| it.split("; "));
                let told = told.filter(|it| !it.is_empty());
                found.extend(told.map(|it| (&**name, place.map_or("", |it| it), it)));
            }
        }
        found
    }
}

fn cents(text: &str) -> i64 {
    text.replace('.', "").parse().unwrap_or(0)
}

fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>, column: &str) -> i64 {
    rows.into_iter().map(|row| cents(&row[column])).sum()
}

#[test]
fn an_honest_floor_is_accused_of_nothing_and_explained_to_the_cent() {
    assert_honest(honest(), 8);
}

/// The long form: a month of thirty tables.
#[test]
#[ignore = "an hour of a debug build: tests/run --all"]
fn a_month_of_thirty_tables_is_explained_and_its_faults_are_found() {
    let month = Config {
        games: catwalk_floor::GAMES.map(str::to_owned).to_vec(),
        ..days(30, 30)
    };
    let honest = archived("month-of-an-honest-floor", month.clone());
    assert_honest(&honest, 30);
    let config = Config {
        faults_per_mille: 5,
        ..with_faults(month)
    };
    let wrong = archived("month-of-faults", config.clone());
    assert_found(&wrong, &labels(config), 9);
}

fn assert_honest(archive: &str, tables: usize) {
    let pack = Pack::of(archive);
    assert_eq!(pack.exceptions(), []);
    let bridge = pack.table("A2-win-bridge");
    let seen: BTreeSet<&String> = bridge.iter().map(|row| &row["table_id"]).collect();
    assert_eq!(seen.len(), tables);
    let counted = |row: &&Row| row["not_computed"].is_empty();
    assert!(
        bridge.iter().filter(counted).count() >= 2 * tables,
        "{bridge:?}"
    );
    for row in bridge.iter().filter(counted) {
        assert_eq!(row["unexplained"], "0.00", "{row:?}");
        assert_eq!((&*row["mispaid"], &*row["review"]), ("0.00", ""), "{row:?}");
    }
    let meters = pack.table("A7-progressives");
    let rolled = meters.iter().filter(|meter| meter["difference"] == "0.00");
    assert!(rolled.count() > 0, "{meters:?}");
    assert_chips(&pack);
    assert_identities(archive, &pack);
}

/// What the cage counts is what came and went, every chip is somewhere, and tournaments pay out what they took in.
fn assert_chips(pack: &Pack) {
    let none_over = |table: &str, column: &str, least: usize| {
        let rows = pack.table(table);
        let known: Vec<&Row> = rows.iter().filter(|row| !row[column].is_empty()).collect();
        assert!(known.len() >= least, "{table}: {rows:?}");
        for row in known {
            assert_eq!(cents(&row[column]), 0, "{table}: {row:?}");
        }
    };
    none_over("A11-cage", "difference", 2);
    none_over("A12-non-value-chips", "difference", 1);
    let chips = pack.table("A10-chip-liability");
    assert!(
        chips.iter().all(|row| cents(&row["liability"]) >= 0),
        "{chips:?}"
    );
    assert!(!chips.is_empty());
    none_over("A1-master-game-tournaments", "left_over", 0);
}

/// Sums of tables are those of pits, of games and of days, and all of them those of the month; what A1 counts A2
/// explains.
fn assert_identities(archive: &str, pack: &Pack) {
    let (tables, bridge) = (pack.table("A1-master-game"), pack.table("A2-win-bridge"));
    for column in [
        "opener",
        "fills",
        "credits",
        "closer",
        "drop",
        "win",
        "handle",
        "gross_revenue",
    ] {
        let whole = sum(tables, column);
        for group in ["by-game", "by-pit", "by-day"] {
            let grouped = pack.table(&format!("A1-master-game-{group}"));
            assert_eq!(sum(grouped, column), whole, "{column} {group}");
        }
        let to_date = pack.table("A1-master-game-to-date");
        assert_eq!(to_date.len(), 2, "month and year to date");
        for row in to_date {
            assert_eq!(cents(&row[column]), whole, "{column}: {row:?}");
        }
    }
    assert_ne!(sum(tables, "win"), 0);
    let days: BTreeSet<&String> = tables.iter().map(|row| &row["gaming_day"]).collect();
    let of_day = |day: &&String| {
        let (_, csv, _) = report_of(archive, &["A1", "--day", day, "--format", "csv"]);
        sum(&rows(&String::from_utf8(csv).unwrap()), "win")
    };
    let first = days.first().unwrap();
    let on_first = tables.iter().filter(|row| row["gaming_day"] == **first);
    assert_eq!(of_day(first), sum(on_first, "win"), "a day by itself");
    let by_table = |rows: &[Row], column: &str| -> BTreeMap<(String, String), i64> {
        let mut sums = BTreeMap::new();
        for row in rows.iter().filter(|row| !row[column].is_empty()) {
            let key = (row["gaming_day"].clone(), row["table_id"].clone());
            *sums.entry(key).or_default() += cents(&row[column]);
        }
        sums
    };
    assert_eq!(by_table(tables, "win"), by_table(bridge, "counted_win"));
    for row in bridge.iter().filter(|row| !row["counted_win"].is_empty()) {
        let explained = cents(&row["explained"]) + cents(&row["unexplained"]);
        assert_eq!(explained, cents(&row["counted_win"]), "{row:?}");
        assert_eq!(
            cents(&row["theo"]) + cents(&row["luck"]),
            cents(&row["settled_due"]),
            "{row:?}"
        );
    }
    assert_eq!(sum(pack.table("A13-gaming-tax"), "win"), sum(tables, "win"));
}

#[test]
fn every_fault_of_the_money_is_in_a_report_or_a_finding() {
    let config = with_faults(days(4, 8));
    let archive = archived("days-of-a-floor-with-faults", config.clone());
    assert_found(&archive, &labels(config), 7);
}

/// The same seed does the same faults.
fn labels(config: Config) -> Vec<Label> {
    let happenings = Floor::open(config).unwrap();
    let fault = |happening| match happening {
        Ok(Happening::Fault(label)) => Some(*label),
        _ => None,
    };
    happenings.filter_map(fault).collect()
}

/// So many kinds of faults were done at least, a meter that skips among them, and each fault is found.
fn assert_found(archive: &str, labels: &[Label], kinds: usize) {
    let done: BTreeSet<FaultKind> = labels.iter().map(|label| label.kind).collect();
    assert!(
        done.len() >= kinds && done.contains(&FaultKind::MeterSkips),
        "{done:?}"
    );
    let pack = Pack::of(archive);
    let exceptions = pack.exceptions();
    let reported = |report: &str, table: &str, what: &str| {
        let is_it = |it: &&(&str, &str, &str)| {
            it.0.starts_with(report) && it.1 == table && it.2.starts_with(what)
        };
        exceptions.iter().filter(is_it).count()
    };
    let findings = findings(archive);
    for label in labels {
        let of_kind = |it: &&Label| it.kind == label.kind && it.table == label.table;
        let times = labels.iter().filter(of_kind).count();
        let table = &*label.table;
        let (found, wanted) = match label.kind {
            FaultKind::SlipShort => (
                reported("A5-", table, "delivered otherwise than asked for"),
                times,
            ),
            FaultKind::SlipTwice => (
                reported("A5-", table, "its number was used 2 times"),
                2 * times,
            ),
            FaultKind::ChipsUndelivered => (
                reported("A5-", table, "asked for, and not delivered"),
                times,
            ),
            FaultKind::BoxUncounted => (reported("A6-", table, "not counted"), times),
            FaultKind::CouponTwice => (reported("A9-", table, "taken 2 times"), 2 * times),
            FaultKind::MeterSkips => {
                let links = exceptions
                    .iter()
                    .filter(|it| it.0.starts_with("A7") && it.2.starts_with("the meter moved"));
                (usize::from(links.count() > 0), 1)
            }
            // What no report counts is told by its finding.
            _ => {
                let told = |finding: &&Row| {
                    finding["table_id"] == table && label.codes.contains(&finding["code"])
                };
                (findings.iter().filter(told).count().min(times), times)
            }
        };
        // What is not over when the feed ends is in a report already, and no fault yet.
        assert!(
            found >= wanted,
            "{found} of {wanted}: {label:?}: {exceptions:?}"
        );
    }
    // What the bridge does not explain is at tables where something was done.
    let wrong: BTreeSet<&String> = labels.iter().map(|label| &label.table).collect();
    for row in pack.table("A2-win-bridge") {
        if !["0.00", ""].contains(&&*row["unexplained"]) {
            assert!(wrong.contains(&row["table_id"]), "{row:?}");
        }
    }
}

fn findings(archive: &str) -> Vec<Row> {
    let mut command = Command::cargo_bin("catwalk").unwrap();
    let sql = "SELECT table_id, code FROM findings";
    let output = command
        .args(["query", sql, "--format", "csv", "--archive", archive])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    rows(&String::from_utf8(output.stdout).unwrap())
}
