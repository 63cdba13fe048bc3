//! Similar words, except for those with the opposite effect.

use formwork::suggest::nearest;

/// Words that change a stack or files, or turn a protection off. They are only suggested for a single typing error.
pub(super) const CHANGING: [&str; 18] = [
    "delete",
    "deploy",
    "sync",
    "--yes",
    "--execute-change-set",
    "--force-empty-buckets",
    "--force-upload",
    "--replace-failed",
    "--cancel-on-interrupt",
    "--disable-rollback",
    "--no-verify-ssl",
    "--no-confirm-changeset",
    "--no-memory-limit",
    "--no-suppress",
    "--exit-zero",
    "--allow-unresolved",
    "--fix",
    "--unsafe-fixes",
];

/// The candidate of which `word` is a misspelling. A word with `no-` is only similar to one with it.
pub(crate) fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_negative = |word: &str| word.starts_with("--no-") || word.starts_with("--disable-");
    let is_alike = |candidate: &&str| is_negative(candidate) == is_negative(word);
    // `--live` calls AWS.
    let is_safe =
        |candidate: &&str| !CHANGING.contains(candidate) && *candidate != "--live" || is_one_slip(word, candidate);
    // A third of its letters may differ, not counting the dashes of options.
    let (name, safe) = (bare(word), candidates.into_iter().filter(is_alike).filter(is_safe).collect::<Vec<_>>());
    let found = nearest(name, safe.iter().map(|candidate| bare(candidate))).or_else(|| {
        // The rest of the word is missing: `--resolve`.
        let goes_on = |rest: &str| rest.starts_with('-') && name.len() >= 4;
        let longer = safe.iter().map(|candidate| bare(candidate));
        longer.filter(|candidate| candidate.strip_prefix(name).is_some_and(goes_on)).min_by_key(|one| one.len())
    })?;
    safe.into_iter().find(|candidate| bare(candidate) == found)
}

fn bare(word: &str) -> &str {
    word.trim_start_matches('-')
}

/// The word of another tool of which `word` is a misspelling: with a single typing error and at least four letters,
/// since there are many such words.
pub(crate) fn near_foreign<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_one = |candidate: &&str| candidate.trim_start_matches('-').len() >= 4 && is_one_slip(word, candidate);
    near(word, candidates.into_iter().filter(is_one))
}

/// Returns `true` if one letter is missing, added or replaced, or two neighbours are swapped.
fn is_one_slip(word: &str, meant: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (word.to_lowercase().chars().collect(), meant.chars().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[start..a.len() - end], &b[start..b.len() - end]) {
        ([] | [_], [] | [_]) => true,
        ([first, second], [one, other]) => first == other && second == one,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_slip_leads_to_a_change() {
        let commands = ["delete", "deploy", "explain", "expand", "check", "sync"];
        for (word, want) in [
            ("delte", Some("delete")),
            ("dleete", Some("delete")),
            ("depoly", Some("deploy")),
            ("dploy", Some("deploy")),
            ("Deploy", Some("deploy")),
            ("destory", None),
            ("employ", None),
            ("explian", Some("explain")),
            ("chekc", Some("check")),
            ("expnd", Some("expand")),
        ] {
            assert_eq!(near(word, commands), want, "{word}");
        }
    }

    #[test]
    fn words_of_other_tools_are_near_after_one_slip() {
        let foreign = ["convert", "doc", "destroy", "--yaml", "--json"];
        for (word, want) in [
            ("context", None),
            ("dot", None),
            ("--fail", None),
            ("destory", Some("destroy")),
            ("convet", Some("convert")),
            ("--jsn", Some("--json")),
        ] {
            assert_eq!(near_foreign(word, foreign), want, "{word}");
        }
    }

    #[test]
    fn the_opposite_is_not_near() {
        let options = ["--no-execute", "--resolve-s3", "--no-resolve-s3", "--no-verify-ssl", "--watch", "--strict"];
        for (word, want) in [
            ("--execute", None),
            ("--no-reslve-s3", Some("--no-resolve-s3")),
            ("--reslve-s3", Some("--resolve-s3")),
            ("--verify-ssl", None),
            ("--no-verify", None),
            ("--no-wtch", None),
            ("--service", None),
            ("--resolve", Some("--resolve-s3")),
        ] {
            assert_eq!(near(word, options), want, "{word}");
        }
    }
}
