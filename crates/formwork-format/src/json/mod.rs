//! Formats JSON.

mod align;
mod lex;
mod print;
mod style;

pub(crate) use style::Spaces;

use crate::options::Options;

/// Formats well-formed JSON. `None` when a part of it is not recognized.
pub(crate) fn format(text: &str, options: &Options) -> Option<String> {
    let tokens = lex::tokens(text)?;
    let style = style::Style::of(text, &tokens, options);
    let aligned = if options.align_values { align::aligned(text, &tokens) } else { Vec::new() };
    Some(print::print(text, &tokens, &style, &aligned, options))
}
