//! Reading a file in whichever language it is written.

use formwork_base::{Diagnostics, FileId, Limits, SourceMap, codes};

use crate::document::{Document, Format};
use crate::tree::Tree;
use crate::{json, yaml};

/// Reads a file of `sources` into `tree`. The language is found by content: text that begins with
/// `{` is JSON; when it is not well-formed JSON but YAML it is taken for YAML
/// (reference/reading.md#format). Always returns a tree; errors are in `diagnostics`.
pub fn read(
    tree: &mut Tree,
    sources: &SourceMap,
    file: FileId,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
) -> Document {
    let text = sources.text(file);
    let base = sources.base(file);
    if !text.trim_start().starts_with('{') {
        let before = diagnostics.error_count();
        let root = yaml::read::read(tree, text, base, limits, diagnostics);
        return Document { file, format: Format::Yaml, root, is_well_formed: diagnostics.error_count() == before };
    }
    let mut json_errors = diagnostics.of_same_run();
    let root = json::read::read(tree, text, base, limits, &mut json_errors);
    if !json_errors.iter().any(|error| error.code == codes::NOT_WELL_FORMED) {
        let is_well_formed = !json_errors.has_errors();
        diagnostics.append(json_errors);
        return Document { file, format: Format::Json, root, is_well_formed };
    }
    let mut yaml_errors = diagnostics.of_same_run();
    let yaml_root = yaml::read::read(tree, text, base, limits, &mut yaml_errors);
    let is_json = sources.path(file).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if yaml_errors.has_errors() && is_json {
        diagnostics.append(json_errors);
        return Document { file, format: Format::Json, root, is_well_formed: false };
    }
    let is_well_formed = !yaml_errors.has_errors();
    diagnostics.append(yaml_errors);
    Document { file, format: Format::Yaml, root: yaml_root, is_well_formed }
}
