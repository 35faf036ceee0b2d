//! `catwalk round`: one round as a person would tell it.

use std::io::{self, Write};

use catwalk_events::body::{Body, CardPlace, Face, TilePlace};
use catwalk_events::{Timestamp, json};
use catwalk_query::{Bounds, Session};
use catwalk_rules::floor::Cents;
use comfy_table::CellAlignment;
use serde::Deserialize;

use crate::query::ArchiveArgs;
use crate::{Verdict, output};

/// Tell one round: wagers, cards, decisions, what was paid and what was due, and what was found.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  catwalk round MB-05-000123\n  \
    catwalk query \"SELECT round FROM rounds WHERE difference_cents <> 0\"")]
pub(crate) struct Args {
    /// The round.
    round: String,

    #[command(flatten)]
    archive: ArchiveArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    args.archive.with(Bounds::default(), async |session| {
        let story = Story::read(&session, &args.round).await?;
        if story.events.is_empty() && story.rounds.is_empty() {
            anyhow::bail!(
                "no round {:?} is in the archive: `catwalk query --named rounds -p table=...` lists \
                 the rounds of a table",
                args.round
            );
        }
        story.tell(&mut io::stdout().lock())?;
        Ok(Verdict::Fine)
    })
}

/// All that the archive has about a round.
struct Story {
    round: String,
    rounds: Vec<RoundRow>,
    events: Vec<EventRow>,
    wagers: Vec<WagerRow>,
    findings: Vec<FindingRow>,
}

#[derive(Deserialize)]
struct RoundRow {
    property: String,
    table_id: String,
    game: String,
    edition: String,
    opened_at: i64,
    closed_at: i64,
    dealer: Option<String>,
    complete: bool,
    voided: bool,
    rules: Option<String>,
    staked_cents: i64,
    returned_cents: Option<i64>,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
}

#[derive(Deserialize)]
struct EventRow {
    seq: i64,
    at: i64,
    r#type: String,
    body: String,
}

#[derive(Deserialize)]
struct WagerRow {
    wager: String,
    seat: i64,
    player: Option<String>,
    kind: String,
    amount_cents: i64,
    result: Option<String>,
    returned_cents: Option<i64>,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
}

#[derive(Deserialize)]
struct FindingRow {
    code: String,
    severity: String,
    message: String,
    exposure_cents: i64,
    cites: Vec<String>,
    evidence: Vec<i64>,
}

impl Story {
    async fn read(session: &Session, round: &str) -> anyhow::Result<Story> {
        let ask = async |sql: &str| session.ask(sql, vec![("round".into(), round.into())]).await;
        let rounds = ask(
            "SELECT property, table_id, game, edition, opened_at, closed_at, dealer, complete, voided, \
             rules, staked_cents, returned_cents, given_cents, difference_cents \
             FROM rounds WHERE round = $round ORDER BY property, closed_at",
        );
        let events = ask(
            "SELECT seq, at, type, body FROM events WHERE round = $round \
             ORDER BY property, table_id, seq, log_offset",
        );
        let wagers = ask(
            "SELECT wager, seat, player, kind, amount_cents, result, returned_cents, given_cents, \
             difference_cents FROM wagers WHERE round = $round ORDER BY property, nth",
        );
        let findings = ask(
            "SELECT code, severity, message, exposure_cents, cites, evidence FROM findings \
             WHERE round = $round ORDER BY at, id",
        );
        Ok(Story {
            round: round.to_owned(),
            rounds: rounds.await?.read().await?,
            events: events.await?.read().await?,
            wagers: wagers.await?.read().await?,
            findings: findings.await?.read().await?,
        })
    }

    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        self.tell_head(out)?;
        writeln!(out, "\nWhat happened")?;
        for event in &self.events {
            writeln!(out, "  {}  {}", clock(event.at), event.told())?;
        }
        if !self.wagers.is_empty() {
            writeln!(out, "\nWagers\n{}", self.wager_table())?;
        }
        for round in &self.rounds {
            writeln!(out, "\n{}", round.sum())?;
        }
        match self.findings.as_slice() {
            [] => writeln!(out, "\nNothing was found wrong."),
            findings => {
                writeln!(out, "\nFindings")?;
                findings.iter().try_for_each(|finding| finding.tell(out))
            }
        }
    }

    fn tell_head(&self, out: &mut dyn Write) -> io::Result<()> {
        for round in &self.rounds {
            let dealer = round.dealer.as_deref().unwrap_or("unknown");
            writeln!(
                out,
                "Round {}: {} ({}) at table {} of {}, dealer {dealer}\n{} to {} UTC",
                self.round,
                round.game,
                round.edition,
                round.table_id,
                round.property,
                Timestamp::from_micros(round.opened_at),
                clock(round.closed_at),
            )?;
        }
        if self.rounds.is_empty() {
            writeln!(out, "Round {}: not settled yet", self.round)?;
        }
        Ok(())
    }

    fn wager_table(&self) -> comfy_table::Table {
        let mut table = output::table(&[
            "wager",
            "seat",
            "player",
            "on",
            "stake",
            "result",
            "due",
            "given",
            "difference",
        ]);
        for wager in &self.wagers {
            table.add_row([
                wager.wager.clone(),
                wager.seat.to_string(),
                wager.player.clone().unwrap_or_default(),
                wager.kind.clone(),
                dollars(wager.amount_cents),
                wager.result.clone().unwrap_or_default(),
                wager.returned_cents.map(dollars).unwrap_or_default(),
                wager.given_cents.map(dollars).unwrap_or_default(),
                wager
                    .difference_cents
                    .filter(|cents| *cents != 0)
                    .map(dollars)
                    .unwrap_or_default(),
            ]);
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            if [1, 4, 6, 7, 8].contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }
}

impl RoundRow {
    fn sum(&self) -> String {
        let (Some(due), Some(given)) = (self.returned_cents, self.given_cents) else {
            let why = match (self.voided, self.complete) {
                (true, _) => "the floor declared it void",
                (_, false) => "events of it are missing",
                _ => "its document cannot be settled",
            };
            return format!("It was not judged: {why}.");
        };
        let difference = match self.difference_cents.unwrap_or(0) {
            0 => "as the rules say".to_owned(),
            lost if lost > 0 => format!("the house lost {}", dollars(lost)),
            kept => format!("the players lost {}", dollars(-kept)),
        };
        let rules = self.rules.as_deref().unwrap_or_default();
        let rules = rules.get(..12).unwrap_or(rules);
        format!(
            "{} staked, {} due back, {} given back: {difference}. (rules {rules})",
            dollars(self.staked_cents),
            dollars(due),
            dollars(given)
        )
    }
}

impl FindingRow {
    fn tell(&self, out: &mut dyn Write) -> io::Result<()> {
        let evidence: Vec<String> = self.evidence.iter().map(i64::to_string).collect();
        writeln!(
            out,
            "  {} {} ({}): {}",
            self.severity,
            self.code,
            dollars(self.exposure_cents),
            self.message
        )?;
        if !self.cites.is_empty() {
            writeln!(out, "    by {}", self.cites.join("; "))?;
        }
        writeln!(out, "    shown by events {}", evidence.join(", "))
    }
}

impl EventRow {
    /// A sentence, with the event's number.
    fn told(&self) -> String {
        let told = json::read_body(&self.r#type, &self.body)
            .ok()
            .and_then(|body| sentence(&body));
        let told =
            told.unwrap_or_else(|| format!("{} {}", self.r#type.replace('_', " "), self.body));
        format!("{told} [{}]", self.seq)
    }
}

/// What happened in a round, in words; `None` for what has none of its own.
fn sentence(body: &Body) -> Option<String> {
    Some(match body {
        Body::RoundOpened(opened) => match &opened.shoe {
            Some(shoe) => format!("Betting opens; the round is dealt from {shoe}."),
            None => "Betting opens.".to_owned(),
        },
        Body::WagerPlaced(placed) => {
            let detail = placed
                .detail
                .as_ref()
                .map(|detail| format!(" {}", detail.text()));
            format!(
                "Seat {} puts {} on {}{} ({}).",
                placed.seat,
                placed.amount,
                placed.kind,
                detail.unwrap_or_default(),
                placed.wager
            )
        }
        Body::WagerChanged(changed) => {
            format!(
                "{} is changed to {} by {}.",
                changed.wager, changed.amount, changed.by.id
            )
        }
        Body::WagerRemoved(removed) => {
            format!("{} is taken back by {}.", removed.wager, removed.by.id)
        }
        Body::BettingClosed(closed) => match &closed.window {
            Some(window) => format!("No more bets ({window})."),
            None => "No more bets.".to_owned(),
        },
        Body::CardDealt(dealt) => {
            let card = dealt.card.as_deref().unwrap_or("a card");
            let face = match dealt.face {
                Face::Up => "",
                Face::Down => " face down",
            };
            format!(
                "{card} to {}{face}.",
                place(dealt.to, dealt.seat, dealt.hand)
            )
        }
        Body::CardRevealed(shown) => {
            let whose = place(shown.to, shown.seat, shown.hand);
            format!("Card {} of {whose} is {}.", shown.index + 1, shown.card)
        }
        Body::DiceRolled(rolled) => {
            let dice: Vec<String> = rolled.dice.iter().map(u8::to_string).collect();
            format!(
                "The dice show {}{}.",
                dice.join(", "),
                called_off(rolled.valid)
            )
        }
        Body::WheelSpun(spun) => format!(
            "The wheel stops at {}{}.",
            spun.result,
            called_off(spun.valid)
        ),
        Body::TilesDealt(dealt) => {
            let tiles = dealt
                .tiles
                .as_ref()
                .map_or("tiles".to_owned(), |tiles| tiles.join(" "));
            let to = match (dealt.to, dealt.seat) {
                (TilePlace::Seat, Some(seat)) => format!("seat {seat}"),
                (TilePlace::Seat, None) => "a seat".to_owned(),
                (TilePlace::Dealer, _) => "the dealer".to_owned(),
                (TilePlace::Bank, _) => "the bank".to_owned(),
                (TilePlace::DeadHand, _) => "the dead hand".to_owned(),
            };
            format!("{tiles} to {to}.")
        }
        Body::Decision(decision) => {
            let amount = decision
                .amount
                .map(|amount| format!(" {amount}"))
                .unwrap_or_default();
            format!(
                "Seat {}: {}{amount}.",
                decision.seat,
                decision.action.replace('_', " ")
            )
        }
        Body::HandSet(set) => {
            let whose = set
                .seat
                .map_or(set.to.clone(), |seat| format!("seat {seat}"));
            format!(
                "{whose} sets {} and {}.",
                set.high.join(" "),
                set.low.join(" ")
            )
        }
        Body::Irregularity(irregularity) => {
            format!(
                "Irregularity: {}; ruling: {}.",
                irregularity.kind, irregularity.ruling
            )
        }
        Body::WagerPaid(paid) => match paid.commission {
            Some(commission) => {
                format!(
                    "{} is paid {}, less {commission} commission.",
                    paid.wager, paid.amount
                )
            }
            None => format!("{} is paid {}.", paid.wager, paid.amount),
        },
        Body::WagerCollected(collected) => {
            format!(
                "{} is collected{}.",
                collected.wager,
                partly(collected.amount)
            )
        }
        Body::WagerPushed(pushed) => {
            format!("{} is pushed{}.", pushed.wager, partly(pushed.amount))
        }
        Body::CommissionCollected(collected) => {
            format!(
                "{} commission is collected for {}.",
                collected.amount, collected.wager
            )
        }
        Body::PotAwarded(awarded) => {
            format!(
                "Pot {} of {} goes to seat {}.",
                awarded.pot, awarded.amount, awarded.seat
            )
        }
        Body::RoundClosed(_) => "The round is over.".to_owned(),
        Body::RoundVoided(voided) => match &voided.reason {
            Some(reason) => format!("The round is declared void: {reason}."),
            None => "The round is declared void.".to_owned(),
        },
        _ => return None,
    })
}

fn place(to: CardPlace, seat: Option<u32>, hand: Option<u32>) -> String {
    let whose = match (to, seat) {
        (CardPlace::Player, _) => "the player's hand".to_owned(),
        (CardPlace::Banker, _) => "the banker's hand".to_owned(),
        (CardPlace::Dealer, _) => "the dealer".to_owned(),
        (CardPlace::Community, _) => "the community".to_owned(),
        (CardPlace::Seat, Some(seat)) => format!("seat {seat}"),
        (CardPlace::Seat, None) => "a seat".to_owned(),
    };
    match hand {
        Some(hand) if hand > 1 => format!("{whose}, hand {hand}"),
        _ => whose,
    }
}

fn called_off(valid: bool) -> &'static str {
    if valid { "" } else { ", but it does not count" }
}

fn partly(amount: Option<Cents>) -> String {
    amount
        .map(|amount| format!(" ({amount})"))
        .unwrap_or_default()
}

fn dollars(cents: i64) -> String {
    Cents::new(cents).to_string()
}

/// The time of day, in UTC.
fn clock(micros: i64) -> String {
    let moment = Timestamp::from_micros(micros).to_string();
    moment.get(11..19).unwrap_or(&moment).to_owned()
}
