//! Hands of baccarat and chemin de fer that are called off.

use catwalk_stories::baccarat::NOTHING;
use catwalk_stories::{Story, bet, cards, collected, paid, pushed};
use serde_json::{Value, json};

/// A hand that is called off after two cards: with this done before its end, and this after.
fn called_off(game: &str, bets: &[Value], before: &[Value], after: &[Value]) -> Story {
    let edition = match game {
        "dragon_bonus_baccarat_commission_free" => "oh-jack-2017",
        _ => "mgc-2017",
    };
    let mut story = Story::at(game, edition, json!({}));
    let opened = json!({"type": "round_opened"});
    let void = json!({"type": "round_voided", "reason": "insufficient cards"});
    let cards = cards(&["player 5S", "banker 3C"]);
    for body in [&[opened], bets, &cards, before, &[void], after].concat() {
        story.of_round(1, body);
    }
    story.aside(json!({"type": "clock"}));
    story
}

#[test]
fn a_round_that_is_called_off_gives_every_stake_back() {
    let house = [bet("a", 1, "banker", 1000), bet("b", 2, "player", 500)];
    let patrons = [bet("a", 1, "bank", 500), bet("b", 2, "banco", 500)];
    for (game, bets) in [
        ("baccarat", &house),
        ("midibaccarat", &house),
        ("minibaccarat", &house),
        ("dragon_bonus_baccarat_commission_free", &house),
        ("chemin_de_fer", &patrons),
    ] {
        let told = |before: &[Value], after: &[Value]| {
            let story = called_off(game, bets, before, after);
            let found = story.findings.iter();
            found
                .map(|found| (found.code.clone(), found.exposure.get()))
                .collect::<Vec<_>>()
        };
        let back = [pushed("a"), pushed("b")];
        assert_eq!(told(&[], &[]), [], "{game}");
        assert_eq!(told(&back, &[]), [], "{game}");
        // It may be done when the round is over, also with what had been taken already.
        assert_eq!(told(&[], &back), [], "{game}");
        assert_eq!(told(&[collected("b")], &back), [], "{game}");
        let kept = [("pay.under".to_owned(), -500)];
        assert_eq!(told(&[pushed("a"), collected("b")], &[]), kept, "{game}");
        assert_eq!(told(&[collected("b")], &back[..1]), kept, "{game}");
        let won = [("pay.over".to_owned(), 500)];
        assert_eq!(told(&[paid("b", 500)], &back[..1]), won, "{game}");
    }
}

#[test]
fn house_money_of_a_round_that_is_called_off_is_undone() {
    let press = json!({"type": "wager_placed", "wager": "x", "seat": 1,
        "kind": "house_money_press", "amount": 1500, "on": "a", "detail": {"from": "h"}});
    let bets = [bet("a", 1, "banker", 1000), bet("h", 1, "house_money", 500)];
    let told = |before: &[Value]| called_off("baccarat", &bets, before, &[]);
    // A payout that lies with the wager is taken back from there.
    let undone = [paid("h", 1500), press, collected("x")];
    assert_eq!(told(&undone).codes(), NOTHING);
    assert_eq!(told(&undone[..1]).codes(), ["pay.over"]);
}
