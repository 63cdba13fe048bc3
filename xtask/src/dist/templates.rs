//! Files for package managers, filled with the sums of the archives that are there.

use std::fs;
use std::path::{Path, PathBuf};

use super::{VERSION, failed, read, sum};

/// The files of `packaging/` that hold sums, and their names in a release.
const TEMPLATES: [(&str, &str); 2] = [("homebrew.rb", "formwork.rb"), ("scoop.json", "formwork.json")];

/// The name and text of each, for the archives in `out`. A part between lines `# begin TARGET` and `# end` is only for
/// an archive that exists; a file whose archive is missing is not written.
pub(super) fn fill(root: &Path, out: &Path) -> Result<Vec<(String, String)>, String> {
    let mut filled = Vec::new();
    for (template, name) in TEMPLATES {
        let path = root.join("packaging").join(template);
        let text = fs::read_to_string(&path).map_err(|error| failed(&path, &error))?;
        let text = with_sums(&chosen(&text, out), out)?;
        filled.extend(text.map(|text| (name.to_owned(), text)));
    }
    Ok(filled)
}

/// Without the parts of archives that do not exist.
fn chosen(text: &str, out: &Path) -> String {
    let (mut kept, mut skips) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        let word = line.trim();
        if let Some(target) = word.strip_prefix("# begin ") {
            skips = !archive(out, target).is_file();
        } else if word == "# end" {
            skips = false;
        } else if !skips {
            kept += line;
        }
    }
    kept
}

/// With versions and sums; `None` when the archive of a sum does not exist.
fn with_sums(text: &str, out: &Path) -> Result<Option<String>, String> {
    let (mut filled, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{{") {
        let (word, after) = after.split_once("}}").ok_or("a placeholder has no end")?;
        filled += before;
        match word.strip_prefix("sha256 ") {
            None if word == "version" => filled += VERSION,
            None => return Err(format!("unknown placeholder {word}")),
            Some(target) => {
                let path = archive(out, target);
                if !path.is_file() {
                    return Ok(None);
                }
                filled += &sum(&read(&path)?);
            }
        }
        rest = after;
    }
    Ok(Some(filled + rest))
}

fn archive(out: &Path, target: &str) -> PathBuf {
    let ending = if target.contains("windows") { "zip" } else { "tar.gz" };
    out.join(format!("formwork-{VERSION}-{target}.{ending}"))
}
