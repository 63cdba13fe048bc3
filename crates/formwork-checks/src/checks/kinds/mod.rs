//! Values of a kind that their place does not take (reference/structure.md#kinds): one walk, a table of the kinds that
//! places take ([`ValuePosition`]), and one of those that functions return ([`KindsOf`]). Unknown kinds are not reported.

mod positions;
mod reports;

use formwork_base::{Diagnostic, IdSet, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, NodeSet, View, flags, scalar, symbol};
use formwork_template::reference::sub_parts;
use formwork_template::sub_string::{self, Part};
use formwork_template::value_kinds::{KindsOf, ValueKinds};
use formwork_template::{PseudoParameter, Section};
use rustc_hash::FxHashSet;

use super::written;
use crate::Context;
use positions::ValuePosition;

/// Checks the template with its loops expanded and nothing evaluated, so that no value hides anything.
pub(super) fn check(cx: &mut Context<'_>) {
    // Other commands check only the remaining values: CloudFormation checks their output.
    if !cx.goal.is_thorough() {
        return;
    }
    let tree = cx.tree;
    let section = |section: Section| tree.get(cx.unrolled, section.symbol());
    let kinds = KindsOf {
        tree,
        template: cx.template,
        resources: section(Section::Resources),
        mappings: section(Section::Mappings),
    };
    // The evaluator reports such an error at a call for one of its arguments.
    let is_layout = |code| [codes::FUNCTION_LAYOUT, codes::CONDITION_LAYOUT, codes::SELECT_RANGE].contains(&code);
    let reported = cx.diagnostics.iter().filter(|found| is_layout(found.code)).map(Diagnostic::span).collect();
    let mut walker = Walker {
        kinds,
        language_extensions: cx.language_extensions,
        reported,
        done: NodeSet::default(),
        found: Vec::new(),
    };
    for (kind, place) in
        [(Section::Description, ValuePosition::Description), (Section::Metadata, ValuePosition::Metadata)]
    {
        let Some(node) = section(kind) else { continue };
        if kind == Section::Description && tree.kind(node) == Kind::Call {
            walker.push(node, node, place, ValueKinds::ANY);
        } else {
            walker.judge(node, node, place);
        }
    }
    let rewrites_resources = cx.template.has_own_macros();
    for kind in [Section::Conditions, Section::Resources, Section::Outputs] {
        for member in cx.judged(kind) {
            if cx.is_cancelled() {
                return;
            }
            let is_opaque = tree.symbol(member.key) == symbol::FN_TRANSFORM
                || tree.loop_name(member.key).is_some()
                || tree.text(member.key).starts_with("Fn::");
            match kind {
                _ if is_opaque => {}
                Section::Conditions => walker.condition(member.key, member.value),
                Section::Resources => walker.resource(member, rewrites_resources),
                // An output of a module is data of any kind (reference/modules/references.md#outputs).
                _ if cx.template.is_module => {}
                _ => walker.output(member),
            }
        }
    }
    // A condition of a module is decided early: a value in its place is not in the result.
    for (root, _) in cx.modules() {
        for member in tree.get(root, symbol::CONDITIONS).into_iter().flat_map(|section| tree.entries(section)) {
            let is_literal = !matches!(tree.kind(member.value), Kind::Call | Kind::Map | Kind::Null);
            if is_literal && tree.loop_name(member.key).is_none() && !walker.reported.contains(&tree.span(member.value))
            {
                walker.condition(member.key, member.value);
            }
        }
    }
    let mut variables = written::Variables::default();
    for misfit in walker.found {
        if cx.is_cancelled() {
            return;
        }
        let span = match misfit.variable {
            Some((at, _)) => variables.span(cx.tree, cx.sources, misfit.node, at),
            None => cx.tree.span(misfit.node),
        };
        reports::report(cx, &kinds, &misfit, span);
    }
}

struct Misfit {
    /// Key of the entry of a section that it belongs to; the value itself where it is a section.
    member: NodeId,
    node: NodeId,
    place: ValuePosition,
    kinds: ValueKinds,
    /// Number and name of the variable, if `node` is a string of `Fn::Sub`.
    variable: Option<(usize, String)>,
}

struct Walker<'w> {
    kinds: KindsOf<'w>,
    language_extensions: bool,
    /// Places of reported layouts.
    reported: FxHashSet<Span>,
    /// Shared subtrees without an error, as another copy showed.
    done: NodeSet,
    found: Vec<Misfit>,
}

impl Walker<'_> {
    fn resource(&mut self, member: Entry, is_rewritten: bool) {
        let tree = self.kinds.tree;
        if tree.kind(member.value) != Kind::Map {
            if let View::Call(Function::Known(known), _) = tree.view(member.value)
                && !is_rewritten
                && !is_generator(known)
            {
                self.push(member.key, member.value, ValuePosition::Resource, ValueKinds::ANY);
            }
            return;
        }
        let is_rewritten = is_rewritten || tree.get(member.value, symbol::FN_TRANSFORM).is_some();
        for attribute in tree.entries(member.value) {
            let name = tree.symbol(attribute.key);
            let place = match name {
                _ if is_rewritten => ValuePosition::Any,
                symbol::PROPERTIES | symbol::METADATA | symbol::CREATION_POLICY | symbol::UPDATE_POLICY => {
                    ValuePosition::Attribute(attribute.key)
                }
                symbol::DELETION_POLICY | symbol::UPDATE_REPLACE_POLICY if !self.language_extensions => {
                    ValuePosition::Policy(attribute.key)
                }
                symbol::DESCRIPTION => ValuePosition::DescriptionOf(attribute.key),
                symbol::DEPENDS_ON => {
                    self.depends_on(member.key, attribute.value);
                    continue;
                }
                // These have checks of their own.
                symbol::CONDITION | symbol::TYPE => continue,
                _ => ValuePosition::Any,
            };
            self.walk(member.key, attribute.value, place);
        }
    }

    /// Reports a definition of a condition that is a string. Other errors are found where it is evaluated.
    fn condition(&mut self, key: NodeId, node: NodeId) {
        let tree = self.kinds.tree;
        if tree.is_scalar(node) {
            // Generated definitions are checked with the loop.
            if tree.frame_of(key).is_none() {
                self.push(key, node, ValuePosition::Condition(key), ValueKinds::STRING);
            }
            return;
        }
        let mut pending: Vec<NodeId> = vec![node];
        while let Some(node) = pending.pop() {
            if let View::Call(Function::Known(Known::If), argument) = tree.view(node) {
                pending.extend(tree.items(argument).iter().skip(1).rev());
            } else if tree.is_scalar(node) && scalar::truth(tree.text(node)).is_none() {
                self.push(key, node, ValuePosition::Condition(key), ValueKinds::STRING);
            }
        }
        self.walk(key, node, ValuePosition::Any);
    }

    /// Checks a name, or a list of names. Functions are reported where literal places are checked.
    fn depends_on(&mut self, member: NodeId, node: NodeId) {
        let tree = self.kinds.tree;
        let is_name = |node: NodeId| matches!(tree.kind(node), Kind::String | Kind::Call | Kind::Null);
        if tree.kind(node) == Kind::List {
            for &item in tree.items(node).iter().filter(|&&item| !is_name(item)) {
                self.push(member, item, ValuePosition::DependsOnElement, self.kinds.get(item));
            }
        } else if !is_name(node) {
            self.push(member, node, ValuePosition::DependsOn, self.kinds.get(node));
        }
    }

    fn output(&mut self, member: Entry) {
        let tree = self.kinds.tree;
        if let View::Call(Function::Known(known), _) = tree.view(member.value)
            && !is_generator(known)
        {
            self.push(member.key, member.value, ValuePosition::Output, ValueKinds::ANY);
        }
        if tree.kind(member.value) != Kind::Map {
            return;
        }
        for attribute in tree.entries(member.value) {
            let place = match tree.symbol(attribute.key) {
                symbol::VALUE => ValuePosition::Value(member.key),
                symbol::EXPORT => {
                    if let Some(name) = tree.get(attribute.value, symbol::NAME) {
                        self.walk(member.key, name, ValuePosition::ExportName(member.key));
                    }
                    continue;
                }
                _ => continue,
            };
            self.walk(member.key, attribute.value, place);
        }
    }

    fn push(&mut self, member: NodeId, node: NodeId, place: ValuePosition, kinds: ValueKinds) {
        self.found.push(Misfit { member, node, place, kinds, variable: None });
    }

    /// Checks a value, but not its content.
    fn judge(&mut self, member: NodeId, node: NodeId, place: ValuePosition) {
        if matches!(place, ValuePosition::Any) {
            return;
        }
        let kinds = self.kinds.get(node);
        if !kinds.may_be(place.accepted(self.language_extensions)) && !self.is_reported(node, place) {
            self.push(member, node, place, kinds);
        }
    }

    fn is_reported(&self, node: NodeId, place: ValuePosition) -> bool {
        let span = |node| self.kinds.tree.span(node);
        self.reported.contains(&span(node)) || place.call().is_some_and(|call| self.reported.contains(&span(call)))
    }

    fn walk(&mut self, member: NodeId, node: NodeId, place: ValuePosition) {
        let tree = self.kinds.tree;
        if !tree.has(node, flags::HAS_CALL) {
            return self.judge(member, node, place);
        }
        // An alias below an authored node is a copy of its own.
        let is_own = !tree.may_share()
            || tree.is_generated(node)
            || tree.kind(node) != Kind::Call && tree.has(node, flags::HAS_ALIAS);
        if is_own {
            return self.below(member, node, place);
        }
        if self.done.contains(node) {
            return;
        }
        let before = self.found.len();
        self.below(member, node, place);
        // A value of the wrong kind in it is one in each copy, and counted there.
        if self.found.len() == before {
            self.done.insert(node);
        }
    }

    /// Checks a value with calls, and its content.
    fn below(&mut self, member: NodeId, node: NodeId, place: ValuePosition) {
        let tree = self.kinds.tree;
        let branches = match tree.view(node) {
            View::Call(Function::Known(Known::If), argument) => tree.items(argument).get(1..),
            _ => None,
        };
        if let Some(branches) = branches {
            for &branch in branches {
                self.walk(member, branch, place);
            }
            return;
        }
        self.judge(member, node, place);
        match tree.view(node) {
            View::List(items) => {
                let place = place.of_elements();
                for &item in items {
                    self.walk(member, item, place);
                }
            }
            View::Map => {
                for entry in tree.entries(node) {
                    self.walk(member, entry.value, ValuePosition::Any);
                }
            }
            View::Call(Function::Known(known), argument) => self.arguments(member, node, (known, argument)),
            _ => {}
        }
    }

    fn arguments(&mut self, member: NodeId, call: NodeId, (known, argument): (Known, NodeId)) {
        let tree = self.kinds.tree;
        match positions::arguments(known) {
            // Not checked here.
            positions::Arguments::Opaque => {}
            positions::Arguments::Any => self.walk(member, argument, ValuePosition::Any),
            positions::Arguments::One(rule) => {
                self.walk(member, argument, ValuePosition::Argument { call, function: known, rule });
            }
            positions::Arguments::List(rules) if tree.kind(argument) == Kind::List => {
                for (at, &item) in tree.items(argument).iter().enumerate() {
                    let place = rules.get(at).map(|rule| ValuePosition::Argument { call, function: known, rule });
                    self.walk(member, item, place.unwrap_or(ValuePosition::Any));
                }
            }
            positions::Arguments::List(_) => self.walk(member, argument, ValuePosition::Any),
            positions::Arguments::OfSub => self.sub(member, call, argument),
        }
    }

    fn sub(&mut self, member: NodeId, call: NodeId, argument: NodeId) {
        let tree = self.kinds.tree;
        let (text, variables) = sub_parts(tree, argument);
        let place = ValuePosition::Argument { call, function: Known::Sub, rule: &positions::VARIABLE };
        // A macro writes missing variables.
        if variables.is_some_and(|map| tree.get(map, symbol::FN_TRANSFORM).is_some()) {
            return;
        }
        for variable in variables.into_iter().flat_map(|map| tree.entries(map)) {
            self.walk(variable.key, variable.value, ValuePosition::Variable { call, key: variable.key });
        }
        if self.language_extensions || self.is_reported(text, place) {
            return;
        }
        let bound: IdSet<_> =
            variables.into_iter().flat_map(|map| tree.entries(map)).map(|one| tree.symbol(one.key)).collect();
        let written = sub_string::parts(tree.string(text).unwrap_or_default()).filter_map(Part::variable);
        for (at, name) in written.map(str::trim).enumerate() {
            let is_list = tree.symbols().get(name).is_some_and(|name| {
                !bound.contains(&name) && self.kinds.template.parameter(name).is_some_and(|one| one.kind.is_list)
            });
            if is_list || name == PseudoParameter::NotificationArns.name() {
                let variable = Some((at, name.to_owned()));
                self.found.push(Misfit { member, node: text, place, kinds: ValueKinds::LIST, variable });
            }
        }
    }
}

/// Returns `true` if a function generates declarations, or has its own message wherever it is not allowed.
fn is_generator(known: Known) -> bool {
    known.is_local() || known.is_of_modules() || known == Known::Transform
}
