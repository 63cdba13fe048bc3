//! Checks again after each change (reference/command-line.md#watch).

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::terminal;
use crate::watch::{Directory, Interest, Watcher, real_path};
use crate::{Status, inputs};
use formwork_project::Failure;

use crate::check::{CheckArgs, Read, once};

/// Directories with downloaded and built files.
const LEFT_OUT: [&str; 5] = ["node_modules/", ".git/", ".aws-sam/", ".formwork/", "cdk.out/"];
const ENDINGS: [&str; 5] = ["yaml", "yml", "json", "template", "toml"];
const NAMED: usize = 3;

/// Checks, and checks again after each change, until a signal ends the process.
///
/// # Errors
/// When the files cannot be watched. A file that cannot be read is waited for.
pub fn watch(args: &CheckArgs) -> Result<Status, Failure> {
    if args.template.iter().any(|template| template == Path::new("-")) {
        return Err("standard input cannot be watched\n  help: name a file".into());
    }
    let mut watcher = Watcher::new().map_err(|error| error.to_string())?;
    // Changes from now on are seen.
    let mut watched = interest(args, &Read::default())?;
    watcher.watch(watched.clone()).map_err(|error| error.to_string())?;
    loop {
        let begin = SystemTime::now();
        let read = Read::default();
        if let Err(failure) = once(args, &read) {
            match failure {
                Failure::File(file) => terminal::say_file(&file),
                usage @ Failure::Usage(_) => return Err(usage),
            }
        }
        crate::console::configured::say_rest(Some(&args.report));
        let before = std::mem::replace(&mut watched, interest(args, &read)?);
        watcher.watch(watched.clone()).map_err(|error| error.to_string())?;
        let mut changed = missed(&before, &watched, begin);
        if changed.is_empty() {
            terminal::say_line("watching for changes; Ctrl-C ends");
        }
        while changed.is_empty() {
            let Some(found) = watcher.wait(&|| false) else { return Ok(Status::Interrupted) };
            changed = found.into_iter().filter(|path| matters(path, &watched)).collect();
        }
        terminal::say_line(&format!("changed: {}", named(&changed)));
    }
}

fn matters(path: &Path, interest: &Interest) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    interest.files.contains(path) || ENDINGS.contains(&ending)
}

/// Returns the files that changed since a time at which they were not watched yet.
fn missed(before: &Interest, now: &Interest, since: SystemTime) -> Vec<PathBuf> {
    let is_newer = |path: &Path| {
        let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified >= since)
    };
    now.files.iter().filter(|path| !before.wakes(path) && is_newer(path)).cloned().collect()
}

fn named(changed: &[PathBuf]) -> String {
    let here = real_path(Path::new("."));
    let shown = |path: &PathBuf| path.strip_prefix(&here).unwrap_or(path).display().to_string();
    let names: Vec<String> = changed.iter().take(NAMED).map(shown).collect();
    let more = changed.len() - names.len();
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// Returns what to watch: the files that were read, and the directories of the templates on the command line.
fn interest(args: &CheckArgs, read: &Read) -> Result<Interest, String> {
    let mut directories: Vec<PathBuf> = args.template.iter().map(|template| directory(template)).collect();
    if directories.is_empty() {
        directories.push(real_path(Path::new(".")));
    }
    directories.sort();
    directories.dedup();
    let patterns = || LEFT_OUT.map(str::to_owned).to_vec();
    let directories = directories
        .into_iter()
        .map(|path| Directory::new(path, patterns()).map_err(|pattern| pattern.to_string()))
        .collect::<Result<_, _>>()?;
    let files = read.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    Ok(Interest { files, directories, ..Interest::default() })
}

/// Returns the directory to watch for a template, a directory or a pattern; of a pattern, the part without wildcards.
fn directory(template: &Path) -> PathBuf {
    let is_pattern = |part: &std::ffi::OsStr| part.to_string_lossy().contains(['*', '?', '[', '{']);
    let plain: PathBuf = template.iter().take_while(|part| !is_pattern(part)).collect();
    let path = if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain };
    real_path(if path.is_dir() { &path } else { inputs::folder(&path) })
}
