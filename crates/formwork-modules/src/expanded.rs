//! Expansion of the loops of a file and around its imports, with the file's own names, before they get a prefix
//! (reference/modules/copies.md#fn-foreach).

use formwork_base::{IdSet, Span};
use formwork_evaluate::{Argument, Evaluator, ParameterTable, ValueSource};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Symbol, flags, symbol};
use formwork_template::{NamePatterns, Template};

use formwork_loops::{Expanded, NestedCollections, Nesting, SectionEntries, Sections};

use super::Linker;
use super::goal::Goal;
use super::instance::InstanceId;
use super::stop::{Resolved, Value, unless_wrong};

type KnownArguments = (Vec<Argument>, Vec<(Symbol, NodeId)>);

impl Linker<'_> {
    /// Returns the root of an instance's file with the imports that `Fn::Map` and `Fn::Merge` generate, and its
    /// mappings merged.
    pub(super) fn with_imports(&mut self, scope: InstanceId) -> Resolved<NodeId> {
        let written = self.loaded.files[self.values.instances[scope.at()].file].root;
        if !self.tree.has(written, flags::HAS_LOOP) {
            return Ok(written);
        }
        let name = self.tree.intern("Modules");
        let is_generated = self.tree.get(written, name).is_some_and(|modules| self.generates_imports(modules));
        let mappings = self.tree.get(written, symbol::MAPPINGS).filter(|_| scope != InstanceId::ROOT);
        let is_merged = mappings.is_some_and(|mappings| self.tree.has(mappings, flags::HAS_LOOP));
        if !is_generated && !is_merged {
            return Ok(written);
        }
        let compute = |linker: &mut Self| {
            // Those of the template are merged before.
            let root = if is_merged {
                formwork_loops::merge_mappings(linker.tree, written, linker.diagnostics)
            } else {
                written
            };
            if !is_generated {
                return Ok(root);
            }
            let sections = vec![(name, SectionEntries::Imports)];
            linker.run_loops(root, &sections, IdSet::default(), scope, linker.values.frame(scope))
        };
        self.once(Goal::ImportLoops(scope), |agenda| &mut agenda.unrolled, compute)
    }

    pub(super) fn unrolled(&mut self, scope: InstanceId) -> Resolved<NodeId> {
        let root = self.with_imports(scope)?;
        let modules = self.tree.intern("Modules");
        let is_loop =
            |entry: Entry| self.tree.symbol(entry.key) != modules && self.tree.has(entry.value, flags::HAS_LOOP);
        if !self.tree.entries(root).any(is_loop) {
            return Ok(root);
        }
        self.once(Goal::Loops(scope), |agenda| &mut agenda.unrolled, |linker| linker.expanded(root, scope))
    }

    fn expanded(&mut self, root: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let (root, bodies) = self.without_copied_bodies(root);
        let made = self.expanded_apart(root, scope)?;
        Ok(self.with_copied_bodies(made, &bodies))
    }

    /// Returns the root with its loops expanded, except those in copied resources, which wait.
    fn expanded_apart(&mut self, root: NodeId, scope: InstanceId) -> Resolved<NodeId> {
        let name = self.tree.intern("Modules");
        let mut sections = formwork_loops::sections_of(self.tree, root);
        sections.retain(|&(known, _)| known != name);
        let has_loop = |name| self.tree.get(root, name).is_some_and(|node| self.tree.has(node, flags::HAS_LOOP));
        if !sections.iter().any(|&(name, members)| members != SectionEntries::Others && has_loop(name)) {
            return Ok(root);
        }
        if scope != InstanceId::ROOT {
            let root = self.with_known_collections(root, &sections, scope)?;
            return self.run_loops(root, &sections, IdSet::default(), scope, self.values.frame(scope));
        }
        // Mappings and other sections are left to the next stages, and so are most loops.
        sections.retain(|&(_, members)| members != SectionEntries::Others);
        let Some(waiting) = self.waiting_loops(root, &sections)? else { return Ok(root) };
        let root = self.with_known_collections(root, &sections, scope)?;
        self.run_loops(root, &sections, waiting, scope, self.values.frame(scope))
    }

    fn generates_imports(&self, modules: NodeId) -> bool {
        let generates = |entry: Entry| [symbol::FN_MAP, symbol::FN_MERGE].contains(&self.tree.symbol(entry.key));
        self.tree.kind(modules) == Kind::Call || self.tree.entries(modules).any(generates)
    }

    fn run_loops(
        &mut self,
        root: NodeId,
        sections: &Sections,
        waiting: IdSet<NodeId>,
        scope: InstanceId,
        frame: FrameId,
    ) -> Resolved<NodeId> {
        let mut nested = self.values.nested_collections.remove(&scope).unwrap_or_default();
        let answered = self.answer_nested(root, sections, &waiting, (scope, frame), &mut nested);
        let expanded = answered
            .and_then(|()| self.expanded_once(root, sections, waiting, (scope, frame), Nesting::Known(&nested)));
        self.values.nested_collections.insert(scope, nested);
        let (expanded, unchecked) = expanded?;
        if scope == InstanceId::ROOT {
            self.emitted.result.unchecked.extend(unchecked);
            for &(name, _) in sections {
                let entries = self.tree.get(expanded.root, name).into_iter().flat_map(|node| self.tree.entries(node));
                self.emitted
                    .result
                    .made
                    .extend(entries.map(|entry| entry.key).filter(|&key| expanded.made.contains(key)));
            }
            self.emitted.result.loops.extend(expanded.loops);
        }
        Ok(expanded.root)
    }

    /// Computes the collections of nested loops that are written with the module language, level by level.
    fn answer_nested(
        &mut self,
        root: NodeId,
        sections: &Sections,
        waiting: &IdSet<NodeId>,
        (scope, frame): (InstanceId, FrameId),
        nested: &mut NestedCollections,
    ) -> Resolved<()> {
        if !self.nests_collections(root, sections) {
            return Ok(());
        }
        loop {
            while let Some(node) = nested.next() {
                let value = self.known_collection(node, scope)?;
                nested.answer(value);
            }
            // Errors are reported when all of them are known.
            let quiet = self.diagnostics.of_same_run();
            let reported = std::mem::replace(self.diagnostics, quiet);
            let made = self.expanded_once(root, sections, waiting.clone(), (scope, frame), Nesting::Asking(nested));
            *self.diagnostics = reported;
            made?;
            if nested.next().is_none() {
                return Ok(());
            }
        }
    }

    /// Returns the file with the loops in these sections expanded, and the names that they may generate.
    fn expanded_once(
        &mut self,
        root: NodeId,
        sections: &Sections,
        waiting: IdSet<NodeId>,
        (scope, frame): (InstanceId, FrameId),
        nesting: Nesting<'_>,
    ) -> Resolved<(Expanded, NamePatterns)> {
        let mut template = Template::new(self.tree, root);
        let mut settings = self.settings;
        let parameters = if scope == InstanceId::ROOT {
            // The parameters of the template mark secrets (`NoEcho`).
            template.parameters.clone_from(&self.template.parameters);
            self.parameters.clone()
        } else {
            settings.language_extensions |= self.values.instances[scope.at()].declares_loops;
            let (arguments, data) = self.known_arguments(&mut template, scope)?;
            let mut table = ParameterTable::new(self.tree, &template, &arguments, &[], self.facts);
            for (name, value) in data {
                table.bind_data(self.tree, name, value);
            }
            table
        };
        let mut evaluator = Evaluator::new(self.tree, &template, parameters, self.facts, settings, self.diagnostics);
        let expanded = formwork_loops::expand_sections(&mut evaluator, root, sections, waiting, (frame, nesting));
        Ok((expanded, std::mem::take(&mut evaluator.unchecked)))
    }

    pub(super) fn declares_language_extensions(&self, file: usize) -> bool {
        let root = self.loaded.files[file].root;
        self.tree.get(root, symbol::TRANSFORM).is_some()
            && Template::new(self.tree, root).declares_language_extensions()
    }

    /// Returns a value of a file with its loops expanded, with names of the file; `None` when they generate nothing.
    pub(super) fn without_loops(&mut self, value: NodeId, scope: InstanceId) -> Value {
        self.without_loops_at(&["Entry", "Properties", "Value"], value, scope)
    }

    /// Expands the loops of a value at this path in `Resources`.
    pub(super) fn without_loops_at(&mut self, path: &[&str], value: NodeId, scope: InstanceId) -> Value {
        if !self.tree.has(value, flags::HAS_LOOP) {
            return Ok(Some(value));
        }
        let file = self.loaded.files[self.values.instances[scope.at()].file].root;
        let origin = Origin::Generated(value, FrameId::NONE);
        let mut wrapped = value;
        for name in path.iter().rev() {
            let key = self.tree.key(name, Style::Plain, origin);
            wrapped = self.tree.map(&[Entry { key, value: wrapped }], Style::Plain, origin);
        }
        let key = self.tree.key("Resources", Style::Plain, origin);
        let others = self.tree.entries(file).filter(|entry| self.tree.symbol(entry.key) != symbol::RESOURCES);
        let entries: Vec<Entry> = others.chain([Entry { key, value: wrapped }]).collect();
        let root = self.tree.map(&entries, Style::Plain, Origin::Generated(file, FrameId::NONE));
        let sections = vec![(symbol::RESOURCES, SectionEntries::Of(formwork_template::Section::Resources))];
        let root = self.with_known_collections(root, &sections, scope)?;
        // A copied node is seen in its iteration.
        let frame = self.frame_at(value, scope);
        let mut made = self.run_loops(root, &sections, IdSet::default(), scope, frame)?;
        for &name in [&"Resources"].into_iter().chain(path) {
            let Some(node) = self.tree.get_text(made, name) else { return Ok(None) };
            made = node;
        }
        Ok(Some(made))
    }

    /// Returns the values of the module's parameters that loops may iterate over: literal ones, and functions of root
    /// parameters by the values passed for them. Lists and mappings other than lists of strings are separate.
    fn known_arguments(&mut self, template: &mut Template, scope: InstanceId) -> Resolved<KnownArguments> {
        let (mut arguments, mut data) = (Vec::new(), Vec::new());
        let names: Vec<Symbol> = template.parameters.iter().map(|parameter| parameter.name).collect();
        for (at, name) in names.into_iter().enumerate() {
            let Some(value) = unless_wrong(self.binding(scope, name))?.flatten() else { continue };
            let known = self.quietly_computed(value);
            template.parameters[at].no_echo |= known.is_none();
            template.parameters[at].default = None;
            let Some(known) = known else { continue };
            let is_list_type = template.parameters[at].kind.is_list;
            let is_text = self.tree.items(known).iter().all(|&item| self.tree.is_scalar(item));
            let value = match self.tree.kind(known) {
                Kind::Call => continue,
                Kind::List if self.is_empty_text(known) => {
                    self.tree.scalar(Kind::String, Style::Plain, "", Origin::Authored(Span::NONE))
                }
                Kind::Map | Kind::List if !is_list_type || !is_text => {
                    data.push((name, known));
                    continue;
                }
                _ => known,
            };
            arguments.push(Argument { name, value, given: ValueSource::File, is_optional: false });
        }
        Ok((arguments, data))
    }

    /// Returns a section of the file of an instance, its loops expanded, when it is a mapping.
    pub(super) fn section(&mut self, scope: InstanceId, name: &str) -> Resolved<Option<NodeId>> {
        // The collections of loops in other sections may need a mapping or a condition.
        let written = self.with_imports(scope)?;
        let is_asked_by_loops = matches!(name, "Mappings" | "Conditions");
        let is_as_written = |&node: &NodeId| is_asked_by_loops && !self.tree.has(node, flags::HAS_LOOP);
        let mut section = self.tree.get_text(written, name).filter(is_as_written);
        if section.is_none() {
            let root = self.unrolled(scope)?;
            section = self.tree.get_text(root, name);
        }
        Ok(section.filter(|&node| self.tree.kind(node) == Kind::Map))
    }
}
