//! What a build directory was built from: a file in it (reference/build.md#cache, reference/build.md#built-template).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use formwork_upload::SourceTree;
use formwork_upload::source_tree::TreeRules;
use serde_json::{Value, json};

use crate::cache_key;

/// The directory in a build directory for everything that is not an artifact.
pub(crate) const OWN: &str = ".formwork";
const FILE: &str = "build.json";
/// The maximum size of the file in bytes.
const BYTES: u64 = 64 << 20;

/// What a build directory was built from.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct State {
    /// The template, by its absolute path.
    pub(crate) template: PathBuf,
    /// The project root of that run.
    pub(crate) project_root: PathBuf,
    /// Files that were read, with their hashes.
    pub(crate) inputs: BTreeMap<PathBuf, String>,
    /// The artifacts by their paths below the build directory.
    pub(crate) products: BTreeMap<String, Product>,
}

/// An artifact.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Product {
    /// The key of what it was built from.
    pub(crate) key: String,
    pub(crate) source: PathBuf,
    /// The hash of the source alone.
    pub(crate) hash: String,
    /// Patterns of files that were excluded from it.
    pub(crate) excluded: Vec<String>,
    /// The resources that it is for.
    pub(crate) resources: Vec<String>,
}

impl State {
    /// Reads the state of a build directory; it is empty when it cannot be read.
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
            project_root: text(&value, "projectRoot")?.into(),
            inputs: members("inputs")
                .filter_map(|(path, hash)| Some((PathBuf::from(path), hash.as_str()?.to_owned())))
                .collect(),
            products: members("products")
                .filter_map(|(name, product)| {
                    let read = Product {
                        key: text(product, "key")?,
                        source: text(product, "source")?.into(),
                        hash: text(product, "hash")?,
                        excluded: texts(product, "excluded"),
                        resources: texts(product, "resources"),
                    };
                    Some((name.clone(), read))
                })
                .collect(),
        })
    }

    /// Returns the state without artifacts that are about to change.
    pub(crate) fn without<'n>(&self, products: impl Iterator<Item = &'n String>) -> State {
        let mut state = self.clone();
        products.for_each(|name| drop(state.products.remove(name)));
        state
    }

    /// Writes it to a build directory, unless it is unchanged.
    pub(crate) fn write(&self, directory: &Path) -> std::io::Result<()> {
        if State::try_read(directory).as_ref() == Some(self) {
            return Ok(());
        }
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
            "projectRoot": self.project_root.to_string_lossy(),
            "inputs": inputs,
            "products": products,
        });
        let text = serde_json::to_string_pretty(&value).map_err(std::io::Error::other)?;
        formwork_disk::replace(&directory.join(OWN).join(FILE), |file| writeln!(file, "{text}"))
    }
}

/// A template that was built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Built {
    /// The built template.
    pub template: PathBuf,
    /// The template that it was built from.
    pub source: PathBuf,
    /// The project root that it was built with.
    pub project_root: PathBuf,
}

/// Returns the built template of a build directory, or `None` when it does not exist.
pub fn built_template(directory: &Path) -> Option<Built> {
    let state = State::try_read(directory)?;
    let template =
        ["template.yaml", "template.json"].iter().map(|name| directory.join(name)).find(|path| path.is_file())?;
    Some(Built { template, source: state.template, project_root: state.project_root })
}

impl Built {
    /// What has changed since it was built: templates and other inputs by their paths, sources by the resources
    /// that they are for.
    pub fn changed(&self) -> Vec<String> {
        let directory = self.template.parent().unwrap_or(Path::new("."));
        let state = State::read(directory);
        let folder = self.source.parent().unwrap_or(Path::new("/"));
        let shown = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let inputs = state.inputs.iter().filter(|(path, hash)| cache_key::of_file(path).as_ref() != Some(*hash));
        let mut changed: Vec<String> = inputs.map(|(path, _)| shown(path)).collect();
        for product in state.products.values() {
            let rules = TreeRules {
                project_root: state.project_root.clone(),
                left_out: vec![directory.canonicalize().unwrap_or_else(|_| directory.to_owned())],
                excluded: product.excluded.clone(),
            };
            let hash = SourceTree::read(&product.source, &rules).map(|tree| tree.hash());
            if hash.as_ref() != Ok(&product.hash) {
                changed.push(format!("{} ({})", shown(&product.source), product.resources.join(", ")));
            }
        }
        changed
    }
}
