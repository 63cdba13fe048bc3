//! The pipeline: load, parse, link, expand, evaluate, check.
//!
//! `compile_bytes` calls the stages in order. Without errors their product is the result; a text with errors is checked
//! as far as it could be read (`rest`, `damage`, `poison`), one with lost imports without them (`without_modules`). Bodies of
//! loops without items are judged with unknown ones (`unknown_items`).
//!
//! A run decides at its end, in `compile_bytes` and `finish`, which of its diagnostics it reports: those that others
//! explain are left out, then those that authors suppress and those that are not selected, before `--strict` raises
//! any. After that no code changes or removes one.

mod checked;
mod damage;
mod evaluation;
mod finish;
mod includes;
mod inputs;
mod known;
mod linked;
mod lost_names;
mod misplaced;
mod misspelt;
mod origins;
mod poison;
mod rest;
mod schemas;
mod serverless;
mod sites;
mod unknown_items;
mod unused_variables;
mod without_modules;

use formwork_base::{
    Cancellation, Code, Diagnostic, Diagnostics, FileBytes, FileId, Goal, Host, ReadError, Severities, SourceMap, Span,
    VirtualPath, codes,
};
use formwork_checks::{Context, Written, checks, parameters};
use formwork_evaluate::{ParameterTable, Settings, UnresolvedLoops, Values};
use formwork_loops::{UnknownItem, budget};
use formwork_modules::include;
use formwork_syntax::{
    Document, FileCache, Files, Kind, NodeId, Origin, Role, Style, Tree, decode, symbol, without_pasted,
};
use formwork_template::prune::prune;
use formwork_template::{NamePattern, NamePatterns, Template, absent_dependencies};

use evaluation::Evaluation;
use known::Known;
pub(crate) use serverless::Transformed;

use crate::compilation::{Compilation, Replayable};
use crate::options::{LanguageExtensions, Options, Serverless};
use crate::packaged_collections;
use crate::stack_arguments::StackArguments;

/// Returns `true` if diagnostics with a code describe the template that is written.
pub(crate) fn is_about_output(code: Code) -> bool {
    code.info().severities == Severities::Output
}

static NO_PATTERNS: NamePatterns = NamePatterns::new();

/// A callback for the beginning of each stage, with its name.
pub type Observer<'o> = &'o dyn Fn(&'static str);

/// The compilation of a template for a goal.
pub(crate) struct Run<'r> {
    options: &'r Options,
    files: Files<'r>,
    included: include::Includes,
    observer: Observer<'r>,
    goal: Goal,
    tree: Tree,
    sources: SourceMap,
    diagnostics: Diagnostics,
    secrets: Vec<Span>,
    known: Option<Known>,
    /// `None` without constructs of the module language.
    linked: Option<formwork_modules::Linked>,
    stack_arguments: StackArguments,
    pruned: Vec<String>,
    file: Option<FileId>,
    is_module: bool,
    /// Names that imports which are not inlined may generate.
    lost_names: Vec<NamePattern>,
    /// The reasons for which the serverless transform refuses the template.
    refused: Diagnostics,
    /// Set while bodies of loops without items are judged.
    has_unknown_items: bool,
}

impl<'r> Run<'r> {
    /// Creates a run that reads through `host`; `cache` has the files that the session knows.
    pub(crate) fn new(
        host: &'r dyn Host,
        cache: &'r FileCache,
        options: &'r Options,
        observer: Observer<'r>,
        goal: Goal,
    ) -> Run<'r> {
        // Spans of the parent are valid in its nested templates, too.
        let mut sources = options.parent.as_ref().map_or_else(SourceMap::new, |parent| parent.sources.clone());
        sources.set_prefix(&options.display_prefix);
        Run {
            options,
            files: Files::new(host, cache, &options.limits),
            included: include::Includes::default(),
            observer,
            goal,
            tree: Tree::new(),
            sources,
            diagnostics: Diagnostics::new(),
            secrets: options.parent.as_ref().map_or_else(Vec::new, |parent| parent.secrets.clone()),
            known: None,
            linked: None,
            stack_arguments: StackArguments::default(),
            pruned: Vec::new(),
            file: None,
            is_module: options.is_imported,
            lost_names: Vec::new(),
            refused: Diagnostics::new(),
            has_unknown_items: false,
        }
    }

    /// Lets the run end early when it is cancelled. It has no result then.
    pub(crate) fn cancelled_by(mut self, cancellation: &Cancellation) -> Run<'r> {
        self.diagnostics = self.diagnostics.cancelled_by(cancellation.clone());
        self
    }

    pub(crate) fn compile(self, path: &VirtualPath) -> Compilation {
        match self.files.read_template(path) {
            Ok(bytes) => self.compile_bytes(path, bytes),
            Err(error) => self.unreadable(path, &error),
        }
    }

    fn unreadable(mut self, path: &VirtualPath, error: &ReadError) -> Compilation {
        self.diagnostics.push(Diagnostic::new(codes::UNREADABLE_FILE, format!("{path} cannot be read: {error}")));
        self.finish_without(path, Vec::new().into())
    }

    fn compile_bytes(mut self, path: &VirtualPath, bytes: FileBytes) -> Compilation {
        (self.observer)("load");
        let display = self.sources.shown(path);
        let Some((file, encoding)) = self.load((path, &display, Role::Template), &bytes) else {
            return self.finish_without(path, bytes);
        };
        self.file = Some(file);
        self.redirect(file, path);
        (self.observer)("parse");
        let mut document = self.parse(file);
        if self.diagnostics.is_cancelled() || self.is_of_another_kind(&document) {
            return self.finish_without_output(document, encoding, bytes);
        }
        // Only a module has a use for the section.
        self.is_module |= self.goal == Goal::Check
            && self.tree.kind(document.root) == Kind::Map
            && self.tree.get_text(document.root, "ParameterSchema").is_some();
        (self.observer)("link");
        let written = document;
        let damage = self.repair(&mut document);
        let Some(root) = self.inlined(document) else {
            return self.finish_without_output(written, encoding, bytes);
        };
        let mut template = self.template(root);
        template.was_module_document = self.linked.as_ref().is_some_and(|linked| linked.is_module_document);
        self.secrets.extend(template.secret_spans(&self.tree));
        self.leave_out_previous(&mut template);
        let (is_linked, is_incomplete) = (self.is_linked(), self.is_incomplete());
        let is_whole = document.is_well_formed && is_linked && !is_incomplete;
        document.is_well_formed &= damage.is_none();
        let result = if is_whole { self.expand(&template, document) } else { self.look_at_broken(&template, document) };
        self.leave_out_what_others_explain(written.root);
        if !is_linked || is_incomplete {
            self.check_without_modules(document);
            self.look_at_modules(&template, document);
        }
        if let Some(compiled) = &result {
            let parameters = &compiled.replay.parameters;
            packaged_collections::report(&self.tree, &template, parameters, self.goal, &mut self.diagnostics);
        }
        self.diagnostics.narrow(&self.sources);
        self.diagnostics.quote_fixes(&self.sources);
        if !written.is_well_formed {
            self.leave_out_poison();
        }
        if let Some(damage) = damage {
            self.leave_out_consequences(&damage, document.root);
            let template = self.template(written.root);
            self.secrets.extend(template.secret_spans(&self.tree));
            return self.finish(written, written.root, template, encoding, bytes, None);
        }
        let (root, replay) = match result {
            Some(compiled) => (compiled.root, Some(compiled.replay)),
            None => (self.finished(root, root), None),
        };
        self.finish(written, root, template, encoding, bytes, replay)
    }

    /// Removes the parts that could not be read, so that the rest can be checked. The result lists the losses.
    fn repair(&mut self, document: &mut Document) -> Option<rest::Damage> {
        let mut damage = None;
        document.is_well_formed |= self.is_only_pasted(*document);
        if !document.is_well_formed {
            if let Some(root) = self.with_poison(document.root) {
                (document.root, document.is_well_formed) = (root, true);
            } else if let Some((root, lost)) = self.undamaged(*document) {
                (document.root, document.is_well_formed, damage) = (root, true, Some(lost));
            }
        }
        document.root = self.put_right(*document);
        damage
    }

    /// Returns `true` if the only error is something that was copied with the template.
    fn is_only_pasted(&self, document: Document) -> bool {
        let is_yaml = document.format == formwork_syntax::Format::Yaml;
        let has_one = self.diagnostics.error_count() == 1 && self.tree.kind(document.root) == Kind::Map;
        is_yaml && has_one && without_pasted(self.sources.text(document.file)).is_some()
    }

    /// Inlines the content of other files: includes, modules, merged mappings. `None` when the run ends here: it is
    /// cancelled, or the template is too large.
    fn inlined(&mut self, document: Document) -> Option<NodeId> {
        let path = &self.sources.path(document.file).clone();
        let included = self.include(document.root, path);
        if self.diagnostics.is_cancelled() {
            return None;
        }
        // Packaging uploads included files; they were read for their errors.
        let root = if self.goal.keeps_constructs() { document.root } else { included };
        let root = self.link_modules(root, document, path);
        let root = self.include_computed(root, path);
        if self.diagnostics.is_cancelled() {
            return None;
        }
        let root = if document.is_well_formed {
            formwork_loops::merge_mappings(&mut self.tree, root, &mut self.diagnostics)
        } else {
            root
        };
        let fits = !self.is_linked()
            || budget::is_within_budget(&mut self.tree, root, &self.options.limits, &mut self.diagnostics);
        fits.then_some(root)
    }

    fn leave_out_what_others_explain(&mut self, root: NodeId) {
        self.diagnostics.explain();
        self.diagnostics.leave_out_consequences();
        unused_variables::leave_out(&mut self.diagnostics);
        if self.goal == Goal::Check {
            misspelt::leave_out(&self.tree, root, &self.sources, &mut self.diagnostics);
        }
    }

    /// Reads the sections of the template. A parameter that gets a secret from the parent template is secret.
    fn template(&self, root: NodeId) -> Template {
        let mut template = Template::new(&self.tree, root);
        template.is_module = self.is_module;
        // An input of a module may be a list, whatever its type is called.
        for parameter in template.parameters.iter_mut().filter(|_| self.is_module) {
            let kind = self.tree.get(parameter.node, symbol::TYPE).map_or("", |kind| self.tree.text(kind));
            let is_list = parameter.default.is_some_and(|default| self.tree.kind(default) == Kind::List);
            parameter.kind.is_list |= is_list || matches!(kind, "Array" | "List");
        }
        if let Some(parent) = &self.options.parent {
            for parameter in &mut template.parameters {
                parameter.no_echo |= parent.passes_secret(self.tree.name(parameter.name));
            }
        }
        template
    }

    /// Removes Defaults if the stack keeps an unknown previous value instead.
    fn leave_out_previous(&self, template: &mut Template) {
        for parameter in &mut template.parameters {
            if self.options.previous_value_parameters.iter().any(|name| name == self.tree.name(parameter.name)) {
                parameter.default = None;
            }
        }
    }

    fn settings(&self, template: &Template) -> Settings {
        let language_extensions = match self.options.language_extensions {
            // A file that imports the module may declare it.
            LanguageExtensions::Auto => template.declares_language_extensions() || template.is_module,
            LanguageExtensions::Always => true,
            LanguageExtensions::Never => false,
        };
        let values = if self.goal.is_for_any_values() { self.options.values } else { Values::Resolve };
        let Options { compat, unresolved_loops, limits, .. } = *self.options;
        // The loops of a packaged template may stay where CloudFormation expands them.
        let unresolved_loops = match unresolved_loops {
            UnresolvedLoops::None if self.goal.keeps_constructs() => UnresolvedLoops::Undeclared,
            unresolved_loops => unresolved_loops,
        };
        // Only the deployment knows the values that are passed to a nested template: it is compiled as in a check.
        let is_nested_check = self.options.parent.is_some() && self.goal.is_thorough();
        let as_goal = if is_nested_check { Goal::Check } else { self.goal };
        let value_missing = Severities::Unchecked.told(as_goal);
        let unresolved_loops = if is_nested_check { UnresolvedLoops::None } else { unresolved_loops };
        let looks_at_all = self.goal.is_thorough();
        Settings {
            values,
            language_extensions,
            compat,
            unresolved_loops,
            value_missing,
            looks_at_all,
            has_unknown_items: self.has_unknown_items,
            limits,
        }
    }

    fn expand(&mut self, template: &Template, document: Document) -> Option<Compiled> {
        (self.observer)("check");
        let Known { arguments, facts, pseudo } = self.known();
        let settings = self.settings(template);
        self.add_secret_values(template, &arguments);
        let is_rules = self.goal.is_of_rules();
        let mut context = self.context(template, document, template.root, settings);
        let sound = if is_rules { checks::of_parameters(&mut context) } else { checks::before(&mut context) };
        let are_valid =
            parameters::check(&mut self.context(template, document, template.root, settings), &arguments, &facts);
        let is_no_template = !sound && self.tree.kind(template.root) != Kind::Map;
        if is_no_template || self.diagnostics.is_cancelled() {
            return None;
        }
        self.check_region(&facts);
        let table = ParameterTable::new(&mut self.tree, template, &arguments, &pseudo, &facts);
        let rules = self.rules(template, document, (&arguments, &table), &facts, are_valid);
        if is_rules {
            let replay = Replayable::new((table, arguments, facts), settings, template.root, rules);
            return Some(Compiled { root: template.root, replay, unknown: Vec::new() });
        }
        let Evaluation { expanded, root, unchecked, parameters, lacks_items } =
            self.evaluated(template, table, &facts, settings)?;
        let passed =
            schemas::Passed { arguments: &arguments, pseudo: &pseudo, facts: &facts, settings, made: &expanded.made };
        // Without the resources of a loop the template is not whole.
        let whole = (!lacks_items || self.has_unknown_items).then_some((expanded.root, root));
        let transformed = whole.and_then(|whole| self.transformed(template, whole, &parameters, &passed));
        self.check_result(template, document, (expanded.root, root), transformed.as_ref(), &passed, &unchecked);
        if lacks_items && self.goal == Goal::Check && !self.has_unknown_items && document.is_well_formed {
            let (arguments, facts, pseudo) = (arguments.clone(), facts.clone(), pseudo.clone());
            self.known = Some(Known { arguments, facts, pseudo });
            self.judge_unknown_items(document);
        }
        let (root, transformed) =
            self.outputs((template, document), (expanded.root, root), transformed, settings.values);
        let serverless = (self.options.serverless == Serverless::Output && template.is_serverless())
            .then(|| self.serverless_settings(template, &arguments, settings.values));
        let replay = Replayable {
            loops: expanded.loops,
            unchecked,
            transformed,
            serverless,
            ..Replayable::new((parameters, arguments, facts), settings, expanded.root, rules)
        };
        Some(Compiled { root, replay, unknown: expanded.unknown })
    }

    /// Returns the result as it is written, and that of the serverless transform.
    fn outputs(
        &mut self,
        (template, document): (&Template, Document),
        (whole, root): (NodeId, NodeId),
        transformed: Option<Transformed>,
        values: Values,
    ) -> (NodeId, Option<Transformed>) {
        let is_output = self.options.serverless.is_output() && !self.goal.is_thorough();
        let mut finish = |whole: NodeId, root: NodeId| {
            let root = self.finished(root, root);
            let root = absent_dependencies::leave_out(&mut self.tree, root, whole);
            self.prune(document.root, template.root, root, values)
        };
        let transformed = transformed.map(|one| Transformed { root: finish(one.whole, one.root), ..one });
        let root = match transformed.as_ref().filter(|_| is_output) {
            Some(transformed) => transformed.root,
            None => finish(whole, root),
        };
        (root, transformed)
    }

    /// Compiles a document with other diagnostics than those of the run, up to its checks.
    fn compiled_apart(&mut self, document: Document, apart: Diagnostics) -> Apart {
        let (known, linked) = (std::mem::replace(&mut self.diagnostics, apart), self.linked.take());
        let root = self.inlined(Document { is_well_formed: true, ..document });
        let compiled = root.filter(|_| self.is_linked()).and_then(|root| self.expand(&self.template(root), document));
        self.leave_out_what_others_explain(document.root);
        let linked = std::mem::replace(&mut self.linked, linked);
        let mut unknown = linked.map_or_else(Vec::new, |linked| linked.unknown);
        let mut roots: Vec<NodeId> = root.into_iter().collect();
        if let Some(compiled) = compiled {
            roots.extend([compiled.replay.expanded, compiled.root]);
            unknown.extend(compiled.unknown);
        }
        Apart { roots, unknown, found: std::mem::replace(&mut self.diagnostics, known) }
    }

    /// Removes declarations that only computed parts used from the output.
    fn prune(&mut self, written: NodeId, linked: NodeId, root: NodeId, values: Values) -> NodeId {
        if !self.options.prune || !matches!(self.goal, Goal::Expand | Goal::Resolve) {
            return root;
        }
        let parameters = matches!(values, Values::All | Values::Resolve);
        let pruned = prune(&mut self.tree, &[written, linked], root, parameters);
        self.pruned = pruned.names;
        pruned.root
    }

    fn context<'c>(
        &'c mut self,
        template: &'c Template,
        document: Document,
        result: NodeId,
        settings: Settings,
    ) -> Context<'c> {
        Context {
            tree: &self.tree,
            sources: &self.sources,
            document,
            template,
            result,
            goal: self.goal,
            language_extensions: settings.language_extensions,
            strict: None,
            written: self.linked.as_ref().map(|linked| Written {
                documents: &linked.documents,
                changed: &linked.changed,
                removed: &linked.removed,
            }),
            unrolled: template.root,
            becomes: None,
            unchecked: &NO_PATTERNS,
            for_service: self.options.for_service,
            allow_unresolved: self.options.allow_unresolved,
            is_imported: self.options.is_imported,
            selection: &self.options.selection,
            parent: self.options.parent.as_ref().map(|parent| parent.in_checks()),
            diagnostics: &mut self.diagnostics,
        }
    }

    /// The result of a run whose output would be too large to be walked.
    fn finish_without_output(self, document: Document, encoding: decode::Encoding, bytes: FileBytes) -> Compilation {
        let template = Template::new(&self.tree, document.root);
        self.finish(document, document.root, template, encoding, bytes, None)
    }

    fn finish_without(mut self, path: &VirtualPath, bytes: FileBytes) -> Compilation {
        // The parent's files are in front of it.
        let others = self.options.parent.as_ref().map_or(0, |parent| parent.sources.files().count());
        let file = self.sources.files().nth(others).or_else(|| self.sources.add(path.clone(), ""));
        let root = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(Span::NONE));
        let template = Template::new(&self.tree, root);
        let Some(file) = file else { unreachable!("an empty file has room") };
        let document = Document { file, format: formwork_syntax::Format::Yaml, root, is_well_formed: false };
        self.finish(document, root, template, decode::Encoding::Utf8, bytes, None)
    }
}

/// A document that was compiled apart from the one of the run.
struct Apart {
    /// Its roots after the stages.
    roots: Vec<NodeId>,
    unknown: Vec<UnknownItem>,
    found: Diagnostics,
}

struct Compiled {
    root: NodeId,
    replay: Replayable,
    unknown: Vec<UnknownItem>,
}
