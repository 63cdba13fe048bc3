//! Warnings about references to a resource inside a module by its full ID, when the module has an output with that
//! value (reference/modules/references.md#full-ids).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, IdMap, Span, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::reference::{self, By, Reference};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Linker;
use super::groups::Section;
use super::instance::ImportState;
use super::instance::InstanceId;

/// A resource of a module and, for `Fn::GetAtt`, its attribute, as in the importing file.
type Target = (String, Option<String>);

struct Output {
    import: String,
    name: String,
    key: NodeId,
}

struct Use<'o> {
    output: &'o Output,
    written: String,
    by: By,
    node: NodeId,
    /// The surrounding call, when that string is its whole argument.
    call: Option<NodeId>,
    attribute: Option<NodeId>,
}

impl Linker<'_> {
    /// Reports references by full ID, once per file. Remote files are not the author's to change.
    pub(super) fn warn_of_full_ids(&mut self) {
        let mut imports: IdMap<InstanceId, Vec<(String, InstanceId)>> = IdMap::default();
        for (number, instance) in self.values.instances.iter().enumerate() {
            if let (Some(scope), Some(name), None) = (instance.parent, instance.name, instance.invoked) {
                imports.entry(scope).or_default().push((self.tree.name(name).to_owned(), InstanceId::new(number)));
            }
        }
        let mut seen = FxHashSet::default();
        for number in 0..self.values.instances.len() {
            if self.diagnostics.is_cancelled() {
                return;
            }
            let scope = InstanceId::new(number);
            if self.loaded.files[self.values.instances[number].file].address.is_remote() {
                continue;
            }
            if let Some(imports) = imports.get(&scope).filter(|_| seen.insert(self.values.instances[number].file)) {
                self.warn_of_full_ids_in(scope, imports);
            }
        }
    }

    fn warn_of_full_ids_in(&mut self, scope: InstanceId, imports: &[(String, InstanceId)]) {
        let mut outputs: FxHashMap<Target, Output> = FxHashMap::default();
        for (import, used) in imports {
            let section = self.complete(|linker| linker.section(*used, "Outputs")).flatten();
            for entry in section.map_or_else(Vec::new, |section| self.tree.entries(section).collect()) {
                // Other names cannot be plain steps of a path.
                let is_plain = self.tree.text(entry.key).bytes().all(|byte| byte.is_ascii_alphanumeric());
                if let Some((name, attribute)) = self.target_of_output(entry.value, *used).filter(|_| is_plain) {
                    let name = [import.as_str(), &name].concat();
                    let (import, output) = (import.clone(), self.tree.text(entry.key).to_owned());
                    let output = Output { import, name: output, key: entry.key };
                    outputs.entry((name, attribute)).or_insert(output);
                }
            }
        }
        outputs.retain(|(name, _), _| !self.declares(name, scope));
        if outputs.is_empty() {
            return;
        }
        let root = self.loaded.files[self.values.instances[scope.at()].file].root;
        let spelling = Spelling::of(self.tree, root);
        let found: Vec<Diagnostic> =
            self.uses_of(&outputs, scope).into_iter().map(|used| self.used_full_id(&used, spelling)).collect();
        for diagnostic in found {
            self.report(scope, diagnostic);
        }
    }

    /// Returns `true` for the name of a parameter or a resource that the file itself declares.
    fn declares(&self, name: &str, scope: InstanceId) -> bool {
        let resources = self.written_section(scope, "Resources");
        resources.is_some_and(|section| self.tree.get_text(section, name).is_some())
            || self.tree.symbols().get(name).is_some_and(|name| self.declaration(scope, name).is_some())
    }

    /// Returns the resource of the value of an output, by its name in the module's file, and its attribute; `None` for
    /// a conditional output or another value.
    fn target_of_output(&mut self, output: NodeId, scope: InstanceId) -> Option<Target> {
        let (mut output, mut scope, mut prefix) = (output, scope, String::new());
        loop {
            if self.tree.get(output, symbol::CONDITION).is_some() {
                return None;
            }
            let value = self.tree.get(output, symbol::VALUE)?;
            let View::Call(Function::Known(known), argument) = self.tree.view(value) else { return None };
            let (name, attribute) = match known {
                Known::Ref => (self.tree.string(argument)?, None),
                Known::GetAtt => {
                    let (name, attribute, _) = reference::get_att(self.tree, argument)?;
                    (name, Some(attribute?))
                }
                _ => return None,
            };
            let id = self.tree.symbols().get(name)?;
            if self.declaration(scope, id).is_some() {
                return None;
            }
            let groups = self.values.instances[scope.at()].groups[Section::Resources as usize].as_ref();
            if let Some(groups) = groups.filter(|groups| groups.get(id).is_some()) {
                prefix.push_str(name);
                return (!groups.is_many(id)).then(|| (prefix, attribute.map(str::to_owned)));
            }
            let Some(&(_, Ok(ImportState::Instance(used)))) = self.values.uses.get(&(id, scope)) else { return None };
            prefix.push_str(name);
            let inner = self.tree.symbols().get(attribute?)?;
            let section = self.complete(|linker| linker.section(used, "Outputs")).flatten()?;
            (output, scope) = (self.tree.get(section, inner)?, used);
        }
    }

    fn uses_of<'o>(&self, outputs: &'o FxHashMap<Target, Output>, scope: InstanceId) -> Vec<Use<'o>> {
        let (mut seen, mut variables) = (FxHashSet::default(), FxHashSet::default());
        let (mut found, mut lists) = (Vec::new(), FxHashMap::default());
        for section in ["Modules", "Resources", "Outputs"] {
            let Some(section) = self.written_section(scope, section) else { continue };
            let mut visit = |reference: Reference<'_>| {
                let target = (reference.name.to_owned(), reference.attribute.map(str::to_owned));
                let is_whole = reference.by != By::GetAtt || reference.attribute.is_some();
                let Some(output) = outputs.get(&target).filter(|_| is_whole) else { return };
                let (name, attribute) = target;
                let written = attribute.map_or_else(|| name.clone(), |attribute| [&name, ".", &attribute].concat());
                let Reference { by, node, call, .. } = reference;
                // All variables of a string with the same name are one use.
                if by == By::Sub && !variables.insert((node, written.clone())) {
                    return;
                }
                found.push(Use { output, written, by, node, call, attribute: None });
            };
            let mut enter = |node| {
                let list = self.tree.argument_of(node, Known::GetAtt).map(|argument| self.tree.items(argument));
                if let Some(&[name, attribute]) = list {
                    lists.insert(name, attribute);
                }
                seen.insert(node)
            };
            for entry in self.tree.entries(section) {
                reference::visit(self.tree, entry.value, &mut enter, &mut visit);
            }
        }
        for used in &mut found {
            used.attribute = lists.get(&used.node).copied();
        }
        found
    }

    fn used_full_id(&self, used: &Use<'_>, spelling: Spelling) -> Diagnostic {
        let Use { output, written, .. } = used;
        let (import, name) = (shown(&output.import), shown(&output.name));
        let help = match (used.by, spelling) {
            (By::Sub, _) => format!("write `${{{import}.{name}}}`"),
            (_, Spelling::Json) => format!("write `{{\"Fn::GetAtt\": [\"{import}\", \"{name}\"]}}`"),
            (_, Spelling::Long) => format!("write `Fn::GetAtt: {import}.{name}`"),
            (_, Spelling::Short) => format!("write `!GetAtt {import}.{name}`"),
        };
        let variable = self.variables(used).first().copied();
        let message = format!("{} is the output {name} of import {import}", shown(written));
        let diagnostic = Diagnostic::new(codes::FULL_ID, message)
            .at(variable.unwrap_or(self.tree.span(used.node)))
            .help(help)
            .note("the full ID changes when the module renames the resource, the name of the output does not")
            .related(self.tree.span(output.key), "the output");
        match self.edits(used) {
            Some(edits) => diagnostic.fix_all("refer to the output", edits),
            None => diagnostic,
        }
    }

    fn variables(&self, used: &Use<'_>) -> Vec<Span> {
        if used.by != By::Sub || self.tree.is_generated(used.node) || self.tree.is_alias(used.node) {
            return Vec::new();
        }
        let (span, variable) = (self.tree.span(used.node), format!("${{{}}}", used.written));
        let at = self.sources.slice(span).match_indices(&variable).map(|(at, _)| at + "${".len());
        let offsets = at.filter_map(|at| Some((u32::try_from(at).ok()?, u32::try_from(used.written.len()).ok()?)));
        offsets.map(|(at, len)| Span::new(span.start() + at, span.start() + at + len)).collect()
    }

    /// Returns the replacements for a reference in the source; `None` when more than the reference would be lost.
    fn edits(&self, used: &Use<'_>) -> Option<Vec<(Span, String)>> {
        let Use { output: Output { import, name, .. }, written, node, attribute, .. } = used;
        let of_whole = |node: NodeId| {
            let source = self.sources.slice(self.tree.span(node));
            let is_lossless = !source.contains(['#', '&', '\n']) && !self.tree.is_generated(node);
            (is_lossless && self.tree.anchor(node).is_none() && !self.tree.is_alias(node)).then_some(source)
        };
        // Strings in quotes keep them.
        let of_string = |node: NodeId, text: &str| {
            let source = of_whole(node)?;
            (source.trim_matches(['"', '\'']) == text).then(|| self.tree.span(node))
        };
        match (used.by, attribute) {
            (By::Sub, _) => {
                let edits = self.variables(used).into_iter().map(|span| (span, format!("{import}.{name}")));
                Some(edits.collect()).filter(|edits: &Vec<_>| !edits.is_empty())
            }
            (By::GetAtt, None) => Some(vec![(of_string(*node, written)?, format!("{import}.{name}"))]),
            (By::GetAtt, &Some(attribute)) => Some(vec![
                (of_string(*node, self.tree.text(*node))?, import.clone()),
                (of_string(attribute, self.tree.text(attribute))?, name.clone()),
            ]),
            (By::Ref, _) => {
                let call = used.call?;
                let code = match of_whole(call)?.chars().next()? {
                    '!' => format!("!GetAtt {import}.{name}"),
                    '{' => format!("{{\"Fn::GetAtt\": [\"{import}\", \"{name}\"]}}"),
                    _ => format!("Fn::GetAtt: {import}.{name}"),
                };
                Some(vec![(self.tree.span(call), code)])
            }
            _ => None,
        }
    }
}
