//! The most frequent values in a file.

#[derive(Debug)]
pub(crate) struct Majority<T> {
    counts: Vec<(T, usize)>,
}

impl<T> Default for Majority<T> {
    fn default() -> Majority<T> {
        Majority { counts: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Majority<T> {
    pub(crate) fn add(&mut self, value: T) {
        match self.counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((value, 1)),
        }
    }

    /// Returns the most frequent value; in a tie, the first one.
    pub(crate) fn value(&self) -> Option<T> {
        let most = self.counts.iter().map(|(_, count)| *count).max()?;
        self.counts.iter().find(|(_, count)| *count == most).map(|(value, _)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::Majority;

    #[test]
    fn a_tie_goes_to_the_first_value() {
        let mut counts = Majority::default();
        assert_eq!(counts.value(), None);
        for value in [4, 2, 2, 4, 8] {
            counts.add(value);
        }
        assert_eq!(counts.value(), Some(4));
        counts.add(2);
        assert_eq!(counts.value(), Some(2));
    }
}
