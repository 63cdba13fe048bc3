//! `formwork migrate rain`

use formwork::Limits;
use formwork::disk::read_named;
use formwork::migrate::rain;

use crate::args::FileArgs;
use crate::failure::{Failure, FileFailure};
use crate::output::Outputs;
use crate::{Status, output};

pub(crate) fn run(args: &FileArgs) -> Result<Status, Failure> {
    let name = args.file.display();
    Outputs::new(&[("-o", args.output.as_deref())], None).check(&[&args.file])?;
    let bytes = read_named(&args.file, Limits::default().file_bytes)
        .map_err(|error| FileFailure::unread(&args.file, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| FileFailure::unfit(&args.file, format!("{name} cannot be read: it is not UTF-8 text")))?;
    let migrated = rain::migrate(&text);
    output::write(args.output.as_deref(), |out| out.write_all(migrated.text.as_bytes()))?;
    for left in &migrated.left {
        eprintln!("{name}:{}: left as it is: {}", left.line, left.what);
    }
    Ok(Status::Done)
}
