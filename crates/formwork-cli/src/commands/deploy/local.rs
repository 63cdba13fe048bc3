//! The part of a deployment that needs no service: what is checked, and the text that is deployed.

use std::path::Path;

use formwork::{Compilation, FileBytes, Given, Options, ParameterValue, PseudoParameter, Stage, Values, VirtualPath};

use crate::args::DeployArgs;
use crate::inputs::{self, Input};
use crate::live::Live;
use crate::project_host::ProjectHost;

/// A template and what it is compiled with.
pub(super) struct Local<'a> {
    args: &'a DeployArgs,
    template: &'a Path,
    live: Live,
    path: VirtualPath,
    bytes: FileBytes,
    options: Options,
}

/// Parameters that nobody gave and that the stack has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    /// Those whose values are known.
    pub(super) known: Vec<(String, String)>,
    /// Those whose values are hidden.
    pub(super) hidden: Vec<String>,
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
    ) -> Result<Local<'a>, String> {
        let live = Live::online(&args.inputs)?;
        let input = inputs::read(template, "deploy", Values::Keep, &args.inputs, &args.report)?;
        let Input { path, bytes, mut options, .. } = input;
        let mut name = |pseudo, value: Option<&str>| {
            if let Some(value) = value.filter(|_| !options.pseudo.iter().any(|(known, _)| *known == pseudo)) {
                options.pseudo.push((pseudo, value.to_owned()));
            }
        };
        name(PseudoParameter::Region, region);
        name(PseudoParameter::StackName, Some(stack_name));
        Ok(Local { args, template, live, path, bytes, options })
    }

    /// Checks everything that keeps the template from being deployed.
    ///
    /// # Errors
    /// When AWS is to be asked for account data and cannot be.
    pub(super) fn check(&mut self, kept: &Kept) -> Result<Compilation, String> {
        self.compile(Stage::Deploy, kept)
    }

    /// The template as it is deployed.
    ///
    /// # Errors
    /// Those of [`Local::check`].
    pub(super) fn expand(&mut self, kept: &Kept) -> Result<Compilation, String> {
        self.compile(Stage::Expand, kept)
    }

    fn compile(&mut self, stage: Stage, kept: &Kept) -> Result<Compilation, String> {
        let mut options = self.options.clone();
        let values = kept.known.iter().map(|(name, value)| ParameterValue {
            name: name.clone(),
            value: value.clone(),
            given: Given::File,
        });
        options.configured_parameters = values.chain(options.configured_parameters).collect();
        options.kept_parameters.clone_from(&kept.hidden);
        let host = ProjectHost::new(self.template, &self.args.inputs)?;
        let input = Input { path: self.path.clone(), bytes: self.bytes.clone(), host, options };
        self.live.compile(input, stage, None)
    }
}
