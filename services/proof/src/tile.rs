//! Tiles (C2SP tlog-tiles): 256 hashes of one level of the tree in a file, and where it lies.

use crate::{Hash, tree};

/// Hashes of a full tile.
pub(crate) const WIDTH: u64 = 256;
/// Levels of the tree in a tile.
pub(crate) const HEIGHT: u32 = 8;
/// Where the signed head lies.
pub(crate) const CHECKPOINT: &str = "checkpoint";

/// A tile by its place. `level` counts tiles, not levels of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    pub level: u32,
    pub index: u64,
    /// Its hashes: fewer than [`WIDTH`] at the right edge of a tree.
    pub width: u64,
}

impl Tile {
    /// The tile of a tree of `size` leaves that holds hash `at` of a level of tiles; `None` where the tree
    /// does not reach so far.
    pub fn holding(level: u32, at: u64, size: u64) -> Option<Tile> {
        let there = hashes(level, size);
        let index = at / WIDTH;
        (at < there).then(|| Tile {
            level,
            index,
            width: (there - index * WIDTH).min(WIDTH),
        })
    }

    /// Every tile of a tree, from the leaves up.
    pub fn all(size: u64) -> impl Iterator<Item = Tile> {
        let levels = (0..).take_while(move |&level| hashes(level, size) > 0);
        levels.flat_map(move |level| {
            let count = hashes(level, size).div_ceil(WIDTH);
            (0..count).filter_map(move |index| Tile::holding(level, index * WIDTH, size))
        })
    }

    /// `tile/<level>/<index>[.p/<width>]`
    pub fn path(self) -> String {
        format!("tile/{}/{}", self.level, self.numbered())
    }

    fn numbered(self) -> String {
        let mut number = format!("{:03}", self.index % 1_000);
        let mut rest = self.index / 1_000;
        while rest > 0 {
            number = format!("x{:03}/{number}", rest % 1_000);
            rest /= 1_000;
        }
        match self.width {
            WIDTH => number,
            width => format!("{number}.p/{width}"),
        }
    }
}

/// Hashes of a level of tiles in a tree of `size` leaves.
pub fn hashes(level: u32, size: u64) -> u64 {
    size.checked_shr(HEIGHT * level).unwrap_or_default()
}

/// The hashes of a tile as they lie in its file, one after the other; `None` where bytes are left over.
pub fn read(bytes: &[u8]) -> Option<Vec<Hash>> {
    let (hashes, rest) = bytes.as_chunks::<{ Hash::BYTES }>();
    rest.is_empty()
        .then(|| hashes.iter().map(|&hash| Hash(hash)).collect())
}

/// The file of a tile.
pub fn written(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| hash.0).collect()
}

/// The hash over a power of two of neighbours.
pub(crate) fn fold(hashes: &[Hash]) -> Hash {
    let mut row = hashes.to_vec();
    while row.len() > 1 {
        row = row
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&[left, right]| tree::node(left, right))
            .collect();
    }
    row.first().copied().unwrap_or_else(tree::empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_lie_where_the_specification_says() {
        let tile = |level, index, width| Tile {
            level,
            index,
            width,
        };
        assert_eq!(tile(0, 1_234_067, 256).path(), "tile/0/x001/x234/067");
        assert_eq!(tile(0, 0, 256).path(), "tile/0/000");
        assert_eq!(tile(2, 17, 5).path(), "tile/2/017.p/5");
        assert_eq!(tile(0, 1_000, 1).path(), "tile/0/x001/000.p/1");
        // The example of a tree of 70,000 leaves.
        let tiles: Vec<Tile> = Tile::all(70_000).collect();
        assert_eq!(tiles.len(), 273 + 1 + 1 + 1 + 1);
        assert_eq!(tiles[273], tile(0, 273, 112));
        assert_eq!(
            tiles[274..],
            [tile(1, 0, 256), tile(1, 1, 17), tile(2, 0, 1)]
        );
        let tiles: Vec<Tile> = Tile::all(256).collect();
        assert_eq!(tiles, [tile(0, 0, 256), tile(1, 0, 1)]);
        assert_eq!(Tile::all(0).count(), 0);
    }
}
