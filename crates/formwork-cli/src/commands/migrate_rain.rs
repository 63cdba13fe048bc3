//! `formwork migrate rain`

use formwork::migrate::rain;

use crate::args::FileArgs;
use crate::{Status, output};

pub(crate) fn run(args: &FileArgs) -> Result<Status, String> {
    let name = args.file.display();
    let text = std::fs::read_to_string(&args.file).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let migrated = rain::migrate(&text);
    output::write(args.output.as_deref(), |out| out.write_all(migrated.text.as_bytes()))?;
    for left in &migrated.left {
        eprintln!("{name}:{}: left as it is: {}", left.line, left.what);
    }
    Ok(Status::Done)
}
