//! Who verified a prize from a meter, and who could not have it yet.

use catwalk_events::Role;
use catwalk_events::body::{Irregularity, JackpotPaid};

use super::wording::Words;

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
/// Some name it so, others say it in the detail or the ruling.
pub(super) fn is_deferral(told: &Irregularity) -> bool {
    let lacks_id = |words: &Words| {
        words.any(&["id", "identification"])
            && words.any(&["no", "without", "missing", "invalid", "lacks"])
    };
    let kind = Words::of(&[&told.kind]);
    let detail = told.detail.as_ref().map(|detail| detail.value());
    let detail = detail.unwrap_or_default().to_string();
    let all = Words::of(&[&told.kind, &detail, &told.ruling]);
    lacks_id(&kind) || lacks_id(&all) && all.any(&["cage"])
}

/// Does the award of this seat wait there? A feed may name its seat or nobody.
pub(super) fn is_deferred(told: &Irregularity, seat: u32) -> bool {
    is_deferral(told) && seat_of(told).is_none_or(|named| named == seat)
}

/// The seat that an irregularity names.
pub(super) fn seat_of(told: &Irregularity) -> Option<u32> {
    let detail = told.detail.as_ref()?.value();
    let seat = detail.get("seat").unwrap_or(&detail).as_u64()?;
    u32::try_from(seat).ok()
}
