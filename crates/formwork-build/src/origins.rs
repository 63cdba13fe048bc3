//! Records the authored locations of built templates, in a file for each template below the directory of Formwork in
//! the build directory (reference/build.md#places). A record is not trusted, since it may come with the tree: it only
//! changes which locations are shown, and no file is read because of it.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use formwork::{Compilation, File, FileId, OriginFile, OriginRow, Origins, WrittenPlace};
use formwork_disk::{Unlinked, read_inside, refuse_links, without_dots};
use serde_json::{Value, json};

use crate::state::OWN;
use crate::text::Text;

const DIRECTORY: &str = "origins";
const BYTES: u64 = 64 << 20;

/// Returns the record of a template: the authored files with their content, and a row for each location. `directory` is
/// the directory of the root template, and `bytes` the built template.
pub(crate) fn record(places: &[WrittenPlace], compilation: &Compilation, directory: &Path, bytes: &[u8]) -> Vec<u8> {
    let sources = compilation.sources();
    let (mut files, mut numbers, mut rows) = (Vec::new(), HashMap::<FileId, usize>::new(), Vec::new());
    for place in places {
        let Some(file) = sources.file_of(place.span).filter(|file| !sources.is_hidden(*file)) else { continue };
        let number = *numbers.entry(file).or_insert_with(|| {
            let on_disk = match compilation.file_of(place.span) {
                Some(File::OnDisk(path)) => Some(without_dots(&directory.join(path.as_str()))),
                Some(File::Elsewhere(_)) | None => None,
            };
            let display = on_disk.as_deref().map_or_else(|| sources.display(file).into(), Path::to_string_lossy);
            let text: &str = sources.text(file);
            files.push(json!({"path": display, "text": text}));
            files.len() - 1
        });
        let base = sources.base(file);
        rows.push(json!([place.line, place.column, number, place.span.start() - base, place.span.end() - base]));
    }
    json!({"template": formwork::sha256(bytes), "files": files, "rows": rows}).to_string().into_bytes()
}

fn path_of(directory: &Path, template: &str) -> PathBuf {
    directory.join(OWN).join(DIRECTORY).join(format!("{template}.json"))
}

/// Writes the record of a template, unless it is unchanged, and not through a link.
pub(crate) fn write(text: &Text, directory: &Path, known: &mut Unlinked<'_>) -> std::io::Result<()> {
    let Some(record) = &text.origins else { return Ok(()) };
    let path = path_of(directory, &text.path);
    known.refuse(&path)?;
    if known.read(&path, record.len() as u64).is_ok_and(|old| old == *record) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    formwork_disk::replace(&path, |file| file.write_all(record))
}

/// Returns the authored locations of a built template; `None` without a record, or if the template has changed since
/// the build. `template` is its path below the build directory, `shown` returns the path of an authored file as reports
/// show it.
pub fn origins(directory: &Path, template: &str, bytes: &[u8], shown: &dyn Fn(&Path) -> String) -> Option<Origins> {
    if !Path::new(template).components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let path = path_of(directory, template);
    refuse_links(directory, &path).ok()?;
    let record: Value = serde_json::from_slice(&read_inside(directory, &path, BYTES).ok()?).ok()?;
    if record["template"].as_str() != Some(formwork::sha256(bytes).as_str()) {
        return None;
    }
    let file = |file: &Value| {
        Some(OriginFile {
            display: shown(Path::new(file["path"].as_str()?)),
            bytes: file["text"].as_str()?.to_owned().into_bytes().into(),
        })
    };
    let row = |row: &Value| {
        let number = |at: usize| u32::try_from(row.get(at)?.as_u64()?).ok();
        Some(OriginRow { line: number(0)?, column: number(1)?, file: number(2)?, start: number(3)?, end: number(4)? })
    };
    Some(Origins {
        files: record["files"].as_array()?.iter().map(file).collect::<Option<_>>()?,
        rows: record["rows"].as_array()?.iter().map(row).collect::<Option<_>>()?,
    })
}
