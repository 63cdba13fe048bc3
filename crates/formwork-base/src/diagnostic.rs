//! The [`Diagnostic`], the one model of everything that a run reports.

use crate::display::without_error_numbers;
use crate::{Code, Fact, Frame, Severity, Span};

/// A place with a short description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The description; may be empty.
    pub text: String,
}

/// A change of the source that fixes the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The effect of the change, in a few words.
    pub message: String,
    /// Replacements of spans, in source order.
    pub edits: Vec<(Span, String)>,
    /// `true` when the change is certainly what the author means, so that it may be applied without asking.
    pub is_safe: bool,
}

/// The part of a diagnostic that advises to pass a value on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ValueAdvice {
    /// The index of that advice in [`Diagnostic::help`].
    pub help: Option<usize>,
}

/// A rule of another tool, which `check --with` runs on an expansion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherRule {
    /// The name of the tool.
    pub tool: String,
    /// The tool's rule id, such as `E3002`.
    pub id: String,
    /// A page about the rule.
    pub url: Option<String>,
}

/// Advice on how to fix a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Advice {
    /// The advice as a sentence.
    pub text: String,
    /// `true` for advice to pass a value on the command line, which reaches the root template alone.
    pub passes_value: bool,
}

impl Advice {
    /// Returns advice to pass a value on the command line.
    pub fn to_pass_value(text: impl Into<String>) -> Advice {
        Advice { text: text.into(), passes_value: true }
    }
}

impl<T: Into<String>> From<T> for Advice {
    fn from(text: T) -> Advice {
        Advice { text: text.into(), passes_value: false }
    }
}

/// A report of a run: data, rendered by front ends (`formwork-report`).
///
/// The wording follows reference/diagnostics.md#wording. The message is one clause without a full stop.
/// CloudFormation's own sentence is the first of the notes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// The severity in this run.
    pub severity: Severity,
    /// The rule of another tool that reports the diagnostic; the code is [`OTHER_TOOL`](crate::codes::OTHER_TOOL) then.
    pub other_rule: Option<Box<OtherRule>>,
    /// The title: the error in one clause.
    pub message: String,
    /// The place; `None` for a value passed on the command line.
    pub primary: Option<Label>,
    /// Other places that help to understand the error.
    pub related: Vec<Label>,
    /// Iterations and module uses that lead to the place, outermost first.
    pub frames: Vec<Frame>,
    /// The reasons.
    pub notes: Vec<String>,
    /// The fixes to try.
    pub help: Vec<String>,
    /// The advice to pass a value on the command line.
    pub value_advice: ValueAdvice,
    /// The YAML indicator, such as `*`, that a value without quotes may begin with by mistake.
    pub indicator: Option<char>,
    /// A change that fixes the error.
    pub fix: Option<Box<Fix>>,
    /// Path of the node in the template, such as `Resources.Queue.Properties`.
    pub path: Option<String>,
    /// The path of the subject in the author's file, which identifies the diagnostic when lines move.
    pub site: Option<String>,
    /// The part that distinguishes it from other diagnostics with its code at its place, such as the name of a missing
    /// property.
    pub subject: Option<String>,
    /// Facts for code that decides by diagnostics.
    pub facts: Vec<Fact>,
    /// The number of occurrences, such as iterations of one loop.
    pub count: u32,
}

impl Diagnostic {
    /// Returns a diagnostic with the default severity of its code. A quotation behind a colon at the end of the
    /// message, as in ``Queue has no Type: `Every Resources object ...` ``, becomes a note
    /// ([`quoting`](Diagnostic::quoting)).
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        let mut message = message.into();
        let sentence = quote_of(&message).map(str::to_owned);
        if let Some(sentence) = &sentence {
            message.truncate(message.len() - sentence.len() - ": ``".len());
        }
        let diagnostic = Diagnostic::titled(code, message);
        match sentence {
            Some(sentence) => diagnostic.quoting(&sentence),
            None => diagnostic,
        }
    }

    /// Returns a diagnostic whose message is kept whole: no quotation at its end becomes a note.
    pub fn titled(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.info().severity,
            other_rule: None,
            message: without_error_numbers(message.into()),
            primary: None,
            related: Vec::new(),
            frames: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            value_advice: ValueAdvice::default(),
            indicator: None,
            fix: None,
            path: None,
            site: None,
            subject: None,
            facts: Vec::new(),
            count: 1,
        }
    }

    /// Moves all spans by `by` positions, for a file that begins later in the position space.
    #[must_use]
    pub fn shifted(mut self, by: u32) -> Diagnostic {
        let labels = self.primary.iter_mut().chain(&mut self.related);
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits).map(|(span, _)| span);
        let frames = self.frames.iter_mut().flat_map(|frame| [&mut frame.span, &mut frame.item]);
        for span in labels.map(|label| &mut label.span).chain(edits).chain(frames) {
            *span = span.shifted(by);
        }
        self
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.primary = (!span.is_none()).then(|| Label { span, text: String::new() });
        self
    }

    /// Sets the description of the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if !span.is_none() {
            self.related.reserve_exact(1);
            self.related.push(Label { span, text: text.into() });
        }
        self
    }

    /// Adds a reason.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.reserve_exact(1);
        self.notes.push(without_error_numbers(text.into()));
        self
    }

    /// Sets the number of occurrences.
    #[must_use]
    pub fn times(mut self, count: u32) -> Diagnostic {
        self.count = count;
        self
    }

    /// Adds the sentence of CloudFormation, or of another tool for codes of modules and packaging, word for word, with
    /// or without its backquotes. A sentence that is a part of another one of the diagnostic is not repeated.
    #[must_use]
    pub fn quoting(mut self, sentence: &str) -> Diagnostic {
        let sentence = sentence.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')).unwrap_or(sentence);
        let note =
            if self.code.is_of_service() { format!("CloudFormation: `{sentence}`") } else { format!("`{sentence}`") };
        if self.quotes().any(|known| known.contains(sentence)) {
            return self;
        }
        let shorter = self.notes.iter().position(|known| quote_in(known).is_some_and(|known| sentence.contains(known)));
        if let Some(at) = shorter {
            self.notes[at] = note;
        } else {
            let after = self.quotes().count();
            self.notes.insert(after, note);
        }
        self
    }

    /// Returns the quoted sentences of CloudFormation and other tools, word for word.
    pub fn quotes(&self) -> impl Iterator<Item = &str> {
        self.notes.iter().filter_map(|note| quote_in(note))
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, advice: impl Into<Advice>) -> Diagnostic {
        let advice = advice.into();
        // One advice to pass a value is enough.
        if advice.passes_value && self.value_advice.help.is_some() {
            return self;
        }
        if advice.passes_value {
            self.value_advice.help = Some(self.help.len());
        }
        self.help.reserve_exact(1);
        self.help.push(advice.text);
        self
    }

    /// Returns a diagnostic for a check that is skipped since it depends on a missing value; `option` passes the value.
    pub fn not_checked(code: Code, what: &str, option: &str) -> Diagnostic {
        let advice = Advice::to_pass_value(format!("pass a value with `{option}`"));
        Diagnostic::new(code, format!("{what} is not checked")).help(advice).fact(Fact::NotChecked)
    }

    /// Replaces the advice to pass a value on the command line, for a template that takes its values from elsewhere.
    pub fn replace_value_advice(&mut self, advice: &str) {
        if let Some(help) = self.value_advice.help.and_then(|at| self.help.get_mut(at)) {
            advice.clone_into(help);
        }
    }

    /// Sets the rule of another tool that reports the diagnostic.
    #[must_use]
    pub fn of_other_rule(mut self, rule: OtherRule) -> Diagnostic {
        self.other_rule = Some(Box::new(rule));
        self
    }

    /// Sets the YAML indicator that a value without quotes may begin with by mistake.
    #[must_use]
    pub fn indicator(mut self, indicator: char) -> Diagnostic {
        self.indicator = Some(indicator);
        self
    }

    /// Sets a change that fixes the error: `text` replaces `span`.
    #[must_use]
    pub fn fix(self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix_all(message, vec![(span, text.into())])
    }

    /// Sets a change of several places that fixes the error.
    #[must_use]
    pub fn fix_all(mut self, message: impl Into<String>, edits: Vec<(Span, String)>) -> Diagnostic {
        self.fix = Some(Box::new(Fix { message: message.into(), edits, is_safe: true }));
        self
    }

    /// Sets a change that fixes the error if the author means that, such as another name of the template.
    #[must_use]
    pub fn unsafe_fix(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Box::new(Fix { message: message.into(), edits: vec![(span, text.into())], is_safe: false }));
        self
    }

    /// Overrides the default severity of the code.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Diagnostic {
        self.severity = severity;
        self
    }

    /// Sets the contexts that lead to the place, outermost first.
    #[must_use]
    pub fn frames(mut self, frames: Vec<Frame>) -> Diagnostic {
        self.frames = frames;
        self
    }

    /// Sets the part that distinguishes the diagnostic from others with its code at its place.
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Diagnostic {
        self.subject = Some(subject.into());
        self
    }

    /// Adds a fact for code that decides by diagnostics.
    #[must_use]
    pub fn fact(mut self, fact: Fact) -> Diagnostic {
        self.facts.reserve_exact(1);
        self.facts.push(fact);
        self
    }

    /// Returns the names that the advice is to write or to use.
    pub fn advised_names(&self) -> impl Iterator<Item = &str> {
        self.facts.iter().filter_map(|fact| if let Fact::Advises(name) = fact { Some(name.as_str()) } else { None })
    }

    /// Returns the name that the diagnostic is about.
    pub fn name(&self) -> Option<&str> {
        self.facts.iter().find_map(|fact| if let Fact::Name(name) = fact { Some(name.as_str()) } else { None })
    }

    /// Returns the part of the text at its place that the diagnostic is about.
    pub fn part(&self) -> Option<&str> {
        self.facts.iter().find_map(|fact| if let Fact::Part(part) = fact { Some(part.as_str()) } else { None })
    }

    /// Sets the path of the node in the template.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Diagnostic {
        self.path = Some(path.into());
        self
    }

    /// Returns the place; [`Span::NONE`] without a place in a file.
    pub fn span(&self) -> Span {
        self.primary.as_ref().map_or(Span::NONE, |label| label.span)
    }
}

/// Returns the sentence of a note that is nothing but a quotation.
pub(crate) fn quote_in(note: &str) -> Option<&str> {
    note.strip_prefix("CloudFormation: ").unwrap_or(note).strip_prefix('`')?.strip_suffix('`')
}

/// Returns the sentence that a message quotes at its end.
fn quote_of(message: &str) -> Option<&str> {
    let (_, sentence) = message.strip_suffix('`')?.split_once(": `")?;
    (!sentence.is_empty()).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn advice_to_pass_a_value_is_replaced_and_other_words_are_not() {
        let option = "--parameter-overrides A=VALUE";
        let mut found = Diagnostic::not_checked(codes::COLLECTION, "loop L", option)
            .help("write: pass a value with --parameter-overrides")
            .help(Advice::to_pass_value(format!("pass it with `{option}`")));
        assert_eq!(found.help[0], format!("pass a value with `{option}`"));
        found.replace_value_advice("pass it");
        assert_eq!(found.help, ["pass it", "write: pass a value with --parameter-overrides"]);
        let mut plain = Diagnostic::new(codes::COLLECTION, "x: pass a value with --region").help("same");
        let before = plain.clone();
        plain.replace_value_advice("pass it");
        assert_eq!(plain, before);
    }
}
