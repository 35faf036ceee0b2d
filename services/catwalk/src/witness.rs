//! `catwalk witness`: somebody else's machine that remembers every head and cosigns only what extends the last.

use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::{SealError, make_key, read_key, trusted_keys};
use catwalk_proof::log::last_head;
use catwalk_proof::note::Algorithm;
use catwalk_proof::witness::Witness;
use catwalk_proof::{Checkpoint, Folder, Note, Reader, Storage, VerifyingKey};
use jiff::Timestamp;

use crate::Verdict;
use crate::proof::read_public;

/// Remember every signed head of an archive, and cosign only heads that extend the last: run it on a machine that
/// the house does not hold.
///
/// A head that does not extend the last one seen, a tree that has become smaller or has gone, is refused and kept as
/// evidence, with an alarm on standard error and exit status 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk witness /mnt/floor/archive/_proof --house house.vkey --memory witness\n  \
    catwalk witness https://floor.example/proof --house house.vkey --memory witness --once")]
pub(crate) struct Args {
    /// The folder of the trees (`_proof` in the archive), or the address at which a web server shows it.
    from: String,

    /// The public key of the house, or a file with it: `catwalk proof key` prints it.
    #[arg(long, value_name = "KEY|FILE")]
    house: String,

    /// Where what was seen is remembered: the last head of each tree, and all before it.
    #[arg(long, value_name = "DIR", default_value = "catwalk-witness")]
    memory: PathBuf,

    /// The name of the witness, where its key is made.
    #[arg(long, default_value = "witness")]
    name: String,

    /// Look once, and end.
    #[arg(long)]
    once: bool,

    /// Seconds between two looks.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    every: u64,
}

/// No tile and no head is so large.
const MOST_BYTES: u64 = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(30);
const MOST_TREES: u32 = 1_024;
const MOST_KEYS: u32 = 1_000;

/// Where the house shows its trees.
enum Source {
    Folder(Folder),
    Web { agent: ureq::Agent, address: String },
}

impl Source {
    fn new(from: &str) -> Source {
        if !from.starts_with("http://") && !from.starts_with("https://") {
            return Source::Folder(Folder::new(from));
        }
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false);
        Source::Web {
            agent: config.build().into(),
            address: from.trim_end_matches('/').to_owned(),
        }
    }

    fn tree(&self, index: u32) -> Source {
        match self {
            Source::Folder(folder) => {
                Source::Folder(Folder::new(folder.path().join(format!("{index:03}"))))
            }
            Source::Web { agent, address } => Source::Web {
                agent: agent.clone(),
                address: format!("{address}/{index:03}"),
            },
        }
    }
}

impl Storage for Source {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let (agent, address) = match self {
            Source::Folder(folder) => return folder.read(name),
            Source::Web { agent, address } => (agent, address),
        };
        let answer = agent.get(format!("{address}/{name}")).call();
        let mut answer = answer.map_err(io::Error::other)?;
        match answer.status().as_u16() {
            200 => {
                let mut bytes = Vec::new();
                let body = answer.body_mut().as_reader();
                body.take(MOST_BYTES).read_to_end(&mut bytes)?;
                Ok(Some(bytes))
            }
            404 => Ok(None),
            status => Err(io::Error::other(format!("the server answers {status}"))),
        }
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn delete(&self, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let house = read_public(&args.house)?;
    let key_file = args.memory.join("key");
    let own = match read_key(&key_file)? {
        Some(key) => key,
        None => make_key(&key_file, &args.name, Algorithm::Cosignature)?,
    };
    eprintln!("catwalk: this witness is {}", own.verifying());
    let source = Source::new(&args.from);
    let mut alarmed = false;
    loop {
        match look(args, &source, &house, &key_file) {
            Ok(fine) => alarmed |= !fine,
            // A house that cannot be reached has not lied; whoever looks once is told all the same.
            Err(error) if !args.once => eprintln!("catwalk: {error:#}; it is tried again"),
            Err(error) => return Err(error),
        }
        if args.once || alarmed {
            return Ok(match alarmed {
                true => Verdict::FoundWrong,
                false => Verdict::Fine,
            });
        }
        thread::sleep(Duration::from_secs(args.every.max(1)));
    }
}

/// Looks at all trees once. False where one of them is not as it was.
fn look(args: &Args, source: &Source, house: &VerifyingKey, key: &Path) -> anyhow::Result<bool> {
    let mut fine = true;
    let houses = match houses(source, house)? {
        Ok(houses) => houses,
        Err(error) => {
            alarm(&format!("the keys of the house: {error}"));
            return Ok(false);
        }
    };
    for index in 0..MOST_TREES {
        let memory = Folder::new(args.memory.join(format!("{index:03}")));
        let tree = source.tree(index);
        let houses = houses
            .iter()
            .map(|house| house.named(&format!("{}/{index:03}", house.name())));
        let houses = houses.collect::<Result<Vec<_>, _>>()?;
        let seen = memory
            .read("last")
            .context("the memory of the witness")?
            .is_some();
        let Some(note) = last_head(&tree)? else {
            // Where nothing ever was, silence would be taken for a house whose history stands.
            anyhow::ensure!(
                seen || index > 0,
                "there is no tree with a signed head in {}: name the folder of the trees, `_proof` in the archive",
                args.from
            );
            if !seen {
                break;
            }
            alarm(&format!("tree {index} had a head and has none any more"));
            fine = false;
            continue;
        };
        let own = read_key(key)?.context("the key of the witness has gone")?;
        let mut witness = Witness::of_keys(memory, own, houses.clone())?;
        let last = witness.last().clone();
        match cosign(&tree, &mut witness, &note, &houses) {
            Ok(Some(cosigned)) if cosigned.size > last.size => {
                let (size, root) = (cosigned.size, cosigned.root);
                writeln!(
                    io::stdout(),
                    "{}: {size} leaves, {root}, cosigned",
                    cosigned.origin
                )?;
            }
            Ok(_) => {}
            Err(told) => {
                alarm(&format!("tree {index}: {told}"));
                fine = false;
            }
        }
    }
    Ok(fine)
}

/// The keys of the house: the one that was given, and those that it was handed on to since. The inner error is what the
/// house has to answer for.
fn houses(
    source: &Source,
    house: &VerifyingKey,
) -> io::Result<Result<Vec<VerifyingKey>, SealError>> {
    let mut notes = Vec::new();
    for at in 0..MOST_KEYS {
        let Some(bytes) = source.read(&format!("keys/{at:03}"))? else {
            break;
        };
        match Note::read(&String::from_utf8_lossy(&bytes)) {
            Ok(note) => notes.push(note),
            Err(error) => return Ok(Err(error.into())),
        }
    }
    Ok(trusted_keys(&notes, std::slice::from_ref(house)))
}

fn alarm(what: &str) {
    eprintln!("catwalk: ALARM: {what}");
}

/// Cosigns the head of a tree, or says why it must not.
fn cosign(
    tree: &Source,
    witness: &mut Witness<Folder>,
    note: &Note,
    houses: &[VerifyingKey],
) -> Result<Option<Checkpoint>, String> {
    let opened = houses
        .iter()
        .rev()
        .find_map(|house| Checkpoint::open(note, house, &[]).ok());
    let (head, _) = opened.ok_or("its head is not signed by a key of the house")?;
    let last = witness.last().clone();
    if head == last && last.size > 0 {
        return Ok(None);
    }
    // Tiles that do not give a path give no reason to believe the head either: the witness refuses it.
    let path = match head.size >= last.size {
        true => Reader::new(tree, head.size)
            .consistency(last.size)
            .unwrap_or_default(),
        false => Vec::new(),
    };
    let now = Timestamp::now().as_second().unsigned_abs();
    let cosigned = witness.cosign(last.size, &path, note, now);
    cosigned
        .map(|_| Some(head))
        .map_err(|refused| refused.to_string())
}
