//! Facts about a template that a deployment needs (reference/deploy.md#capabilities).

use formwork_base::{Diagnostic, Frame, Severity, Span};
use formwork_checks::parameters;
use formwork_syntax::{Kind, NodeId, Tree, symbol};
use formwork_template::Section;
use formwork_template::template::{FORMWORK, LANGUAGE_EXTENSIONS, Parameter, SERVERLESS};

use crate::compilation::{Compilation, Replayable};
use crate::stack_arguments::StackArguments;

/// A declared parameter and the value passed for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredParameter {
    /// The name of the parameter.
    pub name: String,
    /// The passed value as CloudFormation accepts it: elements of a list are joined by commas.
    pub given: Option<String>,
    /// `true` if the parameter has a `Default`.
    pub has_default: bool,
    /// `true` if the value must never be shown.
    pub no_echo: bool,
}

/// The declaration of a parameter, for a prompt for its value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ParameterHint {
    /// The type of the parameter; `String` when the declaration has none.
    pub kind: String,
    /// The description of the parameter.
    pub description: Option<String>,
    /// The `AllowedValues` of the parameter.
    pub allowed: Vec<String>,
}

/// A capability that has to be acknowledged, and one of the reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeededCapability {
    /// The name of the capability, such as `CAPABILITY_IAM`.
    pub capability: &'static str,
    /// The cause: a logical ID, or the name of a transform.
    pub by: String,
    /// A description of the cause.
    pub why: String,
    /// The place of the capability.
    pub span: Span,
}

/// A resource and its place in the author's files.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ResourcePlace {
    /// The logical ID of the resource.
    pub id: String,
    /// The type of the resource; empty when the template has none.
    pub kind: String,
    /// The place of the logical ID.
    pub span: Span,
    /// The iterations and module uses that led there, outermost first.
    pub frames: Vec<Frame>,
}

/// The place to which a path below a resource leads.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PathPlace {
    /// The resource, with the place of the deepest part of the path that it has: that of the value, or of the key of an
    /// object.
    pub place: ResourcePlace,
    /// The place of the logical ID of the resource.
    pub name: Span,
    /// The number of keys of the path that the resource has.
    pub depth: usize,
}

/// Types of resources that need `CAPABILITY_IAM`, and the property with a custom name.
const IAM: [(&str, Option<&str>); 8] = [
    ("AWS::IAM::AccessKey", None),
    ("AWS::IAM::Group", Some("GroupName")),
    ("AWS::IAM::InstanceProfile", Some("InstanceProfileName")),
    ("AWS::IAM::ManagedPolicy", Some("ManagedPolicyName")),
    ("AWS::IAM::Policy", None),
    ("AWS::IAM::Role", Some("RoleName")),
    ("AWS::IAM::User", Some("UserName")),
    ("AWS::IAM::UserToGroupAddition", None),
];

/// Returns the value of a parameter as it is passed on a command line: a list joined by commas.
pub(crate) fn argument_text(tree: &Tree, node: NodeId) -> String {
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(","),
        _ => tree.text_form(node).to_owned(),
    }
}

impl Compilation {
    /// Returns `true` if the template names the serverless transform.
    pub fn is_serverless(&self) -> bool {
        self.template.is_serverless()
    }

    /// Returns the parameters that the template declares, in order, and the values that were passed for them.
    pub fn declared_parameters(&self) -> Vec<DeclaredParameter> {
        let tree = &self.tree;
        let arguments = self.replay.as_ref().map_or(&[][..], |replay| &replay.arguments);
        let declared = |parameter: &Parameter| {
            let given = arguments.iter().rev().find(|argument| argument.name == parameter.name);
            DeclaredParameter {
                name: tree.name(parameter.name).to_owned(),
                given: given.map(|argument| argument_text(tree, argument.value)),
                has_default: tree.get(parameter.node, symbol::DEFAULT).is_some(),
                no_echo: parameter.no_echo,
            }
        };
        self.template.parameters.iter().map(declared).collect()
    }

    /// Returns the declaration of a parameter; `None` for a name that is not declared.
    pub fn parameter_hint(&self, name: &str) -> Option<ParameterHint> {
        let tree = &self.tree;
        let parameter = self.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name)?;
        let string = |name| tree.get(parameter.node, name).filter(|&node| tree.is_scalar(node));
        let allowed = tree.get(parameter.node, symbol::ALLOWED_VALUES).filter(|&node| tree.kind(node) == Kind::List);
        Some(ParameterHint {
            kind: string(symbol::TYPE).map_or_else(|| "String".to_owned(), |node| tree.text_form(node).to_owned()),
            description: string(symbol::DESCRIPTION).map(|node| tree.text_form(node).to_owned()),
            allowed: allowed.map_or_else(Vec::new, |list| {
                tree.items(list).iter().map(|&item| tree.text_form(item).to_owned()).collect()
            }),
        })
    }

    /// Returns CloudFormation's sentence for a value that violates the constraints of a declared parameter
    /// (reference/parameters.md#constraints); `None` for a valid value. The sentence never quotes the value.
    pub fn value_refusal(&self, name: &str, value: &str) -> Option<String> {
        let declared = self.template.parameters.iter().find(|parameter| self.tree.name(parameter.name) == name)?;
        parameters::refusal(&self.tree, declared, value)
    }

    /// Returns the values and Defaults of `NoEcho` parameters, for a front end that repeats the messages of others.
    pub fn secret_texts(&self) -> Vec<String> {
        let defaults = self.template.parameters.iter().filter(|parameter| parameter.no_echo);
        let defaults = defaults.filter_map(|parameter| self.tree.get(parameter.node, symbol::DEFAULT));
        let defaults =
            defaults.filter(|&node| self.tree.is_scalar(node)).map(|node| self.tree.text_form(node).to_owned());
        let given = self.declared_parameters().into_iter().filter(|parameter| parameter.no_echo);
        defaults.chain(given.filter_map(|parameter| parameter.given)).collect()
    }

    /// Returns the tags and the policy of the stack from parameters files.
    pub fn stack_arguments(&self) -> &StackArguments {
        &self.stack_arguments
    }

    /// Returns an error if a declared parameter has neither a value nor a Default, and is not among `kept`: the
    /// parameters that the stack already has.
    pub fn missing_values(&self, kept: &[String]) -> Option<Diagnostic> {
        let arguments = self.replay.as_ref().map_or(&[][..], |replay| &replay.arguments);
        let has_value = |parameter: &Parameter| {
            self.tree.get(parameter.node, symbol::DEFAULT).is_some()
                || arguments.iter().any(|argument| argument.name == parameter.name)
                || kept.iter().any(|name| name == self.tree.name(parameter.name))
        };
        let missing = parameters::missing_values(&self.tree, &self.template, has_value);
        missing.map(|diagnostic| diagnostic.severity(Severity::Error))
    }

    /// Returns the capabilities that the template needs, with every reason, in the order of the template.
    /// CloudFormation ignores the values of conditions here.
    pub fn needed_capabilities(&self) -> Vec<NeededCapability> {
        let tree = &self.tree;
        let mut found = Vec::new();
        let is_run_here = |name: &str| {
            [LANGUAGE_EXTENSIONS, FORMWORK].contains(&name)
                || name == SERVERLESS && self.replay.as_ref().is_some_and(|replay| replay.serverless.is_some())
        };
        for transform in &self.template.transforms {
            if !is_run_here(&transform.name) {
                found.push(NeededCapability {
                    capability: "CAPABILITY_AUTO_EXPAND",
                    by: transform.name.clone(),
                    why: "a transform".to_owned(),
                    span: tree.span(transform.node),
                });
            }
        }
        let root = self.replay.as_ref().map_or(self.root, Replayable::deployed);
        let Some(resources) = tree.get(root, Section::Resources.symbol()) else { return found };
        for entry in tree.entries(resources) {
            let Some(kind) = tree.get(entry.value, symbol::TYPE).and_then(|node| tree.string(node)) else { continue };
            let Some(&(_, name)) = IAM.iter().find(|(iam, _)| *iam == kind) else { continue };
            let properties = tree.get(entry.value, symbol::PROPERTIES);
            let is_named = name.zip(properties).is_some_and(|(name, node)| tree.get_text(node, name).is_some());
            found.push(NeededCapability {
                capability: if is_named { "CAPABILITY_NAMED_IAM" } else { "CAPABILITY_IAM" },
                by: tree.text(entry.key).to_owned(),
                why: match name.filter(|_| is_named) {
                    Some(name) => format!("{kind} with a {name}"),
                    None => kind.to_owned(),
                },
                span: tree.span(entry.key),
            });
        }
        found
    }

    /// Returns the `Type` of a resource of the expanded template.
    pub fn resource_type(&self, logical_id: &str) -> Option<&str> {
        let tree = &self.tree;
        let root = self.replay.as_ref().map_or(self.root, |replay| replay.expanded);
        let resources = tree.get(root, Section::Resources.symbol())?;
        let own = tree.entries(resources).find(|entry| tree.text(entry.key) == logical_id)?;
        tree.get(own.value, symbol::TYPE).and_then(|node| tree.string(node))
    }

    /// Returns `true` if the template has the resource, but its condition is false.
    pub fn is_left_out(&self, logical_id: &str) -> bool {
        let has = |root| {
            let resources = self.tree.get(root, Section::Resources.symbol());
            resources.is_some_and(|resources| self.tree.get_text(resources, logical_id).is_some())
        };
        self.replay.as_ref().is_some_and(|replay| has(replay.expanded)) && !has(self.root)
    }

    /// Returns the place of a path below a resource, such as `Properties`, `Tags`, `0`: a number is an index in a list.
    /// `None` for a resource that the expanded template does not have.
    pub fn path_place(&self, logical_id: &str, keys: &[String]) -> Option<PathPlace> {
        self.section_path_place("Resources", logical_id, keys)
    }

    /// Returns the place of a path below an entry of any section, such as `Outputs`.
    pub fn section_path_place(&self, section: &str, name: &str, keys: &[String]) -> Option<PathPlace> {
        let tree = &self.tree;
        let root = self.replay.as_ref().map_or(self.root, |replay| replay.expanded);
        let section = tree.get_text(root, section)?;
        let own = tree.entries(section).find(|entry| tree.text(entry.key) == name)?;
        let own_frame = tree.frame_of(own.key);
        let (mut at, mut span, mut frame, mut depth) = (own.value, tree.span(own.key), own_frame, 0);
        for key in keys {
            let (key_node, value) = match tree.kind(at) {
                Kind::Map => match tree.entries(at).find(|entry| tree.text(entry.key) == key) {
                    Some(entry) => (Some(entry.key), entry.value),
                    None => break,
                },
                Kind::List => {
                    match key.parse().ok().and_then(|at_index: usize| tree.items(at).get(at_index).copied()) {
                        Some(item) => (None, item),
                        None => break,
                    }
                }
                _ => break,
            };
            // An object or list is shown by its key, or by its own first key.
            let first = match tree.kind(value) {
                Kind::Map => key_node.or_else(|| tree.entries(value).next().map(|entry| entry.key)),
                Kind::List => key_node,
                _ => None,
            };
            let found = tree.span(first.unwrap_or(value));
            if !found.is_none() {
                span = found;
            }
            for node in key_node.into_iter().chain([value]) {
                let own = tree.frame_of(node);
                if !own.is_none() && !tree.frames().is_relative(own) {
                    frame = own;
                }
            }
            (at, depth) = (value, depth + 1);
        }
        let kind = tree.get(own.value, symbol::TYPE).and_then(|node| tree.string(node)).unwrap_or_default().to_owned();
        let place = ResourcePlace { id: name.to_owned(), kind, span, frames: tree.frame_chain(frame) };
        Some(PathPlace { place, name: tree.span(own.key), depth })
    }

    /// Returns every resource of the expanded template, in order, whatever its condition is.
    pub fn resource_places(&self) -> Vec<ResourcePlace> {
        let tree = &self.tree;
        let root = self.replay.as_ref().map_or(self.root, |replay| replay.expanded);
        let Some(resources) = tree.get(root, Section::Resources.symbol()) else { return Vec::new() };
        let place = |key: NodeId, value: NodeId| ResourcePlace {
            id: tree.text(key).to_owned(),
            kind: tree.get(value, symbol::TYPE).and_then(|node| tree.string(node)).unwrap_or_default().to_owned(),
            span: tree.span(key),
            frames: tree.frame_chain(tree.frame_of(key)),
        };
        tree.entries(resources).map(|entry| place(entry.key, entry.value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use formwork_base::MemoryHost;

    use super::*;
    use crate::{Goal, Options, Session, SourceFile};

    #[test]
    fn a_resource_under_a_false_condition_is_left_out() {
        let template = "Parameters: {Stage: {Type: String, Default: dev}}
Conditions: {IsProd: !Equals [!Ref Stage, prod], Known: !Equals [!Ref 'AWS::AccountId', '1']}
Resources:
  Store: {Type: AWS::S3::Bucket, Condition: IsProd}
  Maybe: {Type: AWS::S3::Bucket, Condition: Known}
  Always: {Type: AWS::S3::Bucket}
";
        let compilation = compile(template, &[]);
        let left_out = ["Store", "Maybe", "Always", "Nowhere"].map(|id| compilation.is_left_out(id));
        assert_eq!(left_out, [true, false, false, false]);
    }

    fn compile(template: &str, files: &[&str]) -> Arc<Compilation> {
        let host = MemoryHost::new().with("t.yaml", template);
        let file = |text: &&str| SourceFile {
            path: "p.yaml".to_owned(),
            display: "p.yaml".to_owned(),
            bytes: text.as_bytes().to_vec().into(),
        };
        let options = Options { parameter_files: files.iter().map(file).collect(), ..Options::default() };
        Session::new(&host, options).compile("t.yaml", Goal::Deploy)
    }

    #[test]
    fn values_that_break_a_constraint_have_the_sentence_of_the_service() {
        let template = "Parameters:
  Stage: {Type: String, AllowedValues: [dev, prod]}
  Name: {Type: String, AllowedPattern: '[a-z]+', ConstraintDescription: small letters alone}
  Ports: {Type: List<Number>, MaxValue: 90}
  Key: {Type: String, MinLength: 4, NoEcho: true}
Resources: {T: {Type: AWS::SNS::Topic}}
";
        let compilation = compile(template, &[]);
        let refusal = |name, value| compilation.value_refusal(name, value);
        assert_eq!(refusal("Stage", "test").as_deref(), Some("Parameter 'Stage' must be one of AllowedValues"));
        let words = "Parameter Name failed to satisfy constraint: small letters alone";
        assert_eq!(refusal("Name", "A").as_deref(), Some(words));
        assert_eq!(
            refusal("Ports", "80,443").as_deref(),
            Some("Parameter 'Ports' must be a number not greater than 90")
        );
        assert_eq!(refusal("Ports", "x").as_deref(), Some("Parameter 'Ports' must be a number."));
        assert_eq!(refusal("Key", "abc").as_deref(), Some("Parameter 'Key' must contain at least 4 characters"));
        let long = "x".repeat(4097);
        assert!(refusal("Key", &long).is_some_and(|sentence| sentence.ends_with("is greater than 4096.")));
        for (name, value) in [("Stage", "dev"), ("Name", "ab"), ("Ports", "80, 90"), ("Key", "abcd"), ("Gone", "x")] {
            assert_eq!(refusal(name, value), None, "{name}");
        }
    }

    #[test]
    fn a_path_leads_to_the_deepest_part_that_a_resource_has() {
        let template = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Stores:
    - Name
    - [Logs, Data]
    - Store${Name}:
        Type: AWS::S3::Bucket
        Properties:
          VersioningConfiguration:
            Status: On
          Tags: [{Key: a, Value: b}, {Key: c}]
";
        let compilation = compile(template, &[]);
        let place = |path: &str| {
            let keys: Vec<String> = path.split('/').map(str::to_owned).collect();
            let found = compilation.path_place("StoreData", &keys).expect("a resource");
            let at = compilation.sources().place(found.place.span).expect("a place");
            let items: Vec<String> = found.place.frames.iter().filter_map(|frame| frame.value.clone()).collect();
            (at.line, at.column, found.depth, items.join(" "))
        };
        let data = || "Data".to_owned();
        assert_eq!(place("Properties/VersioningConfiguration/Status"), (10, 21, 3, data()));
        assert_eq!(place("Properties/VersioningConfiguration/Other"), (9, 11, 2, data()));
        assert_eq!(place("Properties/Tags/1/Value"), (11, 39, 3, data()));
        assert_eq!(place("Properties/Tags/7"), (11, 11, 2, data()));
        assert_eq!(place("Gone"), (6, 7, 0, data()));
        assert_eq!(compilation.path_place("StoreNone", &[]), None);
    }

    #[test]
    fn capabilities_and_their_reasons() {
        let template = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Conditions: {Never: !Equals [a, b]}
Resources:
  Fn::ForEach::Roles:
    - Name
    - [A, B]
    - Role${Name}: {Type: AWS::IAM::Role, Condition: Never, Properties: {AssumeRolePolicyDocument: {}}}
  Named: {Type: AWS::IAM::User, Properties: {UserName: ann}}
  Policy: {Type: AWS::IAM::Policy, Properties: {PolicyName: p, PolicyDocument: {}, Users: [!Ref Named]}}
  Topic: {Type: AWS::SNS::Topic}
";
        let needed = compile(template, &[]).needed_capabilities();
        let found: Vec<(&str, &str)> = needed.iter().map(|one| (one.capability, one.by.as_str())).collect();
        let want = [
            ("CAPABILITY_AUTO_EXPAND", "AWS::Serverless-2016-10-31"),
            ("CAPABILITY_IAM", "RoleA"),
            ("CAPABILITY_IAM", "RoleB"),
            ("CAPABILITY_NAMED_IAM", "Named"),
            ("CAPABILITY_IAM", "Policy"),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn parameters_tags_and_policies_of_files() {
        let template = "Parameters:
  A: {Type: String}
  B: {Type: CommaDelimitedList, Default: x}
  C: {Type: String, NoEcho: true, Default: hidden}
Resources: {T: {Type: 'AWS::SNS::Topic'}}
";
        let first = "{Parameters: {A: 1, B: [x, y]}, Tags: {Team: shop, Cost: 7}, StackPolicy: {Statement: []}}";
        let second = "[{ParameterKey: A, UsePreviousValue: true}]";
        let compiled = compile(template, &[first, second]);
        let declared = compiled.declared_parameters();
        let given: Vec<Option<&str>> = declared.iter().map(|one| one.given.as_deref()).collect();
        assert_eq!(given, [None, Some("x,y"), None]);
        assert_eq!(compiled.secret_texts(), ["hidden"]);
        let StackArguments { tags, policy } = compiled.stack_arguments();
        assert_eq!(tags, &[("Team".to_owned(), "shop".to_owned()), ("Cost".to_owned(), "7".to_owned())]);
        assert!(policy.as_ref().is_some_and(|policy| policy.contains("\"Statement\"")), "{policy:?}");
        // The tags of a plain map of parameters are a parameter.
        assert_eq!(compile(template, &["{A: 1, Tags: {Team: shop}}"]).stack_arguments().tags, []);
        let listed = compile(template, &["{Parameters: {A: 1}, Tags: [{Key: Team, Value: shop}]}"]);
        assert_eq!(listed.stack_arguments().tags, [("Team".to_owned(), "shop".to_owned())]);
        assert!(compile(template, &["{Parameters: {A: 1}, Tags: [Team]}"]).has_errors());
    }

    #[test]
    fn values_that_nobody_passes() {
        let template =
            "Parameters: {A: {Type: String}, B: {Type: String}}\nResources: {T: {Type: 'AWS::SNS::Topic'}}\n";
        let compiled = compile(template, &[]);
        assert!(!compiled.has_errors());
        assert_eq!(compiled.missing_values(&["A".to_owned(), "B".to_owned()]), None);
        let missing = compiled.missing_values(&["A".to_owned()]).expect("B has no value");
        assert_eq!(missing.severity, Severity::Error);
        assert_eq!(missing.message, "B has no value and no Default");
    }
}
