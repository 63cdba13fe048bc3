//! Packages a template and its nested stacks up to, but not including, the uploads (reference/packaging.md#properties,
//! reference/packaging.md#upload, reference/packaging.md#nested, reference/packaging.md#loops).

mod errors;
mod images;
mod nested;
mod open_unit;
mod resolve;
pub mod survey;
mod warnings;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use formwork::nested::{NestedBudget, Use};
use formwork::{Analysis, Compilation, Diagnostic, Format, Packaging, Report, VirtualPath};
use formwork_package::image::Repository;
use formwork_package::{ArtifactRef, AssetKey, Output, Purpose, Target, asset_key};

use crate::assets::{Asset, Assets, Storage};
use crate::images::{LocalImage, LocalImages};
use crate::listing::{Rules, Symlinks};
use crate::{Destination, Payload, paths};

pub use images::NamedImages;

/// The input of packaging.
pub struct Request<'r> {
    /// The directory of the template; paths in the template start there.
    pub directory: &'r Path,
    /// The analyzed template. Its session reads the nested templates.
    pub analysis: &'r Analysis<'r>,
    /// The project root: files outside it are not packaged.
    pub project_root: &'r Path,
    /// The kind of output template; by default loops remain for CloudFormation to expand.
    pub output: Option<Output>,
    /// The format of the packaged root template; by default its own. Nested stacks keep theirs.
    pub format: Option<Format>,
    /// Records the items of packaged parameters in the metadata of the template.
    pub records: bool,
    /// Set when the template is deployed right away with the values that it is packaged with.
    pub deploys: bool,
    /// The treatment of symbolic links in directories.
    pub symlinks: Symlinks,
    /// Files and directories that are never part of a zip: the output of packaging.
    pub left_out: Vec<PathBuf>,
    /// Returns the destination of objects; without it, anything to upload is an error.
    pub destination: Option<Where<'r>>,
    /// Returns the repositories of images; without it, any local image is an error.
    pub repositories: Option<Repositories<'r>>,
    /// Checks nested templates as well; unset by a caller that checked them already.
    pub checks_nested: bool,
}

/// Returns the destination of objects, or why it cannot be used. Called at most once, and only when there is something
/// to upload and no error so far.
pub type Where<'r> = &'r dyn Fn() -> Result<Destination, Box<Diagnostic>>;

/// Returns the repository of the image of each function, or why it cannot be used. The argument lists the logical IDs
/// of the functions, those of nested stacks as `STACK/FUNCTION`. Called under the conditions of [`Where`], when there
/// are images.
pub type Repositories<'r> = &'r dyn Fn(&[String]) -> Result<Vec<Repository>, Box<Diagnostic>>;

/// A packaged template and the objects and images to upload for it.
#[derive(Debug)]
pub struct Prepared {
    /// The templates: nested stacks before those that use them, the root last.
    pub units: Vec<Unit>,
    /// The objects to upload, each once, by key.
    pub objects: Vec<Object>,
    /// The packaged text of the root.
    pub text: Vec<u8>,
    reports: Vec<Report>,
    pub(crate) assets: Vec<Asset>,
    pub(crate) images: Vec<LocalImage>,
    pub(crate) named: NamedImages,
}

impl Prepared {
    /// Returns the index of the unit that is the nested stack `logical_id` of a template.
    pub fn nested(&self, unit: usize, logical_id: &str) -> Option<usize> {
        let unit = self.units.get(unit)?;
        let mut needs = unit.packaging.plan().needs.iter().zip(&unit.found);
        needs.find_map(|(need, found)| match found {
            Resolution::Nested(number) if need.resource == logical_id => Some(*number),
            _ => None,
        })
    }

    /// Returns the file or directory of a need; `None` for a nested template and for a missing file.
    pub fn artifact(&self, unit: usize, need: usize) -> Option<Artifact<'_>> {
        match self.units.get(unit)?.found.get(need)? {
            Resolution::Asset(number) => Some(Artifact { asset: self.assets.get(*number)? }),
            Resolution::Nested(_) | Resolution::Image(_) | Resolution::UnbuiltImage | Resolution::Missing => None,
        }
    }

    /// Returns the real paths of the single files that are uploaded.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let assets = self.assets.iter().filter(|asset| asset.storage != Storage::Directory);
        let images = self.images.iter().filter(|image| image.is_file()).map(|image| image.path.as_path());
        assets.map(|asset| asset.path.as_path()).chain(images)
    }

    /// Returns the number of objects and images to upload.
    pub fn uploads(&self) -> usize {
        self.objects.len() + self.named.pushes.len()
    }

    /// Returns `true` if there are errors; then nothing may be uploaded or written.
    pub fn has_errors(&self) -> bool {
        self.reports.iter().any(Report::has_errors)
    }

    /// Returns the reports with diagnostics: of the templates as they are packaged and as they were checked.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Adds diagnostics about the run to the report of the root.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        if let Some(root) = self.units.len().checked_sub(1).and_then(|root| self.reports.get_mut(root)) {
            root.add(found);
        }
    }
}

/// A file or directory as it is uploaded.
#[derive(Clone, Copy, Debug)]
pub struct Artifact<'p> {
    asset: &'p Asset,
}

impl Artifact<'_> {
    /// Returns the key of the content; `None` when it cannot be read.
    pub fn key(&self) -> Option<&AssetKey> {
        self.asset.key.as_ref()
    }

    /// Returns the bytes to upload.
    ///
    /// # Errors
    /// When a file cannot be read, or changed since it was listed.
    pub fn payload(&self) -> io::Result<Payload> {
        self.asset.payload()
    }
}

/// A template of a run.
#[derive(Debug)]
pub struct Unit {
    /// Path from the directory of the root template.
    pub path: VirtualPath,
    /// The packaged template with all of its diagnostics.
    pub packaging: Packaging,
    pub(crate) found: Vec<Resolution>,
    pub(crate) bytes: u64,
    /// The key of the object, for a nested stack.
    pub(crate) key: Option<AssetKey>,
}

impl Unit {
    /// Returns the compilation of the template.
    pub fn compilation(&self) -> &Compilation {
        self.packaging.report().compilation()
    }
}

/// The resolution of a need. Numbers are indices into the lists of [`Preparation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolution {
    Asset(usize),
    Nested(usize),
    Image(usize),
    /// An image that a build finds later.
    UnbuiltImage,
    /// Unusable; the error was reported.
    Missing,
}

/// An object to upload.
#[derive(Clone, Debug)]
pub struct Object {
    /// Key in the bucket.
    pub key: String,
    /// The places in the templates that refer to it, in order.
    pub mentions: Vec<Mention>,
    pub(crate) content: ObjectContent,
}

/// A property in a template that refers to a file or directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The path as written in the template.
    pub path: String,
    /// The name of the resource.
    pub resource: String,
    /// The dotted path of the property.
    pub property: String,
}

impl Mention {
    /// Returns the place of an artifact.
    pub fn of(need: &ArtifactRef) -> Mention {
        Mention { path: need.path.clone(), resource: need.resource.clone(), property: need.property.clone() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum ObjectContent {
    Asset(usize),
    Text(Vec<u8>),
}

/// Compiles a template and its nested stacks, resolves every path in them, and rewrites them. Reads files and writes
/// none; errors are among the diagnostics of the templates.
pub fn prepare(request: &Request<'_>) -> Prepared {
    let mut run = Preparation::new(request, None, Purpose::Upload);
    run.units(request.analysis);
    let checked = run.check_nested();
    run.is_broken = checked.iter().any(Report::has_errors);
    let rules = Rules {
        project_root: run.project_root.clone(),
        symlinks: request.symlinks,
        left_out: request.left_out.iter().map(|path| paths::real(path)).collect(),
        excluded: Vec::new(),
    };
    run.assets.look(&rules);
    errors::of_assets(&mut run.units, &run.assets);
    let destination = run.destination();
    run.name_images();
    let text = run.rewrite(&destination);
    // Errors in nested templates are reported by the check only.
    let known: Vec<&Report> = checked.iter().collect();
    let mut reports = Report::distinct(run.units.iter().map(|unit| unit.packaging.report()), &known);
    reports.extend(checked);
    let Preparation { assets, units, objects, mut mentions, images, named, .. } = run;
    let object = |(key, content): (String, ObjectContent)| Object {
        mentions: mentions.remove(&key).unwrap_or_default(),
        key,
        content,
    };
    let objects = objects.into_iter().map(object).collect();
    let (assets, images) = (assets.into_list(), images.into_list());
    Prepared { units, objects, text, reports, assets, images, named }
}

struct Preparation<'r> {
    request: &'r Request<'r>,
    /// The directory that paths of sources start from in every template; by default that of each template.
    base: Option<&'r Path>,
    purpose: Purpose,
    project_root: PathBuf,
    assets: Assets,
    units: Vec<Unit>,
    /// Nested stacks by real path and values.
    nested: HashMap<Use, usize>,
    budget: NestedBudget,
    objects: BTreeMap<String, ObjectContent>,
    /// The places that refer to an object, by key.
    mentions: HashMap<String, Vec<Mention>>,
    images: LocalImages,
    named: NamedImages,
    /// Set when the check of the nested templates found an error.
    is_broken: bool,
}

impl<'r> Preparation<'r> {
    fn new(request: &'r Request<'r>, base: Option<&'r Path>, purpose: Purpose) -> Preparation<'r> {
        let root = request.project_root;
        Preparation {
            request,
            base,
            purpose,
            project_root: root.canonicalize().unwrap_or_else(|_| paths::absolute(root)),
            assets: Assets::default(),
            units: Vec::new(),
            nested: HashMap::new(),
            budget: NestedBudget::default(),
            objects: BTreeMap::new(),
            mentions: HashMap::new(),
            images: LocalImages::default(),
            named: NamedImages::default(),
            is_broken: false,
        }
    }

    /// Returns the destination of objects; an empty one without objects, or after an error.
    fn destination(&mut self) -> Destination {
        let nowhere = Destination { bucket: String::new(), prefix: None, endpoint: String::new() };
        let Some(find) = self.request.destination else {
            errors::without_bucket(&mut self.units);
            return nowhere;
        };
        let mut found = self.units.iter().flat_map(|unit| &unit.found);
        let has_objects = found.any(|found| matches!(found, Resolution::Asset(_) | Resolution::Nested(_)));
        if self.has_errors() || !has_objects {
            return nowhere;
        }
        find().unwrap_or_else(|error| {
            self.report_root(*error);
            nowhere
        })
    }

    fn has_errors(&self) -> bool {
        self.is_broken || self.units.iter().any(|unit| unit.packaging.report().has_errors())
    }

    fn report_root(&mut self, error: Diagnostic) {
        if let Some(root) = self.units.last_mut() {
            root.packaging.add([error]);
        }
    }

    /// Rewrites every template, nested ones first, and returns the text of the root.
    fn rewrite(&mut self, destination: &Destination) -> Vec<u8> {
        let last = self.units.len().saturating_sub(1);
        let mut text = Vec::new();
        for at in 0..self.units.len() {
            self.note_mentions(at, destination);
            let found = self.units[at].found.clone();
            let found = found.into_iter().enumerate();
            let targets: Vec<Target> = found.map(|(need, found)| self.target((at, need), found, destination)).collect();
            let unit = &mut self.units[at];
            unit.packaging.rewrite(&targets);
            let Ok(packaged) = unit.packaging.output() else { continue };
            let mut bytes = Vec::new();
            let format = self.request.format.filter(|_| at == last);
            packaged.write_bytes(format, &mut |part| bytes.extend_from_slice(part));
            unit.bytes = bytes.len() as u64;
            errors::too_large(&mut unit.packaging, unit.bytes);
            if at == last {
                text = bytes;
            } else {
                let key = AssetKey::of_file(&asset_key::hash(&bytes));
                let object = destination.key(&key, Some("template"));
                unit.key = Some(key);
                self.objects.insert(object, ObjectContent::Text(bytes));
            }
        }
        text
    }

    fn target(&mut self, need: (usize, usize), found: Resolution, destination: &Destination) -> Target {
        if let Resolution::Image(_) = found {
            return self.named.names.get(&need).cloned().map_or(Target::Missing, Target::Image);
        }
        let Some(key) = self.key(found, destination) else { return Target::Missing };
        let target = destination.target(&key);
        if let Resolution::Asset(number) = found {
            self.objects.insert(key, ObjectContent::Asset(number));
        }
        target
    }

    fn key(&self, found: Resolution, destination: &Destination) -> Option<String> {
        match found {
            Resolution::Asset(number) => Some(destination.key(self.assets.get(number).key.as_ref()?, None)),
            Resolution::Nested(number) => Some(destination.key(self.units[number].key.as_ref()?, Some("template"))),
            Resolution::Image(_) | Resolution::UnbuiltImage | Resolution::Missing => None,
        }
    }

    fn note_mentions(&mut self, at: usize, destination: &Destination) {
        let unit = &self.units[at];
        let mention =
            |(need, found): (&ArtifactRef, &Resolution)| Some((self.key(*found, destination)?, Mention::of(need)));
        let noted: Vec<(String, Mention)> =
            unit.packaging.plan().needs.iter().zip(&unit.found).filter_map(mention).collect();
        for (key, mention) in noted {
            self.mentions.entry(key).or_default().push(mention);
        }
    }
}
