//! Converts arguments to the options of the libraries, one file for each library.

mod check;
#[cfg(feature = "aws")]
mod delete;
#[cfg(feature = "aws")]
mod deploy;
#[cfg(feature = "aws")]
mod list;
#[cfg(feature = "aws")]
mod refactor;
#[cfg(feature = "aws")]
mod stack;
#[cfg(feature = "aws")]
mod sync;

use std::io::IsTerminal as _;

use formwork::{Compat, LanguageExtensions};
use formwork_console::{Color, ReportChoices};
use formwork_report::MessageFormat;
use formwork_run::upload::ProgressStyle;
use formwork_run::{AwsChoices, InputChoices, LiveChoices, UploadChoices};

use crate::args::{
    AwsArgs, ColorArg, CompatArg, InputArgs, LanguageExtensionsArg, MessageFormatArg, ReportArgs, UploadArgs,
};
use crate::config::known_keys;
use crate::terminal::say_line;

impl From<&InputArgs> for InputChoices {
    fn from(args: &InputArgs) -> InputChoices {
        InputChoices {
            parameter_overrides: args.parameter_overrides.clone(),
            parameters_file: args.parameters_file.clone(),
            parameter_set: args.parameter_set.clone(),
            pseudo: args.pseudo.clone(),
            region: args.region.clone(),
            account_id: args.account_id.clone(),
            partition: args.partition.clone(),
            stack_name: args.stack_name.clone(),
            account: args.account.clone(),
            live: LiveChoices {
                live: args.live.live,
                offline: args.live.offline,
                aws: (&args.live.aws).into(),
                record_account: args.live.record_account.clone(),
            },
            language_extensions: match args.language_extensions {
                LanguageExtensionsArg::Auto => LanguageExtensions::Auto,
                LanguageExtensionsArg::Always => LanguageExtensions::Always,
                LanguageExtensionsArg::Never => LanguageExtensions::Never,
            },
            compat: match args.compat {
                None => Compat::Formwork,
                Some(CompatArg::Aws) => Compat::Aws,
                Some(CompatArg::Sam) => Compat::Sam,
            },
            project_root: args.project_root.clone(),
            allow_remote: args.allow_remote.clone(),
            allow_unresolved: args.allow_unresolved,
            config_file: args.config_file.clone(),
            config_env: args.config_env.clone(),
            no_config: args.no_config,
            known_keys,
            say: say_line,
        }
    }
}

impl From<&AwsArgs> for AwsChoices {
    fn from(args: &AwsArgs) -> AwsChoices {
        AwsChoices {
            profile: args.profile.clone(),
            endpoint_url: args.endpoint_url.clone(),
            ca_bundle: args.ca_bundle.clone(),
            no_verify_ssl: args.no_verify_ssl,
            ask_code: Some(formwork_console::mfa::ask_code),
            say: say_line,
        }
    }
}

impl From<&UploadArgs> for UploadChoices {
    fn from(args: &UploadArgs) -> UploadChoices {
        UploadChoices {
            s3_bucket: args.s3_bucket.clone(),
            bucket_name: args.bucket_name.clone(),
            resolve_s3: args.resolve_s3,
            no_resolve_s3: args.no_resolve_s3,
            s3_prefix: args.s3_prefix.clone(),
            kms_key_id: args.kms_key_id.clone(),
            metadata: args.metadata.clone(),
            image_repository: args.image_repository.clone(),
            image_repositories: args.image_repositories.clone(),
            resolve_image_repos: args.resolve_image_repos,
            force_upload: args.force_upload,
            concurrency: args.concurrency,
        }
    }
}

impl From<MessageFormatArg> for MessageFormat {
    fn from(format: MessageFormatArg) -> MessageFormat {
        match format {
            MessageFormatArg::Human => MessageFormat::Human,
            MessageFormatArg::Short => MessageFormat::Short,
            MessageFormatArg::Json => MessageFormat::Json,
            MessageFormatArg::Sarif => MessageFormat::Sarif,
            MessageFormatArg::Github => MessageFormat::Github,
            MessageFormatArg::Junit => MessageFormat::Junit,
        }
    }
}

impl From<&ReportArgs> for ReportChoices {
    fn from(args: &ReportArgs) -> ReportChoices {
        ReportChoices {
            message_format: args.message_format.into(),
            color: match args.color {
                ColorArg::Auto => Color::Auto,
                ColorArg::Always => Color::Always,
                ColorArg::Never => Color::Never,
            },
            strict: args.strict,
            quiet: args.quiet,
            verbose: args.verbose,
            timings: args.timings,
        }
    }
}

/// The value of two opposite options; `None` without both.
#[cfg(feature = "aws")]
fn either(yes: bool, no: bool) -> Option<bool> {
    if yes || no { Some(yes) } else { None }
}

impl UploadArgs {
    pub(crate) fn progress(&self, report: &ReportArgs) -> ProgressStyle {
        ProgressStyle {
            shows: std::io::stderr().is_terminal() && !self.no_progressbar && !report.quiet,
            is_verbose: report.verbose,
            is_quiet: report.quiet,
            say: say_line,
        }
    }
}
