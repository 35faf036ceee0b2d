//! Patrons under other names, for whoever does not need to know which patron it is.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Users;
use super::roll::{UsersError, UsersFile};
use super::secret::{self, NoRandomness};
use crate::files;

/// So much of a hash is a name: among a hundred million patrons no two have the same.
const BYTES: usize = 12;

/// Gives a patron another name, always the same one in this house. Nobody makes the id of the name, or the name of an
/// id, without the key.
#[derive(Clone)]
pub struct Pseudonyms(Hmac<Sha256>);

impl Pseudonyms {
    fn with(key: &[u8]) -> Pseudonyms {
        let Ok(keyed) = Hmac::new_from_slice(key) else {
            unreachable!("HMAC takes keys of any length");
        };
        Pseudonyms(keyed)
    }

    /// The key of an installation lies beside its users, and is made when it is needed first.
    fn of(file: &UsersFile) -> Result<Pseudonyms, UsersError> {
        let path = files::beside(file.path(), "pseudonyms");
        let failed = |source| UsersError::File {
            path: path.clone(),
            source,
        };
        file.make_folder()?;
        // Of two who begin at once one makes it.
        let _held = files::lock(&path).map_err(failed)?;
        let key = match files::read(&path).map_err(failed)? {
            Some(key) => key,
            None => {
                let key = secret::key()?;
                files::replace(&path, format!("{key}\n").as_bytes()).map_err(failed)?;
                key
            }
        };
        match URL_SAFE_NO_PAD.decode(key.trim()) {
            Ok(key) if key.len() >= 32 => Ok(Pseudonyms::with(&key)),
            _ => Err(UsersError::Unreadable {
                path,
                what: "a key of 256 bits in base64 is expected".to_owned(),
            }),
        }
    }

    /// Names that are good for as long as this is kept.
    pub fn passing() -> Result<Pseudonyms, NoRandomness> {
        Ok(Pseudonyms::with(secret::key()?.as_bytes()))
    }

    /// The other name of a patron.
    pub fn name(&self, patron: &str) -> String {
        let mut keyed = self.0.clone();
        keyed.update(b"patron\0");
        keyed.update(patron.as_bytes());
        let hash = keyed.finalize().into_bytes();
        let name: String = hash[..BYTES]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("anon-{name}")
    }
}

impl fmt::Debug for Pseudonyms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pseudonyms").finish_non_exhaustive()
    }
}

impl Users {
    /// How patrons are called for whoever does not need to know them.
    pub fn pseudonyms(&self) -> Result<Pseudonyms, UsersError> {
        match &self.0.file {
            Some(file) => Pseudonyms::of(file),
            None => Ok(Pseudonyms::passing()?),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_patron_has_one_name_in_a_house_and_another_in_another() {
        let folder = tempfile::tempdir().unwrap();
        let file = UsersFile::at(folder.path().join("users.json"));
        let first = Pseudonyms::of(&file).unwrap().name("p-114");
        assert!(
            first.starts_with("anon-") && !first.contains("p-114"),
            "{first}"
        );
        assert_eq!(Pseudonyms::of(&file).unwrap().name("p-114"), first);
        assert_ne!(Pseudonyms::of(&file).unwrap().name("p-115"), first);
        let other = UsersFile::at(folder.path().join("other/users.json"));
        assert_ne!(Pseudonyms::of(&other).unwrap().name("p-114"), first);
        // A key that somebody has cut short makes no names.
        let key = files::beside(file.path(), "pseudonyms");
        files::replace(&key, b"c2hvcnQ\n").unwrap();
        assert!(Pseudonyms::of(&file).is_err());
    }
}
