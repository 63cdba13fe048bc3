//! Literal scalars: kinds as CloudFormation converts them, allowed values, patterns, bounds.

use formwork_base::display::shown;
use formwork_base::suggest::slip;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_schemas::{Kind, Kinds, Node, Values};
use formwork_syntax::View;

use super::walk::{At, Walk};
use super::words::{self, quoted};
use crate::checks::boolean_words;

#[derive(Clone, Copy)]
pub(super) enum Literal<'t> {
    Text(&'t str),
    Number(&'t str),
    Boolean,
}

/// Longer strings are not matched against patterns.
const LONGEST: usize = 10_000;

/// Returns the value that a string nearly is, and `true` if that is certain, because it has the same digits.
pub(super) fn nearest<'v>(text: &str, values: &[&'v str]) -> (Option<&'v str>, bool) {
    let near = slip(text, values.iter().copied());
    // The string is a longer form of the value: `python3.13.1`.
    let is_begin = |value: &&str| value.len() > 3 && text.starts_with(*value);
    let begun = values.iter().copied().filter(is_begin).max_by_key(|value| value.len());
    if let Some(whole) = completed(text, values) {
        return (Some(whole), false);
    }
    match begun {
        Some(_) if begun != near => (begun, false),
        _ => (near, near.is_some_and(|near| text.chars().count() > 3 && digits(near).eq(digits(text)))),
    }
}

/// A value that is not allowed.
pub(super) struct NotAllowed<'v> {
    pub(super) values: &'v [&'v str],
    pub(super) near: Option<&'v str>,
    /// The reason why only these values are allowed.
    pub(super) why: Option<String>,
}

/// Returns the only value that a string is the short form of: `node22` of `nodejs22.x`, with the same digits.
fn completed<'v>(text: &str, values: &[&'v str]) -> Option<&'v str> {
    let letters = |text: &str| text.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default().to_ascii_lowercase();
    let head = letters(text);
    let is_whole =
        |value: &&str| value.len() > text.len() && letters(value).starts_with(&head) && digits(text).eq(digits(value));
    let mut whole = values.iter().copied().filter(is_whole);
    let first = whole.next().filter(|_| head.len() > 2 && digits(text).next().is_some())?;
    whole.next().is_none().then_some(first)
}

/// A value out of bounds: message, CloudFormation's sentence, and help.
type Bound = (String, String, String);

impl<'w> Walk<'w> {
    pub(super) fn scalar(&mut self, schema: Node<'w>, at: At) {
        let tree = self.tree;
        let text = tree.text_form(at.node);
        let literal = match tree.view(at.node) {
            View::Bool(_) => Literal::Boolean,
            View::Number(text) => Literal::Number(text),
            _ => Literal::Text(text),
        };
        // A value that is filled in later: it is only known to be a scalar.
        if matches!(literal, Literal::Text(_)) && is_placeholder(text) {
            return self.some_scalar(schema, at, "string", "String");
        }
        let own = schema.kinds();
        let accepts = |kinds: Kinds| accepts(kinds, literal);
        if !accepts(own) {
            if self.is_artifact() {
                return;
            }
            let (found, of_service) = match literal {
                Literal::Boolean => ("a Boolean", "Boolean"),
                // CloudFormation's word for a number that is not whole is not known.
                Literal::Number(text) if number(text).is_none_or(|value| value.fract() != 0.0) => ("a number", ""),
                Literal::Number(_) => ("a number", "Integer"),
                Literal::Text(_) => ("a string", "String"),
            };
            let items = schema.items().map(Node::kinds).filter(|_| own.has(Kind::Array));
            return match items {
                Some(items) if items.allows_scalar() => self.one_for_a_list(schema, at, found, of_service),
                _ => self.wrong_kind(schema, at, &described(literal, found), of_service),
            };
        }
        let mut alternatives = schema.one_of().chain(schema.any_of()).peekable();
        if alternatives.peek().is_some() {
            let is_accepted = alternatives.any(|node| accepts(node.kinds()) || has_alternatives(node));
            if !is_accepted {
                self.wrong_kind(schema, at, "a scalar", "String");
            }
            return;
        }
        self.judge(schema, at, text, literal);
    }

    pub(super) fn some_scalar(&mut self, schema: Node<'w>, at: At, kind: &str, of_service: &str) {
        let own = schema.kinds();
        if own.allows_scalar() {
            let mut alternatives = schema.one_of().chain(schema.any_of()).peekable();
            let is_refused = alternatives.peek().is_some()
                && !alternatives.any(|node| node.kinds().allows_scalar() || has_alternatives(node));
            if is_refused {
                self.wrong_kind(schema, at, &self.described(at.node, kind), of_service);
            }
            return;
        }
        if self.is_artifact() {
            return;
        }
        let found = self.described(at.node, kind);
        let items = schema.items().map(Node::kinds).filter(|_| own.has(Kind::Array));
        match items {
            Some(items) if items.allows_scalar() => self.one_for_a_list(schema, at, &found, of_service),
            _ => self.wrong_kind(schema, at, &found, of_service),
        }
    }

    /// Reports a word such as `yes` where a string is meant: it arrives as `true`.
    fn boolean_word(&mut self, schema: Node<'w>, at: At) {
        let own = schema.kinds();
        let word = self.tree.text(at.node);
        let takes_boolean = own.is_any() || own.has(Kind::Boolean) || !own.has(Kind::String);
        let Some(severity) = self.severity_of(codes::AMBIGUOUS_SCALAR).filter(|_| !takes_boolean) else { return };
        let meant = self.tree.text_form(at.node);
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let diagnostic = Diagnostic::titled(codes::AMBIGUOUS_SCALAR, format!("{subject} is the Boolean `{meant}`"))
            .at(self.tree.span(at.node))
            .note(format!("YAML reads `{word}` without quotes as a Boolean, and the property is a string"))
            .help(format!("quote it: `\"{word}\"`"))
            .fix("quote it", self.tree.span(at.node), format!("\"{word}\""));
        self.push(diagnostic, severity, "");
    }

    fn judge(&mut self, schema: Node<'w>, at: At, text: &'w str, literal: Literal<'w>) {
        let is_word = matches!(literal, Literal::Boolean) && boolean_words::is_word(self.tree, at.node);
        // A word that is not an allowed value is not intended in quotes either.
        if is_word && schema.values().is_none_or(|values| allows(values, self.tree.text(at.node))) {
            return self.boolean_word(schema, at);
        }
        if let Some(values) = schema.values() {
            match literal {
                _ if allows(values, text) => {}
                Literal::Boolean => self.boolean_for_word(values, at),
                _ => self.not_allowed(values, at, text),
            }
            return;
        }
        let takes_text = schema.kinds().is_any() || schema.kinds().has(Kind::String);
        if let Some(pattern) = schema.pattern().filter(|_| takes_text && text.len() <= LONGEST)
            && pattern.matches(text) == Some(false)
        {
            let Some(severity) = self.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
            let subject = words::subject(&self.path, self.tree.text(self.id));
            let title = format!("{} does not match the pattern of {subject}", quoted(text));
            let sentence = format!("string [{}] does not match pattern {}", shown(text), shown(pattern.text()));
            let diagnostic = Diagnostic::titled(codes::PATTERN_OF_PROPERTY, title)
                .at(self.tree.span(at.node))
                .quoting(&format!("{}: {sentence}", words::pointer(&self.path)))
                .help(self.advice(at.node, &format!("a value that matches `{}`", shown(pattern.text()))));
            return self.push(diagnostic, severity, "");
        }
        if let Some((message, sentence, help)) = bound(schema, text, takes_text, literal) {
            let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
            let subject = words::subject(&self.path, self.tree.text(self.id));
            let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{subject} {message}"))
                .at(self.tree.span(at.node))
                .quoting(&format!("{}: {sentence}", words::pointer(&self.path)))
                .help(self.advice(at.node, &help));
            return self.push(diagnostic, severity, "");
        }
        if let Some(format) = schema.format().filter(|_| takes_text && !matches!(literal, Literal::Boolean)) {
            self.format(format, at, text);
        }
    }

    fn not_allowed(&mut self, values: Values<'w>, at: At, text: &str) {
        let values: Vec<&str> = values.iter().collect();
        let (near, is_slip) = nearest(text, &values);
        if let Some(severity) = if is_slip { self.error() } else { self.warning() } {
            self.report_not_allowed(&NotAllowed { values: &values, near, why: None }, at, text, severity);
        }
    }

    /// Reports a Boolean where a word is wanted, such as `true` for `Enabled`.
    fn boolean_for_word(&mut self, values: Values<'w>, at: At) {
        let is_true = self.tree.text_form(at.node).eq_ignore_ascii_case("true");
        let words: [&str; 4] =
            if is_true { ["enabled", "enable", "on", "yes"] } else { ["disabled", "disable", "off", "no"] };
        let values: Vec<&str> = values.iter().collect();
        let near = values.iter().copied().find(|value| words.iter().any(|word| word.eq_ignore_ascii_case(value)));
        let written = self.tree.text(at.node);
        if let Some(severity) = self.error() {
            self.report_not_allowed(&NotAllowed { values: &values, near, why: None }, at, written, severity);
        }
    }

    /// Reports a `Type` that none of the alternatives has, and that is nearly one of theirs.
    pub(super) fn misspelt_type(&mut self, values: &[&str], at: At, text: &str) {
        let (near, is_slip) = nearest(text, values);
        if let Some(severity) = self.hard_error().filter(|_| is_slip) {
            self.report_not_allowed(&NotAllowed { values, near, why: None }, at, text, severity);
        }
    }

    pub(super) fn report_not_allowed(&mut self, found: &NotAllowed<'_>, at: At, text: &str, severity: Severity) {
        let tree = self.tree;
        let NotAllowed { values, near, why } = found;
        let near = *near;
        // Near digits are not near numbers.
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let near = near.filter(|_| !is_number);
        let subject = words::subject(&self.path, tree.text(self.id));
        let others = values.iter().copied().filter(|value| Some(*value) != near);
        let list: Vec<&str> = near.into_iter().chain(others).collect();
        let title = format!("{} is not an allowed value of {subject}", quoted(text));
        let mut diagnostic = Diagnostic::titled(codes::VALUE_NOT_ALLOWED, title)
            .at(tree.span(at.node))
            .quoting(&format!("{}: {} is not a valid enum value", words::pointer(&self.path), shown(text)))
            .note(format!("allowed: {}", words::some(&list)));
        if let Some(why) = why {
            diagnostic = diagnostic.note(why.clone());
        }
        diagnostic = diagnostic.note(self.known_as_of());
        if let Some(near) = near {
            diagnostic = diagnostic.label(format!("did you mean {near}?"));
            let is_written = !tree.is_generated(at.node) && !tree.is_alias(at.node);
            let (fix, span) = (self.advice(at.node, near), tree.span(at.node));
            diagnostic = match is_written {
                true if near.eq_ignore_ascii_case(text) => diagnostic.fix(&fix, span, near),
                true => diagnostic.unsafe_fix(&fix, span, near),
                false => diagnostic,
            };
            diagnostic = diagnostic.help(fix);
        }
        self.push(diagnostic, severity, "");
    }
}

/// Returns message, CloudFormation's sentence and help for a value that is out of bounds.
pub(super) fn bound(schema: Node<'_>, text: &str, takes_text: bool, literal: Literal<'_>) -> Option<Bound> {
    if takes_text {
        let length = text.chars().count() as u64;
        if let Some(least) = schema.min_length().filter(|least| length < *least) {
            let message = format!("has {length} characters, fewer than {least}");
            let help = format!("at least {least} characters");
            return Some((message, format!("expected minLength: {least}, actual: {length}"), help));
        }
        if let Some(most) = schema.max_length().filter(|most| length > *most) {
            let message = format!("has {length} characters, more than {most}");
            let help = format!("at most {most} characters");
            return Some((message, format!("expected maxLength: {most}, actual: {length}"), help));
        }
    }
    let takes_number = schema.kinds().has(Kind::Number) || schema.kinds().has(Kind::Integer);
    if matches!(literal, Literal::Boolean) || !takes_number {
        return None;
    }
    let value = number(text)?;
    if let Some(least) = schema.minimum().filter(|least| value < least.value()) {
        let message = format!("is {}, less than {least}", shown(text));
        let help = format!("at least {least}");
        return Some((message, format!("{} is not greater or equal to {least}", shown(text)), help));
    }
    if let Some(most) = schema.maximum().filter(|most| value > most.value()) {
        let message = format!("is {}, more than {most}", shown(text));
        let help = format!("at most {most}");
        return Some((message, format!("{} is not less or equal to {most}", shown(text)), help));
    }
    let multiple = schema.multiple_of().filter(|of| of.value() > 0.0 && (value / of.value()).fract() != 0.0)?;
    let message = format!("is {}, not a multiple of {multiple}", shown(text));
    let help = format!("a multiple of {multiple}");
    Some((message, format!("{} is not a multiple of {multiple}", shown(text)), help))
}

fn has_alternatives(node: Node<'_>) -> bool {
    node.one_of().chain(node.any_of()).next().is_some()
}

fn described(literal: Literal<'_>, found: &str) -> String {
    match literal {
        Literal::Text(text) if text.len() <= 30 => format!("the string {}", quoted(text)),
        Literal::Number(text) if text.len() <= 30 => format!("the number {text}"),
        _ => found.to_owned(),
    }
}

fn accepts(kinds: Kinds, literal: Literal<'_>) -> bool {
    kinds.is_any() || kinds.iter().any(|kind| is_accepted(literal, kind))
}

/// Returns `true` if a node without alternatives, which takes single values, accepts a literal.
pub(super) fn takes(schema: Node<'_>, literal: Literal<'_>) -> bool {
    accepts(schema.kinds(), literal) || !schema.kinds().allows_scalar()
}

/// Returns `true` if a literal is accepted where a kind is wanted (reference/schemas.md#kinds).
fn is_accepted(literal: Literal<'_>, kind: Kind) -> bool {
    match (kind, literal) {
        (Kind::String, _) => true,
        (Kind::Integer, Literal::Number(text)) => number(text).is_none_or(|value| value.fract() == 0.0),
        (Kind::Integer, Literal::Text(text)) => number(text).is_some_and(|value| value.fract() == 0.0),
        (Kind::Number, Literal::Number(_)) => true,
        (Kind::Number, Literal::Text(text)) => number(text).is_some(),
        (Kind::Boolean, Literal::Boolean) => true,
        (Kind::Boolean, Literal::Text(text)) => text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false"),
        _ => false,
    }
}

/// Parses a decimal number; `None` for other notations, which are not checked.
pub(super) fn number(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E'))
        && text.bytes().any(|byte| byte.is_ascii_digit());
    is_decimal.then(|| text.parse().ok()).flatten()
}

fn digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(char::is_ascii_digit)
}

/// Returns `true` for an allowed value: the same string, or the same number.
pub(super) fn allows(values: Values<'_>, text: &str) -> bool {
    values.allow(text) || allows_text(values.iter(), text)
}

/// Returns `true` if one of the values is the same string, or the same number.
pub(super) fn allows_text<'v>(values: impl Iterator<Item = &'v str> + Clone, text: &str) -> bool {
    let mut known = values.clone();
    known.any(|known| known == text)
        || number(text).is_some_and(|value| values.into_iter().any(|known| number(known) == Some(value)))
}

/// Returns `true` if a string is filled in later: a dynamic reference, a placeholder, a template language.
pub(super) fn is_placeholder(text: &str) -> bool {
    // A quick test that most strings fail.
    if !text.bytes().any(|byte| matches!(byte, b'{' | b'<')) {
        return false;
    }
    text.contains("{{")
        || text.contains("${")
        || text.contains("<<")
        || text
            .match_indices('<')
            .any(|(at, _)| text.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(char::is_alphabetic))
}
