//! Formats YAML.

mod align;
mod comments;
mod frozen;
mod place;
mod position;
mod print;
mod scalar_lines;
mod style;

use formwork_syntax::lossless::{Syntax, Token, TokenKind};

use crate::lines::{ending, lines};
use crate::options::Options;

/// Formats well-formed YAML. `None` when a part of it is not recognized.
pub(crate) fn format(text: &str, syntax: &Syntax, options: &Options) -> Option<String> {
    let (lines, tokens) = (lines(text), written(syntax));
    if tokens.iter().any(|token| token.kind == TokenKind::Error) {
        return None;
    }
    let frozen = frozen::Frozen::of(text, tokens, lines.len());
    let aligned = if options.align_values { align::aligned(syntax, text) } else { Vec::new() };
    let source = position::Source { text, tokens, syntax, frozen: &frozen, aligned: &aligned };
    let style = style::Style::of(&source, options);
    let places = place::places(&source, &style, options);
    Some(print::print(&source, &lines, &places, ending(text, options.line_ending), options.max_empty_lines))
}

/// Returns whether two files have the same tokens in the same order, but for white space in them. Comments are tokens.
pub(crate) fn same_signs(before: (&str, &Syntax), after: (&str, &Syntax)) -> bool {
    let (was, is) = (&before.1.tokens, &after.1.tokens);
    was.len() == is.len()
        && was.iter().zip(is).all(|(was, is)| was.kind == is.kind && signs(before.0, was).eq(signs(after.0, is)))
}

fn signs<'t>(text: &'t str, token: &Token) -> impl Iterator<Item = u8> + use<'t> {
    visible(text.get(token.range.clone()).unwrap_or_default())
}

/// All tokens but the last one, the end of the text.
fn written(syntax: &Syntax) -> &[Token] {
    syntax.tokens.split_last().map_or(&[], |(_, tokens)| tokens)
}

pub(crate) fn visible(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}
