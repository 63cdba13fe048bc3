//! Loops as they are declared: layout, names, depth, places (spec language-extensions.md, sections
//! 5.1, 5.2 and 5.7). Everything here is found before anything is unrolled.

use formwork_base::{Diagnostic, Severity, codes};
use formwork_evaluate::{Evaluator, transform_note};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Tree, flags, function};
use formwork_template::{Section, logical_id};
use rustc_hash::FxHashSet;

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

pub(super) fn check(ev: &mut Evaluator<'_>, root: NodeId) -> Declared {
    let mut checker = Checker {
        found: Vec::new(),
        bad: FxHashSet::default(),
        around: Vec::new(),
        declared: Vec::new(),
        deepest: None,
    };
    let tree = &*ev.tree;
    let language_extensions = ev.settings.language_extensions;
    for entry in tree.entries(root) {
        if function::loop_name(tree.text(entry.key)).is_some() {
            checker.misplaced(tree, entry.key, "at the top of a template");
            continue;
        }
        if !tree.has(entry.value, flags::HAS_LOOP) {
            continue;
        }
        let section = Section::from_symbol(tree.symbol(entry.key));
        match section.filter(|section| section.is_processed()) {
            Some(section) if language_extensions => checker.map(ev, entry.value, Some(section), section),
            Some(section) => checker.undeclared(tree, entry.value, section, true),
            None => checker.elsewhere(tree, entry.value, &format!("in {}", shown(tree.text(entry.key)))),
        }
    }
    if language_extensions {
        checker.repeated_names(tree);
        checker.names_against_identifiers(tree);
    }
    let too_deep = checker.deepest.is_some();
    if let Some((key, depth)) = checker.deepest {
        checker.found.push(
            Diagnostic::new(
                codes::LOOP_DEPTH,
                format!("loops are nested {depth} deep: `Fn::ForEach nesting depth of {depth} exceeds the maximum allowed depth of 5. CloudFormation supports up to 5 nested Fn::ForEach loops.`"),
            )
            .at(tree.span(key))
            .label("the innermost loop")
            .help("write one of the loops out, or join two collections into one"),
        );
    }
    for diagnostic in checker.found {
        ev.diagnostics.push(diagnostic);
    }
    let identifiers = checker.declared.into_iter().map(|(.., identifier)| identifier).collect();
    Declared { bad: checker.bad, too_deep, identifiers }
}

struct Loop {
    key: NodeId,
    name: String,
    identifier: String,
}

struct Checker {
    found: Vec<Diagnostic>,
    bad: FxHashSet<NodeId>,
    /// Loops around the node at hand.
    around: Vec<Loop>,
    /// Every loop, with its identifier's node.
    declared: Vec<(NodeId, String, NodeId, String)>,
    deepest: Option<(NodeId, usize)>,
}

impl Checker {
    fn map(&mut self, ev: &Evaluator<'_>, node: NodeId, members_of: Option<Section>, section: Section) {
        let tree = &*ev.tree;
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.kind(node) {
            Kind::List => tree.items(node).iter().for_each(|&item| self.map(ev, item, None, section)),
            Kind::Call => self.map(ev, tree.call(node).1, None, section),
            _ => {
                for entry in tree.entries(node) {
                    match function::loop_name(tree.text(entry.key)) {
                        Some(name) => self.for_each(ev, entry, name, members_of, section),
                        None => self.map(ev, entry.value, None, section),
                    }
                }
            }
        }
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
        let depth = self.around.len() + 1;
        if depth > MOST_DEPTH && self.deepest.is_none_or(|(_, deepest)| depth > deepest) {
            self.deepest = Some((entry.key, depth));
        }
        let Some((identifier, fragment)) = self.parts(tree, entry, name) else {
            self.bad.insert(entry.key);
            return;
        };
        let text = tree.text(identifier).to_owned();
        self.names(ev, entry, name, identifier, &text, section);
        self.declared.push((entry.key, name.to_owned(), identifier, text.clone()));
        self.around.push(Loop { key: entry.key, name: name.to_owned(), identifier: text });
        self.map(ev, fragment, members_of, section);
        self.around.pop();
    }

    /// Identifier and fragment, when the layout is right.
    fn parts(&mut self, tree: &Tree, entry: Entry, name: &str) -> Option<(NodeId, NodeId)> {
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
        if tree.string(identifier).is_none_or(str::is_empty) {
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
        if !matches!(tree.kind(fragment), Kind::Map | Kind::Call) {
            let what = format!("the fragment of loop {} is no object", shown(name));
            self.found.push(
                layout(name, &what)
                    .at(tree.span(fragment))
                    .related(at, "the loop")
                    .help("the third element maps output keys to what they stand for"),
            );
            return None;
        }
        Some((identifier, fragment))
    }

    fn names(
        &mut self,
        ev: &Evaluator<'_>,
        entry: Entry,
        name: &str,
        identifier: NodeId,
        variable: &str,
        section: Section,
    ) {
        let tree = &*ev.tree;
        let key = shown(tree.text(entry.key));
        let at = tree.span(entry.key);
        let loop_name = shown(name);
        if name.is_empty() {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, "the loop has no name")
                    .at(at)
                    .help("write `Fn::ForEach::Name`"),
            );
        } else if !logical_id::is_alphanumeric(name) {
            self.found.push(
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the loop name {loop_name} has other characters than letters and digits"),
                )
                .severity(Severity::Warning)
                .at(at)
                .help(format!("write `Fn::ForEach::{}`", logical_id::stripped(name))),
            );
        }
        let parameter = |name: &str| {
            ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name).map(|p| p.key)
        };
        if let Some(other) = parameter(variable) {
            let sentence = format!("{key}: identifier '{variable}' conflicts with parameter name");
            self.clash(
                entry.key,
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the identifier {} is a parameter: `{}`", shown(variable), shown(&sentence)),
                )
                .at(tree.span(identifier))
                .related(tree.span(other), "the parameter")
                .help("choose another identifier"),
            );
        }
        if let Some(other) = parameter(name) {
            let sentence = format!("{key}: loop name '{loop_name}' conflicts with parameter name");
            self.clash(
                entry.key,
                Diagnostic::new(
                    codes::LOOP_NAME_CLASH,
                    format!("the loop name {loop_name} is a parameter: `{sentence}`"),
                )
                .at(at)
                .related(tree.span(other), "the parameter")
                .help("choose another loop name"),
            );
        }
        let member = |section: Section, name: &str| {
            let node = ev.template.section(tree, section)?;
            Some(tree.member(node, tree.symbols().get(name)?)?.key)
        };
        let own = if section == Section::Resources { None } else { member(section, name) };
        if let Some(other) = member(Section::Resources, name).or(own) {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, format!("the loop name {loop_name} is a logical id"))
                    .at(at)
                    .related(tree.span(other), "the logical id")
                    .help("choose another loop name"),
            );
        }
        if let Some(other) = member(Section::Resources, variable) {
            self.clash(
                entry.key,
                Diagnostic::new(codes::LOOP_NAME_CLASH, format!("the identifier {} is a logical id", shown(variable)))
                    .at(tree.span(identifier))
                    .related(tree.span(other), "the resource")
                    .help("choose another identifier"),
            );
        }
        let mut clashes = Vec::new();
        for outer in &self.around {
            if outer.name == name {
                clashes.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop {loop_name} stands inside a loop of the same name"),
                    )
                    .at(at)
                    .related(tree.span(outer.key), "the loop around it")
                    .help("choose another loop name"),
                );
            }
            if outer.identifier == variable {
                let sentence = format!("{key}: identifier '{variable}' conflicts with another loop identifier");
                clashes.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!(
                            "the identifier {} is that of a loop around it: `{}`",
                            shown(variable),
                            shown(&sentence)
                        ),
                    )
                    .at(tree.span(identifier))
                    .related(tree.span(outer.key), "the loop around it")
                    .help("choose another identifier"),
                );
            }
        }
        for clash in clashes {
            self.clash(entry.key, clash);
        }
    }

    fn clash(&mut self, key: NodeId, diagnostic: Diagnostic) {
        self.bad.insert(key);
        self.found.push(diagnostic);
    }

    /// One name in two places is accepted, since a published template does it, with a warning.
    fn repeated_names(&mut self, tree: &Tree) {
        let mut first: Vec<(&str, NodeId)> = Vec::new();
        for (key, name, ..) in &self.declared {
            match first.iter().find(|(known, _)| known == name) {
                Some(&(_, other)) if !self.bad.contains(key) => self.found.push(
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop name Fn::ForEach::{} is used twice", shown(name)),
                    )
                    .severity(Severity::Warning)
                    .at(tree.span(*key))
                    .related(tree.span(other), "the first one")
                    .note("the documentation asks for names that are unique in the template; the service accepts this")
                    .help("choose another name for one of the two"),
                ),
                Some(_) => {}
                None => first.push((name, *key)),
            }
        }
    }

    fn names_against_identifiers(&mut self, tree: &Tree) {
        let mut clashes = Vec::new();
        for (key, name, ..) in &self.declared {
            let other = self.declared.iter().find(|(other, _, _, identifier)| other != key && identifier == name);
            if let Some((_, _, identifier, _)) = other {
                clashes.push((
                    *key,
                    Diagnostic::new(
                        codes::LOOP_NAME_CLASH,
                        format!("the loop name {} is the identifier of another loop", shown(name)),
                    )
                    .at(tree.span(*key))
                    .related(tree.span(*identifier), "the identifier")
                    .help("choose another loop name"),
                ));
            }
        }
        for (key, clash) in clashes {
            self.clash(key, clash);
        }
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

    fn elsewhere(&mut self, tree: &Tree, node: NodeId, place: &str) {
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.kind(node) {
            Kind::List => tree.items(node).iter().for_each(|&item| self.elsewhere(tree, item, place)),
            Kind::Call => self.elsewhere(tree, tree.call(node).1, place),
            _ => {
                for entry in tree.entries(node) {
                    match function::loop_name(tree.text(entry.key)) {
                        Some(_) => self.misplaced(tree, entry.key, place),
                        None => self.elsewhere(tree, entry.value, place),
                    }
                }
            }
        }
    }

    /// Loops in a template that does not declare the transform.
    fn undeclared(&mut self, tree: &Tree, node: NodeId, section: Section, is_member: bool) {
        if !tree.has(node, flags::HAS_LOOP) {
            return;
        }
        match tree.kind(node) {
            Kind::List => tree.items(node).iter().for_each(|&item| self.undeclared(tree, item, section, false)),
            Kind::Call => self.undeclared(tree, tree.call(node).1, section, false),
            _ => {
                for entry in tree.entries(node) {
                    let key = tree.text(entry.key);
                    if function::loop_name(key).is_none() {
                        self.undeclared(tree, entry.value, section, false);
                        continue;
                    }
                    let key = shown(key);
                    let sentence = if is_member && section == Section::Resources {
                        format!("Template format error: [/Resources/{key}] resource definition is malformed")
                    } else {
                        formwork_template::supported::unsupported_function(&key)
                    };
                    self.found.push(
                        Diagnostic::new(codes::TRANSFORM, format!("{key} needs the language transform: `{sentence}`"))
                            .at(tree.span(entry.key))
                            .help("add `Transform: AWS::LanguageExtensions` to the template, or run with `--language-extensions always`"),
                    );
                }
            }
        }
    }
}
