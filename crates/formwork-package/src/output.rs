//! The kinds of packaged templates.

/// The kind of the packaged template (reference/packaging.md#loops).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// The authored template with its loops: artifact properties differ, and Mappings are added.
    Preserved,
    /// The template with every loop expanded.
    Expanded,
}
