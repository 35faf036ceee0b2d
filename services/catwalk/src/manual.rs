//! `catwalk completions` and `catwalk man`: what a shell and `man` know of the commands, made from the commands.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Command;
use clap_complete::Shell;

use crate::Verdict;

/// Print what a shell needs to complete the commands and their options.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk completions bash > ~/.local/share/bash-completion/completions/catwalk\n  \
    catwalk completions zsh > ~/.zfunc/_catwalk\n  \
    catwalk completions fish > ~/.config/fish/completions/catwalk.fish")]
pub(crate) struct CompletionsArgs {
    #[arg(value_enum)]
    shell: Shell,
}

/// Write the manual pages of all commands into a folder.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    catwalk man ~/.local/share/man/man1     then `man catwalk`, `man catwalk-up`")]
pub(crate) struct ManArgs {
    /// Made if it is not there; pages that are there are replaced.
    folder: PathBuf,
}

pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> anyhow::Result<Verdict> {
    // Made as a whole first: the maker cannot say that nobody reads any more.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "catwalk", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Verdict::Fine)
}

pub(crate) fn pages(args: &ManArgs, command: Command) -> anyhow::Result<Verdict> {
    let shown = || args.folder.display().to_string();
    fs::create_dir_all(&args.folder).with_context(shown)?;
    clap_mangen::generate_to(command, &args.folder).with_context(shown)?;
    eprintln!("catwalk: the pages are in {}", args.folder.display());
    Ok(Verdict::Fine)
}
