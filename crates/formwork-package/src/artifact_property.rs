//! Finds artifact properties: in the authored template, where loops are not expanded, and in the expanded one.

use formwork_base::{FrameKind, Span};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Tree, symbol};
use formwork_template::artifact::{self, Absent, Artifact, Treatment};

use crate::value_path::ValuePath;

#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) site: Span,
    /// The context of the iteration, in the expanded template.
    pub(crate) frame: FrameId,
    pub(crate) name: String,
    pub(crate) variable: String,
    /// The collection of the loop, in the authored template.
    pub(crate) collection: Option<NodeId>,
    /// The item of the iteration, in the expanded template.
    pub(crate) item: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub(crate) struct ArtifactProperty {
    pub(crate) artifact: &'static Artifact,
    pub(crate) resource: NodeId,
    pub(crate) body: NodeId,
    /// Keys that `*` matches.
    pub(crate) members: Vec<NodeId>,
    /// The branches of `Fn::If` that lead to the value: 1 or 2.
    pub(crate) branches: Vec<u32>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) place: ValuePath,
    /// The value; `None` if the property is absent.
    pub(crate) value: Option<NodeId>,
}

/// Identifies a place of the authored template: each use of a module is a context of its own.
pub(crate) type Identity = (&'static [&'static str], NodeId, FrameId, Vec<NodeId>, Vec<u32>, Vec<Span>);

impl ArtifactProperty {
    /// Returns the identity that the place shares with the one that it was generated from. `resource` is the key of
    /// both, and `base` the context of both.
    pub(crate) fn identity(&self, tree: &Tree, resource: NodeId, base: FrameId) -> Identity {
        let members = self.members.iter().map(|&key| tree.authored(key)).collect();
        let sites = self.loops.iter().map(|around| around.site).collect();
        (self.artifact.property, resource, base, members, self.branches.clone(), sites)
    }

    /// Removes the loops that led to the context `base`: they are expanded in the authored template.
    pub(crate) fn within(&self, tree: &Tree, base: FrameId) -> ArtifactProperty {
        let is_outside = |around: &Loop| tree.frames().chain(base).any(|(frame, _)| frame == around.frame);
        let loops = self.loops.iter().filter(|around| !is_outside(around)).cloned().collect();
        ArtifactProperty { loops, ..self.clone() }
    }

    pub(crate) fn frame(&self, tree: &Tree) -> FrameId {
        tree.frame_of(self.resource)
    }

    /// Returns the property for messages: its keys joined with dots.
    pub(crate) fn property(&self, tree: &Tree) -> String {
        let mut members = self.members.iter();
        let mut names: Vec<&str> = Vec::new();
        for &name in self.artifact.property {
            match name {
                "*" => names.extend(members.by_ref().map(|&key| tree.text(key))),
                name => names.push(name),
            }
        }
        names.join(".")
    }

    pub(crate) fn leaf(&self) -> &'static str {
        self.artifact.property.last().copied().unwrap_or_default()
    }
}

/// Returns every artifact property of the template with this root. With `enters_loops` also those in loops that are not
/// expanded; otherwise such loops are left for CloudFormation, and nothing in them is known.
pub(crate) fn find(tree: &Tree, root: NodeId, enters_loops: bool) -> Vec<ArtifactProperty> {
    let mut finder = Finder { tree, found: Vec::new(), loops: Vec::new(), enters_loops };
    if let Some((place, resources)) = member(tree, root, &ValuePath::default(), "Resources") {
        finder.resources(resources, &place);
    }
    finder.metadata(root);
    finder.found
}

/// Returns an entry of an object, with its place.
pub(crate) fn member(tree: &Tree, node: NodeId, place: &ValuePath, name: &str) -> Option<(ValuePath, NodeId)> {
    // Of duplicate keys the last one counts.
    let (at, entry) = tree.entries(node).enumerate().rfind(|(_, entry)| tree.text(entry.key) == name)?;
    Some((place.step(at), entry.value))
}

struct Finder<'t> {
    tree: &'t Tree,
    found: Vec<ArtifactProperty>,
    loops: Vec<Loop>,
    enters_loops: bool,
}

impl Finder<'_> {
    fn resources(&mut self, section: NodeId, place: &ValuePath) {
        for (at, entry) in self.tree.entries(section).enumerate() {
            match self.looped(entry) {
                Some((around, fragment)) if self.enters_loops => {
                    self.loops.push(around);
                    self.resources(fragment, &place.step(at).step(2));
                    self.loops.pop();
                }
                Some(_) => {}
                None => self.resource(entry, place, at),
            }
        }
    }

    fn looped(&self, entry: Entry) -> Option<(Loop, NodeId)> {
        let tree = self.tree;
        let name = function::loop_name(tree.text(entry.key))?;
        let &[variable, collection, fragment] = tree.items(entry.value) else { return None };
        let around = Loop {
            site: tree.span(entry.key),
            frame: FrameId::NONE,
            name: name.to_owned(),
            variable: tree.text(variable).to_owned(),
            collection: Some(collection),
            item: None,
        };
        Some((around, fragment))
    }

    /// Visits the resource that is entry number `at` of the section or fragment at a place.
    fn resource(&mut self, entry: Entry, place: &ValuePath, at: usize) {
        let tree = self.tree;
        let Some(kind) = tree.get(entry.value, symbol::TYPE) else { return };
        let known: Vec<&'static Artifact> = artifact::of_type(tree.text(kind)).collect();
        if known.is_empty() || tree.kind(entry.value) != Kind::Map {
            return;
        }
        let place = place.step(at);
        let (place, properties) = match member(tree, entry.value, &place, "Properties") {
            Some((place, node)) if tree.kind(node) == Kind::Map => (place, Some(node)),
            Some((place, node)) if tree.kind(node) == Kind::Null => (place, None),
            Some(_) => return,
            None => (place.absent(&["Properties"]), None),
        };
        let is_image = is_image(tree, properties);
        for artifact in known {
            let asks_for_image = artifact.treatment == Treatment::Image;
            let has_zip = artifact.absent == Absent::TemplateDirectory && asks_for_image_type(artifact);
            if asks_for_image && !is_image || has_zip && is_image {
                continue;
            }
            let start = ArtifactProperty {
                artifact,
                resource: entry.key,
                body: entry.value,
                members: Vec::new(),
                branches: Vec::new(),
                loops: self.loops_around(entry.key),
                place: place.clone(),
                value: None,
            };
            self.property(start, properties, artifact.property);
        }
    }

    /// Returns the loops around a key: those being walked, or those of the iteration that generated it.
    fn loops_around(&self, key: NodeId) -> Vec<Loop> {
        let tree = self.tree;
        let frame = tree.frame_of(key);
        if frame.is_none() || self.enters_loops {
            return self.loops.clone();
        }
        let mut around: Vec<Loop> = tree
            .frames()
            .chain(frame)
            .filter(|(_, record)| record.kind == FrameKind::Loop)
            .map(|(frame, record)| Loop {
                site: record.site,
                frame,
                name: tree.name(record.loop_name).to_owned(),
                variable: tree.name(record.name).to_owned(),
                collection: None,
                item: record.value,
            })
            .collect();
        around.reverse();
        around
    }

    /// Follows a property path from `node`; an absent property is found too, if its absence has a meaning.
    fn property(&mut self, at: ArtifactProperty, node: Option<NodeId>, path: &'static [&'static str]) {
        let tree = self.tree;
        match *path {
            [] => self.value(at, node),
            ["*", ref rest @ ..] => {
                let Some(node) = node.filter(|&node| tree.kind(node) == Kind::Map) else { return };
                self.members(&at, node, rest);
            }
            [name, ref rest @ ..] => {
                let Some(map) = node.filter(|&node| tree.kind(node) == Kind::Map) else {
                    let is_absent = node.is_none_or(|node| tree.kind(node) == Kind::Null);
                    if is_absent && at.artifact.absent != Absent::LeftAlone && !path.contains(&"*") {
                        let place = at.place.absent(path);
                        self.found.push(ArtifactProperty { place, ..at });
                    }
                    return;
                };
                match member(tree, map, &at.place, name) {
                    Some((place, value)) => self.property(ArtifactProperty { place, ..at }, Some(value), rest),
                    None => self.property(at, None, path),
                }
            }
        }
    }

    /// Visits keys at any depth whose name is the last of a path.
    fn members(&mut self, at: &ArtifactProperty, map: NodeId, rest: &'static [&'static str]) {
        let tree = self.tree;
        if tree.kind(map) != Kind::Map {
            return;
        }
        for (number, entry) in tree.entries(map).enumerate() {
            let place = at.place.step(number);
            if let Some((around, fragment)) = self.looped(entry) {
                if self.enters_loops {
                    self.loops.push(around);
                    self.members(&ArtifactProperty { place: place.step(2), ..at.clone() }, fragment, rest);
                    self.loops.pop();
                }
                continue;
            }
            // The innermost generated key has the frames of all loops.
            let is_generated = !tree.frame_of(entry.key).is_none();
            let loops = if is_generated || self.enters_loops { self.loops_around(entry.key) } else { at.loops.clone() };
            let at = &ArtifactProperty { loops, ..at.clone() };
            if rest.first().is_some_and(|&name| name == tree.text(entry.key)) {
                self.property(ArtifactProperty { place, ..at.clone() }, Some(entry.value), &[]);
            } else if tree.kind(entry.value) == Kind::Map {
                let mut members = at.members.clone();
                members.push(entry.key);
                self.members(&ArtifactProperty { members, place, ..at.clone() }, entry.value, rest);
            }
        }
    }

    /// Visits a value, or each branch if it is an `Fn::If`.
    fn value(&mut self, at: ArtifactProperty, node: Option<NodeId>) {
        let branches = node.and_then(|node| self.tree.argument_of(node, Known::If));
        let Some(argument) = branches.filter(|&list| self.tree.len(list) == 3) else {
            self.found.push(ArtifactProperty { value: node, ..at });
            return;
        };
        for branch in [1, 2] {
            let place = at.place.step(0).step(branch as usize);
            let mut branches = at.branches.clone();
            branches.push(branch);
            let value = self.tree.items(argument)[branch as usize];
            self.value(ArtifactProperty { branches, place, ..at.clone() }, Some(value));
        }
    }

    fn metadata(&mut self, root: NodeId) {
        let tree = self.tree;
        let Some((place, metadata)) = member(tree, root, &ValuePath::default(), "Metadata") else { return };
        let name = artifact::SERVERLESS_REPO_METADATA;
        let Some((place, application)) = member(tree, metadata, &place, name) else { return };
        let Some(entry) = tree.entries(metadata).rfind(|entry| tree.text(entry.key) == name) else {
            return;
        };
        for artifact in artifact::SERVERLESS_REPO {
            let start = ArtifactProperty {
                artifact,
                resource: entry.key,
                body: application,
                members: Vec::new(),
                branches: Vec::new(),
                loops: Vec::new(),
                place: place.clone(),
                value: None,
            };
            self.property(start, Some(application), artifact.property);
        }
    }
}

/// Returns `true` if a function runs an image: its properties declare it, or contain an image and no other code.
fn is_image(tree: &Tree, properties: Option<NodeId>) -> bool {
    let Some(properties) = properties else { return false };
    if let Some(kind) = tree.get_text(properties, "PackageType") {
        return tree.string(kind) == Some("Image");
    }
    let code = tree.get_text(properties, "Code");
    tree.get_text(properties, "ImageUri").is_some()
        || code.is_some_and(|code| tree.get_text(code, "ImageUri").is_some())
}

/// Returns `true` if a property belongs to a type whose code may also be an image.
fn asks_for_image_type(artifact: &Artifact) -> bool {
    artifact::of_type(artifact.resource_type).any(|other| other.treatment == Treatment::Image)
}
