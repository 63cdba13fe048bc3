//! The local part of a deployment: checks and packaging.

use std::path::Path;

use formwork::nested::PathErrors;
use formwork::{
    Analysis, Goal, MemoryHost, Options, ParameterValue, PseudoParameter, Report, Session, ValueSource, Values,
    VirtualPath,
};
use formwork_deploy::PreviousValues;
use formwork_project::Failure;
use formwork_report::Notice;
use formwork_run::inputs::{self, Input};
use formwork_run::live::Live;
use formwork_run::upload::Upload;
use formwork_run::{default_template, schemas};
use formwork_upload::{Prepared, Request, Symlinks};

use crate::deploy::DeployArgs;

/// A template and its inputs.
pub struct Local<'a> {
    template: &'a Path,
    /// Set when the artifacts of the template are the output of a build.
    is_built: bool,
    live: Live,
    input: Input,
    /// The options without the values that the stack keeps.
    options: Options,
    expands: bool,
    /// Destination of the files that the template refers to.
    pub upload: Upload,
}

/// A template that was checked.
pub struct Checked {
    analysis: Analysis<'static>,
    /// The report of the check.
    pub root: Report,
}

impl Checked {
    /// Combines a template with its report.
    pub fn new(analysis: Analysis<'static>, root: Report) -> Checked {
        Checked { analysis, root }
    }

    /// Returns an empty template, in which nothing has a place.
    pub fn none() -> Checked {
        let path = VirtualPath::new("template.yaml");
        let host = MemoryHost::new().with("template.yaml", "Resources: {}");
        let analysis = Session::new(host, Options::default()).analyze(&path);
        let root = Report::from(analysis.compile(Goal::Deploy));
        Checked { analysis, root }
    }

    /// Returns the template with its options.
    pub fn analysis(&self) -> &Analysis<'static> {
        &self.analysis
    }
}

impl<'a> Local<'a> {
    /// Reads the template for a command. `region` is the Region of the deployment.
    ///
    /// # Errors
    /// When a file cannot be read, or the arguments contradict each other.
    pub fn new(
        args: &DeployArgs,
        (template, command): (&'a Path, &str),
        region: Option<&str>,
        stack_name: &str,
    ) -> Result<Local<'a>, Failure> {
        let live = Live::online(&args.inputs)?;
        let input = inputs::read(template, command, Values::Keep, &args.inputs, args.report.strict)?;
        let mut options = input.options.clone();
        options.schemas = schemas::read(&args.schemas)?;
        options.serverless = args.serverless.choice();
        let mut name = |pseudo, value: Option<&str>| {
            if let Some(value) = value.filter(|_| !options.pseudo.iter().any(|(known, _)| *known == pseudo)) {
                options.pseudo.push((pseudo, value.to_owned()));
            }
        };
        name(PseudoParameter::Region, region);
        name(PseudoParameter::StackName, Some(stack_name));
        let upload = Upload::new(&args.upload, &args.inputs.live.aws, &input.upload, region, Some(stack_name))?;
        let is_built = command == "sync" || default_template::is_built(template);
        Ok(Local {
            template,
            is_built,
            live,
            input,
            options,
            expands: args.expand || args.serverless.serverless,
            upload,
        })
    }

    /// Passes a value to a parameter from now on.
    pub fn pass(&mut self, name: &str, value: String) {
        self.options.parameters.push(ParameterValue { name: name.to_owned(), value, given: ValueSource::CommandLine });
    }

    /// Checks for everything that prevents a deployment of the template.
    ///
    /// # Errors
    /// When account data is to be requested from AWS and cannot be.
    pub fn check(&mut self, previous: &PreviousValues) -> Result<Checked, Failure> {
        let mut options = self.options.clone();
        let values = previous.known.iter().map(|(name, value)| ParameterValue {
            name: name.clone(),
            value: value.clone(),
            given: ValueSource::File,
        });
        options.configured_parameters = values.chain(options.configured_parameters).collect();
        options.previous_value_parameters.clone_from(&previous.hidden);
        self.input.options = options;
        let (analysis, root) = self.live.analyze(&self.input, Goal::Deploy, None)?;
        Ok(Checked { analysis, root })
    }

    /// Checks the local nested templates of a template that was checked.
    ///
    /// # Errors
    /// Those of [`Local::check`].
    pub fn check_nested(&mut self, checked: &mut Checked) -> Result<Vec<Report>, Failure> {
        let Checked { analysis, root } = checked;
        let before = self.live.error_count();
        let nested = self.live.nested(&self.input, analysis, root, Goal::Deploy, PathErrors::LeftToPackaging)?;
        root.append(self.live.warnings(before, self.options.strict));
        Ok(nested)
    }

    /// Returns the numbers of analyzed templates and parsed files.
    pub fn counts(&self) -> [(&'static str, usize); 2] {
        let session = &self.input.session;
        [("analyses", session.analyses()), ("parses", session.parses())]
    }

    /// Returns the template as it is deployed, with the objects to upload for it. Nothing is uploaded yet.
    ///
    /// # Errors
    /// When the record of account data cannot be written.
    pub fn package(&self, analysis: &Analysis<'_>) -> Result<Prepared, Failure> {
        let bucket = || self.upload.destination();
        let repositories = |functions: &[String]| self.upload.repositories(functions);
        let loader = self.input.host.loader();
        let prepared = formwork_upload::prepare(&Request {
            directory: inputs::folder(self.template),
            analysis,
            project_root: loader.root(),
            output: self.expands.then_some(formwork::package::Output::Expanded),
            format: None,
            records: false,
            deploys: true,
            symlinks: Symlinks::Follow,
            left_out: self.upload.store_directory().into_iter().collect(),
            destination: if self.upload.is_somewhere() { Some(&bucket) } else { None },
            repositories: if self.upload.has_repositories() { Some(&repositories) } else { None },
            // They were checked, with the values that the stack keeps.
            checks_nested: false,
        });
        for file in prepared.files() {
            loader.note(file);
        }
        if !prepared.has_errors() {
            self.live.write_record()?;
        }
        Ok(prepared)
    }

    /// Returns warnings about the artifacts; empty after a build, which printed them.
    pub fn warnings(&self, prepared: &Prepared) -> Vec<Notice> {
        if self.is_built {
            return Vec::new();
        }
        prepared.warnings().into_iter().map(Notice::warning).collect()
    }
}
