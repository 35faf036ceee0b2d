//! A round that is told in the types of its game settles as its document does, and the types write a document
//! that settles so again.

use catwalk_rules::floor::Card;
use catwalk_rules::games::baccarat::Play;
use catwalk_rules::games::blackjack::{self, Meters};
use catwalk_rules::games::{
    Baccarat, BigSix, Blackjack, CaribbeanStud, CheminDeFer, CraplessCraps, Craps, CrazyFourPoker,
    DjWild, DoubleDownStud, DragonBonusBaccaratCommissionFree, FourCardPoker, FreeBetBlackjack,
    LetItRide, Midibaccarat, Minibaccarat, MississippiStud, PaiGow, PaiGowPoker, RedDog, Roulette,
    SicBo, Spanish21, ThreeCardPoker,
};
use catwalk_rules::{Game, Refusal, Rulebook, Settlement, Shown, Told, UNSEEN};
use serde::Serialize;
use serde_json::{Value, json};

/// Settles every sample round of which all was seen, and says how many there were.
fn settles_as_its_document<G>(name: &str) -> usize
where
    G: Game<Wager: Serialize, Play: Serialize>,
{
    let rulebook = Rulebook::load().expect("the rulebook");
    let mut told = 0;
    for line in G::EXAMPLES.lines() {
        let example: Value = serde_json::from_str(line).expect("a sample round");
        let document = &example["document"];
        let meters = document["play"]["meters"].as_object();
        let is_read = meters.is_none_or(|meters| meters.values().all(|meter| !meter.is_null()));
        let Ok(settlement) = rulebook.settle_value(document) else {
            continue;
        };
        if document.to_string().contains(UNSEEN) || !is_read {
            continue;
        }
        let wagers = document["wagers"].clone();
        let wagers = serde_json::from_value(wagers).expect("wagers of the game");
        let play = document["play"].clone();
        let play = || {
            let play = serde_json::from_value(play).expect("a play of the game");
            let was_seen = true;
            Ok(Told { play, was_seen })
        };
        let edition = document["edition"].as_str().expect("an edition");
        let settled =
            rulebook.settle_told::<G>((name, edition), &document["options"], wagers, play);
        let (round, of_types) = settled.expect("it settles as a document");
        let settlement = json!(settlement);
        assert_eq!(json!(of_types), settlement, "{line}");
        let mut written = document.clone();
        written["wagers"] = json!(round.wagers);
        written["play"] = json!(round.play);
        let again = rulebook.settle_value(&written).expect("it is read again");
        assert_eq!(json!(again), settlement, "{written} for {line}");
        told += 1;
    }
    told
}

#[test]
fn every_sample_round_is_told_in_types_as_it_is_written() {
    let told = [
        settles_as_its_document::<Baccarat>("baccarat"),
        settles_as_its_document::<BigSix>("big_six"),
        settles_as_its_document::<Blackjack>("blackjack"),
        settles_as_its_document::<CaribbeanStud>("caribbean_stud"),
        settles_as_its_document::<CheminDeFer>("chemin_de_fer"),
        settles_as_its_document::<CraplessCraps>("crapless_craps"),
        settles_as_its_document::<Craps>("craps"),
        settles_as_its_document::<CrazyFourPoker>("crazy_four_poker"),
        settles_as_its_document::<DjWild>("dj_wild"),
        settles_as_its_document::<DoubleDownStud>("double_down_stud"),
        settles_as_its_document::<DragonBonusBaccaratCommissionFree>(
            "dragon_bonus_baccarat_commission_free",
        ),
        settles_as_its_document::<FourCardPoker>("four_card_poker"),
        settles_as_its_document::<FreeBetBlackjack>("free_bet_blackjack"),
        settles_as_its_document::<LetItRide>("let_it_ride"),
        settles_as_its_document::<Midibaccarat>("midibaccarat"),
        settles_as_its_document::<Minibaccarat>("minibaccarat"),
        settles_as_its_document::<MississippiStud>("mississippi_stud"),
        settles_as_its_document::<PaiGow>("pai_gow"),
        settles_as_its_document::<PaiGowPoker>("pai_gow_poker"),
        settles_as_its_document::<RedDog>("red_dog"),
        settles_as_its_document::<Roulette>("roulette"),
        settles_as_its_document::<SicBo>("sic_bo"),
        settles_as_its_document::<Spanish21>("spanish_21"),
        settles_as_its_document::<ThreeCardPoker>("three_card_poker"),
    ];
    assert!(told.iter().all(|rounds| *rounds > 0), "{told:?}");
}

#[test]
fn a_game_is_not_told_in_the_types_of_another() {
    let rulebook = Rulebook::load().unwrap();
    let play = serde_json::from_value(json!({"spins": []})).unwrap();
    let was_seen = true;
    let told = || Ok(Told { play, was_seen });
    let settled =
        rulebook.settle_told::<BigSix>(("roulette", "mgc-2017"), &json!({}), vec![], told);
    let refusal = settled.map(|(_, settlement)| settlement).unwrap_err();
    assert_eq!(refusal.to_string(), "game: roulette is another game");
}

/// What a round settles to of which something was not seen: by its document, and told in types by `hide`.
fn without_sight<G>(document: &Value, hide: impl FnOnce(&mut G::Play)) -> [Value; 2]
where
    G: Game<Wager: Serialize, Play: Serialize>,
{
    let rulebook = Rulebook::load().expect("the rulebook");
    let by_document = rulebook.settle_value(document).expect("it settles");
    let name = |key: &str| document[key].as_str().expect("a name");
    let wagers = serde_json::from_value(document["wagers"].clone()).expect("wagers of the game");
    let told = || {
        let shown = document.to_string();
        let shown = shown.replace(&format!("\"bonus_display\":\"{UNSEEN}\","), "");
        let shown = shown.replace(UNSEEN, "2C");
        let shown: Value = serde_json::from_str(&shown).expect("a document");
        let mut play = serde_json::from_value(shown["play"].clone()).expect("a play of the game");
        hide(&mut play);
        let was_seen = false;
        Ok(Told { play, was_seen })
    };
    let names = (name("game"), name("edition"));
    let told: Result<_, Refusal> =
        rulebook.settle_told::<G>(names, &document["options"], wagers, told);
    let (round, in_types) = told.expect("it settles");
    assert_eq!(json!(round.play), document["play"]);
    let whole = |settled: Settlement| json!([settled.unseen(), settled]);
    [whole(by_document), whole(in_types)]
}

#[test]
fn what_nobody_saw_is_told_in_types_as_it_is_written() {
    let wagers = json!([
        {"id": "w1", "seat": 1, "kind": "player", "amount": 1000},
        {"id": "w2", "seat": 2, "kind": "tie", "amount": 1000},
    ]);
    let play = json!({"player": ["KS", "7H"], "banker": ["KC", "5D", UNSEEN]});
    let document = json!({
        "game": "minibaccarat", "edition": "mgc-2017", "options": {}, "wagers": wagers, "play": play,
    });
    let [written, told] =
        without_sight::<Minibaccarat>(&document, |play: &mut Play| play.banker[2] = Card::UNSEEN);
    assert_eq!(written, told);
    assert_eq!(told[0], json!(["play.banker[2]"]));
    assert_eq!(told[1]["wagers"][0]["result"], "open");

    let wagers = json!([
        {"id": "w1", "seat": 1, "kind": "main", "amount": 1000},
        {"id": "w2", "seat": 1, "kind": "progressive", "amount": 100},
        {"id": "w3", "seat": 1, "kind": "blackjack_bonus", "amount": 500},
    ]);
    let play = json!({
        "boxes": [{"seat": 1, "cards": ["AS", "KS"], "bonus_display": UNSEEN}],
        "dealer": {"cards": ["9D", UNSEEN]}, "meters": {"progressive": null},
    });
    let options = json!({"side_bets": ["progressive", "blackjack_bonus"]});
    let document = json!({
        "game": "blackjack", "edition": "mgc-2017", "options": options, "wagers": wagers, "play": play,
    });
    let hide = |play: &mut blackjack::Play| {
        play.boxes[0].bonus_display = Some(Shown::Unseen);
        play.dealer.cards[1] = Card::UNSEEN;
        play.meters = Meters {
            progressive: Some(None),
        };
    };
    let [written, told] = without_sight::<Blackjack>(&document, hide);
    assert_eq!(written, told);
    let unseen = [
        "play.boxes[0].bonus_display",
        "play.dealer.cards[1]",
        "play.meters.progressive",
    ];
    assert_eq!(told[0], json!(unseen));
}
