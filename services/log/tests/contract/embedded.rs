use catwalk_log::{Durability, EmbeddedLog, Log};
use tempfile::TempDir;

use crate::suite::Home;

struct Folder(TempDir);

impl Home for Folder {
    fn open(&self) -> Box<dyn Log> {
        Box::new(EmbeddedLog::open(self.0.path(), Durability::Os).unwrap())
    }
}

fn home() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

crate::all_promises!(home());
