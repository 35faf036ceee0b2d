//! TLS: files, devices, and those who do not speak it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use catwalk_web::{Limits, Role, Server, TlsFiles, Users};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::house::{Answer, House, actor, ask, scope};

type Authority = CertifiedIssuer<'static, KeyPair>;

fn authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

/// Certificate and key for a name, as PEM.
fn certificate(authority: &Authority, name: &str) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    let cert = params.signed_by(&key, authority).unwrap();
    (cert.pem(), key.serialize_pem())
}

fn write(folder: &Path, authority: &Authority, name: &str) -> TlsFiles {
    let (cert, key) = certificate(authority, name);
    let files = TlsFiles {
        cert: folder.join("cert.pem"),
        key: folder.join("key.pem"),
        client_ca: Some(folder.join("devices.pem")),
    };
    std::fs::write(&files.cert, cert).unwrap();
    std::fs::write(&files.key, key).unwrap();
    std::fs::write(folder.join("devices.pem"), authority.pem()).unwrap();
    files
}

fn connect(
    house: &House,
    authority: &Authority,
    name: &str,
    device: Option<(String, String)>,
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.der().clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    let config = match device {
        None => config.with_no_client_auth(),
        Some((cert, key)) => {
            let cert = CertificateDer::from_pem_slice(cert.as_bytes()).unwrap();
            let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap();
            config.with_client_auth_cert(vec![cert], key).unwrap()
        }
    };
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let client = ClientConnection::new(Arc::new(config), name).unwrap();
    StreamOwned::new(client, TcpStream::connect(house.address()).unwrap())
}

fn get(
    house: &House,
    authority: &Authority,
    device: Option<(String, String)>,
    path: &str,
) -> Answer {
    let stream = connect(house, authority, "desk.example", device);
    ask(stream, "desk.example:9480", "GET", path, "", "")
}

fn house(authority: &Authority) -> (tempfile::TempDir, TlsFiles, House) {
    let folder = tempfile::tempdir().unwrap();
    let files = write(folder.path(), authority, "desk.example");
    let house = House::with(&[("anna", &[Role::Auditor])], Some(files.clone()));
    (folder, files, house)
}

#[test]
fn tls_is_spoken_by_the_name_in_the_certificate() {
    let authority = authority();
    let (_folder, _, house) = house(&authority);
    let answer = get(&house, &authority, None, "/page");
    assert_eq!(
        (answer.status(), answer.body.as_slice()),
        (200, &b"a page"[..])
    );
    assert_eq!(
        answer.header("strict-transport-security"),
        Some("max-age=31536000")
    );
    let other = connect(&house, &authority, "desk.example", None);
    assert_eq!(
        ask(other, "evil.example", "GET", "/page", "", "").status(),
        421
    );
    let body = format!(
        r#"{{"user":"anna","password":"{}"}}"#,
        crate::house::PASSWORD
    );
    let stream = connect(&house, &authority, "desk.example", None);
    let own = "Content-Type: application/json\r\nOrigin: https://desk.example\r\n";
    let answer = ask(
        stream,
        "desk.example",
        "POST",
        "/api/v1/session",
        own,
        &body,
    );
    assert!(
        answer.header("set-cookie").unwrap().ends_with("; Secure"),
        "{}",
        answer.head
    );
}

#[test]
fn plain_http_is_told_what_is_spoken_and_noise_is_not_answered() {
    let authority = authority();
    let (_folder, _, house) = house(&authority);
    let plain = house.get("/page", "");
    assert_eq!(plain.status(), 400);
    assert!(String::from_utf8_lossy(&plain.body).contains("https://"));
    for noise in [
        &b"\x16\x03\x01\xff\xffnoise"[..],
        b"\x16",
        b"\x80\x01",
        b"\0\0\0\0",
        &[b'A'; 100_000],
    ] {
        let mut stream = TcpStream::connect(house.address()).unwrap();
        let _ = stream.write_all(noise);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(get(&house, &authority, None, "/page").status(), 200);
}

#[test]
fn handshakes_that_trickle_keep_nobody_out() {
    let authority = authority();
    let (_folder, _, house) = house(&authority);
    let mut slow: Vec<TcpStream> = (0..300)
        .map(|number| {
            let mut stream = TcpStream::connect(house.address()).unwrap();
            // Some say nothing at all, some begin, some speak plain HTTP and do not end.
            let beginning: &[u8] =
                [&b""[..], b"\x16\x03\x01\x02", b"GET / HTTP/1.1\r\nX: "][number % 3];
            let _ = stream.write_all(beginning);
            stream
        })
        .collect();
    assert_eq!(get(&house, &authority, None, "/page").status(), 200);
    let start = Instant::now();
    // Whoever is cut off learns it with the second byte after.
    while slow
        .iter_mut()
        .filter_map(|stream| stream.write_all(b"x").ok())
        .count()
        > 0
    {
        assert!(start.elapsed() < Duration::from_secs(5), "they are cut off");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(get(&house, &authority, None, "/page").status(), 200);
}

#[test]
fn a_certificate_that_changes_is_used_and_one_that_cannot_be_is_not() {
    let authority = authority();
    let (folder, files, house) = house(&authority);
    std::fs::write(&files.cert, "no certificate").unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(get(&house, &authority, None, "/page").status(), 200);
    write(folder.path(), &authority, "new.example");
    let start = Instant::now();
    loop {
        let stream = connect(&house, &authority, "new.example", None);
        if ask(stream, "new.example", "GET", "/page", "", "").status() == 200 {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_device_is_the_name_in_its_certificate() {
    let authority = authority();
    let (_folder, _, house) = house(&authority);
    let shoe = certificate(&authority, "shoe-7.ebh.example");
    let who = get(&house, &authority, Some(shoe.clone()), "/api/v1/who").json();
    assert_eq!(
        who,
        serde_json::json!({"id": "shoe-7.ebh.example", "roles": ["device"], "properties": null})
    );
    assert_eq!(
        get(&house, &authority, Some(shoe.clone()), "/api/v1/audit").status(),
        403
    );
    assert_eq!(get(&house, &authority, None, "/api/v1/who").status(), 401);
    let forged = certificate(&self::authority(), "shoe-7.ebh.example");
    assert_eq!(
        get(&house, &authority, Some(forged), "/page").status(),
        0,
        "no handshake"
    );
    // A certificate of a person's name gives nobody that person's roles.
    let anna = certificate(&authority, "anna");
    assert_eq!(
        get(&house, &authority, Some(anna), "/api/v1/who").status(),
        401
    );
    let users = house.users();
    users
        .add(
            &actor(),
            "shoe-7.ebh.example",
            "",
            &scope(&[Role::Device]),
            None,
        )
        .unwrap();
    assert_eq!(
        get(&house, &authority, Some(shoe.clone()), "/api/v1/who").status(),
        200
    );
    users.revoke(&actor(), "shoe-7.ebh.example").unwrap();
    assert_eq!(
        get(&house, &authority, Some(shoe), "/api/v1/who").status(),
        401
    );
}

#[test]
fn whoever_is_to_be_reached_has_tls_or_does_not_start() {
    let authority = authority();
    let folder = tempfile::tempdir().unwrap();
    let good = write(folder.path(), &authority, "desk.example");
    let house = House::new();
    let mut settings = house.settings();
    settings.file = folder.path().join("users.json");
    let users = Users::open(settings).unwrap();
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let bind = |tls: Option<TlsFiles>| {
        let bound = Server::bind_for(users.clone(), everywhere, tls, Limits::default());
        bound
            .map(|server| server.url())
            .map_err(|error| error.to_string())
    };
    assert!(bind(None).unwrap_err().contains("certificate"));
    assert!(
        bind(Some(good.clone()))
            .unwrap()
            .starts_with("https://0.0.0.0:")
    );
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("empty.pem"), "").unwrap();
    let other_key = certificate(&authority, "x.example").1;
    std::fs::write(path("other.pem"), other_key).unwrap();
    type Set = fn(&mut TlsFiles, std::path::PathBuf);
    let cases: [(&str, Set); 7] = [
        ("missing.pem", |files, path| files.cert = path),
        ("missing.pem", |files, path| files.key = path),
        ("missing.pem", |files, path| files.client_ca = Some(path)),
        ("empty.pem", |files, path| files.cert = path),
        ("empty.pem", |files, path| files.key = path),
        ("empty.pem", |files, path| files.client_ca = Some(path)),
        ("other.pem", |files, path| files.key = path),
    ];
    for (name, change) in cases {
        let mut files = good.clone();
        change(&mut files, path(name));
        let error = bind(Some(files)).unwrap_err();
        assert!(error.contains(name), "{name}: {error}");
    }
}
