//! The key of the house: made at the first start, kept away from the archive, handed on when it is rotated.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use catwalk_proof::note::{Algorithm, Note, SigningKey, VerifyingKey};
use catwalk_proof::{Folder, Storage as _};

use super::SealError;

/// The first line of a note by which a key is made known; the second is the key.
const KEY_LINE: &str = "catwalk key v1";
/// Keys that one house may have had.
const MOST_KEYS: usize = 1_000;

/// The secret key in a file that nobody else can read.
pub fn read_key(path: &Path) -> Result<Option<SigningKey>, SealError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(SigningKey::from_secret(&text)?)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SealError::disk(path)(error)),
    }
}

/// Makes a key in a new file of mode 0600.
pub fn make_key(path: &Path, name: &str, algorithm: Algorithm) -> Result<SigningKey, SealError> {
    let key = SigningKey::random(name, algorithm)?;
    write_key(path, &key)?;
    Ok(key)
}

fn write_key(path: &Path, key: &SigningKey) -> Result<(), SealError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(SealError::disk(folder))?;
    }
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = || -> std::io::Result<()> {
        let mut file = options.open(&new)?;
        writeln!(file, "{}", key.secret())?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        let folder = path.parent().filter(|folder| folder.is_dir());
        folder.map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    };
    written().map_err(SealError::disk(path))
}

/// The keys that the house has had, oldest first: each note is signed by the key before.
pub fn key_notes(folder: &Folder) -> Result<Vec<Note>, SealError> {
    let mut notes = Vec::new();
    for at in 0..MOST_KEYS {
        let name = format!("keys/{at:03}");
        let read = folder.read(&name);
        match read.map_err(SealError::disk(&folder.path().join(&name)))? {
            Some(bytes) => notes.push(Note::read(&String::from_utf8_lossy(&bytes))?),
            None => break,
        }
    }
    Ok(notes)
}

/// The key that a note makes known.
fn named_in(note: &Note) -> Result<VerifyingKey, SealError> {
    let key = note
        .text()
        .strip_prefix(KEY_LINE)
        .and_then(|rest| rest.trim().parse().ok());
    key.ok_or(SealError::KeyNote)
}

/// Follows the keys from those that are trusted to those that they have handed on to. Without any, the first is
/// taken at its word. The last is the one that signs now.
pub fn trusted_keys(
    notes: &[Note],
    trusted: &[VerifyingKey],
) -> Result<Vec<VerifyingKey>, SealError> {
    let mut keys = trusted.to_vec();
    for (at, note) in notes.iter().enumerate() {
        let key = named_in(note)?;
        if keys.contains(&key) {
            // What comes later is later.
            keys.retain(|known| *known != key);
            keys.push(key);
            continue;
        }
        let is_first = at == 0 && trusted.is_empty();
        let by = if is_first {
            std::slice::from_ref(&key)
        } else {
            &keys
        };
        match note.verify(by) {
            Ok(_) => keys.push(key),
            // Keys from before the one that is trusted are of no use.
            Err(_) if keys.len() == trusted.len() && !trusted.is_empty() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(keys)
}

/// Makes a key known that signs from now on: `by` is the one before, or itself for the first.
pub(super) fn publish_key(
    folder: &Folder,
    at: usize,
    key: &VerifyingKey,
    by: &SigningKey,
) -> Result<(), SealError> {
    let mut note = Note::new(format!("{KEY_LINE}\n{key}\n"))?;
    note.sign(by, 0);
    let name = format!("keys/{at:03}");
    let path = folder.path().join(&name);
    let written = folder.write(&name, note.to_string().as_bytes());
    written
        .and_then(|()| folder.sync())
        .map_err(SealError::disk(&path))
}

/// Puts a new key in the place of the one in the file. The old one signs it and is kept beside it, `<file>.<number>`.
pub fn rotate(folder: &Folder, path: &Path) -> Result<(VerifyingKey, VerifyingKey), SealError> {
    let old = read_key(path)?.ok_or_else(|| SealError::NoKey(path.to_owned()))?;
    let known = key_notes(folder)?;
    let last = known.last().map(named_in).transpose()?;
    if last.as_ref() != Some(&old.verifying()) {
        return Err(SealError::OtherKey(path.to_owned()));
    }
    let name = old.verifying().name().to_owned();
    let new = SigningKey::random(&name, Algorithm::Ed25519)?;
    let mut kept = path.as_os_str().to_owned();
    kept.push(format!(".{}", known.len() - 1));
    write_key(Path::new(&kept), &old)?;
    // The new key is safe before it is made known; if the power fails in between, it is made known at the next start.
    write_key(path, &new)?;
    publish_key(folder, known.len(), &new.verifying(), &old)?;
    Ok((old.verifying(), new.verifying()))
}

/// The key of the house, and those that it had before.
pub(super) fn open_keys(
    folder: &Folder,
    path: &Path,
    name: &str,
) -> Result<(SigningKey, Vec<VerifyingKey>), SealError> {
    let notes = key_notes(folder)?;
    let key = match read_key(path)? {
        Some(key) => key,
        // Its archive has a key, so this is not the first start: another would be another house.
        None if !notes.is_empty() => return Err(SealError::NoKey(path.to_owned())),
        None => make_key(path, name, Algorithm::Ed25519)?,
    };
    let own = key.verifying();
    if notes.is_empty() {
        publish_key(folder, 0, &own, &key)?;
        return Ok((key, Vec::new()));
    }
    let mut keys = trusted_keys(&notes, &[])?;
    if keys.last() != Some(&own) {
        let mut kept = path.as_os_str().to_owned();
        kept.push(format!(".{}", notes.len() - 1));
        let before = read_key(Path::new(&kept))?;
        let before = before.filter(|before| keys.last() == Some(&before.verifying()));
        let before = before.ok_or_else(|| SealError::OtherKey(path.to_owned()))?;
        publish_key(folder, notes.len(), &own, &before)?;
    }
    keys.retain(|known| *known != own);
    Ok((key, keys))
}
