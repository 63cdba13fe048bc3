//! `formwork modules vendor`

use crate::Status;
use crate::args::ModulesSourcesArgs;
use crate::commands::modules_sources::{self, Work};

pub(crate) fn run(args: &ModulesSourcesArgs) -> Result<Status, String> {
    modules_sources::run(args, Work::Vendor)
}
