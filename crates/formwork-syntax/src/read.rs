//! Reading a file in whichever language it is written.

use formwork_base::{Diagnostics, FileId, Limits, SourceMap, codes};

use crate::document::{Document, Format};
use crate::tree::{NodeId, Tree};
use crate::{json, yaml};

/// What was read of a text.
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
    Document { file, format, root, is_well_formed }
}

/// Whether the extension of a file is that of JSON.
pub(crate) fn is_json(extension: Option<&str>) -> bool {
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a text whose first byte has the position `base`. The language is found by content: text that begins with
/// `{` is JSON; when it is not well-formed JSON but YAML it is taken for YAML. `is_json` decides whose errors are
/// reported when it is neither.
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
    let mut yaml_errors = diagnostics.of_same_run();
    let yaml_root = yaml::read::read(tree, text, base, limits, &mut yaml_errors);
    if yaml_errors.has_errors() && is_json {
        diagnostics.append(json_errors);
        return Read { format: Format::Json, root, is_well_formed: false };
    }
    let is_well_formed = !yaml_errors.has_errors();
    diagnostics.append(yaml_errors);
    Read { format: Format::Yaml, root: yaml_root, is_well_formed }
}
