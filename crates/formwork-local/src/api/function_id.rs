//! Finds the function of an integration.

use crate::project::function_part;

/// Returns the ID of the function in a URI, an ARN or a reference.
pub(crate) fn function_of(text: &str, prefix: &str) -> Option<String> {
    let name = match text.split_once("/functions/") {
        Some((_, rest)) => rest.split("/invocations").next().unwrap_or(rest),
        None => text,
    };
    let name = function_part(name);
    let name = [".Arn", ".Alias", ".Version"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
    let is_name = !text.contains("://") && !name.is_empty() && !name.contains(['/', '{', '$']);
    is_name.then(|| format!("{prefix}{name}"))
}
