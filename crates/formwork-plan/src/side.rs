//! A template to compare, expanded, as plain data.

use crate::value::Value;

/// A section of a template, in the order in which changes are listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Section {
    /// `Transform`: one entry for each transform.
    Transform,
    /// `Description`: one entry of that name.
    Description,
    /// `Metadata`.
    Metadata,
    /// `Parameters`.
    Parameters,
    /// `Globals` of the serverless transform: its entries are in the resources that they apply to, too.
    Globals,
    /// `Mappings`.
    Mappings,
    /// `Conditions`.
    Conditions,
    /// `Rules`.
    Rules,
    /// `Resources`.
    Resources,
    /// `Outputs`.
    Outputs,
}

impl Section {
    /// Every section, in order.
    pub const ALL: [Section; 10] = [
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

    /// Returns the key of the section in a template.
    pub fn name(self) -> &'static str {
        match self {
            Section::Transform => "Transform",
            Section::Description => "Description",
            Section::Metadata => "Metadata",
            Section::Parameters => "Parameters",
            Section::Globals => "Globals",
            Section::Mappings => "Mappings",
            Section::Conditions => "Conditions",
            Section::Rules => "Rules",
            Section::Resources => "Resources",
            Section::Outputs => "Outputs",
        }
    }
}

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
    /// for an entry that is written in place, under its own name.
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
