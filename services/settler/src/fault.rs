//! A fault of a round that is known before the round is settled, or that its settlement does not show.

use catwalk_rules::floor::Cents;

/// What is wrong; the table and the round make a finding of it.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    /// The wager it is about.
    pub(crate) wager: Option<String>,
    /// The seat it is about; that of the wager where none is named.
    pub(crate) seat: Option<u32>,
    pub(crate) due: Option<Cents>,
    pub(crate) paid: Option<Cents>,
    /// Positive: the house lost it.
    pub(crate) exposure: Cents,
    pub(crate) message: String,
    pub(crate) evidence: Vec<u64>,
}

impl Fault {
    pub(crate) fn new(code: &'static str, evidence: Vec<u64>, message: String) -> Fault {
        Fault {
            code,
            wager: None,
            seat: None,
            due: None,
            paid: None,
            exposure: Cents::ZERO,
            message,
            evidence,
        }
    }

    pub(crate) fn of_wager(mut self, wager: &str) -> Fault {
        self.wager = Some(wager.to_owned());
        self
    }

    pub(crate) fn at_seat(mut self, seat: u32) -> Fault {
        self.seat = Some(seat);
        self
    }
}

/// Does what the table posts break this whatever is bet and dealt? The vigorish of a single bet may be over
/// its cap as well.
pub(crate) fn shows_in_posting(code: &str) -> bool {
    is_of_posting(code) || code == "craps.vig_over_cap"
}

/// Is a code about what the table posts, and not about a round of it?
pub(crate) fn is_of_posting(code: &str) -> bool {
    const ALONE: [&str; 4] = [
        "deal.hand_without_shuffler",
        "deck.illegal_count",
        "limits.ratio",
        "payout.unapproved_odds",
    ];
    let mut starts = ["config.", "option.", "options."].into_iter();
    ALONE.contains(&code) || starts.any(|start| code.starts_with(start))
}
