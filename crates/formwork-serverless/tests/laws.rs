//! What holds for every template.

use formwork_syntax::{NodeId, Tree, View};
use serde_json::{Value, json};

use crate::cases::{cases, normal, texts};
use crate::run::{Run, run};

/// Returns all nodes below a root.
fn nodes(tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let (mut all, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        all.push(node);
        match tree.view(node) {
            View::List(items) => open.extend(items),
            View::Map => open.extend(tree.entries(node).flat_map(|entry| [entry.key, entry.value])),
            View::Call(_, argument) => open.extend([tree.call_name(node), argument]),
            _ => {}
        }
    }
    all
}

/// Returns the translated cases.
fn runs() -> Vec<(String, Run)> {
    let texts = texts();
    let all = texts.iter().flat_map(|text| cases(text));
    all.map(|case| (case.name.to_owned(), run(case.text, &case.words))).collect()
}

#[test]
fn every_node_comes_from_an_authored_one() {
    let mut generated = 0;
    for (name, run) in runs() {
        for node in nodes(&run.tree, run.root) {
            let authored = run.tree.authored(node);
            assert!(!run.tree.is_generated(authored), "{name}: {:?}", run.tree.text(node));
            assert!(!run.tree.span(authored).is_none(), "{name}: {:?}", run.tree.text(node));
            generated += usize::from(run.tree.is_generated(node));
        }
    }
    assert!(generated > 5_000, "{generated}");
}

#[test]
fn a_second_translation_changes_nothing() {
    for (name, run) in runs() {
        if run.diagnostics.has_errors() {
            continue;
        }
        let text = serde_json::to_string(&run.output()).expect("text keys");
        let again = crate::run::run(&text, &[]);
        assert_eq!(again.root, again.authored, "{name}");
    }
}

#[test]
fn json_is_translated_as_yaml() {
    for text in texts() {
        // An attribute in one string is another value to the translator, and a list in JSON.
        for case in cases(&text).filter(|case| !case.text.contains("\"Fn::GetAtt\": \"F")) {
            let yaml = run(case.text, &case.words);
            let authored = formwork_syntax::Value::new(&yaml.tree, yaml.authored);
            let json = run(&serde_json::to_string(&authored).expect("text keys"), &case.words);
            let (mut one, mut other) = (yaml.answer(), json.answer());
            normal(&mut one);
            normal(&mut other);
            assert_eq!(one, other, "{}", case.name);
        }
    }
}

#[test]
fn a_template_without_the_transform_is_untouched() {
    for text in ["Resources: {F: {Type: AWS::Serverless::Function}}", "Transform: Other\nResources: {A: {Type: B}}"] {
        let run = run(text, &[]);
        assert_eq!(run.root, run.authored);
        assert!(run.diagnostics.is_empty());
    }
}

/// Returns the result for resources.
pub(crate) fn resources(text: &str) -> Value {
    let run = run(&format!("Transform: AWS::Serverless-2016-10-31\nResources:\n{text}"), &[]);
    assert!(!run.diagnostics.has_errors(), "{:?}", run.diagnostics.iter().next());
    run.output()
}

#[test]
fn unchanged_resources_are_shared() {
    let text = "Transform: AWS::Serverless-2016-10-31\nResources:\n  Topic: {Type: AWS::SNS::Topic}\n  T: {Type: AWS::Serverless::SimpleTable}\n";
    let run = run(text, &[]);
    let topic = |root: NodeId| {
        let resources = run.tree.get_text(root, "Resources").expect("a section");
        run.tree.get_text(resources, "Topic").expect("a topic")
    };
    assert_ne!(run.root, run.authored);
    assert_eq!(topic(run.root), topic(run.authored));
}

#[test]
fn paths_of_local_files_are_handed_on() {
    let found = resources(
        "  F: {Type: AWS::Serverless::Function, Properties: {CodeUri: ./src, Handler: a.b, Runtime: python3.13, Role: r}}\n  S: {Type: AWS::Serverless::StateMachine, Properties: {DefinitionUri: flow.asl.json, Role: r}}\n  A: {Type: AWS::Serverless::Application, Properties: {Location: child.yaml}}\n",
    );
    assert_eq!(found["Resources"]["F"]["Properties"]["Code"], "./src");
    assert_eq!(found["Resources"]["S"]["Properties"]["DefinitionS3Location"], "flow.asl.json");
    assert_eq!(found["Resources"]["A"]["Properties"]["TemplateURL"], "child.yaml");
    assert_eq!(found.get("Transform"), None);
}

#[test]
fn an_application_of_the_repository_stays() {
    let application =
        "{Type: AWS::Serverless::Application, Properties: {Location: {ApplicationId: a, SemanticVersion: 1.2.3}}}";
    let found = resources(&format!("  A: {application}\n  T: {{Type: AWS::Serverless::SimpleTable}}\n"));
    assert_eq!(found["Resources"]["A"]["Type"], "AWS::Serverless::Application");
    assert_eq!(found["Resources"]["T"]["Type"], "AWS::DynamoDB::Table");
    assert_eq!(found["Transform"], "AWS::Serverless-2016-10-31");
}

#[test]
fn other_transforms_stay() {
    let text = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]\nResources: {T: {Type: AWS::Serverless::SimpleTable}}";
    assert_eq!(run(text, &[]).output()["Transform"], json!(["AWS::LanguageExtensions"]));
}

#[test]
fn any_of_several_conditions_makes_the_application() {
    let function = |condition: &str| {
        format!(
            "  F{condition}: {{Type: AWS::Serverless::Function, Condition: {condition}, Properties: {{InlineCode: x, Handler: h, Runtime: r, Role: r, AutoPublishAlias: live, DeploymentPreference: {{Type: AllAtOnce, PassthroughCondition: true}}}}}}\n"
        )
    };
    let names: Vec<String> = (0..12).map(|number| format!("C{number:02}")).collect();
    let mut text = "Transform: AWS::Serverless-2016-10-31\nConditions:\n".to_owned();
    text.extend(names.iter().map(|name| format!("  {name}: !Equals [a, b]\n")));
    text.push_str("Resources:\n");
    text.extend(names.iter().map(|name| function(name)));
    let found = run(&text, &[]).output();
    let application = &found["Resources"]["ServerlessDeploymentApplication"];
    assert_eq!(application["Condition"], "ServerlessCodeDeployCondition");
    let named = |name: &str| json!({ "Condition": name });
    let last: Vec<Value> = names.iter().skip(2).map(|name| named(name)).collect();
    assert_eq!(found["Conditions"]["ServerlessCodeDeployCondition1"], json!({ "Fn::Or": last }));
    let all = [named("C00"), named("C01"), named("ServerlessCodeDeployCondition1")];
    assert_eq!(found["Conditions"]["ServerlessCodeDeployCondition"], json!({ "Fn::Or": all }));
}

/// Returns the code, the text at the place, the title and the help of each diagnostic.
fn reported(run: &Run, text: &str) -> Vec<String> {
    let of_one = |one: &formwork_base::Diagnostic| {
        let span = one.span();
        // The first byte of the first file has the position 1.
        let place = text.get(span.start() as usize - 1..span.end() as usize - 1).unwrap_or_default();
        format!("{} {place:?} {} {:?}", one.code, one.message, one.help)
    };
    run.diagnostics.iter().map(of_one).collect()
}

#[test]
fn refusals_are_at_their_places() {
    let text = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Tiemout: 3}}
Resources: {F: {Type: AWS::Serverless::Function}}
";
    let found = reported(&run(text, &[]), text);
    assert_eq!(found, ["FW1401 \"Tiemout\" Tiemout of Function cannot be global [\"did you mean `Timeout`?\"]"]);
    let text = "Transform: AWS::Serverless-2016-10-31
Resources:
  F: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h, Runtime: r, Handlr: y}}
  G: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h, Runtime: r, Tags: [a]}}
  H: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h, Runtime: r, Policies: [{SQSPolerPolicy: {}}]}}
  I: {Type: AWS::Serverless::Function, Properties: {InlineCode: x, Handler: h, Runtime: r}}
  IRole: {Type: AWS::SNS::Topic}
";
    let found = reported(&run(text, &[]), text);
    let want = [
        "FW1401 \"Handlr\" AWS::Serverless::Function has no property Handlr [\"did you mean `Handler`?\"]",
        "FW1401 \"[a]\" Tags of G is a list, not a mapping [\"correct the value: the sentence of the transform has the reason\"]",
        "FW1401 \"SQSPolerPolicy\" a policy of H is neither a document nor a known template [\"did you mean `SQSPollerPolicy`?\"]",
        "FW1406 \"I\" I becomes IRole, and the template has a resource of that name [\"rename one of them: I makes IRole\"]",
    ];
    assert_eq!(found, want);
}

#[test]
fn remarks_are_at_their_places() {
    let text = "Transform: AWS::Serverless-2016-10-31
Parameters: {Name: {Type: String, Default: live}, Key: {Type: String, Default: k, NoEcho: true}}
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: !Sub \"${Key} ${AWS::Region}\"
      Handler: h
      Runtime: r
      AutoPublishAlias: !Ref Name
      Policies: [AWSLambdaExecut]
  A: {Type: AWS::Serverless::Application, Properties: {Location: {ApplicationId: a, SemanticVersion: 1.2.3}}}
";
    let settings = formwork_serverless::Settings { reports_values: true, ..Default::default() };
    let found = reported(&crate::run::run_with(text, settings), text);
    let want = [
        "FW1402 \"AWSLambdaExecut\" AWSLambdaExecut is not a managed policy of AWS [\"did you mean `AWSLambdaExecute`?\"]",
        "FW1403 \"A\" A is an application of the repository, which is not looked up []",
        "FW1405 \"!Sub \\\"${Key} ${AWS::Region}\\\"\" the Region us-east-1 is assumed [\"pass the Region of the stack: `--region REGION`\"]",
        "FW1404 \"!Ref Name\" the value of Name is fixed to live []",
    ];
    assert_eq!(found, want);
    assert!(!run(text, &[]).diagnostics.iter().any(|one| one.message.contains("fixed")));
}
