//! Writes the output: to standard output, or completely to a file (reference/command-line.md#output).

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use formwork::disk::{
    Loader, check_replaceable, is_same_file, refuse_links, replace_if_unchanged, replace_unless_same,
};
use formwork_project::Failure;

/// Calls `write` with standard output, or with a temporary file beside `path` that is then renamed to it, so that
/// `path` is old or new and never partial. A file that has the same bytes stays (see [`replace_unless_same`]).
///
/// # Errors
/// When it cannot be written.
pub fn write(path: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let Some(path) = path else {
        let mut stdout = io::stdout().lock();
        let written = write(&mut stdout).and_then(|()| stdout.flush());
        return Ok(unless_unread(written).map_err(|error| stdout_failed(&error))?);
    };
    Ok(write_file(path, fs::symlink_metadata(path), write).map_err(|error| failed(path, &error))?)
}

/// The destination of a result.
#[derive(Clone, Copy)]
pub enum Destination<'a> {
    /// A file, or standard output.
    Usual(Option<&'a Path>),
    /// A new file in a directory that nobody else knows, and that is renamed at the end.
    New {
        /// The current path.
        at: &'a Path,
        /// The path after the directory is renamed.
        to: &'a Path,
    },
}

impl<'a> Destination<'a> {
    /// Returns the path of the file; `None` for standard output.
    pub fn path(self) -> Option<&'a Path> {
        match self {
            Destination::Usual(path) => path,
            Destination::New { to, .. } => Some(to),
        }
    }

    /// Calls `write_to` with the destination (see [`write()`]), unless that is a file that `loader` has read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(
        self,
        loader: &Loader,
        write_to: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let (to, written) = match self {
            Destination::Usual(None) => return write(None, write_to),
            Destination::Usual(Some(path)) => {
                let existing = fs::symlink_metadata(path);
                let is_input = match &existing {
                    Ok(file) if file.is_file() && cfg!(unix) => loader.has_read_file(file),
                    Ok(_) => loader.has_read(path),
                    Err(_) => false,
                };
                if is_input {
                    return Err(onto_input("-o", path, path).into());
                }
                (path, write_file(path, existing, write_to))
            }
            Destination::New { at, to } => {
                let written = match File::create_new(at) {
                    Ok(mut file) => write_to(&mut file),
                    // Two templates have the same result: of links to a directory, for example.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                        write_file(at, fs::symlink_metadata(at), write_to)
                    }
                    Err(error) => Err(error),
                };
                (to, written)
            }
        };
        Ok(written.map_err(|error| failed(to, &error))?)
    }
}

/// Ignores the error of a pipe whose reader has ended: the rest is dropped without a message, and the command ends with
/// the status of its work (reference/command-line.md#closed-output).
///
/// # Errors
/// Any other error of `written`.
pub fn unless_unread(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Returns the message for a failed write to standard output.
pub fn stdout_failed(error: &io::Error) -> String {
    format!("standard output cannot be written: {error}")
}

/// Returns the message for a file that cannot be written.
pub fn failed(path: &Path, error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "its directory does not exist",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::AlreadyExists => "it exists, and is not a directory",
        io::ErrorKind::IsADirectory => "it is a directory",
        io::ErrorKind::NotADirectory => "a part of its path is a file",
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        _ => return format!("{} cannot be written: {error}", path.display()),
    };
    format!("{} cannot be written: {why}", path.display())
}

/// The output files of a command, each with its option.
pub struct Outputs<'a> {
    files: Vec<(&'static str, &'a Path)>,
}

impl<'a> Outputs<'a> {
    /// Collects the output files of a command, and that of `--record-account`.
    pub fn new(named: &[(&'static str, Option<&'a Path>)], record: Option<&'a Path>) -> Outputs<'a> {
        let all = named.iter().copied().chain([("--record-account", record)]);
        Outputs { files: all.filter_map(|(option, path)| Some((option, path?))).collect() }
    }

    /// Checks the outputs before any work: each can be written, none is an input on the command line, and no two are
    /// the same file.
    ///
    /// # Errors
    /// When a file cannot be written; the error names the option to change.
    pub fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        for (at, (option, path)) in self.files.iter().enumerate() {
            writable(path).map_err(|error| failed(path, &error))?;
            if let Some(input) = inputs.iter().find(|input| is_same_file(standard_input(input), path)) {
                return Err(onto_input(option, path, input).into());
            }
            let same = |other: &Path| is_file_to_be(path) && target(other).ok() == target(path).ok();
            if let Some((other, _)) = self.files[..at].iter().find(|(_, other)| same(other)) {
                return Err(format!("{other} and {option} name the same file, {}", path.display()).into());
            }
        }
        Ok(())
    }

    /// Rejects outputs that would overwrite files that the run has read, such as modules and includes.
    ///
    /// # Errors
    /// When a file cannot be written; the error names the option to change.
    pub fn keep_inputs(&self, loader: &Loader) -> Result<(), Failure> {
        match self.files.iter().find(|(_, path)| loader.has_read(path)) {
            Some((option, path)) => Err(onto_input(option, path, path).into()),
            None => Ok(()),
        }
    }
}

fn onto_input(option: &str, path: &Path, input: &Path) -> String {
    let input = if input == Path::new("-") { "standard input".into() } else { input.display().to_string() };
    format!("{option} {} would overwrite an input, {input}: name another file", path.display())
}

fn standard_input(input: &Path) -> &Path {
    if input == Path::new("-") { Path::new("/dev/stdin") } else { input }
}

/// Returns `true` for a path of a regular file, or one that does not exist. Devices and pipes are written as they are.
pub fn is_file_to_be(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Replaces the content `before` of a file. A file that has been saved since is left alone.
///
/// # Errors
/// When it cannot be written, or has changed.
pub fn rewrite(path: &Path, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| failed(path, &error);
    writable(path).map_err(failed)?;
    if !is_file_to_be(path) {
        return write(Some(path), |out| out.write_all(after));
    }
    Ok(target(path).and_then(|target| replace_if_unchanged(&target, before, after)).map_err(failed)?)
}

/// Checks that a file can be written, without changing it.
///
/// # Errors
/// When it cannot be written.
pub fn writable(path: &Path) -> io::Result<()> {
    // The link of a pipe, such as /dev/stdout, leads to a name that is not a path.
    if !is_file_to_be(path) && !path.is_dir() {
        return Ok(());
    }
    let target = target(path)?;
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => return Err(io::Error::other("it is a directory")),
        Ok(metadata) if !metadata.is_file() => return Ok(()),
        Ok(metadata) if metadata.permissions().readonly() => return Err(io::Error::other("it is write-protected")),
        Ok(_) => drop(OpenOptions::new().write(true).open(&target)?),
        Err(_) => {}
    }
    check_replaceable(&target)
}

/// Checks that the lock file and the stored modules of a project can be written.
///
/// # Errors
/// When it cannot be written.
pub fn writable_project(root: &Path) -> Result<(), Failure> {
    let lock = root.join("formwork.lock");
    writable(&lock).map_err(|error| failed(&lock, &error))?;
    let modules = root.join("formwork_modules");
    match fs::metadata(&modules) {
        Ok(metadata) if !metadata.is_dir() => {
            Err(format!("{} cannot be written: it is not a directory", modules.display()).into())
        }
        _ => Ok(()),
    }
}

/// Checks that the directory of stored modules of a project is not a link: modules are not stored or removed behind
/// one.
///
/// # Errors
/// When it is one.
pub fn unlinked_modules(root: &Path) -> Result<(), Failure> {
    Ok(refuse_links(root, &root.join("formwork_modules")).map_err(|error| error.to_string())?)
}

/// Returns the file of a path, with links followed. The file may be missing; its directory exists.
fn target(path: &Path) -> io::Result<PathBuf> {
    let invalid = |why: &str| io::Error::new(ErrorKind::InvalidInput, why);
    if names_directory(path) {
        return Err(invalid("it is the name of a directory"));
    }
    let mut path = path.to_owned();
    for _ in 0..crate::LINKS {
        let name = path.file_name().ok_or_else(|| invalid("it is not a file name"))?.to_owned();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(link) = fs::read_link(&path) else {
            let missing = |_| io::Error::other(format!("the directory {} does not exist", parent.display()));
            return Ok(parent.canonicalize().map_err(missing)?.join(name));
        };
        path = parent.join(link);
    }
    Err(invalid("too many levels of symbolic links"))
}

/// Writes a file; `existing` is its metadata, links not followed.
fn write_file(
    path: &Path,
    existing: io::Result<Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // Most outputs are new, or a file.
    let is_plain = match &existing {
        Ok(metadata) => metadata.is_file(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    };
    if is_plain && !names_directory(path) {
        return replace_unless_same(path, existing.ok().as_ref(), write).map_err(|error| match error.kind() {
            ErrorKind::NotFound => target(path).err().unwrap_or(error),
            _ => error,
        });
    }
    // A device or pipe is written as it is.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        return unless_unread(write(&mut file).and_then(|()| file.flush()));
    }
    let target = target(path)?;
    replace_unless_same(&target, fs::symlink_metadata(&target).ok().as_ref(), write)
}

fn names_directory(path: &Path) -> bool {
    path.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn temporary_directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("formwork-output-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        path
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it exists").permissions().mode() & 0o777
    }

    #[test]
    fn the_temporary_file_has_the_mode_of_the_target_from_the_first_byte() {
        let directory = temporary_directory("mode");
        let path = directory.join("out.yaml");
        for wanted in [0o600, 0o666, 0o640] {
            fs::write(&path, "old").expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(wanted)).expect("set");
            let mut seen = 0;
            let look = |out: &mut dyn Write| {
                // More than the file has: it is not the same.
                out.write_all(b"other")?;
                let temporary =
                    fs::read_dir(&directory)?.flatten().map(|entry| entry.path()).find(|found| *found != path);
                seen = mode(&temporary.expect("a temporary file"));
                Ok(())
            };
            write(Some(&path), look).expect("written");
            assert_eq!((seen, mode(&path)), (wanted, wanted));
        }
        fs::remove_dir_all(directory).expect("removed");
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let temporary = temporary_directory("missing");
        let failed = |name: &str| {
            String::from(write(Some(&temporary.join(name)), |out| out.write_all(b"text")).expect_err(name))
        };
        let directory = temporary.join("none");
        assert!(failed("none/out.yaml").ends_with(&format!("the directory {} does not exist", directory.display())));
        assert!(failed("none/").ends_with("it is the name of a directory"));
        assert_eq!(fs::read_dir(&temporary).expect("a directory").count(), 0);
        fs::remove_dir_all(temporary).expect("removed");
    }

    #[test]
    fn a_failure_names_the_file_that_was_to_be() {
        let directory = temporary_directory("named");
        let at = directory.join("none/out.yaml");
        let destination = Destination::New { at: &at, to: Path::new("build/out.yaml") };
        let loader = Loader::new(&directory, 100).expect("it exists");
        let why = destination.write(&loader, |out| out.write_all(b"text")).expect_err("it has no directory");
        let why = String::from(why);
        assert!(why.starts_with("build/out.yaml cannot be written: "), "{why}");
        assert!(!why.contains("none"), "{why}");
        fs::remove_dir_all(directory).expect("removed");
    }

    #[test]
    fn links_are_followed_and_stay() {
        let directory = temporary_directory("links");
        fs::create_dir(directory.join("real")).expect("a directory");
        symlink("real/out.yaml", directory.join("a")).expect("a link");
        symlink("a", directory.join("b")).expect("a link");
        symlink("c", directory.join("c")).expect("a link");
        // The last target does not exist yet.
        write(Some(&directory.join("b")), |out| out.write_all(b"text")).expect("written");
        assert_eq!(fs::read_to_string(directory.join("real/out.yaml")).expect("the file"), "text");
        assert!(directory.join("a").is_symlink() && directory.join("b").is_symlink());
        assert!(write(Some(&directory.join("c")), |out| out.write_all(b"text")).is_err());
        fs::remove_dir_all(directory).expect("removed");
    }
}
