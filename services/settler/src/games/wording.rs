//! What people write in their own words.

/// The words of texts, or of names that are written with underscores.
pub(super) struct Words(Vec<String>);

impl Words {
    pub(super) fn of(texts: &[&str]) -> Words {
        let words = texts
            .iter()
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        Words(words.map(str::to_lowercase).collect())
    }

    pub(super) fn any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Is there nothing else in it?
    pub(super) fn are_all(&self, words: &[&str]) -> bool {
        let mut said = self.0.iter().filter(|word| !word.is_empty());
        said.all(|word| words.contains(&word.as_str()))
    }

    /// Does it say what is, and neither what is not nor what may be?
    pub(super) fn is_plain(&self) -> bool {
        !self.any(&["not", "or", "if", "unless"])
    }
}
