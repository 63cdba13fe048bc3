//! The profiles of the AWS configuration.

use aws_config::profile;
use aws_types::os_shim_internal::{Env, Fs};

use crate::runtime;

/// Returns the names of the profiles in the configuration and credentials files, in order; `None` when the files cannot
/// be read, which the look-up of credentials reports.
#[allow(clippy::default_trait_access, reason = "the type of the standard files has no public name here")]
pub fn profile_names() -> Option<Vec<String>> {
    let (files, environment, places) = (Fs::real(), Env::real(), Default::default());
    let profiles = runtime().ok()?.block_on(profile::load(&files, &environment, &places, None)).ok()?;
    let mut names: Vec<String> = profiles.profiles().map(str::to_owned).collect();
    names.sort();
    Some(names)
}
