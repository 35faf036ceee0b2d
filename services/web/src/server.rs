//! The server: it accepts, bounds, and ends.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, HeaderValue};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tower_service::Service;

use crate::access::Peer;
use crate::connection::{Left, Patient, Seat, Sending, say_farewell};
use crate::guard::guard;
use crate::streams::{self, Streams};
use crate::tls::{self, Tls, TlsError, TlsFiles};
use crate::{Fault, Limits, Users};

/// Threads that answer. What takes long belongs on threads of its own.
const THREADS: usize = 2;
/// How long it rests when the system gives it no connection, such as for want of files.
const REST: Duration = Duration::from_millis(100);

/// How long it is waited that the other end closes a connection that we have ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// How often the files of TLS are looked at.
const LOOK: Duration = Duration::from_secs(1);
/// When sessions were used last is written down at one look of so many; when they begin and end, at once.
const KEEP_EVERY: u32 = 30;
/// The first byte of a TLS handshake.
const HANDSHAKE: u8 = 0x16;
/// What somebody is told who speaks plain HTTP to a port that speaks TLS.
const PLAIN: &str = "this port speaks TLS: the address begins with https://\n";

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
        "{address} can be reached from other machines, and what is shown here is shown to whoever asks: \
         listen on 127.0.0.1 or [::1]"
    )]
    Exposed { address: SocketAddr },

    #[error(
        "{address} can be reached from other machines, and passwords would travel in the clear: \
         give it a certificate, or listen on 127.0.0.1 or [::1]"
    )]
    Plain { address: SocketAddr },

    #[error("{address} can be reached from other machines: a demo is for this one only")]
    Demo { address: SocketAddr },

    #[error(transparent)]
    Tls(#[from] TlsError),

    #[error("cannot start the web server: {0}")]
    Start(io::Error),
}

/// A server that listens, and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    users: Option<Users>,
    tls: Option<Arc<Tls>>,
}

impl Server {
    /// Listens for whoever is on this machine, without users; port 0 stands for any that is free.
    pub fn bind(address: SocketAddr, limits: Limits) -> Result<Server, Error> {
        if !address.ip().is_loopback() {
            return Err(Error::Exposed { address });
        }
        Server::listen(address, limits, None, None)
    }

    /// Listens for users, who have to say who they are. Other machines are served by TLS only.
    pub fn bind_for(
        users: Users,
        address: SocketAddr,
        tls: Option<TlsFiles>,
        limits: Limits,
    ) -> Result<Server, Error> {
        if !address.ip().is_loopback() {
            if users.is_demo() {
                return Err(Error::Demo { address });
            }
            if tls.is_none() {
                return Err(Error::Plain { address });
            }
        }
        let tls = tls
            .map(|files| Tls::load(files, users.tell()))
            .transpose()?;
        Server::listen(address, limits, Some(users), tls.map(Arc::new))
    }

    fn listen(
        address: SocketAddr,
        limits: Limits,
        users: Option<Users>,
        tls: Option<Arc<Tls>>,
    ) -> Result<Server, Error> {
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
            users,
            tls,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it answers, as the beginning of an address.
    pub fn url(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.address)
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
        let streams = Streams::new(self.limits.streams, stopped.clone());
        let (tls, users) = (self.tls.clone(), self.users.clone());
        let routes = guard(routes, &self.limits, address, tls, streams, users);
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
            let house = House {
                routes,
                limits: self.limits,
                tls: self.tls,
                stopped,
            };
            let looking = tokio::spawn(look_after(house.tls.clone(), self.users));
            accept(listener, Arc::new(house)).await;
            looking.abort();
        });
    }
}

/// What changes while the server runs: the files of TLS, and who is signed in.
async fn look_after(tls: Option<Arc<Tls>>, users: Option<Users>) {
    let mut look = tokio::time::interval(LOOK);
    for count in 1u32.. {
        look.tick().await;
        let users = users.clone().filter(|_| count.is_multiple_of(KEEP_EVERY));
        let tls = tls.clone();
        // Files may take their time. What panics there has said so, and is tried again.
        let _ = tokio::task::spawn_blocking(move || {
            if let Some(tls) = tls {
                tls.look_again();
            }
            if let Some(users) = users {
                users.keep();
            }
        })
        .await;
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

/// What all connections share.
struct House {
    routes: Router,
    limits: Limits,
    tls: Option<Arc<Tls>>,
    stopped: watch::Receiver<bool>,
}

async fn accept(listener: tokio::net::TcpListener, house: Arc<House>) {
    let seats = Arc::new(Seats::default());
    let mut connections = JoinSet::new();
    let mut stopped = house.stopped.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            _ = stopped.changed() => break,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(REST).await;
            continue;
        };
        let Some(seat) = seats.take(house.limits.connections) else {
            // All are at work: this one is turned away.
            drop(stream);
            continue;
        };
        let (house, seats) = (house.clone(), seats.clone());
        connections.spawn(async move {
            house
                .welcome(stream, address.ip().to_canonical(), &seat)
                .await;
            seats.leave(&seat);
        });
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    // What is cut off then has had its time.
    let _ = tokio::time::timeout(house.limits.stop_timeout, ended).await;
}

impl House {
    async fn welcome(&self, stream: TcpStream, address: IpAddr, seat: &Arc<Seat>) {
        let Some(tls) = &self.tls else {
            let peer = Peer {
                address,
                device: None,
            };
            let stream = Patient::new(stream, self.limits.write_timeout);
            return self.serve(stream, peer, seat).await;
        };
        let shaken = tokio::select! {
            shaken = tokio::time::timeout(self.limits.header_timeout, self.shake(stream, tls)) => shaken,
            () = seat.told_to_close() => return,
            () = streams::stop(self.stopped.clone()) => return,
        };
        // A handshake that takes too long or fails is no fault of ours.
        let Ok(Some(stream)) = shaken else { return };
        let device = tls::device(stream.get_ref().1.peer_certificates());
        self.serve(stream, Peer { address, device }, seat).await;
    }

    async fn shake(
        &self,
        stream: TcpStream,
        tls: &Tls,
    ) -> Option<tokio_rustls::server::TlsStream<Patient<TcpStream>>> {
        let mut first = [0];
        if stream.peek(&mut first).await.ok()? == 0 {
            return None;
        }
        if first[0] != HANDSHAKE {
            answer_plain(stream, self.limits.header_bytes).await;
            return None;
        }
        let stream = Patient::new(stream, self.limits.write_timeout);
        tls.acceptor().accept(stream).await.ok()
    }

    async fn serve<S>(&self, stream: S, peer: Peer, seat: &Arc<Seat>)
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let limits = &self.limits;
        let service = service_fn(|request: Request<Incoming>| {
            let (routes, peer, work) = (self.routes.clone(), peer.clone(), seat.work());
            // Boxed, so that the connection can be taken apart in the end.
            Box::pin(async move {
                let response = answer(routes, request, peer, limits).await;
                Ok::<_, Infallible>(response.map(|body| Sending { body, _work: work }))
            })
        });
        let mut connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.header_timeout)
            .max_headers(limits.headers)
            .max_buf_size(limits.header_bytes.max(8192))
            .serve_connection(TokioIo::new(stream), service);
        tokio::select! {
            // A client that breaks off, or is cut off, is no fault of ours.
            _ = poll_fn(|context| connection.poll_without_shutdown(context)) => {}
            () = seat.told_to_close() => return,
            () = streams::stop(self.stopped.clone()) => {
                Pin::new(&mut connection).graceful_shutdown();
                let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
            }
        }
        let stream = connection.into_parts().io.into_inner();
        tokio::select! {
            () = say_farewell(stream, FAREWELL) => {}
            () = seat.told_to_close() => {}
            () = streams::stop(self.stopped.clone()) => {}
        }
    }
}

/// What the routes answer. A fault of a route is said, and the rest of the request is read before: see [`Left::read`].
async fn answer(
    mut routes: Router,
    request: Request<Incoming>,
    peer: Peer,
    limits: &Limits,
) -> Response<Body> {
    let left = Left::default();
    let mut request = request.map(|body| Body::new(left.of(body)));
    request.extensions_mut().insert(peer);
    let mut called = Box::pin(routes.call(request));
    let polled = |context: &mut Context<'_>| {
        // What a route has left half done is its own, and gone with it.
        catch_unwind(AssertUnwindSafe(|| called.as_mut().poll(context)))
            .map_or(Poll::Ready(None), |polled| polled.map(Some))
    };
    let answered = poll_fn(polled).await;
    drop(called);
    let mut response = match answered {
        Some(Ok(response)) => response,
        Some(Err(never)) => match never {},
        None => {
            let why = "a fault in the program: what it said of it is in its log";
            Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "fault", why).into_response()
        }
    };
    let is_late = response.status() == StatusCode::REQUEST_TIMEOUT;
    let is_heard = !is_late && left.read(limits.body_bytes, limits.header_timeout).await;
    if !is_heard {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

/// Tells whoever speaks plain HTTP what is spoken here, once the request has been heard.
async fn answer_plain(mut stream: TcpStream, most_bytes: usize) {
    let mut heard = Vec::new();
    let mut buffer = [0; 1024];
    while !heard.windows(4).any(|end| end == b"\r\n\r\n") && heard.len() < most_bytes {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(count) => heard.extend_from_slice(&buffer[..count]),
        }
    }
    let length = PLAIN.len();
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{PLAIN}"
    );
    // Whoever does not listen misses nothing.
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
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
