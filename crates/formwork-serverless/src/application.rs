//! `AWS::Serverless::Application`: a nested stack. An application of the repository stays as it is: its template has to be
//! asked for.

use formwork_base::codes;
use formwork_syntax::NodeId;

use crate::context::{Context, Input, Translated};
use crate::refusal::Refusal;
use crate::report::Remark;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{attributes, tags};

/// Tags of a translated application of the repository.
const RESERVED: [&str; 2] = ["serverlessrepo:applicationId", "serverlessrepo:semanticVersion"];

/// Translates an application; nothing is made of one of the repository.
pub(crate) fn translate(_: &mut Context, input: &Input) -> Translated {
    let own = input.properties.get("Tags").and_then(Value::map);
    for reserved in [tags::OF_FUNCTIONS].into_iter().chain(RESERVED) {
        if let Some(own) = own.filter(|own| own.has(reserved)) {
            return Err(tags::reserved(own, reserved));
        }
    }
    let location = input.properties.get("Location").cloned().unwrap_or_default();
    if location.map().is_some() {
        return Ok(Vec::new());
    }
    let mut stack = Resource::new(&input.id, "AWS::CloudFormation::Stack").from(input.origin);
    stack.attributes = attributes::of_stack(&input.resource);
    stack.set("TemplateURL", location);
    for name in ["Parameters", "NotificationARNs"] {
        stack.set_some(name, input.properties.get(name).filter(|value| !value.is_null()).cloned());
    }
    stack.set("Tags", tags::with_creator(input, tags::OF_FUNCTIONS)?);
    let timeout = input.properties.get("TimeoutInMinutes").filter(|value| !value.is_null());
    stack.set_some("TimeoutInMinutes", timeout.cloned());
    Ok(vec![stack])
}

/// Checks the locations of all applications of the repository, before anything is translated.
pub(crate) fn check_location(cx: &Context, properties: &Map) -> Result<(), Refusal> {
    let missing = |name: &str, around: Option<&Value>| {
        let sentence = format!("Resource is missing the required [{name}] property.");
        Err(Refusal::new(sentence).at(around.and_then(Value::origin)))
    };
    let Some(location) = properties.get("Location") else { return missing("Location", None) };
    let Some(parts) = location.map() else { return Ok(()) };
    for name in ["ApplicationId", "SemanticVersion"] {
        let Some(part) = parts.get(name) else { return missing(name, Some(location)) };
        let resolved = cx.parameters.look_up(&cx.parameters.resolve(part)?);
        if resolved.is_call() {
            let sentence = format!(
                "Property '{name}' cannot be resolved. Only FindInMap and Ref intrinsic functions are supported."
            );
            return Err(Refusal::new(sentence).at(part.origin()));
        }
        if name == "ApplicationId" && resolved.text().is_some_and(|id| id.contains("{{resolve:")) {
            let sentence =
                format!("Serverless Application Repostiory does not support dynamic reference in '{name}' property.");
            return Err(Refusal::new(sentence).at(part.origin()));
        }
        if resolved.text().is_none() {
            let sentence = format!("Property 'Location.{name}' should be a string.");
            return Err(Refusal::new(sentence).at(part.origin()));
        }
    }
    Ok(())
}

/// Returns the remark that an application stays as it is.
pub(crate) fn not_looked_up(id: &str, origin: Option<NodeId>) -> Remark {
    let title = format!("{id} is an application of the repository, which is not looked up");
    let mut remark = Remark::new(codes::SERVERLESS_REPOSITORY, title, origin);
    remark.note = Some("the application and the transform stay in the result: CloudFormation runs it".to_owned());
    remark
}
