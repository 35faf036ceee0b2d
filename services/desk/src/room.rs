//! What the desk and those who look at it share.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use catwalk_events::Timestamp;
use catwalk_events::audit::{Finding, Incident as Logged};
use tokio::sync::oneshot;

use crate::act::{Act, Refused};
use crate::desk::{Counts, Desk};
use crate::duties::{self, Duties, Duty};
use crate::feed::Feed;
use crate::floor::Floor;
use crate::journal::{Entry, NotWritten, Place};
use crate::outbox;
use crate::priority::Priorities;

/// So many acts wait for the desk at a time.
const WAITING_ACTS: usize = 1_024;
/// A desk that has not been at work for so long is in trouble: its log does not answer.
const AT_WORK_WITHIN: Duration = Duration::from_secs(3);

/// What a house may set for its desk.
#[derive(Clone, Debug)]
pub struct Settings {
    pub priorities: Priorities,
    pub duties: Duties,
    pub camera: Option<Camera>,
    /// An open table that says nothing for so long is silent.
    pub silence_seconds: u64,
    /// The floor's clock is not of this world: it is held against none.
    pub is_simulated: bool,
    /// The zone and the hour at which a gaming day begins.
    pub time_zone: String,
    pub gaming_day_hour: i8,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            priorities: Priorities::default(),
            duties: Duties::default(),
            camera: None,
            silence_seconds: 120,
            is_simulated: false,
            time_zone: "America/New_York".to_owned(),
            gaming_day_hour: 6,
        }
    }
}

/// Where recordings are looked at.
#[derive(Clone, Debug, Default)]
pub struct Camera {
    /// With `{property}`, `{table}`, `{camera}`, `{from}` and `{to}` in it.
    pub url: String,
    /// Which camera looks at a table; one that is not named here has the table's own name.
    pub names: BTreeMap<String, String>,
    /// How long recordings are kept; 0: nobody has said.
    pub kept_days: u64,
}

/// The desk as others meet it: what is committed, and a way to hand acts in.
#[derive(Debug)]
pub struct Room {
    pub(crate) settings: Settings,
    pub(crate) feed: Feed,
    pub(crate) floor: Mutex<Floor>,
    /// How the destinations of alerts do, by name.
    pub(crate) outbox: Mutex<BTreeMap<String, outbox::Standing>>,
    view: RwLock<View>,
    standing: Mutex<Standing>,
    hand_in: SyncSender<Command>,
    pub(crate) handed_in: Mutex<Receiver<Command>>,
}

/// What is committed.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) incidents: BTreeMap<String, Arc<Dossier>>,
    pub(crate) journal: BTreeMap<Place, Arc<Entry>>,
    pub(crate) counts: Counts,
    pub(crate) duties: BTreeMap<String, Arc<Duty>>,
}

/// All that is shown of an incident.
#[derive(Debug)]
pub(crate) struct Dossier {
    pub(crate) record: Logged,
    /// Each with whether it was put right.
    pub(crate) findings: Vec<(Finding, bool)>,
    pub(crate) acts: Vec<Act>,
}

/// How the desk does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    pub(crate) at_work: Option<Instant>,
    pub(crate) has_post: bool,
    /// There are findings that it has not read yet.
    pub(crate) is_behind: bool,
}

impl Standing {
    pub(crate) fn is_ok(&self) -> bool {
        let is_recent = |at: Instant| at.elapsed() < AT_WORK_WITHIN;
        self.has_post && self.at_work.is_some_and(is_recent)
    }
}

/// What somebody wants done, and where what became of it is told.
#[derive(Debug)]
pub(crate) enum Command {
    Act(Box<Act>, oneshot::Sender<Answer>),
    Entry(Box<Entry>, oneshot::Sender<Written>),
}

/// What became of an act.
pub(crate) type Answer = Result<(Act, Arc<Dossier>), NotDone>;
/// What became of an entry.
pub(crate) type Written = Result<Arc<Entry>, NotDone>;

#[derive(Debug, thiserror::Error)]
pub(crate) enum NotDone {
    #[error("{0}")]
    Refused(Refused),
    #[error("{0}")]
    NotWritten(NotWritten),
    #[error("{0}")]
    Unavailable(&'static str),
}

impl Command {
    /// Tells whoever asked that it is not done. He may be gone.
    pub(crate) fn cannot(self, why: &'static str) {
        match self {
            Command::Act(_, answer) => drop(answer.send(Err(NotDone::Unavailable(why)))),
            Command::Entry(_, answer) => drop(answer.send(Err(NotDone::Unavailable(why)))),
        }
    }
}

pub(crate) const NO_POST: &str =
    "the desk is not at work here: it begins, its log does not answer, or another has its post";
pub(crate) const IN_DOUBT: &str =
    "the log did not say whether the act was written: send it again with the same id";

impl Room {
    pub fn open(settings: Settings) -> Arc<Room> {
        let (hand_in, handed_in) = mpsc::sync_channel(WAITING_ACTS);
        Arc::new(Room {
            settings,
            feed: Feed::default(),
            floor: Mutex::default(),
            outbox: Mutex::default(),
            view: RwLock::default(),
            standing: Mutex::default(),
            hand_in,
            handed_in: Mutex::new(handed_in),
        })
    }

    /// Hands an act in; what became of it comes by the channel.
    pub(crate) fn hand_in(&self, act: Act) -> oneshot::Receiver<Answer> {
        let (answer, answered) = oneshot::channel();
        self.queue(Command::Act(Box::new(act), answer));
        answered
    }

    /// The same with an entry of the log.
    pub(crate) fn write(&self, entry: Entry) -> oneshot::Receiver<Written> {
        let (answer, answered) = oneshot::channel();
        self.queue(Command::Entry(Box::new(entry), answer));
        answered
    }

    fn queue(&self, command: Command) {
        if let Err(TrySendError::Full(refused) | TrySendError::Disconnected(refused)) =
            self.hand_in.try_send(command)
        {
            refused.cannot("too many acts wait already: try again");
        }
    }

    /// Looks at what is committed.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&View) -> T) -> T {
        look(&self.view.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn dossier(&self, id: &str) -> Option<Arc<Dossier>> {
        self.look(|view| view.incidents.get(id).cloned())
    }

    /// Shows what was committed of these incidents.
    pub(crate) fn show<'a>(&self, desk: &Desk, ids: impl Iterator<Item = &'a String>) {
        let shown: Vec<_> = ids
            .map(|id| (id, dossier(desk, id, &self.settings.priorities)))
            .collect();
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        view.counts = desk.counts();
        for (id, dossier) in shown {
            match dossier {
                Some(dossier) => view.incidents.insert(id.clone(), Arc::new(dossier)),
                None => view.incidents.remove(id),
            };
        }
    }

    /// Shows what was committed of the log at these places.
    pub(crate) fn show_entries(&self, desk: &Desk, places: impl IntoIterator<Item = Place>) {
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        for place in places {
            match desk.journal.at(&place) {
                Some(entry) => view.journal.insert(place, Arc::new(entry.clone())),
                None => view.journal.remove(&place),
            };
        }
    }

    /// Shows what was committed of these duties.
    pub(crate) fn show_duties<'a>(
        &self,
        watch: &duties::Watch,
        ids: impl Iterator<Item = &'a String>,
    ) {
        let mut view = self.view.write().unwrap_or_else(PoisonError::into_inner);
        for id in ids {
            match watch.duty(id) {
                Some(duty) => view.duties.insert(id.clone(), Arc::new(duty.clone())),
                None => view.duties.remove(id),
            };
        }
    }

    /// Shows all that a desk has, and nothing else.
    pub(crate) fn show_all(&self, desk: &Desk, watch: &duties::Watch) {
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = View::default();
        self.show_entries(desk, desk.journal.entries().map(Entry::place));
        let duties: Vec<String> = watch.duties().map(|duty| duty.id.clone()).collect();
        self.show_duties(watch, duties.iter());
        let ids: Vec<String> = desk.incidents().map(|one| one.id.clone()).collect();
        self.show(desk, ids.iter());
    }

    pub(crate) fn standing(&self) -> Standing {
        *lock(&self.standing)
    }

    pub(crate) fn stands(&self, standing: Standing) {
        *lock(&self.standing) = standing;
    }
}

fn dossier(desk: &Desk, id: &str, priorities: &Priorities) -> Option<Dossier> {
    let incident = desk.incident(id)?;
    let findings = incident.findings.iter();
    Some(Dossier {
        record: desk.record(id, priorities)?,
        findings: findings
            .map(|part| (part.finding.clone(), part.resolved))
            .collect(),
        acts: desk.acts(id).cloned().collect(),
    })
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is locked here is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn now() -> Timestamp {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    let micros = since_1970.map_or(0, |since| since.as_micros());
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}
