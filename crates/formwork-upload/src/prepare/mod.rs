//! A template and its nested stacks, packaged but for the uploads (reference/packaging.md#properties,
//! reference/packaging.md#upload, reference/packaging.md#nested, reference/packaging.md#loops).

mod faults;
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

/// What is packaged, and how.
pub struct Request<'r> {
    /// The template's directory; paths in it start there.
    pub folder: &'r Path,
    /// The template, with what it is compiled with. Nested templates are read by its session.
    pub analysis: &'r Analysis<'r>,
    /// Files outside this directory are not packaged.
    pub project_root: &'r Path,
    /// Which template comes out; by default loops stay where the service runs them.
    pub output: Option<Output>,
    /// The format of the packaged template; by default its own. Nested stacks keep theirs.
    pub format: Option<Format>,
    /// Whether the items of parameters that were packaged are noted in the template's metadata.
    pub records: bool,
    /// Whether the template is deployed right away with the values that it is packaged with.
    pub deploys: bool,
    /// What becomes of symbolic links in directories.
    pub symlinks: Symlinks,
    /// What packaging itself writes: never part of a zip.
    pub left_out: Vec<PathBuf>,
    /// Where objects will be; without one, anything to upload is an error.
    pub destination: Option<Where<'r>>,
    /// Where images will be; without it, any image of this machine is an error.
    pub repositories: Option<Repositories<'r>>,
    /// Whether nested templates are checked, too; a caller that did so leaves it out.
    pub checks_nested: bool,
}

/// Returns where objects will be, or why that place cannot be used. It is called at most once, and only
/// when there is something to upload and nothing wrong so far.
pub type Where<'r> = &'r dyn Fn() -> Result<Destination, Box<Diagnostic>>;

/// Returns the repository of the image of each function, or why it cannot be used. Functions are named by their logical
/// IDs, those of nested stacks as `STACK/FUNCTION`. It is called when [`Where`] is, when there are images.
pub type Repositories<'r> = &'r dyn Fn(&[String]) -> Result<Vec<Repository>, Box<Diagnostic>>;

/// A packaged template and what is to be uploaded for it.
#[derive(Debug)]
pub struct Prepared {
    /// The templates: nested stacks before those that use them, the root last.
    pub units: Vec<Unit>,
    /// Everything that is to be uploaded, each object once, by key.
    pub objects: Vec<Object>,
    /// The packaged text of the root.
    pub text: Vec<u8>,
    /// What is reported of the units, then of the nested templates as they were checked; each statement once.
    reports: Vec<Report>,
    pub(crate) assets: Vec<Asset>,
    pub(crate) images: Vec<LocalImage>,
    pub(crate) named: NamedImages,
}

impl Prepared {
    /// The number of the nested stack that a resource of a template is.
    pub fn nested(&self, unit: usize, logical_id: &str) -> Option<usize> {
        let unit = self.units.get(unit)?;
        let mut needs = unit.packaging.plan().needs.iter().zip(&unit.found);
        needs.find_map(|(need, found)| match found {
            Resolution::Nested(number) if need.resource == logical_id => Some(*number),
            _ => None,
        })
    }

    /// The file or directory that a need of a template is; none of a nested template, and of what is missing.
    pub fn artifact(&self, unit: usize, need: usize) -> Option<Artifact<'_>> {
        match self.units.get(unit)?.found.get(need)? {
            Resolution::Asset(number) => Some(Artifact { asset: self.assets.get(*number)? }),
            Resolution::Nested(_) | Resolution::Image(_) | Resolution::UnbuiltImage | Resolution::Missing => None,
        }
    }

    /// The lone files that are uploaded, by their real paths.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let assets = self.assets.iter().filter(|asset| asset.storage != Storage::Folder);
        let images = self.images.iter().filter(|image| image.is_file()).map(|image| image.path.as_path());
        assets.map(|asset| asset.path.as_path()).chain(images)
    }

    /// How many objects and images there are to upload.
    pub fn uploads(&self) -> usize {
        self.objects.len() + self.named.pushes.len()
    }

    /// Whether anything is wrong; then nothing may be uploaded or written.
    pub fn has_errors(&self) -> bool {
        self.reports.iter().any(Report::has_errors)
    }

    /// Everything that has diagnostics: the templates as they are packaged and as they were checked.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Reports with the root what was found of the run besides.
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
    /// The name of its content; none when it cannot be read.
    pub fn key(&self) -> Option<&AssetKey> {
        self.asset.key.as_ref()
    }

    /// The bytes that are uploaded.
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
    /// Its path from the directory of the root template.
    pub path: VirtualPath,
    /// The template as it is packaged, with everything that is reported of it.
    pub packaging: Packaging,
    /// What became of each need of the plan.
    pub(crate) found: Vec<Resolution>,
    /// Size of its packaged text.
    pub(crate) bytes: u64,
    /// Its object's name, for a nested stack.
    pub(crate) key: Option<AssetKey>,
}

impl Unit {
    /// What it was compiled to.
    pub fn compilation(&self) -> &Compilation {
        self.packaging.report().compilation()
    }
}

/// What a need turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Resolution {
    /// A file or directory, by its number.
    Asset(usize),
    /// A nested stack, by its number.
    Nested(usize),
    /// An image of this machine, by its number.
    Image(usize),
    /// An image that a build looks for.
    UnbuiltImage,
    /// Nothing that can be used, which was reported.
    Missing,
}

/// An object that is to be uploaded.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its key in the bucket.
    pub key: String,
    /// Where templates name it, in their order.
    pub mentions: Vec<Mention>,
    pub(crate) content: ObjectContent,
}

/// A place of a template that names a file or directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// The path as the template names it.
    pub path: String,
    /// The resource.
    pub resource: String,
    /// The property, with dots.
    pub property: String,
}

impl Mention {
    /// The place of an artifact.
    pub fn of(need: &ArtifactRef) -> Mention {
        Mention { path: need.path.clone(), resource: need.resource.clone(), property: need.property.clone() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum ObjectContent {
    /// A file or directory, by its number.
    Asset(usize),
    /// The text of a packaged template.
    Text(Vec<u8>),
}

/// Compiles a template and its nested stacks, looks at every path that they name, and rewrites them.
/// Reads files and writes none; errors are among the diagnostics of the templates.
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
    faults::of_assets(&mut run.units, &run.assets);
    let destination = run.destination();
    run.name_images();
    let text = run.rewrite(&destination);
    // What the check finds in a nested template is reported by the check.
    let said: Vec<&Report> = checked.iter().collect();
    let mut reports = Report::distinct(run.units.iter().map(|unit| unit.packaging.report()), &said);
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
    /// The directory that paths of sources start from, in every template; else it is that of each template.
    base: Option<&'r Path>,
    purpose: Purpose,
    project_root: PathBuf,
    assets: Assets,
    units: Vec<Unit>,
    /// Nested stacks by real path and values.
    nested: HashMap<Use, usize>,
    budget: NestedBudget,
    objects: BTreeMap<String, ObjectContent>,
    /// What names an object, by its key.
    mentions: HashMap<String, Vec<Mention>>,
    images: LocalImages,
    named: NamedImages,
    /// Whether the check of the nested templates found an error.
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

    /// Where objects will be: nowhere without objects, or after an error.
    fn destination(&mut self) -> Destination {
        let nowhere = Destination { bucket: String::new(), prefix: None, endpoint: String::new() };
        let Some(find) = self.request.destination else {
            faults::without_bucket(&mut self.units);
            return nowhere;
        };
        let mut found = self.units.iter().flat_map(|unit| &unit.found);
        let has_objects = found.any(|found| matches!(found, Resolution::Asset(_) | Resolution::Nested(_)));
        if self.has_errors() || !has_objects {
            return nowhere;
        }
        find().unwrap_or_else(|fault| {
            self.report_root(*fault);
            nowhere
        })
    }

    fn has_errors(&self) -> bool {
        self.is_broken || self.units.iter().any(|unit| unit.packaging.report().has_errors())
    }

    fn report_root(&mut self, fault: Diagnostic) {
        if let Some(root) = self.units.last_mut() {
            root.packaging.add([fault]);
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
            faults::too_large(&mut unit.packaging, unit.bytes);
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

    /// The key of the object that a need becomes.
    fn key(&self, found: Resolution, destination: &Destination) -> Option<String> {
        match found {
            Resolution::Asset(number) => Some(destination.key(self.assets.get(number).key.as_ref()?, None)),
            Resolution::Nested(number) => Some(destination.key(self.units[number].key.as_ref()?, Some("template"))),
            Resolution::Image(_) | Resolution::UnbuiltImage | Resolution::Missing => None,
        }
    }

    /// Remembers what names the objects of a template.
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
