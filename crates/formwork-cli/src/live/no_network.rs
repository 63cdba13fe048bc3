//! What a program without a network says.

/// Why `--live` means nothing.
pub(crate) const NO_NETWORK: &str = "this program was built without the feature `aws`: it cannot ask AWS";
