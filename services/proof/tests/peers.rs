//! What we make is accepted by other people's verifiers, and what they make by ours: Go's checksum database
//! and the modules of transparency.dev, run for real.

#![allow(clippy::unwrap_used, reason = "what fails in a helper fails the test")]

use std::fs;
use std::path::Path;
use std::process::Command;

use catwalk_proof::note::{Algorithm, Note};
use catwalk_proof::witness::Witness;
use catwalk_proof::{
    Checkpoint, Commitment, Folder, Hash, Log, Reader, Salt, SigningKey, VerifyingKey, tree,
};

const SIZE: u64 = 70_001;
const BEFORE: u64 = 999;
const INDEX: u64 = 65_535;

fn peer(act: &str, folder: &Path) -> (bool, String) {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/peers/proof");
    let ran = Command::new("go")
        .args(["run", ".", act])
        .arg(folder)
        .current_dir(program)
        .output()
        .expect("Go runs the peers: apt install golang-go");
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    (ran.status.success(), said.into_owned())
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(folder.join(name), text).unwrap();
}

fn lines(hashes: &[Hash]) -> String {
    hashes.iter().map(|hash| format!("{hash}\n")).collect()
}

fn commitment(at: u64) -> Commitment {
    Commitment::new(Salt([5; 16]), "events", &at.to_be_bytes())
}

#[test]
fn other_peoples_verifiers_accept_ours_and_no_change_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let key = SigningKey::random("catwalk.example/ebh", Algorithm::Ed25519).unwrap();
    let witness = SigningKey::random("ieb.example/w1", Algorithm::Cosignature).unwrap();
    write(folder, "house.vkey", key.verifying().to_string());
    write(folder, "witness.vkey", witness.verifying().to_string());
    let memory = Folder::new(folder.join("witness"));
    let mut witness = Witness::open(memory, witness, key.verifying()).unwrap();

    let mut log = Log::open(Folder::new(folder), key).unwrap();
    log.append((0..BEFORE).map(|at| commitment(at).leaf()))
        .unwrap();
    let old = log.seal().unwrap();
    witness.cosign(0, &[], &old, 1_700_000_000).unwrap();
    log.append((BEFORE..SIZE).map(|at| commitment(at).leaf()))
        .unwrap();
    let head = log.seal().unwrap();
    let reader = Reader::new(log.storage(), SIZE);
    let consistency = reader.consistency(BEFORE).unwrap();
    let cosigned = witness
        .cosign(BEFORE, &consistency, &head, 1_700_000_060)
        .unwrap();

    write(folder, "old", old.to_string());
    write(folder, "checkpoint", cosigned.to_string());
    write(folder, "entry", commitment(INDEX).0.0);
    write(folder, "index", INDEX.to_string());
    write(
        folder,
        "inclusion",
        lines(&reader.inclusion(INDEX).unwrap()),
    );
    write(folder, "consistency", lines(&consistency));
    let (accepted, said) = peer("check", folder);
    assert!(accepted && said.contains("all accepted"), "{said}");

    write(folder, "entry", commitment(INDEX + 1).0.0);
    let (accepted, said) = peer("check", folder);
    assert!(!accepted, "another leaf: {said}");
}

#[test]
fn ours_accepts_what_other_people_made_and_no_change_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (made, said) = peer("make", folder);
    assert!(made, "{said}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let key: VerifyingKey = read("house.vkey").parse().unwrap();
    let open = |name: &str| {
        let note = Note::read(&read(name)).unwrap();
        Checkpoint::open(&note, &key, &[]).unwrap().0
    };
    let (head, old) = (open("checkpoint"), open("old"));
    let hashes = |name: &str| -> Vec<Hash> {
        read(name)
            .lines()
            .map(|line| line.parse().unwrap())
            .collect()
    };
    let index = read("index").parse().unwrap();
    let path = hashes("inclusion");
    let leaf = tree::leaf(read("entry").as_bytes());
    assert!(tree::includes(leaf, index, head.size, &path, head.root));
    assert!(!tree::includes(
        tree::leaf(b"entry 1"),
        index,
        head.size,
        &path,
        head.root
    ));
    let path = hashes("consistency");
    let (seen, now) = ((old.size, old.root), (head.size, head.root));
    assert!(tree::extends(seen, now, &path));
    assert!(!tree::extends((old.size, head.root), now, &path));
}
