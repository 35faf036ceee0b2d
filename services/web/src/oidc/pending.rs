//! Sign-ins that have begun here and are at the provider now. Each is good for one answer, in the browser that began
//! it.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::users::{KeyHash, NoRandomness, key};

/// Whoever takes longer begins again.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);
/// Of one address; the oldest makes room for a new one.
const FROM_AN_ADDRESS: usize = 50;
/// Of all; the same holds.
const OF_ALL: usize = 2_000;

#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<HashMap<KeyHash, Underway>>);

/// What is kept of a sign-in until its answer comes.
#[derive(Debug)]
pub(super) struct Underway {
    pub(super) nonce: String,
    /// The secret whose hash the provider was told (PKCE, RFC 7636).
    pub(super) verifier: String,
    browser: KeyHash,
    address: IpAddr,
    until: Instant,
}

/// What the provider and the browser are told when a sign-in begins.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) state: String,
    pub(super) nonce: String,
    pub(super) challenge: String,
    /// For a cookie: the answer counts in this browser only.
    pub(super) browser: String,
}

impl Pending {
    pub(super) fn begin(&self, address: IpAddr) -> Result<Begun, NoRandomness> {
        let (state, browser, nonce, verifier) = (key()?, key()?, key()?, key()?);
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        let now = Instant::now();
        let mut held = self.lock();
        held.retain(|_, underway| underway.until > now);
        end_oldest(&mut held, FROM_AN_ADDRESS, |one| one.address == address);
        end_oldest(&mut held, OF_ALL, |_| true);
        let underway = Underway {
            nonce: nonce.clone(),
            verifier,
            browser: KeyHash::of(&browser),
            address,
            until: now + PATIENCE,
        };
        held.insert(KeyHash::of(&state), underway);
        Ok(Begun {
            state,
            nonce,
            challenge,
            browser,
        })
    }

    /// The sign-in of a state, once. An answer that comes in another browser uses it up too.
    pub(super) fn take(&self, state: &str, browser: &str) -> Option<Underway> {
        let underway = self.lock().remove(&KeyHash::of(state))?;
        let is_it = underway.browser == KeyHash::of(browser) && underway.until > Instant::now();
        is_it.then_some(underway)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<KeyHash, Underway>> {
        // A map is never half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room for one more of these.
fn end_oldest(
    held: &mut HashMap<KeyHash, Underway>,
    most: usize,
    is_one: impl Fn(&Underway) -> bool,
) {
    let ones = || held.iter().filter(|(_, one)| is_one(one));
    if ones().count() >= most
        && let Some(oldest) = ones().min_by_key(|(_, one)| one.until).map(|(key, _)| *key)
    {
        held.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_counts_once_and_in_the_browser_that_began() {
        let pending = Pending::default();
        let here = IpAddr::from([10, 0, 0, 7]);
        let begun = pending.begin(here).unwrap();
        let underway = pending.take(&begun.state, &begun.browser).unwrap();
        assert_eq!(underway.nonce, begun.nonce);
        let hashed = URL_SAFE_NO_PAD.encode(Sha256::digest(underway.verifier.as_bytes()));
        assert_eq!(hashed, begun.challenge);
        assert!(pending.take(&begun.state, &begun.browser).is_none());
        let begun = pending.begin(here).unwrap();
        assert!(pending.take(&begun.state, "another").is_none());
        assert!(pending.take(&begun.state, &begun.browser).is_none());
    }

    #[test]
    fn so_many_are_underway_and_no_more() {
        let pending = Pending::default();
        let other = pending.begin([10, 0, 0, 8].into()).unwrap();
        let begun: Vec<Begun> = (0..FROM_AN_ADDRESS + 1)
            .map(|_| pending.begin([10, 0, 0, 7].into()).unwrap())
            .collect();
        assert_eq!(pending.lock().len(), FROM_AN_ADDRESS + 1);
        assert!(pending.take(&begun[0].state, &begun[0].browser).is_none());
        assert!(pending.take(&begun[1].state, &begun[1].browser).is_some());
        assert!(pending.take(&other.state, &other.browser).is_some());
        for number in 0..OF_ALL as u32 + 5 {
            pending.begin(IpAddr::from(number.to_be_bytes())).unwrap();
        }
        assert_eq!(pending.lock().len(), OF_ALL);
    }
}
