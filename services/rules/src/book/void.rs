//! How much of a round is void by what went wrong in it.

use super::Layout;

/// How much of a round is void. The worse of two is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Void {
    Nothing,
    /// The wagers against the house; those on the player's cards are settled.
    Contest,
    /// The same by the supervisor's choice, who pays what stands by the game's own tables.
    ContestByChoice,
    Total,
}

/// What an entry of the irregularities says that decides it.
#[derive(Clone, Copy, Debug)]
pub struct Mishap<'a> {
    pub code: &'a str,
    /// Cards found face up.
    pub face_up: u64,
    /// All had their cards when they were found.
    pub is_late: bool,
    /// The supervisor lets the wagers stand that the house's hand does not decide.
    pub stands: bool,
}

impl Layout {
    /// How much they void together. What is found face up adds up, and the card that makes it enough decides when.
    pub fn voided(&self, mishaps: &[Mishap<'_>]) -> Void {
        let single = mishaps.iter().map(|mishap| self.voided_by(mishap));
        single
            .chain([self.voided_by_faces(mishaps)])
            .max()
            .unwrap_or(Void::Nothing)
    }

    fn voided_by(&self, mishap: &Mishap<'_>) -> Void {
        let is_in = |voids: &[String]| voids.iter().any(|voiding| voiding == mishap.code);
        match mishap.stands {
            true if is_in(&self.voids) => Void::ContestByChoice,
            false if is_in(&self.voids) => Void::Total,
            _ if is_in(&self.voids_contest) => Void::Contest,
            _ => Void::Nothing,
        }
    }

    fn voided_by_faces(&self, mishaps: &[Mishap<'_>]) -> Void {
        let found = |is_meant: fn(&Mishap<'_>) -> bool| -> u64 {
            let meant = mishaps.iter().filter(|mishap| is_meant(mishap));
            meant.map(|mishap| mishap.face_up).sum()
        };
        match self.face_up_voids {
            Some(enough) if found(|mishap| !mishap.is_late) >= enough => Void::Total,
            Some(enough) if found(|_| true) >= enough => Void::Contest,
            _ => Void::Nothing,
        }
    }
}
