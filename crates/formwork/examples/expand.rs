// Expands a template in memory to a string, and returns its diagnostics as JSON, as a browser or a binding does.
#![allow(missing_docs, reason = "a program")]
use formwork::{Format, Goal, MemoryHost, Options, Session, Values};

const TEMPLATE: &str = "\
Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList}
Resources:
  Fn::ForEach::Topics:
    - Name
    - !Ref Names
    - Topic${Name}:
        Type: AWS::SNS::Topic
        Properties: {DisplayName: !Ref Name}
";

/// The template in JSON, or nothing when there are errors, and the diagnostics as a JSON list.
fn expand(text: &str, names: &str) -> (Option<String>, String) {
    let options = Options::default().with_parameter("Names", names).with_values(Values::Resolve);
    let session = Session::new(MemoryHost::new().with("template.yaml", text), options);
    let result = session.compile("template.yaml", Goal::Expand);
    let findings: Vec<_> = result.diagnostics().iter().map(|found| found.resolve(result.sources())).collect();
    let json = serde_json::to_string(&findings).expect("findings are plain data");
    let output = result.output().ok().map(|output| output.render(Some(Format::Json)));
    (output, json)
}

fn main() {
    let (output, findings) = expand(TEMPLATE, "Orders,Users");
    let output: serde_json::Value = serde_json::from_str(&output.expect("no errors")).expect("JSON");
    let resources = output["Resources"].as_object().expect("an object");
    assert_eq!(resources.keys().collect::<Vec<_>>(), ["TopicOrders", "TopicUsers"]);
    assert_eq!(resources["TopicUsers"]["Properties"]["DisplayName"], "Users");
    assert_eq!(findings, "[]");

    // Two items that generate the same key are an error: nothing is written, and each finding has its place.
    let (output, findings) = expand(TEMPLATE, "Orders,Orders");
    assert_eq!(output, None);
    let findings: serde_json::Value = serde_json::from_str(&findings).expect("JSON");
    assert_eq!((&findings[0]["code"], &findings[0]["severity"]), (&"FW0303".into(), &"error".into()));
    assert_eq!((&findings[0]["file"], &findings[0]["line"]), (&"template.yaml".into(), &8.into()));
}
