//! Converts the arguments of `delete` to the options of the library.

use formwork_stacks::around::AccountChoices;
use formwork_stacks::delete::DeleteChoices;

use super::either;
use crate::args::{DeleteArgs, DeletionModeArg, ReportFormatArg};
use crate::config::known_keys;

impl From<&DeleteArgs> for DeleteChoices {
    fn from(args: &DeleteArgs) -> DeleteChoices {
        DeleteChoices {
            stack: args.stack.clone().or_else(|| args.stack_name.clone()),
            retain_resources: args.retain_resources.clone(),
            is_forced: args.deletion_mode == Some(DeletionModeArg::Force),
            force_empty_buckets: args.force_empty_buckets,
            s3_bucket: args.s3_bucket.clone(),
            s3_prefix: args.s3_prefix.clone(),
            yes: args.yes,
            role_arn: args.role_arn.clone(),
            express: either(args.express, args.no_express),
            wait: args.wait,
            max_wait_duration: args.max_wait_duration,
            poll_delay: args.poll_delay,
            is_json: args.format == Some(ReportFormatArg::Json),
            account: AccountChoices {
                region: args.region.clone(),
                aws: (&args.aws).into(),
                config_file: args.config_file.clone(),
                config_env: args.config_env.clone(),
                no_config: args.no_config,
                known_keys,
            },
            report: (&args.report).into(),
        }
    }
}
