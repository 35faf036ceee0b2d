//! How often somebody may try to sign in.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// Tries are counted for so long.
const WINDOW: Duration = Duration::from_secs(15 * 60);
/// Of one user from one address.
const AT_A_STATION: u32 = 5;
/// From one address, whatever the users are called. A server that stands before this one is one address.
const FROM_AN_ADDRESS: u32 = 30;
/// Of one user from everywhere. Whoever wants to keep somebody out needs ten addresses for it, and keeps nobody out
/// who is signed in.
const OF_A_USER: u32 = 50;
/// So many counts are kept; the oldest makes room.
const COUNTS: usize = 20_000;
/// What is longer is no user.
const USER_CHARACTERS: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Station(String, IpAddr),
    Address(IpAddr),
    User(String),
}

/// The tries of the last minutes that have failed, or have not ended yet.
#[derive(Debug, Default)]
pub(crate) struct Throttle(HashMap<Who, (u32, Instant)>);

impl Throttle {
    /// Counts a try, or says how long it is to wait for. It counts as failed until it is said to have succeeded, so
    /// that many at once are no way around.
    pub(crate) fn admit(
        &mut self,
        user: &str,
        address: IpAddr,
        now: Instant,
    ) -> Result<(), Duration> {
        let limits = limits(user, address);
        for (who, most) in &limits {
            if let Some((count, since)) = self.0.get(who) {
                let left = WINDOW.saturating_sub(now.saturating_duration_since(*since));
                if *count >= *most && !left.is_zero() {
                    return Err(left);
                }
            }
        }
        for (who, _) in limits {
            self.make_room(now);
            let (count, since) = self.0.entry(who).or_insert((0, now));
            if now.saturating_duration_since(*since) >= WINDOW {
                (*count, *since) = (0, now);
            }
            *count += 1;
        }
        Ok(())
    }

    /// Whether a try would be admitted; none is counted.
    pub(crate) fn may(&self, user: &str, address: IpAddr, now: Instant) -> bool {
        limits(user, address).iter().all(|(who, most)| {
            self.0.get(who).is_none_or(|(count, since)| {
                *count < *most || now.saturating_duration_since(*since) >= WINDOW
            })
        })
    }

    /// The try was none: what it counted for is taken back.
    pub(crate) fn succeeded(&mut self, user: &str, address: IpAddr) {
        for (who, _) in limits(user, address) {
            if matches!(who, Who::Station(..)) {
                self.0.remove(&who);
            } else if let Some((count, _)) = self.0.get_mut(&who) {
                *count = count.saturating_sub(1);
            }
        }
    }

    fn make_room(&mut self, now: Instant) {
        if self.0.len() < COUNTS {
            return;
        }
        let is_on = |since: &Instant| now.saturating_duration_since(*since) < WINDOW;
        self.0.retain(|_, (_, since)| is_on(since));
        if self.0.len() >= COUNTS
            && let Some(oldest) = self.0.iter().min_by_key(|(_, (_, since))| *since)
        {
            let oldest = oldest.0.clone();
            self.0.remove(&oldest);
        }
    }
}

fn limits(user: &str, address: IpAddr) -> [(Who, u32); 3] {
    let user: String = user.chars().take(USER_CHARACTERS).collect();
    // Whoever has one address of IPv6 has 2^64.
    let address = match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            IpAddr::V6(network.into())
        }
        address => address,
    };
    [
        (Who::Station(user.clone(), address), AT_A_STATION),
        (Who::Address(address), FROM_AN_ADDRESS),
        (Who::User(user), OF_A_USER),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    #[test]
    fn a_user_at_a_station_has_five_tries_in_a_quarter_of_an_hour() {
        let (mut throttle, now) = (Throttle::default(), Instant::now());
        for _ in 0..AT_A_STATION {
            assert_eq!(throttle.admit("anna", address(1), now), Ok(()));
        }
        let later = now + Duration::from_secs(60);
        let left = throttle.admit("anna", address(1), later);
        assert_eq!(left, Err(WINDOW - Duration::from_secs(60)));
        assert_eq!(throttle.admit("anna", address(2), later), Ok(()));
        assert_eq!(throttle.admit("bert", address(1), later), Ok(()));
        assert_eq!(throttle.admit("anna", address(1), now + WINDOW), Ok(()));
    }

    #[test]
    fn who_succeeds_has_not_tried() {
        let (mut throttle, now) = (Throttle::default(), Instant::now());
        for _ in 0..OF_A_USER * 2 {
            assert_eq!(throttle.admit("anna", address(1), now), Ok(()));
            throttle.succeeded("anna", address(1));
        }
    }

    #[test]
    fn many_users_from_one_address_and_one_user_from_many_are_stopped_too() {
        let (mut throttle, now) = (Throttle::default(), Instant::now());
        let names: Vec<String> = (0..=FROM_AN_ADDRESS)
            .map(|number| format!("u{number}"))
            .collect();
        let admitted = names
            .iter()
            .filter(|name| throttle.admit(name, address(1), now).is_ok());
        assert_eq!(admitted.count(), FROM_AN_ADDRESS as usize);
        let admitted =
            (2..100u8).filter(|number| throttle.admit("anna", address(*number), now).is_ok());
        assert_eq!(admitted.count(), OF_A_USER as usize);
        let of_a_network = |end: u16| IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, end]);
        let admitted =
            (1..100).filter(|end| throttle.admit("carl", of_a_network(*end), now).is_ok());
        assert_eq!(admitted.count(), AT_A_STATION as usize);
    }

    #[test]
    fn what_is_counted_is_bounded() {
        let (mut throttle, now) = (Throttle::default(), Instant::now());
        for number in 0..COUNTS as u32 / 3 + 40 {
            let address = IpAddr::from(number.to_be_bytes());
            let _ = throttle.admit(&format!("u{number}"), address, now);
            assert!(throttle.0.len() <= COUNTS);
        }
        assert_eq!(throttle.0.len(), COUNTS);
    }
}
