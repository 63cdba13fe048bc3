//! The questions of `--guided` between the steps of a deployment.

use std::path::PathBuf;

use formwork::DeclaredParameter;
use formwork_deploy::{PreviousValues, ReadyDeployment, missing_capabilities};
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::terminal::{self, Hidden};

use crate::Exit;
use crate::local::Local;
use crate::observer::Printer;
use crate::saved_answers::Answers;
use crate::stopped::stopped;

pub(in crate::deploy) struct Guide {
    pub(in crate::deploy) answers: Answers,
    pub(in crate::deploy) file: PathBuf,
}

/// Reads a line from the terminal, while Ctrl-C and the time limit end the wait; `None` at the end of the input.
fn typed(deployment: &mut ReadyDeployment<'_>, printer: &mut Printer<'_, '_>) -> Result<Option<String>, Exit> {
    let typed = deployment.alongside(super::read_line).map_err(|failure| stopped(*failure, printer))?;
    Ok(typed.flatten())
}

/// Asks for every parameter without a value, again after a value that breaks its constraints. Returns `true` if there
/// was one.
pub(in crate::deploy) fn ask_for_parameters(
    guide: &mut Guide,
    declared: &[DeclaredParameter],
    previous: &PreviousValues,
    local: &mut Local<'_>,
    deployment: &mut ReadyDeployment<'_>,
    printer: &mut Printer<'_, '_>,
) -> Result<bool, Exit> {
    let mut has_asked = false;
    for parameter in super::missing(declared, previous) {
        let question = super::question(parameter, printer.sources.root());
        let value = loop {
            // The echo is on again however the wait ends.
            let hidden = parameter.no_echo.then(Hidden::begin).transpose().map_err(|error| {
                let name = &parameter.name;
                format!("{name} cannot be asked for without showing it ({error}): pass it with --parameter-overrides")
            })?;
            terminal::say_question(&question);
            let answer = typed(deployment, printer)?;
            drop(hidden);
            match answer {
                Some(answer) if answer.is_empty() => terminal::say_line("  a value is needed"),
                Some(answer) => match printer.sources.root().value_refusal(&parameter.name, &answer) {
                    None => break answer,
                    Some(sentence) => terminal::say_line(&format!("  {}", printable(&sentence))),
                },
                None => return Err(super::NO_ANSWER.to_owned().into()),
            }
        };
        if !parameter.no_echo {
            guide.answers.parameters.push((parameter.name.clone(), value.clone()));
        }
        local.pass(&parameter.name, value);
        has_asked = true;
    }
    Ok(has_asked)
}

/// Asks to acknowledge the capabilities that the template needs. A no ends the run, since CloudFormation would reject
/// the template.
pub(in crate::deploy) fn ask_for_capabilities(
    guide: &mut Guide,
    acknowledged: &mut Vec<String>,
    deployment: &mut ReadyDeployment<'_>,
    printer: &mut Printer<'_, '_>,
) -> Result<(), Exit> {
    let needed = printer.sources.root().needed_capabilities();
    let missing: Vec<(String, String)> = missing_capabilities(&needed, acknowledged)
        .iter()
        .filter(|one| one.is_certain)
        .map(|one| (one.name.to_owned(), super::acknowledgement(one)))
        .collect();
    for (name, question) in missing {
        terminal::say_question(&question);
        if !super::agrees(typed(deployment, printer)?.as_deref()) {
            printer.reporter.print(&Notice::error(format!("{name} is not acknowledged: nothing was sent")), None);
            return Err(Exit::Status(Status::Failed));
        }
        guide.answers.capabilities.push(name.clone());
        acknowledged.push(name);
    }
    Ok(())
}

/// Offers to save the answers. A failure to save is only a warning: the deployment does not depend on it.
pub(in crate::deploy) fn offer_to_save(
    guide: &Guide,
    environment: Option<&str>,
    deployment: &mut ReadyDeployment<'_>,
    printer: &mut Printer<'_, '_>,
) -> Result<(), Exit> {
    if guide.answers.is_empty() {
        return Ok(());
    }
    terminal::say_question(&super::offer(&guide.file));
    if super::agrees(typed(deployment, printer)?.as_deref())
        && let Err(why) = super::save(&guide.answers, &guide.file, environment)
    {
        printer.reporter.print(&Notice::warning(format!("the answers are not saved: {why}")), None);
    }
    Ok(())
}
