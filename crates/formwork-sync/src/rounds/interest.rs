//! Determines which files are watched (reference/sync.md#watching).

use std::collections::BTreeMap;
use std::path::PathBuf;

use formwork_run::build::Finished;
use formwork_run::inputs;
use formwork_run::upload::Upload;
use formwork_run::watch::{Directory, Interest, real_path};

use super::args::SyncArgs;
use super::wanted::Wanted;

/// Lists the files that packaging excludes from sources.
const IGNORE_FILE: &str = ".formworkignore";
/// Lists the files of a source that npm does not publish.
const NPM_IGNORE_FILE: &str = ".npmignore";
/// Directories below the template's that hold downloaded packages.
const FETCHED: &str = "node_modules/";

/// Returns the files to watch before the first build.
pub(super) fn before(wanted: &Wanted) -> Result<Interest, String> {
    let template_directory = real_path(inputs::folder(&wanted.template));
    let directory =
        Directory::new(template_directory, vec![FETCHED.to_owned()]).map_err(|pattern| pattern.to_string())?;
    let mut written = own_streams();
    written.push(real_path(&wanted.directory));
    Ok(Interest { directories: vec![directory], written, ..Interest::default() })
}

/// The files that standard output and standard error are redirected to, where the system knows their names: the output
/// of a round must not start another round.
fn own_streams() -> Vec<PathBuf> {
    let streams = ["/proc/self/fd/1", "/proc/self/fd/2"].iter().filter_map(|stream| std::fs::read_link(stream).ok());
    streams.filter(|path| path.is_file()).collect()
}

/// Returns the files to watch after a build: everything that it read. After errors, all of the template's directory is
/// watched, since a missing file may be created anywhere below it.
///
/// # Errors
/// When a pattern of the arguments is malformed.
pub(super) fn after(args: &SyncArgs, wanted: &Wanted, built: &Finished, upload: &Upload) -> Result<Interest, String> {
    let mut interest = Interest::default();
    let template_directory = inputs::folder(&wanted.template);
    if built.outcome.template.is_none() {
        interest = before(wanted)?;
    }
    let root = built.input.host.root();
    let own = [root.join("formwork.lock"), template_directory.join(".formwork"), wanted.directory.clone()];
    let record = args.deploy.inputs.live.record_account.clone();
    interest.written =
        own.into_iter().chain(record).chain(upload.store_directory()).map(|path| real_path(&path)).collect();
    interest.written.extend(own_streams());
    interest.files = built.input.host.loader().files().into_iter().collect();
    let excluded = excluded(args, built);
    for read in &built.outcome.read {
        let path = real_path(&read.path);
        if !path.is_dir() {
            interest.files.insert(path);
            continue;
        }
        let ignored = built.input.host.loader().read(&path.join(IGNORE_FILE)).unwrap_or_default();
        let mut patterns = read.left_out.clone();
        patterns.push(format!("!{NPM_IGNORE_FILE}"));
        patterns.extend(String::from_utf8_lossy(&ignored).lines().map(str::to_owned));
        patterns.extend(excluded.get("").into_iter().chain(excluded.get(&*path.to_string_lossy())).flatten().cloned());
        let wrong = |pattern: formwork_run::watch::InvalidPattern| {
            format!("{pattern} is not a pattern of files, in --watch-exclude or {IGNORE_FILE}")
        };
        interest.directories.push(Directory::new(path, patterns).map_err(wrong)?);
    }
    Ok(interest)
}

/// Groups the patterns of `--watch-exclude` by source; those for all sources have an empty key.
fn excluded(args: &SyncArgs, built: &Finished) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for word in &args.sync.watch_exclude {
        let (id, pattern) = word.split_once('=').unwrap_or(("", word));
        if id.is_empty() {
            all.entry(String::new()).or_default().push(pattern.to_owned());
        }
        for source in sources(built, id) {
            all.entry(source.to_string_lossy().into_owned()).or_default().push(pattern.to_owned());
        }
    }
    all
}

fn sources(built: &Finished, id: &str) -> Vec<PathBuf> {
    use formwork_upload::survey::Named;
    let survey = &built.outcome.survey;
    let mut found = Vec::new();
    for (unit, template) in survey.units.iter().enumerate() {
        for (number, need) in template.packaging.plan().needs.iter().enumerate() {
            if let (true, Named::Disk(path)) = (need.resource == id, survey.named(unit, number)) {
                found.push(real_path(path));
            }
        }
    }
    found
}
