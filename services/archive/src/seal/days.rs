//! The heads at the end of each gaming day. They are kept for good: they are what is printed, stamped and handed out.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use catwalk_events::Timestamp;
use catwalk_proof::note::Note;

use catwalk_proof::{Folder, Storage as _};
use jiff::civil::Date;
use sha2::{Digest as _, Sha256};

use super::lanes::{Sealer, lanes};
use super::{SealError, SealSettings};
use crate::Archive;

/// The folder of the heads, beside the trees.
const DAYS: &str = "days";
/// The head of a tree in its folder.
const HEAD: &str = "checkpoint";
/// How the file of a time stamp ends.
const STAMP: &str = "tsr";

/// The heads of all trees at the end of a gaming day.
#[derive(Clone, Debug)]
pub struct DayHeads {
    pub day: String,
    /// As they were written: what a time stamp is of.
    pub text: String,
    pub heads: Vec<Note>,
    /// A time stamp of them (RFC 3161), if somebody has attached one. It was not checked.
    pub stamp: Option<Vec<u8>>,
}

impl Sealer {
    /// Signs, and keeps the heads as those of a gaming day that is over, if it has none yet.
    pub(crate) fn close_day(&mut self, day: i32) -> crate::Result<()> {
        self.sign()?;
        let root = self.root().clone();
        let name = format!(
            "{DAYS}/{}",
            Date::constant(1970, 1, 1) + jiff::Span::new().days(day)
        );
        let path = root.path().join(&name);
        if root.read(&name).map_err(SealError::disk(&path))?.is_some() {
            return Ok(());
        }
        let heads = lanes(&root)?.into_iter().filter_map(|lane| lane.head);
        let text: String = heads.map(|head| head.to_string()).collect();
        if text.is_empty() {
            return Ok(());
        }
        let written = root.write(&name, text.as_bytes());
        written
            .and_then(|()| root.sync())
            .map_err(SealError::disk(&path))?;
        Ok(())
    }
}

/// When the youngest head of an archive was signed, as the disk has it.
pub(crate) fn last_signed(
    archive: &Archive,
    settings: &SealSettings,
) -> Result<Option<Timestamp>, SealError> {
    let root = archive.trees(settings.folder.as_deref())?;
    let modified = lanes(&root)?.into_iter().filter_map(|lane| {
        let head = fs::metadata(lane.folder.path().join(HEAD)).ok()?;
        let since = head.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(since.as_micros()).ok()
    });
    Ok(modified.max().map(Timestamp::from_micros))
}

/// The heads of gaming days that are over, the earliest first.
pub fn day_heads(root: &Folder) -> Result<Vec<DayHeads>, SealError> {
    let folder = root.path().join(DAYS);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(SealError::disk(&folder)(error)),
    };
    let mut days = Vec::new();
    for entry in entries {
        let path = entry.map_err(SealError::disk(&folder))?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if name.parse::<Date>().is_err() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(SealError::disk(&path))?;
        days.push(DayHeads {
            day: name.to_owned(),
            heads: Note::read_all(&text)?,
            text,
            stamp: fs::read(path.with_extension(STAMP)).ok(),
        });
    }
    days.sort_by(|a, b| a.day.cmp(&b.day));
    Ok(days)
}

/// Attaches a time stamp to the heads of a day. Whether its signature holds is for `openssl ts -verify` to say; here
/// only whether it is of these heads at all.
pub fn keep_stamp(root: &Folder, heads: &DayHeads, stamp: &[u8]) -> Result<(), SealError> {
    let imprint = Sha256::digest(heads.text.as_bytes());
    if !stamp
        .windows(imprint.len())
        .any(|part| part == imprint.as_slice())
    {
        return Err(SealError::OtherStamp(heads.day.clone()));
    }
    let name = format!("{DAYS}/{}.{STAMP}", heads.day);
    let written = root.write(&name, stamp);
    written
        .and_then(|()| root.sync())
        .map_err(SealError::disk(Path::new(&name)))
}
