//! `formwork completions SHELL`.

use crate::args::{CompletionsArgs, program};
use crate::failure::Failure;
use crate::{Status, output};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program(), "formwork", &mut script);
    output::write(None, |out| out.write_all(&script))?;
    Ok(Status::Done)
}
