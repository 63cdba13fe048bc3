//! The sources of the workspace's crates as Rust: modules, what is declared in them, what a path names, and which methods
//! are called.
//!
//! Macros are not expanded, but for the types that they declare, and `#[cfg(test)]` is left out; names are resolved as far
//! as `use` and `mod` declare them.

mod calls;
mod methods;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use methods::Methods;
use syn::{Item, UseTree, Visibility};

pub use calls::Call;
pub use names::{Named, name_of, paths_in_body, signature_of};

/// A module by its path; the first name is that of the crate.
pub type ModulePath = Vec<String>;

/// A declared item: its module and its name.
pub type Definition = (ModulePath, String);

/// A module: a file, or a part of one.
pub struct Module {
    /// The file that it is in, relative to the directory of the crate's sources.
    pub file: PathBuf,
    /// What is declared in it, without modules and `use`.
    pub items: Vec<Item>,
    /// What a name in it means: a function and a module may have the same one.
    names: BTreeMap<String, Vec<Meaning>>,
    globs: Vec<Import>,
}

#[derive(Clone, Debug)]
enum Meaning {
    Module { is_public: bool },
    Item { is_public: bool, is_function: bool },
    Import(Import),
}

#[derive(Clone, Debug)]
struct Import {
    path: Vec<String>,
    is_public: bool,
}

/// What a path leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// A module of the workspace.
    Module(ModulePath),
    /// An item of the workspace.
    Item(Definition),
    /// Something of another crate, by that crate's name.
    Foreign(String),
}

/// The modules of some crates.
#[derive(Default)]
pub struct Sources {
    /// Every module, by its path.
    pub modules: BTreeMap<ModulePath, Module>,
}

impl Sources {
    /// Reads the crates below a directory, such as `crates`.
    ///
    /// # Errors
    /// A file that cannot be read, or is not Rust.
    pub fn read(crates: &Path) -> Result<Sources, String> {
        let mut sources = Sources::default();
        let entries = std::fs::read_dir(crates).map_err(|error| format!("{}: {error}", crates.display()))?;
        for entry in entries.flatten() {
            let directory = entry.path().join("src");
            let root = ["lib.rs", "main.rs"].into_iter().find(|name| directory.join(name).is_file());
            if let Some(root) = root {
                let name = entry.file_name().to_string_lossy().replace('-', "_");
                sources.read_file(&directory, Path::new(root), Path::new(""), vec![name])?;
            }
        }
        Ok(sources)
    }

    /// Reads sources that are at hand, one file per crate.
    ///
    /// # Errors
    /// A text that is not Rust.
    pub fn of_texts(crates: &[(&str, &str)]) -> Result<Sources, String> {
        let mut sources = Sources::default();
        for (name, text) in crates {
            let file = syn::parse_file(text).map_err(|error| format!("{name}: {error}"))?;
            sources.add(
                Path::new(""),
                &PathBuf::from("lib.rs"),
                Path::new(""),
                vec![(*name).to_owned()],
                file.items,
            )?;
        }
        Ok(sources)
    }

    fn read_file(&mut self, directory: &Path, file: &Path, children: &Path, module: ModulePath) -> Result<(), String> {
        let path = directory.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        self.add(directory, file, children, module, parsed.items)
    }

    /// Adds a module; `children` is the directory of its modules.
    fn add(
        &mut self,
        directory: &Path,
        file: &Path,
        children: &Path,
        path: ModulePath,
        items: Vec<Item>,
    ) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), items: Vec::new(), names: BTreeMap::new(), globs: Vec::new() };
        for item in items.into_iter().filter(|item| !is_for_tests(item)) {
            match item {
                Item::Use(item) => module.import(&item.tree, &mut Vec::new(), is_public(&item.vis)),
                Item::Mod(item) => {
                    let name = names::plain(&item.ident);
                    module.mean(&name, Meaning::Module { is_public: is_public(&item.vis) });
                    let mut below = path.clone();
                    below.push(name.clone());
                    let inner = children.join(&name);
                    if let Some((_, items)) = item.content {
                        self.add(directory, file, &inner, below, items)?;
                    } else {
                        let beside = inner.join("mod.rs");
                        let own = if directory.join(&beside).is_file() { beside } else { inner.with_extension("rs") };
                        self.read_file(directory, &own, &inner, below)?;
                    }
                }
                item => {
                    for name in names::declared_by_macro(&item) {
                        module.mean(&name, Meaning::Item { is_public: true, is_function: false });
                    }
                    let is_function = matches!(item, Item::Fn(_));
                    if let Some((name, vis)) = names::declared(&item) {
                        module.mean(&name, Meaning::Item { is_public: is_public(vis), is_function });
                    }
                    module.items.push(item);
                }
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }

    /// What a path means, as written in a module.
    pub fn resolve(&self, module: &ModulePath, path: &[String]) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        self.follow(module, path, &mut BTreeSet::new(), &mut found);
        found
    }

    fn follow(
        &self,
        module: &ModulePath,
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, Vec<String>)>,
        found: &mut BTreeSet<Target>,
    ) {
        let Some((first, rest)) = path.split_first() else {
            found.insert(Target::Module(module.clone()));
            return;
        };
        if !seen.insert((module.clone(), path.to_vec())) {
            return;
        }
        match first.as_str() {
            "crate" => return self.follow(&module[..1].to_vec(), rest, seen, found),
            "self" => return self.follow(module, rest, seen, found),
            "super" => return self.follow(&module[..module.len() - 1].to_vec(), rest, seen, found),
            _ => {}
        }
        let Some(here) = self.modules.get(module) else { return };
        let before = found.len();
        for meaning in here.names.get(first).into_iter().flatten() {
            match meaning {
                Meaning::Module { .. } => {
                    let below: ModulePath = module.iter().chain([first]).cloned().collect();
                    self.follow(&below, rest, seen, found);
                }
                // A function has no parts; what is below another item is a variant or an associated function.
                Meaning::Item { is_function: true, .. } if !rest.is_empty() => {}
                Meaning::Item { .. } => {
                    found.insert(Target::Item((module.clone(), first.clone())));
                }
                // An import is followed once, also where it has the name of what it imports.
                Meaning::Import(import) if seen.insert((module.clone(), vec!["use".to_owned(), first.clone()])) => {
                    let whole: Vec<String> = import.path.iter().chain(rest).cloned().collect();
                    self.follow_import(module, first, &whole, seen, found);
                }
                Meaning::Import(_) => {}
            }
        }
        for glob in &here.globs {
            let key = ["*"].into_iter().chain(glob.path.iter().map(String::as_str)).chain([first.as_str()]);
            if !seen.insert((module.clone(), key.map(str::to_owned).collect())) {
                continue;
            }
            let whole: Vec<String> = glob.path.iter().chain(path).cloned().collect();
            self.follow_import(module, first, &whole, seen, found);
        }
        if found.len() == before {
            self.follow_crate(path, seen, found);
        }
    }

    /// Follows the path of a `use`, whose first name may be that of a crate.
    fn follow_import(
        &self,
        module: &ModulePath,
        name: &str,
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, Vec<String>)>,
        found: &mut BTreeSet<Target>,
    ) {
        // `use serde_json;` and `use formwork_x as x;` name crates.
        if path.first().is_some_and(|first| first == name) {
            self.follow_crate(path, seen, found);
        }
        self.follow(module, path, seen, found);
    }

    fn follow_crate(
        &self,
        path: &[String],
        seen: &mut BTreeSet<(ModulePath, Vec<String>)>,
        found: &mut BTreeSet<Target>,
    ) {
        let Some((first, rest)) = path.split_first() else { return };
        if self.modules.contains_key(std::slice::from_ref(first)) {
            self.follow(&vec![first.clone()], rest, seen, found);
        } else if path.len() > 1 && first.chars().next().is_some_and(char::is_lowercase) {
            found.insert(Target::Foreign(first.clone()));
        }
    }

    /// What the bodies of each module call of types: see [`Call`].
    pub fn calls(&self) -> BTreeMap<&ModulePath, BTreeSet<Call>> {
        let methods = Methods::new(self);
        let calls =
            |path, module: &Module| module.items.iter().flat_map(|item| calls::calls(&methods, path, item)).collect();
        self.modules.iter().map(|(path, module)| (path, calls(path, module))).collect()
    }

    /// Every item that a user of a crate can name, through whatever `pub use`.
    pub fn nameable(&self, krate: &str) -> BTreeSet<Definition> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending = vec![vec![krate.to_owned()]];
        while let Some(path) = pending.pop() {
            let Some(module) = self.modules.get(&path).filter(|_| seen.insert(path.clone())) else { continue };
            let mut add = |target: Target| match target {
                Target::Module(below) => pending.push(below),
                Target::Item(definition) => drop(found.insert(definition)),
                Target::Foreign(_) => {}
            };
            for (name, meanings) in &module.names {
                for meaning in meanings {
                    match meaning {
                        Meaning::Module { is_public: true } => {
                            add(Target::Module(path.iter().chain([name]).cloned().collect()));
                        }
                        Meaning::Item { is_public: true, .. } => add(Target::Item((path.clone(), name.clone()))),
                        Meaning::Import(import) if import.is_public => {
                            self.resolve_import(&path, name, import).into_iter().for_each(&mut add);
                        }
                        _ => {}
                    }
                }
            }
            for glob in module.globs.iter().filter(|glob| glob.is_public) {
                self.resolve(&path, &glob.path).into_iter().for_each(&mut add);
            }
        }
        found
    }

    fn resolve_import(&self, module: &ModulePath, name: &str, import: &Import) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([(module.clone(), vec!["use".to_owned(), name.to_owned()])]);
        self.follow_import(module, name, &import.path, &mut seen, &mut found);
        found
    }
}

impl Module {
    fn mean(&mut self, name: &str, meaning: Meaning) {
        self.names.entry(name.to_owned()).or_default().push(meaning);
    }

    fn import(&mut self, tree: &UseTree, before: &mut Vec<String>, is_public: bool) {
        let with = |before: &[String], last: &syn::Ident| {
            let mut path = before.to_vec();
            path.extend((last != "self").then(|| names::plain(last)));
            Import { path, is_public }
        };
        match tree {
            UseTree::Path(path) => {
                before.push(names::plain(&path.ident));
                self.import(&path.tree, before, is_public);
                before.pop();
            }
            UseTree::Name(name) => {
                let import = with(before, &name.ident);
                let name = import.path.last().cloned().unwrap_or_default();
                self.mean(&name, Meaning::Import(import));
            }
            UseTree::Rename(rename) => {
                let import = with(before, &rename.ident);
                self.mean(&names::plain(&rename.rename), Meaning::Import(import));
            }
            UseTree::Glob(_) => self.globs.push(Import { path: before.clone(), is_public }),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, is_public)),
        }
    }

    /// The paths of every `use` in it.
    pub fn imports(&self) -> impl Iterator<Item = &[String]> {
        let names = self.names.values().flatten().filter_map(|meaning| match meaning {
            Meaning::Import(import) => Some(import.path.as_slice()),
            _ => None,
        });
        names.chain(self.globs.iter().map(|glob| glob.path.as_slice()))
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is compiled for tests alone.
fn is_for_tests(item: &Item) -> bool {
    names::attributes(item).iter().any(names::is_test_only)
}
