//! `catwalk users`: who may do what.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use catwalk_web::{
    Actor, Days, Moment, Role, Roll, Scope, UsersError, UsersFile, generated_password,
};
use comfy_table::Table;
use jiff::civil::Date;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use crate::config::Config;
use crate::{Verdict, bad_usage, output};

/// Say who may do what: add users, list them, revoke them, make tokens.
///
/// The users of an installation are in one file, which [users] of the configuration names. A service that runs sees
/// every change at once: whoever is revoked is out, with all that was open. Each act is put on record beside the file,
/// before it is done.
///
/// Passwords are never on the command line, where others could read them: they are asked for, read from standard input
/// when that is no terminal, or made (--generate).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk users add anna --name \"Anna Lee\" --role surveillance\n  \
    catwalk users add shoe-7 --role device --no-password\n  \
    catwalk users token shoe-7 --days 365 > shoe-7.token\n  \
    catwalk users list\n  \
    catwalk users revoke anna")]
pub(crate) struct Args {
    #[command(subcommand)]
    act: Act,
}

#[derive(clap::Subcommand)]
enum Act {
    Add(Add),
    List(List),
    Change(Change),
    Passwd(Passwd),
    Token(MakeToken),
    Revoke(Revoke),
}

#[derive(clap::Args)]
struct Where {
    /// The configuration that names the users file; without it, all settings have their defaults.
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(clap::Args)]
struct ScopeArgs {
    /// May be repeated, or a list with commas: surveillance, surveillance_supervisor, surveillance_director,
    /// investigator, auditor, operator (runs the installation), device (sends events), regulator.
    #[arg(long = "role", value_name = "ROLE", value_delimiter = ',')]
    roles: Vec<Role>,

    /// May see this property only. May be repeated; all if left out.
    #[arg(long = "property", value_name = "PROPERTY", value_delimiter = ',')]
    properties: Vec<String>,

    /// May see rows of this gaming day and later ones only, as 2026-11-01.
    #[arg(long, value_name = "DAY")]
    from: Option<Date>,

    /// May see rows of this gaming day and earlier ones only.
    #[arg(long, value_name = "DAY")]
    until: Option<Date>,
}

/// Add a user.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk users add anna --name \"Anna Lee\" --role surveillance --property ebh\n  \
    catwalk users add carl --role auditor,operator --generate\n  \
    catwalk users add shoe-7.ebh.example --role device --no-password    a device with a certificate")]
struct Add {
    /// Small letters, digits and . _ - @ : /; never given twice.
    id: String,

    /// What people call the user; the id if left out.
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    scope: ScopeArgs,

    /// Make a password and print it, once.
    #[arg(long, conflicts_with = "no_password")]
    generate: bool,

    /// Nobody signs in as this user: it has tokens or a certificate.
    #[arg(long)]
    no_password: bool,

    #[command(flatten)]
    at: Where,
}

/// List users and tokens.
#[derive(clap::Args)]
struct List {
    /// Those that were revoked or have expired too.
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    at: Where,
}

/// Give a user other roles and properties; whoever is signed in as it has to sign in again.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  catwalk users change anna --role surveillance_supervisor")]
struct Change {
    id: String,

    #[command(flatten)]
    scope: ScopeArgs,

    #[command(flatten)]
    at: Where,
}

/// Give a user another password; whoever is signed in as it has to sign in again.
#[derive(clap::Args)]
struct Passwd {
    id: String,

    /// Make a password and print it, once.
    #[arg(long)]
    generate: bool,

    #[command(flatten)]
    at: Where,
}

/// Make a token that speaks for a user, and print it, once: for programs and devices.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk users token shoe-7 --days 365 > shoe-7.token\n  \
    catwalk users token anna --role auditor --property ebh --days 30")]
struct MakeToken {
    id: String,

    /// Fewer roles and properties than the user has; those of the user if left out.
    #[command(flatten)]
    scope: ScopeArgs,

    /// The token is good for so long.
    #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3660))]
    days: u32,

    #[command(flatten)]
    at: Where,
}

/// Revoke a user with all that it has open, or one token by its name.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  catwalk users revoke anna\n  catwalk users revoke t-0a1b2c3d4e"
)]
struct Revoke {
    /// A user, or a token as `catwalk users list` names it.
    id: String,

    #[command(flatten)]
    at: Where,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let done = match &args.act {
        Act::Add(args) => args.run(),
        Act::List(args) => args.run(),
        Act::Change(args) => args.run(),
        Act::Passwd(args) => args.run(),
        Act::Token(args) => args.run(),
        Act::Revoke(args) => args.run(),
    };
    done.map(|()| Verdict::Fine)
}

impl Where {
    fn file(&self) -> anyhow::Result<UsersFile> {
        Ok(UsersFile::at(
            Config::load(self.config.as_deref())?.users.file,
        ))
    }
}

impl ScopeArgs {
    fn scope(&self) -> Scope {
        let properties: BTreeSet<String> = self.properties.iter().cloned().collect();
        Scope {
            roles: self.roles.iter().copied().collect(),
            properties: Some(properties).filter(|properties| !properties.is_empty()),
            days: Days {
                from: self.from,
                until: self.until,
            },
        }
    }

    fn needed(&self) -> Scope {
        if self.roles.is_empty() {
            bad_usage("say what the user may do: --role, such as --role surveillance");
        }
        self.scope()
    }
}

impl Add {
    fn run(&self) -> anyhow::Result<()> {
        let (file, scope) = (self.at.file()?, self.scope.needed());
        if file.read()?.users.contains_key(&self.id) {
            anyhow::bail!(
                "there is or was a user {:?}: an id is not given twice",
                self.id
            );
        }
        let password = match self.no_password {
            true => None,
            false => Some(password(self.generate)?),
        };
        let name = self.name.as_deref().unwrap_or(&self.id);
        file.add(&actor()?, &self.id, name, &scope, password.as_deref())?;
        eprintln!(
            "catwalk: {} is a user of {}",
            self.id,
            file.path().display()
        );
        print_generated(self.generate, password)
    }
}

impl Change {
    fn run(&self) -> anyhow::Result<()> {
        let file = self.at.file()?;
        file.change(&actor()?, &self.id, &self.scope.needed())?;
        eprintln!(
            "catwalk: {} may do something else now, and has to sign in again",
            self.id
        );
        Ok(())
    }
}

impl Passwd {
    fn run(&self) -> anyhow::Result<()> {
        let file = self.at.file()?;
        anyhow::ensure!(
            file.read()?.users.contains_key(&self.id),
            "there is no user {:?}",
            self.id
        );
        let password = password(self.generate)?;
        file.set_password(&actor()?, &self.id, &password)?;
        eprintln!(
            "catwalk: {} has another password, and has to sign in again",
            self.id
        );
        print_generated(self.generate, Some(password))
    }
}

impl MakeToken {
    fn run(&self) -> anyhow::Result<()> {
        let file = self.at.file()?;
        let mut scope = self.scope.scope();
        if let Some(user) = file.read()?.users.get(&self.id) {
            if scope.roles.is_empty() {
                scope.roles.clone_from(&user.roles);
            }
            if scope.properties.is_none() {
                scope.properties.clone_from(&user.properties);
            }
            if scope.days.is_all() {
                scope.days = user.days;
            }
        }
        let lifetime = Duration::from_secs(u64::from(self.days) * 24 * 3600);
        let made = file.make_token(&actor()?, &self.id, &scope, lifetime)?;
        let (name, id) = (&made.name, &self.id);
        eprintln!(
            "catwalk: token {name} speaks for {id} until {}; it is shown this once",
            made.expires
        );
        writeln!(io::stdout(), "{}", made.key)?;
        Ok(())
    }
}

impl Revoke {
    fn run(&self) -> anyhow::Result<()> {
        let (file, actor) = (self.at.file()?, actor()?);
        let revoked = match file.read()?.tokens.contains_key(&self.id) {
            true => file.revoke_token(&actor, &self.id),
            false => file.revoke(&actor, &self.id),
        };
        match revoked {
            Err(UsersError::Refused(why)) => {
                anyhow::bail!("{why}; `catwalk users list --all` shows all")
            }
            revoked => revoked?,
        }
        eprintln!(
            "catwalk: {} is revoked, and what it had open has ended",
            self.id
        );
        Ok(())
    }
}

impl List {
    fn run(&self) -> anyhow::Result<()> {
        let file = self.at.file()?;
        let roll = file.read()?;
        let mut out = io::stdout().lock();
        match roll.users.is_empty() {
            true if !file.path().try_exists()? => {
                writeln!(
                    out,
                    "{} is not there: nobody is a user",
                    file.path().display()
                )?;
                return Ok(());
            }
            true => writeln!(out, "{}: nobody is a user yet", file.path().display())?,
            false => writeln!(out, "{}", self.users(&roll))?,
        }
        if !roll.tokens.is_empty() {
            writeln!(out, "{}", self.tokens(&roll))?;
        }
        writeln!(
            out,
            "times are UTC; every act is on record in {}",
            file.record().display()
        )?;
        Ok(())
    }

    fn users(&self, roll: &Roll) -> Table {
        let mut table = output::table(&["user", "name", "roles", "of", "signs in by", "since"]);
        for (id, user) in &roll.users {
            let by = match (user.revoked, user.signs_in()) {
                (Some(when), _) if self.all => format!("revoked {}", minute(when)),
                (Some(_), _) => continue,
                (None, true) => "password".to_owned(),
                (None, false) => match user.provider() {
                    Some((issuer, confirmed)) => format!("{issuer}, last {}", minute(confirmed)),
                    None => "token, certificate".to_owned(),
                },
            };
            let (roles, of) = (words(&user.roles), of(user.properties.as_ref(), user.days));
            table.add_row([id, &user.name, &roles, &of, &by, &minute(user.made)]);
        }
        table
    }

    fn tokens(&self, roll: &Roll) -> Table {
        let mut table = output::table(&["token", "user", "roles", "of", "until"]);
        for (name, token) in &roll.tokens {
            let until = match token.revoked {
                Some(when) => format!("revoked {}", minute(when)),
                None if token.expires.has_passed() => format!("expired {}", minute(token.expires)),
                None => minute(token.expires),
            };
            if self.all || (token.revoked.is_none() && !token.expires.has_passed()) {
                let (roles, of) = (
                    words(&token.roles),
                    of(token.properties.as_ref(), token.days),
                );
                table.add_row([name, &token.user, &roles, &of, &until]);
            }
        }
        table
    }
}

fn words(roles: &BTreeSet<Role>) -> String {
    let words: Vec<&str> = roles.iter().map(|role| role.word()).collect();
    words.join(", ")
}

fn of(properties: Option<&BTreeSet<String>>, days: Days) -> String {
    let of = match properties {
        None => "all".to_owned(),
        Some(own) => own.iter().cloned().collect::<Vec<_>>().join(", "),
    };
    match days.is_all() {
        true => of,
        false => format!("{of}, {days}"),
    }
}

/// As people write it, `2026-11-15 20:01`.
fn minute(moment: Moment) -> String {
    let text = moment.to_string();
    text.get(..16).unwrap_or(&text).replace('T', " ")
}

fn print_generated(generated: bool, password: Option<String>) -> anyhow::Result<()> {
    if let Some(password) = password.filter(|_| generated) {
        writeln!(io::stdout(), "{password}")?;
    }
    Ok(())
}

/// Who sits at the terminal, as far as the system knows: whom a file belongs to that is made now.
fn actor() -> anyhow::Result<Actor> {
    let uid = tempfile::tempfile()
        .and_then(|file| file.metadata())
        .context("a temporary file")?
        .uid();
    let called = std::env::var("SUDO_USER")
        .or_else(|_| std::env::var("USER"))
        .unwrap_or_default();
    Ok(Actor {
        by: match called.is_empty() {
            true => format!("terminal, uid {uid}"),
            false => format!("terminal, uid {uid}, called {called}"),
        },
        station: "terminal".to_owned(),
    })
}

fn password(generate: bool) -> anyhow::Result<String> {
    if generate {
        return Ok(generated_password()?);
    }
    if !io::stdin().is_terminal() {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let password = asked("password: ")?;
    anyhow::ensure!(
        asked("once more: ")? == password,
        "the two passwords differ"
    );
    Ok(password)
}

/// Asks for a line that is not shown while it is typed.
fn asked(prompt: &str) -> anyhow::Result<String> {
    let stdin = io::stdin();
    eprint!("{prompt}");
    let shown = tcgetattr(&stdin)?;
    let mut hidden = shown.clone();
    hidden.local_modes.remove(LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Flush, &hidden)?;
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    tcsetattr(&stdin, OptionalActions::Flush, &shown)?;
    eprintln!();
    anyhow::ensure!(read? > 0, "no password was given");
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
