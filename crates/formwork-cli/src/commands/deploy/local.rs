//! The part of a deployment that needs no service: what is checked, and what is packaged.

use std::path::Path;

use formwork::nested::PathErrors;
use formwork::{
    Compilation, Diagnostic, FileBytes, Given, LeftLoops, Options, ParameterValue, PseudoParameter, Stage, Values,
    VirtualPath,
};
use formwork_deploy::PreviousValues;
use formwork_upload::{Prepared, Request, Symlinks};

use crate::args::DeployArgs;
use crate::failure::Failure;
use crate::inputs::{self, Input};
use crate::live::Live;
use crate::nested;
use crate::project_host::ProjectHost;
use crate::upload::Upload;

/// A template and what it is compiled with.
pub(super) struct Local<'a> {
    args: &'a DeployArgs,
    template: &'a Path,
    live: Live,
    path: VirtualPath,
    bytes: FileBytes,
    options: Options,
    region: Option<String>,
    /// Where files that the template names go.
    pub(super) upload: Upload,
}

impl<'a> Local<'a> {
    /// Reads the template. `region` is the one that is deployed to.
    ///
    /// # Errors
    /// When a file cannot be read, or the arguments contradict each other.
    pub(super) fn new(
        args: &'a DeployArgs,
        template: &'a Path,
        region: Option<&str>,
        stack_name: &str,
    ) -> Result<Local<'a>, Failure> {
        let live = Live::online(&args.inputs)?;
        let input = inputs::read(template, "deploy", Values::Keep, &args.inputs, &args.report)?;
        let Input { path, bytes, mut options, upload, .. } = input;
        let mut name = |pseudo, value: Option<&str>| {
            if let Some(value) = value.filter(|_| !options.pseudo.iter().any(|(known, _)| *known == pseudo)) {
                options.pseudo.push((pseudo, value.to_owned()));
            }
        };
        name(PseudoParameter::Region, region);
        name(PseudoParameter::StackName, Some(stack_name));
        let upload = Upload::new(&args.upload, &args.inputs.live, &upload, region)?;
        Ok(Local { args, template, live, path, bytes, options, region: region.map(str::to_owned), upload })
    }

    /// Checks everything that keeps the template from being deployed.
    ///
    /// # Errors
    /// When AWS is to be asked for account data and cannot be.
    pub(super) fn check(&mut self, previous: &PreviousValues) -> Result<Compilation, String> {
        let mut input = self.input(previous)?;
        self.live.compile_with(&mut input, Stage::Deploy, None)
    }

    /// Checks the local nested templates of the template, which was checked with the same values.
    ///
    /// # Errors
    /// Those of [`Local::check`].
    pub(super) fn check_nested(
        &mut self,
        previous: &PreviousValues,
        root: &mut Compilation,
    ) -> Result<Vec<Compilation>, String> {
        let mut input = self.input(previous)?;
        self.live.learn(&mut input, Stage::Deploy)?;
        nested::of(&mut self.live, &mut input, root, Stage::Deploy, PathErrors::LeftToPackaging)
    }

    /// The template as it is deployed, and what has to be uploaded for it. Nothing is uploaded yet.
    ///
    /// # Errors
    /// Those of [`Local::check`].
    pub(super) fn package(&mut self, previous: &PreviousValues) -> Result<Prepared, String> {
        let mut input = self.input(previous)?;
        input.options.left_loops = LeftLoops::Undeclared;
        let troubles = self.live.learn(&mut input, Stage::Package)?;
        let folder = inputs::folder(self.template);
        let bucket = || self.upload.destination();
        let request = Request {
            folder,
            path: input.path,
            bytes: input.bytes,
            host: &input.host,
            options: input.options,
            project_root: input.host.root(),
            output: None,
            format: None,
            records: false,
            deploys: true,
            symlinks: Symlinks::Follow,
            left_out: self.upload.store_folder().into_iter().collect(),
            destination: if self.upload.is_somewhere() { Some(&bucket) } else { None },
            // They were, with what the stack keeps.
            checks_nested: false,
        };
        let mut prepared = formwork_upload::prepare(&request);
        if let Some(root) = prepared.units.last_mut() {
            root.compilation.report(troubles);
        }
        for file in prepared.files() {
            input.host.loader().note(file);
        }
        if !prepared.has_errors() {
            self.live.write_record()?;
        }
        Ok(prepared)
    }

    fn input(&self, previous: &PreviousValues) -> Result<Input, String> {
        let mut options = self.options.clone();
        let values = previous.known.iter().map(|(name, value)| ParameterValue {
            name: name.clone(),
            value: value.clone(),
            given: Given::File,
        });
        options.configured_parameters = values.chain(options.configured_parameters).collect();
        options.kept_parameters.clone_from(&previous.hidden);
        let host = ProjectHost::new(self.template, &self.args.inputs)?;
        let (path, bytes, region) = (self.path.clone(), self.bytes.clone(), self.region.clone());
        Ok(Input { path, bytes, host, options, region, upload: inputs::Upload::default() })
    }
}

/// What packaging has to say and the checks before it did not.
pub(super) fn news(found: &[Diagnostic], before: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_known = |one: &Diagnostic| before.iter().any(|known| known.code == one.code && known.message == one.message);
    found.iter().filter(|one| !is_known(one)).cloned().collect()
}
