//! The stacks of a repository: which templates are deployed, in which stages, with which values
//! (reference/repository.md#stacks).

mod declared;
mod git_sync;
mod samconfig;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::repository::Template as Links;
use formwork::{Compilation, Configuration};
use formwork_project::{Failure, ProjectFile};

use crate::args::InputArgs;
use crate::folder::folder;
use crate::relocation::real;
use crate::templates::{TemplateFile, Templates};

pub use git_sync::Deployment;

/// The most stacks of a run.
const MOST: usize = 10_000;

/// A stack: a template with the values of a stage.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// The name: that of the stack, else that of its file without the extension.
    pub name: String,
    /// The stage; `None` for a stack of all stages.
    pub stage: Option<String>,
    /// The number of the template.
    pub template: usize,
    /// What names the stack: a place in a file; empty for a template that nothing names.
    pub source: String,
    /// The settings of the stack.
    pub settings: StackSettings,
}

/// The settings of a stack.
#[derive(Clone, Debug, Default)]
pub struct StackSettings {
    /// The name in CloudFormation, if it is configured.
    pub stack_name: Option<String>,
    /// The Region.
    pub region: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The `samconfig.toml`, unless it is the one beside the template.
    config_file: Option<PathBuf>,
    /// The environment of `samconfig.toml`.
    config_env: Option<String>,
    /// The parameter set of `formwork.toml`.
    parameter_set: Option<String>,
    /// Files with values of parameters.
    parameters_files: Vec<PathBuf>,
    /// Values of parameters.
    values: Option<Arc<Configuration>>,
}

impl StackSettings {
    /// Returns `true` if values of parameters are declared for the stack.
    pub fn has_values(&self) -> bool {
        self.values.is_some()
    }
}

impl Stack {
    /// Returns `true` if a file names the stack: it is not just a template.
    pub fn is_named(&self) -> bool {
        !self.source.is_empty()
    }

    /// Returns `true` if the stack has the settings that its template has without a choice.
    pub fn is_plain(&self) -> bool {
        let own = &self.settings;
        own.config_env.is_none() && own.config_file.is_none() && own.values.is_none() && own.parameters_files.is_empty()
    }

    /// Adds the stage, the Region and the account to what a template has in common with others, and the errors in the
    /// values of the stack.
    pub fn add_to(&self, compilation: &Compilation, links: &mut Links) {
        let own = &self.settings;
        links.stage.clone_from(&self.stage);
        links.region = links.region.take().or_else(|| own.region.clone());
        links.account = links.account.take().or_else(|| own.account.clone());
        if let Some(values) = &own.values {
            let names = values.values.iter().map(|(value, _)| value.name.as_str());
            links.values = compilation.wrong_values(names, &self.source);
        }
    }

    /// Returns the name with the stage, for messages.
    pub fn shown(&self) -> String {
        match &self.stage {
            Some(stage) => format!("{} ({stage})", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns the inputs of the stack: those of the command line, which take precedence, and its own.
    pub fn inputs(&self, base: &InputArgs) -> InputArgs {
        let mut inputs = base.clone();
        let own = &self.settings;
        let set = |slot: &mut Option<String>, value: &Option<String>| {
            if slot.is_none() {
                slot.clone_from(value);
            }
        };
        set(&mut inputs.stack_name, &own.stack_name);
        set(&mut inputs.region, &own.region);
        set(&mut inputs.account_id, &own.account);
        set(&mut inputs.parameter_set, &own.parameter_set);
        if inputs.config.config_file.is_none() && inputs.config.config_env.is_none() {
            inputs.config.config_file.clone_from(&own.config_file);
            inputs.config.config_env.clone_from(&own.config_env);
        }
        inputs.parameters_file.splice(0..0, own.parameters_files.iter().cloned());
        inputs.stack_values.clone_from(&own.values);
        inputs
    }
}

/// Finds the stacks of templates, by stage: those of `formwork.toml`, else those of `samconfig.toml` and of deployment
/// files of Git sync. A template that none of them names is a stack by itself. `is_module` is set for templates that are
/// parts of others.
///
/// # Errors
/// When a file with stacks cannot be read or used, or a stage of the command line is that of no stack.
pub fn find(
    templates: &Templates,
    is_module: &dyn Fn(usize) -> bool,
    args: &InputArgs,
    stages: &[String],
) -> Result<Vec<Stack>, Failure> {
    let mut found = Vec::new();
    if !args.config.no_config {
        let known = Known::of(&templates.files);
        let file = ProjectFile::find().map_err(Failure::of_first)?;
        if let Some(file) = file.as_ref().filter(|file| !file.stacks().is_empty()) {
            declared::add(file, &known, &mut found)?;
        } else {
            samconfig::add(&known, &mut found);
            git_sync::add(&templates.deployments, &known, &mut found);
        }
    }
    found.truncate(MOST);
    if let Some(wrong) = stages.iter().find(|stage| !found.iter().any(|stack| stack.stage.as_ref() == Some(stage))) {
        return Err(unknown_stage(wrong, &found).into());
    }
    let mut is_known = vec![false; templates.files.len()];
    for stack in &found {
        if let Some(known) = is_known.get_mut(stack.template) {
            *known = true;
        }
    }
    found.retain(|stack| match &stack.stage {
        Some(stage) => stages.is_empty() || stages.contains(stage),
        None => true,
    });
    for (template, file) in templates.files.iter().enumerate() {
        if !is_known.get(template).copied().unwrap_or_default() && !is_module(template) {
            found.push(Stack { name: name_of(&file.path), template, ..Stack::default() });
        }
    }
    found.sort_by_key(|stack| stack.template);
    Ok(found)
}

fn unknown_stage(wrong: &str, found: &[Stack]) -> String {
    let mut known: Vec<&str> = found.iter().filter_map(|stack| stack.stage.as_deref()).collect();
    known.sort_unstable();
    known.dedup();
    let help = match formwork::suggest::nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "declare it in formwork.toml: `stages = [...]` of a `[[stack]]`".to_owned(),
        None => format!("the stages are {}", known.join(", ")),
    };
    format!("no stack has a stage `{wrong}`\n  help: {help}")
}

/// Returns the name of a file without its extension.
fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The templates, by the ways in which files name them.
struct Known<'t> {
    files: &'t [TemplateFile],
    of_path: BTreeMap<PathBuf, usize>,
    /// The directories of the templates, each with one of them, by which its files are read.
    directories: BTreeMap<&'t Path, &'t TemplateFile>,
}

impl<'t> Known<'t> {
    fn of(files: &'t [TemplateFile]) -> Known<'t> {
        let alone = files.iter().enumerate().filter(|(_, file)| file.many.is_none());
        Known {
            files,
            of_path: alone.map(|(at, file)| (real(&file.path), at)).collect(),
            directories: files.iter().map(|file| (folder(&file.path), file)).collect(),
        }
    }

    /// Returns the template at a path.
    fn at(&self, path: &Path) -> Option<usize> {
        self.of_path.get(&real(path)).copied()
    }

    /// Returns the template of several files with a name.
    fn declared(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.many.is_some() && file.path.as_os_str() == name)
    }
}
