//! The reports: which queries each asks, and how their answers are laid out.

use catwalk_hands::refusal::Refusal;

use crate::{Error, Result};

/// A report of the revenue audit.
#[derive(Debug)]
pub struct Report {
    /// As auditors number them, such as A1.
    pub id: &'static str,
    /// As the command has it.
    pub name: &'static str,
    pub title: &'static str,
    /// What it tells, in a sentence or two.
    pub about: &'static str,
    pub(crate) sections: &'static [Section],
    /// Sums of the first section.
    pub(crate) groups: &'static [Group],
    /// Sums of the month and of the year up to its last day stand beside it.
    pub(crate) to_date: bool,
    /// It needs what each wager is worth.
    pub(crate) needs_edges: bool,
    /// Where the rows are that make its figures.
    pub(crate) follow: &'static str,
}

/// The answer of a query within a report.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) title: &'static str,
    pub(crate) query: &'static str,
    /// Columns whose sum means something.
    pub(crate) sums: &'static [&'static str],
    /// Columns that are a formula of others.
    pub(crate) formulas: &'static [(&'static str, &'static str)],
    /// What is said where there is no row.
    pub(crate) none: &'static str,
}

/// Sums of the first section by one of its columns.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) title: &'static str,
    pub(crate) by: &'static str,
    /// The column that a chart shows.
    pub(crate) bars: Option<&'static str>,
}

const fn group(title: &'static str, by: &'static str, bars: Option<&'static str>) -> Group {
    Group { title, by, bars }
}

/// All reports.
pub fn all() -> &'static [Report] {
    &REPORTS
}

/// The report of that number or name; if there is none, the error says which may have been meant.
pub fn find(name: &str) -> Result<&'static Report> {
    let is_it = |report: &&Report| report.name == name || report.id.eq_ignore_ascii_case(name);
    REPORTS.iter().find(is_it).ok_or_else(|| {
        let known: Vec<&str> = REPORTS.iter().map(|report| report.name).collect();
        Error::Unknown(Refusal::unknown("", name, "a report", &known).to_string())
    })
}

const NOTHING: &str = "Nothing was told of these days.";

static REPORTS: [Report; 13] = [
    Report {
        id: "A1",
        name: "master-game",
        title: "Master game report",
        about: "What each table had, what came and went, what lay in its drop boxes, and what the house won by it: \
                win = closer + credits + drop - opener - fills.",
        sections: &[
            Section {
                title: "Tables",
                query: "master-game",
                sums: &[
                    "opener",
                    "fills",
                    "credits",
                    "closer",
                    "cash",
                    "checks_issued",
                    "checks_redeemed",
                    "chips",
                    "foreign_chips",
                    "other",
                    "drop",
                    "coupons",
                    "win",
                    "rounds",
                    "handle",
                    "jackpots_outside",
                    "gross_revenue",
                ],
                formulas: &[
                    (
                        "drop",
                        "cash + checks_issued - checks_redeemed + chips + foreign_chips + other",
                    ),
                    ("win", "closer + credits + drop - opener - fills"),
                    ("hold_pct", "100 * win / drop"),
                    ("win_of_handle_pct", "100 * win / handle"),
                    ("gross_revenue", "win - jackpots_outside"),
                ],
                none: NOTHING,
            },
            Section {
                title: "Tournaments",
                query: "tournaments",
                sums: &[
                    "buy_ins",
                    "rebuys",
                    "add_ons",
                    "collected",
                    "prizes",
                    "tips",
                    "left_over",
                    "fees",
                ],
                formulas: &[
                    ("collected", "buy_ins + rebuys + add_ons"),
                    ("left_over", "collected - prizes - tips"),
                ],
                none: "No tournament was played.",
            },
        ],
        groups: &[
            group("By game", "game", Some("win")),
            group("By pit", "pit", None),
            group("By day", "gaming_day", Some("win")),
        ],
        to_date: true,
        needs_edges: false,
        follow: "opener and closer in A4, fills and credits by slip in A5, drop by box in A6, win in A2; each \
                 event in the table money",
    },
    Report {
        id: "A2",
        name: "win-bridge",
        title: "Win bridge",
        about: "From the theoretical win to the counted win of each table, to the cent: luck, mispayments, jackpots \
                from outside the tray, rounds without judgement, vigorish owed, and what nothing explains.",
        sections: &[
            Section {
                title: "Bridge",
                query: "win-bridge",
                sums: &[
                    "rounds",
                    "theo",
                    "luck",
                    "settled_due",
                    "mispaid",
                    "jackpots_outside",
                    "unjudged",
                    "vigorish_owed",
                    "explained",
                    "counted_win",
                    "unexplained",
                    "without_theo",
                    "not_judged",
                    "uncertain",
                ],
                formulas: &[
                    ("luck", "settled_due - theo"),
                    (
                        "explained",
                        "settled_due - mispaid + jackpots_outside + unjudged - vigorish_owed",
                    ),
                    ("unexplained", "counted_win - explained"),
                ],
                none: NOTHING,
            },
            Section {
                title: "Mispaid",
                query: "mispaid",
                sums: &["difference", "recovered"],
                formulas: &[],
                none: "Nothing was paid otherwise than the rules say.",
            },
        ],
        groups: &[
            group("By game", "game", None),
            group("By table", "table_id", Some("unexplained")),
        ],
        to_date: false,
        needs_edges: true,
        follow: "mispaid by wager and finding in the part Mispaid, then catwalk round ID; wagers with their \
                 theoretical win in the view wagers_theo; rounds without judgement: catwalk query --named rounds",
    },
    Report {
        id: "A3",
        name: "hold-deviation",
        title: "Hold deviation",
        about: "How far the win by the rules lies from the theoretical win, in standard deviations of \
            whole rounds; best over a month.",
        sections: &[Section {
            title: "Hold deviation",
            query: "hold-deviation",
            sums: &["rounds", "left_out", "handle", "theo", "win", "luck"],
            formulas: &[
                ("luck", "win - theo"),
                ("hold_pct", "100 * win / handle"),
                ("base_pct", "100 * theo / handle"),
                ("off_base_pct", "hold_pct - base_pct"),
                ("z", "luck / sigma_seen"),
                ("z_bound", "luck / sigma_bound"),
            ],
            none: NOTHING,
        }],
        groups: &[group("By game", "game", Some("luck"))],
        to_date: false,
        needs_edges: true,
        follow: "the wagers and their edges in the view wagers_theo; catwalk query --named rounds -p table=T, \
                 then catwalk round ID",
    },
    Report {
        id: "A4",
        name: "openers-closers",
        title: "Openers and closers",
        about: "Each table opens with what it closed with, fills since and less credits, by \
            denomination, signed by two.",
        sections: &[Section {
            title: "Openers and closers",
            query: "openers-closers",
            sums: &["difference"],
            formulas: &[
                ("expected", "closer + fills_since - credits_since"),
                ("difference", "opener - expected"),
            ],
            none: "No table opened on these days.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "the slips of opener and closer are named in each row; findings of code tray.opening: catwalk \
                 query --named findings",
    },
    Report {
        id: "A5",
        name: "slip-control",
        title: "Slips",
        about: "Fills and credits with request, delivery, parts and signatures; duplicates, gaps in a \
            series, and what took too long.",
        sections: &[Section {
            title: "Slips",
            query: "slip-control",
            sums: &["delivered"],
            formulas: &[],
            none: "No slip was told of.",
        }],
        groups: &[group("By table", "table_id", None)],
        to_date: false,
        needs_edges: false,
        follow: "the table slips, by the number of the slip; findings of codes slip.*: catwalk query --named \
                 findings",
    },
    Report {
        id: "A6",
        name: "drop-chain",
        title: "Drop boxes",
        about: "The way of every box from the table to the main bank, who was there, and how the counts agree.",
        sections: &[Section {
            title: "Drop boxes",
            query: "drop-chain",
            sums: &[
                "cash",
                "chips",
                "emergency",
                "accepted",
                "told",
                "told_variance",
            ],
            formulas: &[
                ("count_variance", "second_count - first_count"),
                ("bank_variance", "accepted - cash"),
                ("told_variance", "cash + chips + emergency - told"),
            ],
            none: "No box was taken from a table.",
        }],
        groups: &[group("By kind", "kind", None)],
        to_date: false,
        needs_edges: false,
        follow: "the table money, by table and box; buy-ins while it was at the table are kind buy_in; findings \
                 of codes drop.*",
    },
    Report {
        id: "A7",
        name: "progressives",
        title: "Progressive meters",
        about: "Meters from reading to reading, a link of tables as one: what was fed at their rate, awarded, set by \
                hand, and shown; and what is owed to players by them.",
        sections: &[Section {
            title: "Progressive meters",
            query: "progressives",
            sums: &[
                "staked",
                "fed",
                "awards",
                "adjusted",
                "difference",
                "safekeeping",
                "liability",
            ],
            formulas: &[
                ("expected", "open + fed - awards + adjusted"),
                ("difference", "close - expected"),
            ],
            none: "No meter was read.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "the readings, awards and adjustments in the table money (kinds meter, jackpot_paid, \
                 meter_adjusted); what fed it in the table wagers",
    },
    Report {
        id: "A8",
        name: "bad-beat",
        title: "Bad beat funds",
        about: "The fund by contributions and payments beside its display, and its box beside what was contributed.",
        sections: &[Section {
            title: "Bad beat funds",
            query: "bad-beat",
            sums: &[
                "contributed",
                "withheld",
                "paid",
                "put_in",
                "box",
                "box_variance",
            ],
            formulas: &[
                ("display_variance", "last_display - expected_display"),
                ("box_variance", "box - put_in"),
            ],
            none: "No bad beat fund was told of.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "contributions in the table money (kind jackpot_drop), each with its round: catwalk round ID",
    },
    Report {
        id: "A9",
        name: "coupons",
        title: "Coupons",
        about: "Each coupon taken at a table and counted in its box, once each.",
        sections: &[Section {
            title: "Coupons",
            query: "coupons",
            sums: &["face"],
            formulas: &[],
            none: "No coupon was taken.",
        }],
        groups: &[
            group("By table", "table_id", None),
            group("By type", "type", None),
        ],
        to_date: false,
        needs_edges: false,
        follow: "the table money (kinds coupon and drop), by the number of the coupon",
    },
    Report {
        id: "A10",
        name: "chip-liability",
        title: "Chip liability",
        about: "Chips received, destroyed and on hand by denomination, and what is outstanding; below \
            0 look for counterfeits.",
        sections: &[Section {
            title: "Chip liability",
            query: "chip-liability",
            sums: &["liability", "computed"],
            formulas: &[
                ("outstanding", "received - destroyed - on_hand"),
                ("liability", "outstanding * chip"),
            ],
            none: "No chips outside tables were told of.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "the table money (kinds chips_moved, chips_destroyed, chips_counted, liability and the counts of \
                 trays)",
    },
    Report {
        id: "A11",
        name: "cage",
        title: "Cage",
        about: "From one count of the cage to the next: what came, what left, and what was counted.",
        sections: &[Section {
            title: "Cage",
            query: "cage",
            sums: &["receipts", "disbursements", "difference"],
            formulas: &[
                ("expected", "opening + receipts - disbursements"),
                ("difference", "counted - expected"),
            ],
            none: "The cage was not counted, and nothing came or left.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "the table money (kinds chips_moved, chips_counted, impressment); fills and credits by slip in \
                 A5",
    },
    Report {
        id: "A12",
        name: "non-value-chips",
        title: "Chips without a value",
        about: "By table and colour: at the beginning, brought, taken back, and at the end; as a rule of a month.",
        sections: &[Section {
            title: "Chips without a value",
            query: "non-value-chips",
            sums: &["distributed", "returned", "difference"],
            formulas: &[
                ("expected", "began + distributed - returned"),
                ("difference", "ended - expected"),
            ],
            none: "No chips without a value were told of.",
        }],
        groups: &[],
        to_date: false,
        needs_edges: false,
        follow: "the table money (kinds chips_moved, chips_counted), column colours",
    },
    Report {
        id: "A13",
        name: "gaming-tax",
        title: "Tax",
        about: "The tax on gross gaming revenue by gaming day and game, with the month and the year to date.",
        sections: &[Section {
            title: "Tax",
            query: "gaming-tax",
            sums: &[
                "drop",
                "win",
                "jackpots_outside",
                "tournament_fees",
                "gross_revenue",
                "tax",
            ],
            formulas: &[("gross_revenue", "win - jackpots_outside + tournament_fees")],
            none: NOTHING,
        }],
        groups: &[
            group("By day", "gaming_day", Some("tax")),
            group("By game", "game", None),
        ],
        to_date: true,
        needs_edges: false,
        follow: "A1 by table, and what A1 is followed by",
    },
];

#[cfg(test)]
mod tests {
    use catwalk_query::named;

    use super::*;

    #[test]
    fn a_report_is_found_by_its_number_and_by_its_name() {
        assert_eq!(find("a2").unwrap().name, "win-bridge");
        assert_eq!(find("win-bridge").unwrap().id, "A2");
        let error = find("win-brige").unwrap_err().to_string();
        assert!(error.contains("did you mean \"win-bridge\"?"), "{error}");
    }

    #[test]
    fn every_section_asks_a_named_query_for_auditors_that_takes_days() {
        for section in REPORTS.iter().flat_map(|report| report.sections) {
            let query = named::find(section.query).unwrap();
            assert!(query.audience.contains("auditors"), "{}", query.name);
            for needed in ["first", "last"] {
                assert!(
                    query.parameters.iter().any(|it| it.name == needed),
                    "{}",
                    query.name
                );
            }
        }
    }
}
