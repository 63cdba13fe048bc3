//! The choices of a command line, as plain data.

use std::path::{Path, PathBuf};

use formwork::{Compat, LanguageExtensions};
use formwork_project::{ConfigChoice, KnownKeys};

use crate::say::{AskCode, Say};

/// The choices of a command line about templates and their inputs.
#[derive(Clone, Debug)]
pub struct InputChoices {
    /// Values of `--parameter-overrides`: parameter values, and files with them.
    pub parameter_overrides: Vec<String>,
    /// Files with parameter values.
    pub parameters_file: Vec<PathBuf>,
    /// The parameter set of formwork.toml.
    pub parameter_set: Option<String>,
    /// Values of `--pseudo`: `AWS::Name=VALUE`.
    pub pseudo: Vec<String>,
    /// The Region.
    pub region: Option<String>,
    /// The account.
    pub account_id: Option<String>,
    /// The partition.
    pub partition: Option<String>,
    /// The stack.
    pub stack_name: Option<String>,
    /// Files with account snapshots.
    pub account: Vec<PathBuf>,
    /// The choices about account data that no snapshot has.
    pub live: LiveChoices,
    /// The setting for the expansion of language extensions.
    pub language_extensions: LanguageExtensions,
    /// The tool to follow where tools disagree.
    pub compat: Compat,
    /// The project root.
    pub project_root: Option<PathBuf>,
    /// Hosts and buckets that remote modules may come from.
    pub allow_remote: Vec<String>,
    /// Set when unresolved names are warnings.
    pub allow_unresolved: bool,
    /// The SAM CLI configuration file.
    pub config_file: Option<PathBuf>,
    /// The environment of the SAM CLI configuration file.
    pub config_env: Option<String>,
    /// Set when no configuration file is read.
    pub no_config: bool,
    /// The keys of `samconfig.toml` that have a meaning elsewhere.
    pub known_keys: KnownKeys,
    /// Prints a line for people.
    pub say: Say,
}

/// The choices about account data that no snapshot has.
#[derive(Clone, Debug)]
pub struct LiveChoices {
    /// Set when AWS is asked for account data.
    pub live: bool,
    /// Set when the network is never used.
    pub offline: bool,
    /// The profile, the endpoint and the TLS settings.
    pub aws: AwsChoices,
    /// The file to which the captured account data is written.
    pub record_account: Option<PathBuf>,
}

/// The choices about connections to AWS.
#[derive(Clone, Debug)]
pub struct AwsChoices {
    /// The profile.
    pub profile: Option<String>,
    /// The URL that calls are sent to.
    pub endpoint_url: Option<String>,
    /// The PEM file with trusted authorities.
    pub ca_bundle: Option<PathBuf>,
    /// Set when certificates are not verified.
    pub no_verify_ssl: bool,
    /// Asks for the code of an MFA device; `None` when nobody can be asked.
    pub ask_code: Option<AskCode>,
    /// Prints a line for people.
    pub say: Say,
}

/// The choices about the destinations of objects and images.
#[derive(Clone, Debug, Default)]
pub struct UploadChoices {
    /// A bucket, or `file:DIR`.
    pub s3_bucket: Option<String>,
    /// The bucket name that the template contains when objects go to a directory.
    pub bucket_name: Option<String>,
    /// Set when the bucket is the one that SAM CLI manages.
    pub resolve_s3: bool,
    /// Set when the bucket is not the managed one, whatever `samconfig.toml` sets.
    pub no_resolve_s3: bool,
    /// The prefix of keys.
    pub s3_prefix: Option<String>,
    /// The KMS key of uploaded objects.
    pub kms_key_id: Option<String>,
    /// Metadata of objects, as typed.
    pub metadata: Option<String>,
    /// The repository of all images.
    pub image_repository: Option<String>,
    /// Values of `--image-repositories`: `LOGICALID=URI`.
    pub image_repositories: Vec<String>,
    /// Set when the image repositories are those that SAM CLI manages.
    pub resolve_image_repos: bool,
    /// Set when artifacts are uploaded even if they exist.
    pub force_upload: bool,
    /// Maximum number of parallel uploads.
    pub concurrency: usize,
}

impl InputChoices {
    /// Returns the input files on the command line; `-` for standard input.
    pub fn named_files<'a>(&'a self, template: impl Into<Option<&'a Path>>) -> Vec<&'a Path> {
        let words = self.parameter_overrides.iter().filter_map(|word| word.strip_prefix("file://")).map(Path::new);
        let files = self.parameters_file.iter().chain(&self.account).chain(&self.config_file).map(PathBuf::as_path);
        template.into().into_iter().chain(words).chain(files).collect()
    }

    /// Returns the choice of the `samconfig.toml` to read.
    pub fn config(&self) -> ConfigChoice<'_> {
        ConfigChoice {
            file: self.config_file.as_deref(),
            environment: self.config_env.as_deref(),
            is_left_out: self.no_config,
            source_folder: crate::default_template::source_folder,
            known_keys: self.known_keys,
        }
    }
}

impl From<&InputChoices> for InputChoices {
    fn from(choices: &InputChoices) -> InputChoices {
        choices.clone()
    }
}

impl From<&AwsChoices> for AwsChoices {
    fn from(choices: &AwsChoices) -> AwsChoices {
        choices.clone()
    }
}

impl Default for AwsChoices {
    fn default() -> AwsChoices {
        AwsChoices {
            profile: None,
            endpoint_url: None,
            ca_bundle: None,
            no_verify_ssl: false,
            ask_code: None,
            say: |_| {},
        }
    }
}

impl Default for InputChoices {
    fn default() -> InputChoices {
        InputChoices {
            parameter_overrides: Vec::new(),
            parameters_file: Vec::new(),
            parameter_set: None,
            pseudo: Vec::new(),
            region: None,
            account_id: None,
            partition: None,
            stack_name: None,
            account: Vec::new(),
            live: LiveChoices { live: false, offline: false, aws: AwsChoices::default(), record_account: None },
            language_extensions: LanguageExtensions::Auto,
            compat: Compat::Formwork,
            project_root: None,
            allow_remote: Vec::new(),
            allow_unresolved: false,
            config_file: None,
            config_env: None,
            no_config: false,
            known_keys: Vec::new,
            say: |_| {},
        }
    }
}
