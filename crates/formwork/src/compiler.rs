//! The one way through: load, parse, link, expand, evaluate, check.

use formwork_base::{
    Code, Diagnostic, Diagnostics, FileBytes, FileId, Files, Host, Severity, SourceMap, Span, VirtualPath, codes,
};
use formwork_evaluate::{Argument, Evaluator, Facts, Given, LeftLoops, ParameterTable, Settings, Values, arguments};
use formwork_expand::{budget, include, modules};
use formwork_rules::{Command, Context, checks, parameters, rules};
use formwork_syntax::document::shown;
use formwork_syntax::{Document, Kind, NodeId, Origin, Style, Tree, decode};
use formwork_template::{PseudoParameter, Template};

use crate::compilation::{Compilation, Replayable, RulesRun};
use crate::deployment::StackArguments;
use crate::options::{LanguageExtensions, Options, ParameterValue, SourceFile, UnknownRules};
use crate::secrets;

/// What a template is compiled to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A plain template that any tool and the service accept, with references to its parameters.
    Expand,
    /// What would be deployed with the given values.
    Resolve,
    /// Every problem, and no template.
    Check,
    /// Every problem that keeps a template from being deployed, and no template.
    Deploy,
    /// Parameter values and rules alone, and no template.
    Rules,
    /// Rules, for values that are looked for: parameters need none.
    Solve,
    /// What packaging asks for: expanded to see every iteration, while the template as written is what
    /// is rewritten (see [`Compilation::plan`]).
    Package,
}

impl Stage {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Expand => "expand",
            Stage::Resolve => "resolve",
            Stage::Check => "check",
            Stage::Deploy => "deploy",
            Stage::Rules => "rules check",
            Stage::Solve => "rules solve",
            Stage::Package => "package",
        }
    }

    fn command(self) -> Command {
        match self {
            Stage::Expand | Stage::Package => Command::Expand,
            Stage::Resolve => Command::Resolve,
            Stage::Check => Command::Check,
            Stage::Deploy => Command::Deploy,
            Stage::Rules => Command::Rules,
            Stage::Solve => Command::Solve,
        }
    }
}

/// Compiles templates that a host holds.
pub struct Compiler<'h> {
    host: &'h dyn Host,
    options: Options,
    observer: Option<Observer<'h>>,
}

/// Told of each stage when it begins: its name.
pub type Observer<'o> = &'o dyn Fn(&'static str);

impl<'h> Compiler<'h> {
    /// A compiler that reads through `host`.
    pub fn new(host: &'h dyn Host, options: Options) -> Compiler<'h> {
        Compiler { host, options, observer: None }
    }

    /// Tells `observer` of each stage when it begins, for timings.
    #[must_use]
    pub fn observed_by(mut self, observer: Observer<'h>) -> Compiler<'h> {
        self.observer = Some(observer);
        self
    }

    /// Compiles the template at `path`.
    pub fn compile(&self, path: &str, stage: Stage) -> Compilation {
        let path = VirtualPath::new(path);
        match self.host.read(&path) {
            Ok(bytes) => self.compile_bytes(path, bytes, stage),
            Err(error) => {
                let mut run = self.new_run(stage);
                run.diagnostics
                    .push(Diagnostic::new(codes::UNREADABLE_FILE, format!("{path} cannot be read: {error}")));
                run.finish_without(path, Vec::new().into())
            }
        }
    }

    /// Compiles a template whose content is at hand; its includes are read through the host.
    pub fn compile_bytes(&self, path: VirtualPath, bytes: FileBytes, stage: Stage) -> Compilation {
        self.new_run(stage).run(path, bytes)
    }

    /// Where it reads.
    pub(crate) fn host(&self) -> &'h dyn Host {
        self.host
    }

    /// What it compiles with.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The same compiler with other options.
    pub(crate) fn with_options(&self, options: Options) -> Compiler<'h> {
        Compiler { host: self.host, options, observer: self.observer }
    }

    fn new_run(&self, stage: Stage) -> Run<'_> {
        // Spans of the parent hold in its nested templates, too.
        let mut sources = self.options.parent.as_ref().map_or_else(SourceMap::new, |parent| parent.sources.clone());
        sources.set_prefix(&self.options.display_prefix);
        Run {
            options: &self.options,
            files: Files::new(self.host, &self.options.limits),
            included: include::Includes::default(),
            observer: self.observer.unwrap_or(&|_| {}),
            stage,
            tree: Tree::new(),
            sources,
            diagnostics: Diagnostics::new(),
            secrets: self.options.parent.as_ref().map_or_else(Vec::new, |parent| parent.secrets.clone()),
            known: None,
            linked: None,
            stack_arguments: StackArguments::default(),
        }
    }
}

/// What describes the template that is written.
const ABOUT_OUTPUT: [Code; 2] = [codes::VALUE_FIXED, codes::KEPT_FOR_TRANSFORM];

/// One run of a compiler.
struct Run<'r> {
    options: &'r Options,
    files: Files<'r>,
    included: include::Includes,
    observer: Observer<'r>,
    stage: Stage,
    tree: Tree,
    sources: SourceMap,
    diagnostics: Diagnostics,
    secrets: Vec<Span>,
    known: Option<Known>,
    /// None when there is nothing of the module language.
    linked: Option<modules::Linked>,
    stack_arguments: StackArguments,
}

/// What the run was told of values, read once.
struct Known {
    arguments: Vec<Argument>,
    facts: Facts,
    pseudo: Vec<(PseudoParameter, NodeId)>,
}

impl Run<'_> {
    fn run(mut self, path: VirtualPath, bytes: FileBytes) -> Compilation {
        (self.observer)("load");
        let Some((file, encoding)) = self.load(path.clone(), None, &bytes) else {
            return self.finish_without(path, bytes);
        };
        (self.observer)("parse");
        let mut document =
            formwork_syntax::read(&mut self.tree, &self.sources, file, &self.options.limits, &mut self.diagnostics);
        (self.observer)("link");
        let written = document.root;
        let included = self.include(document.root, &path);
        // Packaging uploads what is included; it was read for its problems.
        let root = if self.stage == Stage::Package { document.root } else { included };
        let root = self.link_modules(root, document, &path);
        let root = formwork_expand::merge_mappings(&mut self.tree, root, &mut self.diagnostics);
        // What a failed import leaves behind says nothing that the failure did not say.
        let is_linked = !self.linked.as_ref().is_some_and(|linked| linked.is_broken);
        if is_linked && !budget::is_within_budget(&mut self.tree, root, &self.options.limits, &mut self.diagnostics) {
            return self.finish_without_output(document, encoding, bytes);
        }
        let mut template = Template::new(&self.tree, root);
        if let Some(parent) = &self.options.parent {
            for parameter in &mut template.parameters {
                parameter.no_echo |= parent.passes_secret(self.tree.name(parameter.name));
            }
        }
        template.was_module_document = self.linked.as_ref().is_some_and(|linked| linked.is_module_document);
        self.secrets.extend(template.secret_spans(&self.tree));
        for parameter in &mut template.parameters {
            // What a stack keeps instead is not known.
            if self.options.kept_parameters.iter().any(|name| name == self.tree.name(parameter.name)) {
                parameter.default = None;
            }
        }
        let is_incomplete = self.linked.as_ref().is_some_and(|linked| linked.is_incomplete);
        let is_whole = document.sound && is_linked && !is_incomplete;
        let result =
            if is_whole { self.compile(&template, document) } else { self.look_at_broken(&template, document) };
        // A placeholder that stays is why a name is unknown.
        self.diagnostics.absorb(codes::PLACEHOLDER_LITERAL);
        self.diagnostics.absorb(codes::AMPERSAND_LITERAL);
        self.diagnostics.leave_out(codes::UNKNOWN_CONDITION, codes::FUNCTION_LAYOUT);
        self.diagnostics.leave_out(codes::RULES_STRUCTURE, codes::NULL_VALUE);
        self.diagnostics.leave_out(codes::FUNCTION_NOT_ALLOWED, codes::POLICY_VALUE);
        self.diagnostics.quote_fixes(&self.sources);
        document.root = written;
        let (root, replay) = match result {
            Some(compiled) => (compiled.root, Some(compiled.replay)),
            None => (self.finished(root, root), None),
        };
        self.finish(document, root, template, encoding, bytes, replay)
    }

    /// Takes a file's bytes into the session; `None` when they are no text or too many.
    fn load(&mut self, path: VirtualPath, display: Option<&str>, bytes: &[u8]) -> Option<(FileId, decode::Encoding)> {
        let limit = self.options.limits.file_bytes;
        if bytes.len() as u64 > limit {
            self.diagnostics.push(Diagnostic::new(
                codes::LIMIT,
                format!("{path} is too large: the limit of {limit} bytes is exceeded"),
            ));
            return None;
        }
        let (text, encoding, error) = decode::decode(bytes);
        let name = path.to_string();
        let file = match display {
            Some(display) => self.sources.add_shown(path, display, text)?,
            None => self.sources.add(path, text)?,
        };
        if let Some(error) = error {
            let at = self.sources.text(file).find('\u{fffd}').unwrap_or(0) as u32 + self.sources.base(file);
            self.diagnostics
                .push(error.at(Span::new(at, at + '\u{fffd}'.len_utf8() as u32)).label("this is no character"));
            return None;
        }
        if let Some(at) = memchr::memchr(0, self.sources.text(file).as_bytes()) {
            let start = self.sources.base(file) + at as u32;
            // It is no text at all, and may be anything.
            self.sources.hide(file);
            self.diagnostics.push(
                Diagnostic::new(codes::BAD_ENCODING, format!("{name} holds a NUL character"))
                    .at(Span::new(start, start + 1))
                    .help("remove it"),
            );
            return None;
        }
        Some((file, encoding))
    }

    /// A file beside the template: read as a document, its problems reported. What is neither a template
    /// nor a file of parameters is never quoted.
    fn side_document(&mut self, file: &SourceFile, is_quoted: bool) -> Option<Document> {
        let (file, _) = self.load(VirtualPath::new(&file.path), Some(&file.display), &file.bytes)?;
        if !is_quoted {
            self.sources.hide(file);
        }
        let document =
            formwork_syntax::read(&mut self.tree, &self.sources, file, &self.options.limits, &mut self.diagnostics);
        document.sound.then_some(document)
    }

    /// The same of a file of parameter values, whose lines are never quoted.
    fn parameters_document(&mut self, file: &SourceFile) -> Option<Document> {
        let others = std::mem::take(&mut self.diagnostics);
        let known = self.sources.files().count();
        let document = self.side_document(file, false);
        let found = std::mem::replace(&mut self.diagnostics, others);
        for diagnostic in secrets::without_values(found, &self.sources) {
            self.diagnostics.push(diagnostic);
        }
        let added: Vec<FileId> = self.sources.files().skip(known).collect();
        for file in added {
            self.sources.hide(file);
        }
        document
    }

    fn include(&mut self, root: NodeId, path: &VirtualPath) -> NodeId {
        let mut context = include::Context {
            tree: &mut self.tree,
            sources: &mut self.sources,
            reading: &self.files,
            limits: &self.options.limits,
            diagnostics: &mut self.diagnostics,
            missing_is_error: self.stage != Stage::Expand,
        };
        self.included.include(&mut context, root, path)
    }

    /// The template with its modules in place.
    fn link_modules(&mut self, root: NodeId, document: Document, path: &VirtualPath) -> NodeId {
        if !document.sound || !modules::is_needed(&self.tree, root) {
            return root;
        }
        let template = Template::new(&self.tree, root);
        let known = self.known();
        let parameters = ParameterTable::new(&mut self.tree, &template, &known.arguments, &known.pseudo, &known.facts);
        let settings = self.settings(&template);
        let context = modules::Context {
            tree: &mut self.tree,
            sources: &mut self.sources,
            reading: &self.files,
            diagnostics: &mut self.diagnostics,
            template: &template,
            parameters: &parameters,
            facts: &known.facts,
            settings,
            choices: self.options.modules,
            includes: (self.stage != Stage::Package).then_some(self.stage != Stage::Expand),
            included: &mut self.included,
        };
        let linked = modules::link(context, document, path);
        let root = linked.root;
        self.known = Some(known);
        self.linked = Some(linked);
        root
    }

    /// Values of parameters and facts, from what was given and from files.
    fn known(&mut self) -> Known {
        self.known.take().unwrap_or_else(|| Known {
            arguments: self.arguments(),
            facts: self.facts(),
            pseudo: self.pseudo(),
        })
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let options = self.options;
        let is_deployed = self.stage == Stage::Deploy;
        let mut found: Vec<Argument> = Vec::new();
        found.extend(options.configured_parameters.iter().map(|value| self.argument(value)));
        for file in &options.parameter_files {
            if let Some(document) = self.parameters_document(file) {
                let more = arguments::from_document(&mut self.tree, document.root, &mut self.diagnostics);
                if is_deployed {
                    let kept = arguments::kept(&self.tree, document.root);
                    found.retain(|argument| !kept.contains(&self.tree.name(argument.name)));
                    self.stack_arguments.add(&self.tree, &self.sources, document, &mut self.diagnostics);
                }
                found.extend(more);
            }
        }
        let given: Vec<Argument> = options.parameters.iter().map(|value| self.argument(value)).collect();
        found.extend(given);
        for passed in options.parent.iter().flat_map(|parent| &parent.passing.values) {
            let name = self.tree.intern(&passed.name);
            let value = self.tree.scalar(Kind::String, Style::Plain, &passed.value, Origin::Authored(passed.span));
            found.push(Argument { name, value, given: Given::CommandLine });
        }
        found
    }

    fn argument(&mut self, value: &ParameterValue) -> Argument {
        let name = self.tree.intern(&value.name);
        let node = self.tree.scalar(Kind::String, Style::Plain, &value.value, Origin::Authored(Span::NONE));
        Argument { name, value: node, given: value.given }
    }

    fn facts(&mut self) -> Facts {
        let mut facts = Facts::default();
        let options = self.options;
        for file in &options.accounts {
            if let Some(document) = self.side_document(file, false) {
                facts.add_document(&mut self.tree, document.root, &mut self.diagnostics);
            }
        }
        facts
    }

    fn pseudo(&mut self) -> Vec<(PseudoParameter, NodeId)> {
        let options = self.options;
        options
            .pseudo
            .iter()
            .map(|(pseudo, text)| {
                (*pseudo, self.tree.scalar(Kind::String, Style::Plain, text, Origin::Authored(Span::NONE)))
            })
            .collect()
    }

    fn settings(&self, template: &Template) -> Settings {
        let language_extensions = match self.options.language_extensions {
            LanguageExtensions::Auto => template.declares_language_extensions(),
            LanguageExtensions::Always => true,
            LanguageExtensions::Never => false,
        };
        let values = match self.stage {
            Stage::Expand | Stage::Package => self.options.values,
            Stage::Resolve | Stage::Check | Stage::Deploy | Stage::Rules | Stage::Solve => Values::Resolve,
        };
        let Options { compat, left_loops, limits, .. } = *self.options;
        // A check tells what it could not look at, and may pass all the same; so it is where only the deployment
        // knows what is passed to a nested template.
        let is_nested_check = self.options.parent.is_some() && matches!(self.stage, Stage::Check | Stage::Deploy);
        let is_checked = self.stage == Stage::Check || is_nested_check;
        let value_missing = if is_checked { Severity::Warning } else { Severity::Error };
        let left_loops = if is_nested_check { LeftLoops::None } else { left_loops };
        Settings { values, language_extensions, compat, left_loops, value_missing, limits }
    }

    fn compile(&mut self, template: &Template, document: Document) -> Option<Compiled> {
        (self.observer)("check");
        let Known { arguments, facts, pseudo } = self.known();
        let settings = self.settings(template);
        self.add_secret_values(template, &arguments);
        let is_rules = matches!(self.stage, Stage::Rules | Stage::Solve);
        let mut context = self.context(template, document, template.root, settings);
        let sound = if is_rules { checks::of_parameters(&mut context) } else { checks::before(&mut context) };
        let are_valid =
            parameters::check(&mut self.context(template, document, template.root, settings), &arguments, &facts);
        if !sound && self.tree.kind(template.root) != Kind::Map {
            return None;
        }
        self.check_region(&facts);
        let table = ParameterTable::new(&mut self.tree, template, &arguments, &pseudo, &facts);
        let rules = self.rules(template, document, &table, &facts, are_valid);
        if is_rules {
            let expanded = template.root;
            let (loops, unchecked) = (Vec::new(), Vec::new());
            let replay =
                Replayable { parameters: table, facts, settings, expanded, loops, unchecked, rules, arguments };
            return Some(Compiled { root: template.root, replay });
        }
        (self.observer)("expand");
        let mut evaluator = Evaluator::new(&mut self.tree, template, table, &facts, settings, &mut self.diagnostics);
        let mut expanded = formwork_expand::expand(&mut evaluator, template.root);
        expanded.made.extend(self.linked.iter().flat_map(|linked| &linked.made));
        (self.observer)("evaluate");
        let root = evaluator.run(expanded.root).root;
        let unchecked = std::mem::take(&mut evaluator.unchecked);
        let parameters = evaluator.into_parameters();
        // Values of mappings and parameters are shared by the places that look them up.
        if !budget::is_within_budget(&mut self.tree, root, &settings.limits, &mut self.diagnostics) {
            return None;
        }
        (self.observer)("check");
        let is_thorough = self.stage.command().is_thorough();
        // Structure and quotas count everything, whatever the conditions say; references are those of what would be
        // deployed.
        let result = if is_thorough { expanded.root } else { root };
        let mut context = self.context(template, document, result, settings).unrolled(expanded.root, &expanded.made);
        if is_thorough {
            context = context.without(&unchecked);
        }
        checks::after(&mut context);
        if is_thorough {
            checks::deployed(&mut self.context(template, document, root, settings).without(&unchecked));
        }
        let counted = self.finished(result, root);
        let mut context = self.context(template, document, counted, settings).unrolled(expanded.root, &expanded.made);
        if is_thorough {
            context = context.without(&unchecked);
        }
        checks::of_size(&mut context);
        let root = self.finished(root, root);
        let (expanded, loops) = (expanded.root, expanded.loops);
        let replay = Replayable { parameters, facts, settings, expanded, loops, unchecked, rules, arguments };
        Some(Compiled { root, replay })
    }

    /// The template without what modules brought along for the stages alone. `used` has the names that are
    /// looked up in the end.
    fn finished(&mut self, root: NodeId, used: NodeId) -> NodeId {
        self.linked.as_ref().map_or(root, |linked| modules::finish(&mut self.tree, root, used, linked))
    }

    /// Reads the rules and, with valid values, evaluates them (reference/rules.md#evaluation).
    fn rules(
        &mut self,
        template: &Template,
        document: Document,
        table: &ParameterTable,
        facts: &Facts,
        are_valid: bool,
    ) -> RulesRun {
        if matches!(self.stage, Stage::Expand | Stage::Package) {
            return RulesRun::default();
        }
        (self.observer)("rules");
        let options = self.options;
        let constraints: Vec<Document> =
            options.constraints.iter().filter_map(|file| self.side_document(file, true)).collect();
        // A document that is not well-formed keeps the rules from being evaluated, not from being looked at.
        let set = rules::read(&self.tree, template, document, &constraints, &mut self.diagnostics)
            .filter(|_| constraints.len() == options.constraints.len());
        let report = match &set {
            Some(set) if are_valid && self.stage != Stage::Solve => {
                let settings = self.rules_settings();
                rules::evaluate(set, &self.tree, template, table, facts, settings, &mut self.diagnostics)
            }
            _ => None,
        };
        RulesRun { set, report }
    }

    fn rules_settings(&self) -> rules::Settings {
        let unknown = match (self.stage, self.options.unknown_rules) {
            (Stage::Rules, UnknownRules::Fail) => Some(Severity::Error),
            (Stage::Rules, UnknownRules::Skip) => None,
            _ => Some(Severity::Warning),
        };
        rules::Settings { value_of_all: self.options.value_of_all, unknown }
    }

    /// Account data of another Region than the one that was named tells nothing about it.
    fn check_region(&mut self, facts: &Facts) {
        let own = self.options.pseudo.iter().rev().find(|(name, _)| *name == PseudoParameter::Region);
        let captured = facts.pseudo.iter().find(|(name, _)| *name == PseudoParameter::Region.name());
        let (Some((_, own)), Some(&(_, captured))) = (own, captured) else { return };
        let text = self.tree.text_form(captured);
        if text != own {
            let message = format!("the account data is of {}, and the Region is {}", shown(text), shown(own));
            let diagnostic = Diagnostic::new(codes::ACCOUNT_FILE, message)
                .severity(Severity::Warning)
                .at(self.tree.span(captured))
                .help("give account data of the Region that you deploy to");
            self.diagnostics.push(diagnostic);
        }
    }

    /// A text that is not well-formed: its structure is looked at, as far as it could be read; names
    /// are not, since what they name may have been lost.
    fn look_at_broken(&mut self, template: &Template, document: Document) -> Option<Compiled> {
        let settings = self.settings(template);
        if self.tree.kind(template.root) == Kind::Map {
            checks::broken(&mut self.context(template, document, template.root, settings));
        }
        None
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
            command: self.stage.command(),
            language_extensions: settings.language_extensions,
            strict: None,
            unrolled: template.root,
            unchecked: &[],
            for_service: self.options.for_service,
            allow_unresolved: self.options.allow_unresolved,
            parent: self.options.parent.as_ref().map(|parent| parent.in_checks()),
            diagnostics: &mut self.diagnostics,
        }
    }

    /// Values given for `NoEcho` parameters: their text is never shown either.
    fn add_secret_values(&mut self, template: &Template, arguments: &[Argument]) {
        for argument in arguments {
            let is_secret = template.parameter(argument.name).is_some_and(|parameter| parameter.no_echo);
            let span = self.tree.span(argument.value);
            if is_secret && !span.is_none() {
                self.secrets.push(span);
            }
        }
    }

    /// The result of a run whose output would be too large to be walked.
    fn finish_without_output(self, document: Document, encoding: decode::Encoding, bytes: FileBytes) -> Compilation {
        let template = Template::new(&self.tree, document.root);
        self.finish(document, document.root, template, encoding, bytes, None)
    }

    fn finish_without(mut self, path: VirtualPath, bytes: FileBytes) -> Compilation {
        // The parent's files are in front of it.
        let others = self.options.parent.as_ref().map_or(0, |parent| parent.sources.files().count());
        let file = self.sources.files().nth(others).or_else(|| self.sources.add(path, ""));
        let root = self.tree.scalar(Kind::Null, Style::Plain, "", Origin::Authored(Span::NONE));
        let template = Template::new(&self.tree, root);
        let Some(file) = file else { unreachable!("an empty file has room") };
        let document = Document { file, format: formwork_syntax::Format::Yaml, root, sound: false };
        self.finish(document, root, template, decode::Encoding::Utf8, bytes, None)
    }

    fn finish(
        mut self,
        document: Document,
        root: NodeId,
        template: Template,
        encoding: decode::Encoding,
        bytes: FileBytes,
        replay: Option<Replayable>,
    ) -> Compilation {
        let settings = self.rules_settings();
        // What is said of an output means nothing where there is none.
        let is_without_output = self.diagnostics.has_errors();
        if self.options.strict {
            self.diagnostics.raise_warnings();
        }
        if self.stage == Stage::Check {
            self.diagnostics.raise(codes::DUPLICATE_KEY, Severity::Error);
        }
        if !self.diagnostics.is_empty() {
            self.secrets.extend(secrets::default_spans(&self.tree, &self.sources));
            if !document.sound {
                for file in self.sources.files() {
                    let (text, base) = (self.sources.text(file), self.sources.base(file));
                    self.secrets.extend(secrets::unread_default_spans(&self.tree, text, base));
                }
            }
        }
        let has_errors = self.diagnostics.has_errors();
        let mut diagnostics = self.diagnostics.into_sorted(&self.sources);
        secrets::mask(&mut diagnostics, &self.secrets, &self.sources);
        let parent = self.options.parent.clone();
        if let Some(parent) = &parent {
            for diagnostic in &mut diagnostics {
                parent.put_in_context(diagnostic);
            }
        }
        if is_without_output {
            diagnostics.retain(|diagnostic| !ABOUT_OUTPUT.contains(&diagnostic.code));
        }
        Compilation {
            tree: self.tree,
            sources: self.sources,
            document,
            root,
            template,
            encoding,
            bytes,
            diagnostics,
            has_errors,
            strict: self.options.strict,
            parent,
            secrets: self.secrets,
            rules_settings: settings,
            stage: self.stage,
            linked: self.linked,
            replay,
            stack_arguments: self.stack_arguments,
        }
    }
}

/// What the stages made.
struct Compiled {
    root: NodeId,
    replay: Replayable,
}
