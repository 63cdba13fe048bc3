//! Evaluation of `Fn::Flatten`: lists of nested data (reference/modules/functions.md#flatten).

use formwork_base::codes;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style};

use super::Linker;
use super::instance::InstanceId;
use super::path::{self, Step};
use super::report::describe_kind;
use super::stop::{Resolved, Value};

#[derive(Clone, Copy)]
pub(super) struct ScopedNode {
    pub(super) node: NodeId,
    pub(super) frame: FrameId,
    pub(super) scope: InstanceId,
    /// Set in the string of an `Fn::Sub`, which has variables of its own.
    pub(super) in_sub: bool,
}

impl Linker<'_> {
    pub(super) fn evaluate_flatten(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let place = ScopedNode { node, frame: self.frame_at(node, scope), scope, in_sub: false };
        let is_long = self.tree.kind(argument) == Kind::Map;
        let source = if is_long { self.tree.get_text(argument, "Source") } else { Some(argument) };
        let message = "Fn::Flatten requires a Source parameter";
        let Some(source) = source else { return self.wrong_flatten(message, argument, scope) };
        let known = self.evaluate_root_value(source, "Fn::Flatten", scope)?;
        match self.tree.kind(known) {
            Kind::Call => return self.unresolved_source(known, source, scope),
            _ if is_long => {}
            Kind::List => return Ok(Some(known)),
            Kind::Map => return self.wrong_flatten(message, argument, scope),
            _ => return Ok(Some(self.list_at(&[known], place))),
        }
        let pattern = self.typed(argument, "Pattern", Kind::String, scope)?;
        let mut items = match pattern {
            Some(pattern) => self.hits(known, self.tree.text(pattern)),
            None => self.source_items(known, place),
        };
        if let Some(transform) = self.typed(argument, "Transform", Kind::Map, scope)? {
            items = self.transformed(&items, transform, place)?;
        }
        let group = self.typed(argument, "GroupBy", Kind::String, scope)?;
        Ok(Some(match group {
            Some(group) => self.grouped(&items, group, place),
            None => self.list_at(&items, place),
        }))
    }

    /// Returns the value of the last word of a path, which must be of one kind.
    fn typed(&mut self, map: NodeId, path: &str, kind: Kind, scope: InstanceId) -> Value {
        match self.tree.get_text(map, path.rsplit(' ').next().unwrap_or(path)) {
            Some(node) if self.tree.kind(node) != kind => {
                let what = if kind == Kind::Map { "an object" } else { "a string" };
                self.wrong_flatten(&format!("Fn::Flatten {path} must be {what}"), node, scope)
            }
            node => Ok(node),
        }
    }

    fn list_at(&mut self, items: &[NodeId], place: ScopedNode) -> NodeId {
        self.tree.list(items, Style::Plain, Origin::Generated(place.node, place.frame))
    }

    fn wrong_flatten<T>(&mut self, sentence: &str, at: NodeId, scope: InstanceId) -> Resolved<T> {
        let message = format!("Fn::Flatten is not valid: `Error processing Fn::Flatten: {sentence}`");
        let help = "write `Fn::Flatten: {Source: ..., Pattern: ..., Transform: {Template: ..., Variables: ...}, GroupBy: ...}`";
        self.wrong(scope, self.error(codes::LOCAL_FUNCTION, at, message, help))
    }

    fn unresolved_source(&mut self, value: NodeId, at: NodeId, scope: InstanceId) -> Value {
        let what = describe_kind(self.tree, value);
        let message = format!(
            "the Source of Fn::Flatten is {what}: `Fn::Flatten could not be resolved locally: its Source is not known`"
        );
        let help = "add a Default to the parameter, pass a value, or write the data literally";
        self.wrong(scope, self.error(codes::LOCAL_FUNCTION, at, message, help))
    }

    fn source_items(&mut self, source: NodeId, place: ScopedNode) -> Vec<NodeId> {
        if self.tree.kind(source) != Kind::Map {
            return self.items_or_self(source);
        }
        let origin = Origin::Generated(place.node, place.frame);
        let mut items = Vec::new();
        for Entry { key, value } in self.tree.entries(source).collect::<Vec<_>>() {
            let values = self.items_or_self(value).into_iter();
            items.extend(values.map(|value| self.tree.map(&[Entry { key, value }], Style::Plain, origin)));
        }
        items
    }

    /// Returns the values that a pattern matches; a step that does not fit a value drops it.
    pub(super) fn hits(&self, value: NodeId, pattern: &str) -> Vec<NodeId> {
        let pattern = pattern.trim();
        let path = path::parse(pattern.strip_prefix('$').unwrap_or(pattern));
        let head = Step { text: path.head, in_brackets: false };
        let steps = std::iter::once(head).chain(path.steps).filter(|step| !step.text.is_empty());
        steps.fold(vec![value], |values, step| values.into_iter().flat_map(|value| self.step(value, step)).collect())
    }

    fn step(&self, value: NodeId, step: Step<'_>) -> Vec<NodeId> {
        match (step.is_all(), step.index().filter(|_| step.in_brackets)) {
            (true, _) if self.tree.kind(value) == Kind::List => self.tree.items(value).to_vec(),
            (true, _) if step.in_brackets => Vec::new(),
            (true, _) => self.tree.entries(value).map(|entry| entry.value).collect(),
            (_, Some(index)) => self.tree.items(value).get(index).copied().into_iter().collect(),
            _ => self.tree.get_text(value, step.text).into_iter().collect(),
        }
    }

    fn transformed(&mut self, items: &[NodeId], transform: NodeId, place: ScopedNode) -> Resolved<Vec<NodeId>> {
        let Some(template) = self.tree.get_text(transform, "Template") else {
            return self.wrong_flatten("Fn::Flatten Transform requires a Template parameter", transform, place.scope);
        };
        let variables = self.typed(transform, "Transform Variables", Kind::Map, place.scope)?;
        let variables: Vec<Entry> = variables.map_or_else(Vec::new, |map| self.tree.entries(map).collect());
        let mut rows = Vec::new();
        for item in items.iter().flat_map(|&item| self.unwrapped(item)).collect::<Vec<_>>() {
            let lists = variables.iter().map(|variable| {
                let path = self.tree.text(variable.value);
                let hits = self.hits(item, path.strip_prefix("$item").unwrap_or(path));
                (self.tree.text(variable.key).to_owned(), hits)
            });
            let lists: Vec<(String, Vec<NodeId>)> = lists.collect();
            let most = self.limits.flattened_rows;
            if rows.len() + lists.iter().map(|(_, hits)| hits.len()).product::<usize>() > most {
                return self.stop(place.scope, place.node, &format!("Fn::Flatten generates more than {most} rows"));
            }
            // The first variable varies slowest.
            let mut combined: Vec<Vec<(&str, NodeId)>> = vec![vec![("item", item)]];
            for (name, hits) in &lists {
                let row = |bound: &Vec<_>, &hit: &NodeId| [bound.as_slice(), &[(name.as_str(), hit)]].concat();
                combined = combined.iter().flat_map(|bound| hits.iter().map(|hit| row(bound, hit))).collect();
            }
            for bound in combined {
                rows.push(self.row(template, &bound, place)?);
            }
        }
        Ok(rows)
    }

    /// Unwraps an item: a mapping of one entry is the mapping in it, and one that has lists of mappings returns their
    /// elements.
    fn unwrapped(&self, item: NodeId) -> Vec<NodeId> {
        let is_map = |&node: &NodeId| self.tree.kind(node) == Kind::Map;
        if !is_map(&item) || self.tree.len(item) != 1 {
            return vec![item];
        }
        let inner = self.tree.entry(item, 0).value;
        let lists = if is_map(&inner) { self.tree.children(inner) } else { vec![inner] };
        let maps = lists.iter().flat_map(|&list| self.tree.items(list)).copied().filter(is_map);
        let maps: Vec<NodeId> = maps.collect();
        match maps.as_slice() {
            [] => vec![if is_map(&inner) { inner } else { item }],
            _ => maps,
        }
    }

    fn grouped(&mut self, items: &[NodeId], group: NodeId, place: ScopedNode) -> NodeId {
        let attribute = self.tree.text(group).to_owned();
        let mut groups: Vec<(String, Vec<NodeId>)> = Vec::new();
        for &item in items {
            let Some(value) = self.tree.get_text(item, &attribute) else { continue };
            let text = self.tree.text_form(value).to_owned();
            match groups.iter_mut().find(|(known, _)| *known == text) {
                Some((_, members)) => members.push(item),
                None => groups.push((text, vec![item])),
            }
        }
        let origin = Origin::Generated(place.node, place.frame);
        let entry = |(text, members): &(String, Vec<NodeId>)| Entry {
            key: self.tree.key(text, Style::Plain, origin),
            value: self.tree.list(members, Style::Plain, origin),
        };
        let entries: Vec<Entry> = groups.iter().map(entry).collect();
        self.tree.map(&entries, Style::Plain, origin)
    }
}
