//! Sources in which nothing is to be built: they are copied as they are.

use super::Build;
use crate::build_error::BuildError;

pub(super) fn build(build: &Build<'_>) -> Result<(), BuildError> {
    build.copy_source(build.artifacts)
}
