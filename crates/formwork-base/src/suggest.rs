//! Near names for misspelt ones.

/// The candidate nearest to `name`, if one is near enough to be a slip of the keys: at most a
/// third of its letters away, letter case aside. The first of equally near ones wins. A single letter
/// is near to nothing else.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LEN {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let bound = match name.chars().count() {
            0..3 => candidate.len() / 3,
            len => len / 3,
        };
        let is_longer = candidate.len().abs_diff(name.len()) > bound * 4;
        if candidate == name || is_longer || candidate.len() > MAX_LEN {
            continue;
        }
        // Insertions, deletions, replacements, and swaps of neighbours.
        let distance = strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
        if distance <= bound && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
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
}
