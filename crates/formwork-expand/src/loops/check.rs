//! Loops as they are declared: layout, names, depth, places (reference/for-each.md#places,
//! reference/for-each.md#layout, reference/for-each.md#nesting). Everything here is found before
//! anything is unrolled.

use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Evaluator, transform_note};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, function, symbol};
use formwork_template::Section;
use rustc_hash::FxHashSet;

use super::{Rules, Sections, processed};

/// Most loops along one path.
const MOST_DEPTH: usize = 5;

/// What the declarations say.
pub(super) struct Declared {
    /// Keys of loops that cannot be unrolled.
    pub(super) bad: FxHashSet<NodeId>,
    /// Whether loops are nested too deep to unroll any.
    pub(super) too_deep: bool,
    /// Names of all loop variables.
    pub(super) identifiers: Vec<String>,
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
    let mut checker = Checker {
        found: Vec::new(),
        bad: FxHashSet::default(),
        left,
        around: Vec::new(),
        declared: Vec::new(),
        declared_names: Vec::new(),
        deepest: None,
        collection: Collection::None,
        rules,
        members: processed(sections).filter_map(|(name, section)| Some((section, ev.tree.get(root, name)?))).collect(),
        in_list: false,
    };
    let tree = &*ev.tree;
    for entry in tree.entries(root) {
        let is_loop = function::loop_name(tree.text(entry.key)).is_some();
        match sections.iter().find(|&&(name, _)| name == tree.symbol(entry.key)) {
            Some(_) if is_loop => checker.misplaced(tree, entry.key, "at the top of a template"),
            Some((_, members)) => match members.section() {
                Some(section) => checker.map(ev, entry.value, Some(section), section),
                None => checker.elsewhere(tree, entry.value, tree.text(entry.key)),
            },
            None => {}
        }
    }
    if checker.rules.for_each {
        checker.repeated_names(tree);
        checker.names_against_identifiers(tree);
    }
    let too_deep = checker.deepest.is_some();
    if let Some(deepest) = checker.deepest {
        checker.found.push(deepest.diagnostic(tree));
    }
    for diagnostic in checker.found {
        ev.diagnostics.push(diagnostic);
    }
    let mut identifiers = checker.declared_names;
    identifiers.extend(checker.declared.into_iter().map(|(.., identifier)| identifier));
    Declared { bad: checker.bad, too_deep, identifiers }
}

/// A loop around the node at hand.
pub(super) struct Around {
    pub(super) key: NodeId,
    /// Name of an `Fn::ForEach`.
    pub(super) name: Option<String>,
    /// Names of its variables.
    pub(super) identifiers: Vec<String>,
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
    pub(super) found: Vec<Diagnostic>,
    pub(super) bad: FxHashSet<NodeId>,
    /// Loops that stay.
    left: &'c FxHashSet<NodeId>,
    /// Loops around the node at hand.
    pub(super) around: Vec<Around>,
    /// Every `Fn::ForEach`, with its identifier's node.
    pub(super) declared: Vec<(NodeId, String, NodeId, String)>,
    /// Names of other variables.
    pub(super) declared_names: Vec<String>,
    deepest: Option<Deepest>,
    /// What the node at hand is a part of.
    pub(super) collection: Collection,
    rules: Rules,
    /// The sections in which loops are expanded, and what their members are.
    pub(super) members: Vec<(Section, NodeId)>,
    /// Whether the loop at hand stands in a list.
    in_list: bool,
}

impl Checker<'_> {
    /// Looks at a node whose members, if it makes members, go into `members_of`.
    pub(super) fn map(&mut self, ev: &Evaluator<'_>, node: NodeId, members_of: Option<Section>, section: Section) {
        let tree = &*ev.tree;
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.view(node) {
            View::List(items) => {
                for &item in items {
                    match super::list_loop(tree, item).filter(|_| self.rules.formwork && self.rules.for_each) {
                        Some((entry, name)) => {
                            self.in_list = true;
                            self.for_each(ev, entry, name, None, section);
                        }
                        None => self.map(ev, item, None, section),
                    }
                }
            }
            View::Call(Function::Known(Known::Map), _) => self.fn_map(ev, node, members_of, section),
            View::Call(Function::Known(Known::Merge), argument) => self.fn_merge(ev, argument, members_of, section),
            View::Call(function, argument) => {
                if let Function::Known(known @ (Known::Range | Known::Zip)) = function {
                    self.list_function(tree, node, known);
                }
                self.map(ev, argument, None, section);
            }
            View::Map => self.members(ev, node, members_of, section),
            _ => {}
        }
    }

    /// The members of an object.
    pub(super) fn members(&mut self, ev: &Evaluator<'_>, node: NodeId, members_of: Option<Section>, section: Section) {
        let tree = &*ev.tree;
        for entry in tree.entries(node) {
            let symbol = tree.symbol(entry.key);
            if self.left.contains(&entry.key) {
                continue;
            }
            if let Some(name) = function::loop_name(tree.text(entry.key)) {
                if self.rules.for_each {
                    self.for_each(ev, entry, name, members_of, section);
                } else {
                    self.undeclared(tree, entry.key, section, members_of.is_some());
                }
            } else if symbol == symbol::FN_MAP {
                self.siblings(tree, entry.key);
            } else if symbol == symbol::FN_MERGE {
                self.fn_merge(ev, entry.value, members_of, section);
            } else {
                self.map(ev, entry.value, None, section);
            }
        }
    }

    /// Counts a loop; how deep it stands.
    pub(super) fn deeper(&mut self, key: NodeId, is_map: bool) -> usize {
        let depth = self.around.len() + 1;
        if depth > MOST_DEPTH && self.deepest.is_none_or(|deepest| depth > deepest.depth) {
            // Keys of loops are alone in having a name.
            let is_map = self.around.get(MOST_DEPTH).map_or(is_map, |first| first.name.is_none());
            self.deepest = Some(Deepest { key, depth, is_map });
        }
        depth
    }

    fn for_each(
        &mut self,
        ev: &Evaluator<'_>,
        entry: Entry,
        name: &str,
        members_of: Option<Section>,
        section: Section,
    ) {
        let tree = &*ev.tree;
        self.deeper(entry.key, false);
        let parts = self.parts(tree, entry, name);
        self.in_list = false;
        let Some((identifiers, fragment)) = parts else {
            self.bad.insert(entry.key);
            return;
        };
        let mut names = Vec::with_capacity(identifiers.len());
        for identifier in identifiers {
            let text = tree.text(identifier).to_owned();
            self.names(ev, entry, name, identifier, &text, section);
            self.declared.push((entry.key, name.to_owned(), identifier, text.clone()));
            names.push(text);
        }
        let plain = if self.rules.formwork { Collection::Full } else { Collection::Plain };
        let outer = std::mem::replace(&mut self.collection, plain);
        self.map(ev, tree.items(entry.value)[1], None, section);
        self.collection = Collection::None;
        self.around.push(Around { key: entry.key, name: Some(name.to_owned()), identifiers: names });
        match tree.kind(fragment) {
            Kind::Map => self.members(ev, fragment, members_of, section),
            _ => self.map(ev, fragment, members_of, section),
        }
        self.around.pop();
        self.collection = outer;
    }

    /// Identifiers and fragment, when the layout is right.
    fn parts(&mut self, tree: &Tree, entry: Entry, name: &str) -> Option<(Vec<NodeId>, NodeId)> {
        let at = tree.span(entry.key);
        let help = "write `Fn::ForEach::Name: [Identifier, Collection, {OutputKey: ...}]`";
        if tree.kind(entry.value) != Kind::List {
            self.found.push(layout(name, &format!("loop {} is no list", shown(name))).at(at).help(help));
            return None;
        }
        let &[identifier, _, fragment] = tree.items(entry.value) else {
            let count = tree.len(entry.value);
            let elements = if count == 1 { "element" } else { "elements" };
            let what = format!("loop {} has {count} {elements}, not 3", shown(name));
            self.found.push(layout(name, &what).at(at).help(help));
            return None;
        };
        // Where only this engine runs the loop, it may have two variables, and make items.
        let pair = (self.rules.formwork && tree.len(identifier) == 2).then(|| tree.items(identifier).to_vec());
        let identifiers = pair.unwrap_or_else(|| vec![identifier]);
        let wrong = identifiers.iter().copied().find(|&name| tree.string(name).is_none_or(str::is_empty));
        if let Some(identifier) = wrong {
            let fault = if tree.string(identifier).is_some() { "is empty" } else { "is no text" };
            let what = format!("the identifier of loop {} {fault}", shown(name));
            self.found.push(
                layout(name, &what)
                    .at(tree.span(identifier))
                    .related(at, "the loop")
                    .help("the identifier is literal text: no function, number or list"),
            );
            return None;
        }
        let is_fragment = match tree.kind(fragment) {
            Kind::Map | Kind::Call => true,
            Kind::List => self.rules.formwork && self.in_list,
            _ => false,
        };
        if !is_fragment {
            let what = format!("the fragment of loop {} is no object", shown(name));
            self.found.push(
                layout(name, &what)
                    .at(tree.span(fragment))
                    .related(at, "the loop")
                    .help("the third element maps output keys to what they stand for"),
            );
            return None;
        }
        Some((identifiers, fragment))
    }

    /// The key of a member that a section has as it is written.
    pub(super) fn member(&self, tree: &Tree, section: Section, name: &str) -> Option<NodeId> {
        let name = tree.symbols().get(name)?;
        let mut sections = self.members.iter().filter(|&&(known, _)| known == section);
        sections.find_map(|&(_, node)| Some(tree.member(node, name)?.key))
    }

    fn misplaced(&mut self, tree: &Tree, key: NodeId, place: &str) {
        self.bad.insert(key);
        self.found.push(
            Diagnostic::new(
                codes::FUNCTION_NOT_ALLOWED,
                format!("the loop {} stands {place}, where none may stand", shown(tree.text(key))),
            )
            .at(tree.span(key))
            .help("move it into Conditions, Resources or Outputs, or write its members out"),
        );
    }

    /// A section that takes neither loops nor merges.
    fn elsewhere(&mut self, tree: &Tree, node: NodeId, place: &str) {
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.view(node) {
            View::List(items) => items.iter().for_each(|&item| self.elsewhere(tree, item, place)),
            View::Call(function, argument) => {
                // The Rules section has its own list of functions.
                if let Function::Known(known) = function
                    && known.is_local()
                    && place != Section::Rules.name()
                {
                    self.map_misplaced(tree, tree.call_name(node), known, place);
                    return;
                }
                self.elsewhere(tree, argument, place);
            }
            _ => {
                for entry in tree.entries(node) {
                    let symbol = tree.symbol(entry.key);
                    if function::loop_name(tree.text(entry.key)).is_some() {
                        self.misplaced(tree, entry.key, &format!("in {}", shown(place)));
                    } else if symbol == symbol::FN_MAP || symbol == symbol::FN_MERGE {
                        let known = if symbol == symbol::FN_MAP { Known::Map } else { Known::Merge };
                        self.map_misplaced(tree, entry.key, known, place);
                    } else {
                        self.elsewhere(tree, entry.value, place);
                    }
                }
            }
        }
    }

    /// A loop in a template that does not declare the transform.
    fn undeclared(&mut self, tree: &Tree, key: NodeId, section: Section, is_member: bool) {
        self.bad.insert(key);
        let name = shown(tree.text(key));
        let sentence = if is_member && section == Section::Resources {
            format!("Template format error: [/Resources/{name}] resource definition is malformed")
        } else {
            formwork_template::supported::unsupported_function(&name)
        };
        self.found.push(
            Diagnostic::new(codes::TRANSFORM, format!("{name} needs the language transform: `{sentence}`"))
                .at(tree.span(key))
                .help("add `Transform: AWS::LanguageExtensions` to the template, or run with `--language-extensions always`"),
        );
    }
}
