//! Hands that were dealt too few cards, at the tables whose documents list hands by seat. Nobody said so: the cards
//! that were dealt tell it, and it is a misdeal.

use catwalk_stories::{codes, table};
use serde_json::json;

const NONE: [&str; 0] = [];

/// A round of a game, and what becomes of it when a card of its deal is left out.
struct Misdealt {
    game: &'static str,
    edition: &'static str,
    bets: &'static str,
    /// A line for each card.
    deal: &'static str,
    left_out: &'static str,
    decided: &'static str,
    /// As the cards lie, and with the misdeal.
    paid: &'static str,
    back: &'static str,
}

impl Misdealt {
    fn found(&self, is_short: bool, payments: &str) -> Vec<String> {
        let is_dealt = |line: &&str| !is_short || line.trim() != self.left_out;
        let deal: Vec<&str> = self.deal.lines().filter(is_dealt).collect();
        let left_out = self.deal.lines().count() - deal.len();
        assert_eq!(left_out, usize::from(is_short), "{}", self.game);
        let (bets, decided) = (self.bets, self.decided);
        let deal = deal.join("\n");
        let lines = format!("open\n{bets}\nno-more-bets\n{deal}\n{decided}\n{payments}\nclose");
        codes(&table(self.game, self.edition, json!({}), &lines))
    }
}

/// Caribbean stud 12(d): the hand of that seat alone. Let it ride 12(c), mississippi stud 13.C and dj wild 13.C: the
/// round. Double down stud 11(d): the common cards, since a hand is a single card.
const GAMES: [Misdealt; 5] = [
    Misdealt {
        game: "caribbean_stud",
        edition: "mgc-2017",
        bets: "bet a 1 ante 1000\nbet b 2 ante 1000",
        deal: "card seat 1 5S\ncard seat 2 9H\ncard dealer KS up
               card seat 1 5D\ncard seat 2 7D\ncard dealer ??
               card seat 1 5C\ncard seat 2 6C\ncard dealer ??
               card seat 1 QH\ncard seat 2 4S\ncard dealer ??
               card seat 1 2S\ncard seat 2 2D\ncard dealer ??",
        left_out: "card seat 2 2D",
        decided: "say 1 bet\nbet p 1 bet 2000 a\nsay 2 bet\nbet q 2 bet 2000 b
                  show dealer 1 AH\nshow dealer 2 TD\nshow dealer 3 8C\nshow dealer 4 3H",
        paid: "take q\ntake b\npay a 1000\npay p 6000",
        back: "push b\npush q\npay a 1000\npay p 6000",
    },
    Misdealt {
        game: "double_down_stud",
        edition: "mgc-2017",
        bets: "bet a 1 bet 1500",
        deal: "card seat 1 QH up
               card dealer QC\ncard dealer 9S up\ncard dealer 6H up\ncard dealer 3D up",
        left_out: "card dealer 3D up",
        decided: "no-more-bets\nshow dealer 0 QC",
        paid: "pay a 1500",
        back: "push a",
    },
    Misdealt {
        game: "let_it_ride",
        edition: "mgc-2017",
        bets: "bet a 1 bet_1 1000\nbet b 1 bet_2 1000\nbet c 1 bet_3 1000
               bet d 2 bet_1 1000\nbet e 2 bet_2 1000\nbet f 2 bet_3 1000",
        deal: "card seat 1 JS\ncard seat 2 9C\ncard community ??
               card seat 1 JD\ncard seat 2 8D\ncard community ??
               card seat 1 4C\ncard seat 2 2H\ncard community ??",
        left_out: "card seat 2 2H",
        decided: "say 1 ride\nsay 2 ride\nshow community 1 4H
                  say 1 ride\nsay 2 ride\nshow community 2 9S",
        paid: "take d\ntake e\ntake f\npay a 2000\npay b 2000\npay c 2000",
        back: "push d\npush e\npush f\npush a\npush b\npush c",
    },
    Misdealt {
        game: "mississippi_stud",
        edition: "oh-jack-2017",
        bets: "bet a 1 ante 1000\nbet e 2 ante 1000",
        deal: "card seat 1 QS\ncard seat 2 TS\ncard seat 1 7D\ncard seat 2 8S",
        left_out: "card seat 2 8S",
        decided: "say 1 bet\nbet b 1 third_street 1000 a\nsay 2 bet\nbet f 2 third_street 1000 e
                  burn\ncard community QH up
                  say 1 bet\nbet c 1 fourth_street 1000 a\nsay 2 bet\nbet g 2 fourth_street 1000 e
                  burn\ncard community 9C up
                  say 1 bet\nbet d 1 fifth_street 1000 a\nsay 2 bet\nbet h 2 fifth_street 1000 e
                  burn\ncard community 2D up",
        paid: "take e\ntake f\ntake g\ntake h\npay a 1000\npay b 1000\npay c 1000\npay d 1000",
        back: "push e\npush f\npush g\npush h\npush a\npush b\npush c\npush d",
    },
    Misdealt {
        game: "dj_wild",
        edition: "oh-jack-2017",
        bets: "bet a 1 ante 500\nbet b 1 blind 500\nbet c 3 ante 500\nbet d 3 blind 500",
        deal: "card seat 1 AC\ncard seat 3 AS\ncard dealer 9D
               card seat 1 KC\ncard seat 3 5D\ncard dealer 9H
               card seat 1 QC\ncard seat 3 8H\ncard dealer 9S
               card seat 1 JC\ncard seat 3 JH\ncard dealer 8C
               card seat 1 TC\ncard seat 3 4C\ncard dealer 7D",
        left_out: "card seat 3 4C",
        decided: "say 1 play\nbet p 1 play 1000 a\nsay 3 play\nbet q 3 play 1000 c
                  show dealer 0 9D\nshow dealer 1 9H\nshow dealer 2 9S\nshow dealer 3 8C\nshow dealer 4 7D",
        paid: "take c\ntake d\ntake q\npay a 500\npay p 1000\npay b 25000",
        back: "push c\npush d\npush q\npush a\npush p\npush b",
    },
];

#[test]
fn a_hand_that_is_a_card_short_is_a_misdeal_untold() {
    for game in GAMES {
        assert_eq!(game.found(false, game.paid), NONE, "{}", game.game);
        let back = game.found(true, game.back);
        assert_eq!(back, ["deal.card_count"], "{}", game.game);
    }
}

#[test]
fn what_was_misdealt_and_played_on_is_told_by_what_it_cost() {
    for game in GAMES {
        let played_on = game.found(true, game.paid);
        let has = |code: &str| played_on.iter().any(|found| found == code);
        assert!(has("deal.card_count"), "{} {played_on:?}", game.game);
        let paid = has("pay.over") || has("pay.under");
        assert!(
            paid && !has("round.unsettled"),
            "{} {played_on:?}",
            game.game
        );
    }
}
