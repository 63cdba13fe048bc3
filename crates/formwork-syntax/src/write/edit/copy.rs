//! Copying of source text: lines are shifted, and comments left out where a copy has none.

use formwork_base::Span;

use super::repeated::Piece;
use super::{Context, Editor};
use crate::tree::{Kind, NodeId, Style};
use crate::write::out::{BlockEnd, Part, Recorder};
use crate::yaml::adapter::block_indent;

/// A part of the source that is copied whole; only its lines are shifted.
struct Token {
    span: Span,
    node: NodeId,
    mark: Mark,
}

#[derive(Clone, Copy)]
enum Mark {
    None,
    Part(Part),
    End,
}

impl<R: Recorder> Editor<'_, '_, R> {
    pub(super) fn copy_node(&mut self, node: NodeId, context: Context) {
        self.repeated(Piece::Node(node), context, |editor| editor.copy_tokens(node, context));
        if self.has_blocks
            && let Some(end) = self.last_block(node, context.shift)
        {
            self.out.end_block(end);
        }
    }

    fn last_block(&self, mut node: NodeId, shift: i32) -> Option<BlockEnd> {
        let tree = self.tree;
        while !tree.is_alias(node) {
            node = match (tree.kind(node), tree.style(node)) {
                (_, Style::Flow) => return None,
                (Kind::List, _) => *tree.items(node).last()?,
                (Kind::Map, _) => tree.entries(node).next_back()?.value,
                (Kind::Call, _) => tree.call(node).1,
                (_, Style::Literal | Style::Folded) => {
                    let (header, text) = self.slice(tree.span(node)).split_once(['\n', '\r']).unwrap_or_default();
                    let header = header.split([' ', '\t']).next()?;
                    let indent = block_indent(text, tree.text(node));
                    let indent = indent.map_or(usize::MAX, |indent| indent.saturating_add_signed(shift as isize));
                    let needs_break = tree.text(node).ends_with('\n');
                    return Some(BlockEnd { indent, keeps_breaks: header.contains('+'), needs_break });
                }
                _ => return None,
            };
        }
        None
    }

    fn copy_tokens(&mut self, node: NodeId, context: Context) {
        let span = self.tree.span(node);
        let text = self.slice(span);
        let plain = (context.comments || !text.contains('#')) && !self.is_cut(span) && !R::ON;
        if plain && context.shift == 0 {
            self.out.push(text);
        } else if plain {
            self.push_shifted(text, context.shift);
        } else {
            let mut tokens = Vec::new();
            self.tokens(node, &mut tokens);
            let mut at = span.start();
            for token in tokens {
                if token.span.start() > at {
                    self.gap(Span::new(at, token.span.start()), context);
                }
                match token.mark {
                    Mark::None => {}
                    Mark::Part(part) => self.mark(token.node, part),
                    Mark::End => self.out.end(token.node),
                }
                if !token.span.is_empty() {
                    self.push_shifted(self.slice(token.span), context.shift);
                    if let Some(end) = self.last_block(token.node, context.shift) {
                        self.out.end_block(end);
                    }
                }
                at = at.max(token.span.end());
            }
            self.gap(Span::new(at, span.end().max(at)), context);
        }
    }

    /// Collects the tokens below an authored node, in order; collections and calls count by their start.
    fn tokens(&self, root: NodeId, tokens: &mut Vec<Token>) {
        enum Step {
            Node(NodeId),
            Key(NodeId, Mark),
            End(NodeId, u32),
        }
        let tree = self.tree;
        let mut pending = vec![Step::Node(root)];
        while let Some(step) = pending.pop() {
            let node = match step {
                Step::Key(key, mark) => {
                    tokens.push(Token { span: tree.span(key), node: key, mark });
                    continue;
                }
                Step::End(node, end) => {
                    tokens.push(Token { span: Span::new(end, end), node, mark: Mark::End });
                    continue;
                }
                Step::Node(node) => node,
            };
            let span = tree.span(node);
            match tree.kind(node) {
                Kind::List => {
                    tokens.push(Token { span: span.at_start(), node, mark: Mark::Part(Part::Value) });
                    pending.extend(tree.items(node).iter().rev().map(|&item| Step::Node(item)));
                }
                Kind::Map => {
                    tokens.push(Token { span: span.at_start(), node, mark: Mark::Part(Part::Value) });
                    for entry in tree.entries(node).rev() {
                        pending.push(Step::End(entry.key, tree.site(entry.value).end()));
                        pending.push(Step::Node(entry.value));
                        pending.push(Step::Key(entry.key, Mark::Part(Part::Key)));
                    }
                }
                Kind::Call => {
                    tokens.push(Token { span: span.at_start(), node, mark: Mark::Part(Part::Value) });
                    pending.push(Step::Node(tree.call(node).1));
                    pending.push(Step::Key(tree.call_name(node), Mark::None));
                }
                Kind::Null if span.is_empty() => {}
                _ => tokens.push(Token { span, node, mark: Mark::Part(Part::Value) }),
            }
        }
    }

    fn is_cut(&self, span: Span) -> bool {
        let next = self.cuts.partition_point(|cut| cut.start() < span.start());
        self.cuts.get(next).is_some_and(|cut| cut.start() < span.end())
    }

    pub(super) fn gap(&mut self, span: Span, context: Context) {
        if span.is_empty() {
            return;
        }
        let text = self.slice(span);
        let is_kept = context.comments && context.shift == 0 || is_token(text);
        if self.cuts.is_empty() && is_kept && !text.starts_with('#') {
            return match self.out.take_block_end() {
                None => self.out.push(text),
                Some(end) => self.gap_text(&behind_block(text, end, context), context),
            };
        }
        if context.comments && text.starts_with('#') && !self.out.ends_token() {
            self.out.push_char(' ');
        }
        if let Some(end) = self.out.take_block_end() {
            let text = if self.is_cut(span) { self.without_cuts(span) } else { text.to_owned() };
            return self.gap_text(&behind_block(&text, end, context), context);
        }
        if self.is_cut(span) {
            let text = self.without_cuts(span);
            return self.gap_text(&text, context);
        }
        if is_kept {
            self.out.push(text);
        } else if let Some((begin, indent)) = line_gap(text) {
            // The gap between most lines.
            self.out.push(begin);
            self.out.spaces(indent.saturating_add_signed(context.shift as isize));
        } else {
            self.repeated(Piece::Gap(span), context, |editor| editor.gap_text(text, context));
        }
    }

    fn without_cuts(&self, span: Span) -> String {
        let text = self.slice(span);
        let mut kept = String::with_capacity(text.len());
        let mut at = 0;
        let first = self.cuts.partition_point(|cut| cut.start() < span.start());
        let here = self.cuts[first..].iter().take_while(|cut| cut.start() <= span.end());
        for cut in here.filter(|cut| span.contains(**cut)) {
            let (start, end) = ((cut.start() - span.start()) as usize, (cut.end() - span.start()) as usize);
            kept.push_str(text.get(at..start).unwrap_or_default());
            at = end;
            if kept.ends_with(' ') {
                at += text[end..].len() - text[end..].trim_start_matches(' ').len();
            }
        }
        kept.push_str(&text[at..]);
        // The spaces of a key whose value begins below are left over.
        let mut lines: Vec<&str> = kept.split('\n').collect();
        if lines.len() > 1 {
            lines[0] = lines[0].trim_end_matches(' ');
        }
        lines.join("\n")
    }

    fn gap_text(&mut self, text: &str, context: Context) {
        let mut lines = lines(text);
        if let Some((first, end)) = lines.next() {
            let is_last = end.is_empty();
            self.out.push(if context.comments || is_last && !first.contains('#') {
                first
            } else {
                without_comment(first)
            });
            let mut end = end;
            for (line, next_end) in lines {
                let content = &line[indent_of(line)..];
                let is_comment = content.starts_with('#');
                if is_comment && !context.comments {
                    // The whole line is removed with its break; at the end of the text, with the break before it.
                    if next_end.is_empty() {
                        end = "";
                    }
                    continue;
                }
                self.out.push(end);
                if !content.is_empty() || next_end.is_empty() {
                    self.push_indent(line, context.shift);
                    self.out.push(if context.comments { content } else { without_comment(content) });
                }
                end = next_end;
            }
            self.out.push(end);
        }
    }

    /// Copies text whose first line is placed at the current position, the others shifted.
    pub(super) fn push_shifted(&mut self, text: &str, shift: i32) {
        if shift == 0 || memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
            return self.out.push(text);
        }
        let mut lines = lines(text);
        let Some((first, mut end)) = lines.next() else { return };
        self.out.push(first);
        for (line, next_end) in lines {
            self.out.push(end);
            if !line.is_empty() {
                self.push_indent(line, shift);
                self.out.push(&line[indent_of(line)..]);
            }
            end = next_end;
        }
        self.out.push(end);
    }

    pub(super) fn push_indent(&mut self, line: &str, shift: i32) {
        let (kept, is_of_tabs, more) = shifted(line, shift);
        self.out.push(kept);
        if is_of_tabs {
            (0..more).for_each(|_| self.out.push_char('\t'));
        } else {
            self.out.spaces(more);
        }
    }

    pub(super) fn new_line(&mut self, column: usize) {
        self.out.push(self.layout.newline);
        self.out.spaces(column);
    }
}

pub(super) fn is_token(gap: &str) -> bool {
    const SHORT: usize = 8;
    gap.len() <= SHORT && !gap.bytes().any(|byte| matches!(byte, b'\n' | b'\r' | b'#'))
}

/// Splits a gap of at most one mark of flow style, line breaks, and spaces into the part before the spaces and their
/// number. `None` for any other gap.
fn line_gap(gap: &str) -> Option<(&str, usize)> {
    let bytes = gap.as_bytes();
    let begin = bytes.iter().take(2).position(|byte| *byte == b'\n')?;
    let is_separator = matches!(bytes[..begin], [] | [b',' | b':' | b'{' | b'[' | b'}' | b']']);
    let breaks = bytes[begin..].iter().position(|byte| *byte != b'\n').unwrap_or(bytes.len() - begin);
    let (text, indent) = gap.split_at(begin + breaks);
    (is_separator && is_blank(indent)).then_some((text, indent.len()))
}

/// Returns `true` for spaces only; eight of them are compared per step.
fn is_blank(text: &str) -> bool {
    let (steps, rest) = text.as_bytes().as_chunks::<8>();
    steps.iter().all(|step| *step == [b' '; 8]) && rest.iter().all(|byte| *byte == b' ')
}

/// Returns the text behind a block scalar in the source so that none of it becomes a part of one that is written in its
/// place: empty lines are removed when the scalar keeps its line breaks, since it has them already, and comment lines
/// are moved left of its text. All lines are shifted later.
fn behind_block(text: &str, end: BlockEnd, Context { shift, comments }: Context) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_behind = true;
    for (at, (line, line_break)) in lines(text).enumerate() {
        let content = &line[indent_of(line)..];
        let is_last = line_break.is_empty();
        if at > 0 && is_behind {
            // Without the comment at the end of the text, the empty lines below it would belong to it, too.
            let is_gone = content.is_empty() || !comments && content.starts_with('#');
            if is_gone && !is_last && end.keeps_breaks {
                continue;
            }
            let column = indent_of(line).saturating_add_signed(shift as isize);
            if content.starts_with('#') && column >= end.indent {
                let most = end.indent.saturating_sub(1).saturating_add_signed(-shift as isize);
                out.extend(std::iter::repeat_n(' ', most));
                out.push_str(content);
                out.push_str(line_break);
                is_behind = false;
                continue;
            }
            is_behind = content.is_empty();
        }
        out.push_str(line);
        out.push_str(line_break);
    }
    out
}

/// Shifts the indentation of a line: returns the kept part, and the number of tabs (with `true`) or spaces to add.
pub(super) fn shifted(line: &str, shift: i32) -> (&str, bool, usize) {
    let indent = &line[..indent_of(line)];
    let kept = indent.len().saturating_add_signed(shift.min(0) as isize);
    (&indent[..kept], indent.starts_with('\t'), shift.max(0) as usize)
}

pub(super) fn indent_of(line: &str) -> usize {
    line.bytes().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len())
}

/// Returns the offset of the colon of an explicit key, at the beginning of a line of the text between the key and its
/// value. Comments may be before it.
pub(super) fn explicit_colon(text: &str) -> Option<usize> {
    lines(text).skip(1).find_map(|(line, _)| {
        let content = &line[indent_of(line)..];
        content.starts_with(':').then(|| content.as_ptr() as usize - text.as_ptr() as usize)
    })
}

/// Returns the lines of a text with their breaks; the last one has none.
pub(in crate::write) fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = memchr::memchr2(b'\n', b'\r', text.as_bytes()) else {
            rest = None;
            return Some((text, ""));
        };
        let len = if text[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = Some(&text[at + len..]);
        Some((&text[..at], &text[at..at + len]))
    })
}

/// Returns a line of a gap without its comment and the spaces before it.
pub(super) fn without_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    for (at, _) in line.match_indices('#') {
        if at == 0 || matches!(bytes[at - 1], b' ' | b'\t') {
            return line[..at].trim_end_matches([' ', '\t']);
        }
    }
    line
}
