//! `formwork migrate rain`

use formwork::disk::{project_root, read_named};
use formwork::migrate::rain;
use formwork::{DiskHost, Host, Limits, VirtualPath};
use formwork_report::printable;

use crate::args::FileArgs;
use crate::failure::{Failure, FileFailure};
use crate::output::Outputs;
use crate::terminal::{say_error, say_line, say_written};
use crate::{Status, inputs, output};

pub(crate) fn run(args: &FileArgs) -> Result<Status, Failure> {
    let name = args.file.display().to_string();
    let name = printable(&name);
    let outputs = Outputs::new(&[("-o", args.output.as_deref())], None);
    outputs.check(&[&args.file])?;
    let limit = Limits::default().file_bytes;
    let bytes = read_named(&args.file, limit).map_err(|error| FileFailure::unread(&args.file, &error))?;
    let directory = inputs::folder(&args.file);
    let host = DiskHost::new(directory, Some(&project_root(directory)), limit)
        .map_err(|error| format!("the directory of {name} cannot be used: {error}"))?;
    let files = |path: &str| {
        let bytes = host.read(&VirtualPath::new(path)).ok().filter(|_| !path.starts_with('/'))?;
        std::str::from_utf8(&bytes).map(str::to_owned).ok()
    };
    let migrated = match std::str::from_utf8(&bytes) {
        Ok(text) => rain::migrate(text, &files).map_err(|error| error.to_string()),
        Err(_) => Err("it is not UTF-8 text".to_owned()),
    };
    let migrated = match migrated {
        Ok(migrated) => migrated,
        Err(why) => {
            say_error(&format!("{name} is not a rain template: {}", printable(&why)));
            return Ok(Status::Errors);
        }
    };
    outputs.keep_inputs(host.loader())?;
    output::write(args.output.as_deref(), |out| out.write_all(migrated.text.as_bytes()))?;
    for left in &migrated.left {
        say_line(&format!("{name}:{}: not translated: {}", left.line, left.what));
    }
    say_written(args.output.as_deref());
    Ok(Status::Done)
}
