//! What dealers and players of these games do wrongly.

use catwalk_events::body::WagerForm;
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::script::{Choice, Script};
use super::{Setup, StudGame, strategy};

/// A way to play against the rules.
#[derive(Clone, Copy, Debug)]
pub(super) enum Misplay {
    /// A hand gets a card too many.
    SurplusCard,
    /// A hand gets a card too few; the house where a hand is a single card.
    ShortHand,
    /// A hand is dealt where nobody bets.
    StrayHand,
    /// A card of a hand lies in another hand too.
    Duplicate,
    /// A wager of one of these kinds is taken at so many times the main wager.
    Multiple {
        kinds: &'static [&'static str],
        times: i64,
        code: &'static str,
    },
    /// A raise is taken from a hand that is too low for it.
    RaiseBelowAces,
    /// A wager of this kind is taken at a wrong amount.
    Amount {
        kind: &'static str,
        code: &'static str,
    },
    /// A player is let take back his last bet.
    LastBetBack,
    /// A card is burned too few.
    NoBurn,
    /// Somebody bets with cash.
    Cash,
    /// The dealer deals before he has called no more bets.
    EarlyDeal,
    /// A wager of this kind is taken from a seat that bets nothing else.
    Alone { kind: &'static str },
}

impl Misplay {
    /// Spoils the script; the codes of which one must tell of it. Nothing where it has no room for it.
    pub(super) fn spoil<G: StudGame>(
        self,
        setup: &Setup,
        script: &mut Script,
        draw: &mut dyn FnMut() -> Option<Card>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<&'static str>> {
        self.misdeal::<G>(setup, script, draw, rng)
            .or_else(|| self.misbet::<G>(script, rng))
    }

    /// Cards that are dealt wrongly, or too early.
    fn misdeal<G: StudGame>(
        self,
        setup: &Setup,
        script: &mut Script,
        draw: &mut dyn FnMut() -> Option<Card>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<&'static str>> {
        match self {
            Misplay::SurplusCard => {
                let seat = *script.live().choose(rng)?;
                script.hands.get_mut(&seat)?.push(draw()?);
                Some(vec!["deal.card_count"])
            }
            Misplay::ShortHand => {
                let &seat = script.live().choose(rng)?;
                script.short = Some((G::hand() > 1).then_some(seat));
                match G::hand() > 1 {
                    true => script.hands.get_mut(&seat)?.pop()?,
                    false => script.house.pop()?,
                };
                Some(vec!["deal.card_count"])
            }
            Misplay::StrayHand => {
                let empty = (1..=6).find(|seat| !script.hands.contains_key(seat))?;
                let cards: Vec<Card> = (0..G::hand()).filter_map(|_| draw()).collect();
                let known = setup.identified && cards.len() == G::hand();
                script.hands.insert(empty, cards);
                known.then(|| vec!["deal.hand_without_wager"])
            }
            Misplay::Duplicate => {
                let live = script.live();
                let (&seat, &card) = (live.choose(rng)?, script.house.last()?);
                let shown = !G::board() && (setup.identified || G::shows_house(script));
                let hand = script.hands.get_mut(&seat).filter(|_| shown)?;
                let index = rng.random_range(0..hand.len().max(1));
                *hand.get_mut(index)? = card;
                Some(vec!["deck.duplicate_card"])
            }
            Misplay::NoBurn => {
                let to_the_end = script.has_live_after(G::streets()) && !setup.is_automated();
                script.away.pop().filter(|_| to_the_end)?;
                Some(vec!["deal.burn"])
            }
            Misplay::EarlyDeal => {
                const CODE: &str = "deal.before_close";
                script.before_call = 1;
                G::is_filed(setup, CODE).then(|| vec![CODE])
            }
            _ => None,
        }
    }

    /// Wagers that are taken or given back wrongly.
    fn misbet<G: StudGame>(
        self,
        script: &mut Script,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<&'static str>> {
        match self {
            Misplay::Multiple { kinds, times, code } => {
                let puts = script.bets.iter().filter(|bet| kinds.contains(&bet.kind));
                let puts: Vec<(u32, &'static str)> = puts.map(|bet| (bet.seat, bet.kind)).collect();
                let &(seat, kind) = puts.choose(rng)?;
                let amount = script.amount(seat, G::main()) * times;
                restake(script, seat, kind, amount);
                Some(vec![code])
            }
            Misplay::RaiseBelowAces => {
                let low = |seat: &u32| !strategy::has_aces_up(script.cards(*seat));
                let low: Vec<u32> = script.live().into_iter().filter(low).collect();
                let &seat = low.choose(rng)?;
                let amount = script.amount(seat, G::main()) * 3;
                restake(script, seat, "play", amount);
                Some(vec!["wager.play_needs_aces"])
            }
            Misplay::Amount { kind, code } => {
                let &seat = script.seats_with(kind).choose(rng)?;
                let amount = script.amount(seat, kind) + 300;
                restake(script, seat, kind, amount);
                Some(vec![code])
            }
            Misplay::LastBetBack => {
                let &seat = script.live().choose(rng)?;
                script.takes_last_back = Some(seat);
                Some(vec!["wager.illegal_withdrawal"])
            }
            Misplay::Cash => {
                let first: Vec<(u32, &'static str)> = script.first_bets();
                script.forms.insert(*first.choose(rng)?, WagerForm::Cash);
                Some(vec!["wager.verbal_cash"])
            }
            Misplay::Alone { kind } => {
                let &seat = script.seats_with(kind).choose(rng)?;
                let others = script.seats_with(G::main());
                if !others.iter().any(|other| *other != seat) {
                    return None;
                }
                script
                    .bets
                    .retain(|bet| bet.seat != seat || bet.kind == kind);
                script.hands.remove(&seat);
                script.choices.remove(&seat);
                Some(vec!["wager.side_without_main"])
            }
            _ => None,
        }
    }
}

fn restake(script: &mut Script, seat: u32, kind: &'static str, amount: i64) {
    for bet in &mut script.bets {
        if bet.seat == seat && bet.kind == kind {
            bet.amount = amount;
        }
    }
    for choice in script.choices.entry(seat).or_default() {
        if let Choice::Put(put, old) = choice
            && *put == kind
        {
            *old = amount;
        }
    }
}
