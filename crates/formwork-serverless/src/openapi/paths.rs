//! Paths in names of resources.

/// Returns a path without a slash at its end.
pub(crate) fn without_slash(path: String) -> String {
    match path.strip_suffix('/') {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => path,
    }
}

/// Returns a path with stars in place of its parameters.
pub(crate) fn any_values(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find('}').unwrap_or(from.len().saturating_sub(1));
        let (placeholder, after) = from.split_at(end + 1);
        let name = placeholder.trim_start_matches('{').trim_end_matches('}');
        let name = name.strip_suffix('+').unwrap_or(name);
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        out.push_str(if is_name { "*" } else { placeholder });
        rest = after;
    }
    out.push_str(rest);
    out
}
