//! A template and its nested stacks with what each of their artifact properties names, for a build: the same
//! paths are found, and the same is wrong with them, as when they are packaged (reference/packaging.md#paths).

use std::path::{Path, PathBuf};

use formwork::{Diagnostic, Report};
use formwork_package::{ArtifactRef, Purpose};

use super::{Preparation, Request, Resolution, Unit, faults, resolve};
use crate::assets::Assets;

/// What the templates of a build name.
#[derive(Debug)]
pub struct Survey {
    /// The templates: nested stacks before those that use them, the root last.
    pub units: Vec<Unit>,
    /// The nested templates as they were checked.
    pub checked: Vec<Report>,
    /// The project root, without links.
    pub project_root: PathBuf,
    assets: Assets,
    /// Where paths of sources start, in all templates.
    base: Option<PathBuf>,
    /// The directory of the root template.
    folder: PathBuf,
}

/// What a property names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named<'s> {
    /// A file or directory, by its real path.
    Disk(&'s Path),
    /// A nested stack, by the number of its template.
    Nested(usize),
    /// An image that is in no registry.
    Image,
    /// Nothing that can be used, which was reported.
    Missing,
}

impl Survey {
    /// What a need of a template names.
    pub fn named(&self, unit: usize, need: usize) -> Named<'_> {
        match self.units[unit].found.get(need) {
            Some(Resolution::Asset(number)) => Named::Disk(&self.assets.get(*number).path),
            Some(Resolution::Nested(number)) => Named::Nested(*number),
            Some(Resolution::UnbuiltImage) => Named::Image,
            Some(Resolution::Image(_) | Resolution::Missing) | None => Named::Missing,
        }
    }

    /// The directory that paths of a template start from.
    pub fn folder(&self, unit: usize) -> PathBuf {
        resolve::start_of(self.base.as_deref(), &self.folder, &self.units[unit].path)
    }

    /// Whether anything is wrong; then nothing may be built.
    pub fn has_errors(&self) -> bool {
        let units = self.units.iter().map(|unit| unit.packaging.report());
        units.chain(&self.checked).any(Report::has_errors)
    }

    /// What is reported of the units, then of the nested templates as they were checked; each statement once.
    pub fn reports(&self) -> Vec<Report> {
        let said: Vec<&Report> = self.checked.iter().collect();
        let mut reports = Report::distinct(self.units.iter().map(|unit| unit.packaging.report()), &said);
        reports.extend(self.checked.iter().cloned());
        reports
    }
}

/// What wraps every error of an artifact.
pub fn unable(need: &ArtifactRef, why: &str) -> Diagnostic {
    faults::unable(need, why)
}

/// Compiles a template and its nested stacks for a build, and looks at every path that they name. Paths of
/// sources start from `base`, in nested templates, too; without it, from the directory of each template.
pub fn survey(request: &Request<'_>, base: Option<&Path>) -> Survey {
    let mut run = Preparation::new(request, base, Purpose::Build);
    run.units(request.analysis);
    let checked = run.check_nested();
    let Preparation { units, assets, project_root, .. } = run;
    Survey { units, checked, project_root, assets, base: base.map(Path::to_owned), folder: request.folder.to_owned() }
}
