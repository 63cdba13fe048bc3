//! The style of a JSON file.

use super::lex::{Kind, Token, is_spread};
use crate::lines::ending;
use crate::majority::Majority;
use crate::options::{Options, Step};

#[derive(Debug)]
pub(crate) struct Style {
    pub(crate) step: String,
    pub(crate) spaces: Spaces,
    pub(crate) ending: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Spaces {
    braces: bool,
    brackets: bool,
}

impl Spaces {
    pub(crate) fn inside(self, is_brace: bool) -> &'static str {
        if if is_brace { self.braces } else { self.brackets } { " " } else { "" }
    }

    /// Uses the options, or else the majorities.
    pub(crate) fn new(options: &Options, braces: &Majority<bool>, brackets: &Majority<bool>) -> Spaces {
        Spaces {
            braces: options.brace_spaces.or_majority(|| braces.value(), false),
            brackets: options.bracket_spaces.or_majority(|| brackets.value(), false),
        }
    }
}

impl Style {
    pub(crate) fn of(text: &str, tokens: &[Token], options: &Options) -> Style {
        let (mut steps, mut braces, mut brackets) = (Majority::default(), Majority::default(), Majority::default());
        for (at, token) in tokens.iter().enumerate() {
            let (Kind::Open(is_brace), Some(next)) = (token.kind, tokens.get(at + 1)) else { continue };
            if is_spread(tokens, at) {
                if let Some(step) = step(text, token.range.start, next.range.start) {
                    steps.add(step);
                }
            } else if next.breaks == 0 && !matches!(next.kind, Kind::Close(_)) {
                let counts = if is_brace { &mut braces } else { &mut brackets };
                counts.add(next.range.start > token.range.end);
            }
        }
        let step = match options.indent.or_majority(|| steps.value(), options.default_indent) {
            Step::Tab => "\t".to_owned(),
            Step::Spaces(count) => " ".repeat(usize::from(count)),
        };
        let spaces = Spaces::new(options, &braces, &brackets);
        Style { step, spaces, ending: ending(text, options.line_ending) }
    }
}

/// Returns the step from the line of a bracket to the first entry below it, if it is a valid one.
fn step(text: &str, bracket: usize, member: usize) -> Option<Step> {
    let indent = |at: usize| {
        let line = text.get(..at)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let rest = text.get(line..)?;
        rest.get(..rest.len() - rest.trim_start_matches([' ', '\t']).len())
    };
    let more = indent(member)?.strip_prefix(indent(bracket)?)?;
    match more {
        "\t" => Some(Step::Tab),
        _ if (1..=8).contains(&more.len()) && more.bytes().all(|byte| byte == b' ') => {
            Some(Step::Spaces(more.len() as u8))
        }
        _ => None,
    }
}
