//! `formwork modules vendor`

use crate::Status;
use crate::args::ModulesSourcesArgs;
use crate::commands::modules_sources::{self, Work};
use crate::failure::Failure;

pub(crate) fn run(args: &ModulesSourcesArgs) -> Result<Status, Failure> {
    modules_sources::run(args, Work::Vendor)
}
