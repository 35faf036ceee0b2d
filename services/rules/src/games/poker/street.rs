//! One betting round: whose turn it was, what each action was worth, what goes back.

use super::betting::{Betting, Reading};
use super::forms::{Family, Form};
use super::incidents::{Ruling, Strike};
use super::opener::{shows_open_pair, stud_opener};
use super::play::{Kind, Verbal, Wager};
use super::posts::Posted;
use super::raises::Increments;
use super::room::{BetLimits, Move, Room, What, left_of};
use crate::floor::Cents;
use crate::refusal::Refusal;

pub(super) struct Street<'a, 'b> {
    pub(super) room: &'a Room<'b>,
    ruling: &'a Ruling,
    pub(super) reading: Reading,
    pub(super) index: usize,
    pub(super) limits: BetLimits,
    /// What everybody has to match.
    pub(super) level: Cents,
    /// The last level that a full bet or raise made.
    pub(super) base: Cents,
    pub(super) bet: Vec<Cents>,
    pub(super) last_increment: Cents,
    pub(super) raises: i64,
    /// Has acted since the last increase. A blind or straddle is no action.
    acted: Vec<bool>,
    /// Checked or called short: asked no more until the next increase.
    excused: Vec<bool>,
    pub(super) checked: Vec<bool>,
    /// The level that a player last checked, called, bet or raised to.
    pub(super) answered: Vec<Option<Cents>>,
    /// What a player owes of this betting round by his word.
    owed: Vec<Cents>,
    /// Somebody has bet or raised.
    pub(super) opened: bool,
    accepted: usize,
    /// The action that is looked at.
    at: usize,
    /// The place whose wager was the last accepted action.
    last_wager_by: Option<usize>,
    last_post: Option<usize>,
    /// The seat number from which the next player to act is looked for.
    pointer: u32,
    /// Who opens hangs on a card that nobody saw.
    is_opener_unseen: bool,
    pub(super) betting: &'a mut Betting,
    pub(super) left: &'a mut [Cents],
}

impl<'a, 'b> Street<'a, 'b> {
    pub(super) fn new(
        room: &'a Room<'b>,
        ruling: &'a Ruling,
        posted: &Posted,
        reading: Reading,
        index: usize,
        betting: &'a mut Betting,
        left: &'a mut [Cents],
    ) -> Street<'a, 'b> {
        let count = room.players.len();
        let (level, bet) = match index {
            0 => (posted.level, posted.bet.clone()),
            _ => (Cents::ZERO, vec![Cents::ZERO; count]),
        };
        let limits = room.limits[index];
        Street {
            room,
            ruling,
            reading,
            index,
            limits,
            level,
            base: if level < limits.min {
                Cents::ZERO
            } else {
                level
            },
            bet,
            last_increment: limits.min,
            raises: 0,
            acted: vec![false; count],
            excused: vec![false; count],
            checked: vec![false; count],
            answered: vec![None; count],
            owed: vec![Cents::ZERO; count],
            opened: false,
            accepted: 0,
            at: 0,
            last_wager_by: None,
            last_post: posted.last_post.filter(|_| index == 0),
            pointer: 0,
            is_opener_unseen: false,
            betting,
            left,
        }
    }

    pub(super) fn play(&mut self) -> Result<(), Refusal> {
        self.strike(|strike| strike.after == 0);
        self.double_limits();
        if (0..self.bet.len()).any(|place| self.is_due(place)) {
            self.pointer = self.opens_at()?;
        }
        let room = self.room;
        let moves = &room.actions[self.index];
        let mut at = 0;
        while at < moves.len() {
            let before = std::mem::replace(&mut self.at, at);
            self.strike(|strike| before < strike.after && strike.after <= at);
            at += self.act(&moves[at..])?;
        }
        let before = self.at;
        self.strike(|strike| before < strike.after);
        self.at = usize::MAX;
        self.flag_if(self.expected().is_some(), "round.incomplete");
        self.take_out_unanswered();
        Ok(())
    }

    /// The fourth card of seven-card stud high: an open pair, where the sign says so. 17
    fn double_limits(&mut self) {
        let room = self.room;
        let is_posted = room.options.open_pair_double && room.form == Form::SevenCardStudHigh;
        if is_posted && self.index == 1 && shows_open_pair(room, &self.betting.is_in) {
            self.limits.max = room.limits[2].max;
        }
    }

    /// The seat number at which the search for the opener begins.
    fn opens_at(&mut self) -> Result<u32, Refusal> {
        let room = self.room;
        if room.facts.is_stud() {
            let opener = stud_opener(room, self.index, &self.betting.is_in)?;
            self.is_opener_unseen = opener.is_none();
            return Ok(opener.map_or(0, |place| u32::from(room.players[place].seat.number())));
        }
        let before = match self.last_post {
            Some(place) => Some(room.players[place].seat),
            None => room.play.button,
        };
        Ok(before.map_or(0, left_of))
    }

    /// Takes out the hands that an incident strikes now. The last player cannot lose his. 15(i)
    fn strike(&mut self, now: impl Fn(&Strike) -> bool) {
        let ruling = self.ruling;
        for strike in &ruling.strikes {
            let place = strike.place;
            if strike.round != self.index || !now(strike) {
                continue;
            }
            if !self.betting.is_in[place] || self.betting.players_in() < 2 {
                continue;
            }
            self.leave(place);
            self.betting.refunded[place] = strike.refunded.then_some("protected_hand");
            let codes = strike.code.into_iter();
            codes.for_each(|code| self.betting.certain.add(code));
        }
    }

    pub(super) fn leave(&mut self, place: usize) {
        self.betting.is_in[place] = false;
        self.betting.out_in[place] = Some(self.index);
    }

    pub(super) fn flag(&mut self, code: &'static str) {
        self.betting.faults.insert((self.index, self.at, code));
    }

    pub(super) fn flag_if(&mut self, broken: bool, code: &'static str) {
        if broken {
            self.flag(code);
        }
    }

    fn can_act(&self, place: usize) -> bool {
        let stops_in = match self.room.facts.family {
            Family::Mambo => 1,
            _ => 4,
        };
        let stopped = self.index >= stops_in && self.ruling.stopped.contains(&place);
        self.betting.is_in[place] && self.left[place].is_positive() && !stopped
    }

    /// What a player has to match: the level, but where nobody else can act no more than another has bet.
    pub(super) fn call_level(&self, place: usize) -> Cents {
        let mut others = (0..self.bet.len()).filter(|&other| other != place);
        if others.clone().any(|other| self.can_act(other)) {
            return self.level;
        }
        let largest = others.by_ref().map(|other| self.bet[other]).max();
        self.level.min(largest.unwrap_or_default())
    }

    fn is_due(&self, place: usize) -> bool {
        if self.betting.players_in() < 2 || !self.can_act(place) || self.excused[place] {
            return false;
        }
        let able = (0..self.bet.len()).filter(|&place| self.can_act(place));
        self.bet[place] < self.call_level(place) || !self.acted[place] && able.count() >= 2
    }

    /// The first due seat clockwise from the pointer.
    fn expected(&self) -> Option<usize> {
        let mut clockwise = self.room.clockwise_from(self.pointer);
        clockwise.find(|&place| self.is_due(place))
    }

    /// The first of these moves; says how many it took, where several were one bet.
    fn act(&mut self, moves: &[Move<'_>]) -> Result<usize, Refusal> {
        let action = &moves[0];
        let wager = action.what.wager();
        let is_first = self.accepted == 0;
        if !is_first && wager.is_some_and(|wager| wager.kind == Kind::ForcedBet) {
            return Err(Refusal::at(
                format!("play.rounds[{}][{}].id", self.index, self.at),
                "a forced bet is the first action of the round",
            ));
        }
        let place = self.room.place(action.seat);
        let Some(place) = place.filter(|&place| self.betting.is_in[place]) else {
            self.reject(wager, "action.not_in_hand", "not_in_play");
            return Ok(1);
        };
        let is_due = self.is_due(place);
        // Whoever acts first is taken for the one whose cards nobody saw.
        let is_unseen_opener = is_first && is_due && self.is_opener_unseen;
        let is_expected = is_unseen_opener || self.expected() == Some(place);
        if wager.is_some() && self.last_wager_by == Some(place) && !is_expected {
            self.reject(wager, "wager.string_bet", "string_bet");
            return Ok(1);
        }
        if !is_due {
            self.reject(wager, "action.not_due", "not_in_play");
            // His cards are gone all the same. 15(a), 15(d)
            if matches!(action.what, What::Fold) && self.betting.players_in() > 1 {
                self.leave(place);
            }
            return Ok(1);
        }
        match (is_expected, is_first) {
            (true, _) => {}
            (false, true) => self.flag("action.wrong_opener"),
            (false, false) => self.flag("action.out_of_turn"),
        }
        if is_expected || is_first {
            self.pointer = left_of(action.seat);
        }
        let forced_bet_due = is_first && self.index == 0 && self.room.facts.is_stud();
        let duty = match self.reading == Reading::Said && is_expected {
            true => self.duty(place, action.words, forced_bet_due),
            false => None,
        };
        self.accepted += 1;
        self.last_wager_by = wager.map(|_| place);
        self.acted[place] = true;
        if let Some(duty) = duty {
            return Ok(self.keep_word(place, duty, moves, forced_bet_due));
        }
        match action.what {
            What::Fold => {
                if forced_bet_due && self.owe_forced_bet(place) {
                    self.flag("wager.obligation_unpaid");
                }
                self.leave(place);
            }
            What::Check => self.check(place, forced_bet_due),
            What::Wager(wager) => self.wager(place, wager, forced_bet_due),
        }
        Ok(1)
    }

    fn reject(&mut self, wager: Option<&Wager>, code: &'static str, reason: &'static str) {
        self.flag(code);
        if let Some(wager) = wager {
            self.betting.refunds.give(wager.seat, reason, wager.amount);
        }
    }

    /// Who throws his hand away owes the forced bet all the same; was any of it missing? 15(j)2
    pub(super) fn owe_forced_bet(&mut self, place: usize) -> bool {
        let posted = self.room.options.forced_bet.unwrap_or_default();
        let missing = (posted - self.bet[place].min(posted)).min(self.left[place]);
        self.put_in(place, missing);
        self.owe(place, missing);
        self.level = self.level.max(posted);
        missing.is_positive()
    }

    pub(super) fn check(&mut self, place: usize, forced_bet_due: bool) {
        let is_short = self.bet[place] < self.call_level(place);
        if forced_bet_due {
            self.flag("forced_bet.missing");
        } else if is_short {
            self.flag("action.check_facing_bet");
        } else if !self.offers_check() {
            self.flag("action.check_not_offered");
        }
        self.excused[place] = is_short;
        self.checked[place] = true;
        self.answered[place] = Some(self.level);
    }

    /// Five-card stud gives nobody a check. 13(e)-(f)
    pub(super) fn offers_check(&self) -> bool {
        self.room.facts.family != Family::FiveCardStud
    }

    /// What a player can put in of so much; the rest goes back. 7(c)
    pub(super) fn within_stakes(&mut self, place: usize, amount: Cents) -> Cents {
        let within = amount.min(self.left[place]);
        self.flag_if(within < amount, "wager.over_table_stakes");
        self.give_back(place, "table_stakes", amount - within);
        within
    }

    pub(super) fn give_back(&mut self, place: usize, reason: &'static str, amount: Cents) {
        let seat = self.room.players[place].seat;
        self.betting.refunds.give(seat, reason, amount);
    }

    fn wager(&mut self, place: usize, wager: &Wager, forced_bet_due: bool) {
        let mut amount = self.within_stakes(place, wager.amount);
        if wager.kind == Kind::ForcedBet {
            return self.force(place, amount);
        }
        if forced_bet_due {
            let forced = self.room.options.forced_bet.unwrap_or_default();
            let is_all_in = amount == self.left[place] && amount >= forced;
            let opens = wager.kind == Kind::Bet && (amount >= self.limits.min || is_all_in);
            self.flag_if(!opens, "forced_bet.missing");
        }
        // 7(i): one large chip without the word is a call, and so is what lies above a call.
        let to_call = self.to_call(place);
        let words = wager.words();
        let is_raise_said = words.verbal == Some(Verbal::Raise)
            || words.announced.is_some_and(|said| said > to_call);
        let is_over = amount > to_call;
        let large_chip = wager.single_chip && !is_raise_said && to_call.is_positive() && is_over;
        let is_call = wager.kind == Kind::Call || large_chip;
        if is_call && is_over {
            match (large_chip, wager.kind) {
                (true, Kind::Call) => {}
                (true, _) => self.flag("wager.single_chip_call"),
                (false, _) => self.flag("wager.overcall"),
            }
            self.give_back(place, "change", amount - to_call);
            amount = to_call;
        }
        let increment = amount - to_call;
        if is_call || !increment.is_positive() {
            let all_in = amount == self.left[place];
            self.flag_if(!is_call && !all_in, "wager.under_min");
            let is_short = self.call(place, amount);
            self.flag_if(is_call && is_short, "wager.short_call");
        } else {
            let all_in = amount == self.left[place];
            let increments = self.increments(place);
            if self.level.is_positive() {
                self.bars(place).for_each(|code| self.flag(code));
            }
            self.flag_size(increments, increment, all_in);
            self.bet_or_raise(place, amount, increments);
        }
    }

    /// The forced bet of the low card; all-in for less, the others owe it in full.
    fn force(&mut self, place: usize, amount: Cents) {
        let posted = self.room.options.forced_bet.unwrap_or_default();
        let all_in = amount == self.left[place];
        self.flag_if(amount != posted.min(self.left[place]), "forced_bet.amount");
        self.put_in(place, amount);
        let forced = if all_in { posted } else { Cents::ZERO };
        self.level = self.level.max(self.bet[place]).max(forced);
        if self.level >= self.limits.min {
            self.base = self.level;
        }
    }

    pub(super) fn to_call(&self, place: usize) -> Cents {
        self.level - self.bet[place]
    }

    /// Puts in a call; was it less than he had to match, without being all he has?
    pub(super) fn call(&mut self, place: usize, amount: Cents) -> bool {
        let all_in = amount == self.left[place];
        let is_short = self.bet[place] + amount < self.call_level(place) && !all_in;
        self.excused[place] |= is_short;
        self.put_in(place, amount);
        self.answered[place] = Some(self.level);
        is_short
    }

    /// Puts in a bet or raise; all others have to answer it.
    pub(super) fn bet_or_raise(&mut self, place: usize, amount: Cents, increments: Increments) {
        let increment = amount - self.to_call(place);
        self.raises += i64::from(self.level.is_positive());
        let all_in = amount == self.left[place];
        if increment >= increments.min {
            self.last_increment = increment;
        }
        self.put_in(place, amount);
        self.level += increment;
        if !all_in || self.level >= self.base + increments.min {
            self.base = self.level;
        }
        self.opened = true;
        self.answered[place] = Some(self.level);
        self.acted.fill(false);
        self.acted[place] = true;
        self.excused.fill(false);
        if self.index + 1 == self.room.facts.rounds {
            self.betting.last_bettor = Some(place);
        }
    }

    pub(super) fn put_in(&mut self, place: usize, amount: Cents) {
        self.left[place] -= amount;
        self.bet[place] += amount;
        self.betting.chips[place][self.index] += amount;
    }

    /// Chips that are in the pot by a word, and not on the table.
    pub(super) fn owe(&mut self, place: usize, amount: Cents) {
        self.owed[place] += amount;
        self.betting.owed[place] += amount;
    }

    /// What a player who is still in owes and nobody matched was never answered: it obliges nobody. 15(j)
    fn take_out_unanswered(&mut self) {
        for place in 0..self.bet.len() {
            let others = (0..self.bet.len()).filter(|&other| other != place);
            let largest = others.map(|other| self.bet[other]).max();
            let above = self.bet[place] - largest.unwrap_or_default().min(self.bet[place]);
            let out = above.min(self.owed[place]);
            if self.betting.is_in[place] && out.is_positive() {
                self.put_in(place, -out);
                self.betting.owed[place] -= out;
            }
        }
    }
}
