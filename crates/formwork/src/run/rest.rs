//! Diagnostics beside a syntax error: every error in the sections and entries that can be read, and no error that only
//! appears because a part of the text could not be read (reference/diagnostics.md#wording).

use std::collections::HashSet;

use formwork_base::{Diagnostic, Fact, Span, codes};
use formwork_syntax::rest::{self, Broken, Lost, Sections};
use formwork_syntax::{Document, Entry, Format, Kind, NodeId, Origin, Style, symbol, without_pasted};

use super::Run;
use super::damage::damaged;
use super::lost_names::{LostReferences, Namespace};

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
        let whole = without_pasted(&text);
        let text = whole.as_deref().unwrap_or(&text);
        let text = second.map_or(text, |second| &text[..(second - base) as usize]);
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
    pub(super) fn leave_out_consequences(&mut self, damage: &Damage, root: NodeId) {
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
        let is_declared = |namespace: Namespace, name: &str| {
            let sections: &[_] = match namespace {
                Namespace::Values => &[symbol::PARAMETERS, symbol::RESOURCES],
                Namespace::Conditions => &[symbol::CONDITIONS],
                Namespace::Mappings => &[symbol::MAPPINGS],
            };
            let section = |name| self.tree.get(root, name);
            sections.iter().filter_map(|&name| section(name)).any(|node| self.tree.get_text(node, name).is_some())
        };
        let is_missing = |namespace: Namespace, name: &str| !name.starts_with("AWS::") && !is_declared(namespace, name);
        let find =
            |is_lost: &dyn Fn(Namespace, &str) -> bool| LostReferences::find(&self.tree, &self.sources, root, is_lost);
        let mut places = find(&|namespace, name| is_missing(namespace, name) && consequences.may_declare(name));
        // Names that nobody can list.
        let is_generated = |text: &&str| {
            ["Fn::ForEach", "Fn::Map", "Fn::Merge", "Fn::Transform"].iter().any(|name| text.contains(name))
        };
        let is_unknown = texts.iter().any(is_generated) || places.is_in_collection;
        if is_unknown {
            places = find(&is_missing);
        }
        let mut index = 0;
        let kept: Vec<bool> = self
            .diagnostics
            .iter()
            .map(|found| {
                index += 1;
                let is_of_name = || found.name().is_some_and(|name| is_unknown || consequences.may_declare(name));
                index <= damage.first
                    || !(consequences.follows(found, self.sources.slice(found.span()))
                        || is_of_name()
                        || places.meet(found.span()))
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
        if found.code == codes::NO_RESOURCES {
            let is_resources = |lost: &Lost| lost.section.as_deref().is_none_or(|section| section == "Resources");
            return self.words.contains("Resources") || self.damage.lost.iter().any(is_resources);
        }
        // The unread part may be the resource that never exists because of it.
        found.code == codes::CONSTANT_CONDITION
            && found.facts.contains(&Fact::NeverTrue)
            && words(text).any(|word| self.words.contains(word))
    }

    /// Returns whether the unread part may declare a name, or use it.
    fn may_declare(&self, name: &str) -> bool {
        let own = name.rsplit("::").next().unwrap_or(name);
        words(own).all(|word| self.words.contains(word)) || self.is_generated(name)
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
