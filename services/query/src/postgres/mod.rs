//! The archive for clients of PostgreSQL: psql, DBeaver, Excel by ODBC, Python, and whatever else speaks its protocol.
//!
//! Nothing can be changed by it. Whoever comes proves to hold a token ([`catwalk_web::Users`]); off this machine that
//! is said by TLS or not at all. Each connection has a session of its own. Questions are worked out on threads of
//! their own, within bounds that all of them share, and every one is on record before it is answered.
//!
//! The messages are read here and not by a library: those that there are end in a panic at lengths that lie, before
//! anybody has signed in.

mod catalog;
mod command;
mod connection;
mod fault;
mod greet;
mod kind;
mod message;
mod names;
mod odd;
mod parameter;
mod peer;
mod question;
mod rewrite;
mod settings;
mod subquery;
mod values;
mod view;

pub(crate) use self::command::{Command, commands};
pub(crate) use self::fault::Fault;
pub(crate) use self::view::View;

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use catwalk_archive::Archive;
use catwalk_web::{Pseudonyms, Tls, TlsError, TlsFiles, Users, UsersError};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};

use self::question::Workshop;
use crate::{Bounds, Ledger, Most, ReadingRoom, Worth};

/// Connections at a time.
const CONNECTIONS: usize = 100;
/// Connections of one address that have not signed in yet.
const STRANGERS: usize = 10;
/// Threads that speak with clients, and threads that work answers out.
const THREADS: usize = 2;
/// Questions at a time; others wait for their turn.
const AT_ONCE: usize = 4;
/// A plan is walked by functions that call themselves.
const STACK_BYTES: usize = 16 << 20;
/// Signing in takes no longer than this.
const GREETING: Duration = Duration::from_secs(15);
/// How often the certificate is looked at, and who may stay.
const LOOK_AROUND: Duration = Duration::from_secs(1);
/// How long it rests when the system gives it no connection.
const REST: Duration = Duration::from_millis(100);
const STOP: Duration = Duration::from_secs(5);

/// Why the door cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SqlServerError {
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },

    #[error(
        "{0} is not of this machine alone: what goes there goes by TLS or not at all; set tls.cert and tls.key"
    )]
    NoTls(SocketAddr),

    #[error(transparent)]
    Tls(#[from] TlsError),

    #[error("the threads of the SQL server cannot be started: {0}")]
    Threads(io::Error),

    #[error(transparent)]
    Users(#[from] UsersError),

    #[error(transparent)]
    Archive(#[from] crate::Error),
}

/// The door, open and not attended to yet.
#[derive(Debug)]
pub struct SqlServer {
    listener: TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
    users: Users,
}

impl SqlServer {
    /// Opens the door. Off this machine there is TLS, or it stays shut; so it does where a certificate cannot be read.
    pub fn bind(
        users: Users,
        address: SocketAddr,
        tls: Option<TlsFiles>,
        tell: fn(&str),
    ) -> Result<SqlServer, SqlServerError> {
        if !address.ip().is_loopback() && tls.is_none() {
            return Err(SqlServerError::NoTls(address));
        }
        let tls = tls.map(|files| Tls::for_sql(files, tell)).transpose()?;
        let failed = |source| SqlServerError::Listen { address, source };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(SqlServer {
            listener,
            address,
            tls,
            users,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Attends to the door until what is given is dropped.
    pub fn start(
        self,
        archive: &Archive,
        ledger: Arc<dyn Ledger>,
        worth: Arc<dyn Worth>,
        (bounds, most): (Bounds, Most),
    ) -> Result<RunningSql, SqlServerError> {
        let runtime = |name: &str, threads| {
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(threads)
                .thread_name(name)
                .thread_stack_size(STACK_BYTES)
                .enable_all()
                .build()
                .map_err(SqlServerError::Threads)
        };
        let (talk, work) = (runtime("sql", THREADS)?, runtime("sql-work", THREADS)?);
        let bounds = Bounds {
            is_shared: true,
            ..bounds
        };
        let house = Arc::new(House {
            room: ReadingRoom::open(archive, bounds.clone())?.knowing(worth),
            bounds,
            most,
            pseudonyms: self.users.pseudonyms()?,
            users: self.users,
            ledger,
            workshop: Workshop {
                threads: work.handle().clone(),
                places: Arc::new(Semaphore::new(AT_ONCE)),
                waiting: Arc::default(),
            },
            tls: self.tls,
            guests: Mutex::default(),
            strangers: Mutex::default(),
            connections: AtomicUsize::new(0),
            next: AtomicI32::new(1),
        });
        let (stop, stopped) = watch::channel(false);
        let listener = self.listener;
        let attend = move || {
            talk.block_on(accept(listener, &house, stopped));
            talk.shutdown_timeout(STOP);
            work.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("sql-door".to_owned());
        let thread = thread.spawn(attend).map_err(SqlServerError::Threads)?;
        Ok(RunningSql {
            stop,
            thread: Some(thread),
        })
    }
}

/// The door while it is attended to; it is shut when this is dropped.
#[derive(Debug)]
pub struct RunningSql {
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for RunningSql {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic has said what it was.
            let _ = thread.join();
        }
    }
}

/// What all connections share.
struct House {
    room: ReadingRoom,
    bounds: Bounds,
    most: Most,
    users: Users,
    pseudonyms: Pseudonyms,
    ledger: Arc<dyn Ledger>,
    workshop: Workshop,
    tls: Option<Tls>,
    /// Who can be interrupted: by number, with the secret that it takes.
    guests: Mutex<HashMap<i32, (i32, watch::Sender<()>)>>,
    /// Connections that have not signed in, by address.
    strangers: Mutex<HashMap<IpAddr, usize>>,
    connections: AtomicUsize,
    next: AtomicI32,
}

/// Somebody at the door.
struct AtDoor {
    house: Arc<House>,
    address: IpAddr,
}

impl AtDoor {
    fn take(house: &Arc<House>, address: IpAddr) -> Option<AtDoor> {
        let mut strangers = lock(&house.strangers);
        let count = strangers.entry(address).or_default();
        if *count >= STRANGERS {
            return None;
        }
        *count += 1;
        Some(AtDoor {
            house: Arc::clone(house),
            address,
        })
    }
}

impl Drop for AtDoor {
    fn drop(&mut self) {
        let mut strangers = lock(&self.house.strangers);
        if let Some(count) = strangers.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                strangers.remove(&self.address);
            }
        }
    }
}

/// One of the connections.
struct Seat(Arc<House>);

impl Seat {
    fn take(house: &Arc<House>) -> Option<Seat> {
        let more = |count: usize| (count < CONNECTIONS).then_some(count + 1);
        let taken = house
            .connections
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.ok().map(|_| Seat(Arc::clone(house)))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

async fn accept(listener: TcpListener, house: &Arc<House>, mut stopped: watch::Receiver<bool>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let mut look = tokio::time::interval(LOOK_AROUND);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = look.tick() => {
                house.tls.iter().for_each(Tls::look_again);
                continue;
            }
            _ = stopped.changed() => return,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(REST).await;
            continue;
        };
        let address = address.ip().to_canonical();
        // Whoever finds no place is turned away without a word.
        let (Some(seat), Some(door)) = (Seat::take(house), AtDoor::take(house, address)) else {
            continue;
        };
        let (house, stopped) = (Arc::clone(house), stopped.clone());
        tokio::spawn(async move {
            house.welcome(stream, address, door, stopped).await;
            drop(seat);
        });
    }
}

impl House {
    async fn welcome(
        self: &Arc<House>,
        stream: TcpStream,
        address: IpAddr,
        door: AtDoor,
        stopped: watch::Receiver<bool>,
    ) {
        // An answer is sent as a whole, and waits for nothing.
        let _ = stream.set_nodelay(true);
        let greeted = tokio::time::timeout(GREETING, greet::greet(self, stream, address)).await;
        drop(door);
        match greeted {
            Ok(Some(greet::Greeted::Plain(connection))) => connection.serve(stopped).await,
            Ok(Some(greet::Greeted::Encrypted(connection))) => connection.serve(stopped).await,
            // Who does not come in is no fault of ours.
            Ok(None) | Err(_) => {}
        }
    }

    /// Interrupts what is worked out for a connection, if this is its secret.
    fn interrupt(&self, process: i32, secret: i32) {
        let guests = lock(&self.guests);
        if let Some((known, interrupted)) = guests.get(&process)
            && *known == secret
        {
            interrupted.send_replace(());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is locked here is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
