//! Two short tags on one value: the code that they mean.

use std::ops::Range;

use formwork_base::display::shown;
use formwork_base::suggest;

use super::outline::Line;
use crate::function::Known;

/// The longest argument that is shown.
const LONGEST: usize = 100;

/// The code that two tags mean, and the range of both with their argument.
pub(super) struct Meant {
    pub(super) code: String,
    pub(super) range: Range<usize>,
}

/// Returns the meaning of `first` in front of the tag `second` at `offset`; `None` when the argument has several lines.
pub(super) fn meant(text: &str, (first, second): (&str, &str), offset: usize) -> Option<Meant> {
    let line = Line::of(text, offset).range;
    let start = line.start + text.get(line.start..offset)?.rfind(first)?;
    let rest = text.get(offset + second.len()..line.end)?;
    let argument = argument_of(rest)?;
    let inner = argument.trim();
    let name = first.trim_start_matches('!');
    let outer = Known::from_short(name).or_else(|| {
        let names = Known::ALL.iter().map(|known| known.short());
        Known::from_short(suggest::nearest(name, names)?)
    })?;
    let known = Known::from_short(second.trim_start_matches('!'))?;
    let is_short =
        inner.len() <= LONGEST && !inner.contains('`') && !inner.starts_with(['|', '>']) && !inner.is_empty();
    if !is_short {
        return None;
    }
    let call = format!("{second} {}", shown(inner));
    let code = match (outer, known) {
        (Known::Sub | Known::Ref, Known::Ref) => format!("!Ref {}", shown(inner)),
        (Known::Ref | Known::Sub, Known::GetAtt | Known::Sub) | (Known::Condition, Known::Condition) => call,
        (Known::Not, _) => format!("!Not [{call}]"),
        (Known::Split, _) => format!("!Split [\",\", {call}]"),
        (Known::Join, _) => format!("!Join [\",\", {call}]"),
        (Known::Select, _) => format!("!Select [0, {call}]"),
        (Known::Cidr, _) => format!("!Cidr [{call}, 1, 8]"),
        (Known::Base64 | Known::ImportValue | Known::GetAZs | Known::Length | Known::ToJsonString, _) => {
            format!("{{\"{}\": {call}}}", outer.long())
        }
        _ => return None,
    };
    Some(Meant { code, range: start..offset + second.len() + argument.len() })
}

/// Returns the argument of a tag at the start of a text: up to the end of its brackets or quotes, or of the element around
/// it.
fn argument_of(rest: &str) -> Option<&str> {
    let start = rest.len() - rest.trim_start().len();
    let text = &rest[start..];
    let first = text.chars().next()?;
    let end = match first {
        '"' | '\'' => text[1..].find(first)? + 2,
        '[' | '{' => closing(text)?,
        _ => {
            let end = text.find([',', ']', '}']).unwrap_or(text.len());
            text[..end].find(" #").unwrap_or(end)
        }
    };
    Some(rest.get(..start + end)?.trim_end())
}

/// Returns the end of a text that begins with a bracket.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tags_are_written_as_one() {
        for (text, want) in [
            ("A: !Not !Equals [!Ref Env, prod]\n", "A: !Not [!Equals [!Ref Env, prod]]\n"),
            ("A: !Sub !Ref Env # x\n", "A: !Ref Env # x\n"),
            ("A: {B: !ImportValue !Sub \"${Env}-a\"}\n", "A: {B: {\"Fn::ImportValue\": !Sub \"${Env}-a\"}}\n"),
            ("A: [!Select !Split [a, b], c]\n", "A: [!Select [0, !Split [a, b]], c]\n"),
            ("A: !GetAZ !Ref Region\n", "A: {\"Fn::GetAZs\": !Ref Region}\n"),
        ] {
            let offset = text.match_indices('!').nth(1).expect("a tag").0;
            let word = |at: usize| text[at..].split(' ').next().expect("a word");
            let first = text.find('!').expect("a tag");
            let meant = meant(text, (word(first), word(offset)), offset).expect("a meaning");
            let mut fixed = text.to_owned();
            fixed.replace_range(meant.range, &meant.code);
            assert_eq!(fixed, want);
        }
        assert!(super::meant("A: !Base64 !Sub |\n  a\n", ("!Base64", "!Sub"), 11).is_none());
    }
}
