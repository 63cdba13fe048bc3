//! Text with locations such as `expanded.yaml:7:5`.

use std::fmt::Write as _;

use crate::map::SourceMap;

/// Replaces locations in the output, `FILE:LINE` or `FILE:LINE:COLUMN`, with authored ones; the rest of the text is
/// kept. Also returns the number of replacements.
pub fn map_lines(text: &str, map: &SourceMap) -> (String, usize) {
    let name = map.output.path.rsplit('/').next().unwrap_or(&map.output.path);
    let (mut out, mut from, mut count, mut search) = (String::with_capacity(text.len()), 0, 0, 0);
    while let Some(found) = text.get(search..).and_then(|rest| rest.find(name)).map(|at| search + at) {
        let end = found + name.len();
        search = end;
        let start = path_start(text, found);
        let written = text.get(start..end).unwrap_or_default();
        if !is_output(written, &map.output.path) {
            continue;
        }
        let Some((line, behind)) = number(text, end) else { continue };
        let (column, end) = match number(text, behind) {
            Some((column, end)) => (Some(column), end),
            None => (None, behind),
        };
        let site = match column {
            Some(column) => map.site(line, column),
            None => map.nearest_site(line, 1),
        };
        let Some(site) = site else { continue };
        out.push_str(text.get(from..start).unwrap_or_default());
        let _ = write!(out, "{}:{}", site.file, site.line);
        if column.is_some() {
            let _ = write!(out, ":{}", site.column);
        }
        (from, search, count) = (end, end, count + 1);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (out, count)
}

/// Returns the start of the path whose last part is at `at`.
fn path_start(text: &str, at: usize) -> usize {
    let is_outside = |c: char| c.is_whitespace() || "\"'()[]<>=,;".contains(c);
    text.get(..at)
        .and_then(|before| {
            before
                .rfind(is_outside)
                .map(|end| end + before.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8))
        })
        .unwrap_or(0)
}

/// Returns `true` if a path is that of the output: it ends in it by whole parts.
pub(crate) fn is_output(path: &str, output: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        path.replace('\\', "/").split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
    };
    let (path, output) = (parts(path), parts(output));
    let output: Vec<String> = output.into_iter().skip_while(|part| part == "..").collect();
    !output.is_empty() && (path.ends_with(&output) || output.ends_with(&path) && !path.is_empty())
}

/// Returns the number behind a colon, and the offset behind it.
fn number(text: &str, at: usize) -> Option<(u32, usize)> {
    let digits = text.get(at..)?.strip_prefix(':')?;
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    Some((digits.get(..len)?.parse().ok()?, at + 1 + len))
}
