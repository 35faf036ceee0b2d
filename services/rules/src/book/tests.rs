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
            "its limit \"most\" is no option and no figure",
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

/// Sections of Massachusetts read 4(b), 146.49 or 205 CMR 147.07.
fn is_of_massachusetts(cite: &str) -> bool {
    let numbers = cite.split(|c: char| !c.is_ascii_alphanumeric());
    let is_regulation = numbers
        .into_iter()
        .any(|word| word == "146" || word == "147");
    let is_section = |at: usize| {
        let before = cite[..at].trim_end_matches(|c: char| c.is_ascii_lowercase());
        before.ends_with(|c: char| c.is_ascii_digit())
    };
    is_regulation || cite.match_indices('(').any(|(at, _)| is_section(at))
}

/// Sections of the Ohio texts read 5.B, § 7.D or, of the chapter on progressives, PC 1.A.
fn is_of_ohio(cite: &str) -> bool {
    let is_section = |(at, _): (usize, &str)| {
        let before = cite[..at].ends_with(|c: char| c.is_ascii_digit());
        before && cite[at + 1..].starts_with(|c: char| c.is_ascii_uppercase())
    };
    let chapters = ["§", "PC ", "progressives", "ma s."];
    chapters.iter().any(|chapter| cite.contains(chapter)) || cite.match_indices('.').any(is_section)
}

#[test]
fn the_two_ways_of_citing_are_told_apart() {
    for cite in [
        "4(b)",
        "s.12(a)6",
        "6a(c)",
        "146.48",
        "205 CMR 147.07(5)",
        "s13(e)a",
    ] {
        assert!(is_of_massachusetts(cite) && !is_of_ohio(cite), "{cite}");
    }
    for cite in [
        "5.B",
        "s.3.A.iv",
        "§ 7.D",
        "PC 1.A.i",
        "progressives 2.B",
        "16.A.iii",
    ] {
        assert!(is_of_ohio(cite) && !is_of_massachusetts(cite), "{cite}");
    }
}

#[test]
fn a_finding_cites_the_text_of_its_own_edition_only() {
    let rulebook = crate::Rulebook::load().unwrap();
    let mut wrong = Vec::new();
    for game in rulebook.games() {
        let book = game.book();
        for edition in book.editions() {
            let is_foreign = match edition {
                Edition::OhJack2017 => is_of_massachusetts,
                Edition::Mgc2017 | Edition::MgcAmended => is_of_ohio,
            };
            let findings = book.findings().iter();
            let findings = findings.filter(|entry| entry.editions.holds(edition));
            let findings = findings.map(|entry| (&entry.code, &entry.cite));
            let wagers = book.wagers().iter();
            let wagers = wagers.filter(|entry| entry.editions.holds(edition));
            let wagers = wagers.map(|entry| (&entry.kind, &entry.cite));
            for (name, cite) in findings.chain(wagers) {
                if let Some(cite) = cite.of(edition).filter(|cite| is_foreign(cite)) {
                    wrong.push(format!("{} {name} in {edition}: {cite}", game.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_cite_of_each_edition_is_read_and_held_to_the_editions_of_its_entry() {
    let each = |cites: &str| Book::read(&GOOD.replacen("cite = \"4\"", cites, 1));
    let book = each("cite = { mgc-2017 = \"4(b)\", oh-jack-2017 = \"-\" }").unwrap();
    let cite = &book.findings()[0].cite;
    assert_eq!(cite.of(Edition::Mgc2017), Some("4(b)"));
    assert_eq!(cite.of(Edition::OhJack2017), None);
    assert_eq!(cite.to_string(), "mgc-2017 4(b)");
    let narrow = book.in_edition(Some(Edition::Mgc2017));
    assert_eq!(narrow.findings()[0].cite.to_string(), "4(b)");
    for cites in [
        "cite = { mgc-2017 = \"4(b)\" }",
        "cite = { mgc-2017 = \"4(b)\", mgc-amended = \"4(b)\", oh-jack-2017 = \"5.B\" }",
        "cite = { mgc-2017 = \" \", oh-jack-2017 = \"5.B\" }",
    ] {
        let said = each(cites).unwrap_err().to_string();
        assert!(said.contains("finding config.odds"), "{said}");
    }
}
