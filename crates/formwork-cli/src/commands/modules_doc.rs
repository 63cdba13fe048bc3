//! `formwork modules doc`

use formwork::{Compiler, DiskHost, Limits, Options, Stage, VirtualPath};

use crate::args::FileArgs;
use crate::{Status, inputs, output};

pub(crate) fn run(args: &FileArgs) -> Result<Status, String> {
    let shown = args.file.display();
    let bytes = std::fs::read(&args.file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let limits = Limits::default();
    let host = DiskHost::new(inputs::folder(&args.file), None, limits.file_bytes)
        .map_err(|error| format!("the folder of {shown} cannot be used: {error}"))?;
    let name = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let compiler = Compiler::new(&host, Options::default());
    let module = compiler.compile_bytes(VirtualPath::new(&name), bytes.into(), Stage::Expand);
    if !module.is_well_formed() {
        eprintln!("error: {shown} is no template that can be read; `formwork check {shown}` says why");
        return Ok(Status::Errors);
    }
    let text = module.module_reference(&name);
    output::write(args.output.as_deref(), |out| out.write_all(text.as_bytes()))?;
    Ok(Status::Done)
}
