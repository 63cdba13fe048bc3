//! A slip of the keyboard is an error at its place: in a name, a section, an attribute, a function, a tag, a pseudo
//! parameter, an output or a key below one, whatever the values at hand turn off.
//!
//! Holds reference/structure.md#references, reference/command-line.md#checks.

mod keys;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use formwork::{Compilation, Goal, Options, Severity};
use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
use formwork_schemas::Schemas;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, Style, Tree, View, function, symbol};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};
use formwork_template::{Section, attribute};

use super::compile;

/// What a slip is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Word {
    /// The name of a resource, parameter, condition or mapping, where it is used.
    Name,
    /// A section.
    Section,
    /// An attribute of a resource or parameter.
    Attribute,
    /// The long name of a function.
    Function,
    /// The short name of a function.
    Tag,
    /// A pseudo parameter.
    Pseudo,
    /// An attribute of an output.
    Output,
    /// A key below these.
    Nested,
    /// A property of a resource.
    Property,
    /// A property below one.
    NestedProperty,
    /// A property, or one below it, in `Globals`.
    Global,
}

/// A word of a template that may be misspelt: where its letters are.
#[derive(Clone, Debug)]
struct Site {
    word: Word,
    start: usize,
    text: String,
}

/// How many slips were tried and how many reported, by what they are in.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    counts: BTreeMap<Word, [usize; 2]>,
    /// Those that were not reported.
    pub silent: Vec<String>,
}

impl Tally {
    /// Adds another one.
    pub fn add(&mut self, other: Tally) {
        for (word, [tried, reported]) in other.counts {
            let counts = self.counts.entry(word).or_default();
            counts[0] += tried;
            counts[1] += reported;
        }
        self.silent.extend(other.silent);
    }

    /// How many were tried, and how many were reported.
    pub fn total(&self) -> [usize; 2] {
        self.counts.values().fold([0, 0], |[tried, reported], one| [tried + one[0], reported + one[1]])
    }

    /// The same by what the slips are in.
    pub fn by_word(&self) -> impl Iterator<Item = (Word, [usize; 2])> + '_ {
        self.counts.iter().map(|(&word, &counts)| (word, counts))
    }

    /// All of it, in words.
    pub fn words(&self) -> String {
        let counts = self.counts.iter().map(|(word, [tried, reported])| format!("{word:?} {reported} of {tried}"));
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// Tries at most `most` slips of each kind in a template.
pub fn slips(name: &str, text: &str, most: usize) -> Tally {
    let schemas = Arc::new(Schemas::embedded());
    let (sites, known) = sites(text, &schemas);
    let options = Options { schemas: Some(schemas), ..Options::default() };
    let before = errors(&compile(text, &options, Goal::Check));
    let mut tally = Tally::default();
    let mut by_word: BTreeMap<Word, Vec<Site>> = BTreeMap::new();
    for site in sites {
        by_word.entry(site.word).or_default().push(site);
    }
    for (word, sites) in by_word {
        let step = sites.len().div_ceil(most).max(1);
        for (at, site) in sites.iter().enumerate().step_by(step) {
            let Some(slip) = misspelt(&site.text, at).filter(|slip| !known.contains(slip)) else { continue };
            let line = text[..site.start].matches('\n').count() as u32 + 1;
            if before.iter().any(|error| error.lines.contains(&line)) {
                continue;
            }
            let slipped = [&text[..site.start], &slip, &text[site.start + site.text.len()..]].concat();
            let found = errors(&compile(&slipped, &options, Goal::Check));
            let counts = tally.counts.entry(word).or_default();
            counts[0] += 1;
            if found.iter().any(|error| error.lines.contains(&line)) {
                counts[1] += 1;
            } else {
                tally.silent.push(format!("{name}:{line}: {word:?} {} as {slip}", site.text));
            }
        }
    }
    tally
}

struct Error {
    lines: std::ops::RangeInclusive<u32>,
}

fn errors(result: &Compilation) -> Vec<Error> {
    let errors = result.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    let places = errors.filter_map(|found| result.sources().place(found.span()));
    places.map(|place| Error { lines: place.line..=place.end_line.max(place.line) }).collect()
}

/// A word with a slip: two neighbours swapped, a letter left out, or typed twice.
fn misspelt(word: &str, number: usize) -> Option<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < 3 || !word.is_ascii() {
        return None;
    }
    let at = 1 + number * 7 % (letters.len() - 2);
    let mut made = letters.clone();
    match number % 3 {
        0 if letters[at] != letters[at + 1] => made.swap(at, at + 1),
        1 => made.insert(at, letters[at]),
        _ => {
            made.remove(at);
        }
    }
    Some(made.into_iter().collect())
}

/// The words of a template, and every word that means something in it.
fn sites(text: &str, schemas: &Schemas) -> (Vec<Site>, BTreeSet<String>) {
    let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
    let Some(file) = sources.add(VirtualPath::new("template.yaml"), text) else { return (Vec::new(), BTreeSet::new()) };
    let mut diagnostics = Diagnostics::new();
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    if !document.is_well_formed {
        return (Vec::new(), BTreeSet::new());
    }
    let mut finder = Finder { tree: &tree, sources: &sources, base: sources.base(file), found: Vec::new() };
    finder.template(document.root);
    keys::find(&tree, document.root, schemas, &mut |word, key| finder.add(word, key, tree.text(key)));
    let mut known: BTreeSet<String> = Known::ALL.iter().map(|known| known.long().to_owned()).collect();
    known.extend(Known::ALL.iter().map(|known| known.long().trim_start_matches("Fn::").to_owned()));
    known.extend(Section::ALL.iter().map(|section| section.name().to_owned()));
    let attributes = attribute::RESOURCE.iter().chain(&attribute::PARAMETER).chain(&attribute::OUTPUT);
    known.extend(attributes.map(|&name| tree.name(name).to_owned()));
    known.extend(finder.found.iter().map(|site| site.text.clone()));
    for section in tree.entries(document.root) {
        known.extend(tree.entries(section.value).map(|entry| tree.text(entry.key).to_owned()));
    }
    (finder.found, known)
}

/// The entries of a section, and those of the fragments of its loops.
fn members(tree: &Tree, section: NodeId) -> Vec<Entry> {
    let (mut found, mut pending) = (Vec::new(), vec![section]);
    while let Some(node) = pending.pop() {
        for entry in tree.entries(node) {
            match (function::loop_name(tree.text(entry.key)), tree.items(entry.value)) {
                (Some(_), &[_, _, fragment]) => pending.push(fragment),
                _ if tree.text(entry.key).starts_with("Fn::") => {}
                _ => found.push(entry),
            }
        }
    }
    found
}

struct Finder<'f> {
    tree: &'f Tree,
    sources: &'f SourceMap,
    base: u32,
    found: Vec<Site>,
}

impl Finder<'_> {
    /// Adds a word of a node, if it is written as it is.
    fn add(&mut self, word: Word, node: NodeId, part: &str) {
        self.add_behind(word, node, "", part);
    }

    /// The same behind a mark.
    fn add_behind(&mut self, word: Word, node: NodeId, mark: &str, part: &str) {
        let span = self.tree.span(node);
        let source = self.sources.slice(span);
        if self.tree.is_alias(node) || part.is_empty() {
            return;
        }
        if let Some(at) = source.find(&format!("{mark}{part}")) {
            let start = (span.start() - self.base) as usize + at + mark.len();
            self.found.push(Site { word, start, text: part.to_owned() });
        }
    }

    fn template(&mut self, root: NodeId) {
        let tree = self.tree;
        for section in tree.entries(root) {
            let Some(known) = Section::from_symbol(tree.symbol(section.key)) else { continue };
            self.add(Word::Section, section.key, tree.text(section.key));
            for entry in members(tree, section.value) {
                match known {
                    Section::Parameters => self.keys(Word::Attribute, entry.value, &attribute::PARAMETER),
                    Section::Conditions | Section::Globals => self.value(entry.value),
                    Section::Resources => self.resource(entry.value),
                    Section::Outputs => self.output(entry.value),
                    _ => {}
                }
            }
        }
    }

    fn keys(&mut self, word: Word, node: NodeId, known: &[formwork_syntax::Symbol]) {
        for entry in self.tree.entries(node) {
            if known.contains(&self.tree.symbol(entry.key)) {
                self.add(word, entry.key, self.tree.text(entry.key));
            }
        }
    }

    fn resource(&mut self, node: NodeId) {
        let tree = self.tree;
        if tree.get(node, symbol::FN_TRANSFORM).is_some() {
            return;
        }
        self.keys(Word::Attribute, node, &attribute::RESOURCE);
        for entry in tree.entries(node) {
            match tree.symbol(entry.key) {
                symbol::CONDITION => self.name(entry.value),
                symbol::DEPENDS_ON => {
                    let items = tree.items(entry.value);
                    let items = if items.is_empty() { vec![entry.value] } else { items.to_vec() };
                    for item in items {
                        self.name(item);
                    }
                }
                symbol::PROPERTIES => self.value(entry.value),
                symbol::CREATION_POLICY | symbol::UPDATE_POLICY => {
                    for policy in tree.entries(entry.value) {
                        self.add(Word::Nested, policy.key, tree.text(policy.key));
                        for part in tree.entries(policy.value) {
                            self.add(Word::Nested, part.key, tree.text(part.key));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn output(&mut self, node: NodeId) {
        let tree = self.tree;
        self.keys(Word::Output, node, &attribute::OUTPUT);
        for entry in tree.entries(node) {
            match tree.symbol(entry.key) {
                symbol::CONDITION => self.name(entry.value),
                symbol::VALUE => self.value(entry.value),
                symbol::EXPORT => {
                    for part in tree.entries(entry.value) {
                        self.add(Word::Nested, part.key, tree.text(part.key));
                        self.value(part.value);
                    }
                }
                _ => {}
            }
        }
    }

    fn name(&mut self, node: NodeId) {
        // What a loop fills in has many names.
        if let Some(name) = self.tree.string(node).filter(|name| !name.contains(['$', '&'])) {
            self.reference(node, "", name);
        }
    }

    fn reference(&mut self, node: NodeId, mark: &str, name: &str) {
        match name.strip_prefix("AWS::") {
            Some(pseudo) => self.add_behind(Word::Pseudo, node, &format!("{mark}AWS::"), pseudo),
            None => self.add_behind(Word::Name, node, mark, name.split('.').next().unwrap_or(name)),
        }
    }

    fn value(&mut self, node: NodeId) {
        let tree = self.tree;
        match tree.view(node) {
            View::List(items) => items.iter().for_each(|&item| self.value(item)),
            View::Map => {
                let is_condition = tree.len(node) == 1 && tree.get(node, symbol::CONDITION).is_some();
                for entry in tree.entries(node) {
                    if function::loop_name(tree.text(entry.key)).is_some() {
                        continue;
                    }
                    if is_condition {
                        self.name(entry.value);
                    } else {
                        self.value(entry.value);
                    }
                }
            }
            View::Call(Function::Known(known), argument) => self.call(node, known, argument),
            _ => {}
        }
    }

    fn call(&mut self, node: NodeId, known: Known, argument: NodeId) {
        let tree = self.tree;
        if matches!(known, Known::Transform | Known::Map | Known::Merge) {
            return;
        }
        let short = known.long().trim_start_matches("Fn::");
        match tree.style(node) {
            Style::Tag => self.add(Word::Tag, tree.call_name(node), short),
            _ if known != Known::Condition => self.add(Word::Function, tree.call_name(node), short),
            _ => {}
        }
        match known {
            Known::Ref | Known::Condition => self.name(argument),
            Known::GetAtt => match tree.items(argument) {
                [] => self.name(argument),
                [name, ..] => self.name(*name),
            },
            Known::Sub => {
                let (text, variables) = sub_parts(tree, argument);
                for part in sub_string::parts(tree.string(text).unwrap_or_default()) {
                    if let Part::Variable(name) = part {
                        self.reference(text, "${", name);
                    }
                }
                if let Some(variables) = variables {
                    self.value(variables);
                }
            }
            Known::If => {
                let items = tree.items(argument);
                if let [name, branches @ ..] = items {
                    self.name(*name);
                    for &branch in branches {
                        self.value(branch);
                    }
                }
            }
            Known::FindInMap => {
                if let [map, keys @ ..] = tree.items(argument) {
                    self.name(*map);
                    for &key in keys {
                        match tree.string(key) {
                            Some(text) => self.add(Word::Nested, key, text),
                            None => self.value(key),
                        }
                    }
                }
            }
            _ => self.value(argument),
        }
    }
}
