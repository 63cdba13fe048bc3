//! The meaning of tags, and errors of keys and plain scalars.

use std::ops::Range;

use formwork_base::{Diagnostic, Fact, Span, codes, suggest};
use granit_parser::Tag;

use super::builder::{Builder, Token};
use super::tag_mark::{TagMark, TagMeaning};
use crate::foreign_functions;
use crate::function::Known;
use crate::tree::Style;
use formwork_base::display::shown;

/// Returns the function of a tag with another spelling: `!Fn::Sub`, `!!Ref`, `!ref:`.
fn meant_function(name: &str) -> Option<Known> {
    let name = name.trim_end_matches(':');
    let short = name.strip_prefix("Fn::").or_else(|| name.strip_prefix("fn::")).unwrap_or(name);
    Known::ALL.iter().copied().find(|known| !known.short().is_empty() && known.short().eq_ignore_ascii_case(short))
}

/// Returns the function and the argument of a tag that contains its argument: `!GetAtt.Arn Topic`, `!RefStage`,
/// `!Sub${Stage}`. `behind` is the text behind the tag.
fn with_argument(name: &str, behind: &str) -> Option<(Known, String)> {
    if let Some(attribute) = name.strip_prefix("GetAtt.") {
        let is_name = !behind.is_empty() && behind.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return is_name.then(|| (Known::GetAtt, format!("{behind}.{attribute}")));
    }
    let functions = [Known::Ref, Known::GetAtt, Known::ImportValue].into_iter();
    let mut functions = functions.filter_map(|known| Some((known, name.strip_prefix(known.short())?)));
    let (known, argument) = functions.find(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_uppercase()))?;
    behind.is_empty().then(|| (known, argument.to_owned()))
}

impl Builder<'_> {
    pub(super) fn tag(&mut self, tag: Option<&Tag>, range: Option<Range<usize>>) -> Option<TagMark> {
        let tag = tag?;
        let range = range.unwrap_or(self.cursor..self.cursor);
        let span = self.span(range.start, range.end);
        let meaning = match (tag.handle(), tag.suffix()) {
            ("!", "") | ("", "!") => {
                self.lone_mark(span);
                TagMeaning::Text
            }
            ("!", name) => {
                if let Some(known) = Known::from_short(name) {
                    if known.is_language_extension() {
                        self.diagnostics.push(
                            Diagnostic::new(
                                codes::UNKNOWN_TAG,
                                format!("`!{name}` is not a short form that CloudFormation documents"),
                            )
                            .severity(formwork_base::Severity::Warning)
                            .at(span)
                            .help(format!("write `{}:` in full", known.long())),
                        );
                    }
                    TagMeaning::Call(known)
                } else if let Some(known) = name.strip_suffix(':').and_then(Known::from_short) {
                    // As the looping RFC writes it (reference/reading.md#tags).
                    self.diagnostics.push(
                        Diagnostic::new(codes::UNKNOWN_TAG, format!("the tag `!{name}` ends with a colon"))
                            .severity(formwork_base::Severity::Warning)
                            .at(span)
                            .note("YAML reads the colon as part of the tag; Formwork ignores it")
                            .help(format!("write `!{}`", known.short())),
                    );
                    TagMeaning::Call(known)
                } else {
                    self.unknown_tag(name, span);
                    TagMeaning::Unknown
                }
            }
            _ => match tag.suffix_in_namespace("tag:yaml.org,2002:").as_deref() {
                Some("str") => TagMeaning::Text,
                Some("int" | "float" | "bool" | "null" | "map" | "seq") => TagMeaning::Nothing,
                _ => {
                    self.unknown_tag(
                        self.text.get(range.clone()).map_or("", |text| text.trim_start_matches('!')),
                        span,
                    );
                    TagMeaning::Unknown
                }
            },
        };
        Some(TagMark { start: range.start, end: range.end, meaning })
    }

    /// Reports a mark that a space separates from the name of its function: `! Ref Stage` is a string.
    fn lone_mark(&mut self, span: Span) {
        let behind = self.behind_tag(span);
        let name = behind.split(' ').next().unwrap_or_default();
        if Known::from_short(name).is_none() || name.is_empty() || name == behind || behind.len() > 100 {
            return;
        }
        let behind = shown(behind);
        let diagnostic =
            Diagnostic::new(codes::UNKNOWN_TAG, format!("`! {name}` is not a function: its name follows `!` directly"))
                .severity(formwork_base::Severity::Warning)
                .at(span)
                .note("YAML reads a mark alone as that of a string")
                .help(format!("write `!{behind}`"));
        self.diagnostics.push(diagnostic);
    }

    fn unknown_tag(&mut self, name: &str, span: Span) {
        let near =
            suggest::nearest(name, Known::ALL.iter().map(|known| known.short()).filter(|short| !short.is_empty()));
        let is_double = self.source[(span.start() - self.base) as usize..].starts_with("!!");
        let marks = if is_double { "!!" } else { "!" };
        let mut diagnostic = Diagnostic::new(codes::UNKNOWN_TAG, format!("unknown function `{marks}{}`", shown(name)))
            .at(span)
            .fact(Fact::UnknownFunction);
        if name.starts_with("ForEach") {
            diagnostic = diagnostic
                .note("a loop is a key and has no short form")
                .help("write the loop as a key behind `Fn::ForEach::` and a name, with the same three elements");
        } else if let Some(known) = meant_function(name) {
            diagnostic = diagnostic.help(format!("did you mean `!{}`?", known.short())).fix(
                "change the tag",
                span,
                format!("!{}", known.short()),
            );
        } else if let Some(code) = parentheses(name) {
            diagnostic =
                diagnostic.help(format!("write `{code}`")).unsafe_fix("write the argument behind a space", span, code);
        } else if let Some((known, argument)) = with_argument(name, self.behind_tag(span)) {
            diagnostic = diagnostic.help(format!("write `!{} {}`", known.short(), shown(&argument)));
        } else if let Some(advice) = foreign_functions::advice(name.trim_start_matches("Fn::")) {
            diagnostic = diagnostic.help(advice);
        } else if name.starts_with("Rain::") {
            diagnostic = diagnostic.help("`formwork migrate rain FILE` converts the directives of rain");
        } else if let Some(near) = near {
            diagnostic =
                diagnostic.help(format!("did you mean `!{near}`?")).fix("change the tag", span, format!("!{near}"));
        } else {
            let tag = &self.source[(span.start() - self.base) as usize..(span.end() - self.base) as usize];
            let behind = self.behind_tag(span);
            let is_more = behind.starts_with(['[', '{', '"', '\'', '|', '>', '&', '*', '!'])
                || behind.contains('"')
                || self.goes_on_below(span);
            diagnostic = diagnostic
                .note("CloudFormation rejects tags that it does not know, and `!!binary`, `!!omap`, `!!pairs`, `!!set` and `!!timestamp`")
                .help(match behind {
                    _ if is_more => "remove the tag, or use a supported one".to_owned(),
                    "" => format!("quote a string that begins with `!`: `\"{}\"`", shown(tag)),
_ => "quote the whole string when it begins with `!`".to_owned(),
                });
        }
        self.diagnostics.push(diagnostic);
    }

    fn behind_tag(&self, tag: Span) -> &str {
        let behind = &self.source[(tag.end() - self.base) as usize..];
        let in_flow = self.open.stack.last().is_some_and(|open| open.style == Style::Flow);
        // A whole template may be one line with thousands of tags: no further than the end of the value.
        let is_end = |c: char| c == '\n' || in_flow && matches!(c, ',' | ']' | '}');
        let line = behind.split(is_end).next().unwrap_or_default();
        line.split(" #").next().unwrap_or_default().trim()
    }

    fn goes_on_below(&self, tag: Span) -> bool {
        let (before, behind) = self.source.split_at((tag.end() - self.base) as usize);
        let is_comment = |text: &str| text.starts_with('#');
        // The rest of the line is not searched for its end: it may be the whole template.
        let rest = behind.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
        if !rest.is_empty() && !rest.starts_with('\n') && !is_comment(rest) {
            return false;
        }
        let mut lines = behind.lines().skip(1);
        let has_text = |line: &str| !line.trim_start().is_empty() && !is_comment(line.trim_start());
        let indent = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        let own = before.lines().next_back().map_or(0, indent);
        lines.find(|line| has_text(line)).is_some_and(|line| indent(line) > own)
    }

    pub(super) fn check_plain(&mut self, value: &str, start: usize, end: usize) {
        let in_flow = self.open.stack.last().is_some_and(|open| open.style == Style::Flow);
        let (what, note) = match value {
            value if in_flow && value.contains('?') => {
                ("`?` inside brackets or braces needs quotes", "YAML 1.1 reads `?` there as the indicator of a key")
            }
            value if in_flow && value.starts_with(':') => (
                "a string that begins with `:` needs quotes inside brackets or braces",
                "YAML 1.1 reads `:` there as the indicator of a value",
            ),
            _ => return,
        };
        // The string may be a secret.
        let diagnostic = Diagnostic::new(codes::NOT_WELL_FORMED, what).at(self.span(start, end)).note(note);
        self.diagnostics.push(diagnostic.help("quote the string"));
    }

    /// Reports a key that is missing, has a tag, or has several lines without the mark `?`.
    pub(super) fn check_key(&mut self, token: &Token<'_>) {
        let &Token { is_empty, has_lines, anchor, tag, start, end, .. } = token;
        if !is_empty && !has_lines && tag.is_none() {
            return;
        }
        let is_explicit = || {
            let before = &self.source[self.cursor.min(start)..start];
            before.lines().any(|line| line.split(" #").next().is_some_and(|line| line.contains('?')))
        };
        if is_empty && tag.is_none() && anchor == 0 && !is_explicit() {
            self.diagnostics.push(
                Diagnostic::new(codes::NOT_WELL_FORMED, "a key is missing before `:`")
                    .at(self.span(start, start + usize::from(self.source[start..].starts_with(':'))))
                    .help("write the key, or quotes for an empty key: `\"\":`"),
            );
        }
        if let Some(TagMark { start: tag_start, end: tag_end, meaning: TagMeaning::Call(known) }) = tag {
            let (tag, key) = (&self.source[tag_start..tag_end], &self.source[start..end]);
            self.diagnostics.push(
                Diagnostic::new(codes::WRONG_KIND, format!("the tag `{tag}` is on the key `{}`", shown(key)))
                    .at(self.span(tag_start, end))
                    .note("a tag applies to the value that follows it, which is only the key when both are on one line")
                    .help(match known {
                        Known::Sub if key.contains("${") => {
                            "remove the tag: the variables of a loop are replaced in keys without it".to_owned()
                        }
                        known => {
                            format!("write `{}:` in full, or put the mapping on the lines below the tag", known.long())
                        }
                    }),
            );
        }
        if has_lines && !is_explicit() {
            let (what, help) = ("a quoted key spans several lines", "write the key on one line");
            self.diagnostics.push(Diagnostic::new(codes::NOT_WELL_FORMED, what).at(self.span(start, end)).help(help));
        }
    }
}

/// Returns the call that `Ref(Name)` means: an argument is behind a space, without parentheses.
pub(super) fn parentheses(tag: &str) -> Option<String> {
    let (name, argument) = tag.strip_suffix(')')?.split_once('(')?;
    let known = Known::from_short(name)?;
    let is_plain = !argument.is_empty() && argument.len() < 80 && !argument.contains(['(', '`', '\n']);
    is_plain.then(|| format!("!{} {}", known.short(), shown(argument)))
}
