//! Building, packaging and then expanding is packaging and then expanding, objects included, where builds only copy;
//! and that is expanding alone, but for where artifacts are (reference/build.md#template). A second build builds no source
//! (reference/build.md#cache).

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use formwork::{DiskHost, Goal, Options, PackageOptions, Packaging, Session, UnresolvedLoops, VirtualPath};
use formwork_build::{BuildOptions, BuildRequest, Outcome, SearchPath, Selection};
use formwork_upload::{Request, Symlinks};

use super::packaging::{one_form, without_artifacts};
use super::{compile, equal, output};
use crate::data;
use crate::packaging::Project;
use crate::words;

/// Files by name.
type Files = Vec<(String, Vec<u8>)>;

const NAME: &str = "template.yaml";

/// The laws for one template; whether it could be packaged with its loops.
///
/// # Errors
/// In words.
pub fn building(text: &str) -> Result<bool, String> {
    let words = |error: std::io::Error| error.to_string();
    let Some(files) = files(text)? else { return Ok(false) };
    let project = Project::new(&files).map_err(words)?;
    let request = words::Request::new(Goal::Package);
    let Ok(packaged) = project.package(NAME, &request) else { return Ok(false) };

    let directory = tempfile::tempdir().map_err(words)?;
    let first = build(&project.folder(), directory.path())?;
    if first.built != first.sources {
        return Err(format!("only {} of {} sources were built of\n{text}", first.built, first.sources));
    }
    let written = read(directory.path())?;
    let again = build(&project.folder(), directory.path())?;
    if again.built != 0 {
        return Err(format!("{} of {} sources were built again of\n{text}", again.built, again.sources));
    }
    equal("built again", &read(directory.path())?, &written)?;

    // The built template and its products, somewhere else: nothing of the sources is needed any more.
    let moved = Project::new(&[]).map_err(words)?;
    fs::rename(directory.path(), moved.folder()).map_err(words)?;
    let built = moved.package(NAME, &request).map_err(|said| format!("{said}\nfor\n{written}\nbuilt of\n{text}"))?;
    let expand = |text: &str| {
        let text = output(text, &Options::default(), Goal::Expand).ok_or_else(|| format!("no expansion of\n{text}"))?;
        data::read(&text).map(|value| one_form(data::long_form(&value)))
    };
    let (plain, whole, by_parts) = (expand(text)?, expand(&packaged)?, expand(&built)?);
    if by_parts != whole {
        return Err(format!("built and packaged\n{by_parts:#}\npackaged\n{whole:#}\nfrom\n{text}"));
    }
    if moved.objects() != project.objects() {
        return Err(format!("{:?} in the place of {:?}\nfrom\n{text}", moved.objects(), project.objects()));
    }
    let (a, b) = (without_artifacts(by_parts), without_artifacts(plain));
    if a != b {
        return Err(format!(
            "something else changed\n--- built and packaged\n{a:#}\n--- as written\n{b:#}\nfrom\n{text}"
        ));
    }
    Ok(true)
}

/// The template with what it names: a directory for each path, a file where a template is meant. `None` when it cannot
/// be packaged at all, or when a path is both.
fn files(text: &str) -> Result<Option<Files>, String> {
    let compiled = compile(text, &Options::default(), Goal::Package);
    if !compiled.is_well_formed() {
        return Err("no template".to_owned());
    }
    let packaging = Packaging::new(&compiled, PackageOptions::default());
    let mut files = vec![(NAME.to_owned(), text.as_bytes().to_vec())];
    for need in packaging.plan().needs.iter().filter(|need| !need.is_folder_of_template) {
        let path = need.path.trim_start_matches("./").trim_end_matches('/');
        let is_template = need.property == "TemplateURL";
        let name = if is_template { path.to_owned() } else { format!("{path}/app.py") };
        files.push((name, format!("# {path}\n").into_bytes()));
    }
    files.sort();
    files.dedup();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let is_in = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    let is_both = names.iter().any(|outer| names.iter().any(|inner| is_in(outer, inner)));
    Ok((!is_both).then_some(files))
}

fn read(directory: &Path) -> Result<String, String> {
    fs::read_to_string(directory.join(NAME)).map_err(|error| error.to_string())
}

/// Builds the template of a directory; errors are returned as strings.
fn build(folder: &Path, directory: &Path) -> Result<Outcome, String> {
    let options = Options { unresolved_loops: UnresolvedLoops::WithoutValue, ..Options::default() };
    let host = DiskHost::new(folder, None, options.limits.file_bytes).map_err(|error| error.to_string())?;
    let session = Session::new(&host, options);
    let path = VirtualPath::new(NAME);
    session.set_file(&path, fs::read(folder.join(NAME)).map_err(|error| error.to_string())?);
    let root = folder.canonicalize().map_err(|error| error.to_string())?;
    let analysis = session.analyze(&path);
    let outcome = formwork_build::build(&BuildRequest {
        survey: Request {
            directory: &root,
            analysis: &analysis,
            project_root: &root,
            output: None,
            format: None,
            records: false,
            deploys: false,
            symlinks: Symlinks::Follow,
            left_out: Vec::new(),
            destination: None,
            repositories: None,
            checks_nested: true,
        },
        base: None,
        directory,
        template: &root.join(NAME),
        selection: Selection::default(),
        options: BuildOptions {
            is_cached: true,
            jobs: 2,
            format: None,
            path: SearchPath::default(),
            interrupt: &AtomicBool::new(false),
            observer: &|_| {},
        },
        inputs: &Vec::new,
    })
    .map_err(|error| error.to_string())?;
    if outcome.template.is_some() {
        return Ok(outcome);
    }
    let said = outcome.reports.iter().flat_map(formwork::Report::diagnostics).map(|found| found.message.clone());
    Err(said.collect::<Vec<_>>().join("\n"))
}
