//! Both sides of a plan, compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::nested::PathErrors;
use formwork::planning::Compiled;
use formwork::{
    Compilation, FileBytes, Goal, LanguageExtensions, Options, ParameterValue, ParameterWord, Report, Serverless,
    Session, SourceFile, Values, VirtualPath, parameter_words,
};

use crate::Status;
use crate::args::PlanArgs;
use crate::failure::{Failure, FileFailure};
use crate::inputs::folder;
use crate::inputs::{self, Input};
use crate::live::Live;
use crate::surroundings::Surroundings;
use formwork_run::git::{GitHost, Named, Repository};
use formwork_run::recorded_stack::{self as stack, Recorded};

pub(super) struct Compared {
    pub(super) old: Compiled,
    pub(super) new: Compiled,
    /// The source of the old side, for its processed template.
    pub(super) old_input: ComparedSide,
    pub(super) recorded: Option<Recorded>,
    pub(super) template: PathBuf,
    /// Reports with errors; then nothing is compared.
    pub(super) failed: Vec<Report>,
    /// The revisions from which sides were read.
    revisions: Vec<Arc<GitHost>>,
}

pub(super) enum ComparedSide {
    /// A template and its options; `false` if the revision does not have it.
    Template(Box<Input>, bool),
    /// A stack, seen with the options of the other side.
    Stack(Box<Options>),
}

impl Compared {
    /// Reads and compiles both sides. Returns the exit status if the stack cannot be read.
    ///
    /// # Errors
    /// When the arguments are invalid, or a file or revision in them cannot be read.
    pub(super) fn read(args: &PlanArgs) -> Result<Result<Compared, Status>, Failure> {
        let mut live = live(args)?;
        let goal = goal(args);
        let (old_path, template) = paths(args)?;
        let surroundings = Surroundings::default();
        let (mut new, mut old, mut recorded, mut revisions) = (None, None, None, Vec::new());
        if let Some(word) = &args.git {
            let (first, second) = of_git(args, &surroundings, &template, word, &mut revisions)?;
            (old, new) = (Some(first), Some(second));
        }
        let new = match new {
            Some(new) => new,
            None => ComparedSide::Template(Box::new(read(args, &surroundings, &template)?), true),
        };
        let ComparedSide::Template(mut new, has_new) = new else { return Err("a plan has a template".into()) };
        let old = match (old, old_path) {
            (Some(old), _) => old,
            (None, Some(path)) => ComparedSide::Template(Box::new(read(args, &surroundings, &path)?), true),
            (None, None) => match read_stack(args, &new)? {
                Old::Stack(stack) => {
                    stack.apply_to(&mut new.options);
                    let options = new.options.clone();
                    recorded = Some(*stack);
                    ComparedSide::Stack(Box::new(options))
                }
                Old::Same => ComparedSide::Template(Box::new(same(&new)), true),
                Old::Unread(status) => return Ok(Err(status)),
            },
        };
        against(args, &mut new, &template)?;
        let mut failed = Vec::new();
        let new_source = ComparedSide::Template(new, has_new);
        let mut compared = Compared {
            old: compile(&mut live, &old, recorded.as_ref(), goal, &mut failed)?,
            new: compile(&mut live, &new_source, None, goal, &mut failed)?,
            old_input: old,
            recorded,
            template,
            failed,
            revisions,
        };
        compared.agree_on_transform(&mut live, new_source, goal)?;
        compared.proved()?;
        Ok(Ok(compared))
    }

    /// Fails for a file of a revision whose existence is unknown: without it a side could look milder.
    fn proved(&self) -> Result<(), Failure> {
        Ok(self.revisions.iter().try_for_each(|host| host.proved())?)
    }

    /// Expands the language extensions of both sides if one of them has the transform.
    fn agree_on_transform(&mut self, live: &mut Live, mut new: ComparedSide, goal: Goal) -> Result<(), Failure> {
        let has = |compiled: &Compiled| compiled.root.as_deref().map(expands);
        let (Some(old), Some(now)) = (has(&self.old), has(&self.new)) else { return Ok(()) };
        if old == now {
            return Ok(());
        }
        let source = if old { &mut new } else { &mut self.old_input };
        let options = match source {
            ComparedSide::Template(input, _) => &mut input.options,
            ComparedSide::Stack(options) => &mut **options,
        };
        if options.language_extensions == LanguageExtensions::Auto {
            options.language_extensions = LanguageExtensions::Always;
            let recorded = self.recorded.as_ref().filter(|_| !old);
            let compiled = compile(live, if old { &new } else { &self.old_input }, recorded, goal, &mut self.failed)?;
            *(if old { &mut self.new } else { &mut self.old }) = compiled;
        }
        Ok(())
    }

    /// The old side as CloudFormation processes it, with loops expanded and references resolved.
    ///
    /// # Errors
    /// When AWS cannot be queried.
    pub(super) fn processed(&self, args: &PlanArgs) -> Result<Option<Arc<Compilation>>, Failure> {
        match (&self.old_input, &self.recorded) {
            (ComparedSide::Stack(options), Some(recorded)) => Ok(recorded.processed(options)),
            (ComparedSide::Template(input, true), _) => {
                let options = Options { values: Values::All, ..input.options.clone() };
                let input = Input { options, ..same(input) };
                let report = Live::new(&args.inputs)?.compile(&input, Goal::Expand, None)?;
                self.proved()?;
                Ok(Some(Arc::clone(report.compilation())).filter(|compiled| !compiled.has_errors()))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn old_options(&self) -> &Options {
        match &self.old_input {
            ComparedSide::Template(input, _) => &input.options,
            ComparedSide::Stack(options) => options,
        }
    }
}

/// The old side if it is not a template.
enum Old {
    Stack(Box<Recorded>),
    /// The template of the new side with other values.
    Same,
    #[cfg_attr(not(feature = "aws"), expect(dead_code, reason = "nothing is asked"))]
    Unread(Status),
}

/// Account data: a run that reads a deployed stack calls AWS in any case.
fn live(args: &PlanArgs) -> Result<Live, Failure> {
    #[cfg(feature = "aws")]
    if of_stack(args).is_some() {
        return Live::online(&args.inputs);
    }
    Live::new(&args.inputs)
}

fn of_stack(args: &PlanArgs) -> Option<&str> {
    #[cfg(feature = "aws")]
    return args.stack.as_deref();
    #[cfg(not(feature = "aws"))]
    {
        let _ = args;
        None
    }
}

fn read_stack(args: &PlanArgs, new: &Input) -> Result<Old, Failure> {
    #[cfg(feature = "aws")]
    if let Some(name) = of_stack(args) {
        crate::service_names::check_stack(name)?;
        let settings = crate::live::settings(&args.inputs)?;
        let mut diagnostics = crate::report::Reporter::new(&args.report);
        let mut reporter = formwork_stacks::reporter::DeployReporter::new(&mut diagnostics);
        return Ok(match formwork_stacks::around::record(&settings, name, &mut reporter) {
            Ok(record) => Old::Stack(Box::new(stack::read(Path::new(name), record.to_string().as_bytes())?)),
            Err(status) => {
                reporter.finish();
                Old::Unread(status)
            }
        });
    }
    let Some(path) = &args.stack_snapshot else { return Ok(Old::Same) };
    let bytes = new.host.loader().read_named(path).map_err(|error| FileFailure::unread(path, &error))?;
    Ok(Old::Stack(Box::new(stack::read(path, &bytes)?)))
}

fn goal(args: &PlanArgs) -> Goal {
    match args.stage {
        crate::args::StageArg::Resolve => Goal::Resolve,
        crate::args::StageArg::Expand => Goal::Expand,
    }
}

fn expands(compilation: &Compilation) -> bool {
    compilation.template().transforms.iter().any(|transform| transform.name == "AWS::LanguageExtensions")
}

/// The old template, if it is a file, and the new one.
fn paths(args: &PlanArgs) -> Result<(Option<PathBuf>, PathBuf), Failure> {
    let others = [args.git.is_some(), args.stack_snapshot.is_some(), of_stack(args).is_some()];
    let has_other = others.contains(&true);
    match args.template.as_slice() {
        [old, new] if [old, new].iter().all(|path| path.as_os_str() == "-") => {
            Err("standard input is only one of the two templates\n  help: pass a file for the other one".into())
        }
        [old, new] if !has_other => Ok((Some(old.clone()), new.clone())),
        [_, _] => Err("two templates are compared with each other\n  help: leave out --git or --stack-snapshot, or the first template".into()),
        one => {
            if !has_other && !args.against.is_given() {
                return Err("there is nothing to compare with\n  help: pass two templates, or add `--git main...`, `--stack-snapshot FILE` or `--against-parameter-overrides K=V`".into());
            }
            let template = crate::default_template::named_or_own(one.first())?;
            Ok((None, template))
        }
    }
}

fn read(args: &PlanArgs, surroundings: &Surroundings, path: &Path) -> Result<Input, Failure> {
    let file = crate::templates::TemplateFile::named(path.to_owned());
    let mut input = inputs::read_in(surroundings, &file, "plan", Values::Keep, (&args.inputs, args.report.strict))?;
    // A plan compares what the transform makes.
    input.options.serverless = Serverless::Output;
    Ok(input)
}

fn same(input: &Input) -> Input {
    Input {
        path: input.path.clone(),
        host: Arc::clone(&input.host),
        session: input.session.clone(),
        options: input.options.clone(),
        region: input.region.clone(),
        upload: inputs::Upload::default(),
        excluded: Vec::new(),
    }
}

fn of_git(
    args: &PlanArgs,
    surroundings: &Surroundings,
    template: &Path,
    word: &str,
    hosts: &mut Vec<Arc<GitHost>>,
) -> Result<(ComparedSide, ComparedSide), Failure> {
    if template == Path::new("-") {
        return Err("standard input is not in a Git revision\n  help: name the template".into());
    }
    let repository = Repository::around(folder(template))?;
    let revisions = repository.revisions(word)?;
    let mut at = |input: &Input, commit: &str| {
        let host = Arc::new(repository.host(commit, Arc::clone(&input.host))?);
        hosts.push(Arc::clone(&host));
        at_commit(input, host, commit, template)
    };
    let Some(new) = &revisions.new else {
        let new = read(args, surroundings, template)?;
        let old = at(&new, &revisions.old)?;
        return Ok((old, ComparedSide::Template(Box::new(new), true)));
    };
    // The directory is that of the working tree; its content is not used.
    let none = (FileBytes::from(Vec::new()), None);
    let mut base =
        inputs::read_content(surroundings, template, none, ("plan", Values::Keep), (&args.inputs, args.report.strict))?;
    base.options.serverless = Serverless::Output;
    Ok((at(&base, &revisions.old)?, at(&base, new)?))
}

/// A template at a commit, with the parameters files of that commit.
fn at_commit(input: &Input, host: Arc<GitHost>, commit: &str, template: &Path) -> Result<ComparedSide, Failure> {
    let mut options = input.options.clone();
    for files in [&mut options.parameter_files, &mut options.accounts] {
        let mut kept = Vec::new();
        for mut file in std::mem::take(files) {
            match host.named(Path::new(&file.display))? {
                Named::File(bytes) => file.bytes = bytes,
                // A file outside of the repository has no revisions; a new file has no old side.
                Named::Outside => {}
                Named::Absent => continue,
            }
            kept.push(file);
        }
        *files = kept;
    }
    let missing = || FileFailure::missing(template).of_template();
    let has_template = match host.named(template)? {
        Named::File(_) => true,
        Named::Absent => false,
        Named::Outside => return Err(missing().into()),
    };
    let name = template.file_name().map(|name| VirtualPath::new(&name.to_string_lossy())).ok_or_else(missing)?;
    let short = commit.get(..12).unwrap_or(commit);
    options.display_prefix = format!("{short}:{}", options.display_prefix);
    let session = Session::new(host, Options::default());
    let input = Input { session, options, path: name, ..same(input) };
    Ok(ComparedSide::Template(Box::new(input), has_template))
}

fn against(args: &PlanArgs, new: &mut Input, template: &Path) -> Result<(), Failure> {
    let loader = new.host.loader().clone();
    let files = |paths: &[PathBuf]| inputs::side_files_of(&loader, template, paths);
    let options = &mut new.options;
    if !args.against.against_parameters_file.is_empty() && !options.parameters.is_empty() {
        // Values of the new side take precedence over those of both, also if the former are in a file.
        let shared = std::mem::take(&mut options.parameters);
        options.parameter_files.push(as_file(&shared));
    }
    options.parameter_files.extend(files(&args.against.against_parameters_file)?);
    options.accounts.extend(files(&args.against.against_account)?);
    let words = parameter_words(args.against.against_parameter_overrides.iter().map(String::as_str));
    for word in words.map_err(|error| format!("{error}\n  help: {}", error.help()))? {
        match word {
            ParameterWord::Value(value) => options.parameters.push(value),
            ParameterWord::File(path) => options.parameter_files.extend(files(&[PathBuf::from(path)])?),
        }
    }
    for word in &args.against.against_pseudo {
        let (name, value) = inputs::pseudo_word(word)?;
        options.pseudo.retain(|(known, _)| *known != name);
        options.pseudo.push((name, value));
    }
    Ok(())
}

/// Values of the command line as a parameters file.
fn as_file(values: &[ParameterValue]) -> SourceFile {
    let rows =
        values.iter().map(|value| serde_json::json!({"ParameterKey": value.name, "ParameterValue": value.value}));
    let rows: Vec<serde_json::Value> = rows.collect();
    let name = "<--parameter-overrides>".to_owned();
    let bytes = serde_json::to_vec(&rows).unwrap_or_default().into();
    SourceFile { path: name.clone(), display: name, bytes }
}

fn compile(
    live: &mut Live,
    source: &ComparedSide,
    recorded: Option<&Recorded>,
    goal: Goal,
    failed: &mut Vec<Report>,
) -> Result<Compiled, Failure> {
    let compiled = match (source, recorded) {
        (ComparedSide::Template(_, false), _) => Compiled::default(),
        (ComparedSide::Template(input, true), _) => {
            let (analysis, report) = live.analyze(input, goal, None)?;
            let root = Arc::clone(report.compilation());
            let nested = analysis.session().compile_nested(&root, goal, PathErrors::LeftToPackaging);
            Compiled { root: Some(root), nested }
        }
        (ComparedSide::Stack(options), Some(recorded)) => recorded.compile(options, goal),
        (ComparedSide::Stack(_), None) => Compiled::default(),
    };
    let all = compiled.root.iter().chain(&compiled.nested.templates);
    failed.extend(all.filter(|template| template.has_errors()).map(|template| Report::from(Arc::clone(template))));
    Ok(compiled)
}
