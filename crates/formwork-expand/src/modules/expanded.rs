//! Loops of a module's file, and around the imports of any file: expanded with the file's own names, before
//! they get a prefix (reference/modules/copies.md#fn-foreach).

use formwork_base::Span;
use formwork_evaluate::{Argument, Evaluator, ParameterTable, ValueSource};
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Symbol, flags, symbol};
use formwork_template::Template;

use crate::loops::{self, Members, Sections};

use super::Linker;
use super::goals::{Goal, Made, unless_wrong};
use super::instance::InstanceId;

/// Values of parameters by name, and those that are data.
type KnownArguments = (Vec<Argument>, Vec<(Symbol, NodeId)>);

impl Linker<'_> {
    /// The root of an instance's file with its loops expanded. In the template itself that is the business
    /// of the next stage, except in `Modules`.
    pub(super) fn unrolled(&mut self, scope: InstanceId) -> Made<NodeId> {
        let written = self.files[self.instances[scope.at()].file].root;
        if !self.tree.has(written, flags::HAS_LOOP) {
            return Ok(written);
        }
        self.once(Goal::Loops(scope), |agenda| &mut agenda.unrolled, |linker| linker.expanded(written, scope))
    }

    fn expanded(&mut self, root: NodeId, scope: InstanceId) -> Made<NodeId> {
        let name = self.tree.intern("Modules");
        let (mut root, mut sections) = (root, Sections::new());
        if scope != InstanceId::ROOT {
            root = crate::merge_mappings(self.tree, root, self.diagnostics);
            sections = loops::sections_of(self.tree, root);
            sections.retain(|&(known, _)| known != name);
        }
        if self.tree.get(root, name).is_some_and(|modules| self.generates_imports(modules)) {
            sections.push((name, Members::Imports));
        }
        let has_loop = |name| self.tree.get(root, name).is_some_and(|node| self.tree.has(node, flags::HAS_LOOP));
        if sections.iter().any(|&(name, members)| members != Members::Others && has_loop(name)) {
            root = self.run_loops(root, &sections, scope)?;
        }
        Ok(root)
    }

    /// Whether `Fn::Map` or `Fn::Merge` generates entries of `Modules`, as it does in `Resources`.
    fn generates_imports(&self, modules: NodeId) -> bool {
        let generates = |entry: Entry| [symbol::FN_MAP, symbol::FN_MERGE].contains(&self.tree.symbol(entry.key));
        self.tree.kind(modules) == Kind::Call || self.tree.entries(modules).any(generates)
    }

    fn run_loops(&mut self, root: NodeId, sections: &Sections, scope: InstanceId) -> Made<NodeId> {
        let mut template = Template::new(self.tree, root);
        let frame = self.frame(scope);
        let mut settings = self.settings;
        let parameters = if scope == InstanceId::ROOT {
            self.parameters.clone()
        } else {
            settings.language_extensions |= template.declares_language_extensions();
            let (arguments, data) = self.known_arguments(&mut template, scope)?;
            let mut table = ParameterTable::new(self.tree, &template, &arguments, &[], self.facts);
            for (name, value) in data {
                table.bind_data(self.tree, name, value);
            }
            table
        };
        let mut evaluator = Evaluator::new(self.tree, &template, parameters, self.facts, settings, self.diagnostics);
        Ok(loops::expand_sections(&mut evaluator, root, sections, frame))
    }

    /// Values of the module's parameters that loops may run over: those that are written out, and functions of root
    /// parameters by the values passed for them. Other lists and maps than lists of strings are apart.
    fn known_arguments(&mut self, template: &mut Template, scope: InstanceId) -> Made<KnownArguments> {
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
}
