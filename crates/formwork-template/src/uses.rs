//! Finds the parameters, mappings and conditions that a template uses (reference/structure.md#unused).

use std::collections::BTreeMap;

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, NodeSet, Symbol, Tree, View, flags, has_placeholder, symbol};
use rustc_hash::FxHashSet;

use crate::sub_string::{self, Part};
use crate::{NamePattern, NamePatterns, Section};

/// The names that a template uses.
#[derive(Debug, Default)]
pub struct Uses {
    references: Names,
    mappings: Names,
    conditions: Names,
    /// Names that were added to `conditions` since the last look.
    new_conditions: Vec<String>,
    /// Types of parameters that are used as a whole.
    types: Vec<String>,
    seen: NodeSet,
}

#[derive(Debug, Default)]
struct Names {
    exact: FxHashSet<String>,
    patterns: NamePatterns,
}

impl Names {
    /// Adds a name or a pattern. Returns `true` if it is a new name.
    fn add(&mut self, name: &str) -> bool {
        if has_placeholder(name) {
            self.patterns.push(NamePattern::of_key(name));
            false
        } else {
            !self.exact.contains(name) && self.exact.insert(name.to_owned())
        }
    }

    fn has(&self, name: &str) -> bool {
        self.exact.contains(name) || self.patterns.matches(name)
    }
}

impl Uses {
    /// Adds the names that a node and everything below it uses.
    pub fn add(&mut self, tree: &Tree, node: NodeId) {
        self.add_below(tree, node, has_keys_of_names(tree));
    }

    /// Like [`Uses::add`]; with `everywhere`, strings may be names depending on their keys.
    fn add_below(&mut self, tree: &Tree, node: NodeId, everywhere: bool) {
        if !everywhere && !tree.has(node, flags::HAS_CALL | flags::HAS_PLACEHOLDER) {
            return;
        }
        // A shared subtree is visited once.
        if tree.may_share() && tree.is_collection(node) && !self.seen.insert(node) {
            return;
        }
        match tree.view(node) {
            View::String(_) => self.add_text(tree, node),
            View::List(items) => items.iter().for_each(|&item| self.add_below(tree, item, everywhere)),
            View::Map => {
                for entry in tree.entries(node) {
                    self.add_text(tree, entry.key);
                    if tree.symbol(entry.key) == symbol::CONDITION {
                        match tree.view(entry.value) {
                            View::String(name) => self.add_condition(name),
                            View::Call(..) => self.conditions.patterns.push(computed(tree, entry.value)),
                            _ => {}
                        }
                    }
                    if tree.text(entry.key) == FOR_EACH
                        && let Some(name) = tree.string(entry.value)
                    {
                        self.references.add(name);
                    }
                    self.add_below(tree, entry.value, everywhere);
                }
            }
            View::Call(function, argument) => {
                self.add_call(tree, function, argument);
                self.add_below(tree, argument, everywhere);
            }
            _ => {}
        }
    }

    fn add_condition(&mut self, name: &str) {
        if self.conditions.add(name) {
            self.new_conditions.push(name.to_owned());
        }
    }

    fn add_text(&mut self, tree: &Tree, node: NodeId) {
        if tree.has(node, flags::HAS_PLACEHOLDER) {
            for part in sub_string::parts(tree.text(node)) {
                if let Part::Variable(name) = part {
                    self.references.add(name.split('.').next().unwrap_or(name).trim());
                }
            }
        }
    }

    fn add_call(&mut self, tree: &Tree, function: Function, argument: NodeId) {
        let first = || tree.items(argument).first().copied();
        match function {
            Function::Known(Known::Ref) if tree.is_scalar(argument) => {
                let name = tree.text(argument);
                self.references.add(name.split('.').next().unwrap_or(name));
            }
            // A computed name may be any that its pattern matches.
            Function::Known(Known::Ref) => self.references.patterns.push(computed(tree, argument)),
            Function::Known(Known::Condition) => {
                if let Some(name) = tree.string(argument) {
                    self.add_condition(name);
                }
            }
            Function::Known(Known::If) => {
                if let Some(name) = first().and_then(|name| tree.string(name)) {
                    self.add_condition(name);
                }
            }
            Function::Known(Known::FindInMap) => match first().and_then(|name| tree.string(name)) {
                Some(name) => {
                    self.mappings.add(name);
                }
                None => self.mappings.patterns.push(NamePattern::any()),
            },
            Function::Known(Known::ValueOf) => {
                if let Some(name) = first().and_then(|name| tree.string(name)) {
                    self.references.add(name);
                }
            }
            Function::Known(Known::RefAll) => self.types.extend(tree.string(argument).map(str::to_owned)),
            Function::Known(Known::ValueOfAll) => {
                self.types.extend(first().and_then(|name| tree.string(name)).map(str::to_owned));
            }
            _ => {}
        }
    }

    /// Adds names of parameters in `AWS::CloudFormation::Interface`.
    pub fn add_interface(&mut self, tree: &Tree, root: NodeId) {
        let metadata = tree.get(root, symbol::METADATA);
        let Some(interface) = metadata.and_then(|node| tree.get_text(node, "AWS::CloudFormation::Interface")) else {
            return;
        };
        let groups = tree.get_text(interface, "ParameterGroups");
        for &group in groups.map(|groups| tree.items(groups)).unwrap_or_default() {
            let names = tree.get(group, symbol::PARAMETERS).map(|names| tree.items(names));
            for &name in names.unwrap_or_default() {
                self.references.add(tree.text_form(name));
            }
        }
        let labels = tree.get_text(interface, "ParameterLabels").filter(|&labels| tree.kind(labels) == Kind::Map);
        labels.into_iter().flat_map(|labels| tree.entries(labels)).for_each(|label| {
            self.references.add(tree.text(label.key));
        });
    }

    /// Returns the names that a whole template uses. A condition, mapping or parameter that only unused conditions use
    /// is not used.
    pub fn of_template(tree: &Tree, root: NodeId) -> Uses {
        let mut uses = Uses::default();
        for entry in sections(tree, root) {
            if !is_declarations(tree.symbol(entry.0)) {
                uses.add(tree, entry.1);
            }
        }
        uses.add_conditions(tree, root);
        for section in [symbol::MAPPINGS, symbol::PARAMETERS] {
            if let Some(node) = tree.get(root, section) {
                uses.add(tree, node);
            }
        }
        uses
    }

    /// Adds the names that used conditions use; each condition is read once.
    fn add_conditions(&mut self, tree: &Tree, root: NodeId) {
        let mut ready: Vec<NodeId> = Vec::new();
        let mut waiting: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
        for (name, definition) in tree.get(root, symbol::CONDITIONS).into_iter().flat_map(|node| sections(tree, node)) {
            let text = tree.text(name);
            // A loop generates conditions of many names.
            if tree.loop_name(name).is_some() || text.starts_with("Fn::") || self.conditions.has(text) {
                ready.push(definition);
            } else {
                waiting.entry(text).or_default().push(definition);
            }
        }
        self.new_conditions.clear();
        while let Some(definition) = ready.pop() {
            let patterns = self.conditions.patterns.len();
            self.add(tree, definition);
            for name in std::mem::take(&mut self.new_conditions) {
                ready.extend(waiting.remove(name.as_str()).unwrap_or_default());
            }
            for pattern in &self.conditions.patterns.as_slice()[patterns..] {
                let prefix = pattern.prefix();
                let near = waiting.range(prefix..).take_while(|(name, _)| name.starts_with(prefix));
                let used: Vec<&str> = near.map(|(name, _)| *name).filter(|name| pattern.matches(name)).collect();
                ready.extend(used.into_iter().filter_map(|name| waiting.remove(name)).flatten());
            }
        }
    }

    /// Returns `true` if a name of a section is used. Names in other sections always count as used. `of_type` is the
    /// type of a parameter.
    pub fn has(&self, section: Section, name: &str, of_type: &str) -> bool {
        match section {
            Section::Parameters => self.references.has(name) || self.types.iter().any(|used| used == of_type),
            Section::Mappings => self.mappings.has(name),
            Section::Conditions => self.conditions.has(name),
            _ => true,
        }
    }
}

fn computed(tree: &Tree, node: NodeId) -> NamePattern {
    let text = match tree.view(node) {
        View::Call(Function::Known(Known::Sub), text) => tree.string(text),
        _ => None,
    };
    text.map_or_else(NamePattern::any, NamePattern::of_key)
}

/// The attribute of a module with its collection.
const FOR_EACH: &str = "ForEach";

/// Returns `true` if some keys have names as values.
fn has_keys_of_names(tree: &Tree) -> bool {
    tree.has_key(symbol::CONDITION) || tree.symbols().get(FOR_EACH).is_some()
}

fn sections(tree: &Tree, node: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> {
    let is_map = tree.kind(node) == Kind::Map;
    let entries = is_map.then(|| tree.entries(node)).into_iter().flatten();
    entries.map(|entry| (entry.key, entry.value))
}

fn is_declarations(name: Symbol) -> bool {
    [symbol::PARAMETERS, symbol::MAPPINGS, symbol::CONDITIONS].contains(&name)
}
