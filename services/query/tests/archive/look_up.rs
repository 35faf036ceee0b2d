//! How much of a table's files a question reads: of large files, a few pages.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use catwalk_archive::{Settings, Table};
use catwalk_events::body::{Body, CardDealt, CardPlace, Face};
use catwalk_events::{Event, Source, SourceKind, Timestamp};
use catwalk_log::{Message, Topic};
use catwalk_query::{Bounds, ReadingRoom, Session};
use catwalk_wire::Formats;
use datafusion::physical_plan::{ExecutionPlan, collect, displayable};
use sha2::{Digest, Sha256};

use crate::played::open;
use crate::support::{archive_all, ask, at};

const TABLES: u64 = 24;
const ROUNDS: u64 = 300;
/// Cards of a round.
const CARDS: u64 = 10;
/// 2026-11-15T20:00:00Z
const EVENING: i64 = 1_794_772_800_000_000;
const SECOND: i64 = 1_000_000;

/// An archive of two evenings with 72,000 events, each in one file.
fn large() -> &'static Path {
    static LARGE: OnceLock<PathBuf> = OnceLock::new();
    LARGE.get_or_init(|| std::thread::spawn(make).join().unwrap())
}

fn make() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("large");
    let _ = std::fs::remove_dir_all(&folder);
    let log = open(&[folder.join("log").to_str().unwrap()]);
    let formats = Formats::plain().unwrap();
    let mut producer = log.producer().unwrap();
    for nth in 0..ROUNDS * CARDS {
        let messages: Vec<Message> = (0..TABLES)
            .map(|table| {
                let event = card(table, nth);
                let value = formats.events.encode(&event).unwrap();
                Message::new(Topic::FloorEvents, event.table, value)
            })
            .collect();
        producer.send(&messages).unwrap();
    }
    producer.flush().unwrap();
    let archive = at(&folder.join("archive"));
    archive_all(&*log, &archive, Settings::default());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let events = Table::named("events").unwrap();
    runtime
        .block_on(archive.compact(events, 128 << 20))
        .unwrap();
    folder.join("archive")
}

/// Half of them are dealt on the next evening.
fn card(table: u64, nth: u64) -> Event {
    let round = nth / CARDS;
    let day = round * 2 / ROUNDS;
    let at = EVENING + (day * 86_400 + nth) as i64 * SECOND + table as i64;
    let table = format!("BJ-{table:02}");
    Event {
        id: id(&table, nth),
        property: "ebh".to_owned(),
        seq: nth + 1,
        at: Timestamp::from_micros(at),
        source: Source {
            kind: SourceKind::Device,
            id: format!("shoe-{}", nth % 7),
        },
        round: Some(format!("{table}-2026-{round:06}")),
        body: Body::CardDealt(CardDealt {
            to: CardPlace::Seat,
            seat: Some((nth % 7) as u32),
            hand: None,
            card: Some(format!(
                "{}{}",
                ["2", "T", "A", "9"][nth as usize % 4],
                ["S", "H", "D"][nth as usize % 3]
            )),
            face: Face::Up,
            back: None,
        }),
        shift: None,
        received_at: None,
        table,
    }
}

/// Like those of a floor, no shorter than they look.
fn id(table: &str, nth: u64) -> String {
    let bytes = Sha256::digest(format!("{table} {nth}"));
    let digits: String = bytes
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("0199{digits}")
}

/// The rows of an answer, and the bytes that were read of files for it.
async fn read(session: &Session, sql: &str) -> (usize, usize) {
    let plan = session.context().sql(sql).await.unwrap();
    let context = Arc::new(plan.task_ctx());
    let plan = plan.create_physical_plan().await.unwrap();
    let batches = collect(Arc::clone(&plan), context).await.unwrap();
    let rows = batches.iter().map(|batch| batch.num_rows()).sum();
    (rows, bytes_scanned(&plan))
}

fn bytes_scanned(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = plan
        .metrics()
        .and_then(|metrics| metrics.sum_by_name("bytes_scanned"));
    let below: usize = plan.children().into_iter().map(bytes_scanned).sum();
    own.map_or(0, |bytes| bytes.as_usize()) + below
}

#[tokio::test]
async fn a_look_up_reads_a_few_pages_of_a_few_files() {
    let session = Session::open(&at(large())).await.unwrap();
    let total = (TABLES * ROUNDS * CARDS) as usize;
    let files: Vec<u64> = session
        .versions()
        .iter()
        .filter(|version| version.table == "events")
        .flat_map(|version| version.files.iter().map(|file| file.bytes))
        .collect();
    assert_eq!(files.len(), 2, "a file for each day");
    // Footers and page indexes are read once.
    let (rows, all) = read(&session, "SELECT * FROM events").await;
    assert_eq!(rows, total);
    let (_, ids) = read(&session, "SELECT id FROM events").await;
    for (sql, rows, most, of) in [
        // A round is ten rows beside each other.
        (
            "SELECT * FROM events WHERE round = 'BJ-07-2026-000123'",
            10,
            all / 4,
            "all",
        ),
        // The bloom filters know that there is no such round.
        (
            "SELECT * FROM events WHERE round = 'BJ-07-2026-000124x'",
            0,
            all / 20,
            "all",
        ),
        // A day is one of two files.
        (
            "SELECT id FROM events WHERE gaming_day = DATE '2026-11-15'",
            total / 2,
            ids * 6 / 10,
            "ids",
        ),
        // A table and an hour: the order of the rows.
        (
            "SELECT id FROM events WHERE table_id = 'BJ-07' AND \"at\" >= '2026-11-16T20:25:00Z' \
             AND \"at\" < '2026-11-16T20:26:00Z'",
            60,
            ids / 2,
            "ids",
        ),
        // Bodies are read of the rows that fit alone.
        (
            "SELECT body FROM events WHERE table_id = 'BJ-03' AND seq = 5",
            1,
            all / 8,
            "all",
        ),
        // Enough is enough.
        ("SELECT id FROM events LIMIT 5", 5, ids * 6 / 10, "ids"),
    ] {
        let (found, bytes) = read(&session, sql).await;
        println!("{bytes:9} bytes of {all} ({ids} of ids): {sql}");
        assert_eq!(found, rows, "{sql}");
        assert!(
            bytes <= most,
            "{sql}: {bytes} bytes, where at most {most} of {of} are due"
        );
    }
}

/// Files whose greatest value is too small are not even opened, and what the log knows is not read.
#[tokio::test]
async fn what_the_log_knows_is_not_read_from_files() {
    let session = Session::open(&at(large())).await.unwrap();
    for sql in [
        "SELECT count(*) FROM events",
        "SELECT min(seq), max(seq) FROM events",
        "SELECT count(*) FROM events WHERE gaming_day = DATE '2026-11-16'",
        "SELECT * FROM events WHERE seq > 1000000",
        "SELECT * FROM events WHERE \"at\" > '2027-01-01T00:00:00Z'",
        "SELECT * FROM events WHERE table_id = 'BJ-99'",
        "SELECT * FROM events WHERE gaming_day = DATE '1999-01-01'",
    ] {
        assert_eq!(read(&session, sql).await.1, 0, "{sql}");
    }
    let (_, one) = read(&session, "SELECT id FROM events WHERE seq > 2990").await;
    let (_, both) = read(&session, "SELECT id FROM events WHERE seq > 10").await;
    assert!(
        one * 10 < both * 6,
        "{one} of {both}: the first day has no such number"
    );
}

/// Rows that are in order in the files are not sorted again.
#[tokio::test]
async fn the_order_of_the_files_saves_the_sort() {
    let session = Session::open(&at(large())).await.unwrap();
    let sql = "SELECT table_id, \"at\", log_offset FROM events WHERE gaming_day = DATE '2026-11-15' \
        ORDER BY table_id, \"at\", log_offset";
    let plan = session.context().sql(sql).await.unwrap();
    let plan = plan.create_physical_plan().await.unwrap();
    let shown = displayable(&*plan).indent(true).to_string();
    assert!(
        shown.contains("output_ordering=") && !shown.contains("SortExec"),
        "{shown}"
    );
    let told = ask(&session, sql).await;
    assert_eq!(told.len() as u64, TABLES * ROUNDS * CARDS / 2);
    assert!(told.is_sorted(), "{:?}", &told[..20]);
}

#[tokio::test]
async fn footers_are_kept_within_their_bound() {
    let kept = async |footer_bytes: usize| {
        let bounds = Bounds {
            footer_bytes,
            ..Bounds::default()
        };
        let room = ReadingRoom::open(&at(large()), bounds).unwrap();
        let session = room.session().await.unwrap();
        let found = ask(&session, "SELECT count(DISTINCT id) FROM events").await;
        assert_eq!(found, [(TABLES * ROUNDS * CARDS).to_string()]);
        let runtime = session.context().runtime_env();
        let cache = runtime.cache_manager.get_file_metadata_cache();
        let entries = cache.list_entries();
        entries
            .values()
            .map(|entry| entry.size_bytes)
            .sum::<usize>()
    };
    let all = kept(64 << 20).await;
    assert!(all > 0, "footers are kept");
    let bounded = kept(all - 1).await;
    assert!(bounded < all, "{bounded} of {all}");
    assert_eq!(kept(16).await, 0);
}
