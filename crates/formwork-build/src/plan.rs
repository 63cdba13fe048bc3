//! Plans the artifacts of a build and their paths (reference/build.md#products).

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use formwork::Diagnostic;
use formwork_disk::is_inside;
use formwork_package::build_facts::text;
use formwork_package::{ArtifactRef, BuildFacts, DEPENDENCY_STACK, Fact, Treatment};
use formwork_upload::Survey;
use formwork_upload::survey::Named;

use crate::architecture::Architecture;
use crate::builder::Builder;
use crate::builders::{IMAGE_ARCHIVE, MAKEFILE, esbuild, image_tag};
use crate::cache_key::names_product;
use crate::errors;
use crate::job::{Job, Part, Recipe};
use crate::method::{self, Choice, Unclear};
use crate::paths::directory_name;

/// The jobs of the templates of a survey.
#[derive(Debug, Default)]
pub struct BuildPlan {
    /// Each distinct source.
    pub jobs: Vec<Job>,
    pub(crate) uses: Vec<Vec<Use>>,
    /// The directory of each template below the build directory: empty, or a path that ends in `/`.
    pub(crate) directories: Vec<String>,
    /// The numbers of the jobs of dependency layers, by template and need.
    pub(crate) layers: Vec<Vec<Option<usize>>>,
    pub(crate) errors: Vec<(usize, Diagnostic)>,
}

impl BuildPlan {
    /// Returns the errors of all templates.
    pub fn into_diagnostics(self) -> impl Iterator<Item = Diagnostic> {
        self.errors.into_iter().map(|(_, error)| error)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The artifact of a job, or a file in it.
    Product(usize, Option<String>),
    /// A nested template, by its number.
    Nested(usize),
    Source(PathBuf),
    Image(String),
    /// An invalid need, which was reported.
    Missing,
}

/// The resources to build, and options of their builds.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The resources to build; empty for all of them.
    pub resources: Vec<String>,
    /// Resources that are not built.
    pub excluded: Vec<String>,
    /// The manifest that replaces that of each source.
    pub manifest: Option<PathBuf>,
    /// Set when tools run in the directories of sources.
    pub in_source: bool,
    /// Set when the packages of functions are in layers of their own.
    pub has_dependency_layers: bool,
}

impl Selection {
    fn has(&self, need: &ArtifactRef, directory: &str) -> bool {
        let full = format!("{directory}{}", need.resource);
        let is_in = |list: &[String]| list.iter().any(|id| *id == need.resource || *id == full);
        (self.resources.is_empty() || is_in(&self.resources)) && !is_in(&self.excluded)
    }
}

/// Plans the build of a survey.
pub fn plan(survey: &Survey, selection: &Selection) -> BuildPlan {
    let directories = directories(survey);
    let mut planner = Planner {
        survey,
        selection,
        directories: &directories,
        known: HashMap::new(),
        names: BTreeSet::new(),
        jobs: Vec::new(),
        layers: survey.units.iter().map(|unit| vec![None; unit.packaging.plan().needs.len()]).collect(),
        errors: Vec::new(),
    };
    let mut uses: Vec<Vec<Use>> = vec![Vec::new(); survey.units.len()];
    // The root first: a source that several templates name belongs to the outermost one.
    for unit in (0..survey.units.len()).rev() {
        uses[unit] = planner.unit(unit);
    }
    let Planner { jobs, layers, errors, .. } = planner;
    BuildPlan { jobs, uses, directories, layers, errors }
}

/// Returns the directory of each template: a nested one is below the first resource that refers to it.
fn directories(survey: &Survey) -> Vec<String> {
    let mut directories: Vec<Option<String>> = vec![None; survey.units.len()];
    let Some(root) = survey.units.len().checked_sub(1) else { return Vec::new() };
    directories[root] = Some(String::new());
    for unit in (0..survey.units.len()).rev() {
        let own = directories[unit].clone().unwrap_or_default();
        for (number, need) in survey.units[unit].packaging.plan().needs.iter().enumerate() {
            if let Named::Nested(nested) = survey.named(unit, number) {
                let _ = directories[nested].get_or_insert_with(|| format!("{own}{}/", directory_name(&need.resource)));
            }
        }
    }
    directories.into_iter().map(Option::unwrap_or_default).collect()
}

struct Planner<'p> {
    survey: &'p Survey,
    selection: &'p Selection,
    directories: &'p [String],
    /// Numbers of jobs, by source and recipe.
    known: HashMap<(PathBuf, String), usize>,
    /// Directory names in lower case, since some file systems ignore case.
    names: BTreeSet<String>,
    jobs: Vec<Job>,
    layers: Vec<Vec<Option<usize>>>,
    errors: Vec<(usize, Diagnostic)>,
}

impl Planner<'_> {
    fn unit(&mut self, unit: usize) -> Vec<Use> {
        let needs = &self.survey.units[unit].packaging.plan().needs;
        let mut errors: Vec<Diagnostic> = Vec::new();
        let uses = needs.iter().enumerate().map(|(number, need)| {
            self.one(unit, number, need).unwrap_or_else(|unclear| {
                errors.push(errors::unclear(need, &unclear.message, unclear.help));
                Use::Missing
            })
        });
        let uses = uses.collect();
        self.errors.extend(errors.into_iter().map(|error| (unit, error)));
        uses
    }

    fn one(&mut self, unit: usize, number: usize, need: &ArtifactRef) -> Result<Use, Unclear> {
        let is_selected = self.selection.has(need, &self.directories[unit]);
        let facts = need.facts.as_deref().cloned().unwrap_or_default();
        let source = match self.survey.named(unit, number) {
            Named::Missing => return Ok(Use::Missing),
            Named::Nested(nested) => return Ok(Use::Nested(nested)),
            Named::Image => return self.image(unit, number, need, &facts, is_selected),
            Named::Disk(path) => path.to_owned(),
        };
        if !is_selected {
            return Ok(Use::Source(source));
        }
        let manifest = self.selection.manifest.as_deref();
        let choice = method::choose(&facts, &need.property, &source, manifest)?;
        let is_made = choice.builder == Builder::Makefile;
        let source = match named(&facts, "ProjectRootDirectory").filter(|_| is_made) {
            Some(root) => self.context(unit, root)?,
            None => source,
        };
        let is_file = source.is_file();
        let inner = is_file.then(|| source.file_name().unwrap_or_default().to_string_lossy().into_owned());
        let is_split = self.selection.has_dependency_layers && !choice.is_layer && choice.builder.has_packages();
        let mut recipe = self.recipe(choice, &facts);
        if is_made {
            self.add_places_of_make(unit, &facts, &mut recipe)?;
        }
        if is_split {
            let layer = Recipe { part: Part::Packages, is_layer: true, ..recipe.clone() };
            self.layers[unit][number] = Some(self.job(unit, number, need, source.clone(), layer));
            recipe.part = Part::Source;
        }
        Ok(Use::Product(self.job(unit, number, need, source, recipe), inner))
    }

    /// Adds the paths of the Makefile and of the directory in which make runs, if the metadata has them.
    fn add_places_of_make(&self, unit: usize, facts: &BuildFacts, recipe: &mut Recipe) -> Result<(), Unclear> {
        if let Some(context) = named(facts, "ContextPath").filter(|_| recipe.manifest.is_none()) {
            recipe.manifest = Some(self.context(unit, context)?.join(MAKEFILE));
        }
        let working = named(facts, "WorkingDirectory");
        recipe.working = working.map(|path| self.context(unit, path)).transpose()?;
        Ok(())
    }

    fn recipe(&self, choice: Choice, facts: &BuildFacts) -> Recipe {
        let Choice { builder, runtime, architecture, is_layer } = choice;
        let is_copy = builder.is_copy();
        // Copied files for a runtime go to the directory of a layer that it searches; otherwise a layer makes no
        // difference.
        let is_layer = is_layer && (!is_copy || runtime.is_some());
        // Properties that do not change the artifact are removed, so that sources are shared.
        let handler = match builder {
            Builder::Go | Builder::Cargo => facts.handler.text(),
            Builder::Esbuild => esbuild::handler(facts),
            _ => None,
        };
        Recipe {
            builder,
            part: Part::Whole,
            runtime: runtime.filter(|_| !is_copy || is_layer),
            architecture: if is_copy { Architecture::X86 } else { architecture },
            is_layer,
            handler: handler.map(str::to_owned),
            metadata: if is_copy { Fact::Absent } else { facts.metadata.clone() },
            manifest: self.selection.manifest.clone().filter(|_| !is_copy),
            working: None,
            in_source: self.selection.in_source && !is_copy,
        }
    }

    /// Returns the use of an image: built from a `Dockerfile`, or one that is on this machine already.
    fn image(
        &mut self,
        unit: usize,
        number: usize,
        need: &ArtifactRef,
        facts: &BuildFacts,
        is_selected: bool,
    ) -> Result<Use, Unclear> {
        let tag = facts.metadata.member("DockerTag").and_then(text);
        if facts.metadata.member("Dockerfile").is_none() {
            let archive = self.survey.directory(unit).join(&need.path);
            if archive.is_file() && !need.is_folder_of_template {
                let recipe = self.recipe(copy(), facts);
                let inner = archive.file_name().map(|name| name.to_string_lossy().into_owned());
                return Ok(Use::Product(self.job(unit, number, need, archive, recipe), inner));
            }
            return Ok(Use::Image(need.path.clone()));
        }
        if is_selected {
            method::refuse_several(facts)?;
            let context = facts.metadata.member("DockerContext").and_then(text).unwrap_or(".");
            let source = self.context(unit, context)?;
            let choice = Choice { builder: Builder::Image, ..copy() };
            let names = facts.architectures.texts();
            let architecture = names.first().and_then(|name| Architecture::from_name(name)).unwrap_or_default();
            let recipe = self.recipe(Choice { architecture, ..choice }, facts);
            let job = self.job(unit, number, need, source, recipe);
            return Ok(Use::Product(job, Some(IMAGE_ARCHIVE.to_owned())));
        }
        // An image that an engine has from an earlier run.
        Ok(Use::Image(image_tag(&need.resource, tag)))
    }

    /// Resolves a directory in the metadata, relative to the directory of sources.
    fn context(&self, unit: usize, path: &str) -> Result<PathBuf, Unclear> {
        let full = self.survey.directory(unit).join(path);
        let real = full.canonicalize().ok().filter(|real| is_inside(&self.survey.project_root, real) && real.is_dir());
        real.ok_or_else(|| Unclear {
            message: format!("names `{path}` in Metadata, which is not a directory of the project"),
            help: "correct the path, which starts from the directory of the template".into(),
        })
    }

    /// Returns the number of the job that builds a source. A new job is added.
    fn job(&mut self, unit: usize, number: usize, need: &ArtifactRef, source: PathBuf, recipe: Recipe) -> usize {
        let mut job = Job {
            product: String::new(),
            resource: need.resource.clone(),
            users: vec![(unit, number)],
            source,
            recipe,
        };
        let mut key = (job.source.clone(), format!("{:?}", job.recipe));
        if names_product(&job) {
            key.1 = format!("{} {}{}", key.1, self.directories[unit], job.resource);
        }
        if let Some(&known) = self.known.get(&key) {
            self.jobs[known].users.push((unit, number));
            return known;
        }
        job.product = self.name(unit, need, &job);
        self.known.insert(key, self.jobs.len());
        self.jobs.push(job);
        self.jobs.len() - 1
    }

    /// Returns the directory of an artifact: that of the resource, or of the property below it when there are several.
    fn name(&mut self, unit: usize, need: &ArtifactRef, job: &Job) -> String {
        let needs = &self.survey.units[unit].packaging.plan().needs;
        let of_resource = needs.iter().filter(|other| other.resource == need.resource).count();
        let own = &self.directories[unit];
        let mut name = format!("{own}{}", directory_name(&need.resource));
        if job.recipe.part == Part::Packages {
            name = format!("{own}{DEPENDENCY_STACK}/{}", directory_name(&need.resource));
        } else if of_resource > 1 {
            name = format!("{name}/{}", directory_name(&need.property));
        }
        debug_assert!(
            need.treatment != Treatment::Template || job.source.is_file(),
            "a template is not built as an artifact"
        );
        let mut unique = name.clone();
        let mut count = 1;
        while !self.names.insert(unique.to_lowercase()) {
            count += 1;
            unique = format!("{name}{count}");
        }
        unique
    }
}

fn named<'f>(facts: &'f BuildFacts, name: &str) -> Option<&'f str> {
    facts.metadata.member(name).and_then(text)
}

fn copy() -> Choice {
    Choice { builder: Builder::Copy, runtime: None, architecture: Architecture::X86, is_layer: false }
}
