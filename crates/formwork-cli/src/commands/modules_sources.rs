//! The shared part of `formwork modules vendor` and `formwork modules update`: they read the remote modules of
//! templates by expanding these.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use formwork::display::mask_credentials;
use formwork::{Goal, Report, Values};
use formwork_net::Fetched;
use formwork_report::printable;

use crate::args::ModulesSourcesArgs;
use crate::failure::Failure;
use crate::project_host::{self, ProjectHost};
use crate::report::Reporter;
use crate::terminal::Form;
use crate::{Status, inputs, output, terminal};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Work {
    /// Store the sources with the project.
    Vendor,
    /// Fetch the sources again and pin them.
    Update,
}

const SHOWN: usize = 12;

pub(crate) fn run(args: &ModulesSourcesArgs, work: Work) -> Result<Status, Failure> {
    let mut reporter = Reporter::new(&args.report);
    let mut lines = String::new();
    let mut addresses = BTreeSet::new();
    let (mut last, mut unread) = (None, false);
    check_projects(args, work)?;
    for template in &args.template {
        let read = inputs::read(template, "modules", Values::Keep, &args.inputs, args.report.strict);
        let Some(mut input) = reporter.readable(read)? else {
            unread = true;
            continue;
        };
        let host = ProjectHost::pinning(template, &args.inputs, work == Work::Update)?;
        input.read_through(host).map_err(|error| error.to_string())?;
        let result = Report::from(input.analysis().compile(Goal::Expand));
        reporter.print(&result);
        if result.has_errors() {
            continue;
        }
        let remote = input.host.remote();
        for source in remote.read_sources() {
            if addresses.insert(source.address.clone()) {
                lines += &line(&source, work);
            }
        }
        if work == Work::Vendor {
            remote.vendor().map_err(|error| error.to_string())?;
        }
        input.host.write_lock()?;
        last = Some(template);
    }
    // After an error it is not known what all templates read.
    if let Some(template) = last.filter(|_| args.prune && !reporter.has_errors()) {
        ProjectHost::new(template, &args.inputs)?.remote().prune(&addresses).map_err(|error| error.to_string())?;
    }
    terminal::print(&lines, Form::Plain)?;
    reporter.finish("");
    if !args.report.quiet && !unread && !reporter.has_errors() {
        terminal::say_done(&summary(addresses.len(), work));
    }
    Ok(match reporter.has_errors() {
        _ if unread => Status::Failed,
        true => Status::Errors,
        false => Status::Done,
    })
}

/// Checks that everything can be written, before the first file is.
fn check_projects(args: &ModulesSourcesArgs, work: Work) -> Result<(), Failure> {
    for template in args.template.iter().filter(|template| template.exists() || template.as_os_str() == "-") {
        let root = project_host::root(inputs::folder(template), &args.inputs);
        output::writable_project(&root)?;
        if work == Work::Vendor || args.prune {
            output::unlinked_modules(&root)?;
        }
    }
    Ok(())
}

fn summary(count: usize, work: Work) -> String {
    let verb = match work {
        Work::Vendor => "Vendored",
        Work::Update => "Fetched",
    };
    match count {
        0 => "The templates use no remote modules".to_owned(),
        1 => format!("{verb} 1 module"),
        _ => format!("{verb} {count} modules"),
    }
}

/// The result for a source, with its earlier state if that changed.
fn line(source: &Fetched, work: Work) -> String {
    let address = mask_credentials(&source.address);
    let address = printable(&address);
    let digest = &source.sha256[..SHOWN];
    let mut line = String::new();
    let _ = match (&source.before, work) {
        (_, Work::Vendor) => writeln!(line, "vendored  {address}  sha256:{digest}"),
        (None, Work::Update) => writeln!(line, "added     {address}  sha256:{digest}"),
        (Some(before), Work::Update) if *before == source.sha256 => {
            writeln!(line, "unchanged {address}  sha256:{digest}")
        }
        (Some(before), Work::Update) => {
            writeln!(line, "updated   {address}  sha256:{} -> sha256:{digest}", &before[..SHOWN])
        }
    };
    line
}
