//! YAML.

mod align;
mod block_scalar;
mod blocks;
mod comments;
mod frozen;
mod lex;
mod place;
mod print;
mod scalar_lines;
mod style;
mod token;

use crate::format::Written;
use crate::lines::{ending, lines};
use crate::options::Options;

/// Formats well-formed YAML, whose scalars are known. `None` when a part of it is not recognized.
pub(crate) fn format(text: &str, scalars: &[Written], options: &Options) -> Option<String> {
    let lines = lines(text);
    let mut tokens = lex::tokens(text, &lines, scalars)?;
    let blocks = blocks::Blocks::of(&tokens);
    block_scalar::settle(text, &lines, &mut tokens, &blocks);
    let style = style::Style::of(text, &tokens, &blocks, options);
    let frozen = frozen::Frozen::of(text, &tokens, lines.len());
    let aligned = if options.align_values { align::aligned(text, &tokens, &blocks) } else { Vec::new() };
    let source = place::Source { text, tokens: &tokens, blocks: &blocks, frozen: &frozen, aligned: &aligned };
    let places = place::places(&source, &style, options);
    Some(print::print(&source, &lines, &places, ending(text, options.line_ending), options.max_empty_lines))
}

/// The tokens of a text as what a formatter keeps: their kinds and texts without white space, in order.
pub(crate) fn signs(text: &str, scalars: &[Written]) -> Option<Vec<(token::Kind, String)>> {
    let tokens = lex::tokens(text, &lines(text), scalars)?;
    let sign = |token: &token::Token| {
        let text = text.get(token.range.clone()).unwrap_or_default();
        (token.kind, text.split_ascii_whitespace().collect())
    };
    Some(tokens.iter().map(sign).collect())
}
