//! The steps of a deployment, one a file.

pub(crate) mod cancel;
pub(crate) mod discard;
pub(crate) mod execute;
pub(crate) mod known_parameters;
pub(crate) mod look;
pub(crate) mod outputs;
pub(crate) mod propose;
pub(crate) mod remove;
pub(crate) mod roll_back;
pub(crate) mod set_policy;
pub(crate) mod settle;
pub(crate) mod validate;
pub(crate) mod watch;
