//! What the templates of a run share, looked up once: the projects of their directories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use formwork::disk::Loader;
use formwork::nested::CleanUses;
use formwork::{DiskHost, Sources};
use formwork_project::{Config, Failure, loader_in};

use crate::args::InputArgs;
use crate::host::{self, Project};

/// What is known of the surroundings of templates. Threads share it.
#[derive(Default)]
pub struct Surroundings {
    directories: Mutex<BTreeMap<PathBuf, Arc<Directory>>>,
    /// By their root, without links.
    projects: Mutex<BTreeMap<PathBuf, Arc<Project>>>,
    /// What is parsed once for all of them.
    sources: Arc<Sources>,
    /// Whether files change while they are looked at: each is read whenever a template names it.
    are_edited: bool,
    /// Nested templates that need no second look; none where each template is looked at with all of them.
    clean: Option<Arc<CleanUses>>,
}

/// A directory with templates.
pub struct Directory {
    /// The project that it is part of.
    pub project: Arc<Project>,
    /// The settings of the configuration file.
    pub config: Config,
    loader: Loader,
}

impl Directory {
    /// What reads the files of one template; it has read the configuration and the lock.
    pub fn loader(&self) -> Loader {
        self.loader.apart()
    }
}

impl Surroundings {
    /// The surroundings of a template that is looked at alone, and once.
    pub fn of_one_template() -> Surroundings {
        Surroundings { sources: Arc::new(Sources::of_one_run()), ..Surroundings::default() }
    }

    /// The surroundings of templates that the run itself may edit.
    pub fn edited(are_edited: bool) -> Surroundings {
        Surroundings { are_edited, ..Surroundings::default() }
    }

    /// The same for templates that are checked while no file changes, and whose reports are joined in their order: what is
    /// nested in several of them is checked a single time.
    #[must_use]
    pub fn checked(self) -> Surroundings {
        Surroundings { clean: Some(Arc::default()), ..self }
    }

    pub(crate) fn clean(&self) -> Option<Arc<CleanUses>> {
        self.clean.clone()
    }

    /// The sources that the sessions of all templates share.
    pub fn sources(&self) -> Arc<Sources> {
        Arc::clone(&self.sources)
    }

    /// The directory `folder`, which is looked at when a template in it is the first. All templates are of one
    /// `command`.
    ///
    /// # Errors
    /// When the project root, the lock file or the configuration file cannot be used.
    pub fn directory(&self, folder: &Path, command: &str, inputs: &InputArgs) -> Result<Arc<Directory>, Failure> {
        let mut directories = held(&self.directories);
        if let Some(known) = directories.get(folder) {
            return Ok(Arc::clone(known));
        }
        let root = host::root(folder, inputs);
        let project = self.project(&root)?;
        let loader = project.loader();
        let config = {
            let host = DiskHost::with_loader(folder, loader.clone());
            Config::read(&host, &loader, folder, command, &inputs.config.choice())?
        };
        let directory = Arc::new(Directory { project, config, loader });
        directories.insert(folder.to_owned(), Arc::clone(&directory));
        Ok(directory)
    }

    /// The project in `root`, which its directories share: one of them pins what another one reads.
    fn project(&self, root: &Path) -> Result<Arc<Project>, Failure> {
        let loader = loader_in(root)?;
        let mut projects = held(&self.projects);
        if let Some(known) = projects.get(loader.root()) {
            return Ok(Arc::clone(known));
        }
        let real = loader.root().to_owned();
        let project = Arc::new(Project::open(root, if self.are_edited { loader } else { loader.reading_once() })?);
        projects.insert(real, Arc::clone(&project));
        Ok(project)
    }
}

fn held<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/surroundings").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        path
    }

    #[test]
    fn a_directory_is_looked_at_once() {
        let folder = folder("once");
        let config = folder.join("samconfig.toml");
        std::fs::write(&config, "[default.check.parameters]\nregion = \"eu-west-1\"\n").expect("written");
        let inputs = InputArgs::default();
        let surroundings = Surroundings::default();
        let look = || surroundings.directory(&folder, "check", &inputs).expect("a directory");
        let first = look();
        // Looking again would find nothing.
        std::fs::remove_file(config).expect("removed");
        let second = look();
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(second.config.section().text("region").as_deref(), Some("eu-west-1"));
    }

    #[test]
    fn templates_do_not_share_what_they_read() {
        let folder = folder("apart");
        let file = folder.join("a.yaml");
        std::fs::write(&file, "Resources: {}\n").expect("written");
        let inputs = InputArgs::default();
        let surroundings = Surroundings::default();
        let directory = surroundings.directory(&folder, "check", &inputs).expect("a directory");
        let (one, other) = (directory.loader(), directory.loader());
        one.note(&file);
        assert!(one.has_read(&file) && !other.has_read(&file));
    }
}
