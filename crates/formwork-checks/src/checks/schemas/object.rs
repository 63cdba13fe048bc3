//! Objects: names, and required properties.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_schemas::{Kind, Node, ResourceType};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View, symbol};
use formwork_template::{artifact, attribute};

use super::presence::Presence;
use super::step::Step;
use super::walk::{At, Walk};
use super::words;

pub(super) enum Named<'w> {
    Node(Node<'w>),
    /// An allowed name; its value is not checked.
    Open,
    Unknown,
}

impl<'w> Walk<'w> {
    /// Looks a name up in the schema: its own property, one of an alternative, a name pattern, or any name.
    pub(super) fn named(&self, schema: Node<'w>, name: &str) -> Named<'w> {
        if let Some(property) = schema.property(name) {
            return Named::Node(property.node);
        }
        if self.is_serverless() && name == "__MANAGE_SWAGGER" {
            return Named::Open;
        }
        let alternatives = || schema.one_of().chain(schema.any_of());
        let mut having = alternatives().filter_map(|node| node.property(name));
        match (having.next(), having.next()) {
            (Some(only), None) => return Named::Node(only.node),
            (Some(_), Some(_)) => return Named::Open,
            _ => {}
        }
        let mut patterns = schema.name_patterns().peekable();
        let has_patterns = patterns.peek().is_some();
        for (pattern, node) in patterns {
            match pattern.matches(name) {
                Some(true) => return Named::Node(node),
                Some(false) => {}
                None => return Named::Open,
            }
        }
        if let Some(node) = schema.additional() {
            return Named::Node(node);
        }
        // Neither a part nor an alternative can add names to a closed object.
        let is_closed = schema.is_closed() && schema.has_properties();
        let is_in_part = schema.all_of().any(|part| part.property(name).is_some());
        if is_closed && !is_in_part && !alternatives().any(|node| knows(node, name)) {
            return Named::Unknown;
        }
        // Parts that must all hold do not close an object, and their names are known all the same.
        let has_parts = schema.all_of().any(|part| part.has_properties() || !part.is_closed() && is_object(part));
        if has_parts {
            return Named::Open;
        }
        let objects = || alternatives().filter(|node| node.has_properties());
        let own_is_closed =
            schema.is_closed() && (schema.has_properties() || has_patterns || objects().next().is_none());
        let of_alternatives = objects().next().is_some()
            && !schema.has_properties()
            && alternatives().all(|node| node.is_closed() && node.has_properties() && is_flat(node));
        let is_closed = if objects().next().is_some() { of_alternatives || own_is_closed } else { own_is_closed };
        let alternatives_know = alternatives().any(|node| knows(node, name));
        if is_closed && !alternatives_know { Named::Unknown } else { Named::Open }
    }

    pub(super) fn unknown(&mut self, schema: Node<'w>, object: At, entry: Entry) {
        let Some(resource) = self.resource else { return };
        let (tree, kind) = (self.tree, resource.name());
        let name = tree.text(entry.key);
        let pointer = words::pointer(self.path.get(..self.path.len() - 1).unwrap_or_default());
        let is_map = !schema.has_properties() && schema.name_patterns().next().is_some();
        let span = tree.span(entry.key);
        if is_map {
            let Some(severity) = self.severity_of(codes::PATTERN_OF_PROPERTY) else { return };
            let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), tree.text(self.id));
            let pattern = schema.name_patterns().next().map(|(pattern, _)| shown(pattern.text())).unwrap_or_default();
            let diagnostic = Diagnostic::titled(
                codes::PATTERN_OF_PROPERTY,
                format!("{} does not match the pattern of the keys of {outer}", shown(name)),
            )
            .at(span)
            .quoting(&format!("{pointer}: extraneous key [{}] is not permitted", shown(name)))
            .help(format!("write a key that matches `{pattern}`"));
            return self.push(diagnostic, severity, "");
        }
        if self.slipped.contains(&span) {
            return;
        }
        self.unknown.insert(span);
        let outer = self.path.get(..self.path.len() - 1).unwrap_or_default();
        let of = if outer.is_empty() { String::new() } else { format!("{} of ", words::dotted(outer)) };
        let own = schema.properties().map(|property| property.name);
        let others = schema.one_of().chain(schema.any_of()).flat_map(|node| node.properties().map(|one| one.name));
        let names: Vec<&str> = own.chain(others).filter(|name| !self.is_read_only(name)).collect();
        let near = self.near(name, names.iter().copied());
        // At the top SAM rejects it, too, and a slip is one at any depth.
        let is_certain = self.path.len() == 1 || near.is_some_and(|near| !near.eq_ignore_ascii_case(name));
        let Some(severity) = (if is_certain { self.hard_error() } else { self.error() }) else { return };
        let title = format!("{of}{kind} does not have a property {}", shown(name));
        let mut diagnostic = Diagnostic::titled(codes::UNKNOWN_PROPERTY, title)
            .at(span)
            .quoting(&format!("{pointer}: extraneous key [{}] is not permitted", shown(name)))
            .note(self.known_as_of());
        if let Some(near) = near {
            self.meant.entry(object.node).or_default().push(near);
        }
        if let Some(near) = near.filter(|near| tree.get_text(object.node, near).is_some()) {
            diagnostic = diagnostic.help(format!("remove it: {near} is there, too"));
        } else if let Some(near) = near {
            diagnostic = diagnostic.label(format!("did you mean {near}?"));
            diagnostic = self.with_name_fix(diagnostic, entry.key, name, near);
        } else if self.path.len() == 1 && attribute::RESOURCE.iter().any(|&known| tree.name(known) == name) {
            let name = shown(name);
            diagnostic = diagnostic
                .note(format!("{name} is an attribute of a resource, as `Type` is"))
                .help(format!("move `{name}` out of Properties, into the indentation of `Properties`"));
        } else if self.is_pair(schema, object, entry) {
            self.meant.entry(object.node).or_default().extend(schema.required());
            let value = shown(tree.text_form(entry.value));
            diagnostic = diagnostic.help(format!("write `{{Key: {}, Value: {value}}}`", shown(name)));
        } else if names.is_empty() {
            diagnostic = diagnostic.help("remove it");
        } else {
            diagnostic = diagnostic.help(format!("remove it, or write one of its properties: {}", words::some(&names)));
        }
        self.push(diagnostic, severity, name);
    }

    /// Returns `true` if an object with a `Key` and a `Value` is written as one key with its value: `{stage: prod}`.
    fn is_pair(&self, schema: Node<'w>, object: At, entry: Entry) -> bool {
        let has = |name: &str| schema.required().any(|required| required == name);
        has("Key") && has("Value") && self.tree.len(object.node) == 1 && self.tree.is_scalar(entry.value)
    }

    /// Adds a fix that writes another name, or, if a loop or an argument generated it, the advice to do so.
    fn with_name_fix(&self, found: Diagnostic, key: NodeId, name: &str, near: &str) -> Diagnostic {
        let tree = self.tree;
        let is_written = !tree.is_generated(key) && !tree.is_alias(key);
        if !is_written {
            return found.help(self.advice(key, near));
        }
        let fix = format!("write {near}");
        let span = tree.span(key);
        let found = if near.eq_ignore_ascii_case(name) {
            found.fix(fix, span, near)
        } else {
            found.unsafe_fix(fix, span, near)
        };
        found.help(format!("write {near}"))
    }

    /// Returns `true` if a name at the end of the path is read-only, so that its author does not mean it.
    fn is_read_only(&self, name: &str) -> bool {
        let outer = self.path.get(..self.path.len().saturating_sub(1)).unwrap_or_default();
        let steps: Vec<Step<'_>> = outer.iter().copied().chain([Step::Key(name)]).collect();
        self.resource.is_some_and(|resource| resource.read_only().any(|path| words::is_at(path, &steps)))
    }

    /// Reports a property that is read-only, deprecated or a runtime that has ended.
    pub(super) fn special(&mut self, entry: Entry) {
        let Some(resource) = self.resource else { return };
        let tree = self.tree;
        let span = tree.span(entry.key);
        if !resource.is_serverless() && resource.read_only().any(|path| words::is_at(path, &self.path)) {
            if let Some(severity) = self.severity_of(codes::READ_ONLY_PROPERTY) {
                let subject = words::subject(&self.path, tree.text(self.id));
                let diagnostic = Diagnostic::titled(codes::READ_ONLY_PROPERTY, format!("{subject} is read-only"))
                    .at(span)
                    .note("the service sets it when the resource is created")
                    .help(format!("remove {}", shown(tree.text(entry.key))));
                self.push(diagnostic, severity, "");
            }
            return;
        }
        if resource.deprecated().any(|path| words::is_at(path, &self.path))
            && let Some(severity) = self.note()
        {
            let title = format!("{} of {} is deprecated", words::dotted(&self.path), resource.name());
            let diagnostic = Diagnostic::titled(codes::DEPRECATED, title).at(span);
            self.push(diagnostic, severity, "");
        }
        self.runtime(entry);
    }

    pub(super) fn required(&mut self, schema: Node<'w>, at: At) {
        for name in schema.required() {
            let is_missing = self.presence(at.node, name) == Presence::Absent;
            if is_missing && !self.is_global(name) {
                self.missing(at, name);
            }
        }
    }

    fn missing(&mut self, at: At, name: &'w str) {
        let Some(resource) = self.resource else { return };
        let is_packaged = self.path.is_empty() && is_filled_by_packaging(resource.name(), name);
        let severity = if is_packaged { self.warning() } else { self.error() };
        let Some(severity) = severity else { return };
        let tree = self.tree;
        let id = shown(tree.text(self.id));
        let subject = if self.path.is_empty() { id } else { words::subject(&self.path, tree.text(self.id)) };
        let title = format!("{subject} has no {name}, which {} requires", resource.name());
        let diagnostic = Diagnostic::titled(codes::MISSING_PROPERTY, title)
            .at(self.place(at))
            .quoting(&format!("{}: required key [{name}] not found", words::pointer(&self.path)))
            .help(format!("add {name}"));
        self.push(diagnostic, severity, name);
    }

    pub(super) fn without_properties(&mut self, known: ResourceType<'w>) {
        let Some(severity) = self.error() else { return };
        let tree = self.tree;
        for name in known.properties().required() {
            if self.is_global(name) {
                continue;
            }
            let is_packaged = is_filled_by_packaging(known.name(), name);
            let Some(severity) = (if is_packaged { self.warning() } else { Some(severity) }) else { continue };
            let title = format!("{} has no {name}, which {} requires", shown(tree.text(self.id)), known.name());
            let diagnostic = Diagnostic::titled(codes::MISSING_PROPERTY, title)
                .at(tree.span(self.id))
                .quoting(&format!("#: required key [{name}] not found"))
                .help(format!("add `Properties` with {name}"));
            self.push(diagnostic, severity, name);
        }
    }

    fn is_global(&self, name: &str) -> bool {
        let Some(resource) = self.resource.filter(|resource| resource.is_serverless() && self.path.is_empty()) else {
            return false;
        };
        let Some(globals) = self.tree.get(self.template.root, symbol::GLOBALS) else { return false };
        let of_type = resource.name().rsplit("::").next().unwrap_or_default();
        match self.tree.get_text(globals, of_type) {
            Some(section) if matches!(self.tree.view(section), View::Map) => {
                self.tree.get_text(section, name).is_some()
            }
            Some(_) => true,
            None => false,
        }
    }

    pub(super) fn wrong_object(&mut self, schema: Node<'w>, at: At) {
        let objects =
            schema.kinds().has(Kind::Array) && schema.items().is_some_and(|items| items.kinds().has(Kind::Object));
        if objects {
            self.one_for_a_list(schema, at, "an object", "JSONObject");
        } else {
            self.wrong_kind(schema, at, "an object", "JSONObject");
        }
    }

    pub(super) fn count_of_properties(&mut self, schema: Node<'w>, at: At) {
        let (least, most) = (schema.min_properties(), schema.max_properties());
        if least.is_none() && most.is_none() {
            return;
        }
        let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
        let tree = self.tree;
        let entries = || tree.entries(at.node).filter(|entry| !self.is_nothing(entry.value));
        let is_open = |entry: &Entry| matches!(tree.view(entry.value), View::Call(Function::Known(Known::If), _));
        let all = entries().count() as u64;
        let certain = all - entries().filter(is_open).count() as u64;
        let (message, sentence, help) = match (least, most) {
            (Some(least), _) if all < least => (
                format!("has {all} properties, fewer than {least}"),
                format!("minimum size: [{least}], found: [{all}]"),
                format!("write at least {least}"),
            ),
            (_, Some(most)) if certain > most => (
                format!("has {certain} properties, more than {most}"),
                format!("maximum size: [{most}], found: [{certain}]"),
                format!("write at most {most}"),
            ),
            _ => return,
        };
        let subject = words::subject(&self.path, tree.text(self.id));
        let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{subject} {message}"))
            .at(self.place(at))
            .quoting(&format!("{}: {sentence}", words::pointer(&self.path)))
            .help(help);
        self.push(diagnostic, severity, "");
    }
}

/// Returns `true` if packaging uses the directory of the template for a missing property
/// (reference/packaging.md#properties).
fn is_filled_by_packaging(kind: &str, name: &str) -> bool {
    artifact::of_type(kind)
        .any(|artifact| artifact.property == [name] && artifact.absent == artifact::Absent::TemplateDirectory)
}

fn is_object(node: Node<'_>) -> bool {
    node.kinds().has(Kind::Object)
}

fn is_flat(node: Node<'_>) -> bool {
    node.one_of().chain(node.any_of()).chain(node.all_of()).next().is_none() && node.additional().is_none()
}

fn knows(node: Node<'_>, name: &str) -> bool {
    node.property(name).is_some()
        || node.additional().is_some()
        || node.name_patterns().any(|(pattern, _)| pattern.matches(name) != Some(false))
        || (node.has_properties() && !node.is_closed())
        || !is_flat(node)
}
