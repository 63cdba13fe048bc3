//! Completions at a cursor.

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

/// The kind of a completion.
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
    /// A value of a fixed set.
    Value,
    /// A file.
    File,
    /// A skeleton.
    Snippet,
}

/// A completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The label in the list of an editor.
    pub label: String,
    /// The kind.
    pub kind: ProposalKind,
    /// A short description beside the label.
    pub detail: Option<String>,
    /// A sentence of documentation.
    pub documentation: Option<String>,
    /// The change: it replaces the whole token under the cursor.
    pub edit: Edit,
    /// The edit with placeholders such as `$1`, for editors that support them.
    pub snippet: Option<String>,
    /// The number of its group: smaller ones are listed first.
    pub group: u8,
}

struct Collector<'c, 'h> {
    ide: &'c Ide<'h>,
    file: &'c VirtualPath,
    offset: u32,
    context: Context,
    /// Paths of files to propose, from the directory of the template.
    files: &'c [String],
    is_json: bool,
    proposals: Vec<Proposal>,
    known: BTreeSet<String>,
}

/// Returns the completions at an offset of a file, the most fitting first. `files` are paths to propose, from the
/// directory of the template.
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
    fn token(&self) -> &str {
        let text = self.ide.file(self.file).map_or("", |index| index.text());
        text.get(self.context.start..self.context.end).unwrap_or_default()
    }

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

    /// Adds a value, quoted if a JSON collection requires it.
    fn add_value(&mut self, value: &str, kind: ProposalKind, detail: Option<String>, group: u8) {
        let is_word = matches!(value, "true" | "false");
        let text = match (self.context.quote, self.is_json) {
            (None, true) if !is_word => format!("\"{value}\""),
            (None, false) if needs_quotes(value) => format!("\"{value}\""),
            _ => value.to_owned(),
        };
        self.add(value, text, kind, detail, group);
    }

    fn add_key(&mut self, key: &str, kind: ProposalKind, words: (Option<String>, Option<String>), group: u8) {
        if self.context.siblings.iter().any(|sibling| sibling == key) {
            return;
        }
        let colon = if self.context.has_colon { "" } else { ": " };
        let text = match (self.context.quote, self.is_json) {
            (None, true) => format!("\"{key}\"{colon}"),
            (None, false) => format!("{key}{colon}"),
            // The closing quote exists or is typed by the editor.
            (Some(_), _) => key.to_owned(),
        };
        self.add_documented(key, text, kind, words, group);
    }

    /// The entry of a section around the cursor: the names of the section and of the entry.
    fn member(&self) -> (Option<String>, Option<String>) {
        let mut keys = self.context.keys().into_iter();
        let section = keys.next().map(str::to_owned);
        let member = keys.find(|key| !key.starts_with("Fn::ForEach")).map(str::to_owned);
        (section, member)
    }
}

/// Returns `true` if a plain scalar of this text would have another type.
fn needs_quotes(value: &str) -> bool {
    value.starts_with(['*', '&', '!', '%', '@', '`', '{', '[', '>', '|', '#', '-', '?', ':', '"', '\''])
        || value.contains(": ")
        || value.ends_with(':')
        || value.contains(" #")
        || value.is_empty()
        || value.parse::<f64>().is_ok()
}
