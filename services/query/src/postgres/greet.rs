//! How somebody comes in: TLS, who it is, and the proof of that.

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catwalk_web::{Caller, Role, Shaken, SqlSignedIn};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::connection::Connection;
use super::fault::Fault;
use super::message::{Message, Opening};
use super::peer::Peer;
use super::settings::Settings;
use super::{House, lock};

/// The byte with which a handshake of TLS begins.
const HANDSHAKE: u8 = 0x16;
const SCRAM: &str = "SCRAM-SHA-256";

/// Who may ask.
const ASKERS: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Regulator,
];

/// Somebody who has come in.
pub(super) enum Greeted {
    Plain(Box<Connection<TcpStream>>),
    Encrypted(Box<Connection<Shaken<TcpStream>>>),
}

/// Who it is, and by what it is known whether they still are.
pub(super) struct Known {
    pub(super) caller: Caller,
    pub(super) signed_in: Option<SqlSignedIn>,
}

/// Hears a stranger out. `None`: nobody came in.
pub(super) async fn greet(
    house: &Arc<House>,
    stream: TcpStream,
    address: IpAddr,
) -> Option<Greeted> {
    let mut first = [0];
    if stream.peek(&mut first).await.ok()? == 0 {
        return None;
    }
    if first[0] == HANDSHAKE {
        let shaken = house.tls.as_ref()?.shake(stream).await.ok()?;
        return encrypted(house, shaken, address).await;
    }
    let mut peer = Peer::new(stream);
    // Each of the two kinds of encryption may be asked for once.
    for _ in 0..3 {
        match opening(&mut peer).await? {
            Opening::Gss => peer.answer(b'N').await.ok()?,
            Opening::Tls => match &house.tls {
                None => peer.answer(b'N').await.ok()?,
                Some(tls) => {
                    peer.answer(b'S').await.ok()?;
                    let shaken = tls.shake(peer.into_stream()?).await.ok()?;
                    return encrypted(house, shaken, address).await;
                }
            },
            Opening::Cancel { process, secret } => {
                house.interrupt(process, secret);
                return None;
            }
            Opening::Startup { minor, settings } => {
                if house.tls.is_some() && !address.is_loopback() {
                    let told = "only TLS is spoken here: connect with sslmode=require, or better verify-full";
                    return refuse(&mut peer, &Fault::fatal("28000", told)).await;
                }
                let connection = come_in(house, peer, minor, settings, address).await?;
                return Some(Greeted::Plain(Box::new(connection)));
            }
        }
    }
    None
}

async fn encrypted(
    house: &Arc<House>,
    stream: Shaken<TcpStream>,
    address: IpAddr,
) -> Option<Greeted> {
    let mut peer = Peer::new(stream);
    match opening(&mut peer).await? {
        Opening::Startup { minor, settings } => {
            let connection = come_in(house, peer, minor, settings, address).await?;
            Some(Greeted::Encrypted(Box::new(connection)))
        }
        Opening::Cancel { process, secret } => {
            house.interrupt(process, secret);
            None
        }
        Opening::Tls | Opening::Gss => None,
    }
}

async fn opening<S: AsyncRead + AsyncWrite + Unpin>(peer: &mut Peer<S>) -> Option<Opening> {
    loop {
        match peer.opening() {
            Ok(Some(opening)) => return Some(opening),
            Ok(None) => peer.hear().await.ok()?,
            Err(malformed) => return refuse(peer, &malformed.into()).await,
        }
    }
}

async fn refuse<S: AsyncRead + AsyncWrite + Unpin, T>(
    peer: &mut Peer<S>,
    fault: &Fault,
) -> Option<T> {
    peer.out.error("FATAL", fault.code, &fault.told);
    // Whoever does not listen misses nothing.
    let _ = peer.send().await;
    peer.end().await;
    None
}

async fn come_in<S: AsyncRead + AsyncWrite + Unpin>(
    house: &Arc<House>,
    mut peer: Peer<S>,
    minor: u16,
    asked: Vec<(String, String)>,
    address: IpAddr,
) -> Option<Connection<S>> {
    let of = |name: &str| {
        asked
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let user = of("user").unwrap_or_default().to_owned();
    let unknown: Vec<&str> = asked
        .iter()
        .map(|(name, _)| &**name)
        .filter(|name| name.starts_with("_pq_."))
        .collect();
    if minor > 0 || !unknown.is_empty() {
        peer.out.version(&unknown);
    }
    let known = match sign_in(house, &mut peer, &user, address).await {
        Ok(known) => known,
        Err(fault) => return refuse(&mut peer, &fault).await,
    };
    if let Err(fault) = may_ask(&known.caller) {
        return refuse(&mut peer, &fault).await;
    }
    let mut settings = Settings::new(&user, house.bounds.time);
    for (name, value) in &asked {
        let set = match name.as_str() {
            "user" | "database" | "replication" => Ok(None),
            "options" => options(&mut settings, value),
            name if name.starts_with("_pq_.") => Ok(None),
            name => settings.set(name, Some(value.as_str())),
        };
        if let Err(fault) = set {
            let fault = Fault {
                is_fatal: true,
                ..fault
            };
            return refuse(&mut peer, &fault).await;
        }
    }
    settings.begin();
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).ok()?;
    let secret = i32::from_be_bytes(bytes);
    let process = house
        .next
        .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
        & i32::MAX;
    let (interrupt, interrupted) = watch::channel(());
    lock(&house.guests).insert(process, (secret, interrupt));
    peer.trust();
    let connection = Connection::new(
        Arc::clone(house),
        peer,
        known,
        settings,
        process,
        interrupted,
    );
    connection.welcome(secret).await
}

/// Who may ask: those whose work it is. What each of them sees is another matter.
fn may_ask(caller: &Caller) -> Result<(), Fault> {
    if !caller.may(ASKERS) {
        let told = "your roles ask nothing of the archive";
        return Err(Fault::fatal("42501", told));
    }
    Ok(())
}

/// `-c name=value`, as many as there are; a space in a value stands behind a backslash.
fn options(settings: &mut Settings, text: &str) -> Result<Option<String>, Fault> {
    let mut words = vec![String::new()];
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        let last = words.len() - 1;
        match sign {
            '\\' => words[last].extend(signs.next()),
            ' ' => words.push(String::new()),
            other => words[last].push(other),
        }
    }
    let mut words = words.into_iter().filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let setting = match word.strip_prefix("-c").or(word.strip_prefix("--")) {
            Some("") => words.next().unwrap_or_default(),
            Some(setting) => setting.to_owned(),
            None => {
                return Err(Fault::new(
                    "42601",
                    format!("{word:?} is no option: -c name=value is one"),
                ));
            }
        };
        let (name, value) = setting.split_once('=').unwrap_or((&setting, ""));
        settings.set(name, Some(value))?;
    }
    Ok(None)
}

async fn secret<S: AsyncRead + AsyncWrite + Unpin>(peer: &mut Peer<S>) -> Result<Vec<u8>, Fault> {
    let gone = |_| Fault::fatal("08006", "the connection is gone");
    peer.send().await.map_err(gone)?;
    loop {
        match peer.message()? {
            Some(Message::Secret(secret)) => return Ok(secret),
            Some(_) => return Err(Fault::fatal("08P01", "a proof of who you are is expected")),
            None => peer.hear().await.map_err(gone)?,
        }
    }
}

fn wrong(user: &str) -> Fault {
    Fault::fatal(
        "28P01",
        format!("password authentication failed for user {user:?}"),
    )
}

/// SCRAM-SHA-256, without binding to the channel. What is wrong is not told: neither whether there is such a user.
async fn sign_in<S: AsyncRead + AsyncWrite + Unpin>(
    house: &Arc<House>,
    peer: &mut Peer<S>,
    user: &str,
    address: IpAddr,
) -> Result<Known, Fault> {
    if let Some(caller) = house.users.sql_demo(user, address) {
        return Ok(Known {
            caller,
            signed_in: None,
        });
    }
    if !house.users.sql_may_try(user, address) {
        let told = "too many tries have failed: wait a quarter of an hour";
        return Err(Fault::fatal("28000", told));
    }
    let malformed = || Fault::fatal("08P01", "this is not SCRAM-SHA-256");
    peer.out.ways(&[SCRAM]);
    let first = secret(peer).await?;
    let (way, data) = initial(&first).ok_or_else(malformed)?;
    let first = std::str::from_utf8(data).map_err(|_| malformed())?;
    // "n,," or "y,,": no binding to the channel, and nobody asks for somebody else.
    let bare = first.strip_prefix("n,,").or(first.strip_prefix("y,,"));
    let bare = bare
        .filter(|_| way == SCRAM.as_bytes())
        .ok_or_else(malformed)?;
    let header = &first[..3];
    let nonce = attribute(bare, "r=")
        .filter(|nonce| !nonce.is_empty())
        .ok_or_else(malformed)?;
    let mut random = [0; 18];
    getrandom::fill(&mut random)
        .map_err(|_| Fault::fatal("XX000", "no random bytes from the system"))?;
    let nonce = format!("{nonce}{}", STANDARD.encode(random));
    let (salt, iterations) = house.users.sql_salt(user);
    let challenge = format!("r={nonce},s={},i={iterations}", STANDARD.encode(salt));
    peer.out.proof(11, &challenge);
    let last = secret(peer).await?;
    let last = std::str::from_utf8(&last).map_err(|_| malformed())?;
    let (without_proof, proof) = last.rsplit_once(",p=").ok_or_else(malformed)?;
    let proof = STANDARD.decode(proof).map_err(|_| malformed())?;
    let is_of_this = attribute(without_proof, "r=") == Some(nonce.as_str())
        && attribute(without_proof, "c=").is_some_and(|bound| bound == STANDARD.encode(header));
    if !is_of_this {
        return Err(malformed());
    }
    let messages = format!("{bare},{challenge},{without_proof}");
    let (users, user, proof) = (house.users.clone(), user.to_owned(), proof);
    let checked = tokio::task::spawn_blocking(move || {
        let checked = users.sql_sign_in(&user, &messages, &proof, address);
        checked.map_err(|fault| match fault.code() {
            "not_signed_in" => wrong(&user),
            "too_many_tries" => Fault::fatal("28000", fault.to_string()),
            _ => Fault::fatal("58000", fault.to_string()),
        })
    });
    let checked = checked
        .await
        .map_err(|_| Fault::fatal("XX000", "the proof could not be checked"))?;
    let signed_in = checked?;
    peer.out
        .proof(12, &format!("v={}", STANDARD.encode(signed_in.proof)));
    Ok(Known {
        caller: signed_in.caller.clone(),
        signed_in: Some(signed_in),
    })
}

/// The way that a client chooses, and its first message.
fn initial(body: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = body.iter().position(|byte| *byte == 0)?;
    let (way, rest) = (&body[..end], &body[end + 1..]);
    let (length, data) = rest.split_first_chunk()?;
    let length = usize::try_from(i32::from_be_bytes(*length)).ok()?;
    (data.len() == length).then_some((way, data))
}

/// The value of an attribute in a message of SCRAM.
fn attribute<'a>(message: &'a str, name: &str) -> Option<&'a str> {
    message.split(',').find_map(|part| part.strip_prefix(name))
}
