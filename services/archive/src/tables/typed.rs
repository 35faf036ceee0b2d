//! The fields of an event that questions use, beside its body.

use catwalk_events::body::Body;
use catwalk_hands::floor::Cents;

/// What an event is about, as far as its type has a field for it.
#[derive(Default)]
pub(super) struct Typed<'a> {
    pub(super) seat: Option<u32>,
    pub(super) player: Option<&'a str>,
    pub(super) amount: Option<Cents>,
    pub(super) kind: Option<&'a str>,
    pub(super) set: Option<&'a str>,
    pub(super) shoe: Option<&'a str>,
}

impl<'a> Typed<'a> {
    pub(super) fn of(body: &'a Body) -> Typed<'a> {
        of_wagers(body)
            .or_else(|| of_play(body))
            .or_else(|| of_sets(body))
            .or_else(|| of_money(body))
            .unwrap_or_default()
    }
}

fn of_wagers(body: &Body) -> Option<Typed<'_>> {
    let of = |amount| Typed {
        amount,
        ..Typed::default()
    };
    Some(match body {
        Body::WagerPlaced(placed) => Typed {
            seat: Some(placed.seat),
            player: placed.player.as_deref(),
            kind: Some(&placed.kind),
            ..of(Some(placed.amount))
        },
        Body::WagerChanged(changed) => of(Some(changed.amount)),
        Body::WagerPaid(paid) => of(Some(paid.amount)),
        Body::WagerCollected(collected) => of(collected.amount),
        Body::WagerPushed(pushed) => of(pushed.amount),
        Body::CommissionCollected(collected) => Typed {
            player: collected.player.as_deref(),
            ..of(Some(collected.amount))
        },
        Body::JackpotPaid(paid) => Typed {
            player: paid.player.as_deref(),
            ..of(Some(paid.amount))
        },
        _ => return None,
    })
}

fn of_play(body: &Body) -> Option<Typed<'_>> {
    Some(match body {
        Body::CardDealt(dealt) => Typed {
            seat: dealt.seat,
            ..Typed::default()
        },
        Body::CardRevealed(shown) => Typed {
            seat: shown.seat,
            ..Typed::default()
        },
        Body::Decision(decision) => Typed {
            seat: Some(decision.seat),
            amount: decision.amount,
            kind: Some(&decision.action),
            ..Typed::default()
        },
        Body::PotAwarded(awarded) => Typed {
            seat: Some(awarded.seat),
            amount: Some(awarded.amount),
            ..Typed::default()
        },
        Body::RoundOpened(opened) => Typed {
            seat: opened.banker,
            set: opened.set.as_deref().or(opened.dice_set.as_deref()),
            shoe: opened.shoe.as_deref(),
            ..Typed::default()
        },
        Body::Irregularity(irregularity) => Typed {
            kind: Some(&irregularity.kind),
            ..Typed::default()
        },
        Body::PatronSeated(seated) => Typed {
            seat: Some(seated.seat),
            player: seated.player.as_deref(),
            ..Typed::default()
        },
        Body::PatronLeft(left) => Typed {
            seat: Some(left.seat),
            player: left.player.as_deref(),
            ..Typed::default()
        },
        _ => return None,
    })
}

fn of_sets(body: &Body) -> Option<Typed<'_>> {
    let (set, shoe) = match body {
        Body::ShoeStarted(started) => (Some(&started.set), Some(&started.shoe)),
        Body::ShoeEnded(ended) => (None, Some(&ended.shoe)),
        Body::CardsDelivered(told) => (Some(&told.set), None),
        Body::CardsInspected(told) => (Some(&told.set), None),
        Body::CardsOpened(told) => (Some(&told.set), None),
        Body::CardReplaced(told) => (Some(&told.set), None),
        Body::CardsCounted(told) => (Some(&told.set), None),
        Body::CardsRemoved(told) => (Some(&told.set), None),
        Body::CardsCollected(told) => (Some(&told.set), None),
        Body::CardsReinspected(told) => (Some(&told.set), None),
        Body::CardsDestroyed(told) => (Some(&told.set), None),
        Body::DiceIntroduced(told) => (Some(&told.set), None),
        Body::DiceInspected(told) => (Some(&told.set), None),
        Body::DiceRemoved(told) => (Some(&told.set), None),
        Body::DiceCollected(told) => (Some(&told.set), None),
        Body::DiceDestroyed(told) => (Some(&told.set), None),
        Body::TilesIntroduced(told) => (Some(&told.set), None),
        Body::TilesInspected(told) => (Some(&told.set), None),
        Body::TilesRemoved(told) => (Some(&told.set), None),
        Body::TilesCollected(told) => (Some(&told.set), None),
        Body::TilesDestroyed(told) => (Some(&told.set), None),
        _ => return None,
    };
    Some(Typed {
        set: set.map(String::as_str),
        shoe: shoe.map(String::as_str),
        ..Typed::default()
    })
}

fn of_money(body: &Body) -> Option<Typed<'_>> {
    let of = |amount| Typed {
        amount: Some(amount),
        ..Typed::default()
    };
    Some(match body {
        Body::BuyIn(bought) => Typed {
            seat: bought.seat,
            player: bought.player.as_deref(),
            ..of(bought.amount)
        },
        Body::CashOut(out) => Typed {
            seat: out.seat,
            player: out.player.as_deref(),
            ..of(out.amount)
        },
        Body::MarkerIssued(issued) => Typed {
            seat: issued.seat,
            player: issued.player.as_deref(),
            ..of(issued.amount)
        },
        Body::MarkerRedeemed(redeemed) => Typed {
            player: redeemed.player.as_deref(),
            ..of(redeemed.amount)
        },
        Body::CouponRedeemed(coupon) => Typed {
            seat: coupon.seat,
            player: coupon.player.as_deref(),
            ..of(coupon.amount)
        },
        Body::Fill(fill) => of(fill.amount),
        Body::Credit(credit) => of(credit.amount),
        Body::InventoryCounted(counted) => of(counted.amount),
        Body::RakeTaken(taken) => of(taken.amount),
        Body::JackpotDropTaken(taken) => of(taken.amount),
        Body::MeterRead(read) => of(read.amount),
        Body::SlipRequested(asked) => of(asked.amount),
        Body::SlipFiled(filed) => of(filed.amount),
        _ => return None,
    })
}
