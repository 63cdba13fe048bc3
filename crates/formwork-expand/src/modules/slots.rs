//! What the names in a module's file mean, found once a file and not once an import: which of them are parameters and
//! which are resources is the same for every instance of it (reference/modules/references.md#lookup).

use std::rc::Rc;

use formwork_base::{FrameKind, IdMap};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, flags};
use formwork_template::sub_string::{self, Part};

use super::Linker;
use super::copies::Section;
use super::goals::Made;
use super::instance::InstanceId;
use super::path;
use super::reference::{Found, Inserted, Target};

/// What a name in a file means.
pub(super) enum Meaning {
    /// A pseudo parameter, which stays as it is written.
    Pseudo,
    /// A parameter of the file.
    Parameter(Symbol),
    /// A resource of the file that is not copied, or an attribute of it.
    Resource { name: Box<str>, attribute: Option<Box<str>> },
    /// Anything else, by the whole reference: it is looked up for each instance.
    Other(Symbol),
}

/// A part of the text of `Fn::Sub`.
pub(super) enum Slot {
    /// Text.
    Text(Box<str>),
    /// The name in `${!Name}`.
    Literal(Box<str>),
    /// A variable as it is written, and what it means.
    Name(Box<str>, Meaning),
}

/// The text of an `Fn::Sub` without variables of its own, part by part.
pub(super) struct TextSlots {
    pub(super) parts: Vec<Slot>,
    /// Whether its variables are parameters and pseudo parameters, at least one of them a parameter.
    pub(super) is_simple: bool,
    /// Whether a pseudo parameter is among them, which stays.
    pub(super) is_open: bool,
}

/// Where a reference is written: the node that holds the name, and the number of the file. What is included may be
/// part of two files.
type Place = (NodeId, usize);

/// The meanings that were found.
#[derive(Default)]
pub(super) struct Slots {
    references: IdMap<Place, Rc<Meaning>>,
    /// Strings of `Fn::Sub`; nothing for those that are split again for each instance.
    texts: IdMap<Place, Option<Rc<TextSlots>>>,
    /// Outputs that instances refer to, by the whole reference.
    outputs: IdMap<(Symbol, InstanceId), Inserted>,
}

impl Linker<'_> {
    /// The meaning of the name in a call of `Ref` or `Fn::GetAtt`; nothing where it is not written in a module's file.
    pub(super) fn reference_slot(
        &mut self,
        call: NodeId,
        argument: NodeId,
        scope: InstanceId,
    ) -> Made<Option<Rc<Meaning>>> {
        if scope == InstanceId::ROOT || self.tree.is_generated(argument) {
            return Ok(None);
        }
        let place = (argument, self.instances[scope.at()].file);
        if let Some(known) = self.slots.references.get(&place) {
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
        self.slots.references.insert(place, Rc::clone(&meaning));
        Ok(Some(meaning))
    }

    /// The parts of the string of a call of `Fn::Sub`; nothing where it is not written in a module's file, or where it has
    /// constants or an error in it.
    pub(super) fn text_slots(&mut self, call: NodeId, text: NodeId, scope: InstanceId) -> Made<Option<Rc<TextSlots>>> {
        if scope == InstanceId::ROOT || self.tree.is_generated(text) {
            return Ok(None);
        }
        let place = (text, self.instances[scope.at()].file);
        if let Some(known) = self.slots.texts.get(&place) {
            return Ok(known.clone());
        }
        let made = if self.constants_in(call, text).is_empty() { self.slots_of(text, scope)? } else { None };
        let made = made.map(Rc::new);
        self.slots.texts.insert(place, made.clone());
        Ok(made)
    }

    fn slots_of(&mut self, text: NodeId, scope: InstanceId) -> Made<Option<TextSlots>> {
        let written = self.tree.text(text).to_owned();
        let mut made = TextSlots { parts: Vec::new(), is_simple: false, is_open: false };
        for part in sub_string::parts(&written) {
            made.parts.push(match part {
                Part::Text(rest) if rest.starts_with("${") => return Ok(None),
                Part::Text(text) => Slot::Text(text.into()),
                Part::Literal(name) => Slot::Literal(name.into()),
                Part::Variable(name) => Slot::Name(name.into(), self.meaning(name, scope)?),
            });
        }
        let meanings = || {
            made.parts.iter().filter_map(|part| if let Slot::Name(_, meaning) = part { Some(meaning) } else { None })
        };
        made.is_open = meanings().any(|meaning| matches!(meaning, Meaning::Pseudo));
        made.is_simple = meanings().any(|meaning| matches!(meaning, Meaning::Parameter(_)))
            && meanings().all(|meaning| matches!(meaning, Meaning::Pseudo | Meaning::Parameter(_)));
        Ok(Some(made))
    }

    /// What a reference means in a file.
    fn meaning(&mut self, text: &str, scope: InstanceId) -> Made<Meaning> {
        if text.starts_with("AWS::") {
            return Ok(Meaning::Pseudo);
        }
        let path = path::parse(text);
        let name = self.tree.intern(path.head);
        if self.declaration(scope, name).is_some() {
            let is_whole = path.steps.is_empty();
            return Ok(if is_whole { Meaning::Parameter(name) } else { Meaning::Other(self.tree.intern(text)) });
        }
        // What loops generate may depend on the properties of an import.
        let has_loops = self.tree.has(self.files[self.instances[scope.at()].file].root, flags::HAS_LOOP);
        if !has_loops {
            let resources = self.groups(Section::Resources, scope)?;
            if resources.get(name).is_some() && !resources.is_many(name) {
                let attribute = (!path.steps.is_empty()).then(|| path::written(&path.steps).into());
                return Ok(Meaning::Resource { name: path.head.into(), attribute });
            }
        }
        Ok(Meaning::Other(self.tree.intern(text)))
    }

    /// What a name finds for an instance; nothing where looking it up reports the error.
    pub(super) fn meant(&mut self, meaning: &Meaning, scope: InstanceId, at: NodeId) -> Made<Option<Found>> {
        Ok(match meaning {
            Meaning::Pseudo => None,
            &Meaning::Parameter(name) => {
                let value = self.binding(scope, name)?;
                value.map(|value| Found::Value(Inserted { kind: FrameKind::Argument, name, value }))
            }
            Meaning::Resource { name, attribute } => {
                let attribute = attribute.as_deref().map(str::to_owned);
                Some(Found::One(Target { id: self.full_name(name, scope), attribute }))
            }
            &Meaning::Other(text) => Some(self.looked_up(text, scope, at)?),
        })
    }

    /// What a reference finds. A whole output is remembered, unless something is begun that may change what is found.
    fn looked_up(&mut self, text: Symbol, scope: InstanceId, at: NodeId) -> Made<Found> {
        if let Some(&known) = self.slots.outputs.get(&(text, scope)) {
            return Ok(Found::Value(known));
        }
        let written = self.tree.name(text).to_owned();
        let path = path::parse(&written);
        let found = self.look_up(&path, scope, at)?;
        if let Found::Value(inserted) = found
            && inserted.kind == FrameKind::Output
            && path.steps.len() == 1
            && self.agenda.open.is_empty()
            // Where the condition of an import holds, its outputs are others.
            && self.instances.iter().all(|instance| instance.condition.is_none())
        {
            self.slots.outputs.insert((text, scope), inserted);
        }
        Ok(found)
    }
}
