//! What the paths of a template name.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use formwork::{Diagnostic, File as Written, VirtualPath};
use formwork_disk::open_regular;
use formwork_package::{ArtifactRef, Purpose, Treatment, archive};

use super::nested::OpenUnit;
use super::{Preparation, Resolution, faults};
use crate::assets::Storage;
use crate::paths;

/// What is wrong with a need; `None` when it was reported before.
pub(super) type Fault = Option<Box<Diagnostic>>;

/// What a need turned out to be.
pub(super) enum Step {
    /// It is known.
    Found(Resolution),
    /// It is a nested stack, whose own needs come first.
    Nested(Box<OpenUnit>),
}

/// The errors in the needs of a template. Errors of one place are one diagnostic.
#[derive(Default)]
pub(super) struct Faults {
    by_place: BTreeMap<(u32, u32), Diagnostic>,
    others: Vec<Diagnostic>,
}

impl Faults {
    /// Adds the error of a need.
    pub(super) fn add(&mut self, need: Option<&ArtifactRef>, fault: Fault) {
        let (Some(need), Some(fault)) = (need, fault) else { return };
        if need.span.start() == 0 {
            return self.others.push(*fault);
        }
        match self.by_place.entry((need.span.start(), need.span.end())) {
            Entry::Occupied(first) => {
                let first = first.into_mut();
                first.notes.push(format!("also: {}", fault.message));
                first.count += 1;
            }
            Entry::Vacant(place) => {
                place.insert(*fault);
            }
        }
    }

    /// All of them.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.others.into_iter().chain(self.by_place.into_values()).collect()
    }
}

impl Preparation<'_> {
    /// What a need of `user` is. `waiting` are the templates that lead to it, itself the last.
    pub(super) fn step(&mut self, need: &ArtifactRef, user: &OpenUnit, waiting: &[OpenUnit]) -> Result<Step, Fault> {
        let compilation = user.packaging.report().compilation();
        let template = &user.path;
        let file = match compilation.file_of(need.written) {
            None => template,
            Some(Written::OnDisk(file)) => file,
            Some(Written::Elsewhere(address)) => return Err(Some(Box::new(faults::elsewhere(need, address)))),
        };
        if need.treatment == Treatment::Image && self.purpose == Purpose::Build {
            return Ok(Step::Found(Resolution::UnbuiltImage));
        }
        let passed = need.parameter.as_ref().and_then(|name| compilation.parent()?.origin_of(name));
        let start = if need.treatment == Treatment::Template { self.request.folder } else { self.sources };
        let folder = folder_of(start, passed.unwrap_or(file));
        let full = paths::absolute(&folder.join(&need.path));
        if need.treatment == Treatment::Image {
            return self.image(need, &full).map(Step::Found).map_err(Some);
        }
        // Reading the includes of the template has reported their errors.
        let is_told = need.resource == "AWS::Include" && file == template;
        let real = full.canonicalize().map_err(|error| {
            let missing = || faults::missing(need, &full, &error, file != template, &self.project_root);
            (!is_told).then(|| Box::new(missing()))
        })?;
        if !real.starts_with(&self.project_root) {
            return Err((!is_told).then(|| Box::new(faults::outside(need, &full, &self.project_root))));
        }
        let is_folder = real.is_dir();
        let is_zip = || match open_regular(&real) {
            Ok((file, _)) => Ok(archive::is_zip(BufReader::new(file))),
            Err(error) => Err((!is_told).then(|| Box::new(faults::unreadable(need, &error)))),
        };
        // What is not a regular file is rejected whatever it would be stored as.
        let is_zip = !is_folder && is_zip()?;
        let storage = match (need.treatment, is_folder) {
            (Treatment::Template | Treatment::File, true) => {
                return Err((!is_told).then(|| Box::new(faults::folder(need, &full))));
            }
            (Treatment::Template, false) => return self.nested(need, user, waiting, &real),
            (Treatment::File, false) => Storage::AsIs,
            (_, true) => Storage::Folder,
            (Treatment::ZipFolder, false) => Storage::AsIs,
            (_, false) if is_zip => Storage::AsIs,
            (_, false) => Storage::LoneFile,
        };
        Ok(Step::Found(Resolution::Asset(self.assets.add(&real, storage))))
    }
}

/// The directory of a template, which paths in it start from.
pub(super) fn folder_of(root: &Path, template: &VirtualPath) -> PathBuf {
    match template.as_str().rsplit_once('/') {
        Some((folder, _)) => root.join(folder),
        None => root.to_owned(),
    }
}
