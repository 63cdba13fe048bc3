//! Where the resources of a deployed stack come from, when its template is at hand (reference/around.md#places).

use std::path::{Path, PathBuf};

use formwork::nested::PathErrors;
use formwork::{Compilation, Goal, Options, ParameterValue, PseudoParameter, Report, ValueSource, Values};
use formwork_deploy::Stack;

use crate::args::{AccountArgs, ExpansionArgs, LinesArgs, ReportArgs};
use crate::commands::deploy::local::Checked;
use crate::commands::deploy::places::{Origin, Sources};
use crate::commands::deploy::reporter::DeployReporter;
use crate::commands::deploy::secrets::Secrets;
use crate::default_template;
use crate::failure::{Failure, FileFailure};
use crate::inputs::{self, Input};

/// The template of a stack.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct TemplateOf<'a> {
    /// The command, whose section of samconfig.toml counts.
    pub(in crate::commands) command: &'a str,
    /// The template that the command line names.
    pub(in crate::commands) named: Option<&'a Path>,
    pub(in crate::commands) expansion: &'a ExpansionArgs,
    pub(in crate::commands) account: &'a AccountArgs,
    pub(in crate::commands) report: &'a ReportArgs,
}

/// Where the resources of a stack come from; nothing without a template that fits.
#[derive(Default)]
pub(in crate::commands) struct Places {
    sources: Option<Sources>,
    secrets: Secrets,
    /// How many resources were looked for, and how many of them are in the template.
    asked: usize,
    found: usize,
}

impl<'a> TemplateOf<'a> {
    /// The one whose lines a command shows.
    pub(in crate::commands) fn of_lines(
        command: &'a str,
        lines: &'a LinesArgs,
        report: &'a ReportArgs,
    ) -> TemplateOf<'a> {
        let LinesArgs { template_file, expansion, account } = lines;
        TemplateOf { command, named: template_file.as_deref(), expansion, account, report }
    }

    /// The template that is named, else the built one of the working directory, else the one there.
    ///
    /// # Errors
    /// When the one that is named does not exist.
    pub(in crate::commands) fn path(&self) -> Result<Option<PathBuf>, Failure> {
        match self.named {
            Some(path) => {
                FileFailure::if_missing(path)?;
                Ok(Some(path.to_owned()))
            }
            None => Ok(default_template::at_hand()),
        }
    }

    /// Reads a template.
    ///
    /// # Errors
    /// When it, or a file that the arguments name, cannot be read.
    fn read(&self, path: &Path) -> Result<Input, Failure> {
        let inputs = self.expansion.inputs(self.account);
        inputs::read(path, self.command, Values::Keep, &inputs, self.report)
    }

    /// Expands the template without a stack.
    ///
    /// # Errors
    /// When no template is at hand, or it cannot be read.
    pub(in crate::commands) fn alone(&self, region: Option<&str>) -> Result<Checked, Failure> {
        let Some(path) = self.path()? else { return Err(default_template::find().err().unwrap_or_default().into()) };
        let mut input = self.read(&path)?;
        add_pseudo(&mut input.options, PseudoParameter::Region, region);
        Ok(compile(&input))
    }

    /// Expands the template with the values of a stack. What keeps it from that is a line with `--verbose`.
    ///
    /// # Errors
    /// When a template or file that is named cannot be read.
    pub(in crate::commands) fn places(
        &self,
        stack: &Stack,
        region: &str,
        reporter: &mut DeployReporter<'_, '_>,
    ) -> Result<Places, Failure> {
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

    /// The functions and APIs of the template, with the values of a stack if there is one. Its errors are printed
    /// without a stack; with one they are a line with `--verbose`.
    ///
    /// # Errors
    /// When a template or file that is named cannot be read, or no template is here and no stack either.
    #[cfg(feature = "local")]
    pub(in crate::commands) fn project(
        &self,
        stack: Option<&Stack>,
        region: Option<&str>,
        reporter: &mut DeployReporter<'_, '_>,
    ) -> Result<Option<formwork_local::Project>, Failure> {
        let path = match (self.path()?, stack) {
            (Some(path), _) => path,
            (None, Some(_)) => return Ok(None),
            (None, None) => return Err(default_template::find().err().unwrap_or_default().into()),
        };
        let mut input = match self.read(&path) {
            Err(failure) if stack.is_some() && self.named.is_none() => {
                self.explain(reporter, &String::from(failure));
                return Ok(None);
            }
            read => read?,
        };
        add_pseudo(&mut input.options, PseudoParameter::Region, region);
        if let Some(stack) = stack {
            add_pseudo(&mut input.options, PseudoParameter::StackName, Some(&stack.name));
            let checked = compile(&input);
            add_values(&mut input.options, checked.root.compilation(), stack);
        }
        let base = inputs::folder(&path);
        let (project, reports) = formwork_local::Project::load(&input.session, &input.path, base, &input.options);
        if project.is_err() && stack.is_some() {
            self.explain(reporter, &format!("{} has errors", path.display()));
        } else if project.is_err() {
            reports.iter().filter(|report| report.has_errors()).for_each(|report| reporter.diagnostics(report));
            reporter.finish_diagnostics("nothing is listed");
        }
        Ok(project.ok())
    }

    /// Prints with `--verbose` why resources have no places.
    fn explain(&self, reporter: &DeployReporter<'_, '_>, why: &str) {
        if self.report.verbose {
            reporter.tell(&format!("resources have no lines: {why}"));
        }
    }
}

impl Places {
    /// Where the resource with a logical ID and a type comes from; `within` are the nested stacks around it.
    pub(in crate::commands) fn of(&mut self, within: &[String], logical_id: &str, kind: &str) -> Option<Origin> {
        let origin = self.sources.as_mut()?.of_type(within, logical_id, kind);
        self.asked += 1;
        self.found += usize::from(origin.is_some());
        origin
    }

    /// Prints with `--verbose` that the template has none of the resources that were looked for.
    pub(in crate::commands) fn explain_misfit(&self, reporter: &DeployReporter<'_, '_>) {
        if self.asked > 0 && self.found == 0 && reporter.is_verbose() {
            reporter.tell("resources have no lines: the template has none of them by logical ID and type");
        }
    }

    /// The template that a place is in.
    pub(in crate::commands) fn template_of(&self, origin: &Origin) -> Option<&Compilation> {
        self.sources.as_ref().map(|sources| sources.of_unit(origin.unit))
    }

    /// The templates.
    pub(in crate::commands) fn sources(&mut self) -> Option<&mut Sources> {
        self.sources.as_mut()
    }

    /// The values that nothing may show.
    pub(in crate::commands) fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }

    /// The expanded template of the stack itself, or of the nested stack that `within` leads to, as JSON.
    pub(in crate::commands) fn expansion(&self, within: &[String]) -> Option<String> {
        let compilation = self.sources.as_ref()?.compilation_of(within)?;
        compilation.output().ok().map(|output| output.render(Some(formwork::Format::Json)))
    }
}

/// Sets a pseudo parameter that nothing sets yet.
pub(in crate::commands) fn add_pseudo(options: &mut Options, name: PseudoParameter, value: Option<&str>) {
    if let Some(value) = value.filter(|_| !options.pseudo.iter().any(|(known, _)| *known == name)) {
        options.pseudo.push((name, value.to_owned()));
    }
}

/// Adds the values that a stack was deployed with, below those of the command line.
pub(in crate::commands) fn add_values(options: &mut Options, compilation: &Compilation, stack: &Stack) {
    /// What the service shows in the place of a `NoEcho` value.
    const HIDDEN: &str = "****";
    let mut known = Vec::new();
    for parameter in compilation.declared_parameters() {
        let Some((name, value)) = stack.parameters.iter().find(|(name, _)| *name == parameter.name) else { continue };
        if parameter.no_echo || value == HIDDEN {
            options.previous_value_parameters.push(name.clone());
        } else {
            known.push(ParameterValue { name: name.clone(), value: value.clone(), given: ValueSource::File });
        }
    }
    options.parameters.splice(0..0, known);
}

/// Expands a template as it would be deployed.
pub(in crate::commands) fn compile(input: &Input) -> Checked {
    let analysis = input.analysis();
    let root = Report::from(analysis.compile(Goal::Deploy));
    Checked::new(analysis, root)
}

/// The templates of the nested stacks are looked at as far as they can be read.
pub(in crate::commands) fn with_nested(checked: Checked) -> Sources {
    let session = checked.analysis().session();
    let nested = session.compile_nested(checked.root.compilation(), Goal::Deploy, PathErrors::LeftToPackaging);
    Sources::with_nested(checked, nested)
}
