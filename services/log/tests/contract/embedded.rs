use std::time::Duration;

use catwalk_log::{Durability, EmbeddedLog, Log};
use tempfile::TempDir;

use crate::suite::Home;

struct Folder(TempDir);

impl Home for Folder {
    fn open(&self) -> Box<dyn Log> {
        Box::new(EmbeddedLog::open(self.0.path(), Durability::Os).unwrap())
    }

    fn steps(&self) -> u32 {
        3000
    }
}

fn home() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

crate::all_promises!(home());

#[test]
fn a_killed_process_loses_nothing_and_writes_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    crate::crash::kill_over_and_over(&["folder", folder], 30, Duration::from_millis(60));
}
