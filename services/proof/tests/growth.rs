//! A tree on a disk: it grows, it is interrupted, and it is never two.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::rc::Rc;

use catwalk_proof::log::last_head;
use catwalk_proof::note::{Algorithm, Note};
use catwalk_proof::spicy::LeafProof;
use catwalk_proof::tile::Tile;
use catwalk_proof::witness::{Refused, Witness};
use catwalk_proof::{
    Checkpoint, Commitment, Folder, Hash, Log, LogError, Reader, Salt, SigningKey, Storage, tree,
};
use proptest::prelude::*;

fn key() -> SigningKey {
    SigningKey::from_seed("catwalk.example/ebh", Algorithm::Ed25519, [7; 32]).unwrap()
}

fn leaves(range: std::ops::Range<u64>) -> impl Iterator<Item = Hash> {
    range.map(|at| Commitment::new(Salt([1; 16]), "events", &at.to_be_bytes()).leaf())
}

/// Files in memory, of which those that were not synced are lost in a crash, and which crash at will.
#[derive(Clone, Debug, Default)]
struct Disk {
    files: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    unsynced: Rc<RefCell<BTreeMap<String, Vec<u8>>>>,
    /// Acts until the power fails.
    left: Rc<Cell<Option<u64>>>,
}

impl Disk {
    fn act(&self) -> io::Result<()> {
        match self.left.get() {
            Some(0) => Err(io::Error::other("the power failed")),
            Some(left) => {
                self.left.set(Some(left - 1));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The power comes back: of what was not synced, every second file is there.
    fn restart(&self, odd: bool) {
        let lost = std::mem::take(&mut *self.unsynced.borrow_mut());
        let survives = |at: usize| (at % 2 == 1) == odd;
        let kept = lost.into_iter().enumerate();
        let kept = kept.filter(|(at, _)| survives(*at)).map(|(_, file)| file);
        self.files.borrow_mut().extend(kept);
        self.left.set(None);
    }
}

impl Storage for Disk {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let unsynced = self.unsynced.borrow().get(name).cloned();
        Ok(unsynced.or_else(|| self.files.borrow().get(name).cloned()))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.act()?;
        self.unsynced
            .borrow_mut()
            .insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.act()?;
        let synced = std::mem::take(&mut *self.unsynced.borrow_mut());
        self.files.borrow_mut().extend(synced);
        Ok(())
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.act()?;
        self.files.borrow_mut().remove(name);
        Ok(())
    }
}

fn head_of(disk: &impl Storage) -> Option<Checkpoint> {
    let note = last_head(disk).unwrap()?;
    Some(Checkpoint::open(&note, &key().verifying(), &[]).unwrap().0)
}

/// The tree of the first leaves, made at one go.
fn made_at_once(size: u64) -> Checkpoint {
    let mut log = Log::open(Disk::default(), key()).unwrap();
    log.append(leaves(0..size)).unwrap();
    log.seal().unwrap();
    log.head().clone()
}

#[test]
fn a_tree_is_the_same_however_its_leaves_came_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut size = 0;
    for step in [1, 254, 1, 1, 300, 65_000, 0, 443, 4_000] {
        let storage = Folder::new(folder.path());
        let mut log = Log::open(storage, key()).unwrap();
        assert_eq!(log.size(), size, "where it was left");
        log.append(leaves(size..size + step)).unwrap();
        size += step;
        log.seal().unwrap();
        assert_eq!(*log.head(), made_at_once(size));
    }
    assert_eq!(size, 70_000);
    let storage = Folder::new(folder.path());
    for tile in Tile::all(size) {
        assert!(storage.read(&tile.path()).unwrap().is_some(), "{tile:?}");
    }
    let reader = Reader::new(&storage, size);
    let head = made_at_once(size);
    assert_eq!(reader.root().unwrap(), head.root);
    for index in [0, 1, 255, 256, 65_535, 65_536, 69_887, 69_888, 69_999] {
        let path = reader.inclusion(index).unwrap();
        let leaf = leaves(index..index + 1).next().unwrap();
        assert_eq!(reader.leaf(index).unwrap(), leaf);
        assert!(
            tree::includes(leaf, index, size, &path, head.root),
            "{index}"
        );
    }
    assert!(matches!(
        reader.inclusion(size),
        Err(LogError::Beyond { .. })
    ));
    for old in [0, 1, 2, 255, 256, 257, 65_536, 69_999, 70_000] {
        let path = reader.consistency(old).unwrap();
        let before = made_at_once(old);
        let seen = (old, before.root);
        assert!(tree::extends(seen, (size, head.root), &path), "{old}");
    }
}

#[test]
fn partial_tiles_go_when_their_tile_is_full_and_proofs_still_hold() {
    let disk = Disk::default();
    let mut log = Log::open(disk.clone(), key()).unwrap();
    log.append(leaves(0..300)).unwrap();
    log.seal().unwrap();
    let partial = |disk: &Disk| {
        let files = disk.files.borrow();
        let partial = files.keys().filter(|name| name.contains(".p/"));
        partial.cloned().collect::<Vec<String>>()
    };
    assert_eq!(partial(&disk), ["tile/0/001.p/44", "tile/1/000.p/1"]);
    log.append(leaves(300..600)).unwrap();
    log.seal().unwrap();
    let now = ["tile/0/002.p/88", "tile/1/000.p/1", "tile/1/000.p/2"];
    assert_eq!(partial(&disk), now);
    // The old head is proved from the full tile.
    let reader = Reader::new(&disk, 300);
    assert_eq!(reader.root().unwrap(), made_at_once(300).root);
}

#[test]
fn whatever_the_power_interrupts_the_next_head_extends_the_last() {
    let finished = made_at_once(5_300);
    for stop in 0.. {
        let mut is_over = false;
        for odd in [false, true] {
            let disk = Disk::default();
            let mut log = Log::open(disk.clone(), key()).unwrap();
            log.append(leaves(0..700)).unwrap();
            log.seal().unwrap();
            let seen = head_of(&disk).unwrap();
            disk.left.set(Some(stop));
            let interrupted = log
                .append(leaves(700..3_000))
                .and_then(|()| log.seal())
                .and_then(|_| log.append(leaves(3_000..5_300)))
                .and_then(|()| log.seal());
            drop(log);
            disk.restart(odd);
            let after = head_of(&disk).unwrap();
            let reader = Reader::new(&disk, after.size);
            assert_eq!(reader.root().unwrap(), after.root, "stop {stop}");
            let path = reader.consistency(seen.size).unwrap();
            assert!(tree::extends(
                (seen.size, seen.root),
                (after.size, after.root),
                &path
            ));
            assert_eq!(after, made_at_once(after.size), "stop {stop}");
            let mut log = Log::open(disk.clone(), key()).unwrap();
            log.append(leaves(after.size..5_300)).unwrap();
            log.seal().unwrap();
            assert_eq!(head_of(&disk).as_ref(), Some(&finished), "stop {stop}");
            is_over = interrupted.is_ok();
        }
        if is_over {
            assert!(
                stop > 20,
                "every write, sync and deletion was a place to stop"
            );
            return;
        }
    }
}

#[test]
fn a_changed_tile_or_head_is_named() {
    let disk = Disk::default();
    let mut log = Log::open(disk.clone(), key()).unwrap();
    log.append(leaves(0..300)).unwrap();
    log.seal().unwrap();
    let change = |name: &str, act: &dyn Fn(&mut Vec<u8>)| {
        let before = disk.files.borrow()[name].clone();
        act(disk.files.borrow_mut().get_mut(name).unwrap());
        let opened = Log::open(disk.clone(), key()).map(|_| ());
        disk.files.borrow_mut().insert(name.to_owned(), before);
        opened.unwrap_err()
    };
    let flipped = change("tile/0/001.p/44", &|bytes| bytes[100] ^= 1);
    assert!(matches!(flipped, LogError::Root { size: 300, .. }));
    let cut = change("tile/1/000.p/1", &|bytes| bytes.truncate(31));
    assert_eq!(
        cut.to_string(),
        "tile/1/000.p/1: 31 bytes where a tile of 1 hashes belongs"
    );
    let forged = change("checkpoint", &|bytes| bytes[25] ^= 1);
    assert!(matches!(forged, LogError::Head(_)), "{forged}");
    let other = SigningKey::from_seed("catwalk.example/ebh", Algorithm::Ed25519, [8; 32]).unwrap();
    assert!(Log::open(disk.clone(), other).is_err(), "another key");
    disk.files.borrow_mut().remove("tile/0/001.p/44");
    let missing = Log::open(disk, key()).unwrap_err();
    assert_eq!(missing.to_string(), "tile/0/001.p/44: the tile is missing");
}

#[test]
fn a_new_key_goes_on_where_the_old_one_stopped() {
    let disk = Disk::default();
    let mut log = Log::open(disk.clone(), key()).unwrap();
    log.append(leaves(0..300)).unwrap();
    log.seal().unwrap();
    let new = || SigningKey::from_seed("catwalk.example/ebh", Algorithm::Ed25519, [8; 32]).unwrap();
    let mut log = Log::open_after(disk.clone(), new(), &[key().verifying()]).unwrap();
    log.append(leaves(300..301)).unwrap();
    log.seal().unwrap();
    let mut again = Log::open(disk, new()).unwrap();
    again.seal().unwrap();
    assert_eq!(again.head().root, made_at_once(301).root);
}

#[test]
fn a_leaf_is_proved_by_one_text() {
    let disk = Disk::default();
    let mut log = Log::open(disk.clone(), key()).unwrap();
    log.append(leaves(0..1_000)).unwrap();
    let head = log.seal().unwrap();
    let proof = LeafProof {
        extra: Some(Salt([1; 16]).0.to_vec()),
        index: 517,
        path: Reader::new(&disk, 1_000).inclusion(517).unwrap(),
        head,
    };
    let read = LeafProof::read(&proof.to_string()).unwrap();
    assert_eq!(read, proof);
    let house = key().verifying();
    let leaf = |at| leaves(at..at + 1).next().unwrap();
    let (head, seals) = read.verify(leaf(517), &house, &[]).unwrap();
    assert_eq!((head.size, seals.len()), (1_000, 1));
    assert!(read.verify(leaf(518), &house, &[]).is_err());
    let mut moved = read.clone();
    moved.index = 518;
    assert!(moved.verify(leaf(517), &house, &[]).is_err());
}

proptest! {
    /// Whatever is changed in a proof, it either still says the same or proves nothing.
    #[test]
    fn an_altered_text_proves_nothing(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let disk = Disk::default();
        let mut log = Log::open(disk.clone(), key()).unwrap();
        log.append(leaves(0..20)).unwrap();
        let head = log.seal().unwrap();
        let path = Reader::new(&disk, 20).inclusion(11).unwrap();
        let proof = LeafProof { extra: None, index: 11, path, head };
        let mut text = proof.to_string().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        let leaf = leaves(11..12).next().unwrap();
        let house = key().verifying();
        if let Ok(text) = String::from_utf8(text)
            && let Ok(read) = LeafProof::read(&text)
            && read.verify(leaf, &house, &[]).is_ok()
        {
            prop_assert_eq!(read, proof);
        }
    }
}

struct House {
    disk: Disk,
    log: Log<Disk>,
}

impl House {
    fn new() -> House {
        let disk = Disk::default();
        let log = Log::open(disk.clone(), key()).unwrap();
        House { disk, log }
    }

    /// Grows, and tells what a witness that saw `old` leaves needs.
    fn grow(&mut self, leaves: impl Iterator<Item = Hash>, old: u64) -> (Note, Vec<Hash>) {
        self.log.append(leaves).unwrap();
        let note = self.log.seal().unwrap();
        let reader = Reader::new(&self.disk, self.log.size());
        let path = reader.consistency(old).unwrap_or_default();
        (note, path)
    }
}

#[test]
fn a_witness_cosigns_what_extends_the_last_head_and_alarms_at_the_rest() {
    let witness_key = || SigningKey::from_seed("ieb", Algorithm::Cosignature, [3; 32]).unwrap();
    let memory = Disk::default();
    let open = || Witness::open(memory.clone(), witness_key(), key().verifying()).unwrap();
    let mut witness = open();
    let mut house = House::new();
    let (note, path) = house.grow(leaves(0..10), 0);
    let cosigned = witness.cosign(0, &path, &note, 1_000).unwrap();
    let witnesses = [witness_key().verifying()];
    let (head, seals) = Checkpoint::open(&cosigned, &key().verifying(), &witnesses).unwrap();
    assert_eq!((head.size, seals.len()), (10, 2));
    assert_eq!(seals[1].time, Some(1_000));

    // It remembers over a restart.
    let mut witness = open();
    assert_eq!(witness.last().size, 10);
    let (note, path) = house.grow(leaves(10..25), 10);
    let behind = witness.cosign(0, &[], &note, 1_001).unwrap_err();
    assert!(matches!(behind, Refused::Behind { old: 0, last: 10 }));
    assert!(!behind.is_alarm());
    witness.cosign(10, &path, &note, 1_002).unwrap();
    witness.cosign(25, &[], &note, 1_003).unwrap();

    // Another history of the same house.
    let mut forger = House::new();
    let (note, path) = forger.grow(leaves(1..30), 25);
    let forked = witness.cosign(25, &path, &note, 1_004).unwrap_err();
    assert!(forked.is_alarm(), "{forked}");
    let Refused::Forked { kept, .. } = &forked else {
        panic!("{forked}");
    };
    assert_eq!(memory.files.borrow()[kept], note.to_string().as_bytes());
    let mut smaller = House::new();
    let (note, _) = smaller.grow(leaves(0..20), 0);
    assert!(
        witness
            .cosign(25, &[], &note, 1_005)
            .unwrap_err()
            .is_alarm()
    );
    assert_eq!(
        open().last().size,
        25,
        "nothing of it is remembered as seen"
    );
    // A head of somebody else is nobody's.
    let stranger = SigningKey::from_seed("other", Algorithm::Ed25519, [9; 32]).unwrap();
    let foreign = Checkpoint::empty("other").sign(&stranger).unwrap();
    let unsigned = witness.cosign(25, &[], &foreign, 1_006).unwrap_err();
    assert!(matches!(unsigned, Refused::Unsigned(_)));
}
