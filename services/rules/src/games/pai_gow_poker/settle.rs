//! The settlement of a round of pai gow poker.

use super::{LowStraight, Options, PaiGowPoker, Rules, Text, massachusetts};
use crate::games::shared::pai_gow::Mode;
use crate::games::shared::pai_gow_poker::{
    Codes, HouseWay, OhioPays, Reference, Sevens, Slips, Table, check, check_document, dealer_hand,
    even_money, settle_fates, settle_main_wagers, settle_ohio_side_wagers,
};
use crate::hands::joker;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::{Outcome, Violations};

const CODES: Codes = Codes {
    fouled_hand: "pai_gow_poker.fouled_hand",
    house_way_error: "pai_gow_poker.house_way_error",
    wrong_start: "pai_gow_poker.wrong_start",
    start_method: "pai_gow_poker.start_method",
};

pub(super) fn settle(rules: &Rules, round: &Round<PaiGowPoker>) -> Result<Outcome, Refusal> {
    let (options, wagers, play) = (&round.options, &round.wagers[..], &round.play);
    let table = table(rules, round);
    check_document(&table, wagers, play)?;
    if let Text::Massachusetts(text) = &rules.text {
        text.refuse_overrides(options)?;
    }

    let mut violations = Violations::default();
    flag_options(rules, options, &mut violations);
    let mut checked = check(&table, wagers, play, &mut violations)?;
    if let Text::Massachusetts(_) = &rules.text {
        massachusetts::check(options, wagers, play, &mut checked, &mut violations);
    }

    let mut slips = Slips::new(wagers, &checked);
    // The number was drawn before the deal: it counts even if the deal is void.
    if let Text::Massachusetts(text) = &rules.text {
        text.settle_numbers(options, play, &mut slips);
    }
    if checked.is_void {
        return Ok(Outcome::of_wagers(slips.finish(), violations));
    }

    let reference = match &rules.text {
        Text::Massachusetts(_) => massachusetts::reference(&table, play, &mut violations)?,
        Text::Ohio(_) => Reference {
            setting: dealer_hand(&table, play, &mut violations)?,
            all_push: false,
        },
    };
    let verdicts = settle_main_wagers(&table, wagers, play, &checked, reference, &mut violations)?;
    for (index, verdict) in verdicts {
        let wager = &wagers[index];
        let settled = even_money(wager, rules.main.both_hands_higher, verdict);
        let commission = rules.vigorish.on(settled.win, options.vig_rounding);
        slips.put(index, settled.charged(commission));
    }

    let sevens = Sevens::of(play, &checked, &rules.fortune, options.royal_match);
    match &rules.text {
        Text::Massachusetts(text) => {
            if play.mode != Mode::Dealer {
                massachusetts::settle_bank(
                    rules,
                    options,
                    &table,
                    play,
                    reference,
                    &mut slips,
                    &mut violations,
                )?;
            }
            settle_fates(play, &mut slips);
            text.settle_side_wagers(options, play, &sevens, &mut slips)?;
        }
        Text::Ohio(ohio) => {
            settle_fates(play, &mut slips);
            let pays = OhioPays {
                progressive: &ohio.fortune_progressive,
                meter: play.meters.meter(options.progressive_reset),
                max_payout: ohio.limit(options).due,
            };
            settle_ohio_side_wagers(&pays, play, &sevens, &mut slips)?;
        }
    }
    Ok(Outcome::of_wagers(slips.finish(), violations))
}

/// The table with its options brought inside the bounds of the text.
fn table<'a>(rules: &'a Rules, round: &'a Round<PaiGowPoker>) -> Table<'a> {
    let options = &round.options;
    Table {
        edition: round.edition,
        codes: &CODES,
        figures: &rules.figures,
        irregular: &rules.irregular,
        offered: &rules.offered,
        side_bets: options.side_bets.as_deref(),
        progressive_stake: match &rules.text {
            Text::Massachusetts(_) => options.progressive_wager,
            Text::Ohio(ohio) => ohio.progressive_wager,
        },
        max_areas: options.max_areas_per_player.min(rules.figures.max_areas),
        limits: Limits {
            min: options.table_min,
            max: options.table_max,
        },
        deal_method: options.deal_method,
        start_method: options.start_method,
        low_straight: match options.low_straight {
            LowStraight::SecondHighest => joker::LowStraight::SecondHighest,
            LowStraight::Lowest => joker::LowStraight::Lowest,
        },
        house_way: match &rules.text {
            Text::Massachusetts(_) => options.house_way,
            Text::Ohio(_) => HouseWay::Standard,
        },
    }
}

fn flag_options(rules: &Rules, options: &Options, violations: &mut Violations) {
    violations.add_if(
        options.max_areas_per_player > rules.figures.max_areas,
        "config.max_areas",
    );
    match &rules.text {
        Text::Massachusetts(text) => text.flag_options(options, violations),
        Text::Ohio(ohio) => {
            violations.add_if(ohio.limit(options).is_below, "config.payout_limit_too_low")
        }
    }
}
