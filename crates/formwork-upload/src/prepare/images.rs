//! Images of this machine: what they are, and the names that they get (reference/packaging.md#images).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use formwork::Diagnostic;
use formwork_package::image::{self, Repository};
use formwork_package::{ArtifactRef, ImageError};

use super::{Preparation, Resolution, faults};
use crate::images::{EngineError, ImagePush, may_hold};

impl Preparation<'_> {
    /// The image that a need names: an archive, or one that an engine holds.
    pub(super) fn image(&mut self, need: &ArtifactRef, full: &Path) -> Result<Resolution, Box<Diagnostic>> {
        match full.canonicalize() {
            Ok(real) if !real.is_dir() => {
                if !real.starts_with(&self.project_root) {
                    return Err(Box::new(faults::outside(need, full, &self.project_root)));
                }
                let number = self.images.archive(&real);
                number.map(Resolution::Image).map_err(|error| Box::new(faults::archive(need, full, &error)))
            }
            Ok(_) if !may_hold(&need.path) => Err(Box::new(faults::archive(need, full, &ImageError::NotAnArchive))),
            Err(_) if !may_hold(&need.path) => Err(Box::new(faults::image(
                need,
                full,
                "it is a path alone: images that an engine holds have names such as web:latest",
            ))),
            _ => self.images.held(&need.path).map(Resolution::Image).map_err(|error| match error {
                EngineError::Failed(why) => Box::new(faults::engine(need, &why)),
                error => Box::new(faults::image(need, full, &error.to_string())),
            }),
        }
    }

    /// Names every image in its repository: in a loop as elsewhere by the first function that runs it.
    pub(super) fn name_images(&mut self) {
        let paths = self.stack_paths();
        let mut images: Vec<((usize, usize), usize, String)> = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            for (need, (named, found)) in unit.packaging.plan().needs.iter().zip(&unit.found).enumerate() {
                if let Resolution::Image(number) = *found {
                    images.push(((at, need), number, format!("{}{}", paths[at], named.resource)));
                }
            }
        }
        let Some(find) = self.request.repositories else {
            return faults::without_repository(&mut self.units);
        };
        if images.is_empty() || self.has_errors() {
            return;
        }
        let mut functions: Vec<String> = images.iter().map(|(.., function)| function.clone()).collect();
        functions.sort();
        functions.dedup();
        let repositories: BTreeMap<String, Repository> = match find(&functions) {
            Ok(found) => functions.into_iter().zip(found).collect(),
            Err(fault) => return self.report_root(*fault),
        };
        let mut tags: HashMap<(usize, Repository), String> = HashMap::new();
        for (need, number, function) in images {
            let Some(repository) = repositories.get(&function) else { continue };
            let tag = tags.entry((number, repository.clone())).or_insert_with(|| {
                let image = &self.images.get(number).image;
                let resource = function.rsplit('/').next().unwrap_or_default();
                match &image.name {
                    Some((name, tag)) => image::tag(name, &image.id, tag.as_deref()),
                    None => image::tag(resource, &image.id, None),
                }
            });
            let (tag, repository) = (tag.clone(), repository.clone());
            // In a plan the repository may not be known.
            let name = if repository.host.is_empty() { tag.clone() } else { format!("{repository}:{tag}") };
            self.image_names.insert(need, name.clone());
            self.pushes.insert(name, ImagePush { number, repository, tag });
        }
    }

    /// What stands before the logical IDs of each template: the first stacks that lead to it, with a slash behind each.
    fn stack_paths(&self) -> Vec<String> {
        let mut paths: Vec<Option<String>> = vec![None; self.units.len()];
        for at in (0..self.units.len()).rev() {
            let own = paths[at].get_or_insert_default().clone();
            let unit = &self.units[at];
            for (need, found) in unit.packaging.plan().needs.iter().zip(&unit.found) {
                if let Resolution::Nested(nested) = *found {
                    paths[nested].get_or_insert_with(|| format!("{own}{}/", need.resource));
                }
            }
        }
        paths.into_iter().map(Option::unwrap_or_default).collect()
    }
}
