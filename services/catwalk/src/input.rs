//! A file or standard input, with progress for whoever watches.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

/// What a command reads.
pub(crate) enum Input {
    Terminal,
    File {
        name: String,
        file: File,
        bar: ProgressBar,
    },
}

/// Opens a file; standard input if there is none or it is `-`. `doing` names the work in the bar.
pub(crate) fn open(path: Option<&Path>, doing: &'static str) -> anyhow::Result<Input> {
    let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
        if io::stdin().is_terminal() {
            eprintln!("catwalk: reading JSON lines from the terminal; end with Ctrl-D");
        }
        return Ok(Input::Terminal);
    };
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    let bytes = file.metadata().with_context(|| name.clone())?.len();
    let style = "{msg} {bar:30} {percent}% of {total_bytes}, {eta} left";
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(bytes)
        .with_style(style)
        .with_message(doing);
    Ok(Input::File { name, file, bar })
}

impl Input {
    /// Does it come as it happens? Then nothing of it may be kept waiting.
    pub(crate) fn is_live(&self) -> bool {
        matches!(self, Input::Terminal)
    }

    /// Hands the bytes to `work`; a fault names the file.
    pub(crate) fn read<T>(
        self,
        work: impl FnOnce(&mut dyn BufRead) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match self {
            Input::Terminal => work(after_mark(&mut io::stdin().lock())?),
            Input::File { name, file, bar } => {
                let mut bytes = BufReader::with_capacity(1 << 16, bar.wrap_read(file));
                let read = after_mark(&mut bytes).map_err(anyhow::Error::from);
                let result = read.and_then(work);
                bar.finish_and_clear();
                result.context(name)
            }
        }
    }
}

/// What other systems write before UTF-8, and means nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn after_mark(bytes: &mut dyn BufRead) -> io::Result<&mut dyn BufRead> {
    if bytes.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        bytes.consume(BYTE_ORDER_MARK.len());
    }
    Ok(bytes)
}

/// One line after the other, with its number; blank ones are passed over. A line that is no text is given as the reason
/// why not: what comes after it is read all the same.
pub(crate) fn lines(
    input: &mut dyn BufRead,
    mut each: impl FnMut(u64, Result<&str, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let text = std::str::from_utf8(&line).map_err(|error| format!("not UTF-8: {error}"));
        each(number, text)?;
    }
    Ok(())
}

/// What is not there was not looked at, and silence about it would be taken for a floor without fault.
pub(crate) const NO_EVENT: &str = "there is no event in it: nothing was looked at";
