//! An expanded template as plain data, to compare it and to draw it.

use crate::Section;
use crate::value::Value;

/// The sections that are compared, in the order in which changes are listed.
pub const SECTIONS: [Section; 10] = [
    Section::Transform,
    Section::Description,
    Section::Metadata,
    Section::Parameters,
    Section::Globals,
    Section::Mappings,
    Section::Conditions,
    Section::Rules,
    Section::Resources,
    Section::Outputs,
];

/// An iteration of a loop, or of a `ForEach` of a module, around an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Iteration {
    /// Name of the loop.
    pub loop_name: String,
    /// The variable that holds the item.
    pub variable: String,
    /// The item; lists and objects as JSON.
    pub item: String,
    /// Number of the iteration, from 0.
    pub index: u32,
    /// Set when each iteration is a use of a module: then its key is not in the template.
    pub is_module: bool,
}

/// A construct that generates entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Enclosure {
    /// A loop, by its name.
    Loop(String),
    /// A use of a module, by its name.
    Module(String),
}

/// The origin of a generated entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Site {
    /// The loops around it, outermost first.
    pub iterations: Vec<Iteration>,
    /// The loops and uses of modules around it, outermost first.
    pub around: Vec<Enclosure>,
    /// Identifies all copies of one authored body: file, modules, names of the loops, the key as it is written. Empty
    /// for an entry that is written in place, under its own name, and for one that a transform adds.
    pub body: String,
    /// The key as it is written, such as `Queue${Name}`.
    pub key: String,
}

/// An entry of a section.
#[derive(Clone, Debug)]
pub struct Member<'t> {
    /// Name of the entry; the logical ID of a resource.
    pub id: &'t str,
    /// The value below the name.
    pub value: Value<'t>,
    /// Origin of a generated entry; `None` for one that is written under its own name.
    pub site: Option<Box<Site>>,
    /// The ID without the hash at its end, for a resource that a transform replaces by a new one whenever its content changes.
    pub published: Option<&'t str>,
    /// The authored resource of which a transform makes this one, among others.
    pub owner: Option<&'t str>,
}

impl<'t> Member<'t> {
    /// Returns the `Type` of a resource; empty if it has none.
    pub fn kind(&self) -> &'t str {
        self.value.get("Type").and_then(Value::text).unwrap_or_default()
    }
}

/// An expanded template.
#[derive(Clone, Debug, Default)]
pub struct Side<'t> {
    /// Sections with their entries, in the order of the document.
    pub sections: Vec<(Section, Vec<Member<'t>>)>,
}

impl<'t> Side<'t> {
    /// Returns the entries of a section, in order.
    pub fn members(&self, section: Section) -> &[Member<'t>] {
        self.sections.iter().find(|(known, _)| *known == section).map_or(&[], |(_, members)| members)
    }
}
