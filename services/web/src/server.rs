//! The server: it accepts, bounds, and ends.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower_service::Service;

use crate::Limits;
use crate::connection::{Patient, Seat, Sending};
use crate::guard::guard;

/// Threads that answer. What takes long belongs on threads of its own.
const THREADS: usize = 2;
/// How long it rests when the system gives it no connection, such as for want of files.
const REST: Duration = Duration::from_millis(100);

/// What keeps a server from starting.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("cannot listen on {address}: {source}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },

    #[error(
        "{address} can be reached from other machines, and there are no users yet: \
         listen on 127.0.0.1 or [::1], and let a server with users stand before it"
    )]
    Exposed { address: SocketAddr },

    #[error("cannot start the web server: {0}")]
    Start(io::Error),
}

/// A server that listens, and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
}

impl Server {
    /// Listens on an address of this machine; port 0 stands for any that is free.
    pub fn bind(address: SocketAddr, limits: Limits) -> Result<Server, Error> {
        if !address.ip().is_loopback() {
            return Err(Error::Exposed { address });
        }
        let bound = TcpListener::bind(address).and_then(|listener| {
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = bound.map_err(|source| Error::Listen { address, source })?;
        Ok(Server {
            listener,
            address,
            limits,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers by these routes from now on, on threads of its own.
    pub fn start(self, routes: Router) -> Result<Running, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("web")
            .enable_all()
            .build()
            .map_err(Error::Start)?;
        let (stop, stopped) = watch::channel(false);
        let address = self.address;
        let routes = guard(routes, &self.limits, address);
        let thread = thread::Builder::new().name("web".to_owned());
        let thread = thread.spawn(move || self.run(&runtime, routes, stopped));
        Ok(Running {
            address,
            stop,
            thread: Some(thread.map_err(Error::Start)?),
        })
    }

    fn run(self, runtime: &Runtime, routes: Router, stopped: watch::Receiver<bool>) {
        // What still runs when the time to stop is over is cut off when the runtime is dropped.
        runtime.block_on(async {
            let listener = match tokio::net::TcpListener::from_std(self.listener) {
                Ok(listener) => listener,
                Err(error) => unreachable!("a listener that does not block: {error}"),
            };
            accept(listener, routes, Arc::new(self.limits), stopped).await;
        });
    }
}

/// A server that answers. It stops when it is dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts nothing more, lets what is underway end, and waits for it, but not for long.
    pub fn stop(self) {}
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic has said what it was; whoever stops the server needs no more.
            let _ = thread.join();
        }
    }
}

async fn accept(
    listener: tokio::net::TcpListener,
    routes: Router,
    limits: Arc<Limits>,
    mut stopped: watch::Receiver<bool>,
) {
    let seats = Arc::new(Seats::default());
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stopped.changed() => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(REST).await;
            continue;
        };
        let Some(seat) = seats.take(limits.connections) else {
            // All are at work: this one is turned away.
            drop(stream);
            continue;
        };
        let (routes, limits, seats) = (routes.clone(), limits.clone(), seats.clone());
        let stopped = stopped.clone();
        connections.spawn(async move {
            serve(stream, routes, &limits, &seat, stopped).await;
            seats.leave(&seat);
        });
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    // What is cut off then has had its time.
    let _ = tokio::time::timeout(limits.stop_timeout, ended).await;
}

async fn serve(
    stream: TcpStream,
    routes: Router,
    limits: &Limits,
    seat: &Arc<Seat>,
    mut stopped: watch::Receiver<bool>,
) {
    let service = service_fn(|request: Request<Incoming>| {
        let (mut routes, work) = (routes.clone(), seat.work());
        async move {
            let response: Response<Body> = match routes.call(request.map(Body::new)).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            Ok::<_, Infallible>(response.map(|body| Sending { body, _work: work }))
        }
    });
    let stream = TokioIo::new(Patient::new(stream, limits.write_timeout));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_headers(limits.headers)
        .max_buf_size(limits.header_bytes.max(8192))
        .serve_connection(stream, service);
    tokio::pin!(connection);
    loop {
        tokio::select! {
            // A client that breaks off, or is cut off, is no fault of ours.
            _ = connection.as_mut() => return,
            () = seat.told_to_close() => return,
            changed = stopped.changed() => {
                if changed.is_err() || *stopped.borrow() {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.as_mut().await;
                    return;
                }
            }
        }
    }
}

/// The connections that are open, the one that came first in front.
#[derive(Debug, Default)]
struct Seats(Mutex<VecDeque<Arc<Seat>>>);

impl Seats {
    /// A seat for a new connection, if need be of one that is idle.
    fn take(&self, most: usize) -> Option<Arc<Seat>> {
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seats.len() >= most.max(1) {
            let idle = seats.iter().position(|seat| seat.is_idle())?;
            seats.remove(idle)?.close();
        }
        let seat = Arc::new(Seat::default());
        seats.push_back(Arc::clone(&seat));
        Some(seat)
    }

    fn leave(&self, seat: &Arc<Seat>) {
        let mut seats = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|other| !Arc::ptr_eq(other, seat));
    }
}
