//! Who verified a prize from a meter.

use catwalk_events::Role;
use catwalk_events::body::JackpotPaid;

/// Was it verified by the floor, and by surveillance too where the rules want both?
pub(super) fn is_verified(paid: &JackpotPaid, by_surveillance_too: bool) -> bool {
    let people = || [&paid.by, &paid.witness].into_iter().flatten();
    let by_floor = people().any(|person| supervises(person.role));
    let watched = people().any(|person| person.role == Role::Surveillance);
    by_floor && (watched || !by_surveillance_too)
}

/// Does the event say who verified it at all?
pub(super) fn tells_people(paid: &JackpotPaid) -> bool {
    paid.by.is_some() || paid.witness.is_some()
}

fn supervises(role: Role) -> bool {
    matches!(
        role,
        Role::Floorperson | Role::Supervisor | Role::PitBoss | Role::ShiftManager
    )
}
