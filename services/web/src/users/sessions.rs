//! Who is signed in. Of the cookie only its hash is kept, in memory and in a file that outlives the program.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::moment::Moment;
use super::secret::{self, KeyHash, NoRandomness};
use crate::files;

/// Of one user at a time; the one that was not used for longest ends for a new one.
const OF_A_USER: usize = 10;
/// Of all users at a time; the same holds.
const OF_ALL: usize = 2_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    pub(crate) user: String,
    pub(crate) epoch: u64,
    pub(crate) station: String,
    pub(crate) expires: Moment,
    used: Moment,
}

#[derive(Debug)]
pub(crate) struct Sessions {
    held: Mutex<Held>,
    idle: Duration,
    longest: Duration,
    /// Where they are kept, while nobody else keeps them there.
    kept: Option<(PathBuf, File)>,
}

#[derive(Debug, Default)]
struct Held {
    sessions: HashMap<KeyHash, Session>,
    /// Not in the file yet.
    dirty: bool,
}

impl Sessions {
    /// Sessions that end with the program.
    pub(crate) fn in_memory(idle: Duration, longest: Duration) -> Sessions {
        Sessions {
            held: Mutex::default(),
            idle,
            longest,
            kept: None,
        }
    }

    /// Sessions that are kept in a file. If another program keeps its own there, they end with this one; the second
    /// value says so, or what is wrong with the file.
    pub(crate) fn kept(
        path: PathBuf,
        idle: Duration,
        longest: Duration,
    ) -> (Sessions, Option<String>) {
        let mut sessions = Sessions::in_memory(idle, longest);
        let shown = path.display().to_string();
        let why = match files::try_lock(&path) {
            Ok(Some(lock)) => {
                let read = files::read(&path).map_err(|error| error.to_string());
                let read = read.and_then(|text| match text {
                    Some(text) => serde_json::from_str(&text).map_err(|error| error.to_string()),
                    None => Ok(HashMap::new()),
                });
                sessions.kept = Some((path, lock));
                match read {
                    Ok(read) => {
                        sessions.lock().sessions = read;
                        return (sessions, None);
                    }
                    Err(error) => format!("{error}; whoever was signed in has to sign in again"),
                }
            }
            Ok(None) => {
                "another program keeps its sessions there; those of this one end with it".to_owned()
            }
            Err(error) => format!("{error}; sessions end with this program"),
        };
        (sessions, Some(format!("{shown}: {why}")))
    }

    /// Begins a session, in the place of the one that was before; gives what the cookie is to hold.
    pub(crate) fn begin(
        &self,
        user: &str,
        epoch: u64,
        station: &str,
        before: Option<KeyHash>,
    ) -> Result<(String, KeyHash, Moment), NoRandomness> {
        let key = secret::key()?;
        let (hash, now) = (KeyHash::of(&key), Moment::now());
        let expires = now.after(self.longest);
        let mut held = self.lock();
        if let Some(before) = before {
            held.sessions.remove(&before);
        }
        held.sessions.retain(|_, session| session.is_on(self.idle));
        held.end_longest_unused(OF_A_USER, |session| session.user == user);
        held.end_longest_unused(OF_ALL, |_| true);
        let session = Session {
            user: user.to_owned(),
            epoch,
            station: station.to_owned(),
            expires,
            used: now,
        };
        held.sessions.insert(hash, session);
        held.dirty = true;
        drop(held);
        self.keep();
        Ok((key, hash, expires))
    }

    /// The session of a cookie, which is used by that. One that has expired is none.
    pub(crate) fn of(&self, key: KeyHash) -> Option<Session> {
        let mut held = self.lock();
        held.dirty = true;
        let session = held.sessions.get_mut(&key)?;
        if !session.is_on(self.idle) {
            held.sessions.remove(&key);
            return None;
        }
        session.used = Moment::now();
        Some(session.clone())
    }

    pub(crate) fn end(&self, key: KeyHash) {
        let mut held = self.lock();
        held.dirty |= held.sessions.remove(&key).is_some();
        drop(held);
        self.keep();
    }

    /// Writes them down if they have changed. What cannot be written ends with the program.
    pub(crate) fn keep(&self) {
        let mut held = self.lock();
        let Some((path, _)) = &self.kept else { return };
        if !held.dirty {
            return;
        }
        let text = serde_json::to_string(&held.sessions);
        held.dirty = !text.is_ok_and(|text| files::replace(path, text.as_bytes()).is_ok());
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // A map is never half changed.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.keep();
    }
}

impl Session {
    fn is_on(&self, idle: Duration) -> bool {
        !self.expires.has_passed() && !self.used.after(idle).has_passed()
    }
}

impl Held {
    /// Makes room for one more of these.
    fn end_longest_unused(&mut self, most: usize, counts: impl Fn(&Session) -> bool) {
        let counted = || self.sessions.iter().filter(|(_, session)| counts(session));
        if counted().count() >= most
            && let Some(key) = counted()
                .min_by_key(|(_, session)| session.used)
                .map(|(key, _)| *key)
        {
            self.sessions.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn sessions_outlive_the_program_and_their_cookies_are_not_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions");
        let (sessions, trouble) = Sessions::kept(path.clone(), HOUR, HOUR);
        assert_eq!(trouble, None);
        let (key, hash, expires) = sessions.begin("anna", 3, "10.0.0.7", None).unwrap();
        let (other, trouble) = Sessions::kept(path.clone(), HOUR, HOUR);
        assert!(trouble.unwrap().contains("another program"));
        assert_eq!(other.of(hash), None);
        drop((sessions, other));
        assert!(!std::fs::read_to_string(&path).unwrap().contains(&key));
        let (sessions, _) = Sessions::kept(path, HOUR, HOUR);
        let session = sessions.of(KeyHash::of(&key)).unwrap();
        assert_eq!(
            (session.user.as_str(), session.epoch, session.expires),
            ("anna", 3, expires)
        );
    }

    #[test]
    fn a_session_ends_when_it_is_not_used_or_too_old() {
        let short = Duration::from_millis(80);
        let unused = Sessions::in_memory(short, HOUR);
        let (_, hash, _) = unused.begin("anna", 1, "", None).unwrap();
        let old = Sessions::in_memory(HOUR, short);
        let (_, oldest, _) = old.begin("anna", 1, "", None).unwrap();
        for _ in 0..4 {
            std::thread::sleep(short / 4);
            assert!(unused.of(hash).is_some(), "it is in use");
        }
        std::thread::sleep(short);
        assert_eq!((unused.of(hash), old.of(oldest)), (None, None));
    }

    #[test]
    fn there_are_so_many_sessions_and_no_more() {
        let sessions = Sessions::in_memory(HOUR, HOUR);
        let (_, bert, _) = sessions.begin("bert", 1, "", None).unwrap();
        let mut begun = Vec::new();
        for _ in 0..OF_A_USER + 3 {
            begun.push(sessions.begin("anna", 1, "", None).unwrap().1);
        }
        let on: Vec<bool> = begun
            .iter()
            .map(|key| sessions.of(*key).is_some())
            .collect();
        assert_eq!(on, [vec![false; 3], vec![true; OF_A_USER]].concat());
        let instead = sessions.begin("anna", 1, "", Some(begun[5])).unwrap().1;
        assert!(sessions.of(begun[5]).is_none() && sessions.of(begun[3]).is_some());
        for number in 0..OF_ALL {
            sessions.begin(&format!("u{number}"), 1, "", None).unwrap();
        }
        assert!(sessions.of(bert).is_none() && sessions.of(instead).is_none());
        assert_eq!(sessions.lock().sessions.len(), OF_ALL);
    }
}
