//! The one key of a demo: `q`, for whoever has seen enough.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Hears `q` without Enter, and gives the terminal back as it was.
pub(super) struct Keys {
    pressed: Arc<AtomicBool>,
    before: Termios,
}

impl Keys {
    /// `None` where nobody sits at a keyboard.
    pub(super) fn listen() -> Option<Keys> {
        let stdin = io::stdin();
        if !stdin.is_terminal() || !io::stderr().is_terminal() || !is_in_foreground() {
            return None;
        }
        let before = tcgetattr(&stdin).ok()?;
        let mut single = before.clone();
        single
            .local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Now, &single).ok()?;
        let pressed = Arc::new(AtomicBool::new(false));
        let heard = Arc::clone(&pressed);
        // It ends with the program: nothing else reads the keyboard.
        thread::spawn(move || {
            let is_q = |byte: &Result<u8, _>| matches!(byte, Ok(b'q' | b'Q'));
            let mut bytes = io::stdin().lock().bytes().take_while(Result::is_ok);
            if bytes.any(|byte| is_q(&byte)) {
                heard.store(true, Ordering::Release);
            }
        });
        Some(Keys { pressed, before })
    }

    pub(super) fn pressed(&self) -> bool {
        self.pressed.load(Ordering::Acquire)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

/// A program in the background is stopped as soon as it touches the terminal.
fn is_in_foreground() -> bool {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may hold anything: state, parent, group, session, terminal, group in front.
    let Some((_, fields)) = stat.rsplit_once(')') else {
        return false;
    };
    let fields: Vec<&str> = fields.split_whitespace().collect();
    fields.get(2).is_some_and(|own| fields.get(5) == Some(own))
}
