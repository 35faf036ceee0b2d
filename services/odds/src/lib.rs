//! What each wager of a game is worth: how often each row pays, the house edge, the deviation.
//!
//! Every figure is made by the settlement itself. A game here knows only what can happen and how often: it
//! composes round documents, has the rulebook settle them, and adds up what came back. No odds are written
//! beside those that settle, so a house that posts other odds or files another edition gets its own figures.
//!
//! A figure says on what it stands ([`Basis`]). Where none is computed, that is said, with why, and no
//! figure stands in its place.

mod felt;
mod games;
mod kept;
mod ratio;
mod sheet;
mod spread;

use std::collections::BTreeMap;

use catwalk_rules::{Refusal, Rulebook};
use serde_json::Value;

pub use games::{Drawn, State, draw, kept_draws};
pub use kept::{Kept, KeptClass, kept};
pub use ratio::Exact;
pub use sheet::{Basis, Figures, Line, Paying, Sheet};

use felt::Felt;

/// Why there is no sheet.
#[derive(Debug, thiserror::Error)]
pub enum OddsError {
    /// The game, the edition or the options are none of the rulebook.
    #[error(transparent)]
    Unknown(#[from] Refusal),
    /// A round that this crate composed is refused by the rules: a fault of ours, never a figure.
    #[error("a round of {game} was refused: {refusal}")]
    Refused { game: String, refusal: Refusal },
    /// Hands that the enumeration takes for one another settle differently: a fault of ours too.
    #[error("{game}: hands that should settle alike do not: {play}")]
    Ambiguous { game: String, play: String },
    #[error("{game}: the settlement names no wager {wager:?}")]
    Lost { game: String, wager: String },
}

/// The odds of every wager of a game at a table that posts these options; the edition may be of a house. What
/// takes minutes is done if `long`; otherwise what is kept of it is told.
pub fn odds(
    rulebook: &Rulebook,
    game: &str,
    edition: &str,
    options: &Value,
    long: bool,
) -> Result<Sheet, OddsError> {
    let felt = Felt::open(rulebook, game, edition, options)?;
    let mut lines = games::lines(&felt, long)?;
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, wager) in felt.wagers().enumerate() {
        order.entry(&wager.kind).or_insert(at);
        if lines.iter().all(|line| line.wager != wager.kind) {
            lines.push(Line::without_figures(
                &wager.kind,
                games::why_not(game, wager),
            ));
        }
    }
    lines.sort_by_key(|line| order.get(&*line.wager).copied());
    felt.name_rows(&mut lines);
    Ok(Sheet {
        game: game.to_owned(),
        edition: edition.to_owned(),
        options: options.clone(),
        rules: felt.hash().to_owned(),
        violations: felt.violations(),
        lines,
    })
}

/// Makes anew what is kept of a game and edition; nothing if nothing is. If `rarest`, only of the rarest hands.
pub fn enumerate(
    rulebook: &Rulebook,
    game: &str,
    edition: &str,
    rarest: bool,
) -> Result<Option<Kept>, OddsError> {
    let options = Value::Object(serde_json::Map::new());
    let felt = Felt::open(rulebook, game, edition, &options)?;
    let results = games::enumerate(&felt, rarest)?;
    Ok(results.map(|results| Kept {
        game: game.to_owned(),
        edition: edition.to_owned(),
        rules: felt.hash().to_owned(),
        hands: KeptClass::all(&results),
    }))
}
