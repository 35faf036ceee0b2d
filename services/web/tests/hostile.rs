//! Clients that mean no good, or do not know better.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use axum::{Router, http::StatusCode};
use catwalk_web::{Error, Limits, Running, Server};

fn limits() -> Limits {
    Limits {
        connections: 64,
        header_timeout: Duration::from_millis(700),
        answer_timeout: Duration::from_millis(700),
        write_timeout: Duration::from_millis(700),
        stop_timeout: Duration::from_millis(700),
        body_bytes: 1000,
        ..Limits::default()
    }
}

fn routes() -> Router {
    Router::new()
        .route("/healthz", get(async || "at work\n"))
        .route("/echo", post(async |body: Bytes| body))
        .route("/large", get(large))
        .route("/deaf", post(async || "whatever it was\n"))
        .route("/panic", get(panics))
        .route(
            "/slow",
            get(async || {
                tokio::time::sleep(Duration::from_secs(60)).await;
                "late"
            }),
        )
}

/// More than the system takes for a reader that takes nothing, and the same bytes for all.
async fn large() -> Body {
    static LARGE: OnceLock<Bytes> = OnceLock::new();
    let large = LARGE.get_or_init(|| Bytes::from(vec![b'x'; 64 << 20]));
    Body::from(large.clone())
}

async fn panics() -> StatusCode {
    panic!("a fault of a route")
}

fn server() -> Running {
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), limits()).unwrap();
    server.start(routes()).unwrap()
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    stream
}

/// Sends bytes and gives all that comes back until the connection ends.
fn send(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = connect(address);
    // The server may have cut it off by then.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn request(address: SocketAddr, method: &str, path: &str) -> String {
    let text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    send(address, text.as_bytes())
}

fn is_alive(address: SocketAddr) -> bool {
    let answer = request(address, "GET", "/healthz");
    answer.starts_with("HTTP/1.1 200") && answer.ends_with("at work\n")
}

fn assert_alive(address: SocketAddr) {
    assert!(is_alive(address));
}

#[test]
fn six_hundred_idle_connections_keep_nobody_out() {
    let server = server();
    let mut idle: Vec<TcpStream> = (0..600).map(|_| connect(server.address())).collect();
    assert_alive(server.address());
    // And they are not kept for ever.
    let start = Instant::now();
    for stream in &mut idle {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
    assert_alive(server.address());
}

#[test]
fn headers_are_bounded() {
    let server = server();
    let mut large = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ".to_vec();
    large.extend(vec![b'x'; 5 << 20]);
    large.extend(b"\r\n\r\n");
    let answer = send(server.address(), &large);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    let many = "X: y\r\n".repeat(1000);
    let many = format!("GET /healthz HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    let answer = send(server.address(), many.as_bytes());
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    assert_alive(server.address());
}

#[test]
fn other_methods_and_paths_are_refused() {
    let server = server();
    for method in ["TRACE", "DELETE", "PATCH", "OPTIONS", "BREW"] {
        let answer = request(server.address(), method, "/healthz");
        assert!(answer.starts_with("HTTP/1.1 405"), "{method}: {answer}");
    }
    let answer = request(server.address(), "POST", "/healthz");
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    let answer = request(server.address(), "GET", "/nothing");
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    assert_alive(server.address());
}

#[test]
fn headers_and_bodies_that_trickle_are_cut_off() {
    let server = server();
    for beginning in [
        "GET /healthz HTTP/1.1\r\nX: ",
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n",
    ] {
        let mut stream = connect(server.address());
        stream.write_all(beginning.as_bytes()).unwrap();
        let start = Instant::now();
        let mut trickle = stream.try_clone().unwrap();
        let trickling = thread::spawn(move || {
            while trickle.write_all(b"x").is_ok() && start.elapsed() < Duration::from_secs(90) {
                thread::sleep(Duration::from_millis(100));
            }
        });
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(start.elapsed() < Duration::from_secs(60), "{beginning}");
        drop(stream);
        trickling.join().unwrap();
    }
    assert_alive(server.address());
}

#[test]
fn bodies_are_bounded() {
    let server = server();
    let text = |length: usize| {
        let body = "x".repeat(length);
        format!(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
    };
    assert!(send(server.address(), text(1000).as_bytes()).starts_with("HTTP/1.1 200"));
    let answer = send(server.address(), text(1001).as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    let chunked = "POST /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Transfer-Encoding: chunked\r\n\r\n5dc\r\n";
    let chunked = format!("{chunked}{}\r\n0\r\n\r\n", "x".repeat(1500));
    let answer = send(server.address(), chunked.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// Reads one answer with a length, and leaves the connection open.
fn read_answer(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    let mut byte = [0];
    while !answer.ends_with("\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
        answer.push(char::from(byte[0]));
    }
    let headers = answer.to_ascii_lowercase();
    let length = headers.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    answer + &String::from_utf8(body).unwrap()
}

/// A client that is slow, such as one on a machine under load, sends the body well after the headers: whether a route
/// wants it or not, the connection goes on.
#[test]
fn a_body_that_no_route_reads_ends_no_connection() {
    let server = server();
    for (path, status) in [("/deaf", "200"), ("/healthz", "405"), ("/nothing", "404")] {
        let mut stream = connect(server.address());
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n");
        for _ in 0..3 {
            stream.write_all(head.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(100));
            stream.write_all(b"{}").unwrap();
            let answer = read_answer(&mut stream);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{answer}"
            );
        }
    }
}

/// And where it is too long to be heard out, the client is told so all the same.
#[test]
fn a_client_that_still_sends_sees_its_answer() {
    let server = server();
    let length = 4 << 20;
    let mut stream = connect(server.address());
    let head =
        format!("POST /deaf HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(100));
    stream.write_all(&vec![b'x'; length]).unwrap();
    let answer = read_answer(&mut stream);
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

#[test]
fn readers_that_take_nothing_are_cut_off() {
    let server = server();
    let mut streams = Vec::new();
    for _ in 0..64 {
        let mut stream = connect(server.address());
        let text = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(text.as_bytes()).unwrap();
        streams.push(stream);
    }
    // Until they are, there is no room for anybody else.
    let begun = Instant::now();
    while !is_alive(server.address()) {
        assert!(begun.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_route_that_panics_or_hangs_harms_nobody_else() {
    let server = server();
    let answer = request(server.address(), "GET", "/panic");
    assert!(answer.starts_with("HTTP/1.1 500"), "{answer}");
    assert!(answer.contains("\"code\":\"fault\""), "{answer}");
    let answer = request(server.address(), "GET", "/slow");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert_alive(server.address());
}

#[test]
fn a_stop_waits_for_nobody_long() {
    let server = server();
    let address = server.address();
    let _idle: Vec<TcpStream> = (0..20).map(|_| connect(address)).collect();
    let mut slow = connect(address);
    slow.write_all(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .unwrap();
    let start = Instant::now();
    server.stop();
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn it_is_not_to_be_reached_from_elsewhere() {
    let exposed = Server::bind("0.0.0.0:0".parse().unwrap(), limits());
    assert!(matches!(exposed, Err(Error::Exposed { .. })));
    let server = server();
    let text = "GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let answer = send(server.address(), text.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 421"), "{answer}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let server = server();
    let taken = Server::bind(server.address(), limits()).unwrap_err();
    assert!(
        taken.to_string().contains(&server.address().to_string()),
        "{taken}"
    );
}
