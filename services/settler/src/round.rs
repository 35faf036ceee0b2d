//! A round as its events tell it: the wagers and what became of them, and the play in order.

use std::collections::BTreeMap;

use catwalk_events::audit::{DealtCard, signed};
use catwalk_events::body::{Body, CardPlace, Irregularity, RoundOpened, WagerForm, WagerPlaced};
use catwalk_events::{Event, Json, Timestamp};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::table::{Lost, PlayedWith, RulesInForce};

/// No round keeps more events of its play than this; one that has more is not judged.
pub(crate) const MAX_PLAY_EVENTS: usize = 4_096;

/// The window of wagers that are made before the round is dealt.
pub(crate) const MAIN_WINDOW: &str = "main";

/// What is known of a round so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RoundFold {
    pub id: String,
    pub opened_at: Timestamp,
    pub opened_seq: u64,
    /// The last event of it.
    #[serde(default)]
    pub(crate) last_at: Option<Timestamp>,
    /// What was said when it opened: the shoe, the bank, the meters.
    pub opened: RoundOpened,
    /// The rules when it opened: they judge it, whatever changes meanwhile.
    pub rules: RulesInForce,
    pub dealer: Option<String>,
    pub wagers: Vec<WagerFold>,
    /// Cards, dice, spins, decisions and irregularities in order, with their sequence numbers.
    pub play: Vec<(u64, Body)>,
    /// When each card of the play was dealt.
    pub(crate) dealt_at: Vec<Timestamp>,
    pub closed_windows: Vec<String>,
    /// A call closed one of them, and not the play.
    pub(crate) called: bool,
    /// A call closed the main one.
    #[serde(default)]
    pub(crate) main_called: bool,
    /// Events of it are missing, or it grew beyond its bounds: it is not judged.
    pub incomplete: bool,
    /// Nobody told of its opening: it began with its first event.
    #[serde(default)]
    pub(crate) opened_untold: bool,
    /// It opened at a table whose standing was in doubt: it is not judged either.
    pub(crate) doubtful: bool,
    /// Payments on wagers that nobody made.
    #[serde(default)]
    pub(crate) strays: Vec<Stray>,
    /// It ended by being called off.
    #[serde(default)]
    pub(crate) voided: bool,
    /// Events of earlier rounds that never came and may have told of wagers that lie in this one.
    #[serde(default)]
    pub(crate) lost_before: Lost,
    /// Codes that were raised before its end, so that its settlement does not repeat them.
    pub(crate) raised: Vec<String>,
    /// When each of the closed windows closed.
    #[serde(default)]
    pub(crate) closed_at: BTreeMap<String, Timestamp>,
    #[serde(default)]
    pub(crate) played_with: PlayedWith,
}

/// Chips that moved on a wager that nobody made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stray {
    pub(crate) wager: String,
    pub(crate) paid: Cents,
    pub(crate) seq: u64,
    #[serde(default)]
    pub(crate) how: StrayHow,
}

/// What was done with a wager that nobody made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum StrayHow {
    #[default]
    Paid,
    GivenBack,
    Collected,
    Commission,
}

impl StrayHow {
    /// Did the house take it?
    pub(crate) fn is_taken(self) -> bool {
        matches!(self, StrayHow::Collected | StrayHow::Commission)
    }
}

/// A wager and what became of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WagerFold {
    pub id: String,
    pub seat: u32,
    pub player: Option<String>,
    pub kind: String,
    /// The stake that counts: a change after the cut-off does not change it.
    pub amount: Cents,
    pub on: Option<String>,
    pub detail: Option<Json>,
    pub form: Option<WagerForm>,
    pub(crate) colour: Option<String>,
    /// So much of the play had happened when it was made.
    pub after_play: usize,
    /// Made in an earlier round, and not decided there.
    pub carried: bool,
    /// Made after the close of its window.
    pub late: bool,
    /// Told by a decision alone, under a name that the feed does not know.
    pub announced: bool,
    /// Taken back after the main window had closed, as the game allows.
    pub withdrawn: bool,
    /// Taken back against the rules: it counts, and does not lie there any more.
    #[serde(default)]
    pub(crate) is_gone: bool,
    #[serde(with = "signed")]
    pub paid: Cents,
    /// So much of it came from a meter.
    #[serde(with = "signed")]
    pub from_meter: Cents,
    /// The first payment on it.
    pub paid_seq: Option<u64>,
    #[serde(with = "signed")]
    pub commission: Cents,
    /// Collected from the layout: so much, or `None` of an amount for all of it.
    #[serde(with = "nested")]
    pub collected: Option<Option<Cents>>,
    /// Taken back since it was made, as the rules allow, while it counts for what it was.
    pub uncovered: Cents,
    /// Left or given back: so much, or all of it.
    #[serde(with = "nested")]
    pub pushed: Option<Option<Cents>>,
    /// Only a decision told of it, or it raises another: it is paid and collected with this wager.
    pub told_with: Option<String>,
    /// Sequence numbers of the events about it.
    pub evidence: Vec<u64>,
    /// Lowered where the document tells of it: after so much of the play, to this.
    pub(crate) lowered: Vec<(usize, Cents)>,
    /// What was up before some of it was taken down against the rules, while nothing was thrown since.
    #[serde(default)]
    pub(crate) kept_up: Option<Cents>,
    /// Its stake was held against the posted limits.
    pub(crate) limited: bool,
    /// What was paid of it while it was undecided, which was raised already.
    #[serde(with = "signed")]
    pub(crate) undue: Cents,
    /// What the house lost by it, as was raised before the end of the round.
    #[serde(with = "signed")]
    pub(crate) mispaid: Cents,
    /// It was held against what it was due after so much of the play, before the end of the round.
    pub(crate) judged: Option<usize>,
    #[serde(default)]
    pub(crate) placed_at: Option<Timestamp>,
    /// Who sat at its seat when it was made. It is not what the wager says: no round is judged by it.
    #[serde(default)]
    pub(crate) seated: Option<String>,
    /// Made, raised or taken down so long after its window had closed.
    #[serde(default)]
    pub(crate) late_by_ms: Option<i64>,
}

impl WagerFold {
    pub(crate) fn new(placed: &WagerPlaced, seq: u64, after_play: usize, late: bool) -> WagerFold {
        WagerFold {
            id: placed.wager.clone(),
            seat: placed.seat,
            player: placed.player.clone(),
            kind: placed.kind.clone(),
            amount: placed.amount,
            on: placed.on.clone(),
            detail: placed.detail.clone(),
            form: placed.form,
            colour: placed.colour.clone(),
            after_play,
            carried: false,
            late,
            announced: false,
            withdrawn: false,
            is_gone: false,
            paid: Cents::ZERO,
            from_meter: Cents::ZERO,
            paid_seq: None,
            commission: Cents::ZERO,
            collected: None,
            uncovered: Cents::ZERO,
            pushed: None,
            told_with: None,
            evidence: vec![seq],
            lowered: Vec::new(),
            kept_up: None,
            limited: false,
            undue: Cents::ZERO,
            mispaid: Cents::ZERO,
            judged: None,
            placed_at: None,
            seated: None,
            late_by_ms: None,
        }
    }

    /// Whose it is: as it says itself, or whoever sat there.
    pub(crate) fn patron(&self) -> Option<String> {
        self.player.clone().or_else(|| self.seated.clone())
    }

    /// Does it lie there as this says, made in this round?
    pub(crate) fn is_as_placed(&self, placed: &WagerPlaced) -> bool {
        let is_up = !(self.carried || self.withdrawn || self.is_gone);
        let is_same = self.id == placed.wager
            && self.seat == placed.seat
            && self.kind == placed.kind
            && self.amount == placed.amount
            && self.on == placed.on
            && self.detail == placed.detail;
        is_up && is_same
    }

    /// What of it is up now.
    pub(crate) fn stake(&self) -> Cents {
        self.amount - self.uncovered
    }

    /// Was it paid, collected or given back?
    pub(crate) fn is_touched(&self) -> bool {
        self.paid != self.undue || self.collected.is_some() || self.pushed.is_some()
    }

    /// Vigorish that was not taken with the payment. What went back net of it leaves nothing.
    pub(crate) fn vigorish_left(&self, due: &Settled) -> Cents {
        let is_whole = match due.result {
            Verdict::Win => self.paid.is_positive() && self.paid != due.win - due.commission,
            Verdict::Push => {
                self.collected.is_none() && self.pushed.flatten() != Some(due.returned)
            }
            _ => false,
        };
        match is_whole && self.commission == Cents::ZERO {
            true => due.commission,
            false => Cents::ZERO,
        }
    }

    /// So much of it stays up after so much of the play.
    pub(crate) fn lower(&mut self, after_play: usize, to: Cents) {
        self.lowered.retain(|&(at, _)| at < after_play);
        self.lowered.push((after_play, to));
        self.uncovered = self.amount - to;
        self.limited = false;
    }

    /// So much lies there again of what was taken down against the rules.
    pub(crate) fn put_back(&mut self, after_play: usize, to: Cents) {
        let Some(whole) = self.kept_up else { return };
        self.lowered.retain(|(_, stake)| *stake >= whole);
        match to == whole {
            true => (self.uncovered, self.kept_up) = (self.amount - whole, None),
            false => self.lower(after_play, to),
        }
    }

    /// It is as if it had been made now, with this stake.
    pub(crate) fn renew(&mut self, after_play: usize, amount: Cents) {
        self.amount = amount;
        self.uncovered = Cents::ZERO;
        self.lowered.clear();
        self.kept_up = None;
        self.after_play = after_play;
        self.carried = false;
        self.limited = false;
    }

    /// Takes in what is said of it later on.
    pub(crate) fn tell_more(&mut self, detail: Option<&Json>) {
        let Some(more) = detail else { return };
        let mut told = more.value();
        let known = self.detail.as_ref().map(Json::value);
        if let (Some(told), Some(Value::Object(known))) = (told.as_object_mut(), known) {
            for (key, value) in known {
                told.entry(key).or_insert(value);
            }
        }
        self.detail = Some(Json::new(&told));
    }
}

/// What decides a round: cards, dice, tiles and spins.
pub(crate) fn is_of_play(body: &Body) -> bool {
    matches!(
        body,
        Body::CardDealt(_)
            | Body::CardRevealed(_)
            | Body::DiceRolled(_)
            | Body::TilesDealt(_)
            | Body::WheelSpun(_)
    )
}

impl RoundFold {
    pub(crate) fn open(
        event: &Event,
        id: &str,
        opened: RoundOpened,
        rules: RulesInForce,
        dealer: Option<String>,
    ) -> RoundFold {
        RoundFold {
            id: id.to_owned(),
            opened_at: event.at,
            opened_seq: event.seq,
            last_at: None,
            opened,
            rules,
            dealer,
            wagers: Vec::new(),
            play: Vec::new(),
            dealt_at: Vec::new(),
            closed_windows: Vec::new(),
            called: false,
            main_called: false,
            incomplete: false,
            opened_untold: false,
            doubtful: false,
            strays: Vec::new(),
            voided: false,
            lost_before: Lost::default(),
            raised: Vec::new(),
            closed_at: BTreeMap::new(),
            played_with: PlayedWith::default(),
        }
    }

    /// Do its events and the standing of its table tell enough to judge it?
    pub(crate) fn is_told(&self) -> bool {
        !self.incomplete && !self.doubtful
    }

    /// Does nothing tell how it ended? So it is where it was opened and closed again, and where no card,
    /// die, tile or spin of it was told, unless its table tells of them and money went to and fro all the
    /// same. In the poker room cards may stay down to the end.
    pub(crate) fn is_untold(&self, table_tells: bool) -> bool {
        let is_shown = self.play.iter().any(|(_, body)| {
            is_of_play(body) || matches!(body, Body::HandSet(_) | Body::Irregularity(_))
        });
        let is_settled = || self.wagers.iter().any(WagerFold::is_touched);
        if self.wagers.is_empty() && self.play.is_empty() {
            return true;
        }
        !is_shown && self.rules.game != "poker" && !(table_tells && is_settled())
    }

    /// Was this raised in it before?
    pub(crate) fn has_raised(&self, code: &str) -> bool {
        self.raised.iter().any(|raised| raised == code)
    }

    pub fn wager(&self, id: &str) -> Option<&WagerFold> {
        self.wagers.iter().find(|wager| wager.id == id)
    }

    pub(crate) fn wager_mut(&mut self, id: &str) -> Option<&mut WagerFold> {
        self.wagers.iter_mut().find(|wager| wager.id == id)
    }

    pub(crate) fn is_closed(&self, window: &str) -> bool {
        self.closed_windows.iter().any(|closed| closed == window)
    }

    pub(crate) fn close_window(&mut self, window: &str) {
        if !self.is_closed(window) {
            self.closed_windows.push(window.to_owned());
        }
    }

    /// What went wrong and was ruled upon, in order.
    pub(crate) fn irregularities(&self) -> impl Iterator<Item = &Irregularity> {
        self.play.iter().filter_map(|(_, body)| match body {
            Body::Irregularity(irregularity) => Some(irregularity),
            _ => None,
        })
    }

    /// The cards of a place in the order dealt, as they were shown in the end; `None` for one that
    /// nobody saw.
    pub fn cards(&self, place: CardPlace, seat: Option<u32>) -> Vec<Option<&str>> {
        self.hand(place, seat, 1)
    }

    /// The same for one of several hands of a place, counted from 1.
    pub fn hand(&self, place: CardPlace, seat: Option<u32>, hand: u32) -> Vec<Option<&str>> {
        let is_there =
            |to, of, number: Option<u32>| (to, of, number.unwrap_or(1)) == (place, seat, hand);
        let mut cards: Vec<Option<&str>> = Vec::new();
        for (_, body) in &self.play {
            match body {
                Body::CardDealt(dealt) if is_there(dealt.to, dealt.seat, dealt.hand) => {
                    cards.push(dealt.card.as_deref());
                }
                Body::CardRevealed(shown) if is_there(shown.to, shown.seat, shown.hand) => {
                    if let Some(card) = cards.get_mut(shown.index as usize) {
                        *card = Some(&shown.card);
                    }
                }
                _ => {}
            }
        }
        cards
    }

    /// Every card in the order dealt, as it was shown in the end.
    pub(crate) fn dealt(&self) -> Vec<DealtCard> {
        let mut cards: Vec<DealtCard> = Vec::new();
        // Where in `cards` the cards of each hand are: a reveal counts within its hand.
        let mut hands: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (seq, body) in &self.play {
            match body {
                Body::CardDealt(dealt) => {
                    let hand = (dealt.to as u8, dealt.seat, dealt.hand.unwrap_or(1));
                    hands.entry(hand).or_default().push(cards.len());
                    cards.push(DealtCard {
                        index: u32::try_from(cards.len()).unwrap_or(u32::MAX),
                        to: dealt.to,
                        seat: dealt.seat,
                        hand: dealt.hand,
                        card: dealt.card.clone(),
                        face: dealt.face,
                        seq: *seq,
                        at: self.dealt_at.get(cards.len()).copied(),
                    });
                }
                Body::CardRevealed(shown) => {
                    let hand = (shown.to as u8, shown.seat, shown.hand.unwrap_or(1));
                    let place = hands
                        .get(&hand)
                        .and_then(|hand| hand.get(shown.index as usize));
                    if let Some(card) = place.and_then(|place| cards.get_mut(*place)) {
                        card.card = Some(shown.card.clone());
                    }
                }
                _ => {}
            }
        }
        cards
    }
}

/// An option within an option, which self-describing formats do not tell from none.
mod nested {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer, T: Serialize>(
        value: &Option<Option<T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().map(|inner| (inner,)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        let value = Option::<(Option<T>,)>::deserialize(deserializer)?;
        Ok(value.map(|(inner,)| inner))
    }
}
