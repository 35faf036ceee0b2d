//! A map by property and table, asked by name without making a key.

use std::collections::BTreeMap;

/// A map by property and table, in their order.
#[derive(Debug)]
pub(crate) struct ByTable<T>(BTreeMap<String, BTreeMap<String, T>>);

impl<T> Default for ByTable<T> {
    fn default() -> ByTable<T> {
        ByTable(BTreeMap::new())
    }
}

impl<T> ByTable<T> {
    pub(crate) fn len(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.values().all(BTreeMap::is_empty)
    }

    pub(crate) fn get(&self, property: &str, table: &str) -> Option<&T> {
        self.0.get(property)?.get(table)
    }

    pub(crate) fn insert(&mut self, property: String, table: String, value: T) {
        self.0.entry(property).or_default().insert(table, value);
    }

    /// What there is, or else what `new` gives.
    pub(crate) fn get_or_insert_with(
        &mut self,
        property: &str,
        table: &str,
        new: impl FnOnce() -> T,
    ) -> &mut T {
        // Asked twice, because a found borrow cannot be given back and inserted after.
        if self.get(property, table).is_none() {
            self.insert(property.to_owned(), table.to_owned(), new());
        }
        self.0
            .get_mut(property)
            .and_then(|tables| tables.get_mut(table))
            .expect("it was found or inserted")
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.0.values().flat_map(BTreeMap::values)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.values_mut().flat_map(BTreeMap::values_mut)
    }

    /// Takes out what `is_due` says, with its property and table.
    pub(crate) fn take_if(&mut self, is_due: impl Fn(&T) -> bool) -> Vec<(String, String)> {
        let mut taken = Vec::new();
        for (property, tables) in &mut self.0 {
            let due = tables.extract_if(.., |_, value| is_due(value));
            taken.extend(due.map(|(table, _)| (property.clone(), table)));
        }
        taken
    }
}
