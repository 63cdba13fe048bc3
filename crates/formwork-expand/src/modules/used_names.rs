//! Conditions and mappings of modules that something in the result still names
//! (reference/modules/conditions.md#used-names, reference/modules/conditions.md#mappings), and functions
//! that must not be left.

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Origin, Style, Symbol, View, flags, symbol};
use rustc_hash::FxHashSet;

use super::Linker;
use super::instance::InstanceId;
use super::walk::walk;

/// Names that a walk found, each once, in order.
#[derive(Default)]
struct Names {
    conditions: Vec<String>,
    mappings: Vec<String>,
    seen: FxHashSet<(bool, String)>,
    visited: FxHashSet<NodeId>,
    /// Operands of condition functions.
    operands: FxHashSet<NodeId>,
}

impl Names {
    fn condition(&mut self, name: &str) {
        if self.seen.insert((true, name.to_owned())) {
            self.conditions.push(name.to_owned());
        }
    }

    fn mapping(&mut self, name: &str) {
        if self.seen.insert((false, name.to_owned())) {
            self.mappings.push(name.to_owned());
        }
    }
}

impl Linker<'_> {
    /// The root with the conditions and mappings that modules bring along.
    pub(super) fn with_used_names(&mut self, root: NodeId) -> NodeId {
        let checked = self.checked_conditions();
        if self.conditions.is_empty() && self.mappings.is_empty() && checked.is_empty() {
            return root;
        }
        let mut names = Names::default();
        for section in [symbol::RESOURCES, symbol::OUTPUTS, symbol::CONDITIONS] {
            let Some(section) = self.tree.get(root, section) else { continue };
            if self.tree.kind(section) == Kind::Call {
                self.names_below(section, &mut names);
            }
            for entry in self.tree.entries(section) {
                if let Some(condition) = self.tree.get(entry.value, symbol::CONDITION) {
                    names.condition(self.tree.text(condition));
                }
                self.names_below(entry.value, &mut names);
            }
        }
        for entry in &checked {
            self.names_below(entry.value, &mut names);
        }
        // A condition that came along may name others.
        let mut at = 0;
        while at < names.conditions.len() {
            if let Some(&body) = self.conditions.get(&names.conditions[at]) {
                self.names_below(body, &mut names);
            }
            at += 1;
        }
        let conditions: Vec<(String, NodeId)> =
            names.conditions.iter().filter_map(|name| Some((name.clone(), *self.conditions.get(name)?))).collect();
        let mappings: Vec<(String, NodeId)> = names
            .mappings
            .iter()
            .filter_map(|name| Some((name.clone(), *self.mappings.get(&self.tree.symbols().get(name)?)?)))
            .collect();
        let root = self.with_section(root, symbol::MAPPINGS, "Mapping", &mappings, &[]);
        self.with_section(root, symbol::CONDITIONS, "Condition", &conditions, &checked)
    }

    fn names_below(&self, node: NodeId, names: &mut Names) {
        walk(self.tree, node, |node| {
            if let Some(entry) = self.sole_condition(node) {
                names.condition(self.tree.text(entry.value));
                return false;
            }
            if let View::Call(Function::Known(known), argument) = self.tree.view(node) {
                let first = self.tree.items(argument).first().and_then(|&first| self.tree.string(first));
                match (known, first) {
                    (Known::If, Some(name)) => names.condition(name),
                    (Known::FindInMap, Some(name)) => names.mapping(name),
                    (Known::Condition, _) => names.condition(self.tree.text(argument)),
                    // `{Condition: Name}` among operands is no call.
                    (Known::And | Known::Or | Known::Not, _) => {
                        names.operands.insert(argument);
                    }
                    _ => {}
                }
            }
            let has_names = self.tree.has(node, flags::HAS_CALL) || names.operands.contains(&node);
            has_names && names.visited.insert(node)
        });
    }

    /// The root with members added to a section.
    fn with_section(
        &mut self,
        root: NodeId,
        name: Symbol,
        what: &str,
        added: &[(String, NodeId)],
        checked: &[Entry],
    ) -> NodeId {
        if added.is_empty() && checked.is_empty() {
            return root;
        }
        let mut entries: Vec<Entry> = self.tree.entries(root).collect();
        let at = entries.iter().position(|entry| self.tree.symbol(entry.key) == name);
        let own = at.map(|at| entries[at].value).filter(|&node| matches!(self.tree.kind(node), Kind::Map | Kind::Call));
        let mut members = own.map_or_else(Vec::new, |own| self.members_of_body(own));
        let count = members.len();
        for (full, body) in added {
            let symbol = self.tree.intern(full);
            if let Some(known) = own.and_then(|own| self.tree.member(own, symbol)) {
                if !self.tree.same_data(known.value, *body) {
                    let diagnostic = Diagnostic::new(
                        codes::MODULE_NAME,
                        format!("two meanings have the name {}: `{what} name conflict: {}`", shown(full), shown(full)),
                    )
                    .at(self.tree.span(known.key))
                    .label("declared here with another meaning")
                    .related(self.tree.span(*body), "a module brings this one along")
                    .help("rename it here, or the import that begins its name");
                    self.report(InstanceId::ROOT, diagnostic);
                }
                continue;
            }
            let frame = self.tree.frame_of(*body);
            let key = self.tree.key(full, Style::Plain, Origin::Generated(*body, frame));
            members.push(Entry { key, value: *body });
        }
        if name == symbol::MAPPINGS {
            self.mapping_keys.extend(members[count..].iter().map(|entry| entry.key));
        }
        members.extend_from_slice(checked);
        self.made.extend(checked.iter().map(|entry| entry.key));
        self.checked.extend(checked.iter().map(|entry| entry.key));
        let value = match own {
            Some(own) => self.map_in_place(own, &members, FrameId::NONE),
            None => self.tree.map(&members, Style::Plain, Origin::Generated(root, FrameId::NONE)),
        };
        if let Some(at) = at {
            entries[at].value = value;
        } else {
            let title = self.tree.name(name).to_owned();
            let key = self.tree.key(&title, Style::Plain, Origin::Generated(root, FrameId::NONE));
            let behind = [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS];
            let at = entries.iter().position(|entry| behind.contains(&self.tree.symbol(entry.key)));
            entries.insert(at.unwrap_or(entries.len()), Entry { key, value });
        }
        self.map_in_place(root, &entries, FrameId::NONE)
    }
}
