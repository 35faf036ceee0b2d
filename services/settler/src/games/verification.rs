//! Who verified a prize from a meter, and who could not have it yet.

use catwalk_events::Role;
use catwalk_events::body::{Irregularity, JackpotPaid};

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

/// Is an award kept at the cage because its winner could not say who he is? Progressives 6.B of Ohio
pub(super) fn is_deferral(told: &Irregularity) -> bool {
    let words = [
        "no_id",
        "no_identification",
        "without_id",
        "without_valid_id",
    ];
    words.iter().any(|word| told.kind.ends_with(word))
}

/// Does the award of this seat wait there? A feed may name its seat or nobody.
pub(super) fn is_deferred(told: &Irregularity, seat: u32) -> bool {
    let detail = told.detail.as_ref().map(|detail| detail.value());
    let named = detail.and_then(|detail| detail.get("seat").unwrap_or(&detail).as_u64());
    is_deferral(told) && named.is_none_or(|named| named == u64::from(seat))
}
