//! What is edited.

use std::path::{Path, PathBuf};

use formwork::FileBytes;

/// Files that are edited together.
pub struct Edited {
    /// The directory that the editor opens.
    pub folder: PathBuf,
    pub files: Vec<PathBuf>,
    /// Whether files may be written on the disk, too.
    pub is_own: bool,
}

impl Edited {
    fn alone(path: PathBuf) -> Edited {
        Edited { folder: path.parent().unwrap().to_owned(), files: vec![path], is_own: false }
    }

    /// The same with own files, which may be written; and the directory that they are in, while they are.
    pub fn copied(&self) -> (Edited, Option<tempfile::TempDir>) {
        let Edited { folder, files, is_own } = self;
        if !is_own {
            return (Edited { folder: folder.clone(), files: files.clone(), is_own: false }, None);
        }
        let directory = tempfile::tempdir().unwrap();
        let own = directory.path().canonicalize().unwrap();
        let copy = |path: &PathBuf| {
            let copied = own.join(path.strip_prefix(folder).unwrap());
            std::fs::create_dir_all(copied.parent().unwrap()).unwrap();
            std::fs::copy(path, &copied).unwrap();
            copied
        };
        let files = files.iter().map(copy).collect();
        (Edited { folder: own, files, is_own: true }, Some(directory))
    }

    /// The bytes of all files.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| std::fs::metadata(file).unwrap().len()).sum()
    }
}

/// The templates below the directories of `FORMWORK_EDITS_OVER`, which colons separate, one after another, and the
/// projects in the directory of `FORMWORK_EDITS_PROJECTS`; without either the examples.
pub fn edited() -> Vec<Edited> {
    let (over, projects) = (std::env::var("FORMWORK_EDITS_OVER"), std::env::var("FORMWORK_EDITS_PROJECTS"));
    if over.is_err() && projects.is_err() {
        return templates().into_iter().map(Edited::alone).collect();
    }
    let mut found: Vec<PathBuf> =
        over.iter().flat_map(|over| files(over.split(':').map(PathBuf::from).collect())).collect();
    found.retain(|path| is_plain_template(path));
    found.sort();
    found.dedup();
    let mut all: Vec<Edited> = found.into_iter().map(Edited::alone).collect();
    if let Ok(projects) = projects {
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(projects).unwrap().map(|entry| entry.unwrap().path().canonicalize().unwrap()).collect();
        folders.sort();
        all.extend(folders.into_iter().map(|folder| {
            let mut files = files(vec![folder.clone()]);
            files.sort();
            Edited { folder, files, is_own: true }
        }));
    }
    assert!(!all.is_empty());
    all
}

fn files(mut pending: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if ["yaml", "yml", "json", "template"].contains(&extension) {
            found.push(path.canonicalize().unwrap());
        }
    }
    found
}

/// Whether a file is a template, not too large, beside which nothing is configured: that is not in a fresh check.
fn is_plain_template(path: &Path) -> bool {
    let folder = path.parent().unwrap();
    let is_plain = ["formwork.toml", "samconfig.toml"].iter().all(|name| !folder.join(name).exists());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    is_plain && text.len() < 300_000 && formwork::has_template_section(&FileBytes::from(text.as_str()))
}

/// The templates of the examples.
pub fn templates() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path().join("template.yaml");
        if path.is_file() {
            found.push(path.canonicalize().unwrap());
        }
    }
    found.sort();
    assert!(found.len() > 3);
    found
}
