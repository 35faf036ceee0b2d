//! The settlement of a round while it is being made, one slip a wager.

use super::checks::Checked;
use super::document::Wager;
use crate::settlement::Settled;

#[derive(Debug)]
pub(crate) struct Slips<'a> {
    wagers: &'a [Wager],
    settled: Vec<Option<Settled>>,
}

impl<'a> Slips<'a> {
    /// Refused wagers go back at once.
    pub(crate) fn new(wagers: &'a [Wager], checked: &Checked) -> Slips<'a> {
        let settled = wagers
            .iter()
            .zip(&checked.refused)
            .map(|(wager, refused)| refused.then(|| Settled::void(wager)))
            .collect();
        Slips { wagers, settled }
    }

    /// The wagers that nothing has decided yet.
    pub(crate) fn undecided(&self) -> Vec<(usize, &'a Wager)> {
        let slips = self.wagers.iter().zip(&self.settled).enumerate();
        slips
            .filter(|(_, (_, settled))| settled.is_none())
            .map(|(index, (wager, _))| (index, wager))
            .collect()
    }

    /// The undecided wagers that have a turn, in the order of their turns.
    pub(crate) fn in_order<T: Ord>(
        &self,
        turn: impl Fn(&Wager) -> Option<T>,
    ) -> Vec<(usize, &'a Wager)> {
        let mut wagers = self.undecided();
        wagers.retain(|(_, wager)| turn(wager).is_some());
        wagers.sort_by_key(|(_, wager)| turn(wager));
        wagers
    }

    pub(crate) fn put(&mut self, index: usize, settled: Settled) {
        self.settled[index] = Some(settled);
    }

    /// Wagers that were decided, with how.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&'a Wager, &Settled)> {
        let slips = self.wagers.iter().zip(&self.settled);
        slips.filter_map(|(wager, settled)| Some((wager, settled.as_ref()?)))
    }

    /// What nothing decided goes back.
    pub(crate) fn finish(self) -> Vec<Settled> {
        self.wagers
            .iter()
            .zip(self.settled)
            .map(|(wager, settled)| settled.unwrap_or_else(|| Settled::void(wager)))
            .collect()
    }
}
