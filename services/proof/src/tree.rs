//! The Merkle tree of RFC 6962, section 2.1: its hashes, and the proofs over it.
//!
//! A tree is addressed by its perfect subtrees: the node at `level` and `index` covers the leaves from
//! `index << level` to `(index + 1) << level`. Whoever can tell those hashes ([`Nodes`]) can be asked for
//! the root of any size, for the path of any leaf and for the consistency of any two sizes.

use crate::Hash;

/// The hash of a leaf.
pub fn leaf(entry: &[u8]) -> Hash {
    Hash::of(&[&[0], entry])
}

/// The hash of two subtrees.
pub(crate) fn node(left: Hash, right: Hash) -> Hash {
    Hash::of(&[&[1], &left.0, &right.0])
}

/// The root of a tree without leaves.
pub fn empty() -> Hash {
    Hash::of(&[])
}

/// Who knows the perfect subtrees of a tree.
pub trait Nodes {
    type Error;

    /// The hash of the perfect subtree that covers the leaves from `index << level`.
    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

/// The root of the first `size` leaves.
pub fn root<N: Nodes>(nodes: &N, size: u64) -> Result<Hash, N::Error> {
    match size {
        0 => Ok(empty()),
        _ => over(nodes, 0, size),
    }
}

/// The path from a leaf to the root of the first `size` leaves, nearest sibling first. Empty where `index`
/// is no leaf of them.
pub fn inclusion<N: Nodes>(nodes: &N, index: u64, size: u64) -> Result<Vec<Hash>, N::Error> {
    let mut path = Vec::new();
    if index >= size {
        return Ok(path);
    }
    let (mut from, mut to) = (0, size);
    while to - from > 1 {
        let middle = from + split(to - from);
        if index < middle {
            path.push(over(nodes, middle, to)?);
            to = middle;
        } else {
            path.push(over(nodes, from, middle)?);
            from = middle;
        }
    }
    path.reverse();
    Ok(path)
}

/// What shows that the first `old` leaves are the beginning of the first `size`. Empty where nothing needs
/// to be shown.
pub fn consistency<N: Nodes>(nodes: &N, old: u64, size: u64) -> Result<Vec<Hash>, N::Error> {
    let mut path = Vec::new();
    if old == 0 || old >= size {
        return Ok(path);
    }
    let (mut from, mut to) = (0, size);
    // The old tree ends at `to` where it fills the right side of what is left.
    while old != to {
        let middle = from + split(to - from);
        if old <= middle {
            path.push(over(nodes, middle, to)?);
            to = middle;
        } else {
            path.push(over(nodes, from, middle)?);
            from = middle;
        }
    }
    // The verifier knows the old root already where it is a subtree from the first leaf on.
    if from > 0 {
        path.push(over(nodes, from, to)?);
    }
    path.reverse();
    Ok(path)
}

/// Does this path lead from the leaf to the root? RFC 9162, section 2.1.3.2.
pub fn includes(leaf: Hash, index: u64, size: u64, path: &[Hash], root: Hash) -> bool {
    if index >= size {
        return false;
    }
    let (mut at, mut last) = (index, size - 1);
    let mut hash = leaf;
    for &sibling in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            hash = node(sibling, hash);
            let up = at.trailing_zeros();
            (at, last) = (at >> up, last >> up);
        } else {
            hash = node(hash, sibling);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && hash == root
}

/// Is the tree of `old` leaves the beginning of the one of `size`? RFC 9162, section 2.1.4.2.
pub fn extends((old, old_root): (u64, Hash), (size, root): (u64, Hash), path: &[Hash]) -> bool {
    if old > size {
        return false;
    }
    if old == size {
        return path.is_empty() && old_root == root;
    }
    if old == 0 {
        return path.is_empty() && old_root == empty();
    }
    let mut path = path.iter().copied();
    let Some(first) = (if old.is_power_of_two() {
        Some(old_root)
    } else {
        path.next()
    }) else {
        return false;
    };
    let (mut at, mut last) = (old - 1, size - 1);
    let up = at.trailing_ones();
    (at, last) = (at >> up, last >> up);
    let (mut of_old, mut of_new) = (first, first);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            of_old = node(sibling, of_old);
            of_new = node(sibling, of_new);
            let up = at.trailing_zeros();
            (at, last) = (at >> up, last >> up);
        } else {
            of_new = node(of_new, sibling);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    last == 0 && of_old == old_root && of_new == root
}

/// The hash over the leaves `from..to`, whose beginning is that of a subtree.
fn over<N: Nodes>(nodes: &N, from: u64, to: u64) -> Result<Hash, N::Error> {
    let mut hash = None;
    let mut end = to;
    // From the right, the smallest perfect subtree first.
    while end > from {
        let level = end.trailing_zeros().min((end - from).ilog2());
        let part = nodes.node(level, (end >> level) - 1)?;
        hash = Some(hash.map_or(part, |right| node(part, right)));
        end -= 1 << level;
    }
    Ok(hash.unwrap_or_else(empty))
}

/// The largest power of two below `size`, which is two or more.
fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// The definition of RFC 6962, word by word.
    fn by_definition(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => empty(),
            [one] => *one,
            more => {
                let (left, right) = more.split_at(split(more.len() as u64) as usize);
                node(by_definition(left), by_definition(right))
            }
        }
    }

    struct Leaves(Vec<Hash>);

    impl Leaves {
        fn new(count: u64) -> Leaves {
            Leaves((0..count).map(|at| leaf(&at.to_be_bytes())).collect())
        }

        fn root(&self, size: u64) -> Hash {
            by_definition(&self.0[..size as usize])
        }
    }

    impl Nodes for Leaves {
        type Error = Infallible;

        fn node(&self, level: u32, index: u64) -> Result<Hash, Infallible> {
            let (from, to) = (index << level, (index + 1) << level);
            Ok(by_definition(&self.0[from as usize..to as usize]))
        }
    }

    fn hex(text: &str) -> Hash {
        let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
        Hash(std::array::from_fn(byte))
    }

    /// The eight leaves of Certificate Transparency's own reference tests.
    #[test]
    fn the_reference_tree_has_its_roots() {
        let entries: [&[u8]; 8] = [
            b"",
            b"\x00",
            b"\x10",
            b"\x20\x21",
            b"\x30\x31",
            b"\x40\x41\x42\x43",
            b"\x50\x51\x52\x53\x54\x55\x56\x57",
            b"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f",
        ];
        let leaves = Leaves(entries.iter().map(|entry| leaf(entry)).collect());
        let roots = [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
        ];
        for (size, wanted) in (1..).zip(roots) {
            assert_eq!(root(&leaves, size).unwrap(), hex(wanted), "size {size}");
        }
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(root(&leaves, 0).unwrap(), hex(nothing));
    }

    #[test]
    fn every_leaf_of_every_size_is_included_and_no_other() {
        let leaves = Leaves::new(40);
        for size in 1..=40 {
            let root = leaves.root(size);
            assert_eq!(super::root(&leaves, size).unwrap(), root);
            for index in 0..size {
                let path = inclusion(&leaves, index, size).unwrap();
                let leaf = leaves.0[index as usize];
                assert!(includes(leaf, index, size, &path, root));
                let other = leaves.0[(index as usize + 1) % 40];
                assert!(!includes(other, index, size, &path, root));
                for wrong in (0..size + 2).filter(|&wrong| wrong != index) {
                    assert!(
                        !includes(leaf, wrong, size, &path, root),
                        "{wrong} of {size}"
                    );
                }
                let longer = [&path[..], &[root]].concat();
                assert!(!includes(leaf, index, size, &longer, root));
                if let Some((_, shorter)) = path.split_last() {
                    assert!(!includes(leaf, index, size, shorter, root));
                }
            }
        }
    }

    #[test]
    fn every_size_extends_every_smaller_one_and_nothing_else() {
        let leaves = Leaves::new(40);
        for size in 0..=40 {
            for old in 0..=size {
                let path = consistency(&leaves, old, size).unwrap();
                let (before, now) = ((old, leaves.root(old)), (size, leaves.root(size)));
                assert!(extends(before, now, &path), "{old} to {size}");
                if old == 0 {
                    continue;
                }
                let forged = (old, leaf(b"another history"));
                assert!(!extends(forged, now, &path), "{old} to {size}");
                assert!(!extends(before, (size, forged.1), &path), "{old} to {size}");
                let longer = [&path[..], &[now.1]].concat();
                assert!(!extends(before, now, &longer), "{old} to {size}");
                if let Some((_, shorter)) = path.split_last() {
                    assert!(!extends(before, now, shorter), "{old} to {size}");
                }
                if size > old {
                    assert!(!extends(now, before, &path), "{size} to {old}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_changed_hash_proves_nothing(
            size in 2_u64..300,
            at in any::<u64>(),
            bit in 0_usize..256,
            which in any::<usize>(),
        ) {
            let leaves = Leaves::new(size);
            let index = at % size;
            let mut path = inclusion(&leaves, index, size).unwrap();
            let which = which % path.len();
            path[which].0[bit / 8] ^= 1 << (bit % 8);
            let leaf = leaves.0[index as usize];
            prop_assert!(!includes(leaf, index, size, &path, leaves.root(size)));

            let old = 1 + at % (size - 1);
            let mut path = consistency(&leaves, old, size).unwrap();
            if !path.is_empty() {
                let which = which % path.len();
                path[which].0[bit / 8] ^= 1 << (bit % 8);
                let (before, now) = ((old, leaves.root(old)), (size, leaves.root(size)));
                prop_assert!(!extends(before, now, &path));
            }
        }
    }
}
