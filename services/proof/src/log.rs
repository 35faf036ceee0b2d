//! A tree on a disk that only grows.
//!
//! Tiles are written first, the signed head last, so that a head never speaks of a tile that is not there. A
//! crash in between leaves tiles beyond the head: they are written again, and the tree of any size is the
//! same however its leaves came in.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use crate::checkpoint::Checkpoint;
use crate::note::{Note, NoteError, SigningKey, VerifyingKey};
use crate::tile::{self, CHECKPOINT, Tile, WIDTH};
use crate::tree::{self, Nodes};
use crate::{Hash, Storage};

/// Tiles that a reader keeps in memory: 32 MiB.
const CACHED_TILES: usize = 4_096;

#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("{name}: {error}")]
    Io { name: String, error: io::Error },
    #[error("{name}: the tile is missing")]
    Missing { name: String },
    #[error("{name}: {bytes} bytes where a tile of {width} hashes belongs")]
    Width {
        name: String,
        bytes: usize,
        width: u64,
    },
    #[error("the head: {0}")]
    Head(#[from] NoteError),
    #[error("the tiles make the root {tiles}, the signed head of {size} leaves says {head}")]
    Root { size: u64, tiles: Hash, head: Hash },
    #[error("{name}: its hashes are not those that the tile above it has")]
    Tile { name: String },
    #[error("leaf {index} is beyond the {size} leaves of the tree")]
    Beyond { index: u64, size: u64 },
}

fn io_at(name: &str) -> impl FnOnce(io::Error) -> LogError {
    let name = name.to_owned();
    |error| LogError::Io { name, error }
}

/// The last signed head, if the tree has one.
pub fn last_head<S: Storage>(storage: &S) -> Result<Option<Note>, LogError> {
    let bytes = storage.read(CHECKPOINT).map_err(io_at(CHECKPOINT))?;
    let Some(bytes) = bytes else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| NoteError::Malformed("it is not UTF-8"))?;
    Ok(Some(Note::read(&text)?))
}

/// A tree that grows.
#[derive(Debug)]
pub struct Log<S: Storage> {
    storage: S,
    key: SigningKey,
    /// What was signed last.
    head: Checkpoint,
    size: u64,
    /// By level of tiles, the hashes of the tile that is not full yet.
    edge: Vec<Vec<Hash>>,
    /// Partial tiles that heads needed, to be deleted when their tile is full.
    partial: Vec<Tile>,
}

impl<S: Storage> Log<S> {
    /// Opens the tree that lies there, or begins one. Its head must be of this key, and its tiles must make
    /// the root that the head says.
    pub fn open(storage: S, key: SigningKey) -> Result<Log<S>, LogError> {
        Log::open_after(storage, key, &[])
    }

    /// The same where the last head may still be of an earlier key: it is signed anew.
    pub fn open_after(
        storage: S,
        key: SigningKey,
        earlier: &[VerifyingKey],
    ) -> Result<Log<S>, LogError> {
        let own = key.verifying();
        let mut log = Log {
            head: Checkpoint::empty(own.name()),
            size: 0,
            edge: Vec::new(),
            partial: Vec::new(),
            storage,
            key,
        };
        let Some(note) = last_head(&log.storage)? else {
            return Ok(log);
        };
        let keys = std::iter::once(&own).chain(earlier);
        let opened = keys.map(|key| Checkpoint::open(&note, key, &[]));
        let mut failed = NoteError::Unsigned(own.name().to_owned());
        for head in opened {
            match head {
                Ok((head, _)) => {
                    log.head = head;
                    log.resume()?;
                    return Ok(log);
                }
                Err(forged @ NoteError::Forged(_)) => failed = forged,
                Err(_) => {}
            }
        }
        Err(failed.into())
    }

    fn resume(&mut self) -> Result<(), LogError> {
        let size = self.head.size;
        for level in (0..).take_while(|&level| tile::hashes(level, size) > 0) {
            let there = tile::hashes(level, size);
            let edge = match Tile::holding(level, there - 1, size) {
                Some(tile) if tile.width < WIDTH => {
                    self.partial.push(tile);
                    read_tile(&self.storage, tile)?
                }
                _ => Vec::new(),
            };
            self.edge.push(edge);
        }
        self.size = size;
        let tiles = self.root();
        match tiles == self.head.root {
            true => Ok(()),
            false => Err(LogError::Root {
                size,
                tiles,
                head: self.head.root,
            }),
        }
    }

    /// Leaves in the tree, those that no head speaks of yet included.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What was signed last.
    pub fn head(&self) -> &Checkpoint {
        &self.head
    }

    pub fn storage(&self) -> &S {
        &self.storage
    }

    pub fn key(&self) -> VerifyingKey {
        self.key.verifying()
    }

    /// Adds leaves at the end.
    pub fn append(&mut self, leaves: impl IntoIterator<Item = Hash>) -> Result<(), LogError> {
        for leaf in leaves {
            self.push(0, leaf)?;
            self.size += 1;
        }
        Ok(())
    }

    fn push(&mut self, level: usize, hash: Hash) -> Result<(), LogError> {
        if self.edge.len() == level {
            self.edge.push(Vec::with_capacity(WIDTH as usize));
        }
        self.edge[level].push(hash);
        if self.edge[level].len() < WIDTH as usize {
            return Ok(());
        }
        let full = std::mem::take(&mut self.edge[level]);
        // The leaf that fills it is not counted yet.
        let before = tile::hashes(level as u32, self.size + 1).saturating_sub(1);
        let tile = Tile {
            level: level as u32,
            index: before / WIDTH,
            width: WIDTH,
        };
        self.write(&tile.path(), &tile::written(&full))?;
        self.push(level + 1, tile::fold(&full))
    }

    /// Signs the tree as it is and makes that its head.
    pub fn seal(&mut self) -> Result<Note, LogError> {
        let laid = self.lay()?;
        self.storage.sync().map_err(io_at("tile"))?;
        let note = self.publish()?;
        self.storage.sync().map_err(io_at(CHECKPOINT))?;
        self.sweep(laid)?;
        Ok(note)
    }

    /// Writes the tiles that are not full yet.
    fn lay(&self) -> Result<Vec<Tile>, LogError> {
        let size = self.size;
        let mut partial = Vec::new();
        for (level, hashes) in (0..).zip(&self.edge) {
            if !hashes.is_empty() {
                let tile = Tile {
                    level,
                    index: tile::hashes(level, size) / WIDTH,
                    width: hashes.len() as u64,
                };
                self.write(&tile.path(), &tile::written(hashes))?;
                partial.push(tile);
            }
        }
        Ok(partial)
    }

    /// Signs and writes the head of tiles that are on the disk.
    fn publish(&mut self) -> Result<Note, LogError> {
        let head = Checkpoint {
            size: self.size,
            root: self.root(),
            ..self.head.clone()
        };
        let note = head.sign(&self.key)?;
        self.write(CHECKPOINT, note.to_string().as_bytes())?;
        self.head = head;
        Ok(note)
    }

    /// Takes away tiles that are in full ones now.
    fn sweep(&mut self, mut partial: Vec<Tile>) -> Result<(), LogError> {
        let size = self.size;
        for tile in std::mem::take(&mut self.partial) {
            match tile::hashes(tile.level, size) / WIDTH > tile.index {
                // It is in a full tile now.
                true => {
                    let name = tile.path();
                    self.storage.delete(&name).map_err(io_at(&name))?;
                }
                false => partial.push(tile),
            }
        }
        partial.sort_unstable();
        partial.dedup();
        self.partial = partial;
        Ok(())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LogError> {
        self.storage.write(name, bytes).map_err(io_at(name))
    }

    /// It needs no tile but those at the edge: each of their hashes is a perfect subtree.
    fn root(&self) -> Hash {
        let mut root = None;
        for hashes in &self.edge {
            let mut end = hashes.len();
            while end > 0 {
                let width = 1 << end.trailing_zeros();
                let part = tile::fold(&hashes[end - width..end]);
                root = Some(root.map_or(part, |right| tree::node(part, right)));
                end -= width;
            }
        }
        root.unwrap_or_else(tree::empty)
    }
}

/// Seals several trees that lie on one disk, which is waited for twice and not twice a tree.
pub fn seal_all<S: Storage>(logs: &mut [&mut Log<S>]) -> Result<(), LogError> {
    let sync = |logs: &[&mut Log<S>], what| match logs.first() {
        Some(log) => log.storage.sync().map_err(io_at(what)),
        None => Ok(()),
    };
    let laid: Vec<Vec<Tile>> = logs.iter().map(|log| log.lay()).collect::<Result<_, _>>()?;
    sync(logs, "tile")?;
    for log in &mut *logs {
        log.publish()?;
    }
    sync(logs, CHECKPOINT)?;
    for (log, laid) in logs.iter_mut().zip(laid) {
        log.sweep(laid)?;
    }
    Ok(())
}

/// The tree of one size, read from its tiles.
#[derive(Debug)]
pub struct Reader<'a, S: Storage> {
    storage: &'a S,
    size: u64,
    tiles: RefCell<HashMap<Tile, Rc<[Hash]>>>,
}

impl<'a, S: Storage> Reader<'a, S> {
    pub fn new(storage: &'a S, size: u64) -> Reader<'a, S> {
        Reader {
            storage,
            size,
            tiles: RefCell::default(),
        }
    }

    pub fn root(&self) -> Result<Hash, LogError> {
        tree::root(self, self.size)
    }

    /// The root of the first `size` leaves.
    pub fn root_at(&self, size: u64) -> Result<Hash, LogError> {
        match size <= self.size {
            true => tree::root(self, size),
            false => Err(LogError::Beyond {
                index: size,
                size: self.size,
            }),
        }
    }

    /// Reads a tile and holds it against the one above it.
    pub fn check(&self, tile: Tile) -> Result<(), LogError> {
        let hashes = read_tile(self.storage, tile)?;
        if tile.width < WIDTH {
            return Ok(());
        }
        let above = self.node(tile::HEIGHT * (tile.level + 1), tile.index)?;
        match above == tile::fold(&hashes) {
            true => Ok(()),
            false => Err(LogError::Tile { name: tile.path() }),
        }
    }

    pub fn leaf(&self, index: u64) -> Result<Hash, LogError> {
        self.node(0, index)
    }

    /// The path of a leaf.
    pub fn inclusion(&self, index: u64) -> Result<Vec<Hash>, LogError> {
        let size = self.size;
        match index < size {
            true => tree::inclusion(self, index, size),
            false => Err(LogError::Beyond { index, size }),
        }
    }

    /// What shows that the tree of `old` leaves is the beginning of this one.
    pub fn consistency(&self, old: u64) -> Result<Vec<Hash>, LogError> {
        let size = self.size;
        match old <= size {
            true => tree::consistency(self, old, size),
            false => Err(LogError::Beyond { index: old, size }),
        }
    }

    fn tile(&self, tile: Tile) -> Result<Rc<[Hash]>, LogError> {
        if let Some(hashes) = self.tiles.borrow().get(&tile) {
            return Ok(hashes.clone());
        }
        let hashes: Rc<[Hash]> = read_tile(self.storage, tile)?.into();
        let mut tiles = self.tiles.borrow_mut();
        if tiles.len() >= CACHED_TILES {
            tiles.clear();
        }
        tiles.insert(tile, hashes.clone());
        Ok(hashes)
    }
}

impl<S: Storage> Nodes for Reader<'_, S> {
    type Error = LogError;

    fn node(&self, level: u32, index: u64) -> Result<Hash, LogError> {
        let within = level % tile::HEIGHT;
        let (first, count) = (index << within, 1 << within);
        let size = self.size;
        let tile = Tile::holding(level / tile::HEIGHT, first + count - 1, size)
            .ok_or(LogError::Beyond { index, size })?;
        let hashes = self.tile(tile)?;
        let from = (first % WIDTH) as usize;
        Ok(tile::fold(&hashes[from..from + count as usize]))
    }
}

/// A tile from its file. A partial one that was deleted is the beginning of the full one.
fn read_tile<S: Storage>(storage: &S, tile: Tile) -> Result<Vec<Hash>, LogError> {
    let full = Tile {
        width: WIDTH,
        ..tile
    };
    for place in [tile, full] {
        let name = place.path();
        if let Some(bytes) = storage.read(&name).map_err(io_at(&name))? {
            let read = tile::read(&bytes).filter(|hashes| hashes.len() as u64 == place.width);
            let mut hashes = read.ok_or(LogError::Width {
                name,
                bytes: bytes.len(),
                width: place.width,
            })?;
            hashes.truncate(tile.width as usize);
            return Ok(hashes);
        }
    }
    let name = tile.path();
    Err(LogError::Missing { name })
}
