//! Services of Amazon ECS, by their task definition.

use super::{Fact, Other, Refusal};
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};
use formwork_syntax::{Kind, NodeId};

const TASK: &str = "TaskDefinition";
const NETWORK: &str = "NetworkConfiguration";

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    let Some(task) = walk.below(at.node, TASK) else { return };
    let Some(other) = walk.referred(task.node).filter(|other| other.kind == "AWS::ECS::TaskDefinition") else {
        return;
    };
    let mode = walk.fact(other.properties, "NetworkMode");
    let is_fargate = walk.fact(Some(at.node), "LaunchType") == Fact::Literal("FARGATE");
    if is_fargate && !may_be_fargate(walk, other) {
        let name = walk.name_of(other);
        let help = format!("write `RequiresCompatibilities: [FARGATE]` and `NetworkMode: awsvpc` in {name}");
        let refusal = Refusal {
            place: task,
            message: "is not compatible with Fargate",
            why: "ECS: `Task definition does not support launch_type FARGATE.`",
            help: &help,
        };
        return walk.under(&[Step::Key(TASK)], |walk| walk.refuse(&refusal, other, "this task definition"));
    }
    networks(walk, at, mode, other);
}

/// Returns `true` if a task definition is compatible with Fargate, or may be.
fn may_be_fargate<'w>(walk: &Walk<'w>, task: Other<'w>) -> bool {
    let list = task.properties.and_then(|node| walk.below(node, "RequiresCompatibilities"));
    let has = |node: NodeId| {
        let tree = walk.tree;
        !tree.is_scalar(node) || tree.text_form(node).eq_ignore_ascii_case("FARGATE")
    };
    match list {
        // One that names nothing is compatible where all of it is.
        None => matches!(walk.fact(task.properties, "NetworkMode"), Fact::Literal("awsvpc") | Fact::Open),
        Some(list) if walk.tree.kind(list.node) == Kind::List => {
            walk.tree.items(list.node).iter().any(|&item| has(item))
        }
        Some(list) => has(list.node),
    }
}

fn networks<'w>(walk: &mut Walk<'w>, at: At, mode: Fact<'w>, task: Other<'w>) {
    // An external deployment has task sets with networks of their own.
    if walk.below(at.node, "DeploymentController").is_some() {
        return;
    }
    match (mode, walk.fact(Some(at.node), NETWORK)) {
        (Fact::Literal("awsvpc"), Fact::Absent) => {
            let refusal = Refusal {
                place: at,
                message: "needs NetworkConfiguration",
                why: "ECS: `Network Configuration must be provided when networkMode 'awsvpc' is specified.`",
                help: "add NetworkConfiguration with the subnets: `AwsvpcConfiguration: {Subnets: [...]}`",
            };
            walk.refuse(&refusal, task, "its NetworkMode is awsvpc");
        }
        (Fact::Literal("bridge" | "host" | "none") | Fact::Absent, Fact::Open) => {
            let Some(place) = walk.below(at.node, NETWORK).filter(|at| walk.tree.kind(at.node) == Kind::Map) else {
                return;
            };
            if !walk.is_plain_object(place.node) {
                return;
            }
            let label = match mode {
                Fact::Literal(mode) => format!("its NetworkMode is {mode}"),
                _ => "it has no NetworkMode, which is then bridge".to_owned(),
            };
            let refusal = Refusal {
                place,
                message: "does not apply to the network mode of the task definition",
                why: "ECS: `Network Configuration is not valid for the given networkMode of this task definition.`",
                help: "remove NetworkConfiguration, or write `NetworkMode: awsvpc` in the task definition",
            };
            walk.under(&[Step::Key(NETWORK)], |walk| walk.refuse(&refusal, task, &label));
        }
        _ => {}
    }
}
