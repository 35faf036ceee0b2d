//! The one-time token with which the first user of an installation is made.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::moment::Moment;
use super::roll::{UsersError, UsersFile};
use super::secret::{self, KeyHash};
use crate::files;

/// It is good for so long.
const GOOD_FOR: Duration = Duration::from_secs(15 * 60);

/// The token, where its file is, and until when it is good.
#[derive(Debug, Clone)]
pub struct FirstToken {
    token: String,
    path: PathBuf,
    expires: Moment,
}

impl FirstToken {
    /// Makes a token if nobody is a user, and puts it into a file that only its owner reads. One that is left from an
    /// earlier start is removed.
    pub(crate) fn prepare(
        users: &UsersFile,
        is_nobody_there: bool,
    ) -> Result<Option<FirstToken>, UsersError> {
        let path = files::beside(users.path(), "first-token");
        if !is_nobody_there {
            let _ = fs::remove_file(path);
            return Ok(None);
        }
        let token = secret::key()?;
        let expires = Moment::now().after(GOOD_FOR);
        match files::replace(&path, format!("{token}\n").as_bytes()) {
            Ok(()) => Ok(Some(FirstToken {
                token,
                path,
                expires,
            })),
            Err(source) => Err(UsersError::File { path, source }),
        }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn expires(&self) -> Moment {
        self.expires
    }

    pub(crate) fn is(&self, token: &str) -> bool {
        KeyHash::of(token) == KeyHash::of(&self.token) && !self.expires.has_passed()
    }

    pub(crate) fn remove(self) {
        // It is worthless now; a file that cannot be removed harms nobody.
        let _ = fs::remove_file(self.path);
    }
}
