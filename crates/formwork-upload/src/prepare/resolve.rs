//! What the paths of a template name.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use formwork::{Compilation, Diagnostic, File as Written, VirtualPath};
use formwork_disk::open_regular;
use formwork_package::{ArtifactRef, Plan, Purpose, Treatment, archive};

use super::{Preparation, Resolution, faults};
use crate::assets::Storage;
use crate::paths;

impl Preparation<'_> {
    /// What each need of a plan is, and the errors in them. Errors of one place are one diagnostic.
    pub(super) fn resolve(
        &mut self,
        plan: &Plan,
        compilation: &Compilation,
        template: &VirtualPath,
    ) -> (Vec<Resolution>, Vec<Diagnostic>) {
        let mut found = Vec::with_capacity(plan.needs.len());
        let mut by_place: BTreeMap<(u32, u32), Diagnostic> = BTreeMap::new();
        let mut others = Vec::new();
        for need in &plan.needs {
            let resolution = match compilation.file_of(need.written) {
                None => self.resolve_one(need, compilation, template, template),
                Some(Written::OnDisk(file)) => self.resolve_one(need, compilation, template, file),
                Some(Written::Elsewhere(address)) => Err(Some(Box::new(faults::elsewhere(need, address)))),
            };
            match resolution {
                Ok(resolution) => found.push(resolution),
                Err(fault) => {
                    found.push(Resolution::Missing);
                    let Some(fault) = fault else { continue };
                    match by_place.get_mut(&(need.span.start(), need.span.end())) {
                        Some(first) if need.span.start() > 0 => {
                            first.notes.push(format!("also: {}", fault.message));
                            first.count += 1;
                        }
                        _ if need.span.start() > 0 => {
                            by_place.insert((need.span.start(), need.span.end()), *fault);
                        }
                        _ => others.push(*fault),
                    }
                }
            }
        }
        others.extend(by_place.into_values());
        (found, others)
    }

    /// One need, whose path is written in `file`; `Err(None)` when the error was reported before.
    fn resolve_one(
        &mut self,
        need: &ArtifactRef,
        compilation: &Compilation,
        template: &VirtualPath,
        file: &VirtualPath,
    ) -> Result<Resolution, Option<Box<Diagnostic>>> {
        if need.treatment == Treatment::Image && self.purpose == Purpose::Build {
            return Ok(Resolution::UnbuiltImage);
        }
        let passed = need.parameter.as_ref().and_then(|name| compilation.parent()?.origin_of(name));
        let start = if need.treatment == Treatment::Template { self.request.folder } else { self.sources };
        let folder = folder_of(start, passed.unwrap_or(file));
        let full = paths::absolute(&folder.join(&need.path));
        if need.treatment == Treatment::Image {
            return self.image(need, &full).map_err(Some);
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
            (Treatment::Template, false) => return self.nested(need, compilation, &real),
            (Treatment::File, false) => Storage::AsIs,
            (_, true) => Storage::Folder,
            (Treatment::ZipFolder, false) => Storage::AsIs,
            (_, false) if is_zip => Storage::AsIs,
            (_, false) => Storage::LoneFile,
        };
        Ok(Resolution::Asset(self.assets.add(&real, storage)))
    }
}

/// The directory of a template, which paths in it start from.
pub(super) fn folder_of(root: &Path, template: &VirtualPath) -> PathBuf {
    match template.as_str().rsplit_once('/') {
        Some((folder, _)) => root.join(folder),
        None => root.to_owned(),
    }
}
