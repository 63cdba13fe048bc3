//! Checks of the declarations of loops: layout, names, depth, places (reference/for-each.md#places,
//! reference/for-each.md#layout, reference/for-each.md#names, reference/for-each.md#nesting). All of them run before
//! anything is expanded.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::transform_sentence;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::{Section, attribute, logical_id};
use rustc_hash::FxHashMap;

use super::declared::{Deepest, ForEach, MOST_DEPTH};
use super::parts::Loop;
use super::survey_state::Survey;

/// Returns an error in the layout of a loop, with both sentences that people search for.
pub(super) fn layout(name: &str, what: &str) -> Diagnostic {
    let name = shown(name);
    Diagnostic::new(codes::FOREACH_LAYOUT, format!("{what}: `Fn::ForEach::{name} layout is incorrect`"))
        .quoting(&transform_sentence("Fn::ForEach layout is incorrect"))
}

/// Returns a key of a fragment without a value, and the `Type` with which its body begins, when that is not indented.
fn body_beside(tree: &Tree, fragment: NodeId) -> Option<(Entry, Entry)> {
    let entries: Vec<Entry> = (tree.kind(fragment) == Kind::Map).then(|| tree.entries(fragment).collect())?;
    entries.windows(2).find_map(|pair| {
        let &[key, body] = pair else { return None };
        let is_type =
            tree.symbol(body.key) == symbol::TYPE && tree.string(body.value).is_some_and(attribute::is_type_name);
        (tree.kind(key.value) == Kind::Null && is_type).then_some((key, body))
    })
}

impl<'f> Survey<'f> {
    pub(super) fn deeper(&mut self, key: NodeId, is_map: bool) {
        let depth = self.loops.len() + 1;
        if depth > MOST_DEPTH && self.declared.deepest.is_none_or(|deepest| depth > deepest.depth) {
            // Keys of loops are alone in having a name.
            let is_map = self.loops.get(MOST_DEPTH).map_or(is_map, |first| first.name.is_none());
            self.declared.deepest = Some(Deepest { key, depth, is_map });
        }
    }

    /// Returns the parts of an `Fn::ForEach` with a valid layout. With `Formwork` declared it may have two variables,
    /// and may generate items `in_list`.
    pub(super) fn layout(&self, entry: Entry, name: &str, in_list: bool) -> Result<Loop, Box<Diagnostic>> {
        let tree = self.tree;
        let at = tree.span(entry.key);
        let &[identifier, _, fragment] = tree.items(entry.value) else {
            let what = match (tree.kind(entry.value), tree.len(entry.value)) {
                (Kind::List, 1) => "has 1 element, not 3".to_owned(),
                (Kind::List, count) => format!("has {count} elements, not 3"),
                _ => "is not a list".to_owned(),
            };
            let parts: Vec<Entry> =
                if tree.kind(entry.value) == Kind::Map { tree.entries(entry.value).collect() } else { Vec::new() };
            let help = match parts.as_slice() {
                [identifier, collection, _] if tree.string(identifier.value).is_some() => {
                    let [_, second, third] = [0, 1, 2].map(|at| parts.get(at).map_or("", |part| tree.text(part.key)));
                    let _ = collection;
                    format!(
                        "write the three values as a list, without their keys: `- {}`, then those of `{}` and `{}`",
                        shown(tree.text(identifier.value)),
                        shown(second),
                        shown(third)
                    )
                }
                _ => match self.split_collection(entry.value) {
                    Some(list) => format!("write the collection as one list: `{list}`"),
                    None => "write `Fn::ForEach::Name: [Identifier, Collection, {OutputKey: ...}]`".to_owned(),
                },
            };
            let diagnostic = layout(name, &format!("loop {} {what}", shown(name))).at(at).help(help);
            return Err(Box::new(diagnostic));
        };
        let is_pair = self.rules.formwork && tree.len(identifier) == 2;
        let names = if is_pair { tree.items(identifier) } else { &[identifier] };
        if let Some(&wrong) = names.iter().find(|&&name| tree.string(name).is_none_or(str::is_empty)) {
            let error = if tree.string(wrong).is_some() { "is empty" } else { "is not a string" };
            let diagnostic = layout(name, &format!("the identifier of loop {} {error}", shown(name)))
                .at(tree.span(wrong))
                .related(at, "the loop")
                .help(match tree.argument_of(wrong, Known::Ref).and_then(|name| tree.string(name)) {
                    Some(name) => format!("write the name alone: `{}`", shown(name)),
                    None if tree.kind(wrong) == Kind::List => match tree.items(entry.value).get(1) {
                        Some(&second) if tree.string(second).is_some() => {
                            format!("write the identifier first: `{}`, then the collection", shown(tree.text(second)))
                        }
                        _ => "the identifier is a literal string: not a function, number or list".to_owned(),
                    },
                    None => "the identifier is a literal string: not a function, number or list".to_owned(),
                });
            return Err(Box::new(diagnostic));
        }
        let is_fragment = match tree.kind(fragment) {
            Kind::Map | Kind::Call => true,
            Kind::List => self.rules.formwork && in_list,
            _ => false,
        };
        if let Some((key, body)) = body_beside(tree, fragment) {
            let title = format!("{} is empty: its body is at its own indentation", shown(tree.text(key.key)));
            let diagnostic = Diagnostic::titled(codes::NOT_AN_OBJECT, title)
                .at(tree.span(key.key))
                .related(tree.span(body.key), "the body begins here")
                .help("indent the lines of the body by two more spaces");
            return Err(Box::new(diagnostic));
        }
        Loop::for_each(tree, entry).filter(|_| is_fragment).ok_or_else(|| {
            let diagnostic = layout(name, &format!("the fragment of loop {} is not an object", shown(name)))
                .at(tree.span(fragment))
                .related(at, "the loop")
                .help(match tree.items(fragment) {
                    [only] if tree.kind(*only) == Kind::Map => {
                        "remove the second dash: the third element is an object, not a list of one"
                    }
                    _ => "the third element maps output keys to their values",
                });
            Box::new(diagnostic)
        })
    }

    /// Returns the items of a loop that are written as elements beside its identifier, as one list.
    fn split_collection(&self, elements: NodeId) -> Option<String> {
        let tree = self.tree;
        let [identifier, items @ .., fragment] = tree.items(elements) else { return None };
        let is_word = |item: &NodeId| {
            tree.string(*item).is_some_and(|text| {
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            })
        };
        const MOST: usize = 8;
        let is_meant = (2..=MOST).contains(&items.len()) && items.iter().all(is_word);
        (is_meant && tree.string(*identifier).is_some() && tree.kind(*fragment) == Kind::Map).then(|| {
            let words: Vec<&str> = items.iter().map(|&item| tree.text(item)).collect();
            format!("[{}]", words.join(", "))
        })
    }

    pub(super) fn misplaced(&mut self, key: NodeId, place: &str) {
        let name = shown(self.tree.text(key));
        let what = format!("the loop {name} is {place}, where loops are not allowed");
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, what)
            .at(self.tree.span(key))
            .help("move it into Conditions, Resources or Outputs, or expand it by hand");
        self.refuse(key, diagnostic);
    }

    pub(super) fn elsewhere(&mut self, node: NodeId, place: &str) {
        let tree = self.tree;
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.view(node) {
            View::List(items) => items.iter().for_each(|&item| self.elsewhere(item, place)),
            // The Rules section has its own list of functions.
            View::Call(Function::Known(known), _) if known.is_local() && place != Section::Rules.name() => {
                self.map_misplaced(tree.call_name(node), known, place);
            }
            View::Call(_, argument) => self.elsewhere(argument, place),
            _ => {
                for entry in tree.entries(node) {
                    match tree.symbol(entry.key) {
                        symbol::FN_MAP => self.map_misplaced(entry.key, Known::Map, place),
                        symbol::FN_MERGE => self.map_misplaced(entry.key, Known::Merge, place),
                        _ if tree.loop_name(entry.key).is_some() => {
                            self.misplaced(entry.key, &format!("in {}", shown(place)));
                        }
                        _ => self.elsewhere(entry.value, place),
                    }
                }
            }
        }
    }

    pub(super) fn undeclared(&mut self, key: NodeId, is_member: bool) {
        let name = shown(self.tree.text(key));
        let sentence = if is_member && self.section == Section::Resources {
            format!("Template format error: [/Resources/{name}] resource definition is malformed")
        } else {
            formwork_template::supported::unsupported_function(&name)
        };
        let diagnostic = Diagnostic::new(
            codes::TRANSFORM,
            format!("{name} needs the language transform: `{sentence}`"),
        )
        .at(self.tree.span(key))
        .help("add `Transform: AWS::LanguageExtensions` to the template, or run with `--language-extensions always`");
        self.refuse(key, diagnostic);
    }

    pub(super) fn names(&mut self, key: NodeId, name: &'f str, identifier: NodeId) {
        let tree = self.tree;
        self.declared.each.push(ForEach { key, name, identifier });
        self.loop_name(key, name);
        for (at, text, noun) in [(identifier, tree.text(identifier), "identifier"), (key, name, "loop name")] {
            let written = || shown(text);
            let conflict = |what: &str| {
                let key = shown(tree.text(key));
                let sentence = format!("{key}: {noun} '{}' conflicts with {what}", written());
                if at == identifier { shown(&sentence) } else { sentence }
            };
            if let Some(other) = self.parameter(text) {
                let sentence = conflict("parameter name");
                self.clash(
                    key,
                    at,
                    format!("the {noun} {} is also a parameter: `{sentence}`", written()),
                    (other, "the parameter"),
                );
            }
            let (section, label) =
                if at == key { (self.section, "the logical ID") } else { (Section::Resources, "the resource") };
            if let Some(other) = self.member(Section::Resources, text).or_else(|| self.member(section, text)) {
                self.clash(key, at, format!("the {noun} {} is also a logical ID", written()), (other, label));
            }
            let outer = if at == key {
                self.loops.iter().find(|outer| outer.name == Some(text)).map(|outer| outer.key)
            } else {
                self.loop_of(text)
            };
            if let Some(outer) = outer {
                let what = if at == key {
                    format!("the loop {} is inside a loop with the same name", written())
                } else {
                    let sentence = conflict("another loop identifier");
                    format!("the identifier {} is also used by an enclosing loop: `{sentence}`", written())
                };
                self.clash(key, at, what, (outer, "the enclosing loop"));
            }
        }
    }

    fn loop_name(&mut self, key: NodeId, name: &str) {
        let at = self.tree.span(key);
        if name.is_empty() {
            let diagnostic = Diagnostic::new(codes::LOOP_NAME_CLASH, "the loop has no name");
            self.refuse(key, diagnostic.at(at).help("write `Fn::ForEach::Name`"));
        } else if !logical_id::is_alphanumeric(name) {
            let what = format!("the loop name {} is not alphanumeric", shown(name));
            self.declared.found.push(
                Diagnostic::new(codes::LOOP_NAME_CLASH, what)
                    .severity(Severity::Warning)
                    .at(at)
                    .help(format!("write `Fn::ForEach::{}`", logical_id::stripped(name))),
            );
        }
    }

    fn clash(&mut self, key: NodeId, at: NodeId, what: String, other: (NodeId, &str)) {
        let noun = if at == key { "loop name" } else { "identifier" };
        let diagnostic = Diagnostic::new(codes::LOOP_NAME_CLASH, what)
            .at(self.tree.span(at))
            .related(self.tree.span(other.0), other.1)
            .help(format!("choose another {noun}"));
        self.refuse(key, diagnostic);
    }

    /// Warns of a repeated loop name, which is accepted since a published template has one.
    pub(super) fn repeated_names(&mut self) {
        let mut first: FxHashMap<&str, NodeId> = FxHashMap::default();
        for declared in &self.declared.each {
            let other = *first.entry(declared.name).or_insert(declared.key);
            // Each variable of a loop is in the list.
            if other != declared.key && !self.declared.bad.contains(&declared.key) {
                let what = format!("the loop name Fn::ForEach::{} is used more than once", shown(declared.name));
                self.declared.found.push(
                    Diagnostic::new(codes::LOOP_NAME_CLASH, what)
                        .severity(Severity::Warning)
                        .at(self.tree.span(declared.key))
                        .related(self.tree.span(other), "the first one")
                        .note("the documentation asks for names that are unique in the template; CloudFormation accepts this")
                        .help("choose another name for one of the two"),
                );
            }
        }
    }

    pub(super) fn names_against_identifiers(&mut self) {
        // The first two loops with a variable of each name: one of them is not the loop itself.
        let mut identifiers: FxHashMap<&str, Vec<(NodeId, NodeId)>> = FxHashMap::default();
        for declared in &self.declared.each {
            let known = identifiers.entry(self.tree.text(declared.identifier)).or_default();
            if known.len() < 2 && known.iter().all(|&(key, _)| key != declared.key) {
                known.push((declared.key, declared.identifier));
            }
        }
        let clashes = self.declared.each.iter().filter_map(|declared| {
            let known = identifiers.get(declared.name)?;
            let &(_, identifier) = known.iter().find(|&&(key, _)| key != declared.key)?;
            let what = format!("the loop name {} is also the identifier of another loop", shown(declared.name));
            Some((declared.key, what, identifier))
        });
        for (key, what, identifier) in clashes.collect::<Vec<_>>() {
            self.clash(key, key, what, (identifier, "the identifier"));
        }
    }
}
