//! Which template comes out.

/// Which template comes out (reference/packaging.md#loops).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// The template as written, loops intact: artifact properties differ, and Mappings are added.
    Preserved,
    /// Every loop expanded.
    Expanded,
}
