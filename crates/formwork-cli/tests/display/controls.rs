//! Names, paths and values with control characters in every place, through every command.

use super::project::{Project, Run};

/// Ends a line, sets a title, clears a screen, sets a colour of its own, reorders text.
const RAW: &str =
    "x\u{1b}]0;t\u{7}\u{9b}2J\u{1b}[2J\u{1b}[35;7m\r\u{8}\u{7f}\u{85}\u{61c}\u{200e}\u{202e}\u{2066}\u{2028}\u{200b}y";
/// The same in double quotes of YAML.
const YAML: &str = r"x\e]0;t\a\x9b2J\e[2J\e[35;7m\r\b\x7f\x85\u061c\u200e\u202e\u2066\u2028\u200by";

fn template(text: &str) -> String {
    text.replace('@', YAML)
}

/// A template with many errors, and one without errors.
fn project(name: &str) -> Project {
    let faulty = template(
        "Transform: AWS::LanguageExtensions
Description: \"@\"
\"Extra@\": 1
Parameters:
  \"Para@\": {Type: \"String@\", Default: \"@\", AllowedValues: [\"a@\"]}
  Stage: {Type: String, Default: dev, AllowedPattern: \"[@\", ConstraintDescription: \"@\"}
Conditions:
  \"Cond@\": !Equals [\"@\", !Ref \"Nowhere@\"]
Mappings:
  \"Map@\": {\"Top@\": {\"Second@\": \"@\"}}
Rules:
  \"Rule@\":
    Assertions:
      - {Assert: !Equals [!Ref Stage, \"@\"], AssertDescription: \"@\"}
Resources:
  \"Id@\": {Type: \"AWS::X::Y@\", \"Attribute@\": \"@\", DependsOn: \"Other@\"}
  \"Id@\": {Type: AWS::SNS::Topic}
  Topic:
    Type: AWS::SNS::Topic
    Condition: \"Missing@\"
    Properties:
      A: !Ref \"Gone@\"
      B: !GetAtt [\"Gone@\", \"Arn@\"]
      C: !Sub \"${Gone@}\"
      D: !FindInMap [\"Map@\", \"No@\", \"Second@\"]
      E: !Select [\"@\", [a]]
      F: !Unknown \"@\"
  \"Fn::ForEach::Loop@\": [\"Name@\", [\"a@\", \"a@\"], {\"Key${Name@}\": {Type: \"@\"}}]
  Fn::ForEach::Twins: [Name, [\"a@\", \"a@\"], {\"Key${Name}\": {Type: \"@\"}}]
Outputs:
  \"Out@\": {Description: \"@\", Export: {Name: \"@\"}}
",
    );
    let sound = template(
        "Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: \"@\"}
Mappings:
  Map: {Top: {Second: \"@\"}}
Rules:
  \"Rule@\":
    Assertions:
      - {Assert: !Equals [!Ref Stage, other], AssertDescription: \"@\"}
Resources:
  Fn::ForEach::Topics:
    - Name
    - [\"A@\", \"B@\"]
    - Topic&{Name}:
        Type: AWS::SNS::Topic
        Metadata: {\"Key@\": \"@\", Name: !Ref Name, Stage: !Ref Stage, Looked: !FindInMap [Map, Top, Second], At: !Ref AWS::StackName}
        Properties:
          DisplayName: !Sub \"${Name}@${AWS::Region}\"
  Function:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: \"code@\", Handler: \"@\"}
",
    );
    let linked = template(
        "Packages: {kit: {Source: \"@.zip\"}}
Constants: {\"Const@\": \"@\"}
Modules:
  Sub: {Source: module.yaml, Properties: {Label: \"@\", \"More@\": 1}}
  \"Bad@\": {Source: \"@.yaml\"}
  Far: {Source: \"https://host/@\"}
  Wrapped: {Source: $kit/inner.yaml}
Resources:
  R: {Type: AWS::SNS::Topic, Properties: {A: !GetAtt Sub.Nothing, B: !Ref \"Const::@\", C: {Fn::InsertFile: \"@\"}}}
",
    );
    let module = template(
        "Description: \"@\"
Parameters:
  \"Label\": {Type: \"String@\", Default: \"@\", Description: \"@\"}
  \"Other@\": {Type: String, Default: [\"@\"]}
ParameterSchema:
  Label: {Type: String, Pattern: \"@\", Enum: [\"@\"], Properties: {\"@\": {Type: \"@\"}}}
Modules:
  \"Inner@\": {Source: \"@\"}
Resources:
  \"Box@\": {Type: \"AWS::X::@\", Condition: \"@\", Properties: {A: !Ref Label}}
Outputs:
  \"Out@\": {Description: \"@\", Condition: \"@\", Value: !Ref Label}
",
    );
    let rain = template(
        "Resources:
  A:
    Type: AWS::SNS::Topic
    Metadata: {Rain: {\"Helper@\": 1}}
    Properties:
      B: !Rain::Env \"@\"
      C: {\"Rain::Do@\": x}
",
    );
    let account = template(
        "{\"FormworkAccountSnapshot\": \"1\", \"Extra@\": 1, \"Region\": \"r@\", \"Types\": {\"T@\": [\"@\"]}}",
    );
    let raw = format!("Resources:\n  # {RAW}\n  Id{RAW}: {{Type: [\n");
    Project::new(name)
        .with("faulty.yaml", &faulty)
        .with("sound.yaml", &sound)
        .with("linked.yaml", &linked)
        .with("module.yaml", &module)
        .with("rain.yaml", &rain)
        .with("account.json", &account.replace(r"\e", r"\u001b").replace(r"\a", r"\u0007").replace(r"\x", r"\u00"))
        .with("raw.yaml", &raw)
        .with("broken.yaml", "a: [")
        .with("list.json", &serde_json::json!([format!("Stage{RAW}={RAW}")]).to_string())
        .with("wrong.json", &serde_json::json!([RAW]).to_string())
        .with(&format!("dir{}/t{}.yaml", RAW.replace('/', ""), RAW.replace('/', "")), &faulty)
        .with("config/samconfig.toml", &format!("[\"{}\"]\nx = {RAW}\n", "a"))
        .with(
            "config/named.toml",
            &format!("[default.deploy.parameters]\nparameter_overrides = {}\n", serde_json::json!([RAW]))
                .replace("\\u007f", "\\u007F"),
        )
        .with("config/template.yaml", &sound)
}

/// Words of the command line, `@` for the raw text.
const RUNS: &[&[&str]] = &[
    &["check", "faulty.yaml"],
    &["check", "faulty.yaml", "--message-format", "short"],
    &["check", "faulty.yaml", "--message-format", "json"],
    &["check", "raw.yaml"],
    &["check", "sound.yaml", "--verbose"],
    &["check", "linked.yaml"],
    &["check", "linked.yaml", "--message-format", "json"],
    &["check", "dir@/t@.yaml"],
    &["check", "dir@/t@.yaml", "--message-format", "short"],
    &["check", "dir@/t@.yaml", "--message-format", "json"],
    &["check", "missing@.yaml"],
    &["check", "sound.yaml", "--account", "account.json", "--region", "q@"],
    &["check", "sound.yaml", "--parameters-file", "list.json"],
    &["check", "sound.yaml", "--parameters-file", "wrong.json"],
    &["check", "sound.yaml", "--parameters-file", "@.json"],
    &["check", "sound.yaml", "--parameter-overrides", "Stage=@", "Unknown@=1"],
    &["check", "sound.yaml", "--parameter-overrides", "@"],
    &["check", "sound.yaml", "--parameter-overrides", "file://@"],
    &["check", "sound.yaml", "--pseudo", "@"],
    &["check", "sound.yaml", "--pseudo", "@=1"],
    &["check", "sound.yaml", "--config-file", "@"],
    &["check", "sound.yaml", "--config-file", "config/samconfig.toml"],
    &["check", "sound.yaml", "--config-file", "config/named.toml"],
    &["check", "sound.yaml", "--config-env", "@"],
    &["check", "sound.yaml", "--project-root", "@"],
    &["check", "sound.yaml", "--allow-remote", "@"],
    &["check", "sound.yaml", "--compat", "@"],
    &["check", "sound.yaml", "--@"],
    &["check", "--explain", "@"],
    &["check", "--explain", "FW0303"],
    &["@"],
    &["expand", "faulty.yaml"],
    &["expand", "linked.yaml"],
    &["expand", "sound.yaml", "-o", "no@/where.yaml"],
    &["expand", "sound.yaml", "--format", "@"],
    &["expand", "sound.yaml", "-o", "out.yaml", "--source-map", "no@/map.json"],
    &["resolve", "faulty.yaml"],
    &["explain", "sound.yaml", "Resources.TopicAx0t2J2J357mxy"],
    &["explain", "sound.yaml", "Resources.@"],
    &["explain", "sound.yaml", "Parameters.Stage"],
    &["explain", "sound.yaml", "Mappings.Map.Top.Second"],
    &["explain", "sound.yaml", "Resources.Function.Properties.Handler"],
    &["explain", "sound.yaml", "Resources.Function", "--format", "json"],
    &["explain", "sound.yaml", "--at", "sound.yaml:17"],
    &["explain", "sound.yaml", "--at", "sound.yaml:16"],
    &["explain", "sound.yaml", "--at", "sound.yaml:18", "--format", "json"],
    &["explain", "sound.yaml", "--at", "@"],
    &["explain", "sound.yaml", "--at", "@:1"],
    &["explain", "sound.yaml", "--verify"],
    &["explain", "faulty.yaml", "Resources"],
    &["rules", "check", "sound.yaml"],
    &["rules", "check", "sound.yaml", "--format", "json"],
    &["rules", "check", "faulty.yaml"],
    &["rules", "solve", "sound.yaml"],
    &["rules", "solve", "sound.yaml", "@"],
    &["rules", "solve", "sound.yaml", "--format", "json"],
    &["rules", "table", "sound.yaml"],
    &["rules", "table", "sound.yaml", "--format", "json"],
    &["validate", "faulty.yaml"],
    &["package", "sound.yaml", "--plan"],
    &["package", "sound.yaml", "--s3-bucket", "file:store"],
    &["package", "linked.yaml", "--plan"],
    &["graph", "sound.yaml"],
    &["graph", "sound.yaml", "--format", "json"],
    &["graph", "sound.yaml", "--format", "mermaid"],
    &["graph", "sound.yaml", "--format", "svg"],
    &["graph", "faulty.yaml"],
    &["schemas", "AWS::@"],
    &["plan", "sound.yaml", "--old", "module.yaml"],
    &["plan", "sound.yaml", "--old", "module.yaml", "--format", "json"],
    &["plan", "sound.yaml", "--old", "module.yaml", "--format", "markdown"],
    &["modules", "doc", "module.yaml"],
    &["modules", "doc", "faulty.yaml"],
    &["modules", "doc", "@.yaml"],
    &["modules", "doc", "dir@/t@.yaml"],
    &["migrate", "rain", "rain.yaml"],
    &["migrate", "rain", "broken.yaml"],
    &["migrate", "rain", "raw.yaml"],
    &["migrate", "rain", "@.yaml"],
    &["deploy", "faulty.yaml", "--stack-name", "s", "--offline"],
];

fn is_raw(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text without the colours that the program sets.
fn uncoloured(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, style)) = rest.split_once("\u{1b}[") {
        out += before;
        let end = style.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(style.len());
        let is_style = style[end..].starts_with('m') && !style.starts_with("35;7");
        if !is_style {
            out.push('\u{1b}');
        }
        rest = if is_style { &style[end + 1..] } else { style };
    }
    out + rest
}

fn check(project: &Project, words: &[&str], has_color: bool) -> Run {
    let words: Vec<String> = words.iter().map(|word| word.replace('@', RAW)).collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let takes_color = has_color && !matches!(words[0], "modules" | "migrate") && words[0] != RAW;
    if takes_color {
        words.extend(["--color", "always"]);
    }
    let run = project.run(&words);
    for text in [&run.out, &run.err] {
        let text = if takes_color { uncoloured(text) } else { text.clone() };
        assert!(!text.contains(is_raw), "{words:?}\n{:?}", text.lines().find(|line| line.contains(is_raw)));
    }
    run
}

#[test]
fn nothing_acts_on_a_terminal() {
    let project = project("controls");
    let mut statuses = [0; 3];
    for words in RUNS {
        let run = check(&project, words, false);
        assert!((0..3).contains(&run.status), "{words:?}: {} {}", run.status, run.err);
        assert!(!run.err.is_empty() || !run.out.is_empty() || run.status == 0, "{words:?} prints nothing");
        statuses[run.status as usize] += 1;
    }
    // All kinds of runs occur: with errors in templates, with errors in arguments, and without errors.
    assert!(statuses.iter().all(|&count| count > 8), "{statuses:?}");
}

#[test]
fn colours_are_our_own() {
    let project = project("colours");
    for words in RUNS {
        check(&project, words, true);
    }
    let run = project.run(&["check", "faulty.yaml", "--color", "always"]);
    assert!((run.err + &run.out).contains("\u{1b}["));
}

#[test]
fn json_has_the_values_as_they_are() {
    let project = project("json");
    let run = project.run(&["check", "faulty.yaml", "--message-format", "json"]);
    let text = if run.out.is_empty() { run.err } else { run.out };
    for line in text.lines() {
        let _: serde_json::Value = serde_json::from_str(line).expect("JSON");
    }
    let run = project.run(&["explain", "sound.yaml", "Resources.Function.Properties.Handler", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(answer["value"], RAW);
}

/// The product of a command is what the author wrote.
#[test]
fn templates_keep_their_characters() {
    let project = Project::new("templates").with("t.yaml", "Resources:\n  R: {Type: AWS::SNS::Topic} # \u{202e}\n");
    let run = project.run(&["expand", "t.yaml"]);
    assert!(run.out.contains('\u{202e}'), "{}", run.out);
}
