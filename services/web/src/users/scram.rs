//! SCRAM-SHA-256 (RFC 5802, RFC 7677), as clients of PostgreSQL prove that they hold a token, without sending it.
//!
//! A token has 256 random bits, so nobody guesses one from what is kept of it. That allows a salt which follows from
//! the user's id: the answer to somebody who is no user is as good as that to one who is, and a user may hold several
//! tokens, of which the client says none by name.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What RFC 7677 asks for at least, and what PostgreSQL has.
pub(crate) const ITERATIONS: u32 = 4096;
const SALT_BYTES: usize = 16;

type Key = [u8; 32];

/// What is kept of a token for SCRAM; the token cannot be made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Verifier {
    stored: Key,
    server: Key,
}

impl Verifier {
    pub(crate) fn of(user: &str, token: &str) -> Verifier {
        let salted = salted(token.as_bytes(), &salt(user));
        let client = mac(&salted, &[b"Client Key"]);
        Verifier {
            stored: Sha256::digest(client).into(),
            server: mac(&salted, &[b"Server Key"]),
        }
    }

    /// The proof of the server if that of the client is right.
    pub(crate) fn check(&self, messages: &str, proof: &[u8]) -> Option<Key> {
        let proof: Key = proof.try_into().ok()?;
        let signature = mac(&self.stored, &[messages.as_bytes()]);
        let mut client = proof;
        for (byte, other) in client.iter_mut().zip(signature) {
            *byte ^= other;
        }
        // Of two hashes: how long it takes to compare them says nothing of the key.
        let is_it = Key::from(Sha256::digest(client)) == self.stored;
        is_it.then(|| mac(&self.server, &[messages.as_bytes()]))
    }
}

/// The salt of a user, of whom there need not be one.
pub(crate) fn salt(user: &str) -> [u8; SALT_BYTES] {
    let hash = Sha256::new()
        .chain_update(b"catwalk sql\0")
        .chain_update(user.as_bytes())
        .finalize();
    let mut salt = [0; SALT_BYTES];
    salt.copy_from_slice(&hash[..SALT_BYTES]);
    salt
}

/// PBKDF2 with HMAC-SHA-256, for one block.
fn salted(password: &[u8], salt: &[u8]) -> Key {
    let mut last = mac(password, &[salt, &1u32.to_be_bytes()]);
    let mut all = last;
    for _ in 1..ITERATIONS {
        last = mac(password, &[&last]);
        for (byte, other) in all.iter_mut().zip(last) {
            *byte ^= other;
        }
    }
    all
}

fn mac(key: &[u8], parts: &[&[u8]]) -> Key {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of any length");
    };
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

impl From<Verifier> for String {
    fn from(verifier: Verifier) -> String {
        let stored = STANDARD.encode(verifier.stored);
        format!("{stored}:{}", STANDARD.encode(verifier.server))
    }
}

impl TryFrom<String> for Verifier {
    type Error = String;

    fn try_from(text: String) -> Result<Verifier, String> {
        let read = |text: &str| Key::try_from(STANDARD.decode(text).ok()?).ok();
        let keys = text.split_once(':').and_then(|(stored, server)| {
            let (stored, server) = (read(stored)?, read(server)?);
            Some(Verifier { stored, server })
        });
        keys.ok_or_else(|| "two keys in base64 are expected".to_owned())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// As a client does it.
    fn proof(user: &str, token: &str, messages: &str) -> Vec<u8> {
        let client = mac(&salted(token.as_bytes(), &salt(user)), &[b"Client Key"]);
        let signature = mac(&Sha256::digest(client), &[messages.as_bytes()]);
        client.iter().zip(signature).map(|(a, b)| a ^ b).collect()
    }

    #[test]
    fn who_holds_the_token_is_let_in_and_nobody_else() {
        let verifier = Verifier::of("anna", "catwalk_x");
        let right = proof("anna", "catwalk_x", "n=,r=a,r=ab");
        assert!(verifier.check("n=,r=a,r=ab", &right).is_some());
        assert_eq!(verifier.check("n=,r=a,r=ac", &right), None, "another time");
        let wrong = proof("anna", "catwalk_y", "n=,r=a,r=ab");
        assert_eq!(verifier.check("n=,r=a,r=ab", &wrong), None);
        let other = proof("bert", "catwalk_x", "n=,r=a,r=ab");
        assert_eq!(verifier.check("n=,r=a,r=ab", &other), None);
        assert_eq!(verifier.check("n=,r=a,r=ab", &right[1..]), None);
        let kept = String::from(verifier.clone());
        assert_eq!(Verifier::try_from(kept), Ok(verifier));
        assert!(Verifier::try_from("a:b".to_owned()).is_err());
    }

    /// The example of RFC 7677.
    #[test]
    fn it_is_the_scram_of_the_standard() {
        let salt = STANDARD.decode("W22ZaJ0SNY7soEsUEjb6gQ==").unwrap();
        let salted = salted(b"pencil", &salt);
        let client = mac(&salted, &[b"Client Key"]);
        let verifier = Verifier {
            stored: Sha256::digest(client).into(),
            server: mac(&salted, &[b"Server Key"]),
        };
        let messages = "n=user,r=rOprNGfwEbeRWgbNEkqO,\
            r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,\
            c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        let proof = STANDARD
            .decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
            .unwrap();
        let server = verifier.check(messages, &proof).unwrap();
        assert_eq!(
            STANDARD.encode(server),
            "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="
        );
    }
}
