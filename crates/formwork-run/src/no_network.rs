//! The message of a program without network support.

/// The error for `--live` in a program without network support.
pub const NO_NETWORK: &str = "this program was built without the feature `aws`: it cannot ask AWS";
