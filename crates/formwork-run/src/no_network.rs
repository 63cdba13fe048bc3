//! The message of a program without a network.

/// Why `--live` means nothing in a program without a network.
pub const NO_NETWORK: &str = "this program was built without the feature `aws`: it cannot ask AWS";
