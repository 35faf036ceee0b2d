//! Acts and incidents as they are on the log.

use catwalk_events::audit::{Action, Disposition, Incident as Logged};

use crate::act::{Act, Deed, Disposal, Person, Role, Verdict};
use crate::desk::Desk;
use crate::incident::Incident;
use crate::priority::Priorities;

impl Role {
    pub fn name(self) -> &'static str {
        match self {
            Role::Clock => "clock",
            Role::Surveillance => "surveillance",
            Role::SurveillanceSupervisor => "surveillance_supervisor",
            Role::SurveillanceDirector => "surveillance_director",
        }
    }

    pub fn named(name: &str) -> Option<Role> {
        let all = [
            Role::Clock,
            Role::Surveillance,
            Role::SurveillanceSupervisor,
            Role::SurveillanceDirector,
        ];
        all.into_iter().find(|role| role.name() == name)
    }
}

impl Verdict {
    pub const ALL: [Verdict; 12] = [
        Verdict::DealerErrorCorrected,
        Verdict::DealerErrorUncorrected,
        Verdict::PatronCheatingSuspected,
        Verdict::EmployeeSuspected,
        Verdict::AdvantagePlay,
        Verdict::Equipment,
        Verdict::Procedure,
        Verdict::FeedFault,
        Verdict::RuleConfiguration,
        Verdict::FalseAlarm,
        Verdict::Duplicate,
        Verdict::ReferredIeb,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Verdict::DealerErrorCorrected => "dealer_error_corrected",
            Verdict::DealerErrorUncorrected => "dealer_error_uncorrected",
            Verdict::PatronCheatingSuspected => "patron_cheating_suspected",
            Verdict::EmployeeSuspected => "employee_suspected",
            Verdict::AdvantagePlay => "advantage_play",
            Verdict::Equipment => "equipment",
            Verdict::Procedure => "procedure",
            Verdict::FeedFault => "feed_fault",
            Verdict::RuleConfiguration => "rule_configuration",
            Verdict::FalseAlarm => "false_alarm",
            Verdict::Duplicate => "duplicate",
            Verdict::ReferredIeb => "referred_ieb",
        }
    }

    pub fn named(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|one| one.name() == name)
    }
}

impl Act {
    /// As it is appended, about this incident.
    pub(crate) fn to_disposition(&self, incident: &Incident) -> Disposition {
        let first = incident.findings.first();
        let (mut to, mut undoes, mut disposal) = (None, None, None);
        let action = match &self.deed {
            Deed::Claim => Action::Claim,
            Deed::Release => Action::Release,
            Deed::Acknowledge => Action::Acknowledge,
            Deed::Note => Action::Note,
            Deed::Assign { to: person } => {
                to = Some(person.clone());
                Action::Assign
            }
            Deed::HandOver { to: person } => {
                to = Some(person.clone());
                Action::HandOver
            }
            Deed::Escalate { to: role } => {
                to = Some(role.name().to_owned());
                Action::Escalate
            }
            Deed::Undo { act } => {
                undoes = Some(act.clone());
                Action::Undo
            }
            Deed::Dispose(how) => {
                disposal = Some(how.clone());
                Action::Dispose
            }
        };
        Disposition {
            finding: first.map_or_else(String::new, |part| part.finding.id.clone()),
            operator: self.by.id.clone(),
            action,
            note: self.note.clone(),
            at: self.at,
            property: Some(incident.property.clone()),
            table: Some(incident.table.clone()),
            id: Some(self.id.clone()),
            incident: Some(self.incident.clone()),
            role: Some(self.by.role.name().to_owned()),
            station: self.by.station.clone(),
            seen_acts: Some(self.seen_acts),
            seen_findings: Some(self.seen_findings),
            to,
            undoes,
            verdict: disposal.as_ref().map(|how| how.verdict.name().to_owned()),
            recovered_cents: disposal.as_ref().and_then(|how| how.recovered_cents),
            case: disposal.as_ref().and_then(|how| how.case.clone()),
            reviewer: disposal.as_ref().and_then(|how| how.reviewer.clone()),
            video: disposal.as_ref().and_then(|how| how.video.clone()),
            notified: disposal.map_or_else(Vec::new, |how| how.notified),
            entry: None,
        }
    }

    /// The act that was appended; `None` for what is on no incident, or says what no act says.
    pub(crate) fn of_disposition(said: &Disposition) -> Option<Act> {
        let deed = match said.action {
            Action::Claim => Deed::Claim,
            Action::Release => Deed::Release,
            Action::Acknowledge => Deed::Acknowledge,
            Action::Note | Action::Comment => Deed::Note,
            Action::Assign => Deed::Assign {
                to: said.to.clone()?,
            },
            Action::HandOver => Deed::HandOver {
                to: said.to.clone()?,
            },
            Action::Escalate => Deed::Escalate {
                to: Role::named(said.to.as_deref()?)?,
            },
            Action::Undo => Deed::Undo {
                act: said.undoes.clone()?,
            },
            Action::Dispose => Deed::Dispose(Disposal {
                verdict: Verdict::named(said.verdict.as_deref()?)?,
                recovered_cents: said.recovered_cents,
                case: said.case.clone(),
                reviewer: said.reviewer.clone(),
                video: said.video.clone(),
                notified: said.notified.clone(),
            }),
            Action::Reopen | Action::Entry => return None,
        };
        Some(Act {
            id: said.id.clone()?,
            incident: said.incident.clone()?,
            seen_acts: said.seen_acts?,
            seen_findings: said.seen_findings?,
            by: Person {
                id: said.operator.clone(),
                role: Role::named(said.role.as_deref()?)?,
                station: said.station.clone(),
            },
            at: said.at,
            deed,
            note: said.note.clone(),
        })
    }
}

impl Desk {
    /// An incident as it is appended.
    pub fn record(&self, id: &str, room: &Priorities) -> Option<Logged> {
        let one = self.incident(id)?;
        let levels = (one.reached() as i64 - Role::Surveillance as i64).min(1) + 1;
        let disposal = one.disposal.as_ref();
        Some(Logged {
            id: one.id.clone(),
            revision: one.revision,
            property: one.property.clone(),
            table: one.table.clone(),
            game: one.game.clone(),
            round: one.round.clone(),
            dealer: one.dealer.clone(),
            player: one.player.clone(),
            seat: one.seat,
            began: one.began,
            last: one.last,
            heard: one.heard,
            rings_at: one.rings_at,
            due_by: room.due_by(one, levels),
            priority: one.priority as u32,
            headline: one.headline.clone(),
            exposure_cents: one.exposure,
            at_stake_cents: one.at_stake,
            codes: one.codes.clone(),
            cites: one.cites.clone(),
            findings: one
                .findings
                .iter()
                .map(|part| part.finding.id.clone())
                .collect(),
            count: one.count,
            resolved: one.resolved,
            status: one.status.name().to_owned(),
            held_by: one.held.as_ref().map(|held| held.by.clone()),
            held_since: one.held.as_ref().map(|held| held.since),
            acknowledged: one.acknowledged,
            level: one.reached().name().to_owned(),
            acts: one.acts,
            verdict: disposal.map(|how| how.verdict.name().to_owned()),
            recovered_cents: disposal.and_then(|how| how.recovered_cents),
            case: disposal.and_then(|how| how.case.clone()),
            reviewer: disposal.and_then(|how| how.reviewer.clone()),
            video: disposal.and_then(|how| how.video.clone()),
            notified: disposal.map_or_else(Vec::new, |how| how.notified.clone()),
        })
    }
}
