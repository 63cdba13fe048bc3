//! Makes installed Python packages independent of the machine (reference/build.md#python).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::build_error::BuildError;

/// Files in which installers record where a package came from, and when.
const NOTES: &[&str] = &["direct_url.json", "uv_cache.json"];
/// The first line of scripts, which finds the interpreter on the PATH.
const INTERPRETER: &[u8] = b"#!/usr/bin/env python3\n";

/// Removes the paths of this machine: of interpreters in scripts, and of directories that packages came from.
pub(super) fn forget_machine(packages: &Path) -> Result<(), BuildError> {
    let scripts = scripts(&packages.join("bin"))?;
    for entry in fs::read_dir(packages).map_err(BuildError::file(packages))?.flatten() {
        let directory = entry.path();
        let record = directory.join("RECORD");
        if directory.extension().is_none_or(|end| end != "dist-info") || !record.is_file() {
            continue;
        }
        for note in NOTES.iter().map(|name| directory.join(name)).filter(|note| note.is_file()) {
            fs::remove_file(&note).map_err(BuildError::file(&note))?;
        }
        let text = fs::read_to_string(&record).map_err(BuildError::file(&record))?;
        let kept: String = text.split_inclusive('\n').filter_map(|line| recorded(line, &scripts)).collect();
        if kept != text {
            fs::write(&record, kept).map_err(BuildError::file(&record))?;
        }
    }
    Ok(())
}

/// Replaces the interpreters of the scripts in a directory. Returns the record entries of those that changed, by name.
fn scripts(directory: &Path) -> Result<BTreeMap<String, String>, BuildError> {
    let mut changed = BTreeMap::new();
    if !directory.is_dir() {
        return Ok(changed);
    }
    for entry in fs::read_dir(directory).map_err(BuildError::file(directory))?.flatten() {
        let path = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let text = fs::read(&path).map_err(BuildError::file(&path))?;
        let Some(rest) = without_interpreter(&text) else { continue };
        let script = [INTERPRETER, rest].concat();
        fs::write(&path, &script).map_err(BuildError::file(&path))?;
        let hash = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&script));
        changed.insert(entry.file_name().to_string_lossy().into_owned(), format!("sha256={hash},{}", script.len()));
    }
    Ok(changed)
}

/// Returns a Python script without the lines that refer to the interpreter. If the path is long or has spaces, pip
/// writes a second form, which runs the interpreter by a shell.
fn without_interpreter(script: &[u8]) -> Option<&[u8]> {
    let (first, rest) = line(script.strip_prefix(b"#!")?)?;
    let first = first.trim_ascii();
    if first == b"/bin/sh" {
        let (second, rest) = line(rest)?;
        let (third, rest) = line(rest)?;
        return (second.starts_with(b"'''exec' ") && third.trim_ascii() == b"' '''").then_some(rest);
    }
    let program = first.split(u8::is_ascii_whitespace).next()?;
    let name = program.rsplit(|byte| *byte == b'/').next()?;
    (program.starts_with(b"/") && (name.starts_with(b"python") || name.starts_with(b"pypy"))).then_some(rest)
}

fn line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|byte| *byte == b'\n')?;
    Some((&text[..end], &text[end + 1..]))
}

/// Updates a line of a record; `None` when its file was removed.
fn recorded(line: &str, scripts: &BTreeMap<String, String>) -> Option<String> {
    let path = line.split(',').next().unwrap_or_default();
    if NOTES.iter().any(|note| path.ends_with(&format!("/{note}"))) {
        return None;
    }
    let name = path.strip_prefix("bin/").or_else(|| path.strip_prefix("../../bin/"));
    match name.and_then(|name| scripts.get(name)) {
        Some(content) => Some(format!("{path},{content}{}", &line[line.trim_end().len()..])),
        None => Some(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(interpreter: &str, origin: &str) -> Vec<(String, Vec<u8>)> {
        let base = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            let path = base.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            fs::write(path, text).expect("written");
        };
        write("bin/own", &format!("{interpreter}import own\n"));
        write("bin/tool", "#!/bin/sh\necho\n");
        write("own-1.dist-info/direct_url.json", origin);
        write(
            "own-1.dist-info/RECORD",
            &format!(
                "../../bin/own,sha256={},{}\r\n../../bin/tool,sha256=x,1\r\nown-1.dist-info/RECORD,,\r\n\
                 own-1.dist-info/direct_url.json,sha256=y,2\r\n",
                interpreter.len(),
                interpreter.len()
            ),
        );
        forget_machine(base.path()).expect("forgotten");
        let names = ["bin/own", "bin/tool", "own-1.dist-info/RECORD"];
        assert!(!base.path().join("own-1.dist-info/direct_url.json").exists());
        names.iter().map(|name| ((*name).to_owned(), fs::read(base.path().join(name)).expect("a file"))).collect()
    }

    #[test]
    fn packages_are_the_same_whatever_interpreter_installed_them() {
        let first = installed("#!/usr/bin/python3\n", "{}");
        assert_eq!(first[0].1, b"#!/usr/bin/env python3\nimport own\n");
        assert_eq!(first[1].1, b"#!/bin/sh\necho\n");
        assert_eq!(
            String::from_utf8_lossy(&first[2].1),
            "../../bin/own,sha256=iI1ceeAoRdZmwZ0kptFJQywg4Dfd5jMyTf9fRuyEsbM,34\r\n../../bin/tool,sha256=x,1\r\n\
             own-1.dist-info/RECORD,,\r\n"
        );
        for other in [
            "#!/home/a/.pyenv/versions/3.13.1/bin/python3.13\n",
            "#!/opt/pypy/bin/pypy3 -E\n",
            "#!/bin/sh\n'''exec' \"/home/with space/bin/python3\" \"$0\" \"$@\"\n' '''\n",
        ] {
            assert_eq!(installed(other, "other"), first, "{other}");
        }
    }
}
