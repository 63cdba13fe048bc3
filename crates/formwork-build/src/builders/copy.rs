//! Sources that are copied without a build.

use super::Build;
use crate::build_error::BuildError;

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    build.copy_source(build.artifacts)
}
