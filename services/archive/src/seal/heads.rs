//! Trees whose heads are believed, and heads that somebody has seen earlier.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU8;

use catwalk_proof::note::{Note, VerifyingKey};
use catwalk_proof::tile::Tile;
use catwalk_proof::{Folder, Reader};

use super::days::day_heads;
use super::lanes::{Lane, origin};
use super::verdict::{Standing, Wrong};
use super::verify::{Tree, Verifier};

impl Verifier<'_> {
    pub(super) fn open_tree(&self, lane: Lane, keys: &[VerifyingKey]) -> Option<Tree> {
        let index = lane.index;
        let wrong = |what: String| Wrong {
            lane: Some(index),
            file: Some(format!("_proof/{index:03}/checkpoint")),
            ..Wrong::of(what)
        };
        let Some(note) = &lane.head else {
            self.tell(wrong(format!("tree {index} has no signed head")));
            return None;
        };
        let head = match lane.open_head(note, keys) {
            Ok(head) => head,
            Err(error) => {
                self.tell(wrong(format!("the head of tree {index}: {error}")));
                return None;
            }
        };
        let reader = Reader::new(&lane.folder, head.size);
        let mut tiles = 0;
        for tile in Tile::all(head.size) {
            tiles += 1;
            if let Err(error) = reader.check(tile) {
                self.tell(Wrong {
                    file: Some(format!("_proof/{index:03}/{}", tile.path())),
                    ..wrong(format!("a tile of tree {index}: {error}"))
                });
            }
        }
        match reader.root() {
            Ok(root) if root == head.root => {}
            Ok(root) => self.tell(wrong(format!(
                "the tiles of tree {index} make the root {root}, its signed head of {} leaves says {}",
                head.size, head.root
            ))),
            Err(error) => self.tell(wrong(format!("tree {index}: {error}"))),
        }
        let is_first = head.size > 0 && reader.leaf(0).is_ok_and(|leaf| leaf == lane.first);
        if !is_first {
            self.tell(Wrong {
                file: Some(format!("_proof/{index:03}/began")),
                ..wrong(format!(
                    "what says from where on tree {index} is sealed is not its first leaf"
                ))
            });
        }
        self.with(|found| {
            found.checked.trees += 1;
            found.checked.tiles += tiles;
            found.checked.leaves += head.size;
            found.trees.push(Standing {
                lane: index,
                leaves: head.size,
                held: None,
            });
        });
        Some(Tree {
            seen: (0..head.size).map(|_| AtomicU8::new(0)).collect(),
            size: head.size,
            lane,
        })
    }

    /// Heads that somebody has seen earlier must be heads of these trees. Those that the archive keeps itself are no
    /// word from elsewhere.
    pub(super) fn check_heads(
        &self,
        heads: &[Note],
        keys: &[VerifyingKey],
        is_from_elsewhere: bool,
    ) {
        for note in heads {
            let first = note.text().lines().next().unwrap_or_default();
            let whose = if is_from_elsewhere { "given" } else { "kept" };
            let wrong =
                |what: String| self.tell(Wrong::of(format!("the {whose} head of {first}: {what}")));
            self.with(|found| found.checked.heads += u64::from(is_from_elsewhere));
            let is_of = |tree: &&Tree| {
                let names = keys.iter().map(|key| origin(key.name(), tree.lane.index));
                names.into_iter().any(|name| name == first)
            };
            let Some(tree) = self.lanes.iter().find(is_of) else {
                wrong("the archive has no such tree".to_owned());
                continue;
            };
            let head = match tree.lane.open_head(note, keys) {
                Ok(head) => head,
                Err(error) => {
                    wrong(error.to_string());
                    continue;
                }
            };
            if head.size > tree.size {
                wrong(format!(
                    "it has {} leaves, the archive only {}: it was rolled back",
                    head.size, tree.size
                ));
                continue;
            }
            match Reader::new(&tree.lane.folder, tree.size).root_at(head.size) {
                Ok(root) if root == head.root => {
                    if is_from_elsewhere {
                        self.hold(tree.lane.index, head.size);
                    }
                }
                Ok(_) => wrong(format!(
                    "the first {} leaves of the archive are others: history was changed",
                    head.size
                )),
                Err(error) => wrong(error.to_string()),
            }
        }
    }

    /// The heads that the archive has kept of its gaming days are of these trees, and no day ends before the one that
    /// came before it.
    pub(super) fn check_days(&self, root: &Folder, keys: &[VerifyingKey]) {
        let days = day_heads(root).unwrap_or_else(|error| {
            self.tell(Wrong::of(format!("the heads of gaming days: {error}")));
            Vec::new()
        });
        let mut last: BTreeMap<&str, (u64, &str)> = BTreeMap::new();
        for day in &days {
            self.check_heads(&day.heads, keys, false);
            for head in &day.heads {
                let mut lines = head.text().lines();
                let (Some(origin), Some(size)) = (lines.next(), lines.next()) else {
                    continue;
                };
                let size: u64 = size.parse().unwrap_or_default();
                let before = last.insert(origin, (size, &day.day));
                if let Some((_, of)) = before.filter(|(before, _)| *before > size) {
                    let day = &day.day;
                    self.tell(Wrong {
                        file: Some(format!("_proof/days/{day}")),
                        ..Wrong::of(format!(
                            "the head of {origin} that is kept of {day} has fewer leaves than that of {of}"
                        ))
                    });
                }
            }
        }
    }

    /// So many leaves of a tree are those of a head from elsewhere.
    fn hold(&self, lane: u32, leaves: u64) {
        self.with(|found| {
            let known = found.trees.iter_mut().find(|tree| tree.lane == lane);
            if let Some(known) = known {
                known.held = known.held.max(Some(leaves));
            }
        });
    }
}
