//! The YAML project's test suite: what is YAML, and what it means.

use formwork_base::{Code, Diagnostics, Limits, Severity, SourceMap, VirtualPath, codes};
use formwork_syntax::Tree;
use serde_json::Value;

use super::Case;
use crate::compare::{Scalars, first_difference, normal};
use crate::data;

/// Errors about templates, not about YAML: tags that are not functions, keys that are not scalars.
const ABOUT_TEMPLATES: [Code; 2] = [codes::UNKNOWN_TAG, codes::WRONG_KIND];

/// Whether the decision about a case is the suite's, and the data of a single document, too.
///
/// # Errors
/// In words.
pub(super) fn holds(case: &Case) -> Result<(), String> {
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let file = sources.add(VirtualPath::new("case.yaml"), case.text("yaml")).ok_or("too large")?;
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    let errors: Vec<_> = diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    let refused = errors.iter().find(|found| !ABOUT_TEMPLATES.contains(&found.code));
    let is_yaml = case.data["fail"].as_bool() != Some(true);
    match refused {
        Some(found) if is_yaml => return Err(format!("refused: {}", found.message)),
        None if !is_yaml => return Err("accepted".to_owned()),
        _ => {}
    }
    let Some(want) = case.data["json"].as_str().filter(|_| is_yaml && errors.is_empty()) else { return Ok(()) };
    let mut documents = serde_json::Deserializer::from_str(want).into_iter::<Value>();
    let want = documents.next().transpose().map_err(|error| error.to_string())?.unwrap_or_default();
    let (want, got) = (normal(&want, Scalars::Typed), normal(&data::value(&tree, document.root), Scalars::Typed));
    first_difference(&want, &got).map_or(Ok(()), Err)
}
