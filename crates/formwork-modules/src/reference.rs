//! Resolution of names in a file: `Ref`, `Fn::GetAtt` and the variables of `Fn::Sub`
//! (reference/modules/references.md#lookup).

use formwork_base::display::shown;
use formwork_base::{FrameKind, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Kind, NodeId, Origin, Style, Symbol, symbol};
use formwork_template::ParameterType;

use super::Linker;
use super::instance::InstanceId;
use super::lookup::{Inserted, LookupResult, Target};
use super::name_kind::NameKind;
use super::path::{self, Path};
use super::stop::{Resolved, Value};

impl Linker<'_> {
    /// Evaluates `Ref` and `Fn::GetAtt`, with a literal or computed name of the file.
    pub(super) fn evaluate_reference(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        if self.is_parameter_alone(node, argument, scope) {
            // An attribute is missing, which the stage that checks the result reports.
            return Ok(Some(node));
        }
        if let Some(meaning) = self.reference_slot(node, argument, scope)? {
            if matches!(*meaning, NameKind::Pseudo) {
                return Ok(Some(node));
            }
            if let NameKind::Parameter(name) = *meaning
                && let Some(value) = self.binding(scope, name)?
            {
                let value = self.in_json(name, value, scope);
                let inserted = Inserted { kind: FrameKind::Argument, name, value };
                return Ok(Some(self.value_in_place(inserted, node, scope)));
            }
            if let Some(found) = self.meant(&meaning, scope, node)? {
                return Ok(Some(self.in_place(found, node, argument, scope)));
            }
        }
        let made = self.known(|linker| linker.evaluate_argument(argument, scope))?;
        let call = self.call_in_place(node, made, self.values.frame(scope));
        let is_attribute = self.tree.argument_of(node, Known::GetAtt).is_some();
        let parts = if is_attribute && self.tree.kind(made) == Kind::List { self.tree.items(made) } else { &[made] };
        let is_known = parts.iter().all(|&part| self.tree.is_scalar(part)) && (made == argument || self.folds(scope));
        if !is_known {
            let first = parts.first().and_then(|&first| self.tree.string(first)).map(str::to_owned);
            return match first.filter(|_| is_attribute) {
                Some(name) => self.with_full_name(&name, call, made, scope).map(Some),
                None => Ok(Some(call)),
            };
        }
        let text = self.written_name(made);
        if text.starts_with("AWS::") {
            return Ok(Some(call));
        }
        let found = self.look_up(&path::parse(&text), scope, node)?;
        Ok(Some(self.in_place(found, call, made, scope)))
    }

    /// Returns the value of a parameter, which in `Fn::ToJsonString` has the declared type.
    fn in_json(&mut self, name: Symbol, value: NodeId, scope: InstanceId) -> NodeId {
        let kind = self.declaration(scope, name).filter(|_| self.values.modes.nulls_are_data);
        let kind = kind.and_then(|declaration| self.tree.get(declaration, symbol::TYPE));
        match kind.and_then(|kind| self.tree.string(kind)).map(ParameterType::parse) {
            Some(kind) => kind.in_json(self.tree, value),
            None => value,
        }
    }

    fn is_parameter_alone(&self, node: NodeId, argument: NodeId, scope: InstanceId) -> bool {
        let name = match *self.tree.items(argument) {
            [only] => only,
            _ => argument,
        };
        self.tree.argument_of(node, Known::GetAtt).is_some()
            && self.tree.string(name).is_some_and(|name| !name.contains(['.', '[']))
            && self.tree.symbols().get(self.tree.text(name)).is_some_and(|name| self.declaration(scope, name).is_some())
    }

    /// Evaluates `[Resource, !Ref Attribute]`: the name becomes a full ID, the attribute is known at deployment.
    fn with_full_name(&mut self, name: &str, call: NodeId, argument: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let Some(id) = self.full_id(name, scope)? else { return Ok(call) };
        let frame = self.values.frame(scope);
        let mut items = self.tree.items(argument).to_vec();
        items[0] = self.renamed(items[0], &id, frame);
        let list = self.list_in_place(argument, &items, frame);
        Ok(self.call_in_place(call, list, frame))
    }

    pub(super) fn in_place(
        &mut self,
        found: LookupResult,
        node: NodeId,
        argument: NodeId,
        scope: InstanceId,
    ) -> NodeId {
        match found {
            LookupResult::Nothing => node,
            LookupResult::Value(inserted) => self.value_in_place(inserted, node, scope),
            LookupResult::One(target) => self.target_in_place(&target, node, argument, scope),
            LookupResult::Many(targets) => {
                let mut items = Vec::with_capacity(targets.len());
                for (target, condition) in &targets {
                    let item = self.target_in_place(target, node, argument, scope);
                    let condition = condition.filter(|&name| !self.values.modes.under.contains(&Some(name)));
                    items.push(match condition {
                        Some(condition) => self.only_under(condition, item, node, scope),
                        None => item,
                    });
                }
                let frame = self.frame_at(node, scope);
                self.tree.list(&items, Style::Plain, Origin::Generated(node, frame))
            }
        }
    }

    fn value_in_place(&mut self, inserted: Inserted, node: NodeId, scope: InstanceId) -> NodeId {
        let outer = self.frame_at(node, scope);
        let frame = self.value_frame(inserted, node, outer);
        let placed = self.tree.stand_in(inserted.value, node, frame);
        for marked in [&mut self.values.substituted, &mut self.values.split.all, &mut self.values.split.empty] {
            if marked.contains(&inserted.value) {
                marked.insert(placed);
            }
        }
        self.emitted.result.inserted.insert(placed, inserted);
        placed
    }

    fn target_in_place(&mut self, target: &Target, node: NodeId, argument: NodeId, scope: InstanceId) -> NodeId {
        let frame = self.values.frame(scope);
        let is_attribute = self.tree.argument_of(node, Known::GetAtt).is_some();
        if is_attribute && target.attribute.is_none() {
            // Kept to be reported: the attribute is missing.
            let name = self.text_in_place(argument, &target.id, frame);
            return self.call_in_place(node, name, frame);
        }
        if let (Some(attribute), &[first, second, ref rest @ ..]) = (&target.attribute, self.tree.items(argument)) {
            let rest = rest.to_vec();
            let id = self.renamed(first, &target.id, frame);
            let parts = match rest.as_slice() {
                [] => vec![id, self.renamed(second, attribute, frame)],
                // The item of a copy is a part of its own.
                &[last] if self.tree.text(last) == *attribute => vec![id, last],
                // Kept to be reported: an attribute is one part.
                rest => [&[id, second], rest].concat(),
            };
            let list = self.list_in_place(argument, &parts, frame);
            return self.call_in_place(node, list, frame);
        }
        let known = if target.attribute.is_some() { Known::GetAtt } else { Known::Ref };
        let (text, is_same_call) = (target.written(), self.tree.argument_of(node, known).is_some());
        if is_same_call {
            let name = self.renamed(argument, &text, frame);
            return self.call_in_place(node, name, frame);
        }
        if known == Known::GetAtt && self.tree.text(argument) == text {
            return node;
        }
        let place = if known == Known::GetAtt { argument } else { node };
        let name = self.text_in_place(place, &text, frame);
        let frame = self.frame_within(node, frame);
        self.call_made(known, name, node, frame)
    }

    fn renamed(&mut self, node: NodeId, text: &str, frame: FrameId) -> NodeId {
        if self.tree.text(node) == text { node } else { self.text_in_place(node, text, frame) }
    }

    /// Looks up a path in the file of an instance. `at` is the place of the path.
    pub(super) fn look_up(&mut self, path: &Path<'_>, scope: InstanceId, at: NodeId) -> Resolved<LookupResult> {
        let name = self.tree.intern(path.head);
        if scope == InstanceId::ROOT {
            if self.template.parameter(name).is_some() {
                return if path.steps.is_empty() {
                    Ok(LookupResult::Nothing)
                } else {
                    self.in_root_parameter(name, path, at)
                };
            }
        } else if self.declaration(scope, name).is_some() {
            return self.in_parameter(name, path, scope, at);
        }
        if let Some(found) = self.find(path, name, scope, at)? {
            return Ok(found);
        }
        if let Some(diagnostic) = self.undeclared(name, scope, at) {
            return self.wrong(scope, diagnostic);
        }
        Ok(LookupResult::Nothing)
    }

    fn in_parameter(&mut self, name: Symbol, path: &Path<'_>, scope: InstanceId, at: NodeId) -> Resolved<LookupResult> {
        let Some(value) = self.binding(scope, name)? else {
            return self.wrong(scope, self.unbound(name, scope, at));
        };
        if path.steps.is_empty() {
            return Ok(LookupResult::Value(Inserted { kind: FrameKind::Argument, name, value }));
        }
        if let Some(id) = self.resource_referred_to(value) {
            // A reference to a resource passes its attributes, too: real modules rely on it.
            return Ok(LookupResult::One(Target { id, attribute: Some(path::written(&path.steps)) }));
        }
        let known = self.known_root_value(value, "Fn::GetAtt", at, scope)?;
        self.member_of(known, path, scope, at)
    }

    /// Returns the full ID in a reference to something of the result that is not a parameter.
    fn resource_referred_to(&self, value: NodeId) -> Option<String> {
        let target = self.tree.string(self.tree.argument_of(value, Known::Ref)?)?;
        let is_parameter = self.tree.symbols().get(target).is_some_and(|name| self.template.parameter(name).is_some());
        (!is_parameter && !target.contains("::")).then(|| target.to_owned())
    }

    fn in_root_parameter(&mut self, name: Symbol, path: &Path<'_>, at: NodeId) -> Resolved<LookupResult> {
        match self.root_value(name) {
            Some(value) if matches!(self.tree.kind(value), Kind::Map | Kind::List) => {
                self.member_of(value, path, InstanceId::ROOT, at)
            }
            None if self.template.parameter(name).is_some_and(|parameter| parameter.no_echo) => {
                self.wrong(InstanceId::ROOT, self.secret("Fn::GetAtt", name, at))
            }
            // The value is known at deployment; the meaning of a path into a string is left to CloudFormation.
            _ => Ok(LookupResult::Nothing),
        }
    }

    fn member_of(&mut self, value: NodeId, path: &Path<'_>, scope: InstanceId, at: NodeId) -> Resolved<LookupResult> {
        let step = match self.walk_steps(value, &path.steps, at, scope) {
            Ok(value) => {
                let name = self.tree.intern(path.head);
                return Ok(LookupResult::Value(Inserted { kind: FrameKind::Argument, name, value }));
            }
            Err(step) => shown(&step),
        };
        let parameter = shown(path.head);
        let whole = shown(&format!("{}.{}", path.head, path::written(&path.steps)));
        let message = format!("the path does not exist in the parameter: `{whole} not found in parameter {parameter}`");
        let help = "correct the path, or add the key to the value";
        let members = self.members(value).map_or_else(String::new, |members| format!(", {members}"));
        let diagnostic = self
            .error(codes::PARAMETER_UNBOUND, at, message, help)
            .related(self.tree.span(value), "its value")
            .note(format!("{step} does not exist{members}"));
        self.wrong(scope, diagnostic)
    }
}
