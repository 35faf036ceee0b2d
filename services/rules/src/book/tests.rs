//! A data file that is wrong is refused, and the refusal names the entry.

use super::*;

const GOOD: &str = r#"
game = "coin"
title = "Coin"
[[editions]]
edition = "mgc-2017"
text = "no text at all"
[[editions]]
edition = "oh-jack-2017"
text = "no text at all"
[[options]]
key = "pays"
value = "odds"
flag = "config.odds"
default = "1:1"
meaning = "Odds"
cite = "1"
[[layouts]]
pieces = "cards"
main = "heads"
irregularities = ["lost_coin"]
voids = ["lost_coin"]
cite = "1"
[[layouts.streets]]
street = "toss"
closes = "main"
[[layouts.streets]]
street = "landing"
closes = "again"
house = { option = "pays", by = { "2:1" = 2 }, otherwise = 1 }
[[wagers]]
kind = "heads"
meaning = "Heads"
pays = ["coin.heads"]
cite = "1"
[[wagers]]
kind = "again"
meaning = "Heads again"
pays = ["coin.heads"]
window = "again"
on = "heads"
limit = "pays"
cite = "1"
[[tables]]
id = "coin"
title = "Coin"
cite = "2"
rows = [{ key = "heads", pays = "2 for 1" }, { key = "edge", pays = "100% of meter" }]
[[figures]]
key = "sides"
value = 2
meaning = "Sides"
cite = "3"
[[findings]]
code = "config.odds"
severity = "warn"
shown_by = "document"
meaning = "Odds"
cite = "4"
"#;

fn refused(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    Book::read(&GOOD.replacen(from, to, 1))
        .unwrap_err()
        .to_string()
}

#[test]
fn a_good_data_file_is_read_and_hashed() {
    let book = Book::read(GOOD).unwrap();
    assert_eq!(book.hash().len(), 64);
    assert_ne!(
        book.hash(),
        Book::read(&GOOD.replace("= 2\n", "= 3\n")).unwrap().hash()
    );
}

#[test]
fn every_fault_of_a_data_file_is_named() {
    let faults = [
        ("title = \"Coin\"\n", "titel = \"Coin\"\n", "titel"),
        ("cite = \"3\"", "cite = \" \"", "figure sides has no cite"),
        (
            "\"oh-jack-2017\"\ntext",
            "\"mgc-2017\"\ntext",
            "editions: at least one, each once",
        ),
        (
            "id = \"coin\"",
            "id = \"coin\"\neditions = [\"mgc-amended\"]",
            "no edition mgc-amended",
        ),
        (
            "id = \"coin\"",
            "id = \"coin\"\neditions = [\"mgc-2017\"]",
            "pays coin.heads, which oh-jack-2017",
        ),
        ("coin.heads", "coin.tails", "wager heads pays coin.tails"),
        (
            "pays = [\"coin.heads\"]",
            "",
            "wager heads: either `pays` or",
        ),
        (
            "key = \"edge\"",
            "key = \"heads\"",
            "table coin: rows, each once",
        ),
        ("\"2 for 1\"", "\"2 to 1\"", "\"2 to 1\" are not odds"),
        ("100% of meter", "101% of meter", "no share of a meter"),
        (
            "default = \"1:1\"",
            "default = \"even\"",
            "pays: default \"even\" cannot be read",
        ),
        (
            "flag = \"config.odds\"",
            "flag = \"config.other\"",
            "flagged as config.other",
        ),
        ("severity = \"warn\"", "severity = \"bad\"", "bad"),
        (
            "main = \"heads\"",
            "main = \"tails\"",
            "\"tails\" buys the hand and is no wager",
        ),
        (
            "on = \"heads\"",
            "on = \"tails\"",
            "wager again of mgc-2017: it is on \"tails\"",
        ),
        (
            "window = \"again\"",
            "window = \"late\"",
            "a street closes \"again\", in which nothing",
        ),
        (
            "closes = \"again\"",
            "",
            "no street closes its window \"again\"",
        ),
        (
            "street = \"landing\"",
            "street = \"toss\"",
            "street \"toss\" is there twice",
        ),
        (
            "limit = \"pays\"",
            "limit = \"most\"",
            "its limit \"most\" is no option",
        ),
        (
            "voids = [\"lost_coin\"]",
            "voids = [\"edge\"]",
            "\"edge\" voids and is not among",
        ),
    ];
    for (from, to, expected) in faults {
        let error = refused(from, to);
        assert!(error.contains(expected), "expected {expected}\ngot {error}");
    }
    let twice =
        format!("{GOOD}[[figures]]\nkey = \"sides\"\nvalue = 2\nmeaning = \"\"\ncite = \"3\"\n");
    assert!(
        Book::read(&twice)
            .unwrap_err()
            .to_string()
            .contains("figure sides is there twice")
    );
}

#[test]
fn a_wager_lies_in_one_place_in_all_editions() {
    let twice = GOOD.replace(
        "kind = \"again\"\n",
        "kind = \"again\"\neditions = [\"mgc-2017\"]\n",
    ) + "[[wagers]]\nkind = \"again\"\neditions = [\"oh-jack-2017\"]\nmeaning = \"Heads again\"\n\
         pays = [\"coin.heads\"]\nwindow = \"again\"\ncite = \"1\"\n";
    let error = Book::read(&twice).unwrap_err().to_string();
    let expected = "wager again of oh-jack-2017: it lies elsewhere in another edition";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_layout_says_what_is_dealt_and_what_voids() {
    let book = Book::read(GOOD).unwrap();
    let layout = book.layout(Edition::Mgc2017).unwrap();
    assert_eq!(layout.later().collect::<Vec<_>>(), ["again"]);
    assert!(layout.knows("lost_coin") && layout.is_voided_by("lost_coin"));
    let cards = |posted: &str| layout.streets[1].house.of(|_| Some(posted.into()));
    assert_eq!([cards("2:1"), cards("1:1")], [2, 1]);
    let windows = ["heads", "again"].map(|kind| book.wager(kind).unwrap().window());
    assert_eq!(windows, [MAIN_WINDOW, "again"]);
    assert_eq!(Book::of("red_dog").unwrap().game(), "red_dog");
    assert!(Book::of("coin").is_none());
}

#[test]
fn a_table_that_nothing_reads_is_found() {
    let book = Book::read(GOOD).unwrap();
    let view = book.edition(Edition::Mgc2017);
    assert_eq!(view.kinds::<String>().unwrap(), ["heads", "again"]);
    view.figure::<u8>("sides").unwrap();
    assert!(
        view.check_all_read()
            .unwrap_err()
            .to_string()
            .contains("nothing reads table coin")
    );
    let rows: std::collections::BTreeMap<String, Pay> = view.table("coin").unwrap();
    assert_eq!(rows["heads"], Pay::Odds(crate::floor::Odds::EVEN));
    assert_eq!(rows["edge"], Pay::Meter(100));
    view.check_all_read().unwrap();
    assert!(
        view.table::<Value>("dice")
            .unwrap_err()
            .to_string()
            .contains("no table dice")
    );
}

#[test]
fn amounts_of_a_table_read_as_dollars() {
    assert_eq!(
        Pay::parse("$1,250.50"),
        Ok(Pay::Fixed(crate::floor::Cents::new(125_050)))
    );
    for text in ["$5", "$5.0", "$.50", "$5.000", "$-5.00", "0% of meter"] {
        assert!(Pay::parse(text).is_err(), "{text}");
    }
}
