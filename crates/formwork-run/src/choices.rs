//! What the words of a command line choose, as plain data.

use std::path::{Path, PathBuf};

use formwork::{Compat, LanguageExtensions};
use formwork_project::{ConfigChoice, KnownKeys};

use crate::say::{AskCode, Say};

/// What the command line chooses for templates.
#[derive(Clone, Debug)]
pub struct InputChoices {
    /// Words with values of parameters, and files with them.
    pub parameter_overrides: Vec<String>,
    /// Files with values of parameters.
    pub parameters_file: Vec<PathBuf>,
    /// The parameter set of formwork.toml.
    pub parameter_set: Option<String>,
    /// Words `AWS::Name=VALUE`.
    pub pseudo: Vec<String>,
    /// The Region.
    pub region: Option<String>,
    /// The account.
    pub account_id: Option<String>,
    /// The partition.
    pub partition: Option<String>,
    /// The stack.
    pub stack_name: Option<String>,
    /// Account snapshots.
    pub account: Vec<PathBuf>,
    /// What AWS is asked.
    pub live: LiveChoices,
    /// Whether language extensions are expanded.
    pub language_extensions: LanguageExtensions,
    /// Which tool is followed where tools disagree.
    pub compat: Compat,
    /// The project root.
    pub project_root: Option<PathBuf>,
    /// Hosts and buckets that remote modules may come from.
    pub allow_remote: Vec<String>,
    /// Whether unresolved names are warnings.
    pub allow_unresolved: bool,
    /// The SAM CLI configuration file.
    pub config_file: Option<PathBuf>,
    /// Its environment.
    pub config_env: Option<String>,
    /// Whether no configuration file is read.
    pub no_config: bool,
    /// The keys of `samconfig.toml` that have a meaning elsewhere.
    pub known_keys: KnownKeys,
    /// Prints a line for people.
    pub say: Say,
}

/// Where account data comes from that no snapshot has.
#[derive(Clone, Debug)]
pub struct LiveChoices {
    /// Whether AWS is asked.
    pub live: bool,
    /// Whether the network is never used.
    pub offline: bool,
    /// How AWS is reached.
    pub aws: AwsChoices,
    /// The file that what was found out is written to.
    pub record_account: Option<PathBuf>,
}

/// How AWS is reached.
#[derive(Clone, Debug)]
pub struct AwsChoices {
    /// The profile.
    pub profile: Option<String>,
    /// The URL that calls are sent to.
    pub endpoint_url: Option<String>,
    /// The PEM file with trusted authorities.
    pub ca_bundle: Option<PathBuf>,
    /// Whether certificates are not verified.
    pub no_verify_ssl: bool,
    /// Asks for the code of an MFA device; `None` when nobody can be asked.
    pub ask_code: Option<AskCode>,
    /// Prints a line for people.
    pub say: Say,
}

/// Where objects and images go.
#[derive(Clone, Debug, Default)]
pub struct UploadChoices {
    /// A bucket, or `file:DIR`.
    pub s3_bucket: Option<String>,
    /// The bucket that the template names in the place of a directory.
    pub bucket_name: Option<String>,
    /// Whether the bucket is the one that SAM CLI manages.
    pub resolve_s3: bool,
    /// Whether it is not, whatever `samconfig.toml` sets.
    pub no_resolve_s3: bool,
    /// The prefix of keys.
    pub s3_prefix: Option<String>,
    /// The KMS key.
    pub kms_key_id: Option<String>,
    /// Metadata of objects, as it was typed.
    pub metadata: Option<String>,
    /// The repository of all images.
    pub image_repository: Option<String>,
    /// Words `LOGICALID=URI`.
    pub image_repositories: Vec<String>,
    /// Whether repositories are those that SAM CLI manages.
    pub resolve_image_repos: bool,
    /// Whether artifacts are uploaded even if they exist.
    pub force_upload: bool,
    /// How many uploads run in parallel.
    pub concurrency: usize,
}

impl InputChoices {
    /// The files that a command line names as inputs; `-` for standard input.
    pub fn named_files<'a>(&'a self, template: impl Into<Option<&'a Path>>) -> Vec<&'a Path> {
        let words = self.parameter_overrides.iter().filter_map(|word| word.strip_prefix("file://")).map(Path::new);
        let files = self.parameters_file.iter().chain(&self.account).chain(&self.config_file).map(PathBuf::as_path);
        template.into().into_iter().chain(words).chain(files).collect()
    }

    /// Which `samconfig.toml` is read.
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
