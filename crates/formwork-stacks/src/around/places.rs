//! The places of deployed resources in a local template (reference/around.md#places).

use std::path::{Path, PathBuf};

use formwork::display::MASK;
use formwork::nested::PathErrors;
use formwork::{Compilation, Goal, Options, ParameterValue, PseudoParameter, Report, ValueSource, Values};
use formwork_deploy::Stack;
use formwork_project::Failure;
use formwork_run::args::InputArgs;
use formwork_run::inputs::{self, Input};
use formwork_run::{declared_templates, default_template};

use crate::local::Checked;
use crate::places::{Origin, Sources};
use crate::reporter::DeployReporter;
use crate::secrets::Secrets;

/// Selects the template of a stack.
#[derive(Clone, Debug)]
pub struct TemplateOf<'a> {
    /// The command whose section of samconfig.toml applies.
    pub command: &'a str,
    /// The template of the command line.
    pub named: Option<&'a Path>,
    /// Inputs of the expansion, besides the values of the stack.
    pub inputs: InputArgs,
    /// Treats warnings as errors.
    pub is_strict: bool,
    /// Prints why resources have no places.
    pub is_verbose: bool,
}

/// The places of the resources of a stack; empty without a matching template.
#[derive(Default)]
pub struct Places {
    sources: Option<Sources>,
    secrets: Secrets,
    /// Numbers of resources looked up, and of those found in the template.
    asked: usize,
    found: usize,
}

impl TemplateOf<'_> {
    /// Returns the template of the command line, otherwise the built one of the working directory, otherwise the one
    /// there.
    ///
    /// # Errors
    /// When the template of the command line does not exist.
    pub fn path(&self) -> Result<Option<PathBuf>, Failure> {
        match self.named {
            Some(path) => {
                declared_templates::if_missing(path)?;
                Ok(Some(path.to_owned()))
            }
            None => Ok(default_template::at_hand()),
        }
    }

    /// Reads a template.
    ///
    /// # Errors
    /// When the template or a file of the arguments cannot be read.
    pub fn read(&self, path: &Path) -> Result<Input, Failure> {
        inputs::read(path, self.command, Values::Keep, &self.inputs, self.is_strict)
    }

    /// Expands the template without a stack.
    ///
    /// # Errors
    /// When no template is found, or it cannot be read.
    pub fn alone(&self, region: Option<&str>) -> Result<Checked, Failure> {
        let Some(path) = self.path()? else { return Err(no_template()) };
        let mut input = self.read(&path)?;
        add_pseudo(&mut input.options, PseudoParameter::Region, region);
        Ok(compile(&input))
    }

    /// Expands the template with the values of a stack. Other errors are printed as a line with `--verbose`.
    ///
    /// # Errors
    /// When a template or file of the arguments cannot be read.
    pub fn places(&self, stack: &Stack, region: &str, reporter: &mut DeployReporter<'_>) -> Result<Places, Failure> {
        let Some(path) = self.path()? else {
            self.explain(reporter, "no template is here");
            return Ok(Places::default());
        };
        let mut input = match self.read(&path) {
            Ok(input) => input,
            Err(failure) if self.named.is_some() => return Err(failure),
            Err(failure) => {
                self.explain(reporter, &String::from(failure));
                return Ok(Places::default());
            }
        };
        add_pseudo(&mut input.options, PseudoParameter::Region, Some(region));
        add_pseudo(&mut input.options, PseudoParameter::StackName, Some(&stack.name));
        let mut checked = compile(&input);
        if !stack.parameters.is_empty() {
            add_values(&mut input.options, checked.root.compilation(), stack);
            checked = compile(&input);
        }
        let secrets = Secrets::new(&checked.root.compilation().secret_texts());
        reporter.hide(secrets.clone());
        if checked.root.has_errors() {
            self.explain(reporter, &format!("{} has errors", path.display()));
            return Ok(Places { secrets, ..Places::default() });
        }
        Ok(Places { sources: Some(with_nested(checked)), secrets, ..Places::default() })
    }

    /// Prints with `--verbose` why resources have no places.
    pub fn explain(&self, reporter: &DeployReporter<'_>, why: &str) {
        if self.is_verbose {
            reporter.print_line(&format!("resources have no lines: {why}"));
        }
    }
}

/// Creates the error that no template is found.
pub fn no_template() -> Failure {
    default_template::find().err().unwrap_or_else(|| Failure::Usage(String::new()))
}

impl Places {
    /// Returns the place of the resource with a logical ID and a type; `within` are the nested stacks around it.
    pub fn of(&mut self, within: &[String], logical_id: &str, kind: &str) -> Option<Origin> {
        let origin = self.sources.as_mut()?.of_type(within, logical_id, kind);
        self.asked += 1;
        self.found += usize::from(origin.is_some());
        origin
    }

    /// Prints with `--verbose` that the template contains none of the resources that were looked up.
    pub fn explain_misfit(&self, reporter: &DeployReporter<'_>) {
        if self.asked > 0 && self.found == 0 && reporter.is_verbose() {
            reporter.print_line("resources have no lines: the template has none of them by logical ID and type");
        }
    }

    /// Returns the template that a place is in.
    pub fn template_of(&self, origin: &Origin) -> Option<&Compilation> {
        self.sources.as_ref().map(|sources| sources.of_unit(origin.unit))
    }

    /// Returns the templates.
    pub fn sources(&mut self) -> Option<&mut Sources> {
        self.sources.as_mut()
    }

    /// Returns the values that must not be shown.
    pub fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    /// Returns the expanded template of the stack itself, or of the nested stack at `within`, as JSON.
    pub fn expansion(&self, within: &[String]) -> Option<String> {
        let compilation = self.sources.as_ref()?.compilation_of(within)?;
        compilation.output().ok().map(|output| output.render(Some(formwork::Format::Json)))
    }
}

/// Sets a pseudo parameter unless it is set already.
pub fn add_pseudo(options: &mut Options, name: PseudoParameter, value: Option<&str>) {
    if let Some(value) = value.filter(|_| !options.pseudo.iter().any(|(known, _)| *known == name)) {
        options.pseudo.push((name, value.to_owned()));
    }
}

/// Adds the values that a stack was deployed with; those of the command line take precedence.
pub fn add_values(options: &mut Options, compilation: &Compilation, stack: &Stack) {
    let mut known = Vec::new();
    for parameter in compilation.declared_parameters() {
        let Some((name, value)) = stack.parameters.iter().find(|(name, _)| *name == parameter.name) else { continue };
        if parameter.no_echo || value == MASK {
            options.previous_value_parameters.push(name.clone());
        } else {
            known.push(ParameterValue { name: name.clone(), value: value.clone(), given: ValueSource::File });
        }
    }
    options.parameters.splice(0..0, known);
}

/// Expands a template as it would be deployed.
pub fn compile(input: &Input) -> Checked {
    let analysis = input.analysis();
    let root = Report::from(analysis.compile(Goal::Deploy));
    Checked::new(analysis, root)
}

/// Adds the nested stacks whose templates can be read.
pub fn with_nested(checked: Checked) -> Sources {
    let session = checked.analysis().session();
    let nested = session.compile_nested(checked.root.compilation(), Goal::Deploy, PathErrors::LeftToPackaging);
    Sources::with_nested(checked, nested)
}
