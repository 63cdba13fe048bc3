//! What helps show: the short one fits a screen, the long one has everything (reference/command-line.md#help).

use clap::{Arg, Command};

use super::manual::Manual;

/// The end of the help of the program.
const PROGRAM: &str = "See `formwork help COMMAND` for the options of a command.";

/// Options that many commands have and few runs need: the long help has them.
const LONG_ONLY: [&str; 39] = [
    "parameter-set",
    "pseudo",
    "account-id",
    "partition",
    "account",
    "live",
    "offline",
    "profile",
    "endpoint-url",
    "ca-bundle",
    "no-verify-ssl",
    "record-account",
    "language-extensions",
    "compat",
    "project-root",
    "allow-remote",
    "allow-unresolved",
    "config-file",
    "config-env",
    "no-config",
    "color",
    "strict",
    "verbose",
    "timings",
    "metrics",
    "metadata-source-map",
    "bucket-name",
    "no-resolve-s3",
    "no-serverless",
    "kms-key-id",
    "metadata",
    "image-repositories",
    "resolve-image-repos",
    "force-upload",
    "concurrency",
    "no-progressbar",
    "symlinks",
    "poll-delay",
    "max-wait-duration",
];

/// The same of commands that have many options of their own, and the pseudo parameter of those that deploy nothing.
const LONG_ONLY_OF: &[(&str, &[&str])] = &[
    ("deploy", DEPLOYS),
    ("sync", DEPLOYS),
    ("sync", SYNCS_BESIDES),
    ("expand", PURE),
    ("resolve", PURE),
    ("check", PURE),
    ("check", CHECKS),
    ("refactor", REFACTORS),
    ("validate", PURE),
    ("validate", VALIDATES),
    ("explain", PURE),
    ("explain", EXPLAINS),
    ("rules", PURE),
    ("modules", PURE),
    ("account", PURE),
    ("build", PURE),
    ("local", PURE),
    ("local", SERVES),
    ("plan", PURE),
    ("plan", PLANS),
    ("diff", PURE),
    ("diff", PLANS),
    ("graph", PURE),
];

const PURE: &[&str] = &["stack-name"];
/// Private types, rules of another tool, and its configuration.
const CHECKS: &[&str] =
    &["stacks-closed", "stages", "schemas", "no-schemas", "guard-rules", "with-config", "baseline", "write-baseline"];
/// Those of a plan that a comparison of two files or revisions does not need.
const PLANS: &[&str] = &[
    "stages",
    "against-pseudo",
    "schemas",
    "no-schemas",
    "comment-key",
    "strict-types",
    "against-account",
    "refactor-map",
    "refactor-likely",
    "refactor-steps",
];
/// An explanation has what is known of types on request.
const EXPLAINS: &[&str] = &["schemas", "no-schemas"];
/// Those of the change set that `validate --change-set` makes.
const VALIDATES: &[&str] = &[
    "schemas",
    "no-schemas",
    "description",
    "include-nested-stacks",
    "import-existing-resources",
    "capabilities",
    "tags",
    "role-arn",
    "notification-arns",
];
const DEPLOYS: &[&str] = &[
    "stages",
    "jobs",
    "fail-fast",
    "serverless",
    "schemas",
    "no-schemas",
    "change-set-name",
    "change-set-type",
    "description",
    "include-nested-stacks",
    "no-confirm-changeset",
    "fail-on-empty-changeset",
    "no-fail-on-empty-changeset",
    "no-disable-rollback",
    "cancel-on-interrupt",
    "notification-arns",
    "image-repository",
    "s3-prefix",
    "expand",
    "role-arn",
    "replace-failed",
    "disable-rollback",
    "wait",
    "on-failure",
    "format",
    "disable-validation",
    "revert-drift",
    "import-existing-resources",
    "resources-to-import",
    "execute-change-set",
    "express",
    "no-express",
    "rollback-configuration",
    "resource-types",
    "retain-except-on-create",
];
/// Those of servers of functions that a run without a debugger and authorizers does not need.
const SERVES: &[&str] = &["debug-function", "debugger-args", "disable-authorizer"];
/// Those of `refactor` that single stacks do not need.
const REFACTORS: &[&str] = &[
    "enable-stack-creation",
    "description",
    "poll-delay",
    "max-wait-duration",
    "format",
    "image-repository",
    "s3-prefix",
];
/// Those of `deploy` that are rarely used when a stack is kept in sync, too.
const SYNCS_BESIDES: &[&str] = &[
    "guided",
    "tags",
    "confirm-changeset",
    "no-execute",
    "no-watch",
    "watch-exclude",
    "build-in-source",
    "base-dir",
    "resource",
];

/// Adds the helps to the program, which has the name `name` above its commands.
pub(super) fn with_helps(program: Command) -> Command {
    described(program, "").after_help(PROGRAM)
}

fn described(command: Command, name: &str) -> Command {
    let below = |command: Command| {
        let name =
            if name.is_empty() { command.get_name().to_owned() } else { format!("{name} {}", command.get_name()) };
        described(command, &name)
    };
    let command = command.mut_subcommands(below);
    let Some(manual) = Manual::of(name) else { return command };
    let command = command.mut_args(|argument| {
        let is_long = is_long_only(&argument, name);
        argument.hide_short_help(is_long)
    });
    let hidden =
        command.get_arguments().filter(|argument| argument.is_hide_short_help_set() && !argument.is_hide_set());
    let command = match hidden.count() {
        0 => command,
        count => command.after_help(format!("{count} more: `formwork help {name}`")),
    };
    command.after_long_help(manual.text())
}

fn is_long_only(argument: &Arg, command: &str) -> bool {
    let Some(name) = argument.get_long() else { return false };
    let first = command.split(' ').next().unwrap_or(command);
    let of_command = LONG_ONLY_OF.iter().any(|(known, names)| *known == first && names.contains(&name));
    LONG_ONLY.contains(&name) || of_command
}
