//! The record of a build, a file in the build directory (reference/build.md#cache, reference/build.md#built-template).
//! The file is not trusted, since it may come with the tree: no directory comes from it, and its paths count inside of
//! the project that contains the build directory.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use formwork_disk::{Unlinked, is_inside, project_root, read_inside, refuse_links, refuse_links_to};
use formwork_upload::SourceTree;
use formwork_upload::source_tree::TreeRules;
use serde_json::{Value, json};

use crate::look;

/// The directory in a build directory for everything that is not an artifact.
pub(crate) const OWN: &str = ".formwork";
const FILE: &str = "build.json";
const BYTES: u64 = 64 << 20;
const MOST_SOURCES: usize = 1000;

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct State {
    pub(crate) template: PathBuf,
    pub(crate) inputs: BTreeMap<PathBuf, String>,
    /// Hashes of the written templates, by their paths below the build directory: in a run that was killed, those
    /// before and those after it.
    pub(crate) templates: BTreeMap<String, Vec<String>>,
    pub(crate) products: BTreeMap<String, Product>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Product {
    pub(crate) key: String,
    pub(crate) source: PathBuf,
    pub(crate) hash: String,
    pub(crate) excluded: Vec<String>,
    pub(crate) resources: Vec<String>,
    /// Hashes of the artifact ([`look::of`]): while a run replaces it, before and after that.
    pub(crate) looks: Vec<String>,
}

impl State {
    /// Reads the state of a build directory; empty when it cannot be read.
    pub(crate) fn read(directory: &Path) -> State {
        State::try_read(directory).unwrap_or_default()
    }

    fn try_read(directory: &Path) -> Option<State> {
        let bytes = formwork_disk::read_inside(directory, &directory.join(OWN).join(FILE), BYTES).ok()?;
        let value: Value = serde_json::from_slice(&bytes).ok()?;
        let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
        let texts = |value: &Value, name: &str| -> Vec<String> {
            let list = value.get(name).and_then(Value::as_array);
            list.into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
        };
        let members = |name: &str| value.get(name).and_then(Value::as_object).into_iter().flatten();
        Some(State {
            template: text(&value, "template")?.into(),
            inputs: members("inputs")
                .filter_map(|(path, hash)| Some((PathBuf::from(path), hash.as_str()?.to_owned())))
                .collect(),
            templates: members("templates")
                .filter(|(name, _)| is_below(name))
                .map(|(name, hashes)| {
                    let hashes = hashes.as_array().into_iter().flatten().filter_map(Value::as_str);
                    (name.clone(), hashes.map(str::to_owned).collect())
                })
                .collect(),
            products: members("products")
                .filter(|(name, _)| is_below(name))
                .filter_map(|(name, product)| {
                    let read = Product {
                        key: text(product, "key")?,
                        source: text(product, "source")?.into(),
                        hash: text(product, "hash")?,
                        excluded: texts(product, "excluded"),
                        resources: texts(product, "resources"),
                        looks: texts(product, "looks"),
                    };
                    Some((name.clone(), read))
                })
                .collect(),
        })
    }

    /// Returns `true` when the path of an artifact exists and no earlier run wrote it, or it was changed since.
    pub(crate) fn is_foreign(&self, directory: &Path, product: &str) -> bool {
        let path = directory.join(product);
        let known = || self.products.get(product).map(|product| product.looks.as_slice()).unwrap_or_default();
        path.symlink_metadata().is_ok() && !look::of(&path).is_ok_and(|look| known().contains(&look))
    }

    /// Returns `true` when a template exists and no earlier run wrote it, or it was changed since.
    pub(crate) fn is_foreign_template(&self, directory: &Path, path: &str, unlinked: &mut Unlinked<'_>) -> bool {
        let full = directory.join(path);
        if full.symlink_metadata().is_err() {
            return false;
        }
        let known = self.templates.get(path).map(Vec::as_slice).unwrap_or_default();
        let read = unlinked.read(&full, BYTES).ok();
        let read = read.or_else(|| formwork_disk::read_inside(directory, &full, BYTES).ok());
        !read.is_some_and(|bytes| known.contains(&formwork::sha256(&bytes)))
    }

    /// Writes the state to a build directory, unless it is unchanged.
    pub(crate) fn write(&self, directory: &Path) -> std::io::Result<()> {
        if State::try_read(directory).as_ref() == Some(self) {
            return Ok(());
        }
        let file = directory.join(OWN).join(FILE);
        formwork_disk::refuse_links(directory, &file)?;
        let products: serde_json::Map<String, Value> = self
            .products
            .iter()
            .map(|(name, product)| {
                let value = json!({
                    "key": product.key,
                    "source": product.source.to_string_lossy(),
                    "hash": product.hash,
                    "excluded": product.excluded,
                    "resources": product.resources,
                    "looks": product.looks,
                });
                (name.clone(), value)
            })
            .collect();
        let inputs: serde_json::Map<String, Value> = self
            .inputs
            .iter()
            .map(|(path, hash)| (path.to_string_lossy().into_owned(), Value::from(hash.clone())))
            .collect();
        let value = json!({
            "template": self.template.to_string_lossy(),
            "inputs": inputs,
            "templates": self.templates,
            "products": products,
        });
        let text = serde_json::to_string_pretty(&value).map_err(std::io::Error::other)?;
        formwork_disk::replace(&file, |file| writeln!(file, "{text}"))
    }
}

/// Returns `true` for a path below the build directory that is not in the directory of Formwork.
fn is_below(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some_and(|first| first.as_os_str() != OWN) && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// A template that was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The built template.
    pub template: PathBuf,
    /// The template that it was built from: a file of the project that contains the build directory.
    pub source: PathBuf,
    /// The root of that project, found from the build directory.
    pub root: PathBuf,
}

/// Returns the built template of a build directory; `None` when nothing was built, when a link leads to it, or when the
/// recorded source is not in its project.
pub fn built_template(directory: &Path) -> Option<Built> {
    // Most directories have none.
    directory.join(OWN).join(FILE).symlink_metadata().ok()?;
    let root = root_of(directory);
    let real = root.canonicalize().ok()?;
    refuse_links_to(directory, Some(&real)).ok()?;
    refuse_links(directory, &directory.join(OWN).join(FILE)).ok()?;
    let state = State::try_read(directory)?;
    let source = state.template.canonicalize().ok().filter(|source| is_inside(&real, source))?;
    let template = ["template.yaml", "template.json"]
        .iter()
        .map(|name| directory.join(name))
        .find(|path| path.is_file() && !path.is_symlink())?;
    Some(Built { template, source, root })
}

/// Returns `true` for a directory that a build below `root` wrote to. The directory may be outside of that root itself.
pub fn is_built_from(directory: &Path, root: &Path) -> bool {
    let record = directory.join(OWN).join(FILE);
    if record.symlink_metadata().is_err() || refuse_links(directory, &record).is_err() {
        return false;
    }
    let source = State::try_read(directory).and_then(|state| state.template.canonicalize().ok());
    source.zip(root.canonicalize().ok()).is_some_and(|(source, root)| is_inside(&root, &source))
}

/// Returns the root of the project that contains a build directory. The usual one, `.formwork/build`, is in the
/// directory of its template.
fn root_of(directory: &Path) -> PathBuf {
    let holder = directory.ends_with(".formwork/build").then(|| directory.parent()?.parent()).flatten();
    project_root(holder.unwrap_or(directory))
}

impl Built {
    /// Returns the changes since the build: templates and other inputs by their paths, sources by the resources that
    /// refer to them. Files outside of the project are ignored.
    pub fn changed(&self) -> Vec<String> {
        let directory = self.template.parent().unwrap_or(Path::new("."));
        let Ok(root) = self.root.canonicalize() else { return Vec::new() };
        let state = State::read(directory);
        let source_directory = self.source.parent().unwrap_or(Path::new("/"));
        let shown = |path: &Path| path.strip_prefix(source_directory).unwrap_or(path).display().to_string();
        // Each file is read once, even if a record refers to it by several names.
        let mut known: HashMap<PathBuf, Option<String>> = HashMap::new();
        let mut has_changed = |path: &Path, hash: &String| match path.canonicalize() {
            Ok(real) if is_inside(&root, &real) => {
                let read = || read_inside(&root, &real, BYTES).ok().map(|bytes| formwork::sha256(&bytes));
                known.entry(real.clone()).or_insert_with(read).as_ref() != Some(hash)
            }
            Ok(_) => false,
            Err(_) => path.starts_with(&root),
        };
        let inputs = state.inputs.iter().filter(|(path, hash)| has_changed(path, hash));
        let mut changed: Vec<String> = inputs.map(|(path, _)| shown(path)).collect();
        for product in state.products.values().take(MOST_SOURCES) {
            let Ok(source) = product.source.canonicalize() else {
                changed.push(format!("{} ({})", shown(&product.source), product.resources.join(", ")));
                continue;
            };
            if !is_inside(&root, &source) {
                continue;
            }
            let rules = TreeRules {
                project_root: root.clone(),
                left_out: vec![directory.canonicalize().unwrap_or_else(|_| directory.to_owned())],
                excluded: product.excluded.clone(),
            };
            let hash = SourceTree::read(&source, &rules).map(|tree| tree.hash());
            if hash.as_ref() != Ok(&product.hash) {
                changed.push(format!("{} ({})", shown(&product.source), product.resources.join(", ")));
            }
        }
        changed
    }
}
