//! Finds, for a build, the files of a template and its nested stacks: the same paths and the same diagnostics as when
//! they are packaged (reference/packaging.md#paths).

use std::path::{Path, PathBuf};

use formwork::{Diagnostic, Report};
use formwork_package::{ArtifactRef, Purpose};

use super::{Preparation, Request, Resolution, Unit, errors, resolve};
use crate::assets::Assets;

/// The templates of a build with the files that they refer to.
#[derive(Debug)]
pub struct Survey {
    /// The templates: nested stacks before those that use them, the root last.
    pub units: Vec<Unit>,
    /// The reports of the check of the nested templates.
    pub checked: Vec<Report>,
    /// The real path of the project root.
    pub project_root: PathBuf,
    assets: Assets,
    /// The directory that paths of sources start from in all templates; by default that of each template.
    base: Option<PathBuf>,
    directory: PathBuf,
}

/// The target of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'s> {
    /// A file or directory, by its real path.
    Disk(&'s Path),
    /// A nested stack, by the number of its template.
    Nested(usize),
    /// A local image.
    Image,
    /// Unusable; the error was reported.
    Missing,
}

impl Survey {
    /// Returns the target of a need of a template.
    pub fn named(&self, unit: usize, need: usize) -> Named<'_> {
        match self.units[unit].found.get(need) {
            Some(Resolution::Asset(number)) => Named::Disk(&self.assets.get(*number).path),
            Some(Resolution::Nested(number)) => Named::Nested(*number),
            Some(Resolution::UnbuiltImage) => Named::Image,
            Some(Resolution::Image(_) | Resolution::Missing) | None => Named::Missing,
        }
    }

    /// Returns the directory that paths of a template start from.
    pub fn directory(&self, unit: usize) -> PathBuf {
        resolve::start_of(self.base.as_deref(), &self.directory, &self.units[unit].path)
    }

    /// Returns `true` if there are errors; then nothing may be built.
    pub fn has_errors(&self) -> bool {
        let units = self.units.iter().map(|unit| unit.packaging.report());
        units.chain(&self.checked).any(Report::has_errors)
    }

    /// Returns the reports of the units, then of the nested templates as they were checked; each statement once.
    pub fn reports(&self) -> Vec<Report> {
        let checked: Vec<&Report> = self.checked.iter().collect();
        let mut reports = Report::distinct(self.units.iter().map(|unit| unit.packaging.report()), &checked);
        reports.extend(self.checked.iter().cloned());
        reports
    }
}

/// Creates the diagnostic that wraps every error of an artifact.
pub fn unable(need: &ArtifactRef, why: &str) -> Diagnostic {
    errors::unable(need, why)
}

/// Compiles a template and its nested stacks for a build, and looks at every path in them. Paths of sources start from
/// `base`, in nested templates as well; without it, from the directory of each template.
pub fn survey(request: &Request<'_>, base: Option<&Path>) -> Survey {
    let mut run = Preparation::new(request, base, Purpose::Build);
    run.units(request.analysis);
    let checked = run.check_nested();
    let Preparation { units, assets, project_root, .. } = run;
    Survey {
        units,
        checked,
        project_root,
        assets,
        base: base.map(Path::to_owned),
        directory: request.directory.to_owned(),
    }
}
