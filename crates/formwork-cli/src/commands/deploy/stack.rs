//! How the stack stands, and what has to be done before it can be changed (reference/deploy.md#state).

use formwork_deploy::{Ended, Service, Stack, Standing, Stop, Watcher, status};
use formwork_report::{Remark, printable};

use super::choices::Choices;
use super::refusal;
use crate::Status;
use crate::args::RunArgs;

/// Why a stack is not changed, the status of the program, and a word for programs.
pub(super) type Refused = (Box<Remark>, Status, &'static str);

/// The word for what the state of the stack refuses.
const REFUSED: &str = "refused";

/// What becomes of a stack that stands like this. `None` when there is none: it is created.
pub(super) fn ready(
    standing: Standing,
    choices: &Choices,
    args: &RunArgs,
    service: &mut Service,
    watcher: &mut dyn Watcher,
    tell: &mut dyn FnMut(&str),
) -> Result<Option<Stack>, Refused> {
    let name = &choices.stack_name;
    match standing {
        Standing::Absent => Ok(None),
        Standing::Ready(stack) => Ok(Some(stack)),
        Standing::Stuck(stack) => Err(stuck(&stack, name)),
        Standing::Dead(stack) if args.replace_failed => {
            tell(&format!("Stack {name} is in {}: it is deleted and created anew", stack.status));
            let ended = service.remove(&stack.id, choices.role_arn.as_deref(), watcher);
            removed(ended, name).map(|()| None)
        }
        Standing::Dead(stack) => Err(dead(&stack, name)),
        Standing::Busy(stack) if args.wait => {
            tell(&format!(
                "Stack {name} is in {}: {} has to end first",
                stack.status,
                status::operation(&stack.status)
            ));
            let what = status::operation(&stack.status);
            let standing = service.settle(&stack, watcher).map_err(|stop| stopped(&stop, name, what))?;
            // It can be busy no more, but it may have come to no good.
            ready(standing, choices, args, service, watcher, tell)
        }
        Standing::Busy(stack) => Err(busy(&stack, name)),
    }
}

fn stopped(stop: &Stop, name: &str, goes_on: &str) -> Refused {
    let (remark, status) = refusal::of(stop, name, Some(goes_on));
    (Box::new(remark), status, refusal::result(stop))
}

fn removed(ended: Result<Ended, Stop>, name: &str) -> Result<(), Refused> {
    let ended = ended.map_err(|stop| stopped(&stop, name, "the delete"))?;
    if ended.is_success {
        return Ok(());
    }
    let why = ended.first_failure.and_then(|event| event.reason).or(ended.reason).unwrap_or_default();
    let remark = Remark::error(format!("stack {name} cannot be deleted: `{why}`"))
        .help("delete what keeps it by hand, and deploy again with --replace-failed");
    Err((Box::new(remark), Status::Errors, REFUSED))
}

fn dead(stack: &Stack, name: &str) -> Refused {
    let (id, status) = (printable(&stack.id), printable(&stack.status));
    let remark = Remark::error(format!(
        "stack {name} cannot be updated: `Stack:{id} is in {status} state and can not be updated.`"
    ));
    let remark = because(remark, stack).help("give `--replace-failed`: the stack is deleted and created anew");
    (Box::new(remark), Status::Errors, REFUSED)
}

fn busy(stack: &Stack, name: &str) -> Refused {
    let what = status::operation(&stack.status);
    let remark = Remark::error(format!("stack {name} cannot be changed now: {what} goes on ({})", stack.status))
        .help("give `--wait` to wait for its end, or deploy later");
    (Box::new(remark), Status::Errors, REFUSED)
}

fn stuck(stack: &Stack, name: &str) -> Refused {
    let remark =
        Remark::error(format!("stack {name} is in UPDATE_ROLLBACK_FAILED: the rollback has to be continued first"));
    let remark = because(remark, stack)
        .help(format!("mend what it names, and run `aws cloudformation continue-update-rollback --stack-name {name}`"));
    (Box::new(remark), Status::Errors, REFUSED)
}

fn because(remark: Remark, stack: &Stack) -> Remark {
    match &stack.reason {
        Some(reason) => remark.because(format!("the service says `{reason}`")),
        None => remark,
    }
}
