//! Local nested templates, compiled with the values that their parents pass (reference/packaging.md#nested;
//! reference/command-line.md#checks).
//!
//! A nested template is a run of its own: it sees pseudo parameters and the passed values, and nothing else of its
//! parent. [`Parent`] has the values of its parameters ([`formwork_package::Passing`]) and the frames that lead to it.
//! A value of a `NoEcho` parameter makes secret the parameter to which it is passed. Files of the parent come before
//! the nested template's own, so that spans of the parent are valid in both.
//!
//! [`Session::compile_nested`] follows nested templates with a list, each file once for each set of values, and returns
//! their reports and the diagnostics of the template itself. Every check calls it, and packaging compiles its units
//! with the same [`Parent`]. A stack under a condition that is false is packaged and not checked.

pub(crate) mod clean;
mod outputs;
mod remember;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use formwork_base::display::shown;
use formwork_base::{
    Diagnostic, FileBytes, Frame, FrameKind, Goal, ReadError, Span, VirtualPath, codes, keep_ends, lock,
};
use formwork_package::ArtifactRef;

use crate::compilation::Compilation;
use crate::packaging::File;
use crate::report::Report;
use crate::session::Session;

pub use crate::parent::{Parent, Use};
pub use clean::CleanUses;

/// The largest number of nested templates of a run: CloudFormation accepts at most as many resources in all stacks of
/// an operation (reference/structure.md#quotas).
const MOST_TEMPLATES: usize = 2_500;

/// The largest total size of the nested templates of a run in bytes, each counted once for each set of values.
const MOST_BYTES: u64 = 64 << 20;

/// Returns the parent of the nested template at `path`, to which `need` of `compilation` refers.
pub fn parent_of(compilation: &Compilation, need: &ArtifactRef, path: &VirtualPath) -> Parent {
    let shown_path = compilation.sources.shown(path);
    let mut frames = compilation.context().to_vec();
    frames.extend(need.frames.iter().cloned());
    // Every level has the contexts of all levels above it.
    keep_ends(&mut frames);
    frames.push(Frame {
        kind: FrameKind::Stack,
        name: need.resource.clone(),
        value: Some(shown_path.clone()),
        index: None,
        length: None,
        loop_name: None,
        span: need.key,
        item: Span::NONE,
    });
    let written = written_in(compilation, need);
    let origin = |parameter: Option<&String>| {
        let known = parameter.and_then(|name| compilation.parent.as_ref()?.origins.get(name));
        known.or(written.as_ref()).cloned()
    };
    let values = need.passing.values.iter();
    let origins = values.filter_map(|passed| Some((passed.name.clone(), origin(passed.parameter.as_ref())?)));
    Parent {
        sources: compilation.sources.clone(),
        secrets: compilation.secrets.clone(),
        frames,
        passing: need.passing.clone(),
        resource: need.resource.clone(),
        key: need.key,
        shown_path,
        origins: origins.collect(),
    }
}

/// The stage that reports paths which do not lead to a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathErrors {
    /// Compiling the nested templates.
    Reported,
    /// Packaging, which checks all paths.
    LeftToPackaging,
}

struct Task {
    /// The number of the template that uses it; `None` for the root.
    owner: Option<usize>,
    need: ArtifactRef,
    /// Set when the stack has one template, not one for each branch of an undecided condition.
    is_only: bool,
}

struct CompiledAt {
    identity: String,
    path: VirtualPath,
    owner: Option<usize>,
}

/// The nested templates that a run may still compile.
#[derive(Clone, Copy, Debug, Default)]
pub struct NestedBudget {
    templates: usize,
    bytes: u64,
}

impl NestedBudget {
    /// Counts one more template, to which `need` refers.
    ///
    /// # Errors
    /// When there are too many of them.
    pub fn count(&mut self, need: &ArtifactRef, bytes: &FileBytes) -> Result<(), Box<Diagnostic>> {
        self.templates += 1;
        self.bytes += bytes.len() as u64;
        if !self.is_spent() {
            return Ok(());
        }
        let message = format!(
            "too many nested templates: at most {MOST_TEMPLATES}, and {MOST_BYTES} bytes, are read in a run, each set of parameter values counted"
        );
        Err(Box::new(
            Diagnostic::new(codes::LIMIT, message)
                .at(need.span)
                .frames(need.frames.clone())
                .help("split the template, or reduce the sets of values"),
        ))
    }

    /// Returns `true` if there were too many.
    pub fn is_spent(&self) -> bool {
        self.templates > MOST_TEMPLATES || self.bytes > MOST_BYTES
    }
}

impl Session<'_> {
    /// Compiles the local nested templates of `root` for `goal`, at any depth: each once for each set of passed values.
    /// The error of a path is a diagnostic of the template that has the path. Diagnostics that several of them share
    /// are in the first, and those of the root are not repeated.
    pub fn compile_nested(&self, root: &Arc<Compilation>, goal: Goal, path_errors: PathErrors) -> Nested {
        let uses = root.nested_uses();
        if uses.is_empty() {
            return Nested::default();
        }
        let mut run = NestedRun {
            session: self,
            goal,
            path_errors,
            root,
            done: Vec::new(),
            stacks: Vec::new(),
            compiled_at: Vec::new(),
            root_identity: self.host().identity(root.path()),
            found: HashMap::new(),
            seen: HashMap::new(),
            references: HashMap::new(),
            budget: NestedBudget::default(),
            clean: self
                .clean_uses()
                .map(|clean| clean.of(self.options(), self.host().identity(&VirtualPath::new(".")))),
            uncertain: HashSet::new(),
            passed_over: HashSet::new(),
        };
        let mut is_whole = true;
        let mut tasks: Vec<Task> = tasks(uses, None);
        while let Some(task) = tasks.pop() {
            match run.step(&task) {
                Ok(Some(more)) => tasks.extend(more),
                Ok(None) => {}
                Err(diagnostic) => {
                    let is_end = diagnostic.code == codes::LIMIT;
                    run.found_path(task.owner, *diagnostic);
                    if is_end {
                        is_whole = false;
                        break;
                    }
                }
            }
        }
        if is_whole {
            run.remember();
        }
        let NestedRun { done, mut found, stacks, .. } = run;
        let found_of_root = found.remove(&None).unwrap_or_default();
        let own = done.iter().enumerate().map(|(number, compiled)| {
            let found = found.remove(&Some(number)).unwrap_or_default();
            Report::new(Arc::clone(compiled), |_| true, found)
        });
        let own: Vec<Report> = own.collect();
        let root = Report::new(Arc::clone(root), |_| true, found_of_root.clone());
        Nested { found: found_of_root, reports: Report::distinct(&own, &[&root]), templates: done, stacks }
    }
}

/// The nested templates of a template, with their reports.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Nested {
    /// The diagnostics of the template itself: of its paths, and of its references to outputs.
    pub found: Vec<Diagnostic>,
    /// The report of each nested template.
    pub reports: Vec<Report>,
    /// The nested templates, each once for each set of values.
    pub templates: Vec<Arc<Compilation>>,
    stacks: Vec<NestedStack>,
}

#[derive(Clone, Debug)]
struct NestedStack {
    /// The number of the template that has the resource; `None` for the root.
    owner: Option<usize>,
    logical_id: String,
    template: usize,
}

impl Nested {
    /// Adds the template of a nested stack, by its logical ID in the template with the number `owner`; `None` for the
    /// root. Returns the number of the template.
    pub fn add(&mut self, owner: Option<usize>, logical_id: &str, template: Arc<Compilation>) -> usize {
        let number = self.templates.len();
        self.templates.push(template);
        self.stacks.push(NestedStack { owner, logical_id: logical_id.to_owned(), template: number });
        number
    }

    /// The nested stacks of the template with the number `owner`, `None` for the root: logical ID and template number.
    pub(crate) fn stacks_of(&self, owner: Option<usize>) -> impl Iterator<Item = (&str, usize)> {
        let own = self.stacks.iter().filter(move |stack| stack.owner == owner);
        own.map(|stack| (stack.logical_id.as_str(), stack.template))
    }

    /// Returns the number of the template of a nested stack, by its logical ID in the template with the number `owner`;
    /// `None` for the root.
    pub fn template_of(&self, owner: Option<usize>, logical_id: &str) -> Option<usize> {
        let found = self.stacks.iter().find(|stack| stack.owner == owner && stack.logical_id == logical_id);
        found.map(|stack| stack.template)
    }
}

struct NestedRun<'s, 'h> {
    session: &'s Session<'h>,
    goal: Goal,
    path_errors: PathErrors,
    root: &'s Arc<Compilation>,
    done: Vec<Arc<Compilation>>,
    stacks: Vec<NestedStack>,
    compiled_at: Vec<CompiledAt>,
    root_identity: String,
    /// Diagnostics of a template besides its compilation, by its number; `None` for the root.
    found: HashMap<Option<usize>, Vec<Diagnostic>>,
    seen: HashMap<Use, usize>,
    /// References to outputs of stacks, by the number of the template that has them; `None` for the root.
    references: HashMap<Option<usize>, HashMap<String, Vec<outputs::OutputReference>>>,
    budget: NestedBudget,
    /// Uses that other templates of the run compiled; `None` if nothing is shared.
    clean: Option<Arc<Mutex<clean::UseCache>>>,
    /// Numbers of templates with nested ones that were not compiled.
    uncertain: HashSet<usize>,
    /// Numbers of templates with nested ones whose diagnostics an earlier template than the root reports.
    passed_over: HashSet<usize>,
}

impl NestedRun<'_, '_> {
    fn owner(&self, task: &Task) -> &Arc<Compilation> {
        task.owner.map_or(self.root, |number| &self.done[number])
    }

    /// Compiles a nested template, unless that was done. Returns its own nested templates.
    fn step(&mut self, task: &Task) -> Result<Option<Vec<Task>>, Box<Diagnostic>> {
        let need = &task.need;
        let owner = Arc::clone(self.owner(task));
        let path = path_of(&owner, need).ok().filter(|_| !need.passing.is_broken);
        let Some(path) = path else {
            self.uncertain.extend(task.owner);
            return Ok(None);
        };
        let host = self.session.host();
        let identity = host.identity(&path);
        if let Some(round) = self.way_round(task.owner, &identity) {
            self.uncertain.extend(task.owner);
            return self.path_error(cycle(need, round.into_iter()));
        }
        let bytes = match self.session.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let diagnostic = unreadable(need, &host.full_path(&path), &error);
                self.uncertain.extend(task.owner);
                return self.path_error(diagnostic);
            }
        };
        let parent = parent_of(&owner, need, &path);
        let usage = parent.to_use(identity.clone());
        if let Some(&known) = self.seen.get(&usage) {
            self.stacks.push(NestedStack { owner: task.owner, logical_id: need.resource.clone(), template: known });
            self.check_outputs(task, known, &path);
            return Ok(None);
        }
        let looked = self.clean.as_ref().and_then(|known| {
            let known = lock(known);
            let looked = known.get(&usage).filter(|looked| looked.is_enough_for(self.session.order()));
            looked.map(|looked| (looked.declared.clone(), looked.reported_by.is_some()))
        });
        if let Some((declared, is_reported)) = looked {
            self.passed_over.extend(task.owner.filter(|_| is_reported));
            let declared = declared.as_ref().map(|declared| declared.borrowed());
            self.check_outputs_of(task, declared.as_ref(), &path);
            return Ok(None);
        }
        self.budget.count(need, &bytes)?;
        self.seen.insert(usage, self.done.len());
        let options = self.session.options().of_nested(parent);
        let compiled = self.session.with_options(options).analyze(&path).compile(self.goal);
        let number = self.done.len();
        let more = tasks(compiled.nested_uses(), Some(number));
        self.done.push(compiled);
        self.stacks.push(NestedStack { owner: task.owner, logical_id: need.resource.clone(), template: number });
        self.compiled_at.push(CompiledAt { identity, path: path.clone(), owner: task.owner });
        self.check_outputs(task, number, &path);
        Ok(Some(more))
    }

    fn check_outputs(&mut self, task: &Task, number: usize, path: &VirtualPath) {
        let child = Arc::clone(&self.done[number]);
        self.check_outputs_of(task, outputs::declared(&child).as_ref(), path);
    }

    fn check_outputs_of(&mut self, task: &Task, declared: Option<&outputs::Declared<'_>>, path: &VirtualPath) {
        let Some(declared) = declared.filter(|_| task.is_only) else { return };
        let owner = Arc::clone(self.owner(task));
        let references = self.references.entry(task.owner).or_insert_with(|| outputs::references(&owner));
        let Some(own) = references.get(&task.need.resource) else { return };
        let path = owner.sources.shown(path);
        let found = own.iter().filter_map(|reference| outputs::unknown(&owner, reference, declared, &path));
        self.found.entry(task.owner).or_default().extend(found);
    }

    /// Records the error of a path. The errors of several iterations at one place become one diagnostic that lists
    /// them.
    fn found_path(&mut self, owner: Option<usize>, diagnostic: Diagnostic) {
        let found = self.found.entry(owner).or_default();
        let is_same = |known: &&mut Diagnostic| known.code == diagnostic.code && known.span() == diagnostic.span();
        match found.iter_mut().find(is_same).filter(|_| diagnostic.primary.is_some()) {
            Some(known) if known.message == diagnostic.message => {}
            Some(known) => {
                let also = format!("also: {}", diagnostic.message);
                if !known.notes.contains(&also) {
                    known.count += 1;
                    known.notes.push(also);
                }
            }
            None => found.push(diagnostic),
        }
    }

    fn path_error(&self, diagnostic: Diagnostic) -> Result<Option<Vec<Task>>, Box<Diagnostic>> {
        match self.path_errors {
            PathErrors::Reported => Err(Box::new(diagnostic)),
            PathErrors::LeftToPackaging => Ok(None),
        }
    }

    /// The paths from the file with an identity to the template `owner`, if the file is one of its ancestors.
    fn way_round(&self, mut owner: Option<usize>, identity: &str) -> Option<Vec<String>> {
        let mut round = Vec::new();
        while let Some(place) = owner.map(|number| &self.compiled_at[number]) {
            round.push(place);
            if place.identity == identity {
                break;
            }
            owner = place.owner;
        }
        let paths = || round.iter().rev().map(|place| place.path.to_string());
        match owner {
            Some(_) => Some(paths().collect()),
            None if self.root_identity == identity => {
                Some(std::iter::once(self.root.path().to_string()).chain(paths()).collect())
            }
            None => None,
        }
    }
}

/// Returns the nested templates of a template as tasks; the first is the next one to pop.
fn tasks(uses: Vec<ArtifactRef>, owner: Option<usize>) -> Vec<Task> {
    let mut templates: HashMap<String, usize> = HashMap::new();
    for need in &uses {
        *templates.entry(need.resource.clone()).or_default() += 1;
    }
    let is_only = |need: &ArtifactRef| templates.get(&need.resource) == Some(&1);
    let uses = uses.into_iter().rev();
    uses.map(|need| Task { owner, is_only: is_only(&need), need }).collect()
}

/// The file in which the path of a need is written, possibly one that passed it as a parameter.
fn written_in(compilation: &Compilation, need: &ArtifactRef) -> Option<VirtualPath> {
    match compilation.file_of(need.written) {
        Some(File::OnDisk(file)) => Some(file.clone()),
        Some(File::Elsewhere(_)) => None,
        None => Some(compilation.path().clone()),
    }
}

/// A path in a remote module, which is in no directory: the address of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InModule(pub String);

impl std::fmt::Display for InModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InModule {}

/// Returns the path of a nested template from the directory of the root template.
///
/// # Errors
/// When the path is written in a remote module, which is in no directory: the address of the module.
pub fn path_of(compilation: &Compilation, need: &ArtifactRef) -> Result<VirtualPath, InModule> {
    let parent = compilation.parent.as_ref();
    let passed = need.parameter.as_ref().and_then(|name| parent?.origin_of(name));
    if let Some(File::Elsewhere(address)) = compilation.file_of(need.written).filter(|_| passed.is_none()) {
        return Err(InModule(address.to_owned()));
    }
    let start = passed.cloned().or_else(|| written_in(compilation, need));
    Ok(start.map_or_else(|| VirtualPath::new(&need.path), |file| file.sibling(&need.path)))
}

/// Returns the sentence of packaging tools for a path that does not lead to a template.
pub fn not_a_template(need: &ArtifactRef, full_path: &str) -> String {
    let ArtifactRef { resource, property, .. } = need;
    format!(
        "{property} parameter of {resource} resource is invalid. It must be a S3 URL or path to CloudFormation template file. Actual: {full_path}"
    )
}

/// Returns the error of templates that nest each other: `names` are the files of the cycle.
pub fn cycle(need: &ArtifactRef, names: impl Iterator<Item = String>) -> Diagnostic {
    let mut names: Vec<String> = names.collect();
    names.extend(names.first().cloned());
    Diagnostic::new(
        codes::ARTIFACT_PATH,
        format!("nested templates form a circular dependency: {}", names.join(" -> ")),
    )
    .at(need.span)
    .frames(need.frames.clone())
    .help("remove one of them")
}

fn unreadable(need: &ArtifactRef, full_path: &str, error: &ReadError) -> Diagnostic {
    let (property, resource, path) = (shown(&need.property), shown(&need.resource), shown(&need.path));
    let names = format!("{property} of {resource} names {path}");
    let sentence = not_a_template(need, full_path);
    let (message, note, help) = match error {
        ReadError::NotFound => (
            format!("{names}, which does not exist: `{sentence}`"),
            Some("paths are relative to the directory of the file that contains them"),
            "correct the path, or add the file",
        ),
        ReadError::IsDirectory => {
            (format!("{names}, which is a directory: `{sentence}`"), None, "write the path of a template file in it")
        }
        ReadError::OutsideRoot => (
            format!("{names}, which is outside the project root"),
            None,
            "name a directory that contains both templates with `--project-root DIR`",
        ),
        error => (
            format!("{names}, which cannot be read: {error}"),
            None,
            "correct the path, or the permissions of the file",
        ),
    };
    let diagnostic =
        Diagnostic::new(codes::ARTIFACT_PATH, message).at(need.span).frames(need.frames.clone()).help(help);
    match note {
        Some(note) => diagnostic.note(note),
        None => diagnostic,
    }
}
