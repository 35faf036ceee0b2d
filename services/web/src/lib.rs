//! The one HTTP server of the house.
//!
//! Whoever has something to show hands its routes over as an [`axum::Router`]; the server does the rest: it
//! bounds connections, headers, bodies and time, and it ends when it is told to. It runs on threads of its own,
//! and whatever a client does to it stays there: nothing of it reaches the services whose state it shows.
//!
//! A server without users listens on this machine only, and answers only who calls it by a name of this machine: a
//! page on the internet cannot be made to read it. A server for [`Users`] finds out who asks ([`Caller`]), by session,
//! token or certificate, before a route is reached; it serves other machines by TLS only.
//!
//! ```
//! use axum::{Router, routing::get};
//! use catwalk_web::{Limits, Server};
//!
//! let server = Server::bind("127.0.0.1:0".parse()?, Limits::default())?;
//! let routes = Router::new().route("/healthz", get(async || "at work\n"));
//! println!("http://{}/healthz", server.address());
//! let running = server.start(routes)?;
//! running.stop();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod caller;
mod connection;
mod days;
mod described;
mod fault;
mod files;
mod guard;
mod limits;
mod oidc;
mod server;
mod session;
mod streams;
mod tls;
mod users;

pub use axum;

pub use self::caller::{Caller, Role, require, require_on_some_days};
pub use self::days::Days;
pub use self::described::described;
pub use self::fault::Fault;
pub use self::limits::Limits;
pub use self::oidc::{Group, OidcSettings};
pub use self::server::{Error, Running, Server};
pub use self::streams::GoesOn;
pub use self::tls::{Shaken, Tls, TlsError, TlsFiles};
pub use self::users::{
    Actor, FirstToken, MadeToken, Moment, NoRandomness, Pseudonyms, Roll, Scope, SqlSignedIn,
    Token, User, UserSettings, Users, UsersError, UsersFile, generated_password,
};
