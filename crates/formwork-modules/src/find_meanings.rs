//! Resolution of the names in a module's file once per file and not per import: parameters and resources have the same
//! names in every instance (reference/modules/references.md#lookup).

use std::rc::Rc;

use formwork_base::FrameKind;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, flags};
use formwork_template::sub_string::{self, Part};

use super::Linker;
use super::groups::Section;
use super::instance::InstanceId;
use super::lookup::{Inserted, LookupResult, Target};
use super::meanings::{TextPart, TextParts};
use super::name_kind::NameKind;
use super::path;
use super::stop::Resolved;

impl Linker<'_> {
    /// Returns the meaning of the name in a call of `Ref` or `Fn::GetAtt`; `None` when it is not written in a module's
    /// file.
    pub(super) fn reference_slot(
        &mut self,
        call: NodeId,
        argument: NodeId,
        scope: InstanceId,
    ) -> Resolved<Option<Rc<NameKind>>> {
        if scope == InstanceId::ROOT || self.tree.is_generated(argument) {
            return Ok(None);
        }
        let place = (argument, self.values.instances[scope.at()].file);
        if let Some(known) = self.values.meanings.references.get(&place) {
            return Ok(Some(Rc::clone(known)));
        }
        let is_name = match self.tree.kind(argument) {
            Kind::List => {
                let parts = self.tree.items(argument);
                let is_attribute = self.tree.argument_of(call, Known::GetAtt).is_some();
                is_attribute && !parts.is_empty() && parts.iter().all(|&part| self.tree.is_scalar(part))
            }
            _ => self.tree.is_scalar(argument),
        };
        if !is_name {
            return Ok(None);
        }
        let meaning = Rc::new(self.meaning(&self.written_name(argument), scope)?);
        self.values.meanings.references.insert(place, Rc::clone(&meaning));
        Ok(Some(meaning))
    }

    /// Returns the parts of the string of a call of `Fn::Sub`. In a string outside of a module's file, or with a
    /// mapping of variables, the variables are looked up for each instance.
    pub(super) fn text_parts(
        &mut self,
        call: NodeId,
        (text, map): (NodeId, Option<NodeId>),
        scope: InstanceId,
    ) -> Resolved<Rc<TextParts>> {
        if scope == InstanceId::ROOT || self.tree.is_generated(text) || map.is_some() {
            return self
                .slots_of(call, text, |linker, name| Ok(NameKind::Other(linker.tree.intern(name))))
                .map(Rc::new);
        }
        let place = (text, self.values.instances[scope.at()].file);
        if let Some(known) = self.values.meanings.texts.get(&place) {
            return Ok(Rc::clone(known));
        }
        let made = Rc::new(self.slots_of(call, text, |linker, name| linker.meaning(name, scope))?);
        self.values.meanings.texts.insert(place, Rc::clone(&made));
        Ok(made)
    }

    fn slots_of(
        &mut self,
        call: NodeId,
        text: NodeId,
        meaning: impl Fn(&mut Self, &str) -> Resolved<NameKind>,
    ) -> Resolved<TextParts> {
        let written = self.tree.text(text).to_owned();
        let mut constants = self.constants_in(call, text).into_iter().peekable();
        let (mut parts, mut end) = (Vec::new(), 0);
        for (part, as_written) in sub_string::written_parts(&written) {
            end += as_written.len();
            while let Some(used) = constants.next_if(|used| used.offset < end) {
                parts.push(TextPart::Constant(used.inserted));
            }
            parts.push(match part {
                Part::Text(text) => TextPart::Text(text.into()),
                Part::Literal(name) => TextPart::Literal(name.into()),
                Part::Variable(name) => {
                    let is_pseudo = name.starts_with("AWS::");
                    TextPart::Name(name.into(), if is_pseudo { NameKind::Pseudo } else { meaning(self, name)? })
                }
            });
        }
        parts.extend(constants.map(|used| TextPart::Constant(used.inserted)));
        Ok(parts)
    }

    fn meaning(&mut self, text: &str, scope: InstanceId) -> Resolved<NameKind> {
        if text.starts_with("AWS::") {
            return Ok(NameKind::Pseudo);
        }
        let path = path::parse(text);
        let name = self.tree.intern(path.head);
        if self.declaration(scope, name).is_some() {
            let is_whole = path.steps.is_empty();
            return Ok(if is_whole { NameKind::Parameter(name) } else { NameKind::Other(self.tree.intern(text)) });
        }
        // The entries that loops generate may depend on the properties of an import.
        let has_loops = self.tree.has(self.loaded.files[self.values.instances[scope.at()].file].root, flags::HAS_LOOP);
        if !has_loops {
            let resources = self.groups(Section::Resources, scope)?;
            if resources.get(name).is_some() && !resources.is_many(name) {
                let attribute = (!path.steps.is_empty()).then(|| path::written(&path.steps).into());
                return Ok(NameKind::Resource { name: path.head.into(), attribute });
            }
        }
        Ok(NameKind::Other(self.tree.intern(text)))
    }

    /// Returns the target of a name for an instance; `None` when its look-up reports an error.
    pub(super) fn meant(
        &mut self,
        meaning: &NameKind,
        scope: InstanceId,
        at: NodeId,
    ) -> Resolved<Option<LookupResult>> {
        Ok(match meaning {
            NameKind::Pseudo => None,
            &NameKind::Parameter(name) => {
                let value = self.binding(scope, name)?;
                value.map(|value| LookupResult::Value(Inserted { kind: FrameKind::Argument, name, value }))
            }
            NameKind::Resource { name, attribute } => {
                let attribute = attribute.as_deref().map(str::to_owned);
                Some(LookupResult::One(Target { id: self.values.full_name(name, scope), attribute }))
            }
            &NameKind::Other(text) => Some(self.looked_up(text, scope, at)?),
        })
    }

    /// Looks up a reference. A whole output is remembered, unless an open goal may change the result.
    fn looked_up(&mut self, text: Symbol, scope: InstanceId, at: NodeId) -> Resolved<LookupResult> {
        if let Some(&known) = self.values.meanings.outputs.get(&(text, scope)) {
            return Ok(LookupResult::Value(known));
        }
        let written = self.tree.name(text).to_owned();
        let path = path::parse(&written);
        let found = self.look_up(&path, scope, at)?;
        if let LookupResult::Value(inserted) = found
            && inserted.kind == FrameKind::Output
            && path.steps.len() == 1
            && self.values.agenda.open.is_empty()
            // The outputs of an import differ where its condition holds.
            && self.values.instances.iter().all(|instance| instance.condition.is_none())
        {
            self.values.meanings.outputs.insert((text, scope), inserted);
        }
        Ok(found)
    }
}
