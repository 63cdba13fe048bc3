//! `formwork account snapshot`

use crate::Status;
use crate::args::AccountSnapshotArgs;
use crate::failure::Failure;

#[cfg(not(feature = "aws"))]
pub(crate) fn run(_: &AccountSnapshotArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

#[cfg(feature = "aws")]
pub(crate) fn run(args: &AccountSnapshotArgs) -> Result<Status, Failure> {
    capture::run(args)
}

#[cfg(feature = "aws")]
mod capture {
    use formwork::{AccountQuery, Format, Goal, Limits, Values};
    use formwork_aws::{all_kinds, default_kinds};

    use super::{AccountSnapshotArgs, Failure, Status};
    use crate::args::format_of_file;
    use crate::live::Live;
    use crate::output::Outputs;
    use crate::report::Reporter;
    use crate::{inputs, output, terminal};

    pub(super) fn run(args: &AccountSnapshotArgs) -> Result<Status, Failure> {
        let queries = queries(args)?;
        let outputs = Outputs::new(&[("-o", args.output.as_deref())], args.inputs.live.record_account.as_deref());
        outputs.check(&args.inputs.named_files(args.template.as_deref()))?;
        let mut live = Live::always(&args.inputs)?;
        let mut reporter = Reporter::new(&args.report);
        if let Some(template) = &args.template {
            let input = inputs::read(template, "account", Values::Resolve, &args.inputs, args.report.strict)?;
            let loader = input.host.loader().clone();
            let result = live.compile(&input, Goal::Check, None)?;
            // A template that cannot be read has no queries. Its other errors do not matter here.
            if result.has_errors() && live.is_idle() {
                reporter.print(&result);
                reporter.finish("; no snapshot was written");
                return Ok(Status::Errors);
            }
            outputs.keep_inputs(&loader)?;
        }
        live.ask(&queries)?;
        reporter.print_alone(live.warnings(0, args.report.strict));
        if reporter.has_errors() {
            reporter.finish("; no snapshot was written");
            return Ok(Status::Errors);
        }
        let json = formwork::display::escape_json(&live.captured()).into_owned();
        let named = || args.output.as_deref().and_then(format_of_file);
        let text = match args.format.or_else(named).unwrap_or(Format::Json) {
            Format::Json => json,
            Format::Yaml => formwork::reformat(&json, Format::Yaml, &Limits::default())
                .ok_or("the snapshot is too large to be written as YAML")?,
        };
        output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
        reporter.finish("");
        if !args.report.quiet {
            terminal::say_written(args.output.as_deref());
        }
        Ok(Status::Done)
    }

    /// The queries that the arguments request in addition to those of a template.
    fn queries(args: &AccountSnapshotArgs) -> Result<Vec<AccountQuery>, String> {
        let mut queries = vec![AccountQuery::Caller];
        let mut kinds: Vec<&str> = args.types.iter().map(String::as_str).collect();
        if kinds.is_empty() && args.template.is_none() {
            kinds = default_kinds().collect();
        }
        for kind in kinds {
            if !all_kinds().any(|known| known == kind) {
                return Err(format!(
                    "{kind} is not a type of account data; the types are {}",
                    all_kinds().collect::<Vec<_>>().join(", ")
                ));
            }
            queries.push(AccountQuery::All { kind: kind.to_owned() });
        }
        queries.extend(args.ssm.iter().map(|name| AccountQuery::Stored { name: name.clone() }));
        if args.exports {
            queries.push(AccountQuery::Export { name: String::new() });
        }
        Ok(queries)
    }
}
