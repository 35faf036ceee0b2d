//! Passwords, and keys that only their hash is kept of.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The fewest characters of a password.
const MIN_CHARACTERS: usize = 12;
/// The most bytes of a password: hashing must not be made work by who asks.
const MAX_BYTES: usize = 1024;

/// The system has no randomness to give: nothing secret can be made.
#[derive(Debug, thiserror::Error)]
#[error("no random bytes from the system: {0}")]
pub struct NoRandomness(getrandom::Error);

/// A key of 256 bits, for a cookie or a token, as its holder has it.
pub(crate) fn key() -> Result<String, NoRandomness> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// A short name for something, unlike all others.
pub(crate) fn name() -> Result<String, NoRandomness> {
    let mut bytes = [0; 5];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What is kept of a key. Whoever reads it cannot make the key of it, and how long it takes to compare two says
/// nothing of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct KeyHash([u8; 32]);

impl KeyHash {
    pub(crate) fn of(key: &str) -> KeyHash {
        KeyHash(Sha256::digest(key.as_bytes()).into())
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<KeyHash> for String {
    fn from(hash: KeyHash) -> String {
        hash.to_string()
    }
}

impl FromStr for KeyHash {
    type Err = String;

    fn from_str(text: &str) -> Result<KeyHash, String> {
        let wrong = || "64 hexadecimal digits are expected".to_owned();
        let mut hash = [0; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        for (place, byte) in hash.iter_mut().enumerate() {
            let digits = &text[2 * place..2 * place + 2];
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(KeyHash(hash))
    }
}

impl TryFrom<String> for KeyHash {
    type Error = String;

    fn try_from(text: String) -> Result<KeyHash, String> {
        text.parse()
    }
}

/// What is wrong with a password that somebody has chosen.
pub(crate) fn weakness(user: &str, password: &str) -> Option<String> {
    if password.chars().count() < MIN_CHARACTERS {
        return Some(format!(
            "the password is too short: {MIN_CHARACTERS} characters or more are needed"
        ));
    }
    if password.len() > MAX_BYTES {
        return Some(format!(
            "the password is too long: at most {MAX_BYTES} bytes are taken"
        ));
    }
    let repeats = password.chars().all(|c| password.starts_with(c));
    if repeats || password.to_lowercase().contains(&user.to_lowercase()) {
        return Some("the password is too easy to guess".to_owned());
    }
    None
}

/// A password for whoever has no better idea: five groups of five letters and digits, some 120 bits.
pub fn generated_password() -> Result<String, NoRandomness> {
    /// 32 signs that nobody takes for each other.
    const SIGNS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 25];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    let signs: Vec<String> = bytes
        .chunks(5)
        .map(|group| {
            let signs = group.iter().map(|byte| SIGNS[usize::from(byte % 32)]);
            signs.map(char::from).collect()
        })
        .collect();
    Ok(signs.join("-"))
}

/// Argon2id with a salt of its own, in the form that says how it was made.
pub(crate) fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes())?;
    Ok(hash.to_string())
}

/// Whether it is the password. It takes as long where there is none to compare it with: nobody learns who there is.
pub(crate) fn is_password(password: &str, hash: Option<&str>) -> bool {
    /// The hash of a password that nobody knows.
    static NOBODY: LazyLock<Option<String>> =
        LazyLock::new(|| crate::users::secret::hash(&key().ok()?).ok());
    let nobody = NOBODY.as_deref();
    if password.len() > MAX_BYTES {
        return false;
    }
    let Some(parsed) = hash
        .or(nobody)
        .and_then(|text| PasswordHash::new(text).ok())
    else {
        return false;
    };
    let same = Argon2::default().verify_password(password.as_bytes(), &parsed);
    same.is_ok() && hash.is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_password_is_known_by_its_hash_alone() {
        let kept = hash("correct horse battery").unwrap();
        assert!(
            kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{kept}"
        );
        assert_ne!(kept, hash("correct horse battery").unwrap());
        assert!(is_password("correct horse battery", Some(&kept)));
        assert!(!is_password("correct horse batter", Some(&kept)));
        assert!(!is_password("correct horse battery", None));
        assert!(!is_password("", Some("no hash at all")));
    }

    #[test]
    fn weak_passwords_are_refused_with_why() {
        for (password, why) in [
            ("short", "too short"),
            ("aaaaaaaaaaaaaaaa", "easy"),
            ("anna-anna-2026", "easy"),
            (&"x1".repeat(600), "too long"),
        ] {
            let weakness = weakness("Anna", password).unwrap();
            assert!(weakness.contains(why), "{password}: {weakness}");
        }
        assert_eq!(weakness("anna", "correct horse battery"), None);
        let made = generated_password().unwrap();
        assert_eq!((made.len(), weakness("anna", &made)), (29, None));
        assert_ne!(made, generated_password().unwrap());
    }

    #[test]
    fn the_hash_of_a_key_reads_as_it_is_written() {
        let hash = KeyHash::of(&key().unwrap());
        assert_eq!(hash.to_string().parse(), Ok(hash));
        for wrong in ["", "ab", &"g".repeat(64), &"é".repeat(32)] {
            assert!(wrong.parse::<KeyHash>().is_err(), "{wrong}");
        }
    }
}
