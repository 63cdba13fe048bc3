//! Loops of a module's file, worked off with the file's own names before they get a prefix
//! (reference/modules/copies.md#fn-foreach).

use formwork_base::Span;
use formwork_evaluate::{Argument, Evaluator, Given, ParameterTable};
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Symbol, flags, function, symbol};
use formwork_template::Template;

use super::Linker;
use super::goals::{Goal, Made, unless_wrong};
use super::instance::Scope;

impl Linker<'_> {
    /// The root of an instance's file with its loops unrolled. In the template itself that is the
    /// next stage's business, except in `Modules`.
    pub(super) fn unrolled(&mut self, scope: Scope) -> Made<NodeId> {
        let written = self.files[self.instances[scope.0].file].root;
        if !self.tree.has(written, flags::HAS_LOOP) {
            return Ok(written);
        }
        self.once(Goal::Loops(scope), |linker| &mut linker.unrolled, |linker| linker.unroll(written, scope))
    }

    fn unroll(&mut self, root: NodeId, scope: Scope) -> Made<NodeId> {
        let mut root = root;
        if scope != Scope::ROOT {
            root = crate::merge_mappings(self.tree, root, self.diagnostics);
            let sections = [symbol::CONDITIONS, symbol::RESOURCES, symbol::OUTPUTS];
            let has_loop = sections
                .iter()
                .any(|&name| self.tree.get(root, name).is_some_and(|node| self.tree.has(node, flags::HAS_LOOP)));
            if has_loop {
                root = self.run_loops(root, scope)?;
            }
        }
        let Some(modules) = self.tree.get_text(root, "Modules") else { return Ok(root) };
        let made = self.unrolled_imports(root, modules, scope)?;
        if made == modules {
            return Ok(root);
        }
        let entries: Vec<Entry> = self
            .tree
            .entries(root)
            .map(|entry| if entry.value == modules { Entry { key: entry.key, value: made } } else { entry })
            .collect();
        Ok(self.map_in_place(root, &entries, FrameId::NONE))
    }

    /// `Fn::Map` and `Fn::Merge` around imports: the engine of loops makes members of them as it does
    /// in `Resources`.
    fn unrolled_imports(&mut self, root: NodeId, modules: NodeId, scope: Scope) -> Made<NodeId> {
        let is_call = self.tree.kind(modules) == Kind::Call;
        let entries: Vec<Entry> = self.tree.entries(modules).collect();
        let is_key =
            |linker: &Self, entry: &Entry| [symbol::FN_MAP, symbol::FN_MERGE].contains(&linker.tree.symbol(entry.key));
        if !is_call && !entries.iter().any(|entry| is_key(self, entry)) {
            return Ok(modules);
        }
        let is_loop = |linker: &Self, entry: &Entry| function::loop_name(linker.tree.text(entry.key)).is_some();
        let (loops, others): (Vec<Entry>, Vec<Entry>) = entries.iter().partition(|entry| is_loop(self, entry));
        let section = if loops.is_empty() { modules } else { self.map_in_place(modules, &others, FrameId::NONE) };
        let origin = Origin::Made(modules, FrameId::NONE);
        let key = self.tree.key("Resources", Style::Plain, origin);
        let mut members: Vec<Entry> = self
            .tree
            .entries(root)
            .filter(|entry| {
                [symbol::PARAMETERS, symbol::MAPPINGS, symbol::CONDITIONS, symbol::TRANSFORM]
                    .contains(&self.tree.symbol(entry.key))
            })
            .collect();
        members.push(Entry { key, value: section });
        let stand_in = self.tree.map(&members, Style::Plain, origin);
        let made = self.run_loops(stand_in, scope)?;
        let Some(made) = self.tree.get(made, symbol::RESOURCES) else { return Ok(modules) };
        if loops.is_empty() {
            return Ok(made);
        }
        let mut all: Vec<Entry> = self.tree.entries(made).collect();
        all.extend(loops);
        Ok(self.map_in_place(modules, &all, FrameId::NONE))
    }

    fn run_loops(&mut self, root: NodeId, scope: Scope) -> Made<NodeId> {
        let mut template = Template::new(self.tree, root);
        let frame = self.frame(scope);
        let mut settings = self.settings;
        let parameters = if scope == Scope::ROOT {
            self.parameters.clone()
        } else {
            settings.language_extensions |= template.declares_language_extensions();
            let arguments = self.known_arguments(&mut template, scope)?;
            ParameterTable::new(self.tree, &template, &arguments, &[], self.facts)
        };
        let mut evaluator = Evaluator::new(self.tree, &template, parameters, self.facts, settings, self.diagnostics);
        Ok(crate::loops::expand_module(&mut evaluator, root, frame))
    }

    /// Values of the module's parameters that loops may run over: those that are written out, and
    /// root parameters by what was given for them.
    fn known_arguments(&mut self, template: &mut Template, scope: Scope) -> Made<Vec<Argument>> {
        let mut arguments = Vec::new();
        let names: Vec<Symbol> = template.parameters.iter().map(|parameter| parameter.name).collect();
        for (at, name) in names.into_iter().enumerate() {
            let Some(value) = unless_wrong(self.binding(scope, name))?.flatten() else { continue };
            let mut known = value;
            if let Some(target) =
                self.tree.argument_of(value, function::Known::Ref).and_then(|target| self.tree.string(target))
                && let Some(target) = self.tree.symbols().get(target)
            {
                if self.template.parameter(target).is_some_and(|parameter| parameter.no_echo) {
                    template.parameters[at].no_echo = true;
                }
                known = self.root_value(target).unwrap_or(value);
            }
            template.parameters[at].default = None;
            let is_text = |node: NodeId| self.tree.is_scalar(node);
            let is_known = is_text(known)
                || self.tree.kind(known) == Kind::List && self.tree.items(known).iter().all(|&item| is_text(item));
            if self.empty_lists.contains(&known) {
                let empty = self.tree.scalar(Kind::String, Style::Plain, "", Origin::Authored(Span::NONE));
                arguments.push(Argument { name, value: empty, given: Given::File });
            } else if is_known {
                arguments.push(Argument { name, value: known, given: Given::File });
            }
        }
        Ok(arguments)
    }
}
