//! The result of a comparison: changes of entries, properties and resources.

use formwork_template::Section;
use formwork_template::value::{Step, Value};

/// A place in an author's file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// File path relative to the directory of the template.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Bytes in the position space of the side, for diagnostics.
    pub span: (u32, u32),
    /// The loop iterations around it, outermost first: variable and item.
    pub iterations: Vec<(String, String)>,
}

impl Place {
    /// Returns file and line: `template.yaml:5`, or `stack shop, line 5`.
    pub fn words(&self) -> String {
        let between = if self.is_of_stack() { ", line " } else { ":" };
        format!("{}{between}{}", self.file, self.line)
    }

    /// Returns `true` for a place in the template of a deployed stack, whose file is called `stack NAME`.
    pub fn is_of_stack(&self) -> bool {
        let name = self.file.strip_prefix("stack ").unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }
}

/// The kind of difference of an entry of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// New on the new side.
    Added,
    /// Missing on the new side.
    Removed,
    /// Different on both sides.
    Changed,
    /// Present under another name.
    Moved,
    /// Probably present under another name.
    LikelyMoved,
    /// Different only in the order of its lists.
    OrderOnly,
}

impl ChangeKind {
    /// Returns the kind as it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Removed => "removed",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
            ChangeKind::LikelyMoved => "likely-moved",
            ChangeKind::OrderOnly => "order-only",
        }
    }
}

/// The kind of difference of a value inside an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// New on the new side.
    Added,
    /// Missing on the new side.
    Removed,
    /// Different, and known on both sides.
    Changed,
    /// Different, and known only at deployment on one side at least.
    Residual,
    /// A list that differs only in its order.
    OrderOnly,
    /// An unchanged reference to a resource that is replaced.
    Reference,
}

impl PropertyKind {
    /// Returns the kind as it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Added => "added",
            PropertyKind::Removed => "removed",
            PropertyKind::Changed => "changed",
            PropertyKind::Residual => "residual",
            PropertyKind::OrderOnly => "order-only",
            PropertyKind::Reference => "reference",
        }
    }
}

/// The effect of a changed property on its resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// The type is not known.
    Unknown,
    /// No effect: the property is read-only, or only its order differs.
    None,
    /// The resource is updated in place.
    Update,
    /// The resource may be replaced, for this reason.
    MayReplace(ReplaceReason),
    /// The resource is replaced, for this reason.
    Replace(ReplaceReason),
}

impl Effect {
    /// Returns the effect as it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Unknown => "unknown",
            Effect::None => "none",
            Effect::Update => "update",
            Effect::MayReplace(_) => "may-replace",
            Effect::Replace(_) => "replace",
        }
    }
}

/// The reason why a resource is replaced, or may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ReplaceReason {
    /// The property can only be set at creation.
    CreateOnly,
    /// The type cannot be updated at all.
    ImmutableType,
    /// The property sometimes needs a replacement.
    Conditional,
    /// The older resource specification has it, the registry does not.
    OlderSpecification,
    /// The value may differ: it reads something that does.
    OpenValue,
}

/// The action of CloudFormation on a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// No action.
    None,
    /// Updated in place.
    Update,
    /// May be replaced.
    MayReplace,
    /// Replaced.
    Replace,
    /// Created under some values.
    MayCreate,
    /// Created.
    Create,
    /// Removed from the stack and kept in the account.
    Orphan,
    /// Deleted under some values.
    MayDelete,
    /// Deleted.
    Delete,
}

impl Action {
    /// Returns the action as it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Action::None => "none",
            Action::Update => "update",
            Action::MayReplace => "may-replace",
            Action::Replace => "replace",
            Action::MayCreate => "may-create",
            Action::Create => "create",
            Action::Orphan => "orphan",
            Action::MayDelete => "may-delete",
            Action::Delete => "delete",
        }
    }

    /// Returns the action of a change that happens under some values only.
    pub(crate) fn uncertain(self) -> Action {
        match self {
            Action::Replace => Action::MayReplace,
            Action::Create => Action::MayCreate,
            Action::Delete => Action::MayDelete,
            other => other,
        }
    }

    /// Orders actions by how much they take away.
    pub(crate) fn gravity(self) -> u8 {
        match self {
            Action::None => 0,
            Action::Update => 1,
            Action::Create | Action::MayCreate => 2,
            Action::Orphan => 3,
            Action::MayReplace => 4,
            Action::Replace => 5,
            Action::MayDelete => 6,
            Action::Delete => 7,
        }
    }

    /// Returns `true` if the resource is or may be replaced.
    pub fn replaces(self) -> bool {
        matches!(self, Action::Replace | Action::MayReplace)
    }
}

/// A condition, or a key of a mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// `Conditions` or `Mappings`.
    pub section: Section,
    /// Name of the condition or mapping.
    pub id: String,
    /// Top-level key of a mapping.
    pub row: Option<String>,
}

/// A requirement on values for a change to happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// The requirement in words: `AWS::Region is eu-west-1`, `Env is not dev`.
    pub what: String,
    /// The condition or key of a mapping that reads it.
    pub definition: Option<Definition>,
    /// Place of the definition.
    pub place: Option<Place>,
}

/// Another outcome for a resource, under other values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Possible<'t> {
    /// Action on the resource.
    pub action: Action,
    /// Effect on its data.
    pub data: Data,
    /// The policy that decides.
    pub policy: Option<&'t str>,
}

/// The effect of a change on the data of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Data {
    /// The type holds no data, or the resource is not touched.
    None,
    /// The policy keeps the resource.
    Kept,
    /// The policy takes a snapshot.
    Snapshot,
    /// CloudFormation deletes the resource only when it is empty.
    Blocked,
    /// The data is lost.
    Lost,
}

impl Data {
    /// Returns the effect as it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Data::None => "none",
            Data::Kept => "kept",
            Data::Snapshot => "snapshot",
            Data::Blocked => "blocked",
            Data::Lost => "lost",
        }
    }
}

/// The reason why CloudFormation rejects a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// `custom-name` or `type-changed`.
    pub reason: &'static str,
    /// The error message of CloudFormation.
    pub sentence: String,
    /// The property that forbids it, from the entry down; empty for the type.
    pub path: Vec<String>,
}

/// A value that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct PropertyChange<'p, 't> {
    /// Path from the entry down; that of the old side if the value is removed.
    pub path: Vec<Step<'t>>,
    /// Path on the old side.
    pub old_path: Vec<Step<'t>>,
    /// Kind of the difference.
    pub kind: PropertyKind,
    /// The old value.
    pub old: Option<&'p Value<'t>>,
    /// The new value.
    pub new: Option<&'p Value<'t>>,
    /// Effect on the resource.
    pub effect: Effect,
    /// Set when both values are written alike and may be equal: they read something that differs.
    pub may_be_same: bool,
    /// Replacements that the change follows from.
    pub because: Vec<String>,
    /// Place of the new value.
    pub place: Option<Place>,
    /// Place of the old value.
    pub old_place: Option<Place>,
}

/// The change of a resource, with its reasons.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceChange<'t> {
    /// Action on the resource.
    pub action: Action,
    /// Reason, as it is written in JSON.
    pub reason: &'static str,
    /// Paths that replace the resource.
    pub replace_paths: Vec<String>,
    /// Paths that may replace the resource.
    pub may_replace_paths: Vec<String>,
    /// The physical ID, when it is known.
    pub physical_id: Option<String>,
    /// Effect on its data.
    pub data: Data,
    /// The deletion or replacement policy that decides.
    pub policy: Option<&'t str>,
    /// Reason why CloudFormation rejects the change.
    pub blocked: Option<Blocked>,
    /// Permissions that it grants and did not grant before.
    pub grants: Vec<String>,
    /// Set when its ID holds another item than before, or its item has another ID.
    pub is_shifted: bool,
    /// Requirements for the action, where it does not happen under all values.
    pub depends_on: Vec<Dependency>,
    /// Other outcomes, under other values.
    pub others: Vec<Possible<'t>>,
}

impl<'t> ResourceChange<'t> {
    /// Returns all outcomes, the action first.
    pub fn possible(&self) -> impl Iterator<Item = Possible<'t>> {
        let own = Possible { action: self.action, data: self.data, policy: self.policy };
        std::iter::once(own).chain(self.others.iter().copied())
    }

    pub(crate) fn add_possible(&mut self, possible: Possible<'t>) {
        if !self.possible().any(|known| known == possible) {
            self.others.push(possible);
        }
    }
}

/// An import of an export by another template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Importer {
    /// The template, as it is shown.
    pub file: String,
    /// The line of the name, from 1.
    pub line: u32,
    /// The name of the stack, if it is configured.
    pub stack: Option<String>,
    /// Set when the names are the same; else they may be, as far as they are known.
    pub is_certain: bool,
    /// The properties of the importer that follow the value.
    pub followers: Vec<Follower>,
}

/// A property that follows the value of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Follower {
    /// The logical ID.
    pub id: String,
    /// The path of the property below the resource.
    pub property: String,
    /// `replaces`, `may replace` or `updates`.
    pub effect: &'static str,
    /// The line of the value.
    pub line: Option<u32>,
}

/// A removed or changed export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The old name, as far as it is known.
    pub name: String,
    /// `removed`, `renamed` or `changed`.
    pub change: &'static str,
    /// The importers in the repository; `None` where nobody looked for them. There may be others.
    pub importers: Option<Vec<Importer>>,
}

impl Export {
    /// Returns the sentence with which CloudFormation refuses the change, if an importer is known.
    pub fn refusal(&self) -> Option<String> {
        let importer = self.importers.iter().flatten().find(|importer| importer.is_certain)?;
        let done = if self.change == "changed" { "updated" } else { "deleted" };
        let stack = importer.stack.as_deref().unwrap_or("[STACK]");
        Some(format!("Export {} cannot be {done} as it is in use by {stack}", self.name))
    }
}

/// An entry of a section that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Change<'p, 't> {
    /// Kind of the difference.
    pub kind: ChangeKind,
    /// Section of the entry.
    pub section: Section,
    /// Name of the entry; the new one if it moved.
    pub id: &'t str,
    /// The old name, if it moved.
    pub old_id: Option<&'t str>,
    /// Type of a resource; the old one if it is removed.
    pub type_name: Option<&'t str>,
    /// Names of the nested stacks around it, outermost first.
    pub stack: Vec<String>,
    /// Values that differ.
    pub properties: Vec<PropertyChange<'p, 't>>,
    /// Arguments, items, files and replacements that the change comes from.
    pub because: Vec<String>,
    /// The change of a resource.
    pub resource: Option<ResourceChange<'t>>,
    /// The removed or changed export of an output.
    pub export: Option<Export>,
    /// Place on the new side.
    pub place: Option<Place>,
    /// Place on the old side.
    pub old_place: Option<Place>,
}

impl<'t> Change<'_, 't> {
    pub(crate) fn new(kind: ChangeKind, section: Section, id: &'t str) -> Self {
        Change {
            kind,
            section,
            id,
            old_id: None,
            type_name: None,
            stack: Vec::new(),
            properties: Vec::new(),
            because: Vec::new(),
            resource: None,
            export: None,
            place: None,
            old_place: None,
        }
    }

    /// Returns the change as one that happens under some values only.
    #[must_use]
    pub fn uncertain(mut self) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.action = resource.action.uncertain();
        }
        self
    }

    /// Returns the action on a resource; `None` for an entry of another section.
    pub fn action(&self) -> Option<Action> {
        self.resource.as_ref().map(|resource| resource.action)
    }

    /// Returns the name with those of the nested stacks around it: `Network/Subnet`.
    pub fn full_id(&self) -> String {
        in_stack(&self.stack) + self.id
    }
}

/// Returns the names of nested stacks as a prefix, each followed by a slash.
pub(crate) fn in_stack(stack: &[String]) -> String {
    stack.iter().flat_map(|name| [name.as_str(), "/"]).collect()
}
