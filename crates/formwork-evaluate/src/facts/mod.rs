//! Facts about the account: the snapshot file (reference/account-data.md#snapshot).

mod attributes;
mod query;
#[cfg(test)]
mod tests;

use formwork_base::{Diagnostic, Diagnostics, IdMap, IdSet, Severity, codes};
use formwork_syntax::{Entry, Kind, NodeId, Symbol, Tree};

pub use attributes::{Attribute, attribute, tag};
pub use query::AccountQuery;

/// The node with the attributes of a value of an AWS-specific type.
pub type Attributes = NodeId;

/// The values of a type.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Values in listing order, each with its attributes.
    pub values: Vec<(Symbol, Attributes)>,
    by_name: IdMap<Symbol, u32>,
    absent: IdSet<Symbol>,
}

impl Listing {
    fn new(tree: &Tree, members: Vec<Entry>) -> Listing {
        let mut listing = Listing::default();
        for entry in members {
            let name = tree.symbol(entry.key);
            listing.by_name.insert(name, listing.values.len() as u32);
            listing.values.push((name, entry.value));
        }
        listing
    }

    /// Returns the attributes of a value, if it is listed.
    pub fn get(&self, value: Symbol) -> Option<Attributes> {
        self.by_name.get(&value).map(|&at| self.values[at as usize].1)
    }
}

/// A stored SSM parameter.
#[derive(Clone, Copy, Debug)]
pub struct StoredParameter {
    /// The value of the stored parameter, a string.
    pub value: NodeId,
    /// The version of the stored parameter, if the snapshot contains it.
    pub version: Option<NodeId>,
}

/// The state of a stored parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// The stored value.
    Value(NodeId),
    /// The account does not have the parameter.
    Missing,
    /// The content of the store is not known.
    Unknown,
}

/// Facts about an account, from one or several snapshots; later ones replace earlier ones, type by type.
#[derive(Clone, Debug, Default)]
pub struct AccountData {
    /// Captured types.
    pub types: IdMap<Symbol, Listing>,
    /// Types whose listing is partial, and `SsmParameters` when that section is.
    pub incomplete: Vec<Symbol>,
    /// Exports of stacks by name; `None` when no snapshot has the section.
    pub exports: Option<IdMap<Symbol, NodeId>>,
    /// Stored parameters by name; `None` when no snapshot has the section.
    pub ssm: Option<IdMap<Symbol, StoredParameter>>,
    /// Stored parameters with unreadable entries: their values are unknown.
    unread: IdSet<Symbol>,
    /// Pseudo parameters in the snapshot, by name.
    pub pseudo: Vec<(&'static str, NodeId)>,
}

/// Keys of a snapshot and the pseudo parameters that they set.
const PSEUDO: [(&str, &str); 5] = [
    ("Account", "AWS::AccountId"),
    ("Region", "AWS::Region"),
    ("Partition", "AWS::Partition"),
    ("URLSuffix", "AWS::URLSuffix"),
    ("StackName", "AWS::StackName"),
];

/// The section of stored parameters. If `Incomplete` lists it, a missing name may exist.
const STORED: &str = "SsmParameters";

/// The type that lists a region's availability zones.
pub const AVAILABILITY_ZONE: &str = "AWS::EC2::AvailabilityZone::Name";

impl AccountData {
    /// Adds the facts of a snapshot document.
    pub fn add_document(&mut self, tree: &mut Tree, root: NodeId, diagnostics: &mut Diagnostics) {
        if tree.kind(root) != Kind::Map
            || tree
                .get_text(root, "FormworkAccountSnapshot")
                .is_none_or(|mark| !tree.is_scalar(mark) || tree.text_form(mark) != "1")
        {
            diagnostics.push(
                Diagnostic::new(
                    codes::ACCOUNT_FILE,
                    "the file is not an account snapshot: `FormworkAccountSnapshot` is not \"1\"",
                )
                .at(tree.span(root))
                .help(
                    "write one with `formwork account snapshot`, or start the file with `{\"FormworkAccountSnapshot\": \"1\"}`",
                ),
            );
            return;
        }
        // Applied last: they are about the types of this document, wherever these are in it.
        let (mut partial, mut absent) = (Vec::new(), None);
        let mut is_all_partial = false;
        for entry in tree.entries(root).collect::<Vec<_>>() {
            let name = tree.text(entry.key).to_owned();
            match name.as_str() {
                "FormworkAccountSnapshot" => {}
                "CapturedAt" if tree.is_scalar(entry.value) => {}
                "CapturedAt" => wrong(tree, entry.value, "`CapturedAt` is not a string", diagnostics),
                "Types" => self.add_types(tree, entry.value, diagnostics),
                "Incomplete" => {
                    partial = tree.items(entry.value).to_vec();
                    is_all_partial =
                        tree.kind(entry.value) != Kind::List || partial.iter().any(|&item| tree.string(item).is_none());
                    if is_all_partial {
                        wrong(tree, entry.value, "`Incomplete` is not a list of types", diagnostics);
                    }
                }
                "Absent" => absent = Some(entry.value),
                "SsmParameters" => self.add_ssm(tree, entry.value, diagnostics),
                "Exports" => self.add_exports(tree, entry.value, diagnostics),
                name => match PSEUDO.iter().find(|(member, _)| *member == name) {
                    Some(&(_, pseudo)) if tree.is_scalar(entry.value) => {
                        self.pseudo.retain(|(name, _)| *name != pseudo);
                        self.pseudo.push((pseudo, entry.value));
                    }
                    Some(_) => wrong(tree, entry.value, &format!("`{name}` is not a string"), diagnostics),
                    None => diagnostics.push(
                        Diagnostic::new(
                            codes::ACCOUNT_FILE,
                            format!("unknown key `{}` in an account snapshot", formwork_base::display::shown(name)),
                        )
                        .severity(Severity::Warning)
                        .at(tree.span(entry.key))
                        .help("remove it: it is not read"),
                    ),
                },
            }
        }
        if let Some(section) = absent {
            self.add_absent(tree, section, diagnostics);
        }
        for item in partial {
            let name = tree.text(item).to_owned();
            self.incomplete.push(tree.intern(&name));
        }
        // The partial types cannot be read: all may be.
        if is_all_partial {
            let types = tree.get_text(root, "Types").and_then(|types| tree.data_members(types));
            self.incomplete.extend(types.into_iter().flatten().map(|kind| tree.symbol(kind.key)));
            self.incomplete.push(tree.intern(STORED));
        }
    }

    fn add_types(&mut self, tree: &mut Tree, node: NodeId, diagnostics: &mut Diagnostics) {
        if tree.kind(node) != Kind::Map {
            return wrong(tree, node, "`Types` is not an object of types", diagnostics);
        }
        for kind in tree.entries(node).collect::<Vec<_>>() {
            let Some(members) = tree.data_members(kind.value).map(Vec::from_iter) else {
                wrong(tree, kind.value, "a type is not an object", diagnostics);
                continue;
            };
            for member in &members {
                attributes::check(tree, member.value, diagnostics);
            }
            let name = tree.symbol(kind.key);
            self.incomplete.retain(|other| *other != name);
            self.types.insert(name, Listing::new(tree, members));
        }
    }

    fn add_absent(&mut self, tree: &mut Tree, node: NodeId, diagnostics: &mut Diagnostics) {
        let Some(types) = tree.data_members(node).map(Vec::from_iter) else {
            return wrong(tree, node, "`Absent` is not an object of types", diagnostics);
        };
        for kind in types {
            let is_listed = tree.kind(kind.value) == Kind::List;
            if !is_listed || !tree.items(kind.value).iter().all(|&item| tree.is_scalar(item)) {
                wrong(tree, kind.value, "a type in `Absent` is not a list of values", diagnostics);
                continue;
            }
            let name = tree.symbol(kind.key);
            for item in tree.items(kind.value).to_vec() {
                let value = tree.text_form(item).to_owned();
                let value = tree.intern(&value);
                self.types.entry(name).or_default().absent.insert(value);
            }
        }
    }

    fn add_ssm(&mut self, tree: &mut Tree, node: NodeId, diagnostics: &mut Diagnostics) {
        let Some(members) = tree.data_members(node) else {
            return wrong(tree, node, "`SsmParameters` is not an object of stored parameters", diagnostics);
        };
        let ssm = self.ssm.get_or_insert_default();
        for entry in members {
            let name = tree.symbol(entry.key);
            let (kind, version) = (tree.get_text(entry.value, "Type"), tree.get_text(entry.value, "Version"));
            let is_odd = |node: Option<NodeId>| node.is_some_and(|node| !tree.is_scalar(node));
            let is_secure = kind.is_some_and(|kind| tree.text(kind) == "SecureString");
            let what = match tree.get_text(entry.value, "Value") {
                _ if is_secure => "a SecureString is never stored in a snapshot",
                _ if is_odd(kind) => "the `Type` of a stored parameter is not a string",
                _ if is_odd(version) => "the `Version` of a stored parameter is not a number",
                Some(value) if tree.is_scalar(value) => {
                    ssm.insert(name, StoredParameter { value, version });
                    self.unread.remove(&name);
                    continue;
                }
                _ => "the `Value` of a stored parameter is missing or not a string",
            };
            ssm.remove(&name);
            self.unread.insert(name);
            wrong(tree, if is_secure { entry.key } else { entry.value }, what, diagnostics);
        }
    }

    fn add_exports(&mut self, tree: &Tree, node: NodeId, diagnostics: &mut Diagnostics) {
        let Some(members) = tree.data_members(node) else {
            return wrong(tree, node, "`Exports` is not an object of exports", diagnostics);
        };
        let exports = self.exports.get_or_insert_default();
        for entry in members {
            if tree.is_scalar(entry.value) {
                exports.insert(tree.symbol(entry.key), entry.value);
            } else {
                wrong(tree, entry.value, "the value of an export is not a string", diagnostics);
            }
        }
    }

    /// Returns `true` without facts.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.ssm.is_none() && self.exports.is_none() && self.pseudo.is_empty()
    }

    /// Returns the stored value of an SSM parameter; `name` may carry `:version`.
    pub fn stored(&self, tree: &Tree, name: &str) -> Stored {
        let Some(ssm) = &self.ssm else { return Stored::Unknown };
        let find = |name: &str| ssm.get(&tree.symbols().get(name)?).copied();
        if let Some(found) = find(name) {
            return Stored::Value(found.value);
        }
        let versioned = name.rsplit_once(':').and_then(|(base, version)| Some((find(base)?, version)));
        match versioned {
            Some((found, version)) if found.version.is_some_and(|known| tree.text_form(known) == version) => {
                Stored::Value(found.value)
            }
            _ if self.is_incomplete(tree, STORED) => Stored::Unknown,
            _ if self.is_unread(tree, name) => Stored::Unknown,
            _ => Stored::Missing,
        }
    }

    /// Returns the value of an export, if a snapshot has it.
    pub fn export(&self, tree: &Tree, name: &str) -> Option<NodeId> {
        self.exports.as_ref()?.get(&tree.symbols().get(name)?).copied()
    }

    /// Returns the known values of a type, and `true` if they are complete.
    pub fn listing(&self, tree: &Tree, kind: &str) -> Option<(&Listing, bool)> {
        let kind = tree.symbols().get(kind)?;
        self.types.get(&kind).map(|listing| (listing, !self.incomplete.contains(&kind)))
    }

    /// Returns `true` if the entry of a stored parameter cannot be read; `name` may carry `:version`.
    fn is_unread(&self, tree: &Tree, name: &str) -> bool {
        let base = name.rsplit_once(':').map(|(base, _)| base);
        let mut names = std::iter::once(name).chain(base).filter_map(|name| tree.symbols().get(name));
        names.any(|name| self.unread.contains(&name))
    }

    fn is_incomplete(&self, tree: &Tree, section: &str) -> bool {
        tree.symbols().get(section).is_some_and(|section| self.incomplete.contains(&section))
    }

    /// Returns the values of a type, in listing order, if its listing is complete.
    pub fn all_of(&self, tree: &Tree, kind: &str) -> Option<Vec<Symbol>> {
        let (listing, is_complete) = self.listing(tree, kind)?;
        is_complete.then(|| listing.values.iter().map(|(value, _)| *value).collect())
    }

    /// Returns `true` if a value of a type exists; `None` when the facts do not decide it.
    pub fn exists(&self, tree: &Tree, kind: &str, value: &str) -> Option<bool> {
        let (listing, is_complete) = self.listing(tree, kind)?;
        let Some(value) = tree.symbols().get(value) else { return is_complete.then_some(false) };
        if listing.get(value).is_some() {
            return Some(true);
        }
        (is_complete || listing.absent.contains(&value)).then_some(false)
    }
}

fn wrong(tree: &Tree, node: NodeId, what: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        Diagnostic::new(codes::ACCOUNT_FILE, format!("the account snapshot is not well-formed: {what}"))
            .at(tree.span(node))
            .note("parts that cannot be read are treated as unknown")
            .help("correct it, or write the snapshot again with `formwork account snapshot`"),
    );
}
