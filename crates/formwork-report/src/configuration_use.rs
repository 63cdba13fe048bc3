//! The influence of configuration files on a run.

use serde::Serialize;

/// A configuration file that changed what is reported or decided (reference/configuration.md#said).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConfigurationUse {
    /// The path of the file.
    pub file: String,
    /// The keys that had an effect, in order.
    pub keys: Vec<String>,
}
