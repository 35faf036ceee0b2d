//! `catwalk up`: the services that the configuration names, until they are told to stop.

mod http;
mod metrics;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::{Archive, Archiver, GamingDayRule, Settings};
use catwalk_log::Log;
use catwalk_rules::Rulebook;
use catwalk_settler::{Runner, RunnerSpec, UniformityStage};
use catwalk_web::{Limits, Running, Server};
use catwalk_wire::Formats;

pub(crate) use self::metrics::Metrics;
use crate::Verdict;
use crate::config::{self, ArchiveConfig, Config, Service, SettlerConfig};
use crate::log::LogChoice;

/// How often it is looked whether the services are to stop, where none has a thread.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// Run the services: the settler, the archiver, the web server with metrics and health.
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
    let house = House::open(config.log_choice())?;
    if args.once {
        house.once(&config)?;
        return Ok(Verdict::Fine);
    }
    house.stop_when_told()?;
    let services = house.start(&config)?;
    eprintln!("catwalk: at work; Ctrl-C stops it");
    services.join(&house)?;
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
    stop: AtomicBool,
    /// Services that have not said yet that they are ready.
    waiting: Mutex<Vec<&'static str>>,
    /// What ended a service before its time.
    failure: Mutex<Option<String>>,
}

impl House {
    /// Opens the log that is chosen.
    pub(crate) fn open(choice: LogChoice) -> anyhow::Result<Arc<House>> {
        Ok(Arc::new(House {
            log: choice.open()?,
            choice,
            metrics: Arc::new(Metrics::new()?),
            rulebook: Arc::new(Rulebook::load()?),
            stop: AtomicBool::new(false),
            waiting: Mutex::default(),
            failure: Mutex::default(),
        }))
    }

    /// Starts the services of the configuration.
    pub(crate) fn start(self: &Arc<House>, config: &Config) -> anyhow::Result<Services> {
        let (mut threads, mut web) = (Vec::new(), None);
        for service in &config.services {
            let house = self.clone();
            let thread = match service {
                Service::Http => {
                    let server = Server::bind(config.http.listen, Limits::default())
                        .context("choose another address with http.listen")?;
                    eprintln!("catwalk: http://{}/metrics", server.address());
                    web = Some(server.start(http::routes(house))?);
                    continue;
                }
                Service::Settler => {
                    let settings = config.settler.clone();
                    let (other, name) = (self.clone(), settings.name.clone());
                    threads.push(self.spawn("uniformity", move || other.compare(&name))?);
                    self.spawn("settler", move || house.settle(&settings))?
                }
                Service::Archiver => {
                    let settings = config.archive.clone();
                    self.spawn("archiver", move || house.archive(&settings))?
                }
            };
            threads.push(thread);
        }
        Ok(Services { threads, web })
    }

    /// Does what there is to do now: first what is settled, then what only several tables show, then
    /// what is archived.
    pub(crate) fn once(&self, config: &Config) -> anyhow::Result<()> {
        if config.services.contains(&Service::Settler) {
            self.runner(&config.settler)?.run_until_caught_up()?;
            self.uniformity(&config.settler.name)?
                .run_until_caught_up()?;
        }
        if config.services.contains(&Service::Archiver) {
            self.archiver(&config.archive)?.run_until_caught_up()?;
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
        let mut runner = self.runner(settings)?;
        self.ready("settler");
        Ok(runner.run(&self.stop)?)
    }

    /// Holds the tables against each other, or waits until whoever does is gone.
    fn compare(&self, name: &str) -> anyhow::Result<()> {
        let mut stage = self.uniformity(name)?;
        self.ready("uniformity");
        Ok(stage.run(&self.stop)?)
    }

    fn archive(&self, settings: &ArchiveConfig) -> anyhow::Result<()> {
        let mut archiver = self.archiver(settings)?;
        self.ready("archiver");
        Ok(archiver.run(&self.stop)?)
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

    fn archiver(&self, settings: &ArchiveConfig) -> anyhow::Result<Archiver> {
        let archive = Archive::at(&settings.url)?;
        let settings = Settings {
            flush_bytes: settings.flush_bytes,
            flush_interval: Duration::from_millis(settings.flush_interval_ms),
            gaming_day: GamingDayRule {
                hour: i8::try_from(settings.gaming_day_hour)?,
                time_zone: settings.time_zone.clone(),
            },
            ..Settings::default()
        };
        let formats = self.formats()?;
        let archiver = Archiver::open(&*self.log, &archive, formats, settings)?;
        self.metrics.follow(archiver.progress());
        Ok(archiver)
    }

    /// How records are written on the log.
    fn formats(&self) -> anyhow::Result<Formats> {
        self.choice.formats()
    }

    fn ready(&self, service: &str) {
        lock(&self.waiting).retain(|waiting| *waiting != service);
    }

    fn not_ready(&self) -> Vec<&'static str> {
        lock(&self.waiting).clone()
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
            eprintln!("catwalk: finishing what is underway");
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
    web: Option<Running>,
}

impl Services {
    /// Waits until all have ended.
    pub(crate) fn join(self, house: &House) -> anyhow::Result<()> {
        while self.threads.is_empty() && !house.is_stopping() {
            thread::sleep(LOOK_AROUND);
        }
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

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing that is locked here is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
