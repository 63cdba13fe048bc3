//! `formwork merge`

use std::path::Path;

use formwork::Report;
use formwork_run::declared_templates::DeclaredTemplates;
use formwork_run::many_files::ManyFiles;

use crate::args::MergeArgs;
use crate::failure::Failure;
use crate::output::Outputs;
use crate::report::Reporter;
use crate::{Status, inputs, output, terminal};

/// Prints files as one template.
pub(crate) fn run(args: &MergeArgs) -> Result<Status, Failure> {
    let declared = match args.files.as_slice() {
        [word] if !word.is_file() => DeclaredTemplates::find()?.of_word(word).map(|one| one.files.clone()),
        _ => None,
    };
    let many = declared.unwrap_or_else(|| ManyFiles::named(args.files.clone()).into());
    let files: Vec<&Path> = many.files.iter().map(AsRef::as_ref).collect();
    Outputs::new(&[("-o", args.output.as_deref())], None).check(&files)?;
    let united = many.unite(args.report.strict)?;
    let mut reporter = Reporter::new(&args.report);
    let report = Report::from(united);
    reporter.print(&report);
    let directory = args.output.as_deref().map_or(Path::new("."), inputs::folder);
    let Some(text) = many.text(report.compilation(), directory) else {
        reporter.finish("; no template was written");
        return Ok(Status::Errors);
    };
    output::write(args.output.as_deref(), |out| out.write_all(&text.bytes))?;
    reporter.finish("");
    if !args.report.quiet {
        terminal::say_written(args.output.as_deref());
    }
    Ok(Status::Done)
}
