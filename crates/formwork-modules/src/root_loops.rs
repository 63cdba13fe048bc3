//! Loops of the template whose parts are written with the module language: they are expanded with its modules
//! (reference/modules/copies.md#root-loops). The others wait for the stage that expands loops, or are kept.

use formwork_base::IdSet;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View, flags, has_placeholder, symbol};
use formwork_template::reference;
use formwork_template::sub_string::{self, Part};

use formwork_template::include::location;

use crate::include;
use formwork_loops::Sections;

use super::Linker;
use super::groups::{Groups, Section};
use super::instance::InstanceId;
use super::path::{self, Path};
use super::stop::Resolved;
use super::walk::walk;

#[derive(Default)]
struct Named {
    /// Set for a function of the module language, a resource with `ForEach`, or an include whose file depends on the
    /// items.
    is_certain: bool,
    references: Vec<String>,
    needs: Vec<String>,
}

impl Linker<'_> {
    /// Returns the loops of the template that wait; `None` when all of them do.
    pub(super) fn waiting_loops(&mut self, root: NodeId, sections: &Sections) -> Resolved<Option<IdSet<NodeId>>> {
        let (mut waiting, mut is_needed) = (IdSet::default(), false);
        let mut open: Vec<NodeId> = sections.iter().filter_map(|&(name, _)| self.tree.get(root, name)).rev().collect();
        while let Some(node) = open.pop() {
            if !self.tree.has(node, flags::HAS_LOOP) {
                continue;
            }
            if self.tree.argument_of(node, Known::Map).is_some() {
                is_needed |= self.is_of_modules(node)?;
                continue;
            }
            for (at, child) in self.tree.children(node).into_iter().enumerate() {
                let key = (self.tree.kind(node) == Kind::Map).then(|| self.tree.entry(node, at).key);
                match key.filter(|&key| self.tree.loop_name(key).is_some()) {
                    Some(_) if self.is_of_modules(child)? => is_needed = true,
                    Some(key) => {
                        waiting.insert(key);
                    }
                    None => open.push(child),
                }
            }
        }
        Ok(is_needed.then_some(waiting))
    }

    pub(super) fn is_of_modules(&mut self, node: NodeId) -> Resolved<bool> {
        let named = self.named_in(node);
        if named.is_certain {
            return Ok(true);
        }
        let scope = InstanceId::ROOT;
        let (imports, resources) = (self.groups(Section::Imports, scope)?, self.groups(Section::Resources, scope)?);
        let means = |path: &Path<'_>| self.may_name(&imports, path.head) || self.may_name_copies(&resources, path.head);
        let is_reference = |name: &String| {
            let path = path::parse(name);
            let parameter = || self.tree.symbols().get(path.head).and_then(|name| self.template.parameter(name));
            let has_bracket = path.steps.iter().any(|step| step.in_brackets);
            !path.steps.is_empty() && (has_bracket || means(&path) || parameter().is_some())
        };
        let needs = |name: &String| means(&path::parse(name));
        Ok(named.references.iter().any(is_reference) || named.needs.iter().any(needs))
    }

    /// Returns `true` when a value may use the module language, for any computed names.
    pub(super) fn may_be_of_modules(&self, node: NodeId) -> bool {
        let named = self.named_in(node);
        named.is_certain || named.references.iter().any(|name| name.contains(['.', '[', '$', '&']))
    }

    fn named_in(&self, node: NodeId) -> Named {
        let (tree, mut named) = (&*self.tree, Named::default());
        let is_computed_include =
            |argument| location(tree, argument).is_some_and(|location| include::is_computed(tree, location));
        walk(tree, node, |node| {
            match tree.view(node) {
                View::Call(Function::Known(Known::Flatten | Known::InsertFile | Known::Invoke), _) => {
                    named.is_certain = true;
                }
                View::Call(Function::Known(Known::Ref | Known::GetAtt), argument) => {
                    named.references.push(self.name_with_placeholders(argument));
                }
                View::Call(Function::Known(Known::Sub), argument) => {
                    let text = tree.text(reference::sub_parts(tree, argument).0);
                    let variables = sub_string::parts(text).filter_map(Part::variable);
                    named.references.extend(variables.map(|name| name.trim().to_owned()));
                }
                // The file is included or packaged for each iteration.
                View::Call(Function::Known(Known::Transform), argument) => {
                    named.is_certain |= is_computed_include(argument);
                }
                View::Map => {
                    named.is_certain |= include::arguments(tree, node).any(is_computed_include);
                    let has = |name| tree.get_text(node, name).is_some();
                    named.is_certain |= has("ForEach") && has("Type");
                    if let Some(needs) = tree.get(node, symbol::DEPENDS_ON) {
                        let items = if tree.kind(needs) == Kind::List { tree.items(needs) } else { &[needs] };
                        named.needs.extend(items.iter().map(|&item| self.name_with_placeholders(item)));
                    }
                }
                _ => {}
            }
            !named.is_certain
        });
        named
    }

    pub(super) fn name_with_placeholders(&self, node: NodeId) -> String {
        let parts = if self.tree.kind(node) == Kind::List { self.tree.items(node) } else { &[node] };
        let part = |&part: &NodeId| {
            let text = self.tree.argument_of(part, Known::Sub).unwrap_or(part);
            self.tree.string(text).unwrap_or("${}")
        };
        parts.iter().map(part).collect::<Vec<_>>().join(".")
    }

    fn may_name(&self, imports: &Groups, name: &str) -> bool {
        let is_import = || self.tree.symbols().get(name).is_some_and(|name| imports.get(name).is_some());
        let is_computed = has_placeholder(name);
        !imports.names.is_empty()
            && (is_computed || is_import() || !imports.loops.is_empty() || self.may_name_copies(imports, name))
    }

    /// Returns `true` for a name that may be that of a copied entry, or of one of its copies.
    fn may_name_copies(&self, groups: &Groups, name: &str) -> bool {
        let is_many = |name: &str| self.tree.symbols().get(name).is_some_and(|name| groups.is_many(name));
        is_many(name) || is_many(name.trim_end_matches(|c: char| c.is_ascii_digit()))
    }
}
