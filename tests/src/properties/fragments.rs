//! A template that is cut into files is the same template when they are united: the same data, and the entries of YAML
//! files byte for byte.
//!
//! Holds reference/merge.md#rules, reference/merge.md#text.

use std::collections::BTreeSet;

use formwork::{FileBytes, MemoryHost, Options, Session, VirtualPath};
use formwork_base::{Diagnostics, Limits, SourceMap};
use formwork_syntax::value::Value;
use formwork_syntax::{Document, Entry, Format, Kind, Style, Tree, read};

use crate::generate::{self, Choices};

type Members = Vec<(String, Value)>;

/// The law for one template. Returns the number of entries that were compared byte for byte.
///
/// # Errors
/// In words.
pub fn fragments(template: &Value, choices: &mut Choices<'_>) -> Result<usize, String> {
    let Value::Map(sections) = template else { return Ok(0) };
    let files = cut(sections, choices);
    let merged = united(&files)?;
    // The order of keys makes no difference.
    let (one, other) = (crate::data::read(&merged)?, crate::data::read(&generate::json(template))?);
    if crate::data::long_form(&one) != crate::data::long_form(&other) {
        return Err(format!("the data differs\n{}", shown(&files, &merged)));
    }
    let whole = Parsed::of("merged.yaml", &merged)?;
    let mut compared = 0;
    let mut seen = BTreeSet::new();
    for (file, text) in files.iter().filter(|_| whole.document.format == Format::Yaml) {
        let own = Parsed::of(file, text)?;
        for (section, member) in own.members() {
            let name = own.tree.text(member.key);
            // The first of two equal declarations is taken.
            let is_first = seen.insert(format!("{} {name}", own.tree.text(section.key)));
            let is_copied = is_first && own.document.format == Format::Yaml;
            let Some(copied) = own.text(section, member).filter(|_| is_copied) else { continue };
            let found = whole.find(own.tree.text(section.key), name);
            let found = found.and_then(|(section, member)| whole.text(section, member));
            compared += 1;
            if found.as_ref() != Some(&copied) {
                let what = format!("{name} was\n{copied}\nand is\n{}", found.unwrap_or_default());
                return Err(format!("{what}\n{}", shown(&files, &merged)));
            }
        }
    }
    Ok(compared)
}

/// Cuts a template into 2 to 20 files. Some entries are in two of them.
fn cut(sections: &Members, choices: &mut Choices<'_>) -> Vec<(String, String)> {
    let count = 2 + choices.below(19);
    let mut files: Vec<Members> = vec![Vec::new(); count];
    for (section, value) in sections {
        let Value::Map(members) = value else {
            let at = choices.below(count);
            files[at].push((section.clone(), value.clone()));
            continue;
        };
        for (name, member) in members {
            let first = choices.below(count);
            let second = if choices.one_in(8) { choices.below(count) } else { first };
            let mut places = vec![first, second];
            places.dedup();
            for at in places {
                add(&mut files[at], section, (name.clone(), member.clone()));
            }
        }
    }
    files.retain(|sections| !sections.is_empty());
    let text = |(number, sections): (usize, Members)| {
        let value = Value::Map(sections);
        if choices.one_in(4) {
            (format!("{number}.json"), generate::json(&value))
        } else {
            (format!("{number}.yaml"), generate::yaml(&value, choices))
        }
    };
    files.into_iter().enumerate().map(text).collect()
}

fn add(file: &mut Members, section: &str, member: (String, Value)) {
    match file.iter_mut().find(|(name, _)| name == section) {
        Some((_, Value::Map(members))) => members.push(member),
        _ => file.push((section.to_owned(), Value::Map(vec![member]))),
    }
}

fn united(files: &[(String, String)]) -> Result<String, String> {
    let session = Session::new(MemoryHost::new(), Options::default());
    let mut paths: Vec<VirtualPath> = files.iter().map(|(name, _)| VirtualPath::new(name)).collect();
    for (path, (_, text)) in paths.iter().zip(files) {
        session.set_file(path, FileBytes::from(text.as_bytes()));
    }
    let first = paths.remove(0);
    let options = Options { other_files: paths, ..Options::default() };
    let united = session.with_options(options).snapshot().unite(&first);
    let text = united.united_text(&|_, _| None);
    let text = text.ok_or_else(|| format!("not united: {:?}\n{}", united.diagnostics(), shown(files, "")))?;
    String::from_utf8(text.bytes).map_err(|error| error.to_string())
}

fn shown(files: &[(String, String)], merged: &str) -> String {
    let files: Vec<String> = files.iter().map(|(name, text)| format!("--- {name}\n{text}")).collect();
    format!("{}\n--- merged\n{merged}", files.join("\n"))
}

struct Parsed {
    tree: Tree,
    sources: SourceMap,
    document: Document,
}

impl Parsed {
    fn of(name: &str, text: &str) -> Result<Parsed, String> {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new(name), text).ok_or("no room")?;
        let document = read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new());
        Ok(Parsed { tree, sources, document })
    }

    fn members(&self) -> impl Iterator<Item = (Entry, Entry)> {
        let sections = self.tree.entries(self.document.root);
        let of = |section: Entry| self.tree.data_members(section.value).into_iter().flatten();
        sections.flat_map(move |section| of(section).map(move |member| (section, member)))
    }

    fn find(&self, section: &str, name: &str) -> Option<(Entry, Entry)> {
        self.members()
            .find(|(around, member)| self.tree.text(around.key) == section && self.tree.text(member.key) == name)
    }

    /// The text of an entry from its key, without the indentation of the key; `None` for one that is not on lines of its
    /// own.
    fn text(&self, section: Entry, member: Entry) -> Option<String> {
        let text = self.sources.text(self.document.file);
        let base = self.sources.base(self.document.file);
        let start = (self.tree.span(member.key).start() - base) as usize;
        let end = (self.tree.span(member.value).end() - base) as usize;
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let is_flow = self.tree.style(section.value) == Style::Flow || self.tree.kind(section.value) != Kind::Map;
        let written = text[start..end.max(start)].trim_end();
        if is_flow {
            return None;
        }
        let indent = start - line;
        let lines = written.split('\n').enumerate().map(|(at, line)| {
            let depth = line.len() - line.trim_start_matches(' ').len();
            if at == 0 { line } else { &line[indent.min(depth)..] }
        });
        Some(lines.collect::<Vec<_>>().join("\n"))
    }
}
