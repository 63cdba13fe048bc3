//! The stages of a build: survey, plan, build what has changed, move it into place (reference/build.md).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use formwork::{Diagnostic, Report};
use formwork_disk::{Unlinked, read_inside, refuse_links, refuse_links_to, remove_below};
use formwork_upload::source_tree::{TreeError, TreeRules};
use formwork_upload::{Mention, Request, SourceTree, Survey, in_parallel, survey, warnings as of_artifacts};

use crate::build_error::BuildError;
use crate::cache_key;
use crate::claim::{Claim, RUN};
use crate::crew::{Crew, Prepared, log, ready};
use crate::errors;
use crate::installations::Installations;
use crate::job::Job;
use crate::options::{BuildOptions, Event};
use crate::origins;
use crate::plan::{self, BuildPlan, Selection};
use crate::shared::Shared;
use crate::state::{OWN, Product, State};
use crate::template;
use crate::text::Text;
use crate::warnings;
use crate::watcher::Watcher;
use crate::workspace::REFERENCE_EXCLUDED;
use crate::written::Written;

/// A template to build, with the options of the build.
pub struct BuildRequest<'r> {
    /// The template and how it is read.
    pub survey: Request<'r>,
    /// The directory that paths of sources are relative to, also in nested templates; by default that of each template.
    pub base: Option<&'r Path>,
    /// The build directory; an absolute path.
    pub directory: &'r Path,
    /// The absolute path of the template.
    pub template: &'r Path,
    /// The resources to build.
    pub selection: Selection,
    /// The options of the build.
    pub options: BuildOptions<'r>,
    /// Returns the files that were read, the template included. Called when everything is read.
    pub inputs: &'r dyn Fn() -> Vec<PathBuf>,
}

/// The outcome of a build.
#[derive(Debug)]
pub struct Outcome {
    /// The reports of the templates, nested ones before the root, then of the nested ones as they were checked.
    pub reports: Vec<Report>,
    root: usize,
    /// The compiled templates, with the local artifacts of each.
    pub survey: Survey,
    /// The files and directories that were read for artifacts: sources, and the paths that these refer to.
    pub read: Vec<ReadSource>,
    /// The files that tools wrote into directories of sources.
    pub written: Written,
    /// Number of sources.
    pub sources: usize,
    /// Number of sources that were built.
    pub built: usize,
    /// The path of the built template, unless there are errors.
    pub template: Option<PathBuf>,
    /// Warnings about artifacts, a sentence each.
    pub warnings: Vec<String>,
    /// Set when the run was interrupted.
    pub is_interrupted: bool,
}

/// A file or directory that was read for artifacts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadSource {
    /// The path of the file or directory.
    pub path: PathBuf,
    /// Patterns, in the syntax of `.gitignore`, of files that no artifact contains.
    pub left_out: Vec<String>,
}

impl Outcome {
    /// Adds further diagnostics to the report of the root.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        if let Some(root) = self.reports.get_mut(self.root) {
            root.append(found);
        }
    }
}

/// Builds the sources of a template. After an error no template is written, and the previous build is kept.
///
/// # Errors
/// When the build directory cannot be written.
pub fn build(request: &BuildRequest<'_>) -> io::Result<Outcome> {
    let survey = survey::survey(&request.survey, request.base);
    let plan = plan::plan(&survey, &request.selection);
    let mut build = CurrentBuild {
        request,
        survey,
        plan,
        failures: Vec::new(),
        references: Vec::new(),
        left_out: Vec::new(),
        written: Written::default(),
        is_interrupted: false,
    };
    for (unit, error) in std::mem::take(&mut build.plan.errors) {
        build.report(unit, [error]);
    }
    let unknown = build.unknown_resources();
    build.report_root(unknown);
    let prepared = build.prepare();
    if build.survey.has_errors() {
        return Ok(build.end(0, None));
    }
    let texts = template::rewrite(
        &mut build.survey,
        &build.plan,
        (request.template, request.directory),
        request.options.format,
    );
    if build.survey.has_errors() {
        return Ok(build.end(0, None));
    }
    let own = request.directory.join(OWN);
    refuse_links_to(request.directory, Some(&build.survey.project_root))?;
    refuse_links(request.directory, &own)?;
    let options = &request.options;
    let Some(_claim) = Claim::new(&own, options.interrupt, &|| (options.observer)(Event::Waiting))? else {
        build.is_interrupted = true;
        return Ok(build.end(0, None));
    };
    let state = State::read(request.directory);
    let waiting: Vec<usize> =
        (0..build.plan.jobs.len()).filter(|&job| !build.is_in_place(job, &prepared[job], &state)).collect();
    let lost: Vec<&String> = build.lost(&state);
    build.refuse_foreign(&waiting, &texts, &state)?;
    let is_new = state.template != request.template;
    if waiting.is_empty() && lost.is_empty() && !is_new {
        return build.finish(&prepared, &texts, &state, 0);
    }
    (options.observer)(Event::Planned(waiting.len()));
    let temporary = tempfile::Builder::new().prefix(RUN).tempdir_in(&own)?;
    let failures = build.build_all(&waiting, &prepared, temporary.path());
    if !failures.is_empty() || build.is_interrupted {
        build.failures = failures;
        return Ok(build.end(0, None));
    }
    let aside = temporary.path().join("aside");
    let between = build.while_replacing(&waiting, &prepared, &texts, &state)?;
    between.write(request.directory)?;
    for name in lost {
        if !state.is_foreign(request.directory, name) {
            remove_below(request.directory, &request.directory.join(name))?;
        }
    }
    for &job in &waiting {
        let made = &build.plan.jobs[job];
        let ready = ready(request.directory, made, &prepared[job].key);
        let product = request.directory.join(&made.product);
        crate::replace::replace(request.directory, &ready, &product, &aside.join(job.to_string()))?;
    }
    build.finish(&prepared, &texts, &between, waiting.len())
}

struct CurrentBuild<'r> {
    request: &'r BuildRequest<'r>,
    survey: Survey,
    plan: BuildPlan,
    /// Builds that failed, with the numbers of their templates.
    failures: Vec<(usize, Diagnostic)>,
    /// Paths on this disk that sources refer to.
    references: Vec<PathBuf>,
    /// Patterns of files that are not part of the source of each job.
    left_out: Vec<Vec<String>>,
    written: Written,
    is_interrupted: bool,
}

impl CurrentBuild<'_> {
    fn report(&mut self, unit: usize, found: impl IntoIterator<Item = Diagnostic>) {
        self.survey.units[unit].packaging.add(found);
    }

    fn report_root(&mut self, found: Vec<Diagnostic>) {
        if let Some(root) = self.survey.units.len().checked_sub(1).filter(|_| !found.is_empty()) {
            self.report(root, found);
        }
    }

    fn unknown_resources(&self) -> Vec<Diagnostic> {
        let selection = &self.request.selection;
        let mut known: Vec<String> = Vec::new();
        for (unit, directory) in self.survey.units.iter().zip(&self.plan.directories) {
            let ids = unit.packaging.plan().needs.iter().map(|need| &need.resource);
            known.extend(ids.flat_map(|id| [id.clone(), format!("{directory}{id}")]));
        }
        let named = selection.resources.iter().chain(&selection.excluded);
        named.filter(|id| !known.contains(id)).map(|id| errors::unknown_resource(id, &known)).collect()
    }

    /// Returns the state until the artifacts of `waiting` are replaced. If the run is killed before that, no artifact is
    /// left that would be mistaken for an older one, or that a later run does not know.
    fn while_replacing(
        &self,
        waiting: &[usize],
        prepared: &[Prepared],
        texts: &[Text],
        state: &State,
    ) -> io::Result<State> {
        let directory = self.request.directory;
        let mut between = state.clone();
        for &job in waiting {
            let made = &self.plan.jobs[job];
            let looks = crate::look::of(&ready(directory, made, &prepared[job].key))?;
            let product = between.products.entry(made.product.clone()).or_default();
            product.key.clear();
            product.looks.push(looks);
        }
        for text in texts {
            between.templates.entry(text.path.clone()).or_default().push(formwork::sha256(&text.bytes));
        }
        Ok(between)
    }

    /// Reads every source, and computes the keys of the artifacts.
    fn prepare(&mut self) -> Vec<Prepared> {
        let directory = self.request.directory;
        let out = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let (root, path) = (&self.survey.project_root, &self.request.options.path);
        let read = |job: &Job| {
            let excluded = job
                .recipe
                .builder
                .left_out(&job.source)
                .map_err(|message| vec![TreeError { message, help: "correct the file, or remove it" }])?;
            let rules =
                TreeRules { project_root: root.clone(), left_out: vec![out.clone()], excluded: excluded.clone() };
            SourceTree::read(&job.source, &rules).map(|tree| {
                let key = cache_key::key(job, &tree, &excluded, path);
                let references = job.recipe.builder.references(job, &tree);
                (Prepared { tree: Some(tree), excluded, key }, references)
            })
        };
        let jobs = &self.plan.jobs;
        let all: Vec<_> = in_parallel(self.request.options.jobs, jobs.len(), &|number| read(&jobs[number]));
        let mut prepared = Vec::with_capacity(all.len());
        let mut diagnostics = Vec::new();
        for (job, read) in self.plan.jobs.iter().zip(all) {
            let (read, references) = read.unwrap_or_else(|errors| {
                let (unit, need) = job.users[0];
                let need = &self.survey.units[unit].packaging.plan().needs[need];
                let messages: Vec<String> = errors.iter().map(|error| error.message.clone()).collect();
                let help = errors.first().map_or("correct the source", |error| error.help);
                diagnostics.push((unit, errors::unreadable(need, &messages, help)));
                (Prepared::default(), Vec::new())
            });
            self.left_out.push(read.excluded.clone());
            prepared.push(read);
            self.references.extend(references);
        }
        for (unit, diagnostic) in diagnostics {
            self.report(unit, [diagnostic]);
        }
        prepared
    }

    fn is_in_place(&self, job: usize, prepared: &Prepared, state: &State) -> bool {
        let job = &self.plan.jobs[job];
        let is_there = self.request.directory.join(&job.product).is_dir();
        let is_same = state.products.get(&job.product).is_some_and(|known| known.key == prepared.key);
        self.request.options.is_cached && is_there && is_same
    }

    fn lost<'s>(&self, state: &'s State) -> Vec<&'s String> {
        let is_partial = !self.request.selection.resources.is_empty() || !self.request.selection.excluded.is_empty();
        let is_named = |name: &str| self.plan.jobs.iter().any(|job| job.product == name);
        state.products.keys().filter(|name| !is_partial && !is_named(name)).collect()
    }

    /// Rejects a build that would replace artifacts or templates that no earlier run wrote.
    fn refuse_foreign(&self, waiting: &[usize], texts: &[Text], state: &State) -> io::Result<()> {
        let directory = self.request.directory;
        let artifacts = waiting.iter().map(|&job| &self.plan.jobs[job].product);
        let artifact = artifacts.into_iter().find(|product| state.is_foreign(directory, product));
        let mut unlinked = Unlinked::new(directory);
        let mut is_other = |text: &&Text| {
            let is_same = |known: Vec<u8>| known == text.bytes;
            let path = directory.join(&text.path);
            state.is_foreign_template(directory, &text.path, &mut unlinked)
                && !read_inside(directory, &path, text.bytes.len() as u64).is_ok_and(is_same)
        };
        match artifact.or_else(|| texts.iter().find(|text| is_other(text)).map(|text| &text.path)) {
            None => Ok(()),
            Some(path) => Err(io::Error::other(format!(
                "{path} is not as an earlier build left it: remove it, or name another directory with `-b DIR`"
            ))),
        }
    }

    /// Builds sources in parallel; returns each failure with the number of its template.
    fn build_all(&mut self, waiting: &[usize], prepared: &[Prepared], temporary: &Path) -> Vec<(usize, Diagnostic)> {
        let watcher = Watcher::default();
        let jobs = &self.plan.jobs;
        let keys = waiting.iter().filter_map(|&number| {
            jobs[number].recipe.builder.packages_key(&jobs[number], prepared[number].tree.as_ref()?)
        });
        let installations = Installations::new(temporary.join("packages"), keys);
        let shared = Shared::new(installations);
        let (options, directory) = (&self.request.options, self.request.directory);
        let crew = Crew { options, directory, watcher: &watcher, shared };
        let results = in_parallel(crew.options.jobs, waiting.len(), &|at| {
            let number = waiting[at];
            crew.build(&jobs[number], &prepared[number], &temporary.join(number.to_string()))
        });
        self.written = crew.shared.into_written();
        let mut failures = Vec::new();
        let mut is_interrupted = false;
        for (&number, result) in waiting.iter().zip(results) {
            match result {
                Ok(()) => {}
                Err(BuildError::Interrupted) => is_interrupted = true,
                Err(error) => failures.push(self.failure(number, &error)),
            }
        }
        self.is_interrupted |= is_interrupted;
        failures
    }

    fn failure(&self, number: usize, error: &BuildError) -> (usize, Diagnostic) {
        let job = &self.plan.jobs[number];
        let need = |(unit, need): (usize, usize)| &self.survey.units[unit].packaging.plan().needs[need];
        let others: Vec<String> = job.users[1..].iter().map(|&user| need(user).resource.clone()).collect();
        (job.users[0].0, errors::failed(need(job.users[0]), error, &others, &log(self.request.directory, job)))
    }

    fn finish(mut self, prepared: &[Prepared], texts: &[Text], old: &State, built: usize) -> io::Result<Outcome> {
        let directory = self.request.directory;
        fs::create_dir_all(directory.join(OWN))?;
        let mut products: BTreeMap<String, Product> = old.products.clone();
        for name in self.lost(old) {
            products.remove(name);
        }
        for (job, prepared) in self.plan.jobs.iter().zip(prepared) {
            let Some(tree) = &prepared.tree else { continue };
            let resource =
                |&(unit, need): &(usize, usize)| self.survey.units[unit].packaging.plan().needs[need].resource.clone();
            let product = Product {
                key: prepared.key.clone(),
                source: job.source.clone(),
                hash: tree.hash(),
                excluded: prepared.excluded.clone(),
                resources: job.users.iter().map(resource).collect(),
                // The last one is the current one.
                looks: old.products.get(&job.product).and_then(|old| old.looks.last().cloned()).into_iter().collect(),
            };
            products.insert(job.product.clone(), product);
        }
        let mut known = Unlinked::new(directory);
        for text in texts {
            template::write(text, directory, &mut known)?;
            origins::write(text, directory, &mut known)?;
        }
        let root = texts.last().map(|text| directory.join(&text.path));
        // A template in the other format from an earlier run would be mistaken for this one.
        for name in ["template.yaml", "template.json"] {
            if root.as_ref() != Some(&directory.join(name)) {
                remove_template(old, &mut known, (directory, name))?;
            }
        }
        // The layer stack of an earlier run is not part of this build.
        for stack in self.plan.directories.iter().map(|unit_directory| crate::layers::path(unit_directory)) {
            if texts.iter().all(|text| text.path != stack) {
                remove_template(old, &mut known, (directory, &stack))?;
            }
        }
        let inputs = (self.request.inputs)().into_iter();
        let state = State {
            template: self.request.template.to_owned(),
            templates: texts.iter().map(|text| (text.path.clone(), vec![formwork::sha256(&text.bytes)])).collect(),
            inputs: inputs.filter_map(|path| Some((path.clone(), cache_key::of_file(&path)?))).collect(),
            products,
        };
        state.write(directory)?;
        if built > 0 {
            remove_below(directory, &directory.join(OWN).join("ready"))?;
        }
        self.is_interrupted = false;
        let warnings = self.warnings(prepared)?;
        Ok(Outcome { warnings, ..self.end(built, root) })
    }

    /// Returns warnings about artifacts, also about those that did not change.
    fn warnings(&self, prepared: &[Prepared]) -> io::Result<Vec<String>> {
        let mut all = Vec::new();
        for (job, prepared) in self.plan.jobs.iter().zip(prepared) {
            let Some(tree) = &prepared.tree else { continue };
            let need = |&(unit, need): &(usize, usize)| &self.survey.units[unit].packaging.plan().needs[need];
            let mentions: Vec<Mention> = job.users.iter().map(|user| Mention::of(need(user))).collect();
            all.extend(of_artifacts::of_secrets(&mentions, &warnings::secrets(job, tree)));
            if job.source.is_dir() && need(&job.users[0]).is_unzipped() {
                let bytes = warnings::bytes(&self.request.directory.join(&job.product))?;
                all.extend(of_artifacts::of_size(&mentions, bytes));
            }
        }
        Ok(all)
    }

    fn end(self, built: usize, template: Option<PathBuf>) -> Outcome {
        let read = self.read();
        let CurrentBuild { survey, plan, failures, written, is_interrupted, .. } = self;
        let mut reports = survey.reports();
        for (unit, error) in failures {
            // Each one is reported, also those that one loop generates.
            reports[unit].append([error]);
        }
        let root = survey.units.len().saturating_sub(1);
        let (sources, warnings) = (plan.jobs.len(), Vec::new());
        Outcome { reports, root, survey, read, written, sources, built, template, warnings, is_interrupted }
    }

    /// Returns the paths that were read, without duplicates: of a path that is read in several ways, only files that
    /// all of them exclude are excluded.
    fn read(&self) -> Vec<ReadSource> {
        let mut read: BTreeMap<&Path, Vec<String>> = BTreeMap::new();
        let nothing = Vec::new();
        let sources = self.plan.jobs.iter().enumerate();
        let sources = sources.map(|(job, made)| (&made.source, self.left_out.get(job).unwrap_or(&nothing).clone()));
        let of_references = |path| (path, REFERENCE_EXCLUDED.iter().map(|&pattern| pattern.to_owned()).collect());
        for (path, left_out) in sources.chain(self.references.iter().map(of_references)) {
            match read.entry(path) {
                Entry::Vacant(entry) => drop(entry.insert(left_out)),
                Entry::Occupied(mut entry) if *entry.get() != left_out => entry.get_mut().clear(),
                Entry::Occupied(_) => {}
            }
        }
        read.into_iter().map(|(path, left_out)| ReadSource { path: path.to_owned(), left_out }).collect()
    }
}

fn remove_template(state: &State, known: &mut Unlinked<'_>, (directory, path): (&Path, &str)) -> io::Result<()> {
    let full = directory.join(path);
    // Most of these paths do not exist.
    if full.symlink_metadata().is_err() || state.is_foreign_template(directory, path, known) {
        return Ok(());
    }
    remove_below(directory, &full)
}
