//! Resolves the templates of a run and the paths in them.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use formwork::{Analysis, File as Written, VirtualPath};
use formwork_disk::{is_inside, open_regular};
use formwork_package::{ArtifactRef, OpenParameters, Purpose, Treatment, archive};

use super::open_unit::{NeedError, OpenUnit, Step};
use super::{Preparation, Resolution, errors};
use crate::assets::Storage;
use crate::paths;

impl Preparation<'_> {
    /// Compiles a template and its nested stacks, which become units before those that use them. A stack of waiting
    /// templates replaces recursion: the depth of nesting is not limited.
    pub(super) fn units(&mut self, analysis: &Analysis<'_>) {
        let request = self.request;
        let real = paths::real(&request.directory.join(analysis.root().as_str()));
        let open = if request.deploys { OpenParameters::Named(Vec::new()) } else { OpenParameters::All };
        let mut waiting = vec![self.open_unit(analysis, real, open, None)];
        while let Some(top) = waiting.last() {
            if let Some(need) = top.packaging.plan().needs.get(top.found.len()) {
                let step = self.step(need, top, &waiting);
                let Some(top) = waiting.last_mut() else { return };
                match step {
                    Ok(Step::Found(resolution)) => top.found.push(resolution),
                    Ok(Step::Nested(unit)) => waiting.push(*unit),
                    Err(error) => {
                        top.found.push(Resolution::Missing);
                        top.errors.add(top.packaging.plan().needs.get(top.found.len() - 1), error);
                    }
                }
            } else if let Some(done) = waiting.pop() {
                let number = self.close_unit(done);
                if let Some(user) = waiting.last_mut() {
                    user.found.push(Resolution::Nested(number));
                }
            }
        }
    }

    /// Resolves a need of `user`. `waiting` are the templates that lead to it, `user` the last.
    fn step(&mut self, need: &ArtifactRef, user: &OpenUnit, waiting: &[OpenUnit]) -> Result<Step, NeedError> {
        let compilation = user.packaging.report().compilation();
        let template = &user.path;
        let file = match compilation.file_of(need.written) {
            None => template,
            Some(Written::OnDisk(file)) => file,
            Some(Written::Elsewhere(address)) => return Err(Some(Box::new(errors::elsewhere(need, address)))),
        };
        if need.treatment == Treatment::Image && self.purpose == Purpose::Build {
            return Ok(Step::Found(Resolution::UnbuiltImage));
        }
        let passed = need.parameter.as_ref().and_then(|name| compilation.parent()?.origin_of(name));
        let base = self.base.filter(|_| !matches!(need.treatment, Treatment::Template | Treatment::File));
        let directory = start_of(base, self.request.directory, passed.unwrap_or(file));
        let full = paths::absolute(&directory.join(&need.path));
        if need.treatment == Treatment::Image {
            return self.image(need, &full).map(Step::Found).map_err(Some);
        }
        // Reading the includes of the template has reported their errors.
        let is_reported = need.resource == "AWS::Include" && file == template;
        let real = full.canonicalize().map_err(|error| {
            let missing = || errors::missing(need, &full, &error, file != template, &self.project_root);
            (!is_reported).then(|| Box::new(missing()))
        })?;
        if !is_inside(&self.project_root, &real) {
            return Err((!is_reported).then(|| Box::new(errors::outside(need, &full, &self.project_root))));
        }
        let is_directory = real.is_dir();
        let is_zip = || match open_regular(&real) {
            Ok((file, _)) => Ok(archive::is_zip(BufReader::new(file))),
            Err(error) => Err((!is_reported).then(|| Box::new(errors::unreadable(need, &error)))),
        };
        // A file that is not regular is rejected whatever it would be stored as.
        let is_zip = !is_directory && is_zip()?;
        let storage = match (need.treatment, is_directory) {
            (Treatment::Template | Treatment::File, true) => {
                return Err((!is_reported).then(|| Box::new(errors::directory(need, &full))));
            }
            (Treatment::Template, false) => return self.nested(need, user, waiting, &real),
            (Treatment::File, false) => Storage::AsIs,
            (_, true) => Storage::Directory,
            (Treatment::ZipFolder, false) => Storage::AsIs,
            (_, false) if is_zip => Storage::AsIs,
            (_, false) => Storage::LoneFile,
        };
        Ok(Step::Found(Resolution::Asset(self.assets.add(&real, storage))))
    }
}

/// Returns the directory that paths in a template start from: `base`, or that of the template, whose path starts from
/// `root`.
pub(super) fn start_of(base: Option<&Path>, root: &Path, template: &VirtualPath) -> PathBuf {
    match (base, template.as_str().rsplit_once('/')) {
        (Some(base), _) => base.to_owned(),
        (None, Some((directory, _))) => root.join(directory),
        (None, None) => root.to_owned(),
    }
}
