//! `formwork check --explain CODE`

use formwork::Code;

use crate::failure::Failure;
use crate::terminal::Form;
use crate::{Status, terminal};

/// Prints the page about a code.
pub(super) fn run(text: &str) -> Result<Status, Failure> {
    let code = Code::parse(text).ok_or_else(|| unknown(text))?;
    let page = code.info().page().ok_or_else(|| format!("{code} has no page: nothing is reported with it yet"))?;
    terminal::print(&page, Form::Plain)?;
    Ok(Status::Done)
}

fn unknown(text: &str) -> String {
    let near: Vec<String> =
        Code::nearest(text).into_iter().map(|code| format!("  {code} {}", code.info().title)).collect();
    if near.is_empty() {
        format!("code {text} does not exist; codes look like FW0303")
    } else {
        format!("code {text} does not exist; the nearest ones are\n{}", near.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_codes_name_the_nearest() {
        let refused = |text: &str| String::from(run(text).expect_err("no code"));
        let trouble = refused("FW303");
        assert!(trouble.contains("\n  FW0303 two items of a loop generate the same key\n"), "{trouble}");
        assert!(refused("loops").ends_with("codes look like FW0303"));
    }
}
