//! Selects the resources whose logs are printed.

use formwork_deploy::StackResource;
use formwork_report::{Notice, printable};

use crate::around::Places;

const FUNCTION: &str = "AWS::Lambda::Function";

const LOGGING: [&str; 4] =
    [FUNCTION, "AWS::ApiGateway::RestApi", "AWS::ApiGatewayV2::Api", "AWS::StepFunctions::StateMachine"];

const LOOP: &str = "Fn::ForEach::";

/// Returns the functions among the resources of a stack.
pub fn functions(resources: &[StackResource]) -> Vec<&StackResource> {
    resources.iter().filter(|one| one.kind == FUNCTION && !one.physical_id.is_empty()).collect()
}

/// Returns the resources with a name: a logical ID, a physical ID, or the name of a loop that generates functions.
///
/// # Errors
/// The report of an unknown name, or of a resource without logs.
pub fn named<'r>(
    name: &str,
    stack: &str,
    resources: &'r [StackResource],
    places: &mut dyn FnMut() -> Option<Places>,
) -> Result<Vec<&'r StackResource>, Box<Notice>> {
    let existing = || resources.iter().filter(|one| !one.physical_id.is_empty());
    let found = existing().find(|one| one.path() == name).or_else(|| existing().find(|one| one.physical_id == name));
    if let Some(found) = found {
        if LOGGING.contains(&found.kind.as_str()) {
            return Ok(vec![found]);
        }
        return Err(Box::new(Notice::error(format!("{} ({}) has no logs", printable(name), printable(&found.kind)))));
    }
    let loop_name = name.strip_prefix(LOOP).unwrap_or(name);
    if let Some(mut places) = places() {
        let is_of_loop = |one: &&StackResource| {
            let origin = places.of(&one.within, &one.logical_id, &one.kind);
            origin.is_some_and(|origin| origin.loop_names.iter().any(|known| known == loop_name))
        };
        let of_loop: Vec<&StackResource> = functions(resources).into_iter().filter(is_of_loop).collect();
        if !of_loop.is_empty() {
            return Ok(of_loop);
        }
    }
    let notice = Notice::error(format!("stack {} has no resource {}", printable(stack), printable(name)));
    let functions: Vec<String> = functions(resources).iter().map(|one| printable(&one.path()).into_owned()).collect();
    Err(Box::new(if functions.is_empty() {
        notice.because("it has no functions")
    } else {
        notice.help(format!("its functions are {}", functions.join(", ")))
    }))
}
