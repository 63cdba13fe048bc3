//! Lists the constructs of rain that remain for a person.

use std::collections::HashSet;

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};

use super::document::Rain;
use super::{Files, Left};

/// Attributes of a resource that an import cannot have, and the advice for each.
const ATTRIBUTES: [(&str, &str); 6] = [
    ("DependsOn", "a module has no `DependsOn`: write it under `Overrides`, for the resources that need it"),
    ("DeletionPolicy", "a module has no `DeletionPolicy`: write it under `Overrides`"),
    ("UpdateReplacePolicy", "a module has no `UpdateReplacePolicy`: write it under `Overrides`"),
    ("UpdatePolicy", "a module has no `UpdatePolicy`: write it under `Overrides`"),
    ("CreationPolicy", "a module has no `CreationPolicy`: write it under `Overrides`"),
    ("Fn::ForEach", "a module has no `Fn::ForEach`: write `ForEach` with the collection"),
];

/// Lists the remaining constructs of rain in a file, by line. `unknown` are the top-level keys that were below `Rain`.
pub(super) fn left(rain: &Rain<'_>, unknown: &[String], files: Files<'_>) -> Vec<Left> {
    let mut notes = Notes { rain, left: Vec::new() };
    let imports = rain.names("Modules");
    let unknown: HashSet<&str> = unknown.iter().map(String::as_str).collect();
    for entry in rain.tree.entries(rain.root).filter(|entry| unknown.contains(rain.tree.text(entry.key))) {
        notes
            .add(entry.key, format!("`{}` of the section `Rain` has no equivalent: remove it", shown(rain, entry.key)));
    }
    rain.walk(&mut |visit| {
        let reference = rain.tree.argument_of(visit.node, Known::Ref).and_then(|node| rain.tree.string(node));
        if let Some(name) = reference.filter(|name| imports.contains(name)) {
            let name = formwork_base::display::shown(name);
            notes.add(
                visit.node,
                format!("`Ref` does not reach the module {name}: refer to one of its resources or outputs"),
            );
        }
        if let Some((name, _)) = rain.directive(visit.node) {
            notes.add(visit.node, directive(name));
        } else if let Some(path) =
            rain.tree.argument_of(visit.node, Known::InsertFile).and_then(|node| rain.tree.string(node))
        {
            if files(path).is_none() {
                let path = formwork_base::display::shown(path);
                let what = "rain trims the content, `Fn::InsertFile` keeps white space at its ends";
                notes.add(visit.node, format!("{path} cannot be read here: {what}"));
            }
        } else if rain.tree.kind(visit.node) == Kind::String {
            notes.text(visit.node);
        }
    });
    if let Some((_, packages)) = rain.section("Packages") {
        for package in rain.tree.entries(packages) {
            notes.package(package.value);
        }
    }
    if let Some((_, modules)) = rain.section("Modules") {
        for import in rain.tree.entries(modules) {
            notes.import(import.value);
            notes.metadata(import.value);
        }
    }
    if let Some((_, resources)) = rain.section("Resources") {
        for resource in rain.tree.entries(resources) {
            notes.resource(resource.key, resource.value);
            notes.metadata(resource.value);
        }
    }
    notes.left.sort_by(|a, b| (a.line, &a.what).cmp(&(b.line, &b.what)));
    notes.left.dedup();
    notes.left
}

fn shown(rain: &Rain<'_>, node: NodeId) -> String {
    formwork_base::display::shown(rain.tree.text(node))
}

fn directive(name: &str) -> String {
    match name {
        "S3" | "S3Http" => {
            format!("`!Rain::{name}` uploads a file: write the path alone where `formwork package` finds it")
        }
        "Include" => "`!Rain::Include` inserts a fragment: write it literally, or use `AWS::Include`".to_owned(),
        "Env" => "`!Rain::Env` reads an environment variable: pass it as a parameter".to_owned(),
        "Module" => {
            "`!Rain::Module` is the older form of a module: import it under `Modules` with an unused name".to_owned()
        }
        name => format!("`Rain::{name}` has no equivalent"),
    }
}

struct Notes<'n, 't> {
    rain: &'n Rain<'t>,
    left: Vec<Left>,
}

impl Notes<'_, '_> {
    fn add(&mut self, node: NodeId, what: String) {
        self.left.push(Left { line: self.rain.line(self.rain.range(node).start), what });
    }

    fn text(&mut self, node: NodeId) {
        let text = self.rain.tree.text(node);
        if text.starts_with("Rain::OutputValue") {
            self.add(node, "only rain computes `Rain::OutputValue`, at deployment".to_owned());
        } else if text.contains("${Rain::") {
            self.add(
                node,
                "`${Rain::` names a constant: declare it under `Constants` and write `${Const::`".to_owned(),
            );
        }
    }

    fn package(&mut self, package: NodeId) {
        if let Some(hash) = self.rain.tree.get_text(package, "Hash")
            && !self.rain.tree.text(hash).starts_with("sha256:")
        {
            self.add(
                hash,
                "`Hash` names a file with the checksum: write the checksum itself, `sha256:` and 64 digits".to_owned(),
            );
        }
    }

    /// Lists the keys of an import that it cannot have.
    fn import(&mut self, import: NodeId) {
        for (name, what) in ATTRIBUTES {
            if let Some(entry) = self.rain.tree.entries(import).find(|entry| self.rain.tree.text(entry.key) == name) {
                self.add(entry.key, what.to_owned());
            }
        }
    }

    fn resource(&mut self, key: NodeId, resource: NodeId) {
        let tree = &self.rain.tree;
        if tree.text(key) == "ModuleExtension" {
            let what = "`ModuleExtension` extends the resource that uses the module: declare a separate resource";
            self.add(key, what.to_owned());
        }
        let kind = tree.get_text(resource, "Type").and_then(|kind| tree.string(kind).map(|text| (kind, text)));
        if let Some((kind, _)) = kind.filter(|(_, text)| text.starts_with('$')) {
            self.add(kind, "the module of the package is imported under `Modules` with an unused name".to_owned());
        }
    }

    /// Lists helpers that act at deployment.
    fn metadata(&mut self, resource: NodeId) {
        let tree = &self.rain.tree;
        let overrides = tree.get_text(resource, "Overrides").filter(|&node| tree.kind(node) == Kind::Map);
        let overridden: Vec<NodeId> =
            overrides.map_or_else(Vec::new, |node| tree.entries(node).map(|entry| entry.value).collect());
        for resource in overridden.into_iter().chain([resource]) {
            let metadata = tree.get_text(resource, "Metadata").and_then(|node| tree.get_text(node, "Rain"));
            for entry in metadata.map_or_else(Vec::new, |node| tree.entries(node).collect()) {
                let what = match tree.text(entry.key) {
                    "IfParam" | "IfNotParam" => {
                        "`IfParam` and `IfNotParam` drop a resource: use a condition".to_owned()
                    }
                    "Version" | "DistributionLogicalId" => continue,
                    _ => {
                        let name = shown(self.rain, entry.key);
                        format!("only rain uses `{name}` of the metadata, at deployment: it has no effect")
                    }
                };
                self.add(entry.key, what);
            }
        }
    }
}
