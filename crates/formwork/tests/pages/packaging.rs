//! Examples of `formwork package`: their files are written to a disk and packaged into a directory.

use std::fs;
use std::path::Path;

use formwork::{DiskHost, Report, Session, UnresolvedLoops, VirtualPath};
use formwork_upload::{Destination, DirectoryStore, Request, Symlinks, UploadFailure, UploadOptions};

use super::page::Example;

const PREFIX: &str = "formwork-page-";

/// What packaging an example reports.
pub(crate) fn run(example: &Example) -> Report {
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir().expect("a directory");
    let project = folder.path().join("project");
    for (name, bytes) in &example.files {
        let path = project.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, bytes).expect("the file is written");
    }
    let (_, template) = example.files.first().expect("a template");
    let mut options = example.options.clone();
    options.unresolved_loops = UnresolvedLoops::WithoutValue;
    let host = DiskHost::new(&project, None, options.limits.file_bytes).expect("a host");
    let bucket = || {
        let endpoint = Destination::endpoint_of(None);
        Ok(Destination { bucket: "bucket".to_owned(), prefix: None, endpoint })
    };
    let session = Session::new(&host, options);
    let path = VirtualPath::new("template.yaml");
    session.set_file(&path, template.clone());
    let analysis = session.analyze(&path);
    let request = Request {
        directory: &project,
        analysis: &analysis,
        project_root: &project,
        output: None,
        format: None,
        records: false,
        deploys: false,
        symlinks: Symlinks::Follow,
        left_out: Vec::new(),
        destination: if example.store.is_some() { Some(&bucket) } else { None },
        repositories: None,
        checks_nested: true,
    };
    if example.builds {
        return built(&request);
    }
    let mut prepared = formwork_upload::prepare(&request);
    if let Some(store) = example.store.as_ref().filter(|_| !prepared.has_errors()) {
        let store = DirectoryStore::new(&project.join(Path::new(store)));
        let how = UploadOptions { force: false, concurrency: 1 };
        if let Err(failures) = formwork_upload::upload_all(&prepared, &store, how, &|_| {}) {
            prepared.add(failures.iter().map(UploadFailure::diagnostic));
        }
    }
    prepared.reports()[prepared.units.len() - 1].clone()
}

/// What planning the build of an example reports.
fn built(request: &Request<'_>) -> Report {
    let mut survey = formwork_upload::survey::survey(request, None);
    let plan = formwork_build::plan::plan(&survey, &formwork_build::Selection::default());
    let root = survey.units.last_mut().expect("a template");
    root.packaging.add(plan.into_diagnostics());
    root.packaging.report().clone()
}

/// A string without the name of the directory that an example was written to.
pub(crate) fn in_project(text: &str) -> String {
    let mark = std::env::temp_dir().join(PREFIX).to_string_lossy().into_owned();
    let mut parts = text.split(&mark);
    let mut clean = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        clean.push_str(part.find('/').map_or("", |at| &part[at..]));
    }
    clean
}
