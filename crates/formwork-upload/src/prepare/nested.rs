//! Nested stacks (reference/packaging.md#nested).

use std::path::Path;

use formwork::nested::{self, Nested, PathErrors};
use formwork::{Compilation, Diagnostic, Goal, Report};
use formwork_package::{ArtifactRef, OpenParameters, Treatment};

use super::{Preparation, Resolution, Unit, faults};

impl Preparation<'_> {
    /// Packages the template that a need names, once for each set of values.
    pub(super) fn nested(
        &mut self,
        need: &ArtifactRef,
        compilation: &Compilation,
        real: &Path,
    ) -> Result<Resolution, Option<Box<Diagnostic>>> {
        if let Some(from) = self.chain.iter().position(|path| path == real) {
            return Err(Some(Box::new(faults::cycle(need, &self.chain[from..], &self.project_root))));
        }
        let path =
            nested::path_of(compilation, need).map_err(|address| Some(Box::new(faults::elsewhere(need, &address))))?;
        let parent = nested::parent_of(compilation, need, &path);
        let this = parent.to_use(real.to_string_lossy().into_owned());
        if let Some(&known) = self.nested.get(&this) {
            return Ok(Resolution::Nested(known));
        }
        let session = self.request.analysis.session();
        session.read(&path).map_err(|error| Some(Box::new(faults::unreadable(need, &error))))?;
        let nested = session.with_options(session.options().of_nested(parent)).analyze(&path);
        let open = self.open_in(need);
        let outer = std::mem::replace(&mut self.open, open);
        self.chain.push(real.to_owned());
        let number = self.unit(&nested);
        self.chain.pop();
        self.open = outer;
        self.nested.insert(this, number);
        Ok(Resolution::Nested(number))
    }

    /// The parameters of a nested stack that may have other values at deployment: those to which something is passed
    /// that only the deployment knows. The Default that counts here for such a one may be passed on, so that behind
    /// it nothing is final.
    fn open_in(&self, need: &ArtifactRef) -> OpenParameters {
        let Some(names) = need.passing.names.as_ref().filter(|_| self.open == OpenParameters::Named(Vec::new())) else {
            return OpenParameters::All;
        };
        let is_known = |name: &str| need.passing.values.iter().any(|passed| passed.name == name);
        OpenParameters::Named(names.iter().map(|(name, _)| name.clone()).filter(|name| !is_known(name)).collect())
    }

    /// Checks the nested templates that would be deployed: an error in one of them keeps its parent from
    /// being packaged.
    pub(super) fn check_nested(&self) -> Vec<Report> {
        let names_template =
            |unit: &Unit| unit.packaging.plan().needs.iter().any(|need| need.treatment == Treatment::Template);
        if !self.request.checks_nested || !self.units.last().is_some_and(names_template) {
            return Vec::new();
        }
        let analysis = self.request.analysis;
        let root = analysis.compile(Goal::Check);
        let Nested { found, reports, .. } =
            analysis.session().compile_nested(&root, Goal::Check, PathErrors::LeftToPackaging);
        // Other errors in the root are reported by packaging.
        let of_root = (!found.is_empty()).then(|| Report::of_findings(root, found));
        of_root.into_iter().chain(reports).collect()
    }
}
