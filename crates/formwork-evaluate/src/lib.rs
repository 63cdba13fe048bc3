//! Partial evaluation.
//!
//! [`Evaluator::resolve`] reduces a node as far as what is known allows: the result is known, or
//! still a valid CloudFormation expression with its arguments reduced, or nothing (`AWS::NoValue`).
//! What may be looked at is the evaluator's [`Visibility`]: in the default mode parameters and
//! conditions are out of visibility, so that a template can be deployed with other values later.
//! [`stage`] walks a whole template. Begin reading there.

pub mod arguments;
pub mod blocker;
mod collected_secrets;
mod condition_table;
mod conditions;
mod evaluator;
pub mod facts;
mod functions;
mod looks;
mod meant_form;
mod messages;
mod outcome;
pub mod parameters;
mod regex;
mod settings;
pub mod stage;

pub use arguments::{Argument, ValueSource};
pub use blocker::Blocker;
pub use condition_table::Truth;
pub use evaluator::Evaluator;
pub use facts::{AccountData, AccountQuery, Stored};
pub use looks::Looks;
pub use messages::{layout_sentence, shown_value, transform_sentence};
pub use outcome::Outcome;
pub use parameters::{Bound, ParameterTable};
pub use regex::{Dialect, InvalidPattern, Match, Pattern};
pub use settings::{Compat, Settings, UnresolvedLoops, Values, Visibility};
