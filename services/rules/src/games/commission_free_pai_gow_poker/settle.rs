//! The settlement of a round of commission free pai gow poker.

use super::{CommissionFreePaiGowPoker, Rules};
use crate::games::shared::minimum::limit_at_least;
use crate::games::shared::pai_gow_poker::{
    Codes, HouseWay, Kind, OhioPays, Reference, RoyalMatch, Sevens, Slips, Table, check,
    check_document, dealer_hand, even_money, pay_odds, settle_fates, settle_main_wagers,
    settle_ohio_side_wagers,
};
use crate::hands::joker::LowStraight;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

const CODES: Codes = Codes {
    fouled_hand: "commission_free_pai_gow_poker.fouled_hand",
    house_way_error: "commission_free_pai_gow_poker.house_way_error",
    wrong_start: "commission_free_pai_gow_poker.wrong_start",
    start_method: "commission_free_pai_gow_poker.start_method",
};

pub(super) fn settle(
    rules: &Rules,
    round: &Round<CommissionFreePaiGowPoker>,
) -> Result<Outcome, Refusal> {
    let (options, wagers, play) = (&round.options, &round.wagers[..], &round.play);
    let table = table(rules, round);
    check_document(&table, wagers, play)?;

    let mut violations = Violations::default();
    violations.add_if(
        options.max_areas_per_player > rules.figures.max_areas,
        "config.max_areas",
    );
    let limit = limit_at_least(options.max_payout_fortune, &rules.least_limit, None);
    violations.add_if(limit.is_below, "config.payout_limit_too_low");
    let checked = check(&table, wagers, play, &mut violations)?;
    let mut slips = Slips::new(wagers, &checked);
    if checked.is_void {
        return Ok(Outcome::of_wagers(slips.finish(), violations));
    }

    let setting = dealer_hand(&table, play, &mut violations)?;
    // 13.I.iii: all main wagers that are still there push, fouled ones too.
    let tiger = setting.is_nine_high_behind();
    let reference = Reference {
        setting,
        all_push: tiger,
    };
    let verdicts = settle_main_wagers(&table, wagers, play, &checked, reference, &mut violations)?;
    for (index, verdict) in verdicts {
        let settled = even_money(&wagers[index], rules.main.both_hands_higher, verdict);
        slips.put(index, settled);
    }

    settle_fates(play, &mut slips);
    for (index, wager) in slips.undecided() {
        if wager.kind == Kind::Tiger9 {
            let odds = tiger.then_some(rules.tiger_9.nine_high);
            slips.put(index, pay_odds(wager, odds));
        }
    }
    let sevens = Sevens::of(play, &checked, &rules.fortune, RoyalMatch::KingQueen);
    let pays = OhioPays {
        progressive: &rules.fortune_progressive,
        meter: play.meters.meter(options.progressive_reset),
        max_payout: limit.due,
    };
    settle_ohio_side_wagers(&pays, play, &sevens, &mut slips)?;
    Ok(Outcome::of_wagers(slips.finish(), violations))
}

/// The table with its options brought inside the bounds of the text.
fn table<'a>(rules: &'a Rules, round: &'a Round<CommissionFreePaiGowPoker>) -> Table<'a> {
    let options = &round.options;
    Table {
        edition: round.edition,
        codes: &CODES,
        figures: &rules.figures,
        irregular: &rules.irregular,
        offered: &rules.offered,
        side_bets: options.side_bets.as_deref(),
        progressive_stake: rules.progressive_wager,
        max_areas: options.max_areas_per_player.min(rules.figures.max_areas),
        limits: Limits {
            min: options.table_min,
            max: options.table_max,
        },
        deal_method: options.deal_method,
        start_method: options.start_method,
        low_straight: LowStraight::SecondHighest,
        house_way: HouseWay::Standard,
    }
}
