//! Clients of PostgreSQL, which prove that they hold a token of a user.

use std::net::IpAddr;
use std::time::Instant;

use serde_json::json;

use super::moment::Moment;
use super::roll::Roll;
use super::scram::{self, Verifier};
use super::{Credential, KeyHash, Users, lock};
use crate::{Caller, Fault};

/// Somebody who has proved to hold a token.
#[derive(Debug, Clone)]
pub struct SqlSignedIn {
    pub caller: Caller,
    /// The server's own proof, which the client wants to see.
    pub proof: [u8; 32],
    credential: KeyHash,
}

impl Users {
    /// The salt and the iterations with which a client is to make its proof. Whether there is such a user is not told.
    pub fn sql_salt(&self, user: &str) -> ([u8; 16], u32) {
        (scram::salt(user), scram::ITERATIONS)
    }

    /// Checks a client's proof over the messages that were exchanged. Every try is on record and counted, and what
    /// is wrong is not told.
    pub fn sql_sign_in(
        &self,
        user: &str,
        messages: &str,
        proof: &[u8],
        address: IpAddr,
    ) -> Result<SqlSignedIn, Fault> {
        self.admit(user, address)?;
        let roll = self.roll()?;
        let found = token(&roll, user, messages, proof);
        let signed_in = match found {
            Some((credential, proof)) => {
                let who = self.who(&Credential::Token(credential), &address.to_string())?;
                who.map(|signed_in| SqlSignedIn {
                    caller: signed_in.caller,
                    proof,
                    credential,
                })
            }
            None => None,
        };
        let Some(signed_in) = signed_in else {
            // What is no user may be a token that was typed in the wrong place: it is not put on record.
            let known = roll.users.contains_key(user).then_some(user);
            let about = json!({"user": known});
            self.note(known.unwrap_or("?"), address, "sql_refused", about)?;
            return Err(Fault::not_signed_in());
        };
        lock(&self.0.throttle).succeeded(user, address);
        self.note(user, address, "sql_signed_in", json!({"user": user}))?;
        Ok(signed_in)
    }

    /// Whether whoever tries now has to wait first.
    pub fn sql_may_try(&self, user: &str, address: IpAddr) -> bool {
        lock(&self.0.throttle).may(user, address, Instant::now())
    }

    /// The caller as it is now; `None` when the token was revoked or has expired, or its user was.
    pub fn sql_still(&self, signed_in: &SqlSignedIn) -> Result<Option<Caller>, Fault> {
        let credential = Credential::Token(signed_in.credential);
        let who = self.who(&credential, &signed_in.caller.station)?;
        Ok(who.map(|signed_in| signed_in.caller))
    }

    /// Whether it is a demo, whose one user needs no token on this machine.
    pub fn needs_no_token(&self) -> bool {
        self.is_demo()
    }

    /// The user of a demo, who needs no token on this machine; `None` where there is no demo.
    pub fn sql_demo(&self, user: &str, address: IpAddr) -> Option<Caller> {
        let is_it = self.is_demo() && address.is_loopback() && user == super::DEMO;
        let day = std::time::Duration::from_secs(24 * 3600);
        is_it.then(|| super::demo(&address.to_string(), Moment::now().after(day)).caller)
    }
}

/// The token of the user that the proof was made with.
fn token(roll: &Roll, user: &str, messages: &str, proof: &[u8]) -> Option<(KeyHash, [u8; 32])> {
    let of_user = roll.tokens.values().filter(|token| token.user == user);
    of_user
        .filter_map(|token| Some((token.key, token.scram.as_ref()?)))
        .find_map(|(key, verifier): (KeyHash, &Verifier)| {
            Some((key, verifier.check(messages, proof)?))
        })
}
