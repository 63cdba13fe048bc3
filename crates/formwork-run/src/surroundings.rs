//! The projects, directories and sources that the templates of a run share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use formwork::disk::Loader;
use formwork::nested::CleanUses;
use formwork::{DiskHost, Sources};
use formwork_base::lock;
use formwork_project::{Config, Failure, loader_in};

use crate::args::InputArgs;
use crate::host::{self, Project};

/// The path of a directory, and the file and the environment of the configuration that is read in it.
type Key = (PathBuf, Option<PathBuf>, Option<String>);

/// The projects, directories and sources that the templates of a run share, each looked up once. Threads share it.
#[derive(Default)]
pub struct Surroundings {
    /// Directories by their paths and the configuration that is read in them.
    directories: Mutex<BTreeMap<Key, Arc<Directory>>>,
    /// Projects by their roots, without links.
    projects: Mutex<BTreeMap<PathBuf, Arc<Project>>>,
    /// Sources that are parsed once for all templates.
    sources: Arc<Sources>,
    /// Set when files may change during the run: each is read whenever a template refers to it.
    are_edited: bool,
    /// Nested templates that are already checked; `None` where each template is reported with all of them.
    clean: Option<Arc<CleanUses>>,
}

/// A directory with templates.
pub struct Directory {
    /// The project of the directory.
    pub project: Arc<Project>,
    /// The settings of the configuration file.
    pub config: Config,
    loader: Loader,
}

impl Directory {
    /// Returns a loader for the files of one template; it has read the configuration and the lock.
    pub fn loader(&self) -> Loader {
        self.loader.apart()
    }
}

impl Surroundings {
    /// Returns the surroundings for a single template.
    pub fn of_one_template() -> Surroundings {
        Surroundings { sources: Arc::new(Sources::of_one_run()), ..Surroundings::default() }
    }

    /// Returns the surroundings for templates that the run itself may edit.
    pub fn edited(are_edited: bool) -> Surroundings {
        Surroundings { are_edited, ..Surroundings::default() }
    }

    /// Sets that no file changes during the run and that reports are joined in their order: a template nested in
    /// several others is checked a single time.
    #[must_use]
    pub fn checked(self) -> Surroundings {
        Surroundings { clean: Some(Arc::default()), ..self }
    }

    pub(crate) fn clean(&self) -> Option<Arc<CleanUses>> {
        self.clean.clone()
    }

    /// Returns the sources that the sessions of all templates share.
    pub fn sources(&self) -> Arc<Sources> {
        Arc::clone(&self.sources)
    }

    /// Returns the directory `path`, which is looked up for the first template in it. `command` must be the same for
    /// all templates.
    ///
    /// # Errors
    /// When the project root, the lock file or the configuration file cannot be used.
    pub fn directory(&self, path: &Path, command: &str, inputs: &InputArgs) -> Result<Arc<Directory>, Failure> {
        let mut directories = lock(&self.directories);
        let key = (path.to_owned(), inputs.config.config_file.clone(), inputs.config.config_env.clone());
        if let Some(known) = directories.get(&key) {
            return Ok(Arc::clone(known));
        }
        let root = host::root(path, inputs);
        let project = self.project(&root)?;
        let loader = project.loader();
        let config = {
            let host = DiskHost::with_loader(path, loader.clone());
            Config::read(&host, &loader, path, command, &inputs.config.choice())?
        };
        let directory = Arc::new(Directory { project, config, loader });
        directories.insert(key, Arc::clone(&directory));
        Ok(directory)
    }

    /// Returns the project in `root`, which its directories share: pins of one apply to the others.
    fn project(&self, root: &Path) -> Result<Arc<Project>, Failure> {
        let loader = loader_in(root)?;
        let mut projects = lock(&self.projects);
        if let Some(known) = projects.get(loader.root()) {
            return Ok(Arc::clone(known));
        }
        let real = loader.root().to_owned();
        let project = Arc::new(Project::open(root, if self.are_edited { loader } else { loader.reading_once() })?);
        projects.insert(real, Arc::clone(&project));
        Ok(project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary_directory(name: &str) -> PathBuf {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/surroundings").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a directory");
        path
    }

    #[test]
    fn a_directory_is_looked_at_once() {
        let temporary = temporary_directory("once");
        let config = temporary.join("samconfig.toml");
        std::fs::write(&config, "[default.check.parameters]\nregion = \"eu-west-1\"\n").expect("written");
        let inputs = InputArgs::default();
        let surroundings = Surroundings::default();
        let look = || surroundings.directory(&temporary, "check", &inputs).expect("a directory");
        let first = look();
        // Looking again would find nothing.
        std::fs::remove_file(config).expect("removed");
        let second = look();
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(second.config.section().text("region").as_deref(), Some("eu-west-1"));
    }

    #[test]
    fn templates_do_not_share_what_they_read() {
        let temporary = temporary_directory("apart");
        let file = temporary.join("a.yaml");
        std::fs::write(&file, "Resources: {}\n").expect("written");
        let inputs = InputArgs::default();
        let surroundings = Surroundings::default();
        let directory = surroundings.directory(&temporary, "check", &inputs).expect("a directory");
        let (one, other) = (directory.loader(), directory.loader());
        one.note(&file);
        assert!(one.has_read(&file) && !other.has_read(&file));
    }
}
