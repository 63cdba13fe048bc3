//! The style of a YAML file.

use super::blocks::Blocks;
use super::token::{Kind, Token};
use crate::json::Spaces;
use crate::majority::Majority;
use crate::options::{Auto, Options, Step};

/// The style of a file, and the one to print.
#[derive(Debug)]
pub(crate) struct Style {
    /// The majority of the file's own steps, if it has any.
    pub(crate) own_indent: Option<usize>,
    pub(crate) indent: usize,
    /// Columns from a key to the dashes below it.
    pub(crate) list_indent: usize,
    pub(crate) dash_spaces: usize,
    pub(crate) spaces: Spaces,
}

impl Style {
    pub(crate) fn of(text: &str, tokens: &[Token], blocks: &Blocks, options: &Options) -> Style {
        let (mut steps, mut lists) = (Majority::default(), Majority::default());
        for block in blocks.all.iter().filter(|block| block.is_on_own_line && block.tag.is_none()) {
            let Some(parent) = blocks.block(block.parent).filter(|parent| !parent.is_list) else { continue };
            let step = block.column - parent.column;
            if block.is_list {
                lists.add(step);
            } else if step > 0 {
                steps.add(step);
            }
        }
        let (mut braces, mut brackets, mut dashes) = (Majority::default(), Majority::default(), Majority::default());
        for pair in tokens.windows(2) {
            let [token, next] = pair else { continue };
            if token.line != next.line || next.kind == Kind::Comment {
                continue;
            }
            let gap = text.get(token.range.end..next.range.start).unwrap_or_default();
            match token.kind {
                Kind::Open(_) if matches!(next.kind, Kind::Close(_)) => {}
                Kind::Open(true) => braces.add(!gap.is_empty()),
                Kind::Open(false) => brackets.add(!gap.is_empty()),
                Kind::Dash if !gap.contains('\t') => dashes.add(gap.len()),
                _ => {}
            }
        }
        let spaces = |step: Step| match step {
            Step::Spaces(count) => Some(usize::from(count)),
            Step::Tab => None,
        };
        let own_indent = steps.value();
        let indent = match options.indent {
            Auto::Set(Step::Spaces(count)) => usize::from(count),
            _ => own_indent.or_else(|| spaces(options.default_indent)).unwrap_or(2),
        };
        let own_lists = lists.value();
        let list_indent = match options.indent_lists {
            Auto::Set(false) => 0,
            Auto::Set(true) => indent,
            Auto::Auto => match own_lists {
                Some(0) => 0,
                // The author's own step, which need not be that of mappings.
                Some(own) if !matches!(options.indent, Auto::Set(Step::Spaces(_))) => own,
                _ => indent,
            },
        };
        let dash_spaces = match options.dash_spaces {
            Auto::Set(count) => usize::from(count),
            Auto::Auto => dashes.value().unwrap_or(1),
        };
        let spaces = Spaces::new(options, &braces, &brackets);
        Style { own_indent, indent, list_indent, dash_spaces, spaces }
    }
}
