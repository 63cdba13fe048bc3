//! Converts the arguments of `sync` to the options of the library.

use formwork_sync::{Scope, SyncChoices};

use super::either;
use crate::args::SyncArgs;

impl From<&SyncArgs> for SyncChoices {
    fn from(args: &SyncArgs) -> SyncChoices {
        let options = &args.sync;
        SyncChoices {
            watch: either(options.watch, options.no_watch),
            code: options.code,
            scope: Scope { resources: options.resource_id.clone(), types: options.resource.clone() },
            watch_exclude: options.watch_exclude.clone(),
            build_dir: options.build_dir.clone(),
            base_dir: options.base_dir.clone(),
            build_in_source: options.build_in_source,
            deploy: (&args.deploy).into(),
        }
    }
}
