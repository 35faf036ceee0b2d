//! Signed notes (C2SP signed-note): a text, and below it who signed it.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer};

use crate::Hash;

/// More signatures than this are not read.
const MAX_SIGNATURES: usize = 64;
/// Longer notes are not read.
const MAX_BYTES: usize = 1 << 20;

/// How a signature line begins.
const DASH: &str = "\u{2014} ";

/// What a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Algorithm {
    /// The text of the note.
    Ed25519 = 1,
    /// A checkpoint and the time at which it was seen, by a witness.
    Cosignature = 4,
}

impl Algorithm {
    fn of(byte: u8) -> Option<Algorithm> {
        [Algorithm::Ed25519, Algorithm::Cosignature]
            .into_iter()
            .find(|one| *one as u8 == byte)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("this is not a signed note: {0}")]
    Malformed(&'static str),
    #[error("{0:?} is not a key: <name>+<id>+<base64> is, as `catwalk proof key` prints it")]
    Key(String),
    #[error("{0:?} cannot be the name of a key: a name has no spaces and no plus")]
    Name(String),
    #[error("nobody who is known has signed it: looked for {0}")]
    Unsigned(String),
    #[error("the signature of {0} is not of this text")]
    Forged(String),
}

/// The public half of a key, and its name.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    name: String,
    algorithm: Algorithm,
    key: ed25519_dalek::VerifyingKey,
}

impl VerifyingKey {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same key under another name: it signs something else.
    pub fn named(&self, name: &str) -> Result<VerifyingKey, NoteError> {
        Ok(VerifyingKey {
            name: checked_name(name)?.to_owned(),
            ..self.clone()
        })
    }

    /// The raw public key.
    pub fn bytes(&self) -> [u8; 32] {
        self.key.to_bytes()
    }

    /// The first bytes of a hash over name, algorithm and key.
    pub fn id(&self) -> u32 {
        let parts: [&[u8]; 4] = [
            self.name.as_bytes(),
            b"\n",
            &[self.algorithm as u8],
            self.key.as_bytes(),
        ];
        let [a, b, c, d, ..] = Hash::of(&parts).0;
        u32::from_be_bytes([a, b, c, d])
    }

    fn is_of(&self, signature: &Signed) -> bool {
        signature.name == self.name && signature.key == self.id()
    }

    /// Does this signature hold for the text? For a cosignature, when was it given?
    fn check(&self, text: &str, bytes: &[u8]) -> Option<Option<u64>> {
        let (time, signature) = match self.algorithm {
            Algorithm::Ed25519 => (None, bytes),
            Algorithm::Cosignature => {
                let (time, signature) = bytes.split_first_chunk::<8>()?;
                (Some(u64::from_be_bytes(*time)), signature)
            }
        };
        let signature = Signature::from_slice(signature).ok()?;
        let message = time.map_or_else(|| text.to_owned(), |time| cosigned(time, text));
        let holds = self.key.verify_strict(message.as_bytes(), &signature);
        holds.ok().map(|()| time)
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut key = vec![self.algorithm as u8];
        key.extend(self.key.as_bytes());
        let key = BASE64_STANDARD.encode(key);
        write!(f, "{}+{:08x}+{key}", self.name, self.id())
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for VerifyingKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<VerifyingKey, NoteError> {
        let read = || {
            let (name, rest) = text.trim().split_once('+')?;
            let (id, key) = rest.split_once('+')?;
            let key = BASE64_STANDARD.decode(key).ok()?;
            let (&algorithm, key) = key.split_first()?;
            let key = VerifyingKey {
                name: checked_name(name).ok()?.to_owned(),
                algorithm: Algorithm::of(algorithm)?,
                key: ed25519_dalek::VerifyingKey::from_bytes(key.try_into().ok()?).ok()?,
            };
            (id.len() == 8 && u32::from_str_radix(id, 16).ok()? == key.id()).then_some(key)
        };
        read().ok_or_else(|| NoteError::Key(text.to_owned()))
    }
}

/// A key that signs. Its secret is written nowhere but by [`SigningKey::secret`].
pub struct SigningKey {
    name: String,
    algorithm: Algorithm,
    key: ed25519_dalek::SigningKey,
}

impl SigningKey {
    /// How the secret of a key begins, in the form of Go's notes.
    const PRIVATE: &'static str = "PRIVATE+KEY+";

    pub fn random(name: &str, algorithm: Algorithm) -> Result<SigningKey, NoteError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed)
            .map_err(|_| NoteError::Malformed("this machine has no source of randomness"))?;
        SigningKey::from_seed(name, algorithm, seed)
    }

    pub fn from_seed(
        name: &str,
        algorithm: Algorithm,
        seed: [u8; 32],
    ) -> Result<SigningKey, NoteError> {
        Ok(SigningKey {
            name: checked_name(name)?.to_owned(),
            algorithm,
            key: ed25519_dalek::SigningKey::from_bytes(&seed),
        })
    }

    /// The secret as text: `PRIVATE+KEY+<name>+<id>+<base64>`.
    pub fn secret(&self) -> String {
        let mut key = vec![self.algorithm as u8];
        key.extend(self.key.to_bytes());
        let id = self.verifying().id();
        let key = BASE64_STANDARD.encode(key);
        format!("{}{}+{id:08x}+{key}", Self::PRIVATE, self.name)
    }

    /// Reads what [`SigningKey::secret`] wrote. The error does not repeat it.
    pub fn from_secret(text: &str) -> Result<SigningKey, NoteError> {
        let read = || {
            let (name, rest) = text.trim().strip_prefix(Self::PRIVATE)?.split_once('+')?;
            let (id, key) = rest.split_once('+')?;
            let key = BASE64_STANDARD.decode(key).ok()?;
            let (&algorithm, seed) = key.split_first()?;
            let algorithm = Algorithm::of(algorithm)?;
            let key = SigningKey::from_seed(name, algorithm, seed.try_into().ok()?).ok()?;
            (u32::from_str_radix(id, 16).ok()? == key.verifying().id()).then_some(key)
        };
        read().ok_or_else(|| NoteError::Key("(a secret)".to_owned()))
    }

    /// The same key under another name: it signs something else.
    pub fn named(&self, name: &str) -> Result<SigningKey, NoteError> {
        SigningKey::from_seed(name, self.algorithm, self.key.to_bytes())
    }

    pub fn verifying(&self) -> VerifyingKey {
        VerifyingKey {
            name: self.name.clone(),
            algorithm: self.algorithm,
            key: self.key.verifying_key(),
        }
    }

    /// Signs a text; a cosignature says that the text was seen at `time`, in seconds since 1970.
    fn sign(&self, text: &str, time: u64) -> Signed {
        let bytes = match self.algorithm {
            Algorithm::Ed25519 => self.key.sign(text.as_bytes()).to_bytes().to_vec(),
            Algorithm::Cosignature => {
                let signature = self.key.sign(cosigned(time, text).as_bytes());
                [&time.to_be_bytes()[..], &signature.to_bytes()].concat()
            }
        };
        Signed {
            name: self.name.clone(),
            key: self.verifying().id(),
            bytes,
        }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the secret of {}", self.verifying())
    }
}

/// A line below a note.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Signed {
    name: String,
    key: u32,
    bytes: Vec<u8>,
}

/// A text and its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Signed>,
}

/// A signature that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    pub key: VerifyingKey,
    /// When a witness says that it saw the text, in seconds since 1970.
    pub time: Option<u64>,
}

impl Note {
    /// A text that nobody has signed yet. It ends in a newline.
    pub fn new(text: String) -> Result<Note, NoteError> {
        if !text.ends_with('\n') {
            return Err(NoteError::Malformed("its text does not end in a newline"));
        }
        if text.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(NoteError::Malformed("it holds a control character"));
        }
        Ok(Note {
            text,
            signatures: Vec::new(),
        })
    }

    /// Reads notes that stand one after the other.
    pub fn read_all(text: &str) -> Result<Vec<Note>, NoteError> {
        let mut notes = Vec::new();
        let (mut note, mut is_below) = (String::new(), false);
        for line in text.split_inclusive('\n') {
            let is_signature = line.starts_with(DASH);
            if is_below && !is_signature {
                notes.push(Note::read(&note)?);
                note.clear();
            }
            is_below = is_signature;
            note.push_str(line);
        }
        if !note.is_empty() {
            notes.push(Note::read(&note)?);
        }
        Ok(notes)
    }

    /// Reads a note. Nothing of it is to be believed before [`Note::verify`] has been asked.
    pub fn read(note: &str) -> Result<Note, NoteError> {
        if note.len() > MAX_BYTES {
            return Err(NoteError::Malformed("it is longer than a megabyte"));
        }
        let end = note.rfind("\n\n");
        let end = end.ok_or(NoteError::Malformed("no blank line before signatures"))?;
        let (text, below) = note.split_at(end + 1);
        let mut read = Note::new(text.to_owned())?;
        let Some(below) = below[1..].strip_suffix('\n') else {
            return Err(NoteError::Malformed("no signature, or half a one"));
        };
        for line in below.split('\n') {
            let malformed = NoteError::Malformed("a line below the text is no signature");
            let signed = line.strip_prefix(DASH).and_then(|line| {
                let (name, signature) = line.split_once(' ')?;
                let bytes = BASE64_STANDARD.decode(signature).ok()?;
                let (key, bytes) = bytes.split_first_chunk::<4>()?;
                Some(Signed {
                    name: checked_name(name).ok()?.to_owned(),
                    key: u32::from_be_bytes(*key),
                    bytes: bytes.to_vec(),
                })
            });
            read.signatures.push(signed.ok_or(malformed)?);
            if read.signatures.len() > MAX_SIGNATURES {
                return Err(NoteError::Malformed("more than 64 signatures"));
            }
        }
        Ok(read)
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a signature, in the place of an earlier one by the same key.
    pub fn sign(&mut self, key: &SigningKey, time: u64) {
        let signed = key.sign(&self.text, time);
        let is_same = |one: &Signed| (&one.name, one.key) == (&signed.name, signed.key);
        self.signatures.retain(|one| !is_same(one));
        self.signatures.push(signed);
    }

    /// Adds the signatures of another copy of the same text; false if it is another text.
    pub fn join(&mut self, other: &Note) -> bool {
        if self.text != other.text {
            return false;
        }
        for signed in &other.signatures {
            if !self.signatures.contains(signed) {
                self.signatures.push(signed.clone());
            }
        }
        true
    }

    /// Who of these has signed. One of them whose signature does not hold makes the whole note false; that
    /// nobody of them signed is an error too. Others' signatures count for nothing.
    pub fn verify(&self, keys: &[VerifyingKey]) -> Result<Vec<Seal>, NoteError> {
        let mut seals: Vec<Seal> = Vec::new();
        for signed in &self.signatures {
            let Some(key) = keys.iter().find(|key| key.is_of(signed)) else {
                continue;
            };
            let time = key.check(&self.text, &signed.bytes);
            let time = time.ok_or_else(|| NoteError::Forged(key.name.clone()))?;
            if seals.iter().all(|seal| seal.key != *key) {
                let key = key.clone();
                seals.push(Seal { key, time });
            }
        }
        if seals.is_empty() {
            let names: Vec<&str> = keys.iter().map(VerifyingKey::name).collect();
            return Err(NoteError::Unsigned(names.join(", ")));
        }
        Ok(seals)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for signed in &self.signatures {
            let bytes = [&signed.key.to_be_bytes()[..], &signed.bytes].concat();
            let bytes = BASE64_STANDARD.encode(bytes);
            writeln!(f, "{DASH}{} {bytes}", signed.name)?;
        }
        Ok(())
    }
}

/// What a witness signs.
fn cosigned(time: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

fn checked_name(name: &str) -> Result<&str, NoteError> {
    let is_good = !name.is_empty()
        && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+');
    is_good
        .then_some(name)
        .ok_or_else(|| NoteError::Name(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    const KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
    const NOTE: &str = "This is an example message.\n\n\
        \u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Z\
        tg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

    fn key(name: &str, seed: u8) -> SigningKey {
        SigningKey::from_seed(name, Algorithm::Ed25519, [seed; 32]).unwrap()
    }

    #[test]
    fn the_example_of_the_specification_holds() {
        let key: VerifyingKey = KEY.parse().unwrap();
        assert_eq!(key.to_string(), KEY);
        let note = Note::read(NOTE).unwrap();
        assert_eq!(note.verify(std::slice::from_ref(&key)).unwrap()[0].key, key);
        assert_eq!(note.to_string(), NOTE);
        let other = Note::read(&NOTE.replace("example message", "Example message")).unwrap();
        let forged = NoteError::Forged("example.com/foo".to_owned());
        assert_eq!(other.verify(&[key]), Err(forged));
    }

    #[test]
    fn signatures_of_strangers_count_for_nothing() {
        let (house, stranger) = (key("house", 1), key("stranger", 2));
        let mut note = Note::new("size 7\n".to_owned()).unwrap();
        note.sign(&stranger, 0);
        let keys = [house.verifying()];
        assert!(matches!(note.verify(&keys), Err(NoteError::Unsigned(_))));
        note.sign(&house, 0);
        note.sign(&house, 0);
        let read = Note::read(&note.to_string()).unwrap();
        assert_eq!(read, note, "signing twice is signing once");
        assert_eq!(read.verify(&keys).unwrap().len(), 1);
        // The same name with another key is another key.
        let impostor = key("house", 3);
        let mut note = Note::new("size 7\n".to_owned()).unwrap();
        note.sign(&impostor, 0);
        assert!(matches!(note.verify(&keys), Err(NoteError::Unsigned(_))));
    }

    #[test]
    fn a_cosignature_says_when() {
        let witness = SigningKey::from_seed("w", Algorithm::Cosignature, [9; 32]).unwrap();
        let mut note = Note::new("origin\n7\n".to_owned()).unwrap();
        note.sign(&witness, 1_679_315_147);
        let keys = [witness.verifying()];
        let seals = note.verify(&keys).unwrap();
        assert_eq!(seals[0].time, Some(1_679_315_147));
        // The time is signed too.
        let mut later = note.clone();
        later.signatures[0].bytes[7] ^= 1;
        assert!(matches!(later.verify(&keys), Err(NoteError::Forged(_))));
        let plain = key("w", 9).verifying();
        assert_ne!(plain.id(), keys[0].id(), "the algorithm is part of the id");
    }

    #[test]
    fn secrets_are_read_back_and_never_shown() {
        let key = SigningKey::random("house/ebh", Algorithm::Ed25519).unwrap();
        let secret = key.secret();
        let again = SigningKey::from_secret(&secret).unwrap();
        assert_eq!(again.verifying(), key.verifying());
        let tail = secret.splitn(5, '+').last().unwrap();
        assert!(!format!("{key:?}").contains(tail));
        let error = SigningKey::from_secret(&secret[..secret.len() - 6]).unwrap_err();
        assert!(!error.to_string().contains(&tail[..10]));
    }

    #[test]
    fn what_is_no_note_is_refused() {
        let bad = [
            "",
            "text",
            "text\n",
            "text\n\n",
            "text\n\nsigned\n",
            "text\n\n\u{2014} name\n",
            "text\n\n\u{2014} name AAAA\n",
            "text\n\n\u{2014} na+me AAAAAAAAAAA=\n",
            "te\txt\n\n\u{2014} name AAAAAAAAAAA=\n",
            "text\n\n\u{2014} name AAAAAAAAAAA=",
        ];
        for note in bad {
            assert!(Note::read(note).is_err(), "{note:?}");
        }
        for name in ["", "a b", "a+b", "a\u{2003}b", "a\nb"] {
            assert!(
                SigningKey::random(name, Algorithm::Ed25519).is_err(),
                "{name:?}"
            );
        }
        let wrong_id = KEY.replace("530d903a", "530d903b");
        assert!(wrong_id.parse::<VerifyingKey>().is_err());
    }
}
