//! `catwalk up`: the services that the configuration names, until they are told to stop.

pub(crate) mod access;
mod cases;
mod console;
mod described;
mod desk;
mod gateway;
mod http;
mod left_out;
mod log_watch;
mod looks;
mod metrics;
mod outages;
mod sql;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_archive::{Archive, Archiver, Crew, GamingDayRule, SealSettings, Settings};
use catwalk_log::{Log, Topic};
use catwalk_query::RunningSql;
use catwalk_reports::Appraiser;
use catwalk_rules::Rulebook;
use catwalk_settler::{Runner, RunnerSpec, UniformityStage, is_registered};
use catwalk_web::{Limits, Running, Server, Users};
use catwalk_wire::Formats;

pub(crate) use self::desk::room;
use self::gateway::Gateway;
use self::log_watch::State;
pub(crate) use self::looks::OnLog;
pub(crate) use self::metrics::Metrics;
use crate::Verdict;
use crate::config::{self, ArchiveConfig, Config, ProofConfig, Service, SettlerConfig};
use crate::log::LogChoice;
use crate::proof::key_file;

/// The exit status of a program that Ctrl-C has ended.
const ENDED_AT_ONCE: i32 = 130;
/// How often whoever waits looks whether the services are to stop.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// Run the services: the settler, the archiver, the desk, its page, the door for SQL clients, the gateway for events,
/// the web server with metrics and health.
///
/// Events are read from the log, settled and archived until the program is told to stop (Ctrl-C or
/// SIGTERM); what is underway is finished first. A program that is killed loses nothing either.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    catwalk up --print-config > catwalk.toml     every setting with its default and meaning\n  \
    catwalk up -c catwalk.toml\n  \
    catwalk up -c catwalk.toml --once             what is on the log now, and no more\n  \
    CATWALK_LOG__HOME=kafka catwalk up           a setting from the environment")]
pub(crate) struct Args {
    /// The configuration; without it, all settings have their defaults.
    #[arg(short, long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Settle and archive what is on the log now, and end.
    #[arg(long)]
    once: bool,

    /// Print a configuration file with every setting and its default, and end.
    #[arg(long)]
    print_config: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Verdict> {
    if args.print_config {
        print!("{}", config::DEFAULTS);
        return Ok(Verdict::Fine);
    }
    let config = Config::load(args.config.as_deref())?;
    let works = [Service::Settler, Service::Desk, Service::Archiver];
    anyhow::ensure!(
        !config.services.is_empty(),
        "services = []: nothing would be at work"
    );
    anyhow::ensure!(
        !args.once || config.services.iter().any(|one| works.contains(one)),
        "--once would do nothing: services names neither settler, desk nor archiver"
    );
    let house = House::open(config.log_choice(), config.rulebook()?)?;
    if args.once {
        house.once(&config)?;
        house.tell_once()?;
        return Ok(match house.left_out() {
            0 => Verdict::Fine,
            _ => Verdict::FoundWrong,
        });
    }
    house.stop_when_told()?;
    let services = house.start(&config, None)?;
    eprintln!("catwalk: at work; Ctrl-C stops it");
    if config.services.contains(&Service::Settler) && !is_registered(&*house.log)? {
        eprintln!(
            "catwalk: no floor has registered on this log (event floor_registered): tables, devices and properties \
             that are none of the house's are not told of"
        );
    }
    services.join()?;
    match house.failure() {
        Some(failure) => anyhow::bail!(failure),
        None => Ok(Verdict::Fine),
    }
}

/// What the services of a process share.
pub(crate) struct House {
    pub(crate) log: Arc<dyn Log>,
    pub(crate) metrics: Arc<Metrics>,
    choice: LogChoice,
    rulebook: Arc<Rulebook>,
    /// Says what wagers are worth, at both doors.
    appraiser: Arc<Appraiser>,
    stop: AtomicBool,
    /// Services that have not said yet that they are ready.
    waiting: Mutex<Vec<&'static str>>,
    /// How the log was found, and since when it is as it was.
    log_state: Mutex<(State, Option<Instant>)>,
    /// What ended a service before its time.
    failure: Mutex<Option<String>>,
    /// One act about cases at a time: whether it may be done hangs on those before it.
    case_turn: Mutex<()>,
}

impl House {
    /// Opens the log that is chosen, to judge by this rulebook.
    pub(crate) fn open(choice: LogChoice, rulebook: Rulebook) -> anyhow::Result<Arc<House>> {
        let rulebook = Arc::new(rulebook);
        Ok(Arc::new(House {
            log: choice.open()?,
            choice,
            metrics: Arc::new(Metrics::new()?),
            appraiser: Arc::new(Appraiser::new(rulebook.clone())),
            rulebook,
            stop: AtomicBool::new(false),
            waiting: Mutex::default(),
            log_state: Mutex::new((State::AsItWas, None)),
            failure: Mutex::default(),
            case_turn: Mutex::default(),
        }))
    }

    fn serve_metrics(self: &Arc<House>, config: &Config) -> anyhow::Result<Running> {
        let server = Server::bind(config.http.listen, Limits::default())
            .context("choose another address with http.listen")?;
        eprintln!("catwalk: http://{}/metrics", server.address());
        Ok(server.start(http::routes(self.clone()))?)
    }

    /// Starts the services of the configuration, for these users; those of the configuration if there are none.
    pub(crate) fn start(
        self: &Arc<House>,
        config: &Config,
        users: Option<Users>,
    ) -> anyhow::Result<Services> {
        let (mut threads, mut web, mut doors) = (Vec::new(), Vec::new(), Vec::new());
        threads.push(self.watch_log()?);
        let room = desk::room(config, users.is_some())?;
        let users = match users {
            None if config.has_users() => Some(access::users(config)?),
            users => users,
        };
        // Who is signed in to one is signed in to all.
        let open = |listen, setting| {
            let users = users.as_ref().context("nobody may come in")?;
            access::server(config, users, listen, setting)
        };
        for service in &config.services {
            let house = self.clone();
            let thread = match service {
                Service::Http => {
                    web.push(house.serve_metrics(config)?);
                    continue;
                }
                Service::Sql => {
                    doors.push(self.serve_sql(config, users.as_ref())?);
                    continue;
                }
                Service::Gateway => {
                    let server = open(config.gateway.listen, "gateway.listen")?;
                    eprintln!("catwalk: {}/api/v1/events", server.url());
                    let gateway = Arc::new(Gateway::new());
                    let cases = cases::routes(&house, users.as_ref())?;
                    web.push(server.start(gateway::routes(&house, &gateway).merge(cases))?);
                    self.spawn("gateway", move || {
                        house.patiently("gateway", || gateway.run(&house))
                    })?
                }
                Service::Settler => {
                    let settings = config.settler.clone();
                    let (other, name) = (self.clone(), settings.name.clone());
                    threads.push(self.spawn("uniformity", move || other.compare(&name))?);
                    self.spawn("settler", move || house.settle(&settings))?
                }
                Service::Archiver => {
                    let (settings, proof) = (config.archive.clone(), config.proof.clone());
                    threads.push(self.collect_looks(config)?);
                    self.spawn("archiver", move || house.archive(&settings, &proof))?
                }
                Service::Desk => {
                    web.extend(self.serve_desk_alone(config, users.as_ref(), &room)?);
                    let (name, room) = (config.desk.name.clone(), room.clone());
                    threads.extend(self.tell(config, &room)?);
                    self.spawn("desk", move || house.work_at_desk(&name, &room))?
                }
                Service::Console => {
                    let server = open(config.console.listen, "console.listen")?;
                    eprintln!("catwalk: console at {}/", server.url());
                    let users = users.as_ref().context("nobody may come in")?;
                    web.push(server.start(self.console_routes(config, users, &room)?)?);
                    continue;
                }
            };
            threads.push(thread);
        }
        Ok(Services {
            threads,
            web: (web, doors),
        })
    }

    /// Does what there is to do now: first what is settled, then what only several tables show, what the
    /// desk makes of it, and what is archived.
    pub(crate) fn once(&self, config: &Config) -> anyhow::Result<()> {
        let unread = "there are events that cannot be read yet: nothing was done";
        self.wait_for_decisions(&[Topic::FloorEvents])
            .context(unread)?;
        if config.services.contains(&Service::Settler) {
            self.runner(&config.settler)?.run_until_caught_up()?;
            self.uniformity(&config.settler.name)?
                .run_until_caught_up()?;
        }
        if config.services.contains(&Service::Desk) {
            let room = desk::room(config, false)?;
            self.desk(&config.desk.name, &room)?.run_until_caught_up()?;
        }
        if config.services.contains(&Service::Archiver) {
            self.bring_looks_once(&config.archive)?;
            let unread = "there are findings that cannot be read yet: nothing was archived";
            self.wait_for_decisions(&Topic::ALL).context(unread)?;
            self.archiver(&config.archive, &config.proof)?
                .run_until_caught_up()?;
        }
        Ok(())
    }

    /// Says what there was to do: where there was nothing, the log may be another one than is meant.
    fn tell_once(&self) -> anyhow::Result<()> {
        let mut on_log = 0;
        for index in 0..self.log.partitions(Topic::FloorEvents)? {
            on_log += self.log.end(Topic::FloorEvents.partition(index))?;
        }
        let (events, rounds) = (self.metrics.events(), self.metrics.rounds());
        match on_log {
            0 => eprintln!("catwalk: there is no event on {} yet", self.choice.address),
            _ => eprintln!("catwalk: {events} events were new, {rounds} rounds ended with them"),
        }
        Ok(())
    }

    /// What lies behind a transaction that is still open cannot be read yet, and must not be left out unsaid.
    fn wait_for_decisions(&self, topics: &[Topic]) -> Result<(), catwalk_log::Error> {
        for topic in topics {
            for index in 0..self.log.partitions(*topic)? {
                self.log.decided_end(topic.partition(index))?;
            }
        }
        Ok(())
    }

    /// A service that fails stops the others: whoever supervises the process starts it again.
    fn spawn(
        self: &Arc<House>,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<()> + Send + 'static,
    ) -> anyhow::Result<JoinHandle<()>> {
        lock(&self.waiting).push(name);
        let house = self.clone();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
            if let Err(error) = work() {
                lock(&house.failure).get_or_insert(format!("{name}: {error:#}"));
                house.stop();
            }
        });
        thread.with_context(|| format!("{name} cannot be started"))
    }

    fn settle(&self, settings: &SettlerConfig) -> anyhow::Result<()> {
        self.patiently("settler", || {
            let mut runner = self.runner(settings)?;
            self.ready("settler");
            Ok(runner.run(&self.stop)?)
        })
    }

    /// Holds the tables against each other, or waits until whoever does is gone.
    fn compare(&self, name: &str) -> anyhow::Result<()> {
        self.patiently("uniformity", || {
            let mut stage = self.uniformity(name)?;
            self.ready("uniformity");
            Ok(stage.run(&self.stop)?)
        })
    }

    fn archive(&self, settings: &ArchiveConfig, proof: &ProofConfig) -> anyhow::Result<()> {
        self.patiently("archiver", || {
            let archive = Archive::at(&settings.url)?;
            let how = archiving(settings, proof, &archive)?;
            let (log, formats) = (self.log.clone(), self.formats()?);
            let metrics = self.metrics.clone();
            let opened = move |progress| metrics.follow(progress);
            let mut crew = Crew::join(log, &settings.name, &archive, formats, how, opened)?;
            crew.step()?;
            self.ready("archiver");
            Ok(crew.run(&self.stop)?)
        })
    }

    fn runner(&self, settings: &SettlerConfig) -> anyhow::Result<Runner> {
        let spec = RunnerSpec {
            max_events: settings.max_events,
            replay_offsets: settings.replay_offsets,
            max_tables: settings.max_tables,
            ..RunnerSpec::new(&settings.name)
        };
        let formats = self.formats()?;
        let (rulebook, metrics) = (self.rulebook.clone(), self.metrics.clone());
        Ok(Runner::join(
            self.log.clone(),
            spec,
            rulebook,
            formats,
            metrics,
        )?)
    }

    fn uniformity(&self, name: &str) -> anyhow::Result<UniformityStage> {
        let (rulebook, metrics) = (self.rulebook.clone(), self.metrics.clone());
        let (log, formats) = (self.log.clone(), self.formats()?);
        Ok(UniformityStage::join(
            log, name, rulebook, formats, metrics,
        )?)
    }

    fn archiver(&self, settings: &ArchiveConfig, proof: &ProofConfig) -> anyhow::Result<Archiver> {
        let archive = Archive::at(&settings.url)?;
        let settings = archiving(settings, proof, &archive)?;
        let formats = self.formats()?;
        let archiver = Archiver::open(&*self.log, &archive, formats, settings)?;
        self.metrics.follow(archiver.progress());
        Ok(archiver)
    }

    /// Archives what is on the log now, and nothing else.
    pub(crate) fn archive_once(&self, config: &Config) -> anyhow::Result<()> {
        let mut archiver = self.archiver(&config.archive, &config.proof)?;
        Ok(archiver.run_until_caught_up()?)
    }

    /// How records are written on the log.
    pub(crate) fn formats(&self) -> anyhow::Result<Formats> {
        self.choice.formats()
    }

    fn ready(&self, service: &str) {
        lock(&self.waiting).retain(|waiting| *waiting != service);
    }

    fn not_ready(&self) -> Vec<String> {
        let waiting = lock(&self.waiting).clone().into_iter().map(str::to_owned);
        let trouble = lock(&self.log_state).0.trouble().map(str::to_owned);
        waiting.chain(trouble).collect()
    }

    pub(crate) fn failure(&self) -> Option<String> {
        lock(&self.failure).clone()
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Ctrl-C and SIGTERM stop the services when what is underway is finished.
    pub(crate) fn stop_when_told(self: &Arc<House>) -> anyhow::Result<()> {
        let house = self.clone();
        ctrlc::set_handler(move || {
            if house.is_stopping() {
                eprintln!(
                    "catwalk: ended at once; what was not finished is done by the next start"
                );
                std::process::exit(ENDED_AT_ONCE);
            }
            eprintln!("catwalk: finishing what is underway; once more ends it at once");
            house.stop();
        })?;
        Ok(())
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }
}

/// The services at work.
pub(crate) struct Services {
    threads: Vec<JoinHandle<()>>,
    web: (Vec<Running>, Vec<RunningSql>),
}

impl Services {
    /// Waits until all have ended.
    pub(crate) fn join(self) -> anyhow::Result<()> {
        let mut ended = Ok(());
        for thread in self.threads {
            let panicked = |_| anyhow::anyhow!("a service ended by a panic");
            ended = ended.and(thread.join().map_err(panicked));
        }
        // Last, so that it can be seen how the others end.
        drop(self.web);
        ended
    }
}

/// How the configuration wants it archived.
fn archiving(
    settings: &ArchiveConfig,
    proof: &ProofConfig,
    archive: &Archive,
) -> anyhow::Result<Settings> {
    Ok(Settings {
        flush_bytes: settings.flush_bytes,
        flush_interval: Duration::from_millis(settings.flush_interval_ms),
        gaming_day: GamingDayRule {
            hour: i8::try_from(settings.gaming_day_hour)?,
            time_zone: settings.time_zone.clone(),
        },
        seal: Some(SealSettings {
            key: key_file(given(&proof.key), archive)?,
            name: proof.name.clone(),
            folder: given(&proof.folder).map(Path::to_owned),
            interval: Duration::from_millis(proof.interval_ms),
        }),
        ..Settings::default()
    })
}

/// A path of the configuration; empty is none.
fn given(path: &Path) -> Option<&Path> {
    Some(path).filter(|path| !path.as_os_str().is_empty())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing that is locked here is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
