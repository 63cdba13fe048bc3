//! The reader of files in either format.

use formwork_base::{Diagnostic, Diagnostics, FileId, Limits, SourceMap, codes};

use crate::document::{Document, Format};
use crate::tree::{NodeId, Tree};
use crate::{json, yaml};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Read {
    pub(crate) format: Format,
    pub(crate) root: NodeId,
    pub(crate) is_well_formed: bool,
}

/// Reads a file of `sources` into `tree` (reference/reading.md#format). Always returns a tree; errors are in
/// `diagnostics`.
pub fn read(
    tree: &mut Tree,
    sources: &SourceMap,
    file: FileId,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Document {
    let is_json = is_json(sources.path(file).extension());
    let Read { format, root, is_well_formed } =
        read_text(tree, (sources.text(file), sources.base(file)), is_json, limits, diagnostics);
    Document { file, format, root, is_well_formed, is_united: false }
}

pub(crate) fn is_json(extension: Option<&str>) -> bool {
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a text whose first byte has the position `base`. The language is found by content: text that begins with `{`
/// is JSON; when it is not well-formed JSON but YAML it is read as YAML. `is_json` decides whose errors are reported
/// when it is neither: those of JSON also for text that is plainly meant as JSON.
pub(crate) fn read_text(
    tree: &mut Tree,
    (text, base): (&str, u32),
    is_json: bool,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Read {
    if !text.trim_start().starts_with('{') {
        let before = diagnostics.error_count();
        let root = yaml::read::read(tree, text, base, limits, diagnostics);
        return Read { format: Format::Yaml, root, is_well_formed: diagnostics.error_count() == before };
    }
    let mut json_errors = diagnostics.of_same_run();
    let root = json::read::read(tree, text, base, limits, &mut json_errors);
    if !json_errors.iter().any(|error| error.code == codes::NOT_WELL_FORMED) {
        let is_well_formed = !json_errors.has_errors();
        diagnostics.append(json_errors);
        return Read { format: Format::Json, root, is_well_formed };
    }
    let is_meant_as_json = is_json || begins_as_json(text);
    let mut yaml_errors = diagnostics.of_same_run();
    let yaml_root = yaml::read::read(tree, text, base, limits, &mut yaml_errors);
    let is_lost = yaml_errors.has_errors() || has_comments(text, base, &json_errors);
    let is_meant_as_json = is_meant_as_json && !is_unfinished(text, base, &json_errors);
    if is_meant_as_json && is_lost {
        diagnostics.append(json_errors);
        return Read { format: Format::Json, root, is_well_formed: false };
    }
    if is_meant_as_json {
        // A null is reported where it is not allowed.
        let is_null = |error: &Diagnostic| error.message == json::NO_VALUE;
        for error in json_errors.iter().filter(|error| error.code == codes::NOT_WELL_FORMED && !is_null(error)) {
            diagnostics.push(as_yaml(error.clone()));
        }
    }
    let is_well_formed = !yaml_errors.has_errors();
    diagnostics.append(yaml_errors);
    Read { format: Format::Yaml, root: yaml_root, is_well_formed }
}

/// Returns `true` for text that is plainly meant as JSON: its first key is in double quotes, or behind a comment that
/// YAML does not have.
fn begins_as_json(text: &str) -> bool {
    text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '/']))
}

/// Beginnings of comments of other languages, and typographic quotes: YAML reads them as a part of a string.
const NOT_OF_YAML: [&str; 7] = ["//", "/*", "\u{201c}", "\u{201d}", "\u{201e}", "\u{2018}", "\u{2019}"];

/// Returns `true` when an error is at something that YAML reads as a part of a string.
fn has_comments(text: &str, base: u32, errors: &Diagnostics) -> bool {
    let start = |error: &Diagnostic| error.span().start().saturating_sub(base) as usize;
    let rest = |error: &Diagnostic| text.get(start(error)..).unwrap_or_default();
    errors.iter().any(|error| NOT_OF_YAML.iter().any(|mark| rest(error).starts_with(mark)))
}

/// Returns `true` when a JSON reader stopped at a merge conflict or a tag of a template engine, for which the YAML
/// errors have a name.
fn is_unfinished(text: &str, base: u32, errors: &Diagnostics) -> bool {
    let at = |error: &Diagnostic| (error.span().start().saturating_sub(base) as usize).saturating_sub(1);
    errors.iter().any(|error| {
        let rest = text.get(at(error)..).unwrap_or_default().trim_start();
        ["<<<<<<<", "=======", ">>>>>>>", "{{", "{%"].iter().any(|mark| rest.starts_with(mark))
    })
}

fn as_yaml(error: Diagnostic) -> Diagnostic {
    let mut found = error.severity(codes::JSON_AS_YAML.info().severity);
    found.code = codes::JSON_AS_YAML;
    found.note("the file is read as YAML, in which this is allowed")
}
