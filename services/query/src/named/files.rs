//! The files of `queries/` and the parts that they share, compiled in.

macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../queries/", $folder, $name, ".sql")))),*]
    };
}

/// The queries, by name.
pub(super) const FILES: &[(&str, &str)] = files!["":
    "bad-beat", "cage", "card-window", "cash-structuring", "chip-dumping", "chip-liability", "count-spread",
    "coupons", "custody", "dealer-history", "dice-rounds", "drop-chain", "excluded-play", "findings",
    "findings-by-code", "gaming-tax", "hold-deviation", "impossible-luck", "incident-window", "late-bets",
    "master-game", "mispaid", "mispays-by-dealer", "non-value-chips", "offsetting-bets", "openers-closers",
    "pairing", "pairings-ranked", "patron-ledger", "patron-rounds", "patterns", "payouts", "play-deviation",
    "progressives", "reconciliation", "report-caveats", "round", "round-proof", "rounds",
    "rules-without-notice", "seal-duplicates", "set-rounds", "shoe-replay", "slip-control", "tournaments",
    "void-pattern", "wheel-spins", "win-bridge",
];

/// Common table expressions that several of them need.
pub(super) const PARTS: &[(&str, &str)] =
    files!["parts/": "boxes", "table-days", "theo", "unjudged"];
