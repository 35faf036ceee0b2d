//! The records of the log, each with its schema: its file, those that it refers to, and its past.

use catwalk_events::Event;
use catwalk_events::audit::{
    Access, CaseAct, Disposition, Finding, Incident, Quarantined, Settlement,
};

/// A record that is written to the log.
pub trait Logged: serde::Serialize + serde::de::DeserializeOwned {
    /// Its name in `schemas/past/` and in a schema registry.
    const NAME: &'static str;
    /// Today's schema, without what it refers to.
    const SCHEMA: &'static str;
    /// What it refers to, in any order that defines before use.
    const PARTS: &'static [&'static str];
    /// Whole schemas of earlier versions, oldest first. One is added whenever the schema changes.
    const PAST: &'static [&'static str];
}

impl Logged for Settlement {
    const NAME: &'static str = "settlement";
    const SCHEMA: &'static str = include_str!("../../../schemas/settlement.avsc");
    const PARTS: &'static [&'static str] = &[
        include_str!("../../../schemas/verdict.avsc"),
        include_str!("../../../schemas/card_place.avsc"),
        include_str!("../../../schemas/face.avsc"),
        include_str!("../../../schemas/wager_form.avsc"),
        include_str!("../../../schemas/settled_wager.avsc"),
        include_str!("../../../schemas/dealt_card.avsc"),
    ];
    const PAST: &'static [&'static str] = &[
        include_str!("../../../schemas/past/settlement-1adcd9f2c67d42ba.avsc"),
        include_str!("../../../schemas/past/settlement-97a13e282cefaa2f.avsc"),
        include_str!("../../../schemas/past/settlement-082c3b54f7824ee4.avsc"),
    ];
}

impl Logged for Finding {
    const NAME: &'static str = "finding";
    const SCHEMA: &'static str = include_str!("../../../schemas/finding.avsc");
    const PARTS: &'static [&'static str] = &[include_str!("../../../schemas/severity.avsc")];
    const PAST: &'static [&'static str] = &[
        include_str!("../../../schemas/past/finding-d04163f33cf9654f.avsc"),
        include_str!("../../../schemas/past/finding-918cc7b6a8b8e1ff.avsc"),
    ];
}

impl Logged for Quarantined {
    const NAME: &'static str = "quarantined";
    const SCHEMA: &'static str = include_str!("../../../schemas/quarantined.avsc");
    const PARTS: &'static [&'static str] = &[];
    const PAST: &'static [&'static str] = &[];
}

impl Logged for Disposition {
    const NAME: &'static str = "disposition";
    const SCHEMA: &'static str = include_str!("../../../schemas/disposition.avsc");
    const PARTS: &'static [&'static str] = &[
        include_str!("../../../schemas/action.avsc"),
        include_str!("../../../schemas/notified.avsc"),
        include_str!("../../../schemas/entry_kind.avsc"),
        include_str!("../../../schemas/log_entry.avsc"),
    ];
    const PAST: &'static [&'static str] = &[
        include_str!("../../../schemas/past/disposition-74ddcfa698e8e29b.avsc"),
        include_str!("../../../schemas/past/disposition-5fbfaacc37daeae6.avsc"),
    ];
}

impl Logged for Incident {
    const NAME: &'static str = "incident";
    const SCHEMA: &'static str = include_str!("../../../schemas/incident.avsc");
    const PARTS: &'static [&'static str] = &[include_str!("../../../schemas/notified.avsc")];
    const PAST: &'static [&'static str] = &[];
}

impl Logged for CaseAct {
    const NAME: &'static str = "case_act";
    const SCHEMA: &'static str = include_str!("../../../schemas/case_act.avsc");
    const PARTS: &'static [&'static str] = &[include_str!("../../../schemas/case_action.avsc")];
    const PAST: &'static [&'static str] = &[];
}

impl Logged for Access {
    const NAME: &'static str = "access";
    const SCHEMA: &'static str = include_str!("../../../schemas/access.avsc");
    const PARTS: &'static [&'static str] = &[
        include_str!("../../../schemas/access_stage.avsc"),
        include_str!("../../../schemas/door.avsc"),
        include_str!("../../../schemas/outcome.avsc"),
    ];
    const PAST: &'static [&'static str] = &[];
}

impl Logged for Event {
    const NAME: &'static str = "event";
    const SCHEMA: &'static str = include_str!("../../../schemas/event.avsc");
    const PARTS: &'static [&'static str] = &[
        include_str!("../../../schemas/source_kind.avsc"),
        include_str!("../../../schemas/role.avsc"),
        include_str!("../../../schemas/notice_change.avsc"),
        include_str!("../../../schemas/cards_origin.avsc"),
        include_str!("../../../schemas/dealing_method.avsc"),
        include_str!("../../../schemas/count_scope.avsc"),
        include_str!("../../../schemas/inspection.avsc"),
        include_str!("../../../schemas/device_kind.avsc"),
        include_str!("../../../schemas/wager_form.avsc"),
        include_str!("../../../schemas/card_place.avsc"),
        include_str!("../../../schemas/face.avsc"),
        include_str!("../../../schemas/tile_place.avsc"),
        include_str!("../../../schemas/buy_in_form.avsc"),
        include_str!("../../../schemas/box_kind.avsc"),
        include_str!("../../../schemas/slip_kind.avsc"),
        include_str!("../../../schemas/slip_part.avsc"),
        include_str!("../../../schemas/cash_form.avsc"),
        include_str!("../../../schemas/rake_kind.avsc"),
        include_str!("../../../schemas/rake_place.avsc"),
        include_str!("../../../schemas/paid_from.avsc"),
        include_str!("../../../schemas/person.avsc"),
        include_str!("../../../schemas/posted_limit.avsc"),
        include_str!("../../../schemas/source.avsc"),
        include_str!("../../../schemas/table_opened.avsc"),
        include_str!("../../../schemas/table_closed.avsc"),
        include_str!("../../../schemas/dealer_changed.avsc"),
        include_str!("../../../schemas/notice_posted.avsc"),
        include_str!("../../../schemas/rules_changed.avsc"),
        include_str!("../../../schemas/limits_changed.avsc"),
        include_str!("../../../schemas/clock.avsc"),
        include_str!("../../../schemas/cards_delivered.avsc"),
        include_str!("../../../schemas/cards_inspected.avsc"),
        include_str!("../../../schemas/cards_opened.avsc"),
        include_str!("../../../schemas/shoe_started.avsc"),
        include_str!("../../../schemas/card_burned.avsc"),
        include_str!("../../../schemas/card_replaced.avsc"),
        include_str!("../../../schemas/cards_counted.avsc"),
        include_str!("../../../schemas/shoe_ended.avsc"),
        include_str!("../../../schemas/cards_removed.avsc"),
        include_str!("../../../schemas/cards_collected.avsc"),
        include_str!("../../../schemas/cards_reinspected.avsc"),
        include_str!("../../../schemas/cards_destroyed.avsc"),
        include_str!("../../../schemas/dice_introduced.avsc"),
        include_str!("../../../schemas/dice_inspected.avsc"),
        include_str!("../../../schemas/dice_removed.avsc"),
        include_str!("../../../schemas/dice_collected.avsc"),
        include_str!("../../../schemas/dice_destroyed.avsc"),
        include_str!("../../../schemas/tiles_introduced.avsc"),
        include_str!("../../../schemas/tiles_inspected.avsc"),
        include_str!("../../../schemas/tiles_removed.avsc"),
        include_str!("../../../schemas/tiles_collected.avsc"),
        include_str!("../../../schemas/tiles_destroyed.avsc"),
        include_str!("../../../schemas/wheel_inspected.avsc"),
        include_str!("../../../schemas/device_inspected.avsc"),
        include_str!("../../../schemas/device_adjusted.avsc"),
        include_str!("../../../schemas/round_opened.avsc"),
        include_str!("../../../schemas/wager_placed.avsc"),
        include_str!("../../../schemas/wager_changed.avsc"),
        include_str!("../../../schemas/wager_removed.avsc"),
        include_str!("../../../schemas/betting_closed.avsc"),
        include_str!("../../../schemas/card_dealt.avsc"),
        include_str!("../../../schemas/card_revealed.avsc"),
        include_str!("../../../schemas/dice_rolled.avsc"),
        include_str!("../../../schemas/wheel_spun.avsc"),
        include_str!("../../../schemas/tiles_dealt.avsc"),
        include_str!("../../../schemas/decision.avsc"),
        include_str!("../../../schemas/hand_set.avsc"),
        include_str!("../../../schemas/irregularity.avsc"),
        include_str!("../../../schemas/wager_paid.avsc"),
        include_str!("../../../schemas/wager_collected.avsc"),
        include_str!("../../../schemas/wager_pushed.avsc"),
        include_str!("../../../schemas/commission_collected.avsc"),
        include_str!("../../../schemas/pot_awarded.avsc"),
        include_str!("../../../schemas/round_closed.avsc"),
        include_str!("../../../schemas/round_voided.avsc"),
        include_str!("../../../schemas/buy_in.avsc"),
        include_str!("../../../schemas/fill.avsc"),
        include_str!("../../../schemas/credit.avsc"),
        include_str!("../../../schemas/drop_box_removed.avsc"),
        include_str!("../../../schemas/drop_counted.avsc"),
        include_str!("../../../schemas/inventory_counted.avsc"),
        include_str!("../../../schemas/rake_taken.avsc"),
        include_str!("../../../schemas/jackpot_drop_taken.avsc"),
        include_str!("../../../schemas/meter_read.avsc"),
        include_str!("../../../schemas/jackpot_paid.avsc"),
        include_str!("../../../schemas/chips_moved.avsc"),
        include_str!("../../../schemas/chips_counted.avsc"),
        include_str!("../../../schemas/chips_destroyed.avsc"),
        include_str!("../../../schemas/impressment.avsc"),
        include_str!("../../../schemas/liability_computed.avsc"),
        include_str!("../../../schemas/tournament_filed.avsc"),
        include_str!("../../../schemas/tournament_opened.avsc"),
        include_str!("../../../schemas/tournament_closed.avsc"),
        include_str!("../../../schemas/discrepancy_reported.avsc"),
        include_str!("../../../schemas/floor_registered.avsc"),
        include_str!("../../../schemas/supervisor_assigned.avsc"),
        include_str!("../../../schemas/patron_seated.avsc"),
        include_str!("../../../schemas/patron_left.avsc"),
        include_str!("../../../schemas/cash_out.avsc"),
        include_str!("../../../schemas/marker_issued.avsc"),
        include_str!("../../../schemas/marker_redeemed.avsc"),
        include_str!("../../../schemas/slip_requested.avsc"),
        include_str!("../../../schemas/slip_voided.avsc"),
        include_str!("../../../schemas/slip_filed.avsc"),
        include_str!("../../../schemas/drop_box_attached.avsc"),
        include_str!("../../../schemas/drop_box_received.avsc"),
        include_str!("../../../schemas/coupon_redeemed.avsc"),
        include_str!("../../../schemas/meter_adjusted.avsc"),
        include_str!("../../../schemas/fund_counted.avsc"),
    ];
    const PAST: &'static [&'static str] = &[
        include_str!("../../../schemas/past/event-4f5511fa1854279a.avsc"),
        include_str!("../../../schemas/past/event-5abc94242d4caeb2.avsc"),
        include_str!("../../../schemas/past/event-f8414d54e5624a89.avsc"),
        include_str!("../../../schemas/past/event-84f3a8dffb68e094.avsc"),
        include_str!("../../../schemas/past/event-dfa970fc11b05248.avsc"),
        include_str!("../../../schemas/past/event-9272e3195154128b.avsc"),
        include_str!("../../../schemas/past/event-1da803cde7d73088.avsc"),
    ];
}
