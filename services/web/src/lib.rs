//! The one HTTP server of the house.
//!
//! Whoever has something to show hands its routes over as an [`axum::Router`]; the server does the rest: it
//! bounds connections, headers, bodies and time, and it ends when it is told to. It runs on threads of its own,
//! and whatever a client does to it stays there: nothing of it reaches the services whose state it shows.
//!
//! There are no users yet. So it listens on this machine only, and answers only who calls it by a name of this
//! machine: a page on the internet cannot be made to read it.
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

mod connection;
mod guard;
mod limits;
mod server;

pub use axum;

pub use self::limits::Limits;
pub use self::server::{Error, Running, Server};
