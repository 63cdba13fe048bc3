//! Paths of nodes, in the form of `formwork explain` (reference/provenance.md).

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PathStep<'t> {
    /// A key.
    Name(&'t str),
    /// An index, from 0.
    Index(usize),
}

/// Returns a path in its dotted form: `Properties.Tags.0.Value`, odd keys as `["a.b"]`.
pub fn dotted<'t>(path: impl IntoIterator<Item = PathStep<'t>>) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Name(name) if name.is_empty() || name.contains(['.', '[', ']', '"', '/']) => {
                text.push_str("[\"");
                text.push_str(&name.replace('\\', "\\\\").replace('"', "\\\""));
                text.push_str("\"]");
            }
            step => {
                if !text.is_empty() {
                    text.push('.');
                }
                match step {
                    PathStep::Name(name) => text.push_str(name),
                    PathStep::Index(index) => text.push_str(&index.to_string()),
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_keys_are_quoted() {
        let path = [PathStep::Name("Tags"), PathStep::Index(0), PathStep::Name("a.b"), PathStep::Name("c")];
        assert_eq!(dotted(path), r#"Tags.0["a.b"].c"#);
    }
}
