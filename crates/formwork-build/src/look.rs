//! Hashes entries of a build directory, so that only artifacts of an earlier run are removed
//! (reference/build.md#whole).

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use formwork_base::hexadecimal;
use formwork_disk::open_regular;
use sha2::{Digest, Sha256};

/// Returns one hash of everything at a path and below: names, modes, contents, and the targets of links, which are not
/// followed. Files that Python writes beside modules that it runs are ignored.
///
/// # Errors
/// When an entry cannot be read.
pub(crate) fn of(path: &Path) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut left = vec![(path.to_owned(), String::new())];
    while let Some((path, name)) = left.pop() {
        let found = path.symlink_metadata()?;
        let kind = found.file_type();
        if kind.is_dir() {
            digest.update(format!("d {name}\n"));
            let mut names = fs::read_dir(&path)?
                .map(|entry| entry.map(|entry| entry.file_name()))
                .collect::<io::Result<Vec<_>>>()?;
            names.retain(|name| name != "__pycache__");
            names.sort_unstable_by(|a, b| b.cmp(a));
            left.extend(
                names.into_iter().map(|inner| (path.join(&inner), format!("{name}/{}", inner.to_string_lossy()))),
            );
        } else if kind.is_symlink() {
            digest.update(format!("l {name}\0{}\n", fs::read_link(&path)?.to_string_lossy()));
        } else {
            digest.update(format!("f {name}\0{} {}\n", found.len(), is_executable(&found)));
            let (mut file, _) = open_regular(&path).map_err(|error| io::Error::other(error.to_string()))?;
            let mut buffer = vec![0; 128 * 1024];
            loop {
                let read = file.read(&mut buffer)?;
                if read == 0 {
                    break;
                }
                digest.update(&buffer[..read]);
            }
        }
    }
    Ok(hexadecimal(&digest.finalize()))
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_seen() {
        let directory = tempfile::tempdir().expect("a directory");
        let base = directory.path().join("Fn");
        let file = base.join("a/b.py");
        fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
        fs::write(&file, "1").expect("written");
        let first = of(&base).expect("it is read");
        fs::create_dir(base.join("a/__pycache__")).expect("a directory");
        fs::write(base.join("a/__pycache__/b.pyc"), "1").expect("written");
        assert_eq!(of(&base).expect("it is read"), first);
        fs::write(&file, "2").expect("written");
        assert_ne!(of(&base).expect("it is read"), first);
        fs::write(&file, "1").expect("written");
        assert_eq!(of(&base).expect("it is read"), first);
        fs::write(base.join("notes"), "").expect("written");
        assert_ne!(of(&base).expect("it is read"), first);
        assert!(of(&directory.path().join("missing")).is_err());
    }
}
