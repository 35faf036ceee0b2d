//! Where a name leads to, and where nothing is ever sent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use super::NotTold;

/// Where clouds answer for the secrets of a machine, beside the link-local addresses.
const METADATA: [IpAddr; 7] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(192, 0, 0, 192)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42)),
];

/// Whether letters may go there: to no link-local, metadata, multicast or unspecified address, however it is written.
fn is_allowed(address: IpAddr) -> bool {
    let address = match address {
        IpAddr::V6(six) => embedded(six).map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    };
    let is_local = match address {
        IpAddr::V4(four) => four.is_link_local() || four.is_broadcast() || four.octets()[0] == 0,
        IpAddr::V6(six) => six.is_unicast_link_local(),
    };
    !(is_local || address.is_multicast() || address.is_unspecified() || METADATA.contains(&address))
}

/// The IPv4 address within one of IPv6: mapped, translated, compatible, NAT64 (of everybody, and of one's own), 6to4,
/// Teredo, or ISATAP.
fn embedded(six: Ipv6Addr) -> Option<Ipv4Addr> {
    let four = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match six.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0 | 1, .., high, low]
        | [_, _, _, _, 0 | 0x200, 0x5efe, high, low]
        | [0x2002, high, low, ..] => four(high, low),
        // Whose address it is stands there in its opposite.
        [0x2001, 0, .., high, low] => four(!high, !low),
        _ => None,
    }
}

fn refuse(name: &str, address: IpAddr) -> String {
    format!("{name} leads to {address}, a link-local or metadata address, to which nothing is sent")
}

/// The addresses of a host. Whoever connects to one of them, and asks for no name again, goes nowhere else.
pub(super) fn resolve(host: &str, port: u16) -> Result<Vec<SocketAddr>, NotTold> {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found = (bare, port).to_socket_addrs();
    let found: Vec<SocketAddr> = found
        .map_err(|error| NotTold::out_of_reach(format!("{host}: {error}")))?
        .collect();
    match found.iter().find(|address| !is_allowed(address.ip())) {
        Some(address) => Err(NotTold::out_of_reach(refuse(host, address.ip()))),
        None if found.is_empty() => Err(NotTold::out_of_reach(format!("{host}: no address"))),
        None => Ok(found),
    }
}

/// The same for HTTP: what it gives is what is connected to.
#[derive(Debug, Default)]
pub(super) struct Checked(DefaultResolver);

impl Resolver for Checked {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        match found.iter().find(|address| !is_allowed(address.ip())) {
            Some(address) => {
                let why = refuse(uri.host().unwrap_or_default(), address.ip());
                Err(ureq::Error::Io(std::io::Error::other(why)))
            }
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_to_a_link_local_or_metadata_address_however_it_is_written() {
        for address in [
            "169.254.169.254",
            "169.254.0.1",
            "100.100.100.200",
            "0.0.0.0",
            "0.1.2.3",
            "224.0.0.1",
            "255.255.255.255",
            "fe80::1",
            "febf::1",
            "::",
            "ff02::1",
            "fd00:ec2::254",
            "fd20:ce::254",
            "fd00:c1::a9fe:a9fe",
            "fd00:42::42",
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "::ffff:0:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::a9fe:a9fe",
            "2001:0:4136:e378:8000:63bf:5601:5601",
            "fd12::5efe:a9fe:a9fe",
            "2002:a9fe:a9fe::1",
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert!(!is_allowed(address), "{address}");
        }
        for address in [
            "127.0.0.1",
            "::1",
            "10.1.2.3",
            "192.168.7.1",
            "fd12::1",
            "2001:db8::1",
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert!(is_allowed(address), "{address}");
        }
        assert!(resolve("169.254.169.254", 80).is_err());
        assert!(resolve("[::ffff:a9fe:a9fe]", 80).is_err());
        // A name that a system resolves as a number is a number.
        assert!(resolve("2852039166", 80).is_err());
        assert!(resolve("localhost", 80).is_ok());
    }
}
