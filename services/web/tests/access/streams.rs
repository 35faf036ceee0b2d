//! Streams: how many, and when they end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::house::{House, actor};

/// Opens a stream and reads what it begins with.
fn open(house: &House, cookie: &str) -> (String, BufReader<TcpStream>) {
    let mut stream = TcpStream::connect(house.address()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    let text = format!(
        "GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{cookie}\r\n"
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
    (head, reader)
}

/// How long it takes until the stream ends, which it does as it should: with the last, empty chunk.
fn end(mut reader: BufReader<TcpStream>) -> Duration {
    let start = Instant::now();
    let mut rest = Vec::new();
    let mut buffer = [0; 4096];
    while !rest.ends_with(b"0\r\n\r\n") {
        match reader.read(&mut buffer).unwrap() {
            0 => panic!("cut off: {}", String::from_utf8_lossy(&rest)),
            count => rest.extend_from_slice(&buffer[..count]),
        }
    }
    start.elapsed()
}

#[test]
fn a_stop_ends_open_streams_within_a_second() {
    let mut house = House::new();
    let cookie = house.cookie("anna");
    let (head, reader) = open(&house, &cookie);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let start = Instant::now();
    let reading = std::thread::spawn(move || end(reader));
    house.running = None;
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    assert!(reading.join().unwrap() < Duration::from_secs(1));
}

#[test]
fn a_stream_ends_with_the_right_to_read_it() {
    let house = House::new();
    let (signed_out, revoked) = (house.cookie("anna"), house.cookie("anna"));
    let (_, first) = open(&house, &signed_out);
    let (_, second) = open(&house, &revoked);
    let headers = format!("{signed_out}Sec-Fetch-Site: same-origin\r\n");
    assert_eq!(
        house
            .ask("DELETE", "/api/v1/session", &headers, "")
            .status(),
        204
    );
    assert!(end(first) < Duration::from_secs(2));
    house.users().revoke(&actor(), "anna").unwrap();
    assert!(end(second) < Duration::from_secs(2));
}

#[test]
fn a_user_has_so_many_streams_and_no_more() {
    let house = House::new();
    let cookie = house.cookie("anna");
    let mut streams: Vec<_> = (0..3).map(|_| open(&house, &cookie)).collect();
    assert!(
        streams
            .iter()
            .all(|(head, _)| head.starts_with("HTTP/1.1 200"))
    );
    let other = house.cookie("anna");
    let (head, _) = open(&house, &other);
    assert!(head.starts_with("HTTP/1.1 429"), "{head}");
    streams.pop();
    let start = Instant::now();
    while !open(&house, &cookie).0.starts_with("HTTP/1.1 200") {
        assert!(start.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn long_answers_are_compressed_and_streams_are_not() {
    let house = House::new();
    let cookie = house.cookie("anna");
    let long = house.get("/api/v1/long", "Accept-Encoding: gzip\r\n");
    assert_eq!(
        (long.status(), long.header("content-encoding")),
        (200, Some("gzip"))
    );
    assert!(long.body.len() < 1_000, "{}", long.body.len());
    let plain = house.get("/api/v1/long", "");
    assert_eq!(
        (
            plain.header("content-encoding"),
            plain.json()["long"].as_str().unwrap().len()
        ),
        (None, 5_000)
    );
    let (head, _) = open(&house, &cookie);
    assert!(!head.to_lowercase().contains("content-encoding"), "{head}");
}
