//! Formats YAML.

mod align;
mod block_scalar;
mod blocks;
mod comments;
mod frozen;
mod lex;
mod place;
mod position;
mod print;
mod scalar_lines;
mod style;
mod token;

use crate::lines::{ending, lines};
use crate::options::Options;
use crate::reading::Written;

/// Formats well-formed YAML, whose scalars are known. `None` when a part of it is not recognized.
pub(crate) fn format(text: &str, scalars: &[Written], options: &Options) -> Option<String> {
    let lines = lines(text);
    let mut tokens = lex::tokens(text, &lines, scalars)?;
    let blocks = blocks::Blocks::of(&tokens);
    block_scalar::settle(text, &lines, &mut tokens, &blocks);
    let style = style::Style::of(text, &tokens, &blocks, options);
    let frozen = frozen::Frozen::of(text, &tokens, lines.len());
    let aligned = if options.align_values { align::aligned(text, &tokens, &blocks) } else { Vec::new() };
    let source = position::Source { text, tokens: &tokens, blocks: &blocks, frozen: &frozen, aligned: &aligned };
    let places = place::places(&source, &style, options);
    Some(print::print(&source, &lines, &places, ending(text, options.line_ending), options.max_empty_lines))
}

/// Returns `true` if two files have the same tokens in the same order, apart from white space in them. Comments are
/// tokens.
pub(crate) fn same_signs(before: (&str, &[Written]), after: (&str, &[Written])) -> bool {
    let tokens = |(text, scalars): (&str, &[Written])| lex::tokens(text, &lines(text), scalars);
    let (Some(was), Some(is)) = (tokens(before), tokens(after)) else { return false };
    was.len() == is.len()
        && was
            .iter()
            .zip(&is)
            .all(|(was, is)| was.kind == is.kind && visible(slice(before.0, was)).eq(visible(slice(after.0, is))))
}

fn slice<'t>(text: &'t str, token: &token::Token) -> &'t str {
    text.get(token.range.clone()).unwrap_or_default()
}

pub(crate) fn visible(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
}
