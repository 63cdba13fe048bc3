//! `formwork explain`

use std::path::Path;

use formwork::{Compilation, Diagnostic, Goal, Serverless, Values, codes};
use formwork_report::{Context, explain, printable};
use formwork_run::check::tool_of_code;

use super::{explain_import, explain_property};
use formwork_run::console::ReportFormat;

use crate::args::{ExplainArgs, StageArg};
use crate::failure::Failure;
use crate::live::Live;
use crate::report::Reporter;
use crate::terminal::Form;
use crate::{Status, default_template, inputs, schemas, terminal};

pub(crate) fn run(args: &ExplainArgs) -> Result<Status, Failure> {
    let code = args.template.as_deref().filter(|word| args.path.is_none() && !word.exists()).and_then(Path::to_str);
    if let Some(code) = code.filter(|word| looks_like_code(word)) {
        return super::explain_code::run(code);
    }
    let words = [args.template.as_deref().and_then(Path::to_str), args.path.as_deref()];
    if let Some((word, tool)) = words.into_iter().flatten().find_map(|word| Some((word, tool_of_code(word)?)))
        && args.at.is_none()
    {
        return Err(super::explain_code::of_tool(word, tool).into());
    }
    let (template, path) = default_template::before_word(args.template.as_deref(), args.path.as_deref())?;
    if path.is_none() && args.at.is_none() && !args.verify && (template.as_os_str() == "-" || template.exists()) {
        return Err(without_path(&template).into());
    }
    let (goal, name) = match args.stage {
        StageArg::Resolve => (Goal::Resolve, "resolve"),
        StageArg::Expand => (Goal::Expand, "expand"),
    };
    let mut input = inputs::read(&template, "explain", Values::Keep, &args.inputs, args.report.strict)?;
    input.options.serverless = Serverless::Beside;
    let report = Live::new(&args.inputs)?.compile(&input, goal, None)?;
    let result = report.compilation();
    let mut reporter = Reporter::new(&args.report);
    // The valid part is still explained.
    reporter.print_errors(&report);
    if args.verify {
        return verify(result);
    }
    // Schemas are only used if `--schemas` is set.
    let known = if args.schemas.schemas.is_empty() { None } else { schemas::read(&args.schemas)? };
    let is_json = ReportFormat::is_json(args.format);
    let has_color = !is_json && reporter.colors_output();
    let text = match (&args.at, &path) {
        (Some(at), _) => {
            let (file, line, column) = place(at)?;
            let found = result.explain_line(file, line, column);
            if found.answers.is_empty() {
                return Ok(nothing(&mut reporter, result, &format!("nothing in the output comes from {at}"), &[]));
            }
            let context = context(result, has_color);
            if is_json {
                explain::json::render_line(&found, at, name, &context)
            } else {
                explain::human::render_line(&found, &context)
            }
        }
        (None, Some(path)) => match result.explain(path) {
            Ok(answer) => {
                let context = context(result, has_color);
                let property = known.as_ref().and_then(|known| explain_property::line(known, result, &answer));
                if is_json {
                    explain::json::render(&answer, name, &context)
                } else {
                    let imports =
                        explain_import::lines((&args.inputs, &template), &input.options.pseudo, result, &answer)?;
                    explain::human::render(&answer, &context) + &property.unwrap_or_default() + &imports
                }
            }
            Err(nearest) => {
                return Ok(nothing(&mut reporter, result, &format!("nothing in the output is named {path}"), &nearest));
            }
        },
        (None, None) => return Err(without_path(&template).into()),
    };
    terminal::print(&text, if is_json { Form::Json } else { Form::words(has_color) })?;
    Ok(Status::Done)
}

fn without_path(template: &Path) -> String {
    let name = template.display();
    let help = format!("write `formwork explain {name} Resources.NAME`, or a code such as `formwork explain FW0303`");
    format!("the path of a node is missing\n  help: {help}")
}

/// Returns `true` if a word is a code, or a misspelling of one: `FW0201`, `fw201`.
fn looks_like_code(word: &str) -> bool {
    let rest = word.get(2..).filter(|_| word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("FW")));
    rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}

fn context(result: &Compilation, color: bool) -> Context<'_> {
    Context { sources: result.sources(), secrets: result.secrets(), color, width: None }
}

fn nothing(reporter: &mut Reporter, result: &Compilation, message: &str, nearest: &[String]) -> Status {
    let mut diagnostic = Diagnostic::new(codes::NO_SUCH_PATH, message);
    if !nearest.is_empty() {
        diagnostic = diagnostic.help(format!("did you mean {}?", nearest.join(", ")));
    }
    reporter.print_one(&diagnostic, result);
    Status::Errors
}

/// Parses `FILE:LINE` or `FILE:LINE:COLUMN`.
fn place(text: &str) -> Result<(&str, u32, Option<u32>), String> {
    let wrong = || format!("\"{text}\" is not a place: write FILE:LINE or FILE:LINE:COLUMN");
    let (rest, last) = text.rsplit_once(':').ok_or_else(wrong)?;
    let last: u32 = last.parse().map_err(|_| wrong())?;
    if let Some((file, line)) = rest.rsplit_once(':')
        && let Ok(line) = line.parse()
    {
        return Ok((file, line, Some(last)));
    }
    Ok((rest, last, None))
}

fn verify(result: &Compilation) -> Result<Status, Failure> {
    let errors = result.verify_origins();
    let text = errors.iter().fold(String::new(), |text, error| text + &printable(error) + "\n");
    terminal::print(&text, Form::Plain)?;
    Ok(if errors.is_empty() { Status::Done } else { Status::Errors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        assert!(["FW0201", "fw201"].into_iter().all(looks_like_code));
        assert!(["FW", "template.yaml", "FWD.Tags", "E3001"].into_iter().all(|word| !looks_like_code(word)));
    }

    #[test]
    fn places() {
        assert_eq!(place("a.yaml:3"), Ok(("a.yaml", 3, None)));
        assert_eq!(place("a.yaml:3:7"), Ok(("a.yaml", 3, Some(7))));
        assert_eq!(place("c:a.yaml:3"), Ok(("c:a.yaml", 3, None)));
        assert!(place("a.yaml").is_err());
    }
}
