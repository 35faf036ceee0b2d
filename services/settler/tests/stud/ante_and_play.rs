//! Three card, four card and crazy four poker from their events: what voids a round that nobody declared void,
//! what closes the betting, what is a decision, and what becomes of the chip of a progressive wager.

use catwalk_stories::{codes, table};
use serde_json::json;

const NONE: [&str; 0] = [];
const VOID: &str = "procedure.play_on_after_void";

/// A game with a table of it: seat 1 wins with a pair, seat 2 folds.
struct Game {
    name: &'static str,
    edition: &'static str,
    antes: &'static str,
    hands: [&'static str; 2],
    dealer: &'static str,
    paid: &'static str,
}

const GAMES: [Game; 4] = [
    Game {
        name: "three_card_poker",
        edition: "mgc-amended",
        antes: "bet a1 1 ante 1000\nbet a2 2 ante 500",
        hands: ["9S 9H 2D", "4D 6C JH"],
        dealer: "KD 7C 3H",
        paid: "take a2\npay a1 1000\npay p1 1000",
    },
    Game {
        name: "three_card_poker",
        edition: "oh-jack-2017",
        antes: "bet a1 1 ante 1000\nbet a2 2 ante 500",
        hands: ["9S 9H 2D", "4D 6C JH"],
        dealer: "KD 7C 3H",
        paid: "take a2\npay a1 1000\npay p1 1000",
    },
    Game {
        name: "four_card_poker",
        edition: "oh-jack-2017",
        antes: "bet a1 1 ante 1000\nbet a2 2 ante 500",
        hands: ["QH QC 8S 5D 3H", "AC TD 8D 7S 3C"],
        dealer: "JS JD 9C 6H 4S 2D",
        paid: "take a2\npay a1 1000\npay p1 1000",
    },
    Game {
        name: "crazy_four_poker",
        edition: "oh-jack-2017",
        antes: "bet a1 1 ante 1000\nbet s1 1 super_bonus 1000\nbet a2 2 ante 500\nbet s2 2 super_bonus 500",
        hands: ["QH QC 8S 5D 3H", "AC TD 8D 7S 3C"],
        dealer: "KS JD 9C 6H 4S",
        paid: "take a2\ntake s2\npay a1 1000\npay p1 1000\npush s1",
    },
];

impl Game {
    /// The cards as they are dealt, one stack after the other, the dealer's last.
    fn deal(&self) -> String {
        let hand = |place: &str, cards: &str| -> Vec<String> {
            let cards = cards.split(' ').enumerate();
            let line = |(index, card)| match (place, index) {
                ("dealer", 5) => format!("card dealer {card} up"),
                _ => format!("card {place} {card}"),
            };
            cards.map(line).collect()
        };
        let [first, second] = self.hands;
        let hands = [
            ("seat 1", first),
            ("seat 2", second),
            ("dealer", self.dealer),
        ];
        let lines: Vec<String> = hands
            .iter()
            .flat_map(|(to, cards)| hand(to, cards))
            .collect();
        lines.join("\n")
    }

    /// So many of the dealer's cards are turned over.
    fn show(&self, cards: usize) -> String {
        let shown = self.dealer.split(' ').enumerate().take(cards);
        let lines: Vec<String> = shown
            .map(|(index, card)| format!("show dealer {index} {card}"))
            .collect();
        lines.join("\n")
    }

    /// Everything goes back.
    fn given_back(&self) -> String {
        let told = self.antes.lines().filter_map(|line| line.split(' ').nth(1));
        let lines: Vec<String> = told.chain(["p1"]).map(|id| format!("push {id}")).collect();
        lines.join("\n")
    }

    fn play(&self, lines: &[&str]) -> Vec<String> {
        codes(&table(
            self.name,
            self.edition,
            json!({}),
            &lines.join("\n"),
        ))
    }

    /// A round with something between the deal and the decisions, and something else at its end.
    fn round(&self, deal: &str, before: &str, end: &str) -> Vec<String> {
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
        let all = self.show(6);
        let lines = [
            "open",
            self.antes,
            "no-more-bets",
            deal,
            before,
            decided,
            &all,
            end,
            "close",
        ];
        self.play(&lines)
    }
}

#[test]
fn a_dealers_card_that_is_seen_before_the_decisions_voids_the_round_untold() {
    for game in GAMES {
        let (deal, seen) = (game.deal(), game.show(1));
        assert_eq!(game.round(&deal, "", game.paid), NONE, "{}", game.name);
        let played_on = game.round(&deal, &seen, game.paid);
        assert!(played_on.iter().any(|code| code == VOID), "{played_on:?}");
        assert!(
            !played_on.iter().any(|code| code == "wager.play_late"),
            "{played_on:?}"
        );
        assert_eq!(
            game.round(&deal, &seen, &game.given_back()),
            NONE,
            "{}",
            game.name
        );
        // Dealt face up it is seen as well; the one of six that is to lie open is not meant.
        let second = game.dealer.split(' ').nth(1).unwrap();
        let open = deal.replace(&format!("dealer {second}"), &format!("dealer {second} up"));
        let played_on = game.round(&open, "", game.paid);
        assert!(played_on.iter().any(|code| code == VOID), "{played_on:?}");
    }
}

#[test]
fn a_dealers_card_that_is_seen_when_all_have_decided_voids_nothing() {
    for game in GAMES {
        let deal = game.deal();
        let (one, all) = (game.show(1), game.show(6));
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
        let lines = [
            "open", game.antes, &deal, decided, &one, &all, game.paid, "close",
        ];
        assert_eq!(game.play(&lines), NONE, "{}", game.name);
        // A reader that tells every card face up does not say what the players saw.
        let lines: Vec<String> = deal
            .lines()
            .map(|line| format!("{} up", line.trim_end_matches(" up")))
            .collect();
        assert_eq!(
            game.round(&lines.join("\n"), "", game.paid),
            NONE,
            "{}",
            game.name
        );
    }
}

#[test]
fn a_play_wager_after_the_whole_hand_of_the_dealer_is_late() {
    for game in GAMES {
        let (deal, all) = (game.deal(), game.show(6));
        let late = "bet p1 1 play 1000 a1";
        let lines = [
            "open",
            game.antes,
            &deal,
            "say 2 fold",
            &all,
            late,
            game.paid,
            "close",
        ];
        assert_eq!(game.play(&lines), ["wager.play_late"], "{}", game.name);
    }
}

#[test]
fn a_hand_that_is_a_card_short_voids_the_round_untold() {
    for game in GAMES {
        let deal = game.deal();
        let lines: Vec<&str> = deal.lines().collect();
        let last = lines
            .iter()
            .rposition(|line| line.starts_with("card seat 2"))
            .unwrap();
        let short = [&lines[..last], &lines[last + 1..]].concat().join("\n");
        let played_on = game.round(&short, "", game.paid);
        for code in ["deal.card_count", VOID] {
            assert!(
                played_on.iter().any(|found| found == code),
                "{code} {played_on:?}"
            );
        }
        let back = game.round(&short, "", &game.given_back());
        assert_eq!(back, ["deal.card_count"], "{}", game.name);
    }
}

#[test]
fn a_joker_voids_the_round_untold() {
    for game in GAMES {
        let card = game.hands[1].split(' ').next().unwrap();
        let deal = game.deal().replace(&format!("seat 2 {card}"), "seat 2 JK");
        let played_on = game.round(&deal, "", game.paid);
        for code in ["deck.foreign_card", VOID] {
            assert!(
                played_on.iter().any(|found| found == code),
                "{code} {played_on:?}"
            );
        }
        let back = game.round(&deal, "", &game.given_back());
        assert_eq!(back, ["deck.foreign_card"], "{}", game.name);
    }
}

#[test]
fn a_dealers_card_that_is_seen_before_anybody_decided_and_everything_given_back_is_a_void_round() {
    for game in GAMES {
        let (deal, seen) = (game.deal(), game.show(1));
        let told = game.antes.lines().filter_map(|line| line.split(' ').nth(1));
        let back: Vec<String> = told.map(|id| format!("push {id}")).collect();
        let back = back.join("\n");
        let lines = ["open", game.antes, &deal, &seen, &back, "close"];
        assert_eq!(game.play(&lines), NONE, "{}", game.name);
        // Without it the antes were given up, and lost.
        let lines = ["open", game.antes, &deal, &back, "close"];
        let kept = game.play(&lines);
        assert!(kept.contains(&"pay.uncollected".to_owned()), "{kept:?}");
    }
}

/// Three card poker s7(e)(2), §8.D; four card poker §9.D; crazy four poker §8.D.
#[test]
fn a_deck_that_is_counted_short_while_it_is_dealt_voids_the_round_untold() {
    for game in GAMES {
        let deal = game.deal();
        let stub = 52 - deal.lines().count();
        let counted = |left: usize| {
            let count =
                json!({"type": "cards_counted", "set": "A", "count": left, "scope": "stub"});
            count.to_string()
        };
        let whole = counted(stub);
        assert_eq!(game.round(&deal, &whole, game.paid), NONE, "{}", game.name);
        for left in [stub - 1, stub + 1] {
            let played_on = game.round(&deal, &counted(left), game.paid);
            assert!(played_on.iter().any(|code| code == VOID), "{played_on:?}");
            let back = game.round(&deal, &counted(left), &game.given_back());
            assert_eq!(back, NONE, "{}", game.name);
            // He counted again.
            let again = [counted(left), counted(stub)].join("\n");
            assert_eq!(game.round(&deal, &again, game.paid), NONE, "{}", game.name);
        }
        // A card that was found face up is set aside.
        let aside = json!({"type": "irregularity", "kind": "face_up_card", "ruling": "set aside"});
        let aside = [aside.to_string(), counted(stub - 1)].join("\n");
        let found = game.round(&deal, &aside, game.paid);
        assert!(!found.iter().any(|code| code == VOID), "{found:?}");
    }
    // Four of the stack that gives the dealer his open card go away unseen (four card poker §10.B).
    let game = &GAMES[2];
    let deal = game.deal();
    let left = 52 - deal.lines().count() - 4;
    let counted = json!({"type": "cards_counted", "set": "A", "count": left, "scope": "stub"});
    assert_eq!(game.round(&deal, &counted.to_string(), game.paid), NONE);
}

/// Two cards found face up void the round, however many a feed says that there were; crazy four poker has no rule for
/// it.
#[test]
fn more_cards_than_a_deck_holds_are_never_found_face_up() {
    for game in GAMES {
        let found = json!({"type": "irregularity", "kind": "face_up_card", "ruling": "set aside",
            "detail": {"count": u64::MAX}});
        let found = [found.to_string(), found.to_string()].join("\n");
        let played_on = game.round(&game.deal(), &found, game.paid);
        let voids = game.name != "crazy_four_poker";
        assert_eq!(
            played_on.iter().any(|code| code == VOID),
            voids,
            "{played_on:?}"
        );
    }
}

/// The dealer's stack is the first of an automated shoe in Ohio (§9.B), and the last in Massachusetts (s9(c)).
#[test]
fn a_shoe_that_deals_stacks_deals_the_dealer_in_his_turn() {
    let found = |edition: &str, options: serde_json::Value, order: [usize; 3]| {
        let hands = ["seat 1 9S 9H 2D", "seat 2 4D 6C JH", "dealer KD 7C 3H"].map(|hand| {
            let (place, cards) = hand.split_at(hand.len() - 8);
            let cards: Vec<String> = cards
                .split(' ')
                .map(|card| format!("card {place}{card}"))
                .collect();
            cards.join("\n")
        });
        let deal = order.map(|hand| hands[hand].as_str()).join("\n");
        let lines = format!(
            "open\nbet a1 1 ante 1000\nbet a2 2 ante 500\nno-more-bets\n{deal}
             say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold
             show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
             take a2\npay a1 1000\npay p1 1000\nclose"
        );
        codes(&table("three_card_poker", edition, options, &lines))
    };
    let (first, last) = ([2, 0, 1], [0, 1, 2]);
    let shoe = || json!({"dealing": "automated_shoe"});
    assert_eq!(found("oh-jack-2017", shoe(), first), NONE);
    assert_eq!(found("oh-jack-2017", shoe(), last), ["deal.order"]);
    // A feed that does not say how it deals may tell the hands one after the other.
    assert_eq!(found("oh-jack-2017", json!({}), last), NONE);
    assert_eq!(found("mgc-2017", shoe(), last), NONE);
    assert_eq!(found("mgc-2017", shoe(), first), ["deal.order"]);
}

/// Nothing depends on a hand that nobody holds, and cover all buys none.
#[test]
fn a_hand_without_a_wager_need_not_be_shown_and_a_cover_all_has_none() {
    let found = |bet: &str, deal: &str, end: &str| {
        let lines = format!(
            "open\nbet a 1 ante 1000\n{bet}\nno-more-bets
             card seat 1 9S\ncard seat 1 9H\ncard seat 1 2D\n{deal}
             card dealer KD\ncard dealer 7C\ncard dealer 3H
             say 1 play\nbet p 1 play 1000 a
             show dealer 0 KD\nshow dealer 1 7C\nshow dealer 2 3H
             pay a 1000\npay p 1000\n{end}\nclose"
        );
        codes(&table("three_card_poker", "mgc-amended", json!({}), &lines))
    };
    let unseen = "card seat 3 ??\ncard seat 3 ??\ncard seat 3 ??";
    assert_eq!(found("", unseen, ""), ["deal.hand_without_wager"]);
    let alone = found("bet c 5 cover_all 500", "", "take c");
    assert_eq!(alone, ["wager.side_without_main"]);
}

/// Of crazy four poker the text knows no call: 7.D, 8.A.ii.
#[test]
fn nothing_but_the_first_card_closes_the_betting_of_crazy_four_poker() {
    for game in GAMES {
        let (deal, all) = (game.deal(), game.show(6));
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
        let found = |before: &str, after: &str| {
            let first = [game.antes, "no-more-bets", before].join("\n");
            game.play(&[
                "open", &first, &deal, after, decided, &all, game.paid, "close",
            ])
        };
        let again = "raise a2 900\nraise a2 500";
        let (called, dealt) = (found(again, ""), found("", again));
        match game.name {
            "crazy_four_poker" => assert_eq!(called, NONE),
            _ => assert!(called.contains(&"wager.capped".to_owned()), "{called:?}"),
        }
        assert!(dealt.contains(&"wager.capped".to_owned()), "{dealt:?}");
    }
}

#[test]
fn where_no_deal_is_told_what_follows_it_closes_the_betting() {
    for game in GAMES {
        let all = game.show(6);
        let hands: Vec<String> = game
            .hands
            .iter()
            .zip(1..)
            .flat_map(|(cards, seat)| {
                let cards = cards.split(' ').enumerate();
                cards.map(move |(index, card)| format!("show seat {seat} {index} {card}"))
            })
            .collect();
        let hands = hands.join("\n");
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
        let found = |late: &str| {
            game.play(&[
                "open", game.antes, decided, late, &all, &hands, game.paid, "close",
            ])
        };
        assert_eq!(found(""), NONE, "{}", game.name);
        assert_eq!(found("raise a2 600"), ["wager.capped"], "{}", game.name);
    }
}

#[test]
fn the_cards_of_a_seat_that_plays_alone_need_not_name_it() {
    for game in GAMES {
        let alone = |lines: &str| -> String {
            let others = |line: &&str| {
                !line.contains("seat 2") && !line.contains("a2") && !line.contains("s2")
            };
            lines.lines().filter(others).collect::<Vec<_>>().join("\n")
        };
        let unnamed: Vec<String> = alone(&game.deal())
            .lines()
            .map(|line| match line.strip_prefix("card seat 1 ") {
                Some(card) => {
                    json!({"type": "card_dealt", "to": "player", "card": card, "face": "down"})
                        .to_string()
                }
                None => line.to_owned(),
            })
            .collect();
        let (antes, paid, all) = (alone(game.antes), alone(game.paid), game.show(6));
        let found = |paid: &str| {
            let decided = "say 1 play\nbet p1 1 play 1000 a1";
            game.play(&[
                "open",
                &antes,
                &unnamed.join("\n"),
                decided,
                &all,
                paid,
                "close",
            ])
        };
        assert_eq!(found(&paid), NONE, "{}", game.name);
        assert_eq!(
            found(&paid.replace("pay p1 1000", "pay p1 2000")),
            ["pay.over"]
        );
    }
}

/// With a progressive chip of seat 1, whose hand earns nothing, or of a seat that put it down late.
fn chip(game: &Game, before: &str, chip: &str, end: &str) -> Vec<String> {
    let (deal, all) = (game.deal(), game.show(6));
    let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
    let bets = [game.antes, before, "no-more-bets"].join("\n");
    game.play(&[
        "open", &bets, &deal, chip, decided, &all, end, game.paid, "close",
    ])
}

#[test]
fn the_chip_of_a_progressive_wager_is_not_handed_back_though_it_won_nothing() {
    for game in GAMES {
        let bet = "bet g 1 progressive 100";
        assert_eq!(chip(&game, bet, "", "take g"), NONE, "{}", game.name);
        assert_eq!(chip(&game, bet, "", ""), NONE, "{}", game.name);
        let back = chip(&game, bet, "", "push g");
        assert_eq!(
            back,
            ["pay.uncollected", "progressive.stake_returned"],
            "{}",
            game.name
        );
        // Before the cards are dealt it is its player's.
        assert_eq!(
            chip(&game, &format!("{bet}\nremove g"), "", ""),
            NONE,
            "{}",
            game.name
        );
    }
}

/// START GAME locks the sensors before the first card (three card poker s13(b)).
#[test]
fn a_progressive_chip_that_the_system_takes_during_the_deal_was_not_locked_out() {
    let bet = "bet g 1 progressive 100";
    for game in GAMES.iter().filter(|game| game.name == "three_card_poker") {
        let late = chip(game, "", bet, "push g");
        assert_eq!(
            late,
            ["progressive.not_locked", "wager.late"],
            "{}",
            game.edition
        );
        // The call is what the lock follows.
        let called = chip(game, &format!("no-more-bets\n{bet}"), "", "push g");
        assert_eq!(called, ["progressive.not_locked", "wager.late"]);
        // A device that was off the line tells of it again.
        assert_eq!(chip(game, bet, bet, "take g"), NONE, "{}", game.edition);
        // After the lock and before the call it may be refused.
        let lock = json!({"type": "betting_closed", "window": "progressive"});
        let locked = chip(game, &format!("{lock}\n{bet}"), "", "push g");
        assert_eq!(locked, ["progressive.not_locked"], "{}", game.edition);
    }
}

#[test]
fn a_decision_may_say_with_how_many_antes() {
    let game = &GAMES[3];
    let (deal, all) = (game.deal(), game.show(5));
    let decided = "say 1 play_1x\nbet p1 1 play 1000 a1\nsay 2 fold_hand";
    let lines = ["open", game.antes, &deal, decided, &all, game.paid, "close"];
    assert_eq!(game.play(&lines), NONE);
    // What nobody can have is not money.
    let decided = decided.replace("1x", "9223372036854775807x");
    let lines = [
        "open", game.antes, &deal, &decided, &all, game.paid, "close",
    ];
    assert_eq!(game.play(&lines), NONE);
}

#[test]
fn a_play_wager_without_an_ante_is_no_decision() {
    let found = |said: &str| {
        let lines = format!(
            "open\nbet w 4 pair_plus 500
             card seat 4 QS\ncard seat 4 QH\ncard seat 4 4D\ncard dealer TD\ncard dealer 7C\ncard dealer 3H
             {said}\nbet p 4 play 500
             show dealer 0 TD\nshow dealer 1 7C\nshow dealer 2 3H
             pay w 500\npush p\nclose"
        );
        codes(&table("three_card_poker", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(found(""), ["wager.play_without_ante"]);
    let said = found("say 4 play");
    assert_eq!(
        said,
        ["procedure.decision_without_ante", "wager.play_without_ante"]
    );
}

#[test]
fn a_hand_that_was_given_up_unexposed_is_short_in_whatever_words() {
    let game = &GAMES[0];
    let (deal, all) = (game.deal(), game.show(3));
    let found = |kind: &str, detail: serde_json::Value| {
        let told =
            json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "noted"});
        let told = told.to_string();
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 forfeit";
        game.play(&[
            "open", game.antes, &deal, decided, &told, &all, game.paid, "close",
        ])
    };
    assert_eq!(
        found("forfeit_short", json!({"seat": 2, "cards": 2})),
        ["procedure.forfeit_short"]
    );
    assert_eq!(
        found("forfeit_short", json!({"seat": 2})),
        ["procedure.forfeit_short"]
    );
    assert_eq!(
        found("forfeit_count", json!(4)),
        ["procedure.forfeit_short"]
    );
    assert_eq!(found("forfeit_count", json!({"seat": 2, "cards": 3})), NONE);
}

#[test]
fn a_stake_that_is_told_anew_is_changed_and_not_another_wager() {
    for game in GAMES {
        let (deal, all) = (game.deal(), game.show(6));
        let decided = "say 1 play\nbet p1 1 play 1000 a1\nsay 2 fold";
        let found = |before: &str, after: &str| {
            let first = [before, game.antes].join("\n");
            let lines = [
                "open", &first, &deal, after, decided, &all, game.paid, "close",
            ];
            game.play(&lines)
        };
        assert_eq!(found("bet a1 1 ante 400", ""), NONE, "{}", game.name);
        assert_eq!(
            found("", "bet a1 1 ante 4000"),
            ["wager.capped"],
            "{}",
            game.name
        );
        assert_eq!(
            found("", "bet a1 1 ante 400"),
            ["wager.pinched"],
            "{}",
            game.name
        );
    }
}
