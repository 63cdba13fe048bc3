//! The export that an import is probably meant to name.

use formwork_base::suggest;

use crate::name::{Name, Part};

/// Characters that separate the words of a name.
const SEPARATORS: [char; 5] = ['-', ':', '.', '/', '_'];

/// Returns `true` if the names differ by a slip: expressions aside, their characters are near to each other and have the
/// same digits. A name of which little is known is near to none.
pub(crate) fn is_near(name: &Name, other: &Name) -> bool {
    match (name.text(), other.text()) {
        (Some(one), Some(other)) => are_near(one, other),
        (None, None) => patterns(name, other),
        (Some(text), None) => in_text(text, other),
        (None, Some(text)) => in_text(text, name),
    }
}

fn are_near(one: &str, other: &str) -> bool {
    let is_one_letter = || {
        // The last letter often counts: subnets A and B.
        let (mut one, mut other) = (one.chars(), other.chars());
        let last = (one.next_back(), other.next_back());
        one.as_str() == other.as_str() && matches!(last, (Some(a), Some(b)) if a.is_uppercase() && b.is_uppercase())
    };
    let most = if one.chars().count() < 10 { 1 } else { 2 };
    let is_slip = suggest::slip(one, [other]).is_some() && suggest::edits(one, other) <= most;
    is_slip && one.chars().count() > 3 && suggest::has_same_digits(one, other) && !is_one_letter()
}

/// Two patterns are near when their expressions are in the same places, and what is between them is near.
fn patterns(one: &Name, other: &Name) -> bool {
    if one.parts().len() != other.parts().len() {
        return false;
    }
    let mut is_changed = false;
    for pair in one.parts().iter().zip(other.parts()) {
        match pair {
            (Part::Unknown(_), Part::Unknown(_)) => {}
            (Part::Text(one), Part::Text(other)) if one == other => {}
            (Part::Text(one), Part::Text(other)) if !is_changed && are_near(one, other) => is_changed = true,
            _ => return false,
        }
    }
    is_changed
}

/// A known name is near to a pattern with one expression at an end when it is near behind, or in front of, one of its
/// separators.
fn in_text(text: &str, pattern: &Name) -> bool {
    let places =
        |first: Option<char>| text.char_indices().filter(move |(_, c)| SEPARATORS.contains(c) && first == Some(*c));
    match pattern.parts() {
        [Part::Unknown(_), Part::Text(end)] => {
            let mut places = places(end.chars().next());
            places.any(|(at, _)| at > 0 && text.get(at..).is_some_and(|own| are_near(own, end)))
        }
        [Part::Text(start), Part::Unknown(_)] => {
            let mut places = places(start.chars().next_back());
            places.any(|(at, c)| text.get(..at + c.len_utf8()).is_some_and(|own| are_near(own, start)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(parts: &[&str]) -> Name {
        let mut name = Name::default();
        for part in parts {
            match part.strip_prefix('$') {
                Some(expression) => name.push_unknown(expression),
                None => name.push_text(part),
            }
        }
        name
    }

    #[test]
    fn slips_are_near_and_siblings_are_not() {
        for (one, other) in [("shop-topic", "shop-topc"), ("shop-topic", "shpo-topic"), ("SubnetIds", "subnetids")] {
            assert!(is_near(&Name::known(one), &Name::known(other)), "{one}, {other}");
        }
        for (one, other) in [
            ("shop-topic", "shop-topic"),
            ("subnet-1", "subnet-2"),
            ("SubnetA", "SubnetB"),
            ("vpc", "vpn"),
            ("shop-queue", "shop-topic"),
        ] {
            assert!(!is_near(&Name::known(one), &Name::known(other)), "{one}, {other}");
        }
    }

    #[test]
    fn expressions_are_compared_with_the_words_around_them() {
        let stage = pattern(&["$Stage", "-topic"]);
        assert!(is_near(&pattern(&["$Env", "-topc"]), &stage));
        assert!(is_near(&Name::known("dev-topc"), &stage) && is_near(&stage, &Name::known("dev-topc")));
        assert!(!is_near(&pattern(&["$Env", "-queue"]), &stage) && !is_near(&Name::known("topc"), &stage));
        assert!(is_near(&Name::known("shp-dev"), &pattern(&["shop-", "$Stage"])));
        assert!(!is_near(&pattern(&["$Name"]), &pattern(&["$Other"])));
    }
}
