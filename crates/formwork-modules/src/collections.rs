//! Collections of loops that are written with the module language: they are computed before the loops are expanded
//! (reference/modules/copies.md#fn-foreach).

use formwork_syntax::function::Known;
use formwork_syntax::{FrameId, Function, Kind, NodeId, Origin, Style, Symbol, View, flags, symbol};
use formwork_template::reference;
use formwork_template::sub_string::{self, Part};

use formwork_loops::{SectionEntries, Sections};

use super::Linker;
use super::instance::InstanceId;
use super::path;
use super::stop::{Resolved, unless_wrong};
use super::walk::walk;

impl Linker<'_> {
    /// Returns a file with those collections replaced by their values, in these sections.
    pub(super) fn with_known_collections(
        &mut self,
        mut root: NodeId,
        sections: &Sections,
        scope: InstanceId,
    ) -> Resolved<NodeId> {
        for &(name, _) in sections {
            let Some(section) = self.tree.get(root, name) else { continue };
            let made = self.with_collections(section, scope)?;
            if made != section {
                root = self.tree.with_member(root, name, made);
            }
        }
        Ok(root)
    }

    fn with_collections(&mut self, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        if !self.tree.has(node, flags::HAS_LOOP) {
            return Ok(node);
        }
        let children = self.tree.children(node);
        let mut made = Vec::with_capacity(children.len());
        for (at, &child) in children.iter().enumerate() {
            made.push(match self.tree.view(node) {
                View::Call(Function::Known(Known::Map), _) => self.with_collection_of_map(child, scope)?,
                View::Map if self.tree.loop_name(self.tree.entry(node, at).key).is_some() => {
                    self.with_collection_of_loop(child, scope)?
                }
                _ => self.with_collections(child, scope)?,
            });
        }
        Ok(self.children_in_place(node, &made, FrameId::NONE))
    }

    fn with_collection_of_map(&mut self, argument: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let collection = self.tree.get(argument, symbol::COLLECTION);
        let children = self.tree.children(argument).into_iter();
        let made = children.map(|child| match collection {
            Some(collection) if child == collection => self.known_collection(child, scope),
            _ => self.with_collections(child, scope),
        });
        let made = made.collect::<Resolved<Vec<NodeId>>>()?;
        Ok(self.children_in_place(argument, &made, FrameId::NONE))
    }

    fn with_collection_of_loop(&mut self, parts: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let &[identifier, collection, fragment] = self.tree.items(parts) else {
            return self.with_collections(parts, scope);
        };
        let collection = self.known_collection(collection, scope)?;
        let fragment = self.with_collections(fragment, scope)?;
        Ok(self.list_in_place(parts, &[identifier, collection, fragment], FrameId::NONE))
    }

    /// Returns a collection that is written with the module language as its value, as far as it is known.
    pub(super) fn known_collection(&mut self, node: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        if !self.tree.has(node, flags::HAS_CALL) || !self.has_module_language(node, scope)? {
            return self.with_collections(node, scope);
        }
        let Some(made) = unless_wrong(self.known(|linker| linker.evaluate(node, scope)))? else {
            // Reported: the loop has no items.
            self.emitted.result.is_broken = true;
            return Ok(self.tree.list(&[], Style::Flow, Origin::Generated(node, FrameId::NONE)));
        };
        let Some(made) = made else { return Ok(node) };
        if scope == InstanceId::ROOT {
            return Ok(made);
        }
        // The residual has names of the result, which mean something else here.
        let known = self.quietly_computed(made).filter(|&known| !self.tree.has(known, flags::HAS_CALL));
        Ok(known.map_or(node, |known| self.tree.stand_in(known, node, FrameId::NONE)))
    }

    /// Returns `true` when a value has functions of the module language, or refers to an import or to a part of a
    /// parameter.
    fn has_module_language(&mut self, node: NodeId, scope: InstanceId) -> Resolved<bool> {
        let (mut names, mut is_found) = (Vec::new(), false);
        let tree = &*self.tree;
        walk(tree, node, |node| {
            match tree.view(node) {
                View::Call(Function::Known(Known::Flatten | Known::InsertFile | Known::Invoke), _) => is_found = true,
                View::Call(Function::Known(Known::Ref | Known::GetAtt), argument) => {
                    names.push(self.name_with_placeholders(argument));
                }
                View::Call(Function::Known(Known::Sub), argument) => {
                    let text = tree.text(reference::sub_parts(tree, argument).0);
                    names.extend(sub_string::parts(text).filter_map(Part::variable).map(|name| name.trim().to_owned()));
                }
                _ => {}
            }
            tree.has(node, flags::HAS_CALL)
        });
        for name in &names {
            if is_found {
                break;
            }
            let path = path::parse(name);
            if !path.steps.is_empty() {
                let head = self.tree.intern(path.head);
                is_found = self.has_parameter(head, scope) || self.import_named(path.head, head, scope)?.is_some();
            }
        }
        Ok(is_found)
    }

    /// Returns `true` when a nested loop of these sections may have a collection that is written with the module
    /// language, so that it is known only with the items around it.
    pub(super) fn nests_collections(&self, root: NodeId, sections: &Sections) -> bool {
        let generated = sections.iter().filter(|(_, members)| matches!(members, SectionEntries::Of(_)));
        let mut open: Vec<(NodeId, bool)> =
            generated.filter_map(|&(name, _)| Some((self.tree.get(root, name)?, false))).collect();
        while let Some((node, is_in_loop)) = open.pop() {
            if !self.tree.has(node, flags::HAS_LOOP) {
                continue;
            }
            let map = self.tree.argument_of(node, Known::Map);
            let collection = map.and_then(|argument| self.tree.get(argument, symbol::COLLECTION));
            if is_in_loop && collection.is_some_and(|node| self.may_be_of_modules(node)) {
                return true;
            }
            for (at, child) in self.tree.children(node).into_iter().enumerate() {
                let is_loop =
                    self.tree.kind(node) == Kind::Map && self.tree.loop_name(self.tree.entry(node, at).key).is_some();
                if is_in_loop
                    && is_loop
                    && self.tree.items(child).get(1).is_some_and(|&node| self.may_be_of_modules(node))
                {
                    return true;
                }
                open.push((child, is_in_loop || is_loop || map.is_some()));
            }
        }
        false
    }

    fn has_parameter(&self, name: Symbol, scope: InstanceId) -> bool {
        if scope == InstanceId::ROOT {
            self.template.parameter(name).is_some()
        } else {
            self.declaration(scope, name).is_some()
        }
    }
}
