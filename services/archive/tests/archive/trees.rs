//! Attacks on what stands around the rows: the logs of tables, tiles, heads, keys.

use std::fs;
use std::path::{Path, PathBuf};

use catwalk_archive::make_key;
use catwalk_proof::Checkpoint;
use catwalk_proof::note::{Algorithm, Note, SigningKey, VerifyingKey};

use serde_json::{Value, json};

use crate::attacks::{Attacker, Done};

impl Attacker {
    pub(crate) fn edit_log(&mut self) -> Done {
        let mut added = self.added(2);
        let mut stats: Value = serde_json::from_str(added.add["stats"].as_str().unwrap()).unwrap();
        let mut done = Done {
            table: Some(added.table.to_owned()),
            ..Done::default()
        };
        match self.any(5) {
            0 => {
                self.write(&added, None);
                done.what = "a file left out".to_owned();
                done.table = None;
                return done;
            }
            1 => stats["numRecords"] = json!(1),
            2 => {
                let least = stats["minValues"].as_object_mut().unwrap();
                let numbers = least.iter_mut().filter(|(name, said)| {
                    !["lane", "leaf"].contains(&name.as_str()) && said.is_i64()
                });
                let (_, said) = numbers.last().unwrap();
                *said = json!(said.as_i64().unwrap() + 1);
            }
            3 => added.add["partitionValues"]["gaming_day"] = json!("2001-01-01"),
            _ => {
                added.add["tags"]
                    .as_object_mut()
                    .unwrap()
                    .remove("catwalk.sha256");
            }
        }
        added.add["stats"] = json!(stats.to_string());
        self.write(&added, Some(&added.add));
        done.file = Some(added.add["path"].as_str().unwrap().to_owned());
        done
    }

    pub(crate) fn roll_back_table(&mut self) -> Done {
        let table = self.added(1).table;
        let log = self.archive.join(table).join("_delta_log");
        let mut commits: Vec<PathBuf> = fs::read_dir(log)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        commits.retain(|path| path.extension().is_some_and(|end| end == "json"));
        commits.sort();
        let last = commits.pop().unwrap();
        fs::remove_file(last).unwrap();
        let cut = self.archive.join("_cut.json");
        let mut versions: Value = serde_json::from_slice(&fs::read(&cut).unwrap()).unwrap();
        versions["versions"][table] = json!(commits.len() - 1);
        fs::write(cut, versions.to_string()).unwrap();
        // Of which table a whole commit was that is gone, only its neighbours tell.
        Done {
            what: format!("{table} to version {}", commits.len() - 1),
            ..Done::default()
        }
    }

    /// The folder of a tree.
    pub(crate) fn lane(&mut self) -> PathBuf {
        let lane = self.any(3);
        self.archive.join(format!("_proof/{lane:03}"))
    }

    pub(crate) fn in_proof(&self, path: &Path) -> String {
        path.strip_prefix(&self.archive)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    }

    pub(crate) fn cut_tile(&mut self) -> Done {
        let lane = self.lane();
        let mut tiles = Vec::new();
        files(&lane.join("tile"), &mut tiles);
        // Of what no head needs any more, nothing is found.
        let head = fs::read_to_string(lane.join("checkpoint")).unwrap();
        let size = head.lines().nth(1).unwrap().parse().unwrap();
        let needed: Vec<PathBuf> = catwalk_proof::tile::Tile::all(size)
            .map(|tile| lane.join(tile.path()))
            .collect();
        tiles.retain(|tile| needed.contains(tile));
        let tile = tiles[self.any(tiles.len())].clone();
        let mut bytes = fs::read(&tile).unwrap();
        match self.any(3) {
            0 => fs::remove_file(&tile).unwrap(),
            1 => {
                bytes.truncate(self.any(bytes.len()));
                fs::write(&tile, bytes).unwrap();
            }
            _ => {
                let at = self.any(bytes.len());
                bytes[at] ^= 1 << self.any(8);
                fs::write(&tile, bytes).unwrap();
            }
        }
        Done {
            what: self.in_proof(&tile),
            ..Done::default()
        }
    }

    pub(crate) fn replace_head(&mut self) -> Done {
        let path = self.lane().join("checkpoint");
        let text = fs::read_to_string(&path).unwrap();
        match self.any(3) {
            0 => fs::remove_file(&path).unwrap(),
            1 => {
                let size = text.lines().nth(1).unwrap();
                let less = size.parse::<u64>().unwrap() - 1;
                fs::write(&path, text.replace(size, &less.to_string())).unwrap();
            }
            // A head that the house has signed, of another tree.
            _ => {
                let lane: usize = path
                    .parent()
                    .unwrap()
                    .file_name()
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .parse()
                    .unwrap();
                let other = self
                    .archive
                    .join(format!("_proof/{:03}/checkpoint", (lane + 1) % 3));
                fs::copy(other, &path).unwrap();
            }
        }
        Done {
            file: Some(self.in_proof(&path)),
            ..Done::default()
        }
    }

    /// All heads by another key of the same name.
    pub(crate) fn sign_anew(&mut self, house: &VerifyingKey) -> Done {
        let key = make_key(
            &self.archive.join("forged"),
            house.name(),
            Algorithm::Ed25519,
        )
        .unwrap();
        let own = key.verifying();
        let mut note = Note::new(format!("catwalk key v1\n{own}\n")).unwrap();
        note.sign(&key, 0);
        fs::write(self.archive.join("_proof/keys/000"), note.to_string()).unwrap();
        for lane in 0..3 {
            let path = self.archive.join(format!("_proof/{lane:03}/checkpoint"));
            let text = fs::read_to_string(&path).unwrap();
            let head = Checkpoint::read(Note::read(&text).unwrap().text()).unwrap();
            let lane: SigningKey = key.named(&head.origin).unwrap();
            fs::write(&path, head.sign(&lane).unwrap().to_string()).unwrap();
        }
        Done::default()
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}
