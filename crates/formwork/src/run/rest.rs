//! Diagnostics beside a syntax error: every error in the sections and entries that can be read, and no error that only
//! appears because a part of the text could not be read (reference/diagnostics.md#wording).

use std::collections::HashSet;

use formwork_base::{Code, Diagnostic, Fact, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::rest::{self, Broken, Lost, Sections};
use formwork_syntax::{Document, Entry, Format, Kind, NodeId, Origin, Style};

use super::Run;
use super::damage::damaged;

const WITH_ENTRIES: [&str; 13] = [
    "Resources",
    "Parameters",
    "Mappings",
    "Conditions",
    "Outputs",
    "Rules",
    "Metadata",
    "Globals",
    "Hooks",
    "Modules",
    "Packages",
    "Constants",
    "ParameterSchema",
];

const OTHERS: [&str; 3] = ["AWSTemplateFormatVersion", "Description", "Transform"];

/// Codes of errors about names that may be declared or used in the unread part.
const OF_NAMES: [Code; 9] = [
    codes::UNRESOLVED_NAME,
    codes::UNUSED_NAME,
    codes::ABSENT_RESOURCE,
    codes::INTERFACE,
    codes::NO_MAPPING_ENTRY,
    codes::UNKNOWN_CONDITION,
    codes::NOT_DECLARED,
    codes::SUB_VARIABLE,
    codes::UNUSED_IDENTIFIER,
];

/// Codes of errors about the kind of a name that is not known to be a parameter.
const OF_KINDS: [Code; 5] = [
    codes::FUNCTION_NOT_ALLOWED,
    codes::FUNCTION_LAYOUT,
    codes::LENGTH_UNRESOLVED,
    codes::RULE_UNKNOWN,
    codes::WRONG_KIND,
];

/// Codes of errors of imports that may be declared, bound or used in the unread part.
const OF_IMPORTS: [Code; 9] = [
    codes::MODULE_SOURCE,
    codes::MODULE_NAME,
    codes::PROPERTY_NOT_DECLARED,
    codes::PARAMETER_UNBOUND,
    codes::CONSTANT,
    codes::MODULE_OUTPUT,
    codes::MODULE_FOR_EACH,
    codes::PACKAGE,
    codes::LOCAL_FUNCTION,
];

/// Codes of errors that leave a loop, and the names it generates, unknown.
const OF_LOOPS: [Code; 6] = [
    codes::COLLECTION,
    codes::MAP_NOT_A_LIST,
    codes::MAP_UNRESOLVED,
    codes::MERGE_UNRESOLVED,
    codes::MERGE_OPERANDS,
    codes::TRANSFORM,
];

pub(super) struct Damage {
    lost: Vec<Lost>,
    first: usize,
}

impl Run<'_> {
    /// Removes the sections and entries with syntax errors. `None` when nothing of the template is certain.
    pub(super) fn undamaged(&mut self, document: Document) -> Option<(NodeId, Damage)> {
        let base = self.sources.base(document.file);
        let text = self.sources.text(document.file).clone();
        let file = base..=base + text.len() as u32;
        let mut errors: Vec<u32> = self.diagnostics.iter().filter_map(damaged).filter(|at| file.contains(at)).collect();
        let second = errors.iter().copied().find(|&at| is_second_template(&text, (at - base) as usize));
        if let Some(second) = second {
            errors.retain(|&at| at < second);
            if errors.is_empty() {
                return Some((document.root, Damage { lost: Vec::new(), first: self.diagnostics.len() }));
            }
        }
        let text = second.map_or(&*text, |second| &text[..(second - base) as usize]);
        let broken = Broken { text, base, format: document.format, errors: &errors };
        let sections = Sections { with_entries: &WITH_ENTRIES, others: &OTHERS };
        let mut found = self.diagnostics.of_same_run();
        let rest = rest::read(&mut self.tree, broken, sections, &self.options.limits, &mut found)?;
        let (mut sections, lost) = (rest.sections, rest.lost);
        sections.extend(self.lost_transform(&lost));
        sections.sort_by_key(|section| self.tree.span(section.key).start());
        let style = if document.format == Format::Json { Style::Flow } else { Style::Plain };
        let root = self.tree.map(&sections, style, Origin::Authored(self.sources.span(document.file)));
        let tags = self.tags().into_iter().filter(|&tag| around(&lost, tag).is_none()).collect();
        let root = self.with_poisoned(root, tags)?;
        // An entry that may have been misread has no other errors.
        let is_of_values = |code| [codes::DUPLICATE_KEY, codes::WRONG_KIND].contains(&code);
        let is_guess = |at: Span| {
            let around = around(&lost, at);
            around
                .is_some_and(|lost| errors.iter().any(|&error| (lost.span.start()..=lost.span.end()).contains(&error)))
        };
        self.diagnostics.retain(|found| !is_of_values(found.code) || !is_guess(found.span()));
        self.diagnostics.append(found);
        Some((root, Damage { lost, first: self.diagnostics.len() }))
    }

    /// The transforms in a `Transform` section that could not be read completely.
    fn lost_transform(&mut self, lost: &[Lost]) -> Option<Entry> {
        let section = lost.iter().find(|lost| lost.section.as_deref() == Some("Transform"))?;
        let text = self.sources.slice(section.span).to_owned();
        let mut at = section.span.start();
        let mut names = Vec::new();
        for word in text.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '"' | '\'')) {
            let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            let name = name.strip_prefix("Transform").map_or(name, |name| name.trim_start_matches(':'));
            if name.starts_with(char::is_alphanumeric) {
                let origin = Origin::Authored(Span::new(at, at + word.len() as u32));
                names.push(self.tree.scalar(Kind::String, Style::Plain, name, origin));
            }
            at += word.len() as u32;
        }
        let origin = Origin::Authored(section.span);
        let key = self.tree.key("Transform", Style::Plain, origin);
        Some(Entry { key, value: self.tree.list(&names, Style::Flow, origin) })
    }

    /// Leaves out diagnostics that only appear because a part of the text could not be read.
    pub(super) fn leave_out_consequences(&mut self, damage: &Damage) {
        let texts: Vec<&str> = damage.lost.iter().map(|lost| self.sources.slice(lost.span)).collect();
        let consequences = Consequences {
            damage,
            words: texts.iter().flat_map(|text| words(text)).collect(),
            entries: damage.lost.iter().filter_map(|lost| lost.entry.as_deref()).collect(),
            is_serverless: texts.iter().any(|text| text.contains("AWS::Serverless")),
            has_imports: damage.lost.iter().any(|lost| {
                lost.section.as_deref().is_none_or(|section| matches!(section, "Modules" | "Packages" | "Constants"))
            }),
        };
        let reading = damage.first;
        let span_text = |found: &Diagnostic| self.sources.slice(found.span());
        let is_left_out = |found: &Diagnostic| consequences.follows(found, span_text(found));
        // Names that nobody can list.
        let is_generated = |text: &&str| {
            ["Fn::ForEach", "Fn::Map", "Fn::Merge", "Fn::Transform"].iter().any(|name| text.contains(name))
        };
        let leaves_loops = |found: &Diagnostic| OF_LOOPS.contains(&found.code) && is_left_out(found);
        let is_unknown = texts.iter().any(is_generated) || self.diagnostics.iter().skip(reading).any(leaves_loops);
        let mut index = 0;
        let kept: Vec<bool> = self
            .diagnostics
            .iter()
            .map(|found| {
                index += 1;
                index <= reading || !(is_unknown && OF_NAMES.contains(&found.code) || is_left_out(found))
            })
            .collect();
        let mut kept = kept.into_iter();
        self.diagnostics.retain(|_| kept.next() != Some(false));
    }
}

struct Consequences<'d> {
    damage: &'d Damage,
    words: HashSet<&'d str>,
    entries: HashSet<&'d str>,
    is_serverless: bool,
    /// Set when imports, or their inputs, may be lost.
    has_imports: bool,
}

impl Consequences<'_> {
    fn follows(&self, found: &Diagnostic, text: &str) -> bool {
        let is_lost = |at: Span| around(&self.damage.lost, at).is_some();
        if found.span().is_none() || is_lost(found.span()) || found.related.iter().any(|label| is_lost(label.span)) {
            return true;
        }
        // A value may depend on the unread part through any number of others.
        let decides_values = |lost: &Lost| {
            let section = lost.section.as_deref();
            section.is_none_or(|section| ["Parameters", "Mappings", "Conditions"].contains(&section))
        };
        if found.facts.contains(&Fact::NotChecked) && self.damage.lost.iter().any(decides_values) {
            return true;
        }
        let title = found.message.split(": `").next().unwrap_or_default();
        if found.code == codes::NO_RESOURCES {
            let is_resources = |lost: &Lost| lost.section.as_deref().is_none_or(|section| section == "Resources");
            return self.words.contains("Resources") || self.damage.lost.iter().any(is_resources);
        }
        if words(title).any(|word| self.entries.contains(word)) {
            return true;
        }
        // The unread part may be the resource that never exists because of it.
        if found.code == codes::CONSTANT_CONDITION
            && found.facts.contains(&Fact::NeverTrue)
            && words(text).any(|word| self.words.contains(word))
        {
            return true;
        }
        let written: HashSet<&str> = words(text).collect();
        [&OF_NAMES[..], &OF_LOOPS, &OF_KINDS, &OF_IMPORTS].iter().any(|codes| codes.contains(&found.code))
            && std::iter::once(&found.message).chain(&found.notes).flat_map(|text| words(text)).any(|word| {
                let is_function = word == "Fn" || Known::from_short(word).is_some();
                !is_function && written.contains(word) && (self.words.contains(word) || self.is_generated(word))
            })
    }

    /// Returns `true` if the serverless transform or an import may generate a name for an unread entry.
    fn is_generated(&self, name: &str) -> bool {
        self.is_serverless && name.starts_with("Serverless")
            || (self.is_serverless || self.has_imports)
                && name.char_indices().any(|(end, _)| self.entries.contains(&name[..end]))
    }
}

/// Returns `true` if a second template begins at an offset: a document that repeats a section of the first one.
fn is_second_template(text: &str, at: usize) -> bool {
    fn sections(text: &str) -> impl Iterator<Item = &str> {
        let names = text.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name);
        names.filter(|name| WITH_ENTRIES.contains(name) || OTHERS.contains(name))
    }
    // Such a place is rare, and the search for sections takes as long as the text is.
    let parts = text.split_at_checked(at).filter(|(_, second)| second.starts_with("---"));
    let Some((first, second)) = parts else { return false };
    let first: HashSet<&str> = sections(first).collect();
    sections(second).any(|name| first.contains(name))
}

/// The part around a place among those that are lost, which are in order.
fn around(lost: &[Lost], at: Span) -> Option<&Lost> {
    let next = lost.partition_point(|lost| lost.span.start() <= at.start());
    next.checked_sub(1).map(|before| &lost[before]).filter(|lost| at.start() < lost.span.end())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}
