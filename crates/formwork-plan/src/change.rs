//! What a comparison finds.

use crate::side::Section;
use crate::value::{Step, Value};

/// A place in an author's file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file, relative to the directory of the template.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Bytes in the position space of the side, for diagnostics.
    pub span: (u32, u32),
    /// The iterations that it is seen in, outermost first: variable and item.
    pub iterations: Vec<(String, String)>,
}

impl Place {
    /// File and line: `template.yaml:5`, or `stack shop, line 5`.
    pub fn words(&self) -> String {
        let between = if self.is_of_stack() { ", line " } else { ":" };
        format!("{}{between}{}", self.file, self.line)
    }

    /// Whether this is in the template of a deployed stack, whose file is called `stack NAME`.
    pub fn is_of_stack(&self) -> bool {
        let name = self.file.strip_prefix("stack ").unwrap_or_default();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }
}

/// What became of an entry of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It differs.
    Changed,
    /// It is there under another name.
    Moved,
    /// It may be there under another name.
    LikelyMoved,
    /// Its lists differ in their order only.
    OrderOnly,
}

impl ChangeKind {
    /// Its name in JSON.
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

/// What became of a value inside an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Both are known and differ.
    Changed,
    /// They differ, and one of them is known at deployment only.
    Residual,
    /// A list differs in its order only.
    OrderOnly,
    /// It is the same reference, to a resource that is replaced.
    Reference,
}

impl PropertyKind {
    /// Its name in JSON.
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

/// What a change of a property does to its resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing is known of the type.
    Unknown,
    /// Nothing: the property is read-only, or only its order differs.
    None,
    /// The resource is updated in place.
    Update,
    /// The resource may be replaced, for this reason.
    MayReplace(ReplaceReason),
    /// The resource is replaced, for this reason.
    Replace(ReplaceReason),
}

impl Effect {
    /// Its name in JSON.
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

/// Why a resource is replaced, or may be.
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

/// What happens to a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Nothing.
    None,
    /// It is updated in place.
    Update,
    /// It may be replaced.
    MayReplace,
    /// It is replaced.
    Replace,
    /// It is created under some values.
    MayCreate,
    /// It is created.
    Create,
    /// It leaves the stack and stays in the account.
    Orphan,
    /// It is deleted under some values.
    MayDelete,
    /// It is deleted.
    Delete,
}

impl Action {
    /// Its name in JSON.
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

    /// The same where it does not happen under all values.
    pub(crate) fn uncertain(self) -> Action {
        match self {
            Action::Replace => Action::MayReplace,
            Action::Create => Action::MayCreate,
            Action::Delete => Action::MayDelete,
            other => other,
        }
    }

    /// Orders actions by what they take away.
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

    /// Whether the resource is or may be replaced.
    pub fn replaces(self) -> bool {
        matches!(self, Action::Replace | Action::MayReplace)
    }
}

/// A condition, or a key of a mapping.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// `Conditions` or `Mappings`.
    pub section: Section,
    /// Its name.
    pub id: String,
    /// The key of a mapping.
    pub row: Option<String>,
}

/// What must be true for a change to happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependency {
    /// In words: `AWS::Region is eu-west-1`, `Env is not dev`.
    pub what: String,
    /// The condition or key of a mapping that reads it.
    pub definition: Option<Definition>,
    /// Where that is written.
    pub place: Option<Place>,
}

/// Something else that may happen to a resource under other values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Possible<'t> {
    /// What happens.
    pub action: Action,
    /// What happens to the data.
    pub data: Data,
    /// The policy that decides.
    pub policy: Option<&'t str>,
}

/// What happens to the data of a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Data {
    /// Its type holds none, or nothing happens to the resource.
    None,
    /// The policy keeps the resource.
    Kept,
    /// The policy takes a snapshot.
    Snapshot,
    /// CloudFormation deletes it only when it is empty.
    Blocked,
    /// It is lost.
    Lost,
}

impl Data {
    /// Its name in JSON.
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

/// Why CloudFormation refuses what a change asks for.
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
    /// From the entry down; on the old side of what is gone.
    pub path: Vec<Step<'t>>,
    /// The path on the old side.
    pub old_path: Vec<Step<'t>>,
    /// What became of it.
    pub kind: PropertyKind,
    /// The old value.
    pub old: Option<&'p Value<'t>>,
    /// The new value.
    pub new: Option<&'p Value<'t>>,
    /// What that does.
    pub effect: Effect,
    /// Whether both values are written alike and may be the same: they read something that differs.
    pub may_be_same: bool,
    /// Why: replacements that it follows from.
    pub because: Vec<String>,
    /// Where the new value was written.
    pub place: Option<Place>,
    /// Where the old value was written.
    pub old_place: Option<Place>,
}

/// What happens to a resource, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceChange<'t> {
    /// What happens.
    pub action: Action,
    /// Why, by its name in JSON.
    pub reason: &'static str,
    /// Paths that replace the resource.
    pub replace_paths: Vec<String>,
    /// Paths that may replace it.
    pub may_replace_paths: Vec<String>,
    /// The physical ID, when it is known.
    pub physical_id: Option<String>,
    /// What happens to its data.
    pub data: Data,
    /// The policy that decides, when something goes.
    pub policy: Option<&'t str>,
    /// What CloudFormation refuses.
    pub blocked: Option<Blocked>,
    /// What it allows that it did not before.
    pub grants: Vec<String>,
    /// Whether its ID holds another item than before, or its item another ID.
    pub is_shifted: bool,
    /// What must be true for the action, where it does not happen under all values.
    pub depends_on: Vec<Dependency>,
    /// What else may happen under other values.
    pub others: Vec<Possible<'t>>,
}

impl<'t> ResourceChange<'t> {
    /// All that may happen, the action first.
    pub fn possible(&self) -> impl Iterator<Item = Possible<'t>> {
        let own = Possible { action: self.action, data: self.data, policy: self.policy };
        std::iter::once(own).chain(self.others.iter().copied())
    }

    /// Adds what may happen, if it is not there.
    pub(crate) fn add_possible(&mut self, possible: Possible<'t>) {
        if !self.possible().any(|known| known == possible) {
            self.others.push(possible);
        }
    }
}

/// An export that goes or changes; nobody knows who imports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The old name, as far as it is known.
    pub name: String,
    /// `removed`, `renamed` or `changed`.
    pub change: &'static str,
}

/// An entry of a section that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Change<'p, 't> {
    /// What became of it.
    pub kind: ChangeKind,
    /// The section.
    pub section: Section,
    /// Its name; the new one of what moved.
    pub id: &'t str,
    /// The old name of what moved.
    pub old_id: Option<&'t str>,
    /// The type of a resource; the old one of what is gone.
    pub type_name: Option<&'t str>,
    /// The nested stacks that it is in, outermost first.
    pub stack: Vec<String>,
    /// What differs in it.
    pub properties: Vec<PropertyChange<'p, 't>>,
    /// Arguments, items, files and replacements that the change comes from.
    pub because: Vec<String>,
    /// What happens to a resource.
    pub resource: Option<ResourceChange<'t>>,
    /// The export of an output that goes or changes.
    pub export: Option<Export>,
    /// Where it is written.
    pub place: Option<Place>,
    /// Where it was written.
    pub old_place: Option<Place>,
}

impl<'t> Change<'_, 't> {
    /// An entry of a section of which nothing else is known.
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

    /// The same where it does not happen under all values.
    #[must_use]
    pub fn uncertain(mut self) -> Self {
        if let Some(resource) = &mut self.resource {
            resource.action = resource.action.uncertain();
        }
        self
    }

    /// What happens to it; `None` for what is not a resource.
    pub fn action(&self) -> Option<Action> {
        self.resource.as_ref().map(|resource| resource.action)
    }

    /// Its name with those of the nested stacks around it: `Network/Subnet`.
    pub fn full_id(&self) -> String {
        in_stack(&self.stack) + self.id
    }
}

/// The names of the nested stacks around something, each with a slash behind it.
pub(crate) fn in_stack(stack: &[String]) -> String {
    stack.iter().flat_map(|name| [name.as_str(), "/"]).collect()
}
