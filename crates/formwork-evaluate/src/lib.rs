//! Partial evaluation: reduces a node of a template as far as values are known.
//!
//! Input is a tree, parameters with their values ([`ParameterTable`]), account data ([`AccountData`]) and [`Settings`];
//! when a whole template is evaluated, its loops are expanded. Output is a node: known, or still a valid CloudFormation
//! expression with its arguments reduced. Nothing is guessed.
//!
//! # Outcomes
//!
//! [`Evaluator::resolve`] returns an [`Outcome`]: known, secret, residual (still an expression, its arguments reduced),
//! omitted (`AWS::NoValue`) or poison (reported: stay silent). Conditions are three-valued ([`Truth`]), are evaluated
//! on demand, and each once. The value of a `NoEcho` parameter may decide and is never written. [`blocker`] finds the
//! names and functions that keep an expression from being known, for messages and for `explain`.
//!
//! # Computed parts
//!
//! [`Visibility`] decides whether parameters and conditions may be read, [`Values`] how much is computed: with
//! `--values keep` only constructs that plain CloudFormation does not have, where they are constant; with `pin` all of
//! those, from the values at hand; with `all` everything that is known; `resolve` also decides what is deployed. So a
//! template that keeps its references can be deployed with other values later.
//!
//! A call that fails where it may never be evaluated (under an undecided condition, in a branch of an undecided
//! `Fn::If`) is kept as written (`Evaluator::fail`). A fragment of a loop without a loop variable is evaluated once for
//! all iterations.
//!
//! # Parts
//!
//! [`stage`] walks a whole template: begin reading there. `evaluator` evaluates one node, `conditions` the conditions,
//! and each function is a file in `functions`. [`facts`] reads account data from snapshot files. A run never waits for
//! data: it collects the missing queries ([`AccountQuery`]). `regex` runs the patterns of Java and Python in bounded
//! time.

pub mod arguments;
pub mod blocker;
mod collected_secrets;
mod condition_errors;
mod condition_table;
mod conditions;
pub mod constraints;
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
