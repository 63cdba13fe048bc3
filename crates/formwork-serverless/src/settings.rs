//! Settings of a translation.

use formwork_base::Limits;
use formwork_syntax::NodeId;

/// The values that a translation depends on.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The Region; `us-east-1` without it.
    pub region: Option<String>,
    /// The partition; that of the Region without it.
    pub partition: Option<String>,
    /// Values of parameters by name. A parameter without one has its `Default`.
    pub parameters: Vec<(String, NodeId)>,
    /// Parameters whose values are never written, besides those that the template declares with `NoEcho`: a reference to
    /// one stays, and what needs its value is refused.
    pub secrets: Vec<String>,
    /// Set to report the parameters whose values the result depends on, and a Region that is assumed.
    pub reports_values: bool,
    /// Bounds of the result.
    pub limits: Limits,
}
