//! Stages of REST APIs: with a deployment of the same API.

use super::Refusal;
use crate::checks::schemas::step::Step;
use crate::checks::schemas::walk::{At, Walk};

pub(super) fn check(walk: &mut Walk<'_>, at: At) {
    const API: &str = "RestApiId";
    let Some(place) = walk.below(at.node, "DeploymentId") else { return };
    let Some(deployment) = walk.referred(place.node).filter(|other| other.kind == "AWS::ApiGateway::Deployment") else {
        return;
    };
    let own = walk.below(at.node, API).and_then(|api| walk.referred(api.node));
    let of_deployment = deployment.properties.and_then(|node| walk.below(node, API));
    let of_deployment = of_deployment.and_then(|api| walk.referred(api.node));
    let (Some(own), Some(other)) = (own, of_deployment) else { return };
    if own.id == other.id || [own, other].iter().any(|api| api.kind != "AWS::ApiGateway::RestApi") {
        return;
    }
    let message = format!("is a deployment of {}, and the stage is one of {}", walk.name_of(other), walk.name_of(own));
    let refusal = Refusal {
        place,
        message: &message,
        why: "a stage has a deployment of its own API",
        help: "refer to a deployment of the same API",
    };
    walk.under(&[Step::Key("DeploymentId")], |walk| walk.refuse(&refusal, deployment, "this deployment"));
}
