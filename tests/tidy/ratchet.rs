//! Numbers that may only fall.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

/// The tests run beside each other, and renew one file.
static FILE: Mutex<()> = Mutex::new(());

/// There are exactly as many as the file says.
pub(crate) fn hold(name: &str, found: &[String]) {
    let _one_at_a_time = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ratchets.txt");
    let text = fs::read_to_string(&path).unwrap();
    let line = text
        .lines()
        .find(|line| line.ends_with(&format!(" {name}")));
    let line = line.unwrap_or_else(|| panic!("ratchets.txt has no line `N {name}`"));
    let kept: usize = line[..line.len() - name.len()].trim().parse().unwrap();
    match found.len() {
        now if now > kept => {
            let mut places = String::new();
            for place in found {
                write!(places, "\n  {place}").unwrap();
            }
            panic!("{name}: {now}, and there were {kept}. These are all:{places}");
        }
        now if now < kept && env::var_os("CATWALK_RENEW").is_some() => {
            fs::write(&path, text.replace(line, &format!("{now} {name}"))).unwrap();
        }
        now if now < kept => panic!(
            "{name}: {now}, and there were {kept}. Lower the number to {now} in tests/tidy/ratchets.txt \
             (CATWALK_RENEW=1 does it)"
        ),
        _ => {}
    }
}
