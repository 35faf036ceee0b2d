//! Draw forms: what the seats threw away and drew, as far as a feed tells it.

use serde_json::{Value, json};

use super::{assert_cases, table};
use catwalk_stories::codes;

/// Five-card draw low, of which only the hands in the end are seen.
const DRAW: &str = r#"
    {"type": "round_opened", "banker": 3}
    bet a 1 blind 200
    bet b 3 blind 400
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    card seat 1 ??
    card seat 3 ??
    bet c 1 call 200
    say 3 check
    burn
    say 1 draw~1
    card seat 1 ??
    say 3 stand_pat
    say 1 check
    say 3 check
    say 1 show
    show seat 1 0 7S
    show seat 1 1 5D
    show seat 1 2 4C
    show seat 1 3 3C
    show seat 1 5 AD
    say 3 show
    show seat 3 0 7H
    show seat 3 1 5C
    show seat 3 2 4D
    show seat 3 3 3D
    show seat 3 4 2H
    {"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 800}
    close"#;

#[test]
fn a_hand_of_a_draw_form_is_known_by_its_end() {
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "\"seat\": 1, \"amount\": 800",
            "\"seat\": 3, \"amount\": 800",
            &["pot.under_award", "pot.wrong_seat"],
        ),
        ("say 1 draw~1\n", "say 1 discard~KH\n", &[]),
    ];
    assert_cases(&draw_low(), DRAW, &cases);
}

fn draw_low() -> Value {
    json!({"form": "five_card_draw_low", "bet_limits": [[400, 400], [800, 800]],
        "blinds": [200, 400]})
}

/// Lines of the hand without those that begin with one of these words.
fn without(words: &[&str]) -> String {
    let is_told = |line: &&str| !words.iter().any(|word| line.trim().starts_with(word));
    let told: Vec<&str> = DRAW.lines().filter(is_told).collect();
    told.join("\n")
}

/// Cards face down may come untold, and so may those that are drawn for others.
#[test]
fn a_feed_that_tells_no_deal_tells_no_card_that_is_drawn() {
    let told = DRAW.replace("say 3 stand_pat", "say 3 draw~2");
    let conceded = |lines: &str| {
        let seat = |line: &&str| !line.trim().starts_with("show seat 3");
        let told: Vec<&str> = lines.lines().filter(seat).collect();
        told.join("\n").replace("say 3 show", "say 3 muck")
    };
    let dealt = |cards: &str| conceded(&told.replace("say 3 draw~2", cards));
    let both = "say 3 draw~2\n    card seat 3 ??\n    card seat 3 ??";
    let one = "say 3 draw~2\n    card seat 3 KD";
    let none: [&str; 0] = [];
    assert_eq!(codes(&table(draw_low(), &dealt(both))), none);
    assert_eq!(
        codes(&table(draw_low(), &dealt(one))),
        ["draw.count_mismatch"]
    );
    let untold = conceded(&without(&["card seat"]).replace("say 3 stand_pat", "say 3 draw~2"));
    assert_eq!(codes(&table(draw_low(), &untold)), none);
    let other = untold.replace(
        "\"seat\": 1, \"amount\": 800",
        "\"seat\": 3, \"amount\": 800",
    );
    assert_eq!(
        codes(&table(draw_low(), &other)),
        ["pot.under_award", "pot.wrong_seat"]
    );
}

/// Neither burn nor word: what is bet when all have answered is bet after the draw.
#[test]
fn a_draw_in_which_all_stood_pat_may_pass_without_a_word() {
    let pat = without(&["burn", "say 1 draw", "say 3 stand_pat", "show seat 1 5"])
        .replacen(
            "    card seat 3 ??\n    card seat 1 ??\n    say 1 check",
            "    say 1 check",
            1,
        )
        .replace("say 1 show", "say 1 show\n    show seat 1 4 AD");
    // The card that seat 1 drew is the eleventh.
    let at = pat.rfind("    card seat 1 ??").unwrap();
    let pat = format!(
        "{}{}",
        &pat[..at],
        pat[at..].replacen("    card seat 1 ??\n", "", 1)
    );
    let bet = pat.replacen(
        "    say 1 check\n    say 3 check\n    say 1 show",
        "    bet d 1 bet 800\n    bet e 3 call 800\n    say 1 show",
        1,
    );
    let bet = bet.replace("\"amount\": 800}", "\"amount\": 2400}");
    let none: [&str; 0] = [];
    assert_eq!(codes(&table(draw_low(), &pat)), none);
    assert_eq!(codes(&table(draw_low(), &bet)), none);
    let short = bet.replace("\"amount\": 2400}", "\"amount\": 2300}");
    assert_eq!(codes(&table(draw_low(), &short)), ["pot.under_award"]);
    // Who acts again where the draw was told had nothing to answer.
    let again = DRAW.replacen("say 3 check\n", "say 3 check\n    say 1 check\n", 1);
    assert_eq!(codes(&table(draw_low(), &again)), ["action.not_due"]);
}

/// Two are all-in before the first of three draws; who stands pat says nothing, and no burn is told.
#[test]
fn draws_without_a_bet_between_them_are_told_apart_by_their_order() {
    let limits: Vec<Value> = (0..4).map(|_| json!([400, null])).collect();
    let options = json!({"form": "triple_draw_a_5", "betting": "no_limit", "bet_limits": limits,
        "blinds": [200, 400]});
    let draws = [
        "say 3 discard~QH\n card seat 3 JH\n",
        "say 1 discard~KS\n card seat 1 6S\n",
        "say 3 discard~JH\n card seat 3 TH\n",
        "say 1 discard~6S\n card seat 1 7S\n",
        "say 3 discard~TH\n card seat 3 9H\n",
        "say 1 discard~7S\n card seat 1 8S\n",
    ];
    let hand = |draws: &[&str]| {
        let deal =
            |(one, other): (&str, &str)| format!("card seat 1 {one}\n card seat 3 {other}\n");
        let ones = ["AS", "2S", "3S", "4S", "KS"].into_iter();
        let deal: String = ones.zip(["2H", "3H", "4H", "5H", "QH"]).map(deal).collect();
        let lines = format!(
            r#"{{"type": "round_opened", "banker": 3}}
            bet a 1 blind 200 {{"stack": 2000}}
            bet b 3 blind 400 {{"stack": 2000}}
            {deal}
            bet c 1 raise 1800
            bet d 3 call 1600
            {}
            {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 4000}}
            close"#,
            draws.concat()
        );
        codes(&table(options.clone(), &lines))
    };
    let none: [&str; 0] = [];
    assert_eq!(hand(&draws[..3]), none);
    assert_eq!(hand(&draws[..5]), none);
    // A seat drew before its turn: nobody draws four times.
    assert_eq!(hand(&draws), ["draw.out_of_turn"]);
}

/// Both are all-in and stand pat: neither draw nor bet is told, nor what lay before them.
#[test]
fn a_last_betting_round_of_which_nothing_is_told_had_no_bets() {
    let lines = without(&[
        "burn",
        "say 1 draw",
        "say 3 stand_pat",
        "say 1 check",
        "say 3 check",
    ])
    .replace(
        "bet c 1 call 200",
        "bet c 1 raise 1800\n    bet d 3 call 1600",
    )
    .replace("\"amount\": 800}", "\"amount\": 4000}");
    let mut options = draw_low();
    options["betting"] = json!("no_limit");
    options["bet_limits"] = json!([[400, null], [800, null]]);
    let found = |lines: &str| codes(&table(options.clone(), lines));
    assert_eq!(found(&lines), [] as [&str; 0]);
    assert_eq!(found(&lines.replace("4000}", "3900}")), ["pot.under_award"]);
}

/// A hand with a card too many or too few is fouled, however much of it was seen on the way.
#[test]
fn a_fouled_hand_of_a_draw_form_is_found() {
    let first = "    card seat 1 ??\n    card seat 3 ??\n    bet c";
    assert!(DRAW.contains(first));
    let extra = DRAW
        .replacen(
            first,
            "    card seat 1 ??\n    card seat 3 ??\n    card seat 3 KC\n    bet c",
            1,
        )
        .replace("show seat 3 4 2H", "show seat 3 4 2H\n    show seat 3 5 KC");
    assert_eq!(codes(&table(draw_low(), &extra)), ["deal.card_count"]);
    let short = DRAW
        .replacen(first, "    card seat 1 ??\n    bet c", 1)
        .replace("show seat 3 4 2H", "");
    assert_eq!(codes(&table(draw_low(), &short)), ["deal.card_count"]);
}

/// What a document of hands known by their end cannot say.
#[test]
fn draws_of_hands_that_are_known_by_their_end_are_judged_too() {
    let draws = |draws: &str| {
        let lines = DRAW.replace(
            "say 1 draw~1\n    card seat 1 ??\n    say 3 stand_pat",
            draws,
        );
        let lines = lines.replace("show seat 3 4 2H", "show seat 3 5 2H");
        codes(&table(draw_low(), &lines))
    };
    let one = "say 1 draw~1\n    card seat 1 ??";
    let other = "say 3 draw~1\n    card seat 3 ??";
    let none: [&str; 0] = [];
    assert_eq!(draws(&format!("{one}\n    {other}")), none);
    assert_eq!(draws(&format!("{other}\n    {one}")), ["draw.out_of_turn"]);
    let two = other.replace("draw~1", "draw~2");
    assert_eq!(draws(&format!("{one}\n    {two}")), ["draw.count_mismatch"]);
}

/// Seven players run the deck out; the discards come back for seat 1, whose draws nobody could follow.
#[test]
fn discards_that_came_back_are_looked_for_where_the_known_draws_run_out() {
    let seats = [1, 2, 3, 4, 5, 6, 7];
    let deal = |seat: &u32| format!("card seat {seat} ??\n");
    let deal: String = seats.iter().map(deal).collect::<String>().repeat(5);
    let draw = |seat: u32, count: usize| {
        format!(
            "say {seat} draw~{count}\n{}",
            format!("card seat {seat} ??\n").repeat(count)
        )
    };
    let check: String = seats
        .iter()
        .map(|seat| format!("say {seat} check\n"))
        .collect();
    let first = [(1, 3), (5, 4), (6, 4), (7, 4)].map(|(seat, count)| draw(seat, count));
    let first = first.concat();
    let second = format!("called reshuffle\n{}{}", draw(1, 1), draw(5, 3));
    let third = draw(6, 3);
    // Seats 1 to 4 show; of the others only the number of their cards is known.
    let shown = [
        "AS 2S 3S 4S 6D",
        "AH 2H 3H 4H 7D",
        "AD 2D 3D 4D 8D",
        "AC 2C 3C 4C 9D",
    ];
    let show: String = shown
        .iter()
        .zip(1..)
        .map(|(cards, seat)| {
            let cards = cards.split(' ').enumerate();
            cards
                .map(|(index, card)| format!("show seat {seat} {index} {card}\n"))
                .collect::<String>()
        })
        .collect();
    let calls: String = (3..=7)
        .map(|seat| format!("bet c{seat} {seat} call 400\n"))
        .collect();
    let lines = format!(
        r#"{{"type": "round_opened", "banker": 7}}
        bet a 1 blind 200
        bet b 2 blind 400
        {deal}{calls}bet c1 1 call 200
        say 2 check
        burn
        {first}{check}burn
        {second}{check}burn
        {third}{check}{show}
        {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 2800}}
        close"#
    );
    let limits: Vec<Value> = (0..4).map(|_| json!([400, 400])).collect();
    let options = json!({"form": "triple_draw_a_5", "bet_limits": limits, "blinds": [200, 400]});
    assert_eq!(codes(&table(options, &lines)), [] as [&str; 0]);
}

/// Eight players hold 40 cards: the third who draws five gets what the first threw away. 12(f)2
#[test]
fn a_card_comes_back_through_a_reshuffle_and_not_without() {
    let suits = ["C", "D", "H", "S"];
    let ranks = [
        "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A",
    ];
    let deck = suits
        .iter()
        .flat_map(|suit| ranks.map(|rank| format!("{rank}{suit}")));
    let deck: Vec<String> = deck.collect();
    let hand = |seat: usize| &deck[(seat - 1) * 5..seat * 5];
    let deal = |seat: usize, cards: &[String]| -> String {
        let line = |card: &String| format!("card seat {seat} {card}\n");
        cards.iter().map(line).collect()
    };
    let dealt: String = (0..5)
        .flat_map(|at| (1..=8).map(move |seat| (seat, at)))
        .map(|(seat, at)| deal(seat, &hand(seat)[at..=at]))
        .collect();
    let draw = |seat: usize, cards: &[String]| {
        format!(
            "say {seat} discard~{}\n{}",
            hand(seat).join("~"),
            deal(seat, cards)
        )
    };
    let calls: String = (3..=8)
        .map(|seat| format!("bet c{seat} {seat} call 400\n"))
        .collect();
    let folds: String = (2..=8).map(|seat| format!("say {seat} fold\n")).collect();
    let round = |reshuffle: &str| {
        format!(
            r#"{{"type": "shoe_started", "shoe": "s1", "set": "A", "decks": 1, "method": "hand"}}
            {{"type": "round_opened", "banker": 8, "shoe": "s1"}}
            bet a 1 blind 200
            bet b 2 blind 400
            {dealt}{calls}bet d 1 call 200
            say 2 check
            burn
            {}{}{reshuffle}
            {}bet e 1 bet 800
            {folds}{{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 3200}}
            close"#,
            draw(1, &deck[40..45]),
            draw(2, &deck[45..50]),
            draw(3, hand(1)),
        )
    };
    let options = || {
        json!({"form": "five_card_draw_high", "bet_limits": [[400, 400], [800, 800]],
            "blinds": [200, 400]})
    };
    let none: [&str; 0] = [];
    assert_eq!(codes(&table(options(), &round("called reshuffle"))), none);
    let found = codes(&table(options(), &round("")));
    assert!(
        found.contains(&"deck.duplicate_card".to_owned()),
        "{found:?}"
    );
}
