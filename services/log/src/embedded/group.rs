//! Who holds which partition, within one process.
//!
//! A partition changes hands in two steps, so that nobody works on it twice: its holder learns that it
//! is revoked, and gives it up at the poll after; only then can another take it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Partition, Topic};

pub(super) type MemberId = u64;

#[derive(Debug)]
pub(super) struct Group {
    pub(super) inputs: Vec<Topic>,
    partitions: Vec<Partition>,
    members: BTreeMap<MemberId, Member>,
}

#[derive(Debug)]
struct Member {
    name: String,
    held: BTreeSet<Partition>,
    /// Those of `held` that the member knows to be revoked.
    leaving: BTreeSet<Partition>,
}

impl Group {
    pub(super) fn new(inputs: Vec<Topic>, partitions: Vec<Partition>) -> Group {
        Group {
            inputs,
            partitions,
            members: BTreeMap::new(),
        }
    }

    /// Lets a member in. One of the same name is out from now on.
    pub(super) fn join(&mut self, id: MemberId, name: &str) {
        self.members.retain(|_, member| member.name != name);
        let member = Member {
            name: name.to_owned(),
            held: BTreeSet::new(),
            leaving: BTreeSet::new(),
        };
        self.members.insert(id, member);
    }

    pub(super) fn leave(&mut self, id: MemberId) {
        self.members.remove(&id);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub(super) fn has(&self, id: MemberId) -> bool {
        self.members.contains_key(&id)
    }

    pub(super) fn holds(&self, id: MemberId, partition: Partition) -> bool {
        let member = self.members.get(&id);
        member.is_some_and(|member| member.held.contains(&partition))
    }

    pub(super) fn held(&self, id: MemberId) -> Vec<Partition> {
        let member = self.members.get(&id);
        member.map_or_else(Vec::new, |member| member.held.iter().copied().collect())
    }

    /// Gives up what was revoked the last time, and says whether that was anything.
    pub(super) fn give_up(&mut self, id: MemberId) -> bool {
        let Some(member) = self.members.get_mut(&id) else {
            return false;
        };
        let leaving = std::mem::take(&mut member.leaving);
        member.held.retain(|partition| !leaving.contains(partition));
        !leaving.is_empty()
    }

    /// Revokes what the member holds beyond its share.
    pub(super) fn revoke(&mut self, id: MemberId) -> Vec<Partition> {
        let share = self.share(id);
        let Some(member) = self.members.get_mut(&id) else {
            return Vec::new();
        };
        member.leaving = member.held.difference(&share).copied().collect();
        member.leaving.iter().copied().collect()
    }

    /// Takes what is the member's share and nobody holds.
    pub(super) fn take(&mut self, id: MemberId) {
        let free = self.share(id).into_iter().filter(|partition| {
            let mut members = self.members.values();
            !members.any(|member| member.held.contains(partition))
        });
        let free: Vec<Partition> = free.collect();
        if let Some(member) = self.members.get_mut(&id) {
            member.held.extend(free);
        }
    }

    /// What a member should hold: all members the same number, give or take one, and each as much as
    /// can be of what it holds already.
    fn share(&self, id: MemberId) -> BTreeSet<Partition> {
        let Some(each) = self.partitions.len().checked_div(self.members.len()) else {
            return BTreeSet::new();
        };
        let with_one_more = self.partitions.len() % self.members.len();
        let mut order: Vec<(&MemberId, &Member)> = self.members.iter().collect();
        order.sort_by_key(|(_, member)| std::cmp::Reverse(member.held.len()));

        let quota = |place: usize| each + usize::from(place < with_one_more);
        let mut shares: Vec<BTreeSet<Partition>> = order
            .iter()
            .enumerate()
            .map(|(place, (_, member))| member.held.iter().take(quota(place)).copied().collect())
            .collect();
        let kept: BTreeSet<Partition> = shares.iter().flatten().copied().collect();
        let mut free = self.partitions.iter().filter(|p| !kept.contains(*p));
        for (place, share) in shares.iter_mut().enumerate() {
            let missing = quota(place) - share.len();
            share.extend(free.by_ref().take(missing));
        }
        let place = order.iter().position(|(member, _)| **member == id);
        place.map_or_else(BTreeSet::new, |place| std::mem::take(&mut shares[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(partitions: u32) -> Group {
        let all = (0..partitions).map(|index| Topic::FloorEvents.partition(index));
        Group::new(vec![Topic::FloorEvents], all.collect())
    }

    /// What a member does when it polls until nothing changes.
    fn polls(group: &mut Group, id: MemberId) {
        group.give_up(id);
        if group.revoke(id).is_empty() {
            group.take(id);
        }
    }

    fn counts(group: &Group, ids: &[MemberId]) -> Vec<usize> {
        ids.iter().map(|id| group.held(*id).len()).collect()
    }

    #[test]
    fn nothing_is_taken_before_it_is_given_up() {
        let mut group = group(4);
        group.join(1, "one");
        polls(&mut group, 1);
        group.join(2, "two");
        polls(&mut group, 2);
        assert_eq!(counts(&group, &[1, 2]), [4, 0]);
        polls(&mut group, 1);
        polls(&mut group, 2);
        assert_eq!(counts(&group, &[1, 2]), [4, 0], "revoked, not given up");
        polls(&mut group, 1);
        polls(&mut group, 2);
        assert_eq!(counts(&group, &[1, 2]), [2, 2]);
    }

    #[test]
    fn who_stays_keeps_what_it_has() {
        let mut group = group(7);
        for id in 1..=3 {
            group.join(id, &id.to_string());
            for _ in 0..3 {
                (1..=id).for_each(|id| polls(&mut group, id));
            }
        }
        assert_eq!(counts(&group, &[1, 2, 3]).iter().sum::<usize>(), 7);
        let before = [group.held(1), group.held(3)];
        group.leave(2);
        for _ in 0..3 {
            polls(&mut group, 1);
            polls(&mut group, 3);
        }
        for (before, id) in before.iter().zip([1, 3]) {
            let after = group.held(id);
            assert!(before.iter().all(|partition| after.contains(partition)));
        }
        assert_eq!(counts(&group, &[1, 3]).iter().sum::<usize>(), 7);
    }

    #[test]
    fn more_workers_than_partitions_leave_some_idle() {
        let mut group = group(1);
        group.join(1, "one");
        group.join(2, "two");
        polls(&mut group, 2);
        polls(&mut group, 1);
        polls(&mut group, 2);
        assert_eq!(counts(&group, &[1, 2]).iter().sum::<usize>(), 1);
    }

    #[test]
    fn a_namesake_takes_the_place() {
        let mut group = group(2);
        group.join(1, "one");
        polls(&mut group, 1);
        group.join(2, "one");
        polls(&mut group, 2);
        assert!(!group.has(1));
        assert_eq!(counts(&group, &[1, 2]), [0, 2]);
    }
}
