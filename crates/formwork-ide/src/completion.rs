//! What may be written at a place.

mod functions;
mod keys;
mod names;
mod properties;
mod values;

use std::collections::BTreeSet;

use formwork::VirtualPath;
use formwork::query::SymbolKind;

use crate::context::{Context, Place};
use crate::{Edit, Ide};

/// What a proposal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProposalKind {
    /// A name of this kind.
    Name(SymbolKind),
    /// A function.
    Function,
    /// A section, an attribute.
    Keyword,
    /// A property of a resource.
    Property,
    /// A type of a resource or parameter.
    Type,
    /// A value of a few.
    Value,
    /// A file.
    File,
    /// A skeleton.
    Snippet,
}

/// Something that may be written at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// What an editor lists.
    pub label: String,
    /// What it is.
    pub kind: ProposalKind,
    /// A few words beside it.
    pub detail: Option<String>,
    /// A sentence about it.
    pub documentation: Option<String>,
    /// The change: it replaces the whole token under the cursor.
    pub edit: Edit,
    /// The same with places to fill in, as `$1`, for editors that have them.
    pub snippet: Option<String>,
    /// The number of its group: smaller ones are listed first.
    pub group: u8,
}

/// Where proposals are collected.
struct Collector<'c, 'h> {
    ide: &'c Ide<'h>,
    file: &'c VirtualPath,
    offset: u32,
    context: Context,
    /// Files that may be named, from the directory of the template.
    files: &'c [String],
    is_json: bool,
    proposals: Vec<Proposal>,
    known: BTreeSet<String>,
}

/// Returns what may be written at an offset of a file, the most fitting first. `files` may be named, by their paths from
/// the directory of the template.
pub fn completion(ide: &Ide<'_>, file: &VirtualPath, offset: u32, files: &[String]) -> Vec<Proposal> {
    let Some(index) = ide.file(file) else { return Vec::new() };
    let text = index.text();
    let context = Context::new(text, offset as usize);
    let is_json = text.trim_start().starts_with('{');
    let mut collector =
        Collector { ide, file, offset, context, files, is_json, proposals: Vec::new(), known: BTreeSet::new() };
    match collector.context.place {
        Place::Nothing => {}
        _ if collector.context.is_placeholder => names::in_placeholder(&mut collector),
        Place::Key => keys::keys(&mut collector),
        Place::Value => values::values(&mut collector),
        Place::Element => {
            values::values(&mut collector);
            keys::keys(&mut collector);
        }
    }
    collector.proposals.sort_by_key(|proposal| proposal.group);
    collector.proposals
}

impl Collector<'_, '_> {
    /// The token in front of the cursor and behind it.
    fn token(&self) -> &str {
        let text = self.ide.file(self.file).map_or("", |index| index.text());
        text.get(self.context.start..self.context.end).unwrap_or_default()
    }

    /// Adds a proposal, unless one with its label is there.
    fn add(&mut self, label: &str, text: String, kind: ProposalKind, detail: Option<String>, group: u8) {
        self.add_documented(label, text, kind, (detail, None), group);
    }

    fn add_documented(
        &mut self,
        label: &str,
        text: String,
        kind: ProposalKind,
        (detail, documentation): (Option<String>, Option<String>),
        group: u8,
    ) {
        if !self.known.insert(label.to_owned()) {
            return;
        }
        self.proposals.push(Proposal {
            label: label.to_owned(),
            kind,
            detail,
            documentation,
            edit: Edit::new(self.context.start as u32, self.context.end as u32, text),
            snippet: None,
            group,
        });
    }

    /// Adds a value: quoted where a collection in JSON asks for it.
    fn add_value(&mut self, value: &str, kind: ProposalKind, detail: Option<String>, group: u8) {
        let is_word = matches!(value, "true" | "false");
        let text = match (self.context.quote, self.is_json) {
            (None, true) if !is_word => format!("\"{value}\""),
            (None, false) if needs_quotes(value) => format!("\"{value}\""),
            _ => value.to_owned(),
        };
        self.add(value, text, kind, detail, group);
    }

    /// Adds a key with its colon.
    fn add_key(&mut self, key: &str, kind: ProposalKind, words: (Option<String>, Option<String>), group: u8) {
        if self.context.siblings.iter().any(|sibling| sibling == key) {
            return;
        }
        let colon = if self.context.has_colon { "" } else { ": " };
        let text = match (self.context.quote, self.is_json) {
            (None, true) => format!("\"{key}\"{colon}"),
            (None, false) => format!("{key}{colon}"),
            // The closing quote is there or typed by the editor.
            (Some(_), _) => key.to_owned(),
        };
        self.add_documented(key, text, kind, words, group);
    }

    /// The entry of a section that the cursor is in: the name of the section and its own.
    fn member(&self) -> (Option<String>, Option<String>) {
        let mut keys = self.context.keys().into_iter();
        let section = keys.next().map(str::to_owned);
        let member = keys.find(|key| !key.starts_with("Fn::ForEach")).map(str::to_owned);
        (section, member)
    }
}

/// Whether a plain scalar of this text would be something else.
fn needs_quotes(value: &str) -> bool {
    value.starts_with(['*', '&', '!', '%', '@', '`', '{', '[', '>', '|', '#', '-', '?', ':', '"', '\''])
        || value.contains(": ")
        || value.ends_with(':')
        || value.contains(" #")
        || value.is_empty()
        || value.parse::<f64>().is_ok()
}
