//! A round that is told in the types of its game settles as its document does, and the types write a document
//! that settles so again.

use catwalk_rules::games::{
    Baccarat, BigSix, Blackjack, CheminDeFer, CraplessCraps, Craps,
    DragonBonusBaccaratCommissionFree, FreeBetBlackjack, Midibaccarat, Minibaccarat, PaiGow,
    PaiGowPoker, RedDog, Roulette, SicBo, Spanish21,
};
use catwalk_rules::{Game, Rulebook, UNSEEN};
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
        let play = || Ok(serde_json::from_value(play).expect("a play of the game"));
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
        settles_as_its_document::<CheminDeFer>("chemin_de_fer"),
        settles_as_its_document::<CraplessCraps>("crapless_craps"),
        settles_as_its_document::<Craps>("craps"),
        settles_as_its_document::<DragonBonusBaccaratCommissionFree>(
            "dragon_bonus_baccarat_commission_free",
        ),
        settles_as_its_document::<FreeBetBlackjack>("free_bet_blackjack"),
        settles_as_its_document::<Midibaccarat>("midibaccarat"),
        settles_as_its_document::<Minibaccarat>("minibaccarat"),
        settles_as_its_document::<PaiGow>("pai_gow"),
        settles_as_its_document::<PaiGowPoker>("pai_gow_poker"),
        settles_as_its_document::<RedDog>("red_dog"),
        settles_as_its_document::<Roulette>("roulette"),
        settles_as_its_document::<SicBo>("sic_bo"),
        settles_as_its_document::<Spanish21>("spanish_21"),
    ];
    assert!(told.iter().all(|rounds| *rounds > 0), "{told:?}");
}

#[test]
fn a_game_is_not_told_in_the_types_of_another() {
    let rulebook = Rulebook::load().unwrap();
    let spins = serde_json::from_value(json!({"spins": []})).unwrap();
    let settled =
        rulebook.settle_told::<BigSix>(("roulette", "mgc-2017"), &json!({}), vec![], || Ok(spins));
    let refusal = settled.map(|(_, settlement)| settlement).unwrap_err();
    assert_eq!(refusal.to_string(), "game: roulette is another game");
}
