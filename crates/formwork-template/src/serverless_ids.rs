//! Logical IDs of the resources that `AWS::Serverless-2016-10-31` generates (reference/structure.md#serverless-ids): a
//! template may refer to them, and does not declare them.

use formwork_syntax::{Kind, NodeId, Tree, symbol};

/// Names that depend on no name of the template.
const FIXED: [&str; 11] = [
    "CodeDeployServiceRole",
    "ServerlessApiKey",
    "ServerlessDeploymentApplication",
    "ServerlessHttpApi",
    "ServerlessHttpApiApiGatewayDefaultStage",
    "ServerlessHttpApiDeployment#",
    "ServerlessRestApi",
    "ServerlessRestApiDeployment#",
    "ServerlessRestApiProdStage",
    "ServerlessUsagePlan",
    "ServerlessUsagePlanKey",
];

/// Suffixes of the logical ID of a resource, by type. `@` is the name of one of its events, `*` anything, `#` a hash or
/// nothing.
const OF_TYPES: [(&str, &[&str]); 9] = [
    (
        "AWS::Serverless::Function",
        &[
            "Alias*",
            "DeploymentGroup",
            "EventInvokeConfig*",
            "Role",
            "URLInvokeAllowPublicAccess",
            "Url",
            "UrlPublicPermissions",
            "Version#",
            "@",
            "@DeadLetterQueue",
            "@DeadLetterQueuePolicy",
            "@EventSourceMapping",
            "@LambdaPermission",
            "@Permission*",
            "@Queue",
            "@QueuePolicy",
            "@Role",
        ],
    ),
    (
        "AWS::Serverless::StateMachine",
        &["Alias*", "Role", "Version#", "@", "@Permission*", "@Queue", "@QueuePolicy", "@Role", "EventsRole"],
    ),
    (
        "AWS::Serverless::Api",
        &[
            "*Stage",
            "Account",
            "ApiKey",
            "CloudWatchRole",
            "Deployment#",
            "UsagePlan",
            "UsagePlanKey",
            "*AuthorizerPermission",
            "*BasePathMapping",
            "*DomainName*",
            "*GatewayResponse*",
        ],
    ),
    ("AWS::Serverless::HttpApi", &["*ApiMapping", "*AuthorizerPermission", "*DomainName*", "*Stage", "Deployment#"]),
    ("AWS::Serverless::WebSocketApi", &["*"]),
    ("AWS::Serverless::GraphQLApi", &["*"]),
    ("AWS::Serverless::CapacityProvider", &["*Role"]),
    ("AWS::Serverless::LayerVersion", &["#"]),
    ("AWS::Serverless::Connector", &["Policy", "*Permission", "*Policy"]),
];

/// Names with a hash that depend on no name of the template.
const HASHED: [&str; 4] = ["ApiGatewayDomainName#", "ApiGatewayDomainNameV2#", "RecordSetGroup#", "UsagePlan#"];

/// Minimum number of digits of a hash.
const HASH: usize = 6;

/// Maximum length of a name that is compared, in bytes.
const LONGEST: usize = 300;

/// Returns `true` when the serverless transform generates a resource with this name from those of the template. A name
/// with a dot refers to a part of a serverless resource: `Function.Alias`, `Api.Stage`.
pub fn is_made(tree: &Tree, resources: NodeId, name: &str) -> bool {
    if name.len() > LONGEST {
        return false;
    }
    if FIXED.iter().chain(&HASHED).any(|pattern| matches(pattern, name, &|_| false)) {
        return true;
    }
    let prefixes = (1..name.len()).filter(|&at| name.is_char_boundary(at));
    prefixes.into_iter().any(|at| {
        let (id, rest) = name.split_at(at);
        tree.get_text(resources, id).is_some_and(|resource| is_made_of(tree, resource, rest))
    })
}

/// Most names that [`names`] returns.
const MOST_NAMES: usize = 2000;

/// Returns names that the serverless transform generates from the resources of a template: those without a hash and
/// without a part that may be anything.
pub fn names(tree: &Tree, resources: NodeId) -> Vec<String> {
    let is_plain = |pattern: &&str| !pattern.contains('*');
    let mut names: Vec<String> = Vec::new();
    for entry in tree.entries(resources) {
        let kind = tree.get(entry.value, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
        let Some((_, patterns)) = OF_TYPES.iter().find(|(known, _)| *known == kind) else { continue };
        let id = tree.text(entry.key);
        let events = tree.get(entry.value, symbol::PROPERTIES).and_then(|node| tree.get_text(node, "Events"));
        let events: Vec<&str> =
            events.into_iter().flat_map(|events| tree.entries(events)).map(|event| tree.text(event.key)).collect();
        for pattern in patterns.iter().filter(|pattern| is_plain(pattern)) {
            let suffix = pattern.trim_end_matches('#');
            match suffix.strip_prefix('@') {
                Some(rest) => names.extend(events.iter().map(|event| format!("{id}{event}{rest}"))),
                None => names.push(format!("{id}{suffix}")),
            }
        }
        if names.len() > MOST_NAMES {
            break;
        }
    }
    names.extend(FIXED.iter().map(|pattern| pattern.trim_end_matches('#').to_owned()));
    names
}

fn is_made_of(tree: &Tree, resource: NodeId, rest: &str) -> bool {
    if connectors(tree, resource, rest) {
        return true;
    }
    let kind = tree.get(resource, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
    if kind.starts_with("AWS::Serverless::") && rest.starts_with('.') {
        return true;
    }
    let Some((_, patterns)) = OF_TYPES.iter().find(|(known, _)| *known == kind) else { return false };
    let events = tree.get(resource, symbol::PROPERTIES).and_then(|properties| tree.get_text(properties, "Events"));
    let is_event = |name: &str| match events {
        // A macro may write the events.
        Some(events) if tree.kind(events) != Kind::Map || tree.get(events, symbol::FN_TRANSFORM).is_some() => true,
        Some(events) => tree.get_text(events, name).is_some(),
        None => false,
    };
    patterns.iter().any(|pattern| matches(pattern, rest, &is_event))
}

fn connectors(tree: &Tree, resource: NodeId, rest: &str) -> bool {
    let Some(connectors) = tree.get_text(resource, "Connectors") else { return false };
    tree.entries(connectors).any(|entry| rest.starts_with(tree.text(entry.key)))
}

fn matches(pattern: &str, text: &str, is_event: &dyn Fn(&str) -> bool) -> bool {
    let Some(first) = pattern.chars().next() else { return text.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let ends = |from: usize| (from..=text.len()).filter(|&end| text.is_char_boundary(end));
    match first {
        '@' => ends(1).any(|end| is_event(&text[..end]) && matches(rest, &text[end..], is_event)),
        '*' => ends(0).any(|end| matches(rest, &text[end..], is_event)),
        '#' => text.is_empty() || text.len() >= HASH && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => text.strip_prefix(first).is_some_and(|text| matches(rest, text, is_event)),
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};
    use formwork_syntax::symbol;

    use super::*;

    const TEMPLATE: &str = "
Resources:
  Fn:
    Type: AWS::Serverless::Function
    Properties: {Events: {Get: {Type: Api}}}
  Api: {Type: AWS::Serverless::Api}
  Http: {Type: AWS::Serverless::HttpApi}
  Flow: {Type: AWS::Serverless::StateMachine}
  Topic: {Type: AWS::SNS::Topic, Connectors: {Send: {}}}
";

    fn is_made_here(name: &str) -> bool {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new("t.yaml"), TEMPLATE).expect("room");
        let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new()).root;
        is_made(&tree, tree.get(root, symbol::RESOURCES).expect("a section"), name)
    }

    #[test]
    fn made_names_follow_from_names_and_types() {
        for name in [
            "FnRole",
            "FnVersion",
            "FnVersion0a1b2c3d4e",
            "FnAliaslive",
            "FnGet",
            "FnGetPermissionProd",
            "FnUrl",
            "FnUrlPublicPermissions",
            "FnEventInvokeConfigOnFailureQueue",
            "Fn.Alias",
            "ApiProdStage",
            "ApiStage",
            "ApiDeployment0123456789",
            "HttpApiGatewayDefaultStage",
            "FlowRole",
            "TopicSendPolicy",
            "ServerlessRestApi",
            "ServerlessRestApiDeploymentabcdef0123",
        ] {
            assert!(is_made_here(name), "{name}");
        }
    }

    #[test]
    fn other_names_are_not_made() {
        for name in [
            "Fn",
            "FnRoel",
            "FnPut",
            "FnGett",
            "FnPermission",
            "ApiRole",
            "TopicRole",
            "Topic.Alias",
            "FnVersionzz",
            "ServerlessRestApiStage",
            "Role",
            "",
        ] {
            assert!(!is_made_here(name), "{name}");
        }
    }
}
