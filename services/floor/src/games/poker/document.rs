//! The document of a hand: what of it the table has seen.

use std::collections::BTreeMap;

use catwalk_rules::UNSEEN;
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::Poker;
use super::betting::Player;
use super::forms::Family;
use super::hand::{Held, Table};
use crate::games::Dealt;
use crate::games::holdem::text;

impl Poker {
    pub(super) fn document(
        &mut self,
        mut table: Table,
        shown: Vec<(u32, bool)>,
        rng: &mut ChaCha8Rng,
    ) -> Dealt {
        let mut play = Map::new();
        play.insert("form".into(), json!(self.form.name));
        if !self.form.is_stud() {
            play.insert("button".into(), json!(self.button));
        }
        let seat =
            |player: &Player| json!({"seat": player.seat, "stack": player.left + player.put_in});
        let seats: Vec<Value> = table.players.iter().map(seat).collect();
        play.insert("seats".into(), json!(seats));
        let is_conceded = table.is_conceded;
        let is_shown = |seat: u32| !is_conceded && shown.contains(&(seat, true));
        let hands = table.cards.iter().map(|(&seat, hand)| {
            (
                seat.to_string(),
                self.hand(hand, self.reader || is_shown(seat)),
            )
        });
        play.insert("hands".into(), Value::Object(hands.collect()));
        if !table.shared.is_empty() {
            play.insert("board".into(), text(&table.shared));
        }
        if !table.draws.is_empty() {
            play.insert("draws".into(), self.draws(&table, &is_shown));
            let drew = |seat: u32| {
                table
                    .draws
                    .iter()
                    .flatten()
                    .any(|entry| entry["seat"] == seat)
            };
            let seats = table.cards.keys().copied();
            let seats = seats.filter(|&seat| !self.reader && is_shown(seat) && drew(seat));
            let last: Map<String, Value> = seats
                .map(|seat| (seat.to_string(), text(&table.own(seat))))
                .collect();
            if !last.is_empty() {
                play.insert("shown".into(), Value::Object(last));
            }
        }
        play.insert("rounds".into(), json!(table.rounds));
        if !shown.is_empty() {
            let act = |shows: bool| if shows { "show" } else { "muck" };
            let shown = shown
                .iter()
                .map(|&(seat, shows)| json!({"seat": seat, "act": act(shows)}));
            play.insert("showdown".into(), shown.collect());
        }
        if table.is_vacant {
            play.insert("vacant_blinds".into(), json!([0]));
        }
        if !table.burns.is_empty() {
            play.insert("burns".into(), json!(table.burns));
        }
        if self.kill != 0 && self.sign.kill.is_some() {
            play.insert("kill_button".into(), json!(self.kill));
        }
        if self.sign.fund {
            play.insert("jackpot_fund".into(), json!(self.fund));
        }
        if let Some(time) = self.sign.time {
            let mut players = table.players.iter();
            let can_pay = time.per_table || players.all(|player| player.left >= time.charge);
            if can_pay && rng.random_range(0..3) == 0 {
                play.insert("time_due".into(), json!(true));
            }
        }
        self.drop_card(&mut table, rng);
        if !table.incidents.is_empty() {
            play.insert("incidents".into(), json!(table.incidents));
        }
        table.dealt.play = Value::Object(play);
        table.dealt
    }

    /// The draws as far as they were seen: of a hand that was shown, the cards that it kept.
    fn draws(&self, table: &Table, is_shown: &impl Fn(u32) -> bool) -> Value {
        let mut drawn: BTreeMap<u32, usize> = BTreeMap::new();
        let draws = table.draws.iter().map(|draw| -> Value {
            let entries = draw.iter().map(|entry| {
                let mut entry = entry.clone();
                let seat = u32::try_from(entry["seat"].as_u64().unwrap_or_default());
                let seat = seat.unwrap_or_default();
                let count = entry["count"].as_u64().unwrap_or_default() as usize;
                let before = drawn.entry(seat).or_default();
                let cards = table.cards[&seat].iter().filter(|held| held.drawn);
                let cards: Vec<&Held> = cards.skip(*before).take(count).collect();
                *before += count;
                if is_shown(seat) && cards.iter().any(|held| !held.gone) {
                    entry["draw"] = seen(cards);
                }
                entry
            });
            entries.collect()
        });
        draws.collect()
    }

    fn hand(&self, hand: &[Held], is_seen: bool) -> Value {
        let cards = |keep: &dyn Fn(&Held) -> bool| -> Value {
            let kept: Vec<Card> = hand
                .iter()
                .filter(|held| keep(held))
                .map(|held| held.card)
                .collect();
            text(&kept)
        };
        if self.form.is_stud() {
            let down = if is_seen {
                cards(&|held| !held.up)
            } else {
                Value::Null
            };
            return json!({"down": down, "up": cards(&|held| held.up)});
        }
        match (is_seen, self.form.family) {
            (false, _) => Value::Null,
            (true, Family::Draw) if self.reader => cards(&|held| !held.drawn),
            (true, Family::Draw) => match hand.iter().all(|held| held.drawn || held.gone) {
                true => Value::Null,
                false => seen(hand.iter().filter(|held| !held.drawn)),
            },
            (true, _) => cards(&|held| !held.gone),
        }
    }
}

/// The cards that were turned in the end, with a word for those that nobody saw.
fn seen<'a>(cards: impl IntoIterator<Item = &'a Held>) -> Value {
    let name = |held: &Held| match held.gone {
        true => UNSEEN.to_owned(),
        false => held.card.to_string(),
    };
    cards.into_iter().map(name).collect()
}
