//! The `--live` session of a program without network support.

use formwork::nested::PathErrors;
use formwork::{Analysis, Diagnostic, Goal, Observer, Report};
use formwork_project::Failure;

use super::{NO_NETWORK, NO_UPLOADS, check};
use crate::args::InputArgs;
use crate::inputs::Input;

/// The state of a run without network support.
pub struct Live;

#[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same calls as with a network")]
impl Live {
    /// Runs with the arguments of a command line.
    ///
    /// # Errors
    /// When they contradict each other, or ask for the network.
    pub fn new(inputs: &InputArgs) -> Result<Live, Failure> {
        Live::with_uploads(inputs, false)
    }

    /// Like [`Live::new`], for runs that also upload.
    ///
    /// # Errors
    /// The errors of [`Live::new`].
    pub fn with_uploads(inputs: &InputArgs, uploads: bool) -> Result<Live, Failure> {
        check(inputs, inputs.live.live, uploads.then_some(NO_UPLOADS))?;
        if inputs.live.live { Err(NO_NETWORK.into()) } else { Ok(Live) }
    }

    /// Returns no warnings: no question was asked.
    pub fn warnings(&self, _: usize, _: bool) -> impl Iterator<Item = Diagnostic> {
        std::iter::empty()
    }

    /// Has no effect: no account data was requested.
    ///
    /// # Errors
    /// None.
    pub fn write_record(&self) -> Result<(), Failure> {
        Ok(())
    }

    /// Compiles a template.
    ///
    /// # Errors
    /// None.
    pub fn compile(&mut self, input: &Input, goal: Goal, observer: Option<Observer<'_>>) -> Result<Report, Failure> {
        Ok(self.analyze(input, goal, observer)?.1)
    }

    /// Compiles a template, for a run that continues.
    ///
    /// # Errors
    /// None.
    pub fn analyze(
        &mut self,
        input: &Input,
        goal: Goal,
        observer: Option<Observer<'_>>,
    ) -> Result<(Analysis<'static>, Report), Failure> {
        let analysis = input.analysis();
        let compiled = analysis.compile_observed(goal, observer.unwrap_or(&|_| {}));
        Ok((analysis, compiled.into()))
    }

    /// Compiles the local nested templates of a template.
    ///
    /// # Errors
    /// None.
    pub fn nested(
        &mut self,
        _: &Input,
        analysis: &mut Analysis<'static>,
        root: &mut Report,
        goal: Goal,
        path_errors: PathErrors,
    ) -> Result<Vec<Report>, Failure> {
        let nested = analysis.session().compile_nested(root.compilation(), goal, path_errors);
        root.add(nested.found);
        Ok(nested.reports)
    }
}
