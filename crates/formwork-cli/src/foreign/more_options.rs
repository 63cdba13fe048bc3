//! More options of other tools: the second half of the table.

use super::Answer::{Absent, Advice, Here};
use super::Foreign;
use super::table::{CHECKS, DEPLOYS, EXPANDS, FMT, GRAPH, INIT, LOCAL_RUNS, PACKAGE, PLANS, SEARCHES, on, row};

const FILE: super::Answer = Advice("write the file without an option; `--format` sets the format of the output");
const TYPES: super::Answer = Absent("write a template from a type; `formwork schemas TYPE` shows its properties");
const SUPPRESS: super::Answer =
    Advice("a comment `# formwork: allow CODE` suppresses one finding, and `--ignore` a code");
const PAGES: super::Answer = Advice("leave it out: Formwork reads all pages, and opens no pager");
const BACKEND: super::Answer = Absent("keep state: CloudFormation does");

/// Options. The first row of a word that applies to the command is used; an empty `on` applies to all.
#[rustfmt::skip]
pub(super) const OPTIONS: &[Foreign] = &[
    // rain.
    on(FMT, "-v", "rain", Advice("`--check` and `--diff` write nothing, as `fmt -v` of rain; `--verbose` prints what was done")),
    on(FMT, "--verify-only", "rain", Here("`--check`")),
    on(&["build"], "--list", "rain", Here("`formwork schemas`; `formwork list resources` lists those of the template")),
    on(&["build"], "-l", "rain", Here("`formwork schemas`; `formwork list resources` lists those of the template")),
    on(&["build"], "--bare", "rain", TYPES),
    on(&["build"], "--schema", "rain", TYPES),
    on(&["build"], "--omit-patches", "rain", TYPES),
    on(&["build"], "--recommend", "rain", TYPES),
    on(&["build"], "--prompt", "rain", TYPES),
    on(PACKAGE, "--output-template", "other tools", Here("`-o FILE`")),
    on(DEPLOYS, "--s3-owner", "rain", Absent("check who owns a bucket: name one that is yours with `--s3-bucket`")),
    on(DEPLOYS, "--nochange", "rain", Here("`--no-fail-on-empty-changeset`")),
    on(DEPLOYS, "--no-exec", "rain", Here("`formwork deploy --no-execute`")),
    on(PLANS, "--long", "rain", Advice("leave it out: a plan has every change")),
    on(&["list"], "--long", "the CDK", Here("`formwork list stacks --format json`")),
    // `-f` names a file or a format elsewhere.
    on(EXPANDS, "-f", "other tools", FILE),
    on(PLANS, "-f", "other tools", FILE),
    on(GRAPH, "-f", "other tools", FILE),
    on(&["explain"], "-f", "other tools", FILE),
    on(FMT, "-f", "other tools", Advice("write the file without an option")),
    on(&["build"], "-f", "other tools", Here("`--template-file`")),
    on(PACKAGE, "-f", "other tools", Here("`--template-file`")),
    on(&["sync"], "-f", "other tools", Here("`--template-file`")),
    // Terraform.
    on(INIT, "--reconfigure", "Terraform", BACKEND),
    on(INIT, "--backend-config", "Terraform", BACKEND),
    on(INIT, "--migrate-state", "Terraform", BACKEND),
    on(INIT, "--from-module", "Terraform", Here("`--template`")),
    on(INIT, "--get", "Terraform", Here("`formwork modules vendor`")),
    on(PLANS, "--parallelism", "Terraform", Advice("leave it out: a plan needs no calls to AWS")),
    on(PLANS, "--lock-timeout", "Terraform", Advice("leave it out: CloudFormation locks a stack")),
    on(PLANS, "--generate-config-out", "Terraform", Absent("write templates from resources; `aws cloudformation create-generated-template` does")),
    on(PLANS, "--compact-warnings", "Terraform", Here("`--message-format short`")),
    on(PLANS, "--show-sensitive", "Terraform", Absent("print values of `NoEcho` parameters")),
    // The AWS CLI.
    row("--no-cli-pager", "the AWS CLI", PAGES),
    row("--no-paginate", "the AWS CLI", PAGES),
    row("--page-size", "the AWS CLI", PAGES),
    row("--starting-token", "the AWS CLI", PAGES),
    row("--cli-read-timeout", "the AWS CLI", Advice("leave it out: a call that gets no answer is repeated, and then reported")),
    row("--cli-connect-timeout", "the AWS CLI", Advice("leave it out: a call that gets no answer is repeated, and then reported")),
    row("--cli-auto-prompt", "the AWS CLI", Advice("`formwork completions` prints completions for your shell")),
    row("--no-sign-request", "the AWS CLI", Advice("leave it out: calls are signed with the credentials of `--profile` or the environment")),
    on(DEPLOYS, "--query", "the AWS CLI", Advice("print `--format json`, and select from it with a tool such as jq")),
    on(&["validate"], "--template-url", "the AWS CLI", Absent("read templates from a URL: download it")),
    on(&["logs"], "--log-stream-name", "the AWS CLI", Here("`--cw-log-group`, which reads all streams of a log group")),
    on(&["logs"], "--log-stream-names", "the AWS CLI", Here("`--cw-log-group`, which reads all streams of a log group")),
    on(&["logs"], "--log-group-names", "the AWS CLI", Here("`--cw-log-group`")),
    on(&["logs"], "--startTime", "Serverless Framework", Here("`--start-time`")),
    on(&["logs"], "--all", "rain", Here("`formwork events --all`")),
    on(DEPLOYS, "--aws-s3-accelerate", "Serverless Framework", Absent("upload with S3 Transfer Acceleration")),
    on(DEPLOYS, "--use-accelerate-endpoint", "other tools", Absent("upload with S3 Transfer Acceleration")),
    on(PACKAGE, "--package", "Serverless Framework", Here("`-o FILE`")),
    // SAM CLI.
    on(&["validate"], "--extra-lint-rules", "SAM CLI", Here("`formwork check --with cfn-lint`")),
    on(LOCAL_RUNS, "--region-override", "other tools", Here("`--region`")),
    on(DEPLOYS, "--no-save", "other tools", Advice("leave it out: `--guided` asks before it saves")),
    // cfn-lint.
    on(CHECKS, "-e", "cfn-lint", Advice("leave it out: all checks are on")),
    on(CHECKS, "--include-experimental", "cfn-lint", Advice("leave it out: all checks are on")),
    on(CHECKS, "-z", "cfn-lint", Absent("run rules of your own; `formwork check --with cfn-lint` runs cfn-lint")),
    on(CHECKS, "--custom-rules", "cfn-lint", Absent("run rules of your own; `formwork check --with cfn-lint` runs cfn-lint")),
    on(CHECKS, "--templates", "cfn-lint", Advice("write the templates without an option")),
    on(CHECKS, "-b", "cfn-lint", Advice("leave it out: a file of a directory that is not a template is passed over")),
    on(CHECKS, "-p", "cfn-lint", Here("`--schemas DIR`")),
    on(CHECKS, "--patch-specs", "cfn-lint", Here("`--schemas DIR`")),
    on(CHECKS, "--info-level", "cfn-lint", Here("`--verbose`")),
    on(CHECKS, "--enable", "other tools", Here("`--select`")),
    // cfn_nag.
    on(CHECKS, "--input-path", "cfn_nag", Advice("write the template or the directory without an option")),
    on(CHECKS, "--input-json-path", "cfn_nag", Advice("write the template or the directory without an option")),
    on(CHECKS, "--deny-list-path", "cfn_nag", Here("`--ignore`")),
    on(CHECKS, "--blacklist-path", "cfn_nag", Here("`--ignore`")),
    on(CHECKS, "--profile-path", "cfn_nag", Here("`--select`")),
    on(CHECKS, "--rule-directory", "cfn_nag", Absent("run rules of your own; `formwork check --with cfn-guard --guard-rules FILE` does")),
    on(CHECKS, "--template-pattern", "cfn_nag", Advice("pass a pattern as the template: `'templates/**/*.yaml'`")),
    on(CHECKS, "--allow-suppression", "cfn_nag", SUPPRESS),
    on(CHECKS, "--print-suppression", "cfn_nag", Advice("`--no-suppress` also reports what is suppressed")),
    on(CHECKS, "--parameter-values-path", "cfn_nag", Here("`--parameters-file FILE`")),
    on(CHECKS, "--condition-values-path", "cfn_nag", Advice("conditions are evaluated: pass values with `--parameter-overrides`")),
    on(CHECKS, "--output-folder", "other tools", Advice("redirect the report: `formwork check > FILE`")),
    on(SEARCHES, "--ignore-fatal", "cfn_nag", Advice("leave it out: a file that cannot be read is reported beside the others")),
    // cfn-guard and checkov.
    on(CHECKS, "--show-summary", "cfn-guard", Advice("leave it out: the report ends with a summary")),
    on(CHECKS, "--structured", "cfn-guard", Here("`--message-format json`")),
    on(CHECKS, "--print-json", "cfn-guard", Here("`--message-format json`")),
    on(CHECKS, "--show-clause-failures", "cfn-guard", Advice("leave it out: each finding has its place and its reason")),
    on(CHECKS, "--input-parameters", "cfn-guard", Here("`--parameters-file FILE`")),
    on(CHECKS, "--last-modified", "cfn-guard", Advice("leave it out: files are checked in the order of their paths")),
    on(CHECKS, "--alphabetical", "cfn-guard", Advice("leave it out: files are checked in the order of their paths")),
    on(CHECKS, "--bc-api-key", "checkov", Absent("upload reports")),
    on(CHECKS, "--skip-results-upload", "checkov", Advice("leave it out: Formwork uploads no reports")),
    on(CHECKS, "--skip-framework", "checkov", Advice("leave it out: templates of CloudFormation are checked")),
    on(&["check"], "--output-baseline-as-skipped", "checkov", Advice("leave it out: findings of the baseline are counted, and not reported")),
    on(&["check"], "--create-baseline", "checkov", Here("`--write-baseline`")),
    on(&["check"], "--update-baseline", "other tools", Here("`--write-baseline`")),
    on(&["check"], "--generate-baseline", "other tools", Here("`--write-baseline`")),
    on(CHECKS, "--quiet-mode", "other tools", Here("`--quiet`")),
    // The CDK.
    row("--unstable", "the CDK", Advice("leave it out: no command needs it")),
    on(&["sync"], "--watch-include", "other tools", Advice("leave it out: the sources of the template are watched")),
    on(&["build"], "--build-exclude", "the CDK", Here("`--exclude`")),
    on(EXPANDS, "--validation", "the CDK", Here("`formwork check`")),
    // `--force` of tools that overwrite or ask.
    on(&["build"], "--force", "other tools", Here("`--no-cached`")),
    on(EXPANDS, "--force", "other tools", Advice("leave it out: `-o FILE` writes over a file that exists")),
    on(PACKAGE, "--force", "other tools", Here("`--force-upload`")),
    on(FMT, "--force", "other tools", Advice("leave it out: files are formatted in place")),
    on(INIT, "--force", "other tools", Advice("leave it out, and name a new directory: `--name DIR`")),
    on(CHECKS, "--force", "other tools", Advice("leave it out: `formwork check` changes no file")),
    // After the rows of single commands.
    row("--force", "other tools", Advice("leave it out: no command takes it")),
];
