//! Provides code and layers as local directories (reference/local.md#code).

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use formwork::disk::open_regular;

use crate::error::LocalError;
use crate::function::{CodeSource, Function, Layer};

/// Returns the directory of a function's code. A zip or a single file is copied into one below `scratch`; inline code
/// becomes a file with the name `inline`.
pub(crate) fn code(function: &Function, inline: &str, scratch: &Path) -> Result<PathBuf, LocalError> {
    let id = &function.id;
    match &function.code {
        CodeSource::Image => Err(LocalError::Image(id.clone())),
        CodeSource::Remote(place) => Err(LocalError::RemoteCode { id: id.clone(), place: place.clone() }),
        CodeSource::Inline(text) => {
            let directory = scratch.join("code");
            let failed = |what: &str| format!("inline code of {id} cannot be {what}");
            fs::create_dir_all(&directory).map_err(LocalError::system(failed("written")))?;
            let file = directory.join(inline);
            fs::write(&file, text).map_err(LocalError::system(failed("written")))?;
            make_executable(&file).map_err(LocalError::system(failed("made executable")))?;
            Ok(directory)
        }
        CodeSource::Path(path) => {
            let missing = || LocalError::MissingCode { id: id.clone(), path: path.clone() };
            let path = path.canonicalize().map_err(|_| missing())?;
            if path.is_dir() {
                return Ok(path);
            }
            let directory = scratch.join("code");
            put_in(&path, &directory)?;
            Ok(directory)
        }
    }
}

/// Returns the directory used as `/opt`, with the layers unpacked in order; `None` without local layers. Remote layers
/// are omitted and listed in `missing`.
pub(crate) fn layers(
    layers: &[Layer],
    scratch: &Path,
    missing: &mut Vec<String>,
) -> Result<Option<PathBuf>, LocalError> {
    let mut sources = Vec::new();
    for layer in layers {
        match &layer.source {
            CodeSource::Path(path) => {
                let found = path.canonicalize();
                let id = layer.name.clone();
                sources.push(found.map_err(|_| LocalError::MissingCode { id, path: path.clone() })?);
            }
            _ => missing.push(layer.name.clone()),
        }
    }
    match sources.as_slice() {
        [] => Ok(None),
        [one] if one.is_dir() => Ok(Some(one.clone())),
        _ => {
            let directory = scratch.join("opt");
            for source in &sources {
                put_in(source, &directory)?;
            }
            Ok(Some(directory))
        }
    }
}

/// Copies the content of a directory or a zip file, or a single file, into a directory.
fn put_in(source: &Path, directory: &Path) -> Result<(), LocalError> {
    let failed = || format!("{} cannot be unpacked", source.display());
    fs::create_dir_all(directory).map_err(LocalError::system(failed()))?;
    if source.is_dir() {
        return copy_tree(source, directory).map_err(LocalError::system(failed()));
    }
    let opened = open_regular(source).map_err(|error| std::io::Error::other(error.to_string()));
    let (mut file, _) = opened.map_err(LocalError::system(failed()))?;
    let mut start = [0; 4];
    let is_zip = file.read_exact(&mut start).is_ok() && matches!(&start, b"PK\x03\x04" | b"PK\x05\x06");
    let unpacked = if is_zip {
        let archive = zip::ZipArchive::new(file);
        // In a directory of its own: an earlier layer may have left a link here, which is not written through.
        let aside =
            tempfile::tempdir_in(directory.parent().unwrap_or(directory)).map_err(LocalError::system(failed()))?;
        let unpacked = archive.and_then(|mut archive| archive.extract(aside.path()));
        unpacked.map_err(std::io::Error::other).and_then(|()| copy_tree(aside.path(), directory))
    } else {
        let name = source.file_name().unwrap_or_default();
        fs::copy(source, directory.join(name)).map(drop)
    };
    unpacked.map_err(LocalError::system(failed()))
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut open = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = open.pop() {
        // A link of an earlier layer is replaced, not followed.
        if to.is_symlink() {
            fs::remove_file(&to)?;
        }
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push((entry.path(), target));
                continue;
            }
            // Files of a later layer replace those of an earlier one.
            let _ = fs::remove_file(&target);
            if kind.is_symlink() {
                #[cfg(unix)]
                std::os::unix::fs::symlink(fs::read_link(entry.path())?, &target)?;
            } else {
                fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}

fn make_executable(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(file, fs::Permissions::from_mode(0o755))?;
    }
    let _ = file;
    Ok(())
}

/// Returns a hash of the names, sizes and times of everything in a file or directory. Files that interpreters write
/// beside the code do not count.
pub(crate) fn fingerprint(path: &Path) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    const MOST: usize = 50_000;
    let mut all = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(found) = fs::metadata(&path) else { continue };
        if !found.is_dir() {
            all.push((path, found.len(), found.modified().ok()));
            continue;
        }
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let names = entries.filter(|entry| {
            let name = entry.file_name();
            let is_dir_link = entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir();
            !is_dir_link && !["__pycache__", ".git", ".formwork"].iter().any(|skipped| name == *skipped)
        });
        open.extend(names.map(|entry| entry.path()));
        if all.len() + open.len() > MOST {
            break;
        }
    }
    all.sort();
    let mut hasher = DefaultHasher::new();
    all.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn nothing_is_unpacked_through_a_link_of_an_earlier_layer() {
        let temporary = tempfile::tempdir().expect("a directory");
        let outside = temporary.path().join("outside");
        for directory in ["a", "b/bin", "outside", "scratch"] {
            fs::create_dir_all(temporary.path().join(directory)).expect("a directory");
        }
        std::os::unix::fs::symlink(&outside, temporary.path().join("a/bin")).expect("a link");
        std::os::unix::fs::symlink(&outside, temporary.path().join("a/lib")).expect("a link");
        fs::write(temporary.path().join("b/bin/x"), "b").expect("a file");
        let zip = fs::File::create(temporary.path().join("c.zip")).expect("a file");
        let mut zip = zip::ZipWriter::new(zip);
        zip.start_file("lib/y", zip::write::SimpleFileOptions::default()).expect("an entry");
        std::io::Write::write_all(&mut zip, b"c").expect("written");
        zip.finish().expect("written");
        let layer = |name: &str| Layer { name: name.to_owned(), source: CodeSource::Path(temporary.path().join(name)) };
        let sources = [layer("a"), layer("b"), layer("c.zip")];
        let found =
            layers(&sources, &temporary.path().join("scratch"), &mut Vec::new()).expect("layers").expect("some");
        assert_eq!(fs::read_dir(&outside).expect("a directory").count(), 0);
        assert_eq!(fs::read_to_string(found.join("bin/x")).expect("a file"), "b");
        assert_eq!(fs::read_to_string(found.join("lib/y")).expect("a file"), "c");
    }

    #[test]
    fn later_layers_win_and_remote_ones_are_named() {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in [("a/python/x.py", "a"), ("a/python/y.py", "a"), ("b/python/x.py", "b")] {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        let layer = |name: &str| Layer { name: name.to_owned(), source: CodeSource::Path(directory.path().join(name)) };
        let remote = Layer { name: "arn:aws:x".into(), source: CodeSource::Remote("arn:aws:x".into()) };
        let mut missing = Vec::new();
        let scratch = directory.path().join("scratch");
        let found = layers(&[layer("a"), remote, layer("b")], &scratch, &mut missing).expect("layers").expect("some");
        let read = |name: &str| fs::read_to_string(found.join(name)).expect("a file");
        assert_eq!((read("python/x.py"), read("python/y.py")), ("b".into(), "a".into()));
        assert_eq!(missing, ["arn:aws:x"]);
    }

    #[test]
    fn a_fingerprint_changes_with_content_and_names() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("a.py"), "1").expect("a file");
        let first = fingerprint(directory.path());
        fs::create_dir(directory.path().join("__pycache__")).expect("a directory");
        fs::write(directory.path().join("__pycache__/a.pyc"), "1").expect("a file");
        assert_eq!(fingerprint(directory.path()), first);
        fs::write(directory.path().join("a.py"), "12").expect("a file");
        let second = fingerprint(directory.path());
        assert_ne!(second, first);
        fs::rename(directory.path().join("a.py"), directory.path().join("b.py")).expect("a rename");
        assert_ne!(fingerprint(directory.path()), second);
    }
}
