//! Compiles and checks nested stacks (reference/packaging.md#nested).

use std::path::{Path, PathBuf};

use formwork::nested::{self, Nested, PathErrors};
use formwork::{Analysis, Compilation, Goal, PackageOptions, Packaging, Report};
use formwork_package::{ArtifactRef, OpenParameters, Treatment};

use super::open_unit::{NeedError, NeedErrors, OpenUnit, Step};
use super::{Preparation, Resolution, Unit, errors};

impl Preparation<'_> {
    pub(super) fn open_unit(
        &self,
        analysis: &Analysis<'_>,
        real: PathBuf,
        open: OpenParameters,
        usage: Option<nested::Use>,
    ) -> OpenUnit {
        let options = PackageOptions {
            output: self.request.output,
            records: self.request.records,
            open: open.clone(),
            // A deployment was checked, its nested templates included.
            is_checked: self.request.deploys,
            purpose: self.purpose,
        };
        OpenUnit {
            path: analysis.root().clone(),
            packaging: Packaging::new(&analysis.compile(Goal::Package), options),
            real,
            open,
            found: Vec::new(),
            errors: NeedErrors::default(),
            usage,
        }
    }

    /// Adds a template whose needs are resolved, and returns its number.
    pub(super) fn close_unit(&mut self, done: OpenUnit) -> usize {
        let OpenUnit { path, mut packaging, found, errors, usage, .. } = done;
        packaging.add(errors.into_diagnostics());
        self.units.push(Unit { path, packaging, found, bytes: 0, key: None });
        let number = self.units.len() - 1;
        if let Some(usage) = usage {
            self.nested.insert(usage, number);
        }
        number
    }

    /// Opens the template of a need of `user`, packaged once for each set of values. `waiting` are the templates that
    /// lead to it.
    pub(super) fn nested(
        &mut self,
        need: &ArtifactRef,
        user: &OpenUnit,
        waiting: &[OpenUnit],
        real: &Path,
    ) -> Result<Step, NeedError> {
        let compilation: &Compilation = user.packaging.report().compilation();
        if let Some(from) = waiting.iter().position(|unit| unit.real.as_os_str() == real.as_os_str()) {
            let chain = waiting[from..].iter().map(|unit| unit.real.as_path());
            return Err(Some(Box::new(errors::cycle(need, chain, &self.project_root))));
        }
        let path =
            nested::path_of(compilation, need).map_err(|module| Some(Box::new(errors::elsewhere(need, &module.0))))?;
        let parent = nested::parent_of(compilation, need, &path);
        let usage = parent.to_use(real.to_string_lossy().into_owned());
        if let Some(&known) = self.nested.get(&usage) {
            return Ok(Step::Found(Resolution::Nested(known)));
        }
        if self.budget.is_spent() {
            return Err(None);
        }
        let session = self.request.analysis.session();
        let bytes = session.read(&path).map_err(|error| Some(Box::new(errors::unreadable(need, &error))))?;
        self.budget.count(need, &bytes).map_err(Some)?;
        let nested = session.with_options(session.options().of_nested(parent));
        let unit = self.open_unit(&nested.analyze(&path), real.to_owned(), open_in(user, need), Some(usage));
        Ok(Step::Nested(Box::new(unit)))
    }

    /// Checks the nested templates that would be deployed: an error in one of them prevents packaging of its parent.
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
        // Packaging reports other errors in the root.
        let of_root = (!found.is_empty()).then(|| Report::of_findings(root, found));
        of_root.into_iter().chain(reports).collect()
    }
}

/// Returns the parameters of a nested stack whose values may differ at deployment: those that receive a value known
/// only to the deployment. In a template with such parameters all are open: the Default used here may be passed on.
fn open_in(user: &OpenUnit, need: &ArtifactRef) -> OpenParameters {
    let Some(names) = need.passing.names.as_ref().filter(|_| user.open == OpenParameters::Named(Vec::new())) else {
        return OpenParameters::All;
    };
    let is_known = |name: &str| need.passing.values.iter().any(|passed| passed.name == name);
    OpenParameters::Named(names.iter().map(|(name, _)| name.clone()).filter(|name| !is_known(name)).collect())
}
