//! Resolves and names local images (reference/packaging.md#images).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use formwork::Diagnostic;
use formwork_disk::is_inside;
use formwork_package::image::{self, Repository};
use formwork_package::{ArtifactRef, ImageError};

use super::{Mention, Preparation, Prepared, Repositories, Resolution, Unit, errors};
use crate::images::{EngineError, ImagePush, LocalImage, may_hold};

impl Preparation<'_> {
    pub(super) fn image(&mut self, need: &ArtifactRef, full: &Path) -> Result<Resolution, Box<Diagnostic>> {
        match full.canonicalize() {
            Ok(real) if !real.is_dir() => {
                if !is_inside(&self.project_root, &real) {
                    return Err(Box::new(errors::outside(need, full, &self.project_root)));
                }
                let number = self.images.archive(&real);
                number.map(Resolution::Image).map_err(|error| Box::new(errors::archive(need, full, &error)))
            }
            Ok(_) if !may_hold(&need.path) => Err(Box::new(errors::archive(need, full, &ImageError::NotAnArchive))),
            Err(_) if !may_hold(&need.path) => Err(Box::new(errors::image(
                need,
                full,
                "it is a path alone: images that an engine holds have names such as web:latest",
            ))),
            _ => self.images.held(&need.path).map(Resolution::Image).map_err(|error| match error {
                EngineError::Failed(why) => Box::new(errors::engine(need, &why)),
                error => Box::new(errors::image(need, full, &error.to_string())),
            }),
        }
    }

    pub(super) fn name_images(&mut self) {
        let Some(find) = self.request.repositories else {
            return errors::without_repository(&mut self.units);
        };
        if self.has_errors() {
            return;
        }
        match NamedImages::new(&self.units, self.images.list(), find) {
            Ok(named) => self.named = named,
            Err(error) => self.report_root(*error),
        }
    }
}

impl Prepared {
    /// Returns the configuration digest, which identifies the content, and the tag of the image of a need.
    pub fn image_key(&self, unit: usize, need: usize) -> Option<String> {
        let &Resolution::Image(number) = self.units.get(unit)?.found.get(need)? else { return None };
        let tag = &self.named.pushes.get(self.named.names.get(&(unit, need))?)?.tag;
        Some(format!("{} {tag}", self.images[number].image.config_digest()))
    }

    /// Returns the places in templates of each image that is pushed, by image name.
    pub fn image_mentions(&self) -> BTreeMap<&str, Vec<Mention>> {
        let mut all: BTreeMap<&str, Vec<Mention>> = BTreeMap::new();
        for (at, unit) in self.units.iter().enumerate() {
            for (number, need) in unit.packaging.plan().needs.iter().enumerate() {
                if let Some(name) = self.named.names.get(&(at, number)) {
                    let mention = Mention::of(need);
                    all.entry(name).or_default().push(mention);
                }
            }
        }
        all
    }

    /// Names the images again in repositories that were not known when the package was prepared. The names in the
    /// templates do not change.
    ///
    /// # Errors
    /// The error of `find`.
    pub fn name_images(&self, find: Repositories<'_>) -> Result<NamedImages, Box<Diagnostic>> {
        NamedImages::new(&self.units, &self.images, find)
    }
}

/// The names of the images of a run, and the pushes for them.
#[derive(Debug, Default)]
pub struct NamedImages {
    /// The images that are pushed, each once, by name.
    pub(crate) pushes: BTreeMap<String, ImagePush>,
    /// The name of each image, by the index of the template and that of the need.
    pub(crate) names: HashMap<(usize, usize), String>,
}

impl NamedImages {
    /// Names every image in the repository of the first function that runs it, in loops as well.
    pub(super) fn new(
        units: &[Unit],
        local: &[LocalImage],
        find: Repositories<'_>,
    ) -> Result<NamedImages, Box<Diagnostic>> {
        let paths = stack_paths(units);
        let mut images: Vec<((usize, usize), usize, String)> = Vec::new();
        for (at, unit) in units.iter().enumerate() {
            for (need, (named, found)) in unit.packaging.plan().needs.iter().zip(&unit.found).enumerate() {
                if let Resolution::Image(number) = *found {
                    images.push(((at, need), number, format!("{}{}", paths[at], named.resource)));
                }
            }
        }
        let mut all = NamedImages::default();
        if images.is_empty() {
            return Ok(all);
        }
        let mut functions: Vec<String> = images.iter().map(|(.., function)| function.clone()).collect();
        functions.sort();
        functions.dedup();
        let found = find(&functions)?;
        let repositories: BTreeMap<String, Repository> = functions.into_iter().zip(found).collect();
        let mut tags: HashMap<(usize, Repository), String> = HashMap::new();
        for (need, number, function) in images {
            let Some(repository) = repositories.get(&function) else { continue };
            let tag = tags.entry((number, repository.clone())).or_insert_with(|| {
                let image = &local[number].image;
                let resource = function.rsplit('/').next().unwrap_or_default();
                match &image.name {
                    Some((name, tag)) => image::tag(name, &image.id, tag.as_deref()),
                    None => image::tag(resource, &image.id, None),
                }
            });
            let (tag, repository) = (tag.clone(), repository.clone());
            // A plan may not know the repository.
            let name = if repository.host.is_empty() { tag.clone() } else { format!("{repository}:{tag}") };
            all.names.insert(need, name.clone());
            all.pushes.insert(name, ImagePush { number, repository, tag });
        }
        Ok(all)
    }
}

/// Returns the prefix of the logical IDs of each template: the path of the first stacks that lead to it, each followed
/// by a slash.
fn stack_paths(units: &[Unit]) -> Vec<String> {
    let mut paths: Vec<Option<String>> = vec![None; units.len()];
    for at in (0..units.len()).rev() {
        let own = paths[at].get_or_insert_default().clone();
        let unit = &units[at];
        for (need, found) in unit.packaging.plan().needs.iter().zip(&unit.found) {
            if let Resolution::Nested(nested) = *found {
                paths[nested].get_or_insert_with(|| format!("{own}{}/", need.resource));
            }
        }
    }
    paths.into_iter().map(Option::unwrap_or_default).collect()
}
