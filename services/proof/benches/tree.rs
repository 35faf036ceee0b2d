//! What a leaf costs: its commitment, its place in the tree, its tile on the disk.

use catwalk_proof::note::Algorithm;
use catwalk_proof::{Commitment, Folder, Log, Salt, SigningKey, tree};
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const LEAVES: usize = 100_000;

#[divan::bench(args = [200, 800])]
fn commit(bencher: divan::Bencher<'_, '_>, bytes: usize) {
    let row = vec![7; bytes];
    bencher
        .counter(ItemsCount::new(1_usize))
        .bench(|| Commitment::new(Salt([3; 16]), "events", divan::black_box(&row)).leaf());
}

#[divan::bench]
fn grow(bencher: divan::Bencher<'_, '_>) {
    let leaves: Vec<_> = (0..LEAVES as u64)
        .map(|at| tree::leaf(&at.to_be_bytes()))
        .collect();
    bencher
        .counter(ItemsCount::new(LEAVES))
        .with_inputs(|| tempfile::tempdir().expect("a folder"))
        .bench_values(|folder| {
            let key = SigningKey::from_seed("bench", Algorithm::Ed25519, [1; 32]).expect("a key");
            let mut log = Log::open(Folder::new(folder.path()), key).expect("a new tree");
            log.append(leaves.iter().copied()).expect("leaves");
            log.seal().expect("a head");
        });
}
