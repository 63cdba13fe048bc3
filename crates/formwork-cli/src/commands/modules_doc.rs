//! `formwork modules doc`

use formwork::disk::{project_root, read_named};
use formwork::{DiskHost, Goal, Limits, Options, Session, VirtualPath};

use crate::args::FileArgs;
use crate::failure::{Failure, FileFailure};
use crate::output::Outputs;
use crate::{Status, inputs, terminal};

pub(crate) fn run(args: &FileArgs) -> Result<Status, Failure> {
    let shown = args.file.display();
    let outputs = Outputs::new(&[("-o", args.output.as_deref())], None);
    outputs.check(&[&args.file])?;
    let limits = Limits::default();
    let bytes = read_named(&args.file, limits.file_bytes).map_err(|error| FileFailure::unread(&args.file, &error))?;
    let directory = inputs::folder(&args.file);
    let host = DiskHost::new(directory, Some(&project_root(directory)), limits.file_bytes)
        .map_err(|error| format!("the directory of {shown} cannot be used: {error}"))?;
    let name = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let session = Session::new(&host, Options::default());
    session.set_file(&VirtualPath::new(&name), bytes);
    let module = session.compile(&name, Goal::Expand);
    if !module.is_well_formed() {
        terminal::say_line(&format!(
            "error: {shown} is not a template that can be read; `formwork check {shown}` reports why"
        ));
        return Ok(Status::Errors);
    }
    outputs.keep_inputs(host.loader())?;
    let text = module.module_reference(&name);
    terminal::write(args.output.as_deref(), &text, terminal::Form::Plain)?;
    terminal::say_written(args.output.as_deref());
    Ok(Status::Done)
}
