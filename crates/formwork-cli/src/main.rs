//! `formwork`: CloudFormation loops, modules and checks on your machine.
//!
//! The command line is thin: it parses arguments and calls libraries. Only the artifact goes to standard output; all
//! messages go to standard error (reference/command-line.md#output).
//!
//! Start with `main`, which calls the function of each command. `command_line` parses the arguments, with the defaults
//! of `formwork.toml`; `foreign` answers words of other tools. `args` describes the commands (clap); the arguments of
//! each are one struct, in the crate that does its work. `commands` has the small commands and those about templates
//! alone; the others are `run` of a module elsewhere: `formwork_run::check`, `formwork-stacks`, `formwork-sync`,
//! `formwork-local`. `formwork_run::console` prints reports.
#![allow(clippy::disallowed_methods, reason = "front end: files, arguments and the clock enter here")]

mod args;
mod command_line;
mod commands;
mod config;
mod ending;
mod foreign;
mod interrupt;
mod usage;

use std::process::ExitCode;

use formwork_report::MessageFormat;
use formwork_run::console::ReportArgs;
#[cfg(feature = "aws")]
use formwork_stacks::stack_snapshot::StackCommand;

pub(crate) use formwork_project::failure;
pub(crate) use formwork_run::console::{configured, report};
#[cfg(feature = "aws")]
pub(crate) use formwork_run::service_names;
pub(crate) use formwork_run::{
    Status, default_template, host as project_host, inputs, live, many, nested, output, output_directory, repository,
    schemas, surroundings, templates, terminal, upload,
};

// The allocator of musl has one lock for all threads and returns memory early.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ending::leave_nothing();
    // It runs for hours, and the command line alone would take pages of 10 MB.
    if std::env::args_os().nth(1).is_some_and(|command| command == "lsp") {
        formwork_lsp::use_small_pages();
    }
    formwork_project::know_keys(config::known_keys);
    let cli = match command_line::parse() {
        Ok(cli) => cli,
        Err(command_line::Unfit::Usage(error, words)) => return usage::report(&error, &words).into(),
        Err(command_line::Unfit::Defaults(files, cli)) => {
            say_defaults(&files, cli.as_deref().map(|cli| &cli.command));
            return Status::Failed.into();
        }
    };
    if let Some((line, help)) = foreign::misplaced(&cli.command) {
        usage::say(&line, &help);
        return Status::Failed.into();
    }
    configured::say_words(cli.command.report());
    let result = run(&cli.command);
    let code = result.unwrap_or_else(|failure| say_failure(failure, cli.command.report())).into();
    configured::say_rest(cli.command.report());
    configured::say_inputs(cli.command.report());
    code
}

/// Runs a command.
fn run(command: &args::Command) -> Result<Status, failure::Failure> {
    match command {
        args::Command::Init(args) => commands::init::run(args),
        args::Command::Expand(args) => commands::expand::run(args),
        args::Command::Resolve(args) => commands::resolve::run(args),
        args::Command::Merge(args) => commands::merge::run(args),
        args::Command::Check(args) => commands::check::run(args),
        args::Command::Fmt(args) => commands::fmt::run(args),
        args::Command::Lsp(args) => commands::lsp::run(args),
        args::Command::Rules(command) => commands::rules::run(command),
        args::Command::Explain(args) => commands::explain::run(args),
        args::Command::Plan(args) => commands::plan::run(args, false),
        args::Command::Diff(args) => commands::plan::run(args, true),
        args::Command::Graph(args) => commands::graph::run(args),
        #[cfg(feature = "aws")]
        args::Command::Deploy(args) => formwork_stacks::deploy::run(args),
        #[cfg(feature = "aws")]
        args::Command::Delete(args) => formwork_stacks::delete::run(args),
        #[cfg(feature = "aws")]
        args::Command::Diagnose(args) => formwork_stacks::diagnose::run(args),
        #[cfg(feature = "aws")]
        args::Command::Events(args) => formwork_stacks::events::run(args),
        #[cfg(feature = "aws")]
        args::Command::List(command) => formwork_stacks::list::run(command),
        #[cfg(feature = "aws")]
        args::Command::Logs(args) => formwork_stacks::logs::run(args),
        #[cfg(feature = "aws")]
        args::Command::Outputs(args) => formwork_stacks::outputs::run(args),
        #[cfg(feature = "aws")]
        args::Command::Refactor(args) => formwork_stacks::refactor::run(args),
        #[cfg(feature = "aws")]
        args::Command::Stack(StackCommand::Snapshot(args)) => formwork_stacks::stack_snapshot::run(args),
        #[cfg(feature = "aws")]
        args::Command::Sync(args) => interrupt::listen()
            .map_err(failure::Failure::from)
            .and_then(|interrupt| formwork_sync::run(args, &interrupt)),
        args::Command::Validate(args) => commands::validate::run(args),
        #[cfg(feature = "local")]
        args::Command::Local(command) => formwork_local::commands::run(command),
        args::Command::Account(args::AccountCommand::Snapshot(args)) => commands::account_snapshot::run(args),
        args::Command::Modules(args::ModulesCommand::Doc(args)) => commands::modules_doc::run(args),
        #[cfg(feature = "aws")]
        args::Command::Modules(args::ModulesCommand::Vendor(args)) => commands::modules_vendor::run(args),
        #[cfg(feature = "aws")]
        args::Command::Modules(args::ModulesCommand::Update(args)) => commands::modules_update::run(args),
        args::Command::Migrate(args::MigrateCommand::Rain(args)) => commands::migrate_rain::run(args),
        args::Command::Config(args::ConfigCommand::Show(args)) => commands::config_show::run(args),
        args::Command::Schemas(args) => commands::schemas::run(args),
        args::Command::MapBack(args) => commands::map_back::run(args),
        args::Command::Completions(args) => commands::completions::run(args),
        args::Command::Man(args) => commands::man::run(args),
        args::Command::Version => {
            terminal::print(concat!("formwork ", env!("CARGO_PKG_VERSION"), "\n"), terminal::Form::Plain)
                .map(|()| Status::Done)
                .map_err(failure::Failure::from)
        }
        args::Command::Build(args) => commands::build::run(args),
        args::Command::Package(args) => commands::package::run(args),
    }
}

/// Reports the errors of a file with defaults of options, in the format of the command line.
fn say_defaults(files: &[failure::FileFailure], command: Option<&args::Command>) {
    let args = command.and_then(|command| Some((command, command.report()?)));
    let Some((command, args)) = args.filter(|(_, args)| args.message_format != MessageFormat::Human) else {
        return files.iter().for_each(terminal::say_file);
    };
    let is_report = matches!(command, args::Command::Check(_) | args::Command::Validate(_));
    let mut reporter = if is_report { report::Reporter::on_output(args) } else { report::Reporter::new(args) };
    for file in files {
        reporter.print_file(file);
    }
    if !is_report {
        reporter.finish("");
    } else if let Err(failure) = reporter.finish_output() {
        terminal::say_error(&String::from(failure));
    }
}

/// Reports the error that ends a command early, in the format of the command line.
fn say_failure(failure: failure::Failure, report: Option<&ReportArgs>) -> Status {
    match (failure, report) {
        (failure::Failure::File(file), Some(args)) => {
            let mut reporter = report::Reporter::new(args);
            reporter.print_file(&file);
            reporter.finish("");
        }
        (failure::Failure::File(file), None) => terminal::say_file(&file),
        (failure, _) => terminal::say_error(&String::from(failure)),
    }
    Status::Failed
}
