//! Projects on a disk, packaged into a directory.

use std::fs;
use std::path::{Path, PathBuf};

use formwork::{DiskHost, Session, UnresolvedLoops, VirtualPath};
use formwork_package::Output;
use formwork_report::{Context, human};
use formwork_upload::{Destination, DirectoryStore, Prepared, Request, Symlinks, UploadOptions};

use crate::outcome::{self, Outcome};
use crate::words;

/// The bucket of every test.
pub const BUCKET: &str = "bucket";

/// A project in a directory that is removed with it.
#[derive(Debug)]
pub struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A project with these files; the template first.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn new(files: &[(String, Vec<u8>)]) -> std::io::Result<Project> {
        let project = Project { folder: tempfile::Builder::new().prefix("formwork-project-").tempdir()? };
        for (name, bytes) in files {
            let path = project.folder().join(name);
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, bytes)?;
        }
        Ok(project)
    }

    /// Where its template is.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Where objects go.
    pub fn store(&self) -> PathBuf {
        self.folder.path().join("store")
    }

    /// Objects that were uploaded, by key.
    pub fn objects(&self) -> Vec<String> {
        let mut keys: Vec<String> = fs::read_dir(self.store())
            .map(|entries| entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
            .unwrap_or_default();
        keys.sort();
        keys
    }

    /// Packages a template of the project but for the uploads.
    ///
    /// # Errors
    /// When the template cannot be read.
    pub fn prepare(&self, template: &str, request: &words::Request, symlinks: Symlinks) -> Result<Prepared, String> {
        let folder = self.folder();
        let path = VirtualPath::new(template);
        let bytes = fs::read(folder.join(template)).map_err(|error| format!("{template}: {error}"))?;
        let mut options = request.options.clone();
        options.unresolved_loops =
            if request.expand { UnresolvedLoops::Undeclared } else { UnresolvedLoops::WithoutValue };
        let host = DiskHost::new(&folder, None, options.limits.file_bytes).map_err(|error| error.to_string())?;
        let session = Session::new(&host, options);
        session.set_file(&path, bytes);
        let analysis = session.analyze(&path);
        Ok(formwork_upload::prepare(&Request {
            directory: &folder,
            analysis: &analysis,
            project_root: &folder,
            output: request.expand.then_some(Output::Expanded),
            format: request.format,
            records: request.record,
            deploys: false,
            symlinks,
            left_out: Vec::new(),
            destination: Some(&|| Ok(destination())),
            repositories: None,
            checks_nested: true,
        }))
    }

    /// Packages a template of the project into its store, and returns its text.
    ///
    /// # Errors
    /// The errors, one per line.
    pub fn package(&self, template: &str, request: &words::Request) -> Result<String, String> {
        let prepared = self.prepare(template, request, Symlinks::Follow)?;
        if prepared.has_errors() {
            return Err(self.messages(&prepared, false));
        }
        let how = UploadOptions { force: false, concurrency: 2 };
        let store = DirectoryStore::new(&self.store());
        formwork_upload::upload_all(&prepared, &store, how, &|_| {}).map_err(|errors| format!("{errors:?}"))?;
        String::from_utf8(prepared.text).map_err(|error| error.to_string())
    }

    /// The reports of all templates, with the project's directory as `/project`.
    pub fn messages(&self, prepared: &Prepared, for_people: bool) -> String {
        let mut text = String::new();
        for report in prepared.reports() {
            let result = report.compilation();
            let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
            let render = if for_people { human::render } else { outcome::short };
            text.extend(report.diagnostics().iter().map(|found| render(found, &context)));
        }
        let folder = self.folder.path();
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        text.replace(&*real.to_string_lossy(), "").replace(&*folder.to_string_lossy(), "")
    }
}

/// Where objects of a test go.
pub fn destination() -> Destination {
    Destination { bucket: BUCKET.to_owned(), prefix: None, endpoint: Destination::endpoint_of(None) }
}

/// The files of a test, by name.
pub fn files(list: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    list.iter().map(|&(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect()
}

/// The result of packaging the first of some files. The names of objects in it are short.
///
/// # Errors
/// When the files cannot be written.
pub fn outcome(files: &[(String, Vec<u8>)], request: &words::Request) -> Result<Outcome, String> {
    let project = Project::new(files).map_err(|error| error.to_string())?;
    let (template, _) = files.first().ok_or("no template")?;
    let prepared = project.prepare(Path::new(template).to_string_lossy().as_ref(), request, Symlinks::Follow)?;
    let failed = prepared.has_errors();
    let found: Vec<_> = prepared.reports().iter().flat_map(formwork::Report::diagnostics).collect();
    Ok(Outcome {
        output: (!failed).then(|| shortened(&String::from_utf8_lossy(&prepared.text)).into_bytes()),
        failed,
        human: project.messages(&prepared, true),
        short: project.messages(&prepared, false),
        codes: found.iter().map(|diagnostic| diagnostic.code).collect(),
        messages: found.iter().map(|diagnostic| (diagnostic.severity, outcome::words(diagnostic))).collect(),
    })
}

/// Object names of 64 digits, cut to 8.
fn shortened(text: &str) -> String {
    const DIGITS: usize = 64;
    const KEPT: usize = 8;
    let mut short = String::with_capacity(text.len());
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_hexdigit() && !c.is_ascii_uppercase() {
            run.push(c);
            continue;
        }
        short.push_str(if run.len() == DIGITS { &run[..KEPT] } else { &run });
        run.clear();
        short.push(c);
    }
    short.pop();
    short
}
