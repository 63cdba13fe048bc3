//! `formwork check --explain CODE`, `formwork explain CODE` and `formwork check --list-codes`.

use std::fmt::Write as _;

use formwork::{Code, codes};
use formwork_run::check::{COMPARISON, tool_of_code};

use crate::failure::Failure;
use crate::terminal::Form;
use crate::{Status, terminal};

pub(super) fn run(text: &str) -> Result<Status, Failure> {
    let code = Code::parse(text).ok_or_else(|| unknown(text))?;
    let page = code.info().page().ok_or_else(|| format!("{code} has no page: nothing is reported with it yet"))?;
    terminal::print(&page, Form::Plain)?;
    Ok(Status::Done)
}

pub(super) fn list() -> Result<Status, Failure> {
    let mut text = String::new();
    for info in codes::ALL.iter().filter(|info| info.page().is_some()) {
        let _ = writeln!(text, "{}  {}", info.code, info.title);
    }
    terminal::print(&text, Form::Plain)?;
    Ok(Status::Done)
}

fn unknown(text: &str) -> String {
    if let Some(tool) = tool_of_code(text) {
        return of_tool(text, tool);
    }
    let near: Vec<String> =
        Code::nearest(text).into_iter().map(|code| format!("  {code} {}", code.info().title)).collect();
    if near.is_empty() {
        format!("code {text} does not exist\n  help: codes look like FW0303; `formwork check --list-codes` lists them")
    } else {
        format!("code {text} does not exist\n  help: the nearest ones are\n{}", near.join("\n"))
    }
}

/// The error of a code of another tool.
pub(super) fn of_tool(code: &str, tool: &str) -> String {
    format!("{code} is a code of {tool}\n  help: `formwork check --list-codes` lists those of Formwork; {COMPARISON}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_codes_name_the_nearest() {
        let refused = |text: &str| String::from(run(text).expect_err("no code"));
        let error = refused("FW303");
        assert!(error.contains("\n  FW0303 two items of a loop generate the same key\n"), "{error}");
        assert!(refused("E3002").starts_with("E3002 is a code of cfn-lint\n  help: "));
        assert!(refused("loops").contains("help: codes look like FW0303"));
    }
}
