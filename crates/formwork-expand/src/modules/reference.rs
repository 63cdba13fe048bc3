//! What a name means in a file: `Ref`, and what `Fn::GetAtt` and `Fn::Sub` look up
//! (reference/modules/references.md#lookup).

use formwork_base::{Diagnostic, FrameKind, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol};

use super::Linker;
use super::evaluate::Value;
use super::instance::{Bound, Scope};
use super::path::{self, Path, Step};

/// What a reference finds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// Nothing that is known here: it stays as it is written.
    Nothing,
    /// A value of the result, by the name that frames show.
    Value(NodeId, FrameKind, Symbol),
    /// Resources of the result, or attributes of them. `Many` when a selector stands for all copies.
    One(Target),
    /// The same for every copy.
    Many(Vec<Target>),
    /// It is wrong, which was reported.
    Poison,
}

/// A value that stands in the place of a reference.
#[derive(Clone, Copy, Debug)]
pub struct Inserted {
    /// What it is the value of.
    pub kind: FrameKind,
    /// The name that was referred to.
    pub name: Symbol,
    /// The value where it was worked out.
    pub value: NodeId,
}

/// A resource or an attribute of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    /// Full id.
    pub(super) id: String,
    /// Attribute; `None` for the resource itself.
    pub(super) attribute: Option<String>,
}

impl Linker<'_> {
    pub(super) fn evaluate_ref(&mut self, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        if !self.tree.is_scalar(argument) {
            let Value::Node(name) = self.evaluate_known(argument, scope) else { return Value::Poison };
            let call = self.call_in_place(node, name, self.frame(scope));
            let is_name = self.folds(scope) && self.tree.is_scalar(name);
            return if is_name { self.evaluate_ref(call, name, scope) } else { Value::Node(call) };
        }
        let text = self.tree.text(argument).to_owned();
        if text.starts_with("AWS::") {
            return Value::Node(node);
        }
        let found = self.look_up(&path::parse(&text), scope, node);
        self.in_place(found, node, argument, scope)
    }

    /// What a reference becomes in the place of the call `node`.
    pub(super) fn in_place(&mut self, found: Found, node: NodeId, argument: NodeId, scope: Scope) -> Value {
        match found {
            Found::Nothing => Value::Node(node),
            Found::Poison => Value::Poison,
            Found::Value(value, kind, name) => {
                let frame = self.frame(scope);
                let outer = self.frame_within(node, frame);
                let frame = self.value_frame(kind, name, value, node, outer);
                let placed = self.tree.stand_in(value, node, frame);
                self.keep_marks(value, placed);
                self.inserted.insert(placed, Inserted { kind, name, value });
                Value::Node(placed)
            }
            Found::One(target) => Value::Node(self.target_in_place(&target, node, argument, scope)),
            Found::Many(targets) => {
                let items: Vec<NodeId> =
                    targets.iter().map(|target| self.target_in_place(target, node, argument, scope)).collect();
                let frame = self.frame(scope);
                let frame = self.frame_within(node, frame);
                let origin = formwork_syntax::Origin::Made(node, frame);
                Value::Node(self.tree.list(&items, formwork_syntax::Style::Plain, origin))
            }
        }
    }

    fn keep_marks(&mut self, value: NodeId, placed: NodeId) {
        if self.finals.contains(&value) {
            self.finals.insert(placed);
        }
        if self.empty_lists.contains(&value) {
            self.empty_lists.insert(placed);
        }
    }

    fn target_in_place(&mut self, target: &Target, node: NodeId, argument: NodeId, scope: Scope) -> NodeId {
        let frame = self.frame(scope);
        let Some(attribute) = &target.attribute else {
            if self.tree.argument_of(node, Known::Ref).is_some() {
                if self.tree.text(argument) == target.id {
                    return node;
                }
                let name = self.text_in_place(argument, &target.id, frame);
                return self.call_in_place(node, name, frame);
            }
            let frame = self.frame_within(node, frame);
            let name = self.text_in_place(node, &target.id, frame);
            return self.call_made(Known::Ref, name, node, frame);
        };
        let is_list = self.tree.kind(argument) == Kind::List;
        let whole = [&target.id, ".", attribute].concat();
        if !is_list && self.tree.text(argument) == whole {
            return node;
        }
        if is_list {
            let (first, second) = match self.tree.items(argument) {
                &[first, second, ..] => (first, second),
                _ => (argument, argument),
            };
            let is_same = self.tree.len(argument) == 2
                && self.tree.text(first) == target.id
                && self.tree.text(second) == attribute;
            if is_same {
                return node;
            }
            let id = self.text_in_place(first, &target.id, frame);
            let attribute =
                if self.tree.text(second) == attribute { second } else { self.text_in_place(second, attribute, frame) };
            let list = self.list_in_place(argument, &[id, attribute], frame);
            return self.call_in_place(node, list, frame);
        }
        let text = self.text_in_place(argument, &whole, frame);
        if self.tree.argument_of(node, Known::GetAtt).is_some() {
            return self.call_in_place(node, text, frame);
        }
        let frame = self.frame_within(node, frame);
        self.call_made(Known::GetAtt, text, node, frame)
    }

    /// What a path means in the file of an instance. `at` is where it is written.
    pub(super) fn look_up(&mut self, path: &Path<'_>, scope: Scope, at: NodeId) -> Found {
        let name = self.tree.intern(path.head);
        if scope == Scope::ROOT {
            if self.template.parameter(name).is_some() {
                return if path.steps.is_empty() { Found::Nothing } else { self.in_root_parameter(name, path, at) };
            }
        } else if self.declares(scope, name) {
            return self.in_parameter(name, path, scope, at);
        }
        if let Some(found) = self.find_resource(path, name, scope, at) {
            return found;
        }
        if let Some(found) = self.find_import(path, name, scope, at) {
            return found;
        }
        if scope != Scope::ROOT && self.is_undeclared_property(name, scope) {
            self.report_undeclared(name, scope, at);
            return Found::Poison;
        }
        Found::Nothing
    }

    fn in_parameter(&mut self, name: Symbol, path: &Path<'_>, scope: Scope, at: NodeId) -> Found {
        let value = match self.binding(scope, name) {
            Bound::Value(value) => value,
            Bound::Poison => return Found::Poison,
            Bound::Unbound => {
                self.report_unbound(name, scope, at);
                return Found::Poison;
            }
        };
        if path.steps.is_empty() {
            return Found::Value(value, FrameKind::Argument, name);
        }
        if let Some(id) = self.resource_referred_to(value) {
            // Whoever passes a resource passes its attributes: real modules rely on it.
            return Found::One(Target { id, attribute: Some(path::written(&path.steps)) });
        }
        let Some(known) = self.known_root_value(value, "Fn::GetAtt", at, scope) else { return Found::Poison };
        self.member_of(known, &path.steps, name, path, scope, at)
    }

    /// The full id in a reference to something of the result that is no parameter.
    fn resource_referred_to(&self, value: NodeId) -> Option<String> {
        let target = self.tree.string(self.tree.argument_of(value, Known::Ref)?)?;
        let is_parameter = self.tree.symbols().get(target).is_some_and(|name| self.template.parameter(name).is_some());
        (!is_parameter && !target.contains("::")).then(|| target.to_owned())
    }

    fn in_root_parameter(&mut self, name: Symbol, path: &Path<'_>, at: NodeId) -> Found {
        let parameter = self.template.parameter(name).map(|parameter| (parameter.no_echo, parameter.kind.is_list));
        let Some(value) = self.root_value(name) else {
            // Its value comes with the deployment; what a path into a text means is for the service.
            if parameter.is_some_and(|(no_echo, _)| no_echo) {
                self.report_no_echo("Fn::GetAtt", name, Scope::ROOT, at);
                return Found::Poison;
            }
            return Found::Nothing;
        };
        if !matches!(self.tree.kind(value), Kind::Map | Kind::List) {
            return Found::Nothing;
        }
        self.member_of(value, &path.steps, name, path, Scope::ROOT, at)
    }

    /// The member of a value that steps lead to.
    fn member_of(
        &mut self,
        value: NodeId,
        steps: &[Step<'_>],
        name: Symbol,
        path: &Path<'_>,
        scope: Scope,
        at: NodeId,
    ) -> Found {
        match self.walk_steps(value, steps, at, scope) {
            Ok(member) => Found::Value(member, FrameKind::Argument, name),
            Err(step) => {
                let parameter = shown(self.tree.name(name)).clone();
                let whole = shown(&format!("{}.{}", path.head, path::written(&path.steps)));
                let mut diagnostic = Diagnostic::new(
                    codes::PARAMETER_UNBOUND,
                    format!("the parameter has no such member: `{whole} not found in parameter {parameter}`"),
                )
                .at(self.tree.span(at))
                .related(self.tree.span(value), "its value");
                let keys: Vec<&str> = self.tree.entries(value).map(|entry| self.tree.text(entry.key)).collect();
                diagnostic = if keys.is_empty() {
                    diagnostic.note(format!("there is no {}", shown(&step)))
                } else {
                    diagnostic.note(format!("there is no {}, it has: {}", shown(&step), shown(&keys.join(", "))))
                };
                self.report(scope, diagnostic.help("correct the path, or give the member a value"));
                Found::Poison
            }
        }
    }

    /// The value that steps lead to from a known one; the step that leads nowhere else
    /// (reference/modules/functions.md#get-att).
    pub(super) fn walk_steps(
        &mut self,
        value: NodeId,
        steps: &[Step<'_>],
        at: NodeId,
        scope: Scope,
    ) -> Result<NodeId, String> {
        let Some((step, rest)) = steps.split_first() else { return Ok(value) };
        if step.is_all() {
            let frame = self.frame(scope);
            let frame = self.frame_within(at, frame);
            let origin = formwork_syntax::Origin::Made(at, frame);
            let items: Vec<NodeId> = if self.tree.kind(value) == Kind::Map && rest.is_empty() {
                let keys: Vec<String> =
                    self.tree.entries(value).map(|entry| self.tree.text(entry.key).to_owned()).collect();
                keys.iter().map(|key| self.tree.computed(key, origin)).collect()
            } else {
                let values: Vec<NodeId> = match self.tree.kind(value) {
                    Kind::Map => self.tree.entries(value).map(|entry| entry.value).collect(),
                    Kind::List => self.tree.items(value).to_vec(),
                    _ => return Err(step.text.to_owned()),
                };
                values.into_iter().filter_map(|value| self.walk_steps(value, rest, at, scope).ok()).collect()
            };
            return Ok(self.tree.list(&items, formwork_syntax::Style::Plain, origin));
        }
        let next = match self.tree.kind(value) {
            Kind::Map => self.tree.get_text(value, step.text),
            Kind::List => step.index().and_then(|at| self.tree.items(value).get(at).copied()),
            _ => None,
        };
        match next {
            Some(next) => self.walk_steps(next, rest, at, scope),
            None => Err(step.text.to_owned()),
        }
    }
}
