//! Loops as they are declared: layout, names, depth, places (reference/for-each.md#places,
//! reference/for-each.md#layout, reference/for-each.md#nesting). Everything here is found before
//! anything is unrolled.

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Evaluator, transform_note};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Symbol, Tree, View, flags, symbol};
use formwork_template::{Section, Template};
use rustc_hash::{FxHashMap, FxHashSet};

use super::parts::Loop;
use super::{Rules, Sections, processed};

/// Most loops along one path.
const MOST_DEPTH: usize = 5;

/// What the declarations say.
pub(super) struct Declared {
    /// Keys of loops that cannot be unrolled.
    pub(super) bad: FxHashSet<NodeId>,
    /// Whether loops are nested too deep to unroll any.
    pub(super) too_deep: bool,
    /// Loops whose parts are not what they have to be: nothing is looked at in them.
    pub(super) wrong: FxHashSet<NodeId>,
}

/// A fault of the layout of a loop: both sentences that people search for.
pub(super) fn layout(name: &str, what: &str) -> Diagnostic {
    let name = shown(name);
    Diagnostic::new(codes::FOREACH_LAYOUT, format!("{what}: `Fn::ForEach::{name} layout is incorrect`"))
        .note(transform_note("Fn::ForEach layout is incorrect"))
}

pub(super) fn check(
    ev: &mut Evaluator<'_>,
    root: NodeId,
    sections: &Sections,
    rules: Rules,
    left: &FxHashSet<NodeId>,
) -> Declared {
    let tree = &*ev.tree;
    let mut members = FxHashMap::default();
    for (name, section) in processed(sections).collect::<Vec<_>>().into_iter().rev() {
        let entries = tree.get(root, name).into_iter().flat_map(|node| tree.entries(node));
        members.extend(entries.map(|entry| ((section, tree.symbol(entry.key)), entry.key)));
    }
    let mut checker = Checker {
        tree,
        template: ev.template,
        rules,
        left,
        members,
        section: Section::Resources,
        found: Vec::new(),
        bad: FxHashSet::default(),
        wrong: FxHashSet::default(),
        around: Vec::new(),
        declared: Vec::new(),
        deepest: None,
        collection: Collection::None,
        in_list: false,
    };
    for entry in tree.entries(root) {
        let is_loop = tree.loop_name(entry.key).is_some();
        match sections.iter().find(|&&(name, _)| name == tree.symbol(entry.key)) {
            Some(_) if is_loop => checker.misplaced(entry.key, "at the top of a template"),
            Some((_, members)) => match members.section() {
                Some(section) => {
                    checker.section = section;
                    checker.visit(entry.value, true);
                }
                None => checker.elsewhere(entry.value, tree.text(entry.key)),
            },
            None => {}
        }
    }
    if rules.for_each {
        checker.repeated_names();
        checker.names_against_identifiers();
    }
    let Checker { mut found, bad, wrong, deepest, .. } = checker;
    found.extend(deepest.map(|deepest| deepest.diagnostic(tree)));
    for diagnostic in found {
        ev.diagnostics.push(diagnostic);
    }
    Declared { bad, too_deep: deepest.is_some(), wrong }
}

/// A loop around the node at hand.
pub(super) struct Around<'c> {
    pub(super) key: NodeId,
    /// Name of an `Fn::ForEach`.
    pub(super) name: Option<&'c str>,
    /// Names of its variables.
    pub(super) identifiers: Vec<&'c str>,
}

/// An `Fn::ForEach`, once for each of its variables.
pub(super) struct ForEach<'c> {
    pub(super) key: NodeId,
    pub(super) name: &'c str,
    pub(super) identifier: NodeId,
}

/// What a list function may stand in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Collection {
    /// No collection.
    None,
    /// That of an `Fn::ForEach` as the service knows it.
    Plain,
    /// That of any loop that only runs here.
    Full,
}

/// The innermost of loops nested too deep.
#[derive(Clone, Copy)]
struct Deepest {
    key: NodeId,
    depth: usize,
    /// Whether the first loop over the limit is an `Fn::Map`.
    is_map: bool,
}

impl Deepest {
    fn diagnostic(self, tree: &Tree) -> Diagnostic {
        let depth = self.depth;
        let (code, sentence) = if self.is_map {
            (
                codes::MAP_DEPTH,
                format!(
                    "Template error: Fn::Map nesting depth of {depth} exceeds the maximum allowed depth of {MOST_DEPTH}"
                ),
            )
        } else {
            (
                codes::LOOP_DEPTH,
                format!(
                    "Fn::ForEach nesting depth of {depth} exceeds the maximum allowed depth of 5. CloudFormation supports up to 5 nested Fn::ForEach loops."
                ),
            )
        };
        Diagnostic::new(code, format!("loops are nested {depth} deep: `{sentence}`"))
            .at(tree.span(self.key))
            .label("the innermost loop")
            .help("write one of the loops out, or join two collections into one")
    }
}

pub(super) struct Checker<'c> {
    pub(super) tree: &'c Tree,
    pub(super) template: &'c Template,
    rules: Rules,
    /// Loops that stay.
    left: &'c FxHashSet<NodeId>,
    /// The members that sections have as they are written, by the name.
    members: FxHashMap<(Section, Symbol), NodeId>,
    /// The section of the node at hand.
    pub(super) section: Section,
    pub(super) found: Vec<Diagnostic>,
    pub(super) bad: FxHashSet<NodeId>,
    wrong: FxHashSet<NodeId>,
    /// Loops around the node at hand.
    pub(super) around: Vec<Around<'c>>,
    pub(super) declared: Vec<ForEach<'c>>,
    deepest: Option<Deepest>,
    /// What the node at hand is a part of.
    pub(super) collection: Collection,
    /// Whether the loop at hand stands in a list.
    in_list: bool,
}

impl<'c> Checker<'c> {
    /// Looks at a node. Its members, if it generates any, may be those of the section.
    pub(super) fn visit(&mut self, node: NodeId, of_section: bool) {
        let tree = self.tree;
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.view(node) {
            View::List(items) => {
                for &item in items {
                    match Loop::in_list(tree, item).filter(|_| self.rules.formwork && self.rules.for_each) {
                        Some((entry, _)) => {
                            self.in_list = true;
                            self.for_each(entry, false);
                        }
                        None => self.visit(item, false),
                    }
                }
            }
            View::Call(Function::Known(Known::Map), argument) => self.fn_map(node, argument, of_section),
            View::Call(Function::Known(Known::Merge), argument) => self.fn_merge(argument, of_section),
            View::Call(function, argument) => {
                if let Function::Known(known @ (Known::Range | Known::Zip)) = function {
                    self.list_function(node, known);
                }
                self.visit(argument, false);
            }
            View::Map => self.members(node, of_section),
            _ => {}
        }
    }

    /// The members of an object.
    pub(super) fn members(&mut self, node: NodeId, of_section: bool) {
        let tree = self.tree;
        for entry in tree.entries(node).filter(|entry| !self.left.contains(&entry.key)).collect::<Vec<_>>() {
            match tree.symbol(entry.key) {
                symbol::FN_MAP => self.siblings(entry.key),
                symbol::FN_MERGE => self.fn_merge(entry.value, of_section),
                _ if tree.loop_name(entry.key).is_none() => self.visit(entry.value, false),
                _ if self.rules.for_each => self.for_each(entry, of_section),
                _ => self.undeclared(entry.key, of_section),
            }
        }
    }

    /// Looks at the parts of a loop: the collection, and what it makes, inside of it.
    pub(super) fn inside(
        &mut self,
        collection: (NodeId, Collection),
        around: Around<'c>,
        work: impl FnOnce(&mut Self),
    ) {
        let outer = std::mem::replace(&mut self.collection, collection.1);
        self.visit(collection.0, false);
        self.collection = Collection::None;
        self.around.push(around);
        work(self);
        self.around.pop();
        self.collection = outer;
    }

    /// Counts a loop.
    pub(super) fn deeper(&mut self, key: NodeId, is_map: bool) {
        let depth = self.around.len() + 1;
        if depth > MOST_DEPTH && self.deepest.is_none_or(|deepest| depth > deepest.depth) {
            // Keys of loops are alone in having a name.
            let is_map = self.around.get(MOST_DEPTH).map_or(is_map, |first| first.name.is_none());
            self.deepest = Some(Deepest { key, depth, is_map });
        }
    }

    fn for_each(&mut self, entry: Entry, of_section: bool) {
        let tree = self.tree;
        let (key, name) = (entry.key, tree.loop_name(entry.key).unwrap_or_default());
        self.deeper(key, false);
        let of = self.layout(entry, name);
        self.in_list = false;
        let of = match of {
            Ok(of) => of,
            Err(diagnostic) => return self.refuse_parts(key, *diagnostic),
        };
        let mut identifiers = Vec::with_capacity(2);
        for identifier in [of.position, of.variable].into_iter().flatten() {
            self.names(key, name, identifier);
            self.declared.push(ForEach { key, name, identifier });
            identifiers.push(tree.text(identifier));
        }
        let kind = if self.rules.formwork { Collection::Full } else { Collection::Plain };
        let around = Around { key, name: Some(name), identifiers };
        self.inside((of.collection, kind), around, |checker| match tree.kind(of.fragment) {
            Kind::Map => checker.members(of.fragment, of_section),
            _ => checker.visit(of.fragment, of_section),
        });
    }

    /// The parts of an `Fn::ForEach`, when its layout is right. Where only this engine runs the loop, it may have
    /// two variables, and make items.
    fn layout(&self, entry: Entry, name: &str) -> Result<Loop, Box<Diagnostic>> {
        let tree = self.tree;
        let (at, name_shown) = (tree.span(entry.key), shown(name));
        let &[identifier, _, fragment] = tree.items(entry.value) else {
            let what = match (tree.kind(entry.value), tree.len(entry.value)) {
                (Kind::List, 1) => "has 1 element, not 3".to_owned(),
                (Kind::List, count) => format!("has {count} elements, not 3"),
                _ => "is no list".to_owned(),
            };
            let diagnostic = layout(name, &format!("loop {name_shown} {what}"))
                .at(at)
                .help("write `Fn::ForEach::Name: [Identifier, Collection, {OutputKey: ...}]`");
            return Err(Box::new(diagnostic));
        };
        let is_pair = self.rules.formwork && tree.len(identifier) == 2;
        let names = if is_pair { tree.items(identifier) } else { &[identifier] };
        if let Some(&wrong) = names.iter().find(|&&name| tree.string(name).is_none_or(str::is_empty)) {
            let fault = if tree.string(wrong).is_some() { "is empty" } else { "is no text" };
            let diagnostic = layout(name, &format!("the identifier of loop {name_shown} {fault}"))
                .at(tree.span(wrong))
                .related(at, "the loop")
                .help("the identifier is literal text: no function, number or list");
            return Err(Box::new(diagnostic));
        }
        let is_fragment = match tree.kind(fragment) {
            Kind::Map | Kind::Call => true,
            Kind::List => self.rules.formwork && self.in_list,
            _ => false,
        };
        Loop::for_each(tree, entry).filter(|_| is_fragment).ok_or_else(|| {
            let diagnostic = layout(name, &format!("the fragment of loop {name_shown} is no object"))
                .at(tree.span(fragment))
                .related(at, "the loop")
                .help("the third element maps output keys to what they stand for");
            Box::new(diagnostic)
        })
    }

    /// The key of a member that a section has as it is written.
    pub(super) fn member(&self, section: Section, name: &str) -> Option<NodeId> {
        self.members.get(&(section, self.tree.symbols().get(name)?)).copied()
    }

    /// The key of the parameter with this name.
    pub(super) fn parameter(&self, name: &str) -> Option<NodeId> {
        let name = self.tree.symbols().get(name)?;
        self.template.parameter(name).map(|parameter| parameter.key)
    }

    /// A fault of the parts of a loop, in which nothing is looked at.
    pub(super) fn refuse_parts(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.wrong.insert(node);
        self.refuse(node, diagnostic);
    }

    /// A fault of something that then is not unrolled.
    pub(super) fn refuse(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.bad.insert(node);
        self.found.push(diagnostic);
    }

    fn misplaced(&mut self, key: NodeId, place: &str) {
        let name = shown(self.tree.text(key));
        let what = format!("the loop {name} stands {place}, where none may stand");
        let diagnostic = Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, what)
            .at(self.tree.span(key))
            .help("move it into Conditions, Resources or Outputs, or write its members out");
        self.refuse(key, diagnostic);
    }

    /// A section that takes neither loops nor merges.
    fn elsewhere(&mut self, node: NodeId, place: &str) {
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

    /// A loop in a template that does not declare the transform.
    fn undeclared(&mut self, key: NodeId, is_member: bool) {
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
}
