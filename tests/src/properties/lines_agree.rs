//! JSON that has each entry on a line of its own is re-created, and other JSON is edited: the text is the same but for the order
//! of entries, and so are the origins of what is in it.

use std::sync::Arc;

use formwork::{Compilation, Format, Goal, Options, Session, Values};

use super::{equal, host};

/// The law for one project, whose first file is a template in such lines; returns how many of the runs have an output.
///
/// # Errors
/// In words.
pub fn lines_agree(files: &[(String, String)]) -> Result<usize, String> {
    let Some(((name, text), others)) = files.split_first() else { return Ok(0) };
    let mut count = 0;
    for (goal, values) in [
        (Goal::Expand, Values::Keep),
        (Goal::Expand, Values::Pin),
        (Goal::Expand, Values::All),
        (Goal::Resolve, Values::Resolve),
    ] {
        let run = |text: String| {
            let others = others.iter().map(|(name, text)| (name.as_str(), text.clone()));
            let host = host(std::iter::once((name.as_str(), text)).chain(others));
            Session::new(host, Options { values, ..Options::default() }).compile(name, goal)
        };
        // An empty line at its end: the text is edited, and nothing else changes.
        let (created, edited) = (run(text.clone()), run(format!("{text}\n")));
        let (found, expected) = (shown(&created), shown(&edited));
        // Editing leaves what comes from elsewhere behind the author's own entries, wherever it is in the object.
        if found != expected && (found.1 == expected.1 || in_any_order(&found.0) != in_any_order(&expected.0)) {
            let what = format!("{goal:?} with {values:?} of\n{files:#?}");
            equal(&what, &[found.0, found.1].concat(), &[expected.0, expected.1].concat())?;
        }
        count += usize::from(created.output().is_ok());
    }
    Ok(count)
}

/// The output without empty lines at its end, and its source map without the hashes of files.
fn shown(result: &Arc<Compilation>) -> (String, String) {
    let mut text = Vec::new();
    let map = result
        .output()
        .ok()
        .and_then(|output| output.write_with_map(Some(Format::Json), "out", &mut |part| text.extend_from_slice(part)));
    let map = map.unwrap_or_default();
    let rows = map.lines().filter(|row| !row.contains("\"sha256\": "));
    (String::from_utf8_lossy(&text).trim_end().to_owned(), rows.collect::<Vec<_>>().join("\n"))
}

fn in_any_order(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(',')).collect();
    lines.sort_unstable();
    lines
}
