//! A search for the names that misspelt ones may mean.

use std::cell::Cell;

/// Finds the names that misspelt ones may mean within a budget: a person corrects some typos and runs again, and each
/// look-up compares with every name. [`BUDGET`] names are compared in a run, eight look-ups among five thousand; after
/// that nothing is near.
#[derive(Debug)]
pub struct Suggester {
    left: Cell<usize>,
}

/// Number of names that a [`Suggester`] compares. The last look-up is not interrupted.
pub const BUDGET: usize = 40_000;

impl Default for Suggester {
    fn default() -> Suggester {
        Suggester { left: Cell::new(BUDGET) }
    }
}

impl Suggester {
    /// Returns the candidate nearest to `name`, as [`nearest`] finds it; `None` once the budget is used up. The
    /// candidates are not iterated then, so collect them lazily.
    pub fn nearest<'a>(&self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        let mut left = self.left.get();
        if left == 0 {
            return None;
        }
        let found = nearest(name, candidates.into_iter().inspect(|_| left = left.saturating_sub(1)));
        self.left.set(left);
        found
    }
}

/// Returns the candidate nearest to `name` if it is near enough to be a typo: at most a third of the letters away,
/// letter case aside. The first of equally near ones is returned. A single letter is near to nothing else. For names
/// that a template declares use a [`Suggester`], which bounds the work of a run.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let (lower, count) = (name.to_lowercase(), name.chars().count());
    let letters = Letters::of(&lower);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let bound = match count {
            0..3 => candidate.len() / 3,
            len => len / 3,
        };
        let is_longer = candidate.len().abs_diff(name.len()) > in_bytes(bound, name, candidate);
        if candidate == name || is_longer || candidate.len() > MAX_LEN || letters.differ(candidate, bound) {
            continue;
        }
        // Insertions, deletions, replacements, and swaps of neighbours.
        let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
        if distance <= bound && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns `true` if two names have the same digits: those with other numbers are other names, such as `us-east-1` and
/// `us-east-2`.
pub fn has_same_digits(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    digits(one) == digits(other)
}

/// Returns the candidate of which `name` is a typo, if any: equal but for letter case, else at most two insertions,
/// deletions, replacements or swaps away, one for names of up to four letters. The nearest, the first of equally near
/// ones. Narrower than [`nearest`]: for names that may be right all the same.
pub fn slip<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let most = if name.chars().count() <= 4 { 1 } else { 2 };
    let letters = Letters::of(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let is_longer = candidate.len().abs_diff(name.len()) > in_bytes(most, name, candidate);
        if candidate == name || is_longer || candidate.len() > MAX_LEN || letters.differ(candidate, most) {
            continue;
        }
        let distance = if candidate.eq_ignore_ascii_case(name) { 0 } else { strsim::osa_distance(name, candidate) };
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours between two names, letter case aside.
pub fn edits(one: &str, other: &str) -> usize {
    strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase())
}

/// The letters of a name, letter case aside: an edit adds or removes at most one. Comparing them takes far less time
/// than counting edits, and most names differ in too many.
struct Letters(Option<u128>);

impl Letters {
    /// Returns the letters of an ASCII name; of others nothing is known.
    fn of(name: &str) -> Letters {
        let bit = |byte: u8| 1 << byte.to_ascii_lowercase();
        Letters(name.is_ascii().then(|| name.bytes().fold(0, |found, byte| found | bit(byte))))
    }

    /// Returns `true` when the letters alone show that more than `most` edits are between the name and a candidate.
    fn differ(&self, candidate: &str, most: usize) -> bool {
        self.0.zip(Letters::of(candidate).0).is_some_and(|(own, other)| {
            let missing = (own & !other).count_ones().max((other & !own).count_ones());
            missing as usize > most
        })
    }
}

/// Returns the most bytes of a number of letters: one each in ASCII, up to four elsewhere.
fn in_bytes(letters: usize, name: &str, candidate: &str) -> usize {
    if name.is_ascii() && candidate.is_ascii() { letters } else { letters * 4 }
}

/// Longer names are not compared: nobody misspells them by hand, and the cost is quadratic.
const MAX_LEN: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_only() {
        let names = ["Bucket", "BucketPolicy", "Queue"];
        assert_eq!(nearest("Bukcet", names), Some("Bucket"));
        assert_eq!(nearest("bucketpolicy", names), Some("BucketPolicy"));
        assert_eq!(nearest("Table", names), None);
        assert_eq!(nearest("x", ["T", "X"]), Some("X"));
        assert_eq!(nearest("Rf", ["If", "Ref"]), Some("Ref"));
    }

    #[test]
    fn slips_are_nearer_than_near_names() {
        let values = ["Enabled", "Disabled", "gp2", "gp3"];
        assert_eq!(slip("enabled", values), Some("Enabled"));
        assert_eq!(slip("Enabeld", values), Some("Enabled"));
        assert_eq!(slip("gp4", values), Some("gp2"));
        assert_eq!(slip("Off", values), None);
        assert_eq!(slip("able", values), None);
    }

    #[test]
    fn letters_hide_no_name_that_is_near() {
        let mut words = vec![String::new()];
        for at in 0..200 {
            let word = words[at].clone();
            words.extend(["a", "B", "1", "é", "\u{212a}"].map(|letter| format!("{word}{letter}")));
        }
        for name in words.iter().map(|name| name.to_lowercase()) {
            let letters = Letters::of(&name);
            for candidate in &words {
                let distance = strsim::osa_distance(&name, &candidate.to_lowercase());
                assert!(!letters.differ(candidate, distance), "{name} {candidate}");
            }
        }
    }

    #[test]
    fn a_run_compares_a_bounded_number_of_names() {
        let names: Vec<String> = (0..5000).map(|number| format!("Bucket{number}")).collect();
        let (suggester, compared) = (Suggester::default(), Cell::new(0));
        let look_up = || {
            let names = names.iter().inspect(|_| compared.set(compared.get() + 1));
            suggester.nearest("Bukcet7", names.map(String::as_str)).is_some()
        };
        let found = (0..5000).filter(|_| look_up()).count();
        assert_eq!((found, compared.get()), (8, BUDGET));
    }
}
