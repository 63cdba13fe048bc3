//! Generated projects: a template with loops, conditions, mappings, constants and repeated resources, and its modules, in YAML
//! or JSON.

use fastrand::Rng;

/// The files of a project; the first one is the template.
pub(crate) struct Project {
    pub(crate) files: Vec<(String, String)>,
}

const WORDS: [&str; 6] = ["Orders", "Emails", "Bills", "Users", "Logs", "Audit"];

/// Returns the project of a number.
pub(crate) fn project(seed: u64) -> Project {
    let mut random = Rng::with_seed(seed);
    let json = random.u8(..3) == 0;
    if json { in_json(&mut random) } else { in_yaml(&mut random) }
}

fn pick<'w>(random: &mut Rng, words: &[&'w str]) -> &'w str {
    words[random.usize(..words.len())]
}

fn in_yaml(random: &mut Rng) -> Project {
    let mut text = String::from("Transform: AWS::LanguageExtensions\n");
    let (has_constants, has_module, has_loop) = (random.bool(), random.bool(), random.bool());
    text.push_str("Parameters:\n  Env:\n    Type: String\n    Default: dev\n  Free: {Type: String}\n  Size: {Type: Number, Default: 3}\n");
    if has_constants {
        text.push_str("Constants:\n  Prefix: shop\n  Days: 7\n  Long: \"${AWS::Region}-x\"\n");
    }
    text.push_str("Mappings:\n  Sizes:\n    dev: {Class: small}\n    prod: {Class: big}\n");
    text.push_str("Conditions:\n  IsProd: !Equals [!Ref Env, prod]\n  IsFree: !Equals [!Ref Free, x]\n");
    if has_module {
        text.push_str("Modules:\n  Web:\n    Source: ./web.yaml\n    Properties:\n      Label: ");
        text.push_str(pick(random, &["!Ref Free\n", "!Sub \"${Env}-w\"\n", "plain\n"]));
        if random.bool() {
            text.push_str("    Condition: IsFree\n");
        }
    }
    text.push_str("Resources:\n  Key:\n    Type: AWS::KMS::Key\n");
    if has_loop {
        text.push_str("  Fn::ForEach::Topics:\n    - Name\n    - [One, Two]\n    - ${Name}Topic:\n        Type: AWS::SNS::Topic\n        Properties:\n          TopicName: !Sub \"${Env}-${Name}\"\n");
    }
    let repeated = random.usize(2..5);
    let kms = random.bool();
    for word in WORDS.iter().take(repeated) {
        let comment = if random.u8(..12) == 0 { "  # one of them\n" } else { "" };
        let name = if kms { word.to_lowercase() } else { (*word).to_owned() };
        text.push_str(&format!("{comment}  Queue{word}:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: !Sub \"${{Env}}-{name}\"\n      DelaySeconds: !Ref Size\n"));
        if random.u8(..4) == 0 {
            text.push('\n');
        }
    }
    let condition = random.bool();
    for kind in ["Queue", "Policy"] {
        let attribute = if condition { "    Condition: IsFree\n" } else { "" };
        let name = pick(
            random,
            &[
                "!Sub \"${Key}-${AWS::StackName}\"",
                "!If [IsProd, a, !Ref Free]",
                "!FindInMap [Sizes, !Ref Env, Class]",
                "!Join [\"-\", [!Ref Env, !GetAtt Key.Arn]]",
                "plain words",
                "[a, !Ref Env]",
            ],
        );
        let constant = if has_constants {
            "\n      More: !Sub \"${Const::Prefix}-a\"\n      Age: !Ref Const::Days\n      Far: !Ref Const::Long"
        } else {
            ""
        };
        text.push_str(&format!(
            "  Shop{kind}:\n    Type: AWS::CloudFormation::WaitConditionHandle\n{attribute}    Metadata:\n      Name: {name}\n      Other: !Ref ShopQueue{constant}\n    DependsOn: Key\n"
        ));
    }
    text = text.replace("      Other: !Ref ShopQueue\n      ", "      Other: x\n      ");
    text.push_str("Outputs:\n  Key: {Value: !Ref Key}\n  Queue:\n    Value: !Sub \"${QueueOrders.Arn}\"\n");
    if has_module {
        text.push_str("  Web:\n    Value: !GetAtt Web.Id\n    Condition: IsFree\n");
    }
    let module = "Parameters:\n  Label: {Type: String}\n  Kind: {Type: String, Default: fifo}\nConditions:\n  HasLabel: !Not [!Equals [!Ref Label, \"\"]]\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties:\n      TopicName: !Sub \"${Label}-${Kind}\"\n  Extra:\n    Type: AWS::SNS::Topic\n    Condition: HasLabel\nOutputs:\n  Id: {Value: !Ref Topic}\n";
    if random.u8(..5) == 0 {
        text = text.replace('\n', "\r\n");
    }
    Project { files: vec![("template.yaml".to_owned(), text), ("web.yaml".to_owned(), module.to_owned())] }
}

fn in_json(random: &mut Rng) -> Project {
    let has_module = random.bool();
    let mut text = String::from(
        "{\n  \"Transform\": \"AWS::LanguageExtensions\",\n  \"Parameters\": {\"Env\": {\"Type\": \"String\", \"Default\": \"dev\"}, \"Free\": {\"Type\": \"String\"}},\n  \"Conditions\": {\"IsFree\": {\"Fn::Equals\": [{\"Ref\": \"Free\"}, \"x\"]}},\n  \"Constants\": {\"Days\": 7, \"Prefix\": \"shop\"},\n",
    );
    if has_module {
        text.push_str("  \"Modules\": {\"Web\": {\"Source\": \"./web.json\", \"Properties\": {\"Label\": {\"Ref\": \"Free\"}}}},\n");
    }
    text.push_str("  \"Resources\": {\n    \"Key\": {\"Type\": \"AWS::KMS::Key\"}");
    for word in WORDS.iter().take(random.usize(2..5)) {
        let name = word.to_lowercase();
        text.push_str(&format!(",\n    \"Queue{word}\": {{\n      \"Type\": \"AWS::SQS::Queue\",\n      \"Properties\": {{\"QueueName\": \"q-{name}\", \"Tags\": [{{\"Key\": \"k\", \"Value\": {{\"Ref\": \"Env\"}}}}]}}\n    }}"));
    }
    for kind in ["Queue", "Policy"] {
        let name = pick(
            random,
            &[
                "{\"Fn::Sub\": \"${Key.Arn}-${Env}\"}",
                "{\"Fn::If\": [\"IsFree\", \"a\", {\"Ref\": \"Free\"}]}",
                "{\"Fn::GetAtt\": [\"Key\", \"Arn\"]}",
                "\"plain\"",
                "{\"Ref\": \"Const::Days\"}",
                "{\"Fn::Sub\": \"${Const::Prefix}-x\"}",
            ],
        );
        text.push_str(&format!(",\n    \"Shop{kind}\": {{\n      \"Type\": \"AWS::CloudFormation::WaitConditionHandle\",\n      \"Metadata\": {{\"Name\": {name}}}\n    }}"));
    }
    text.push_str("\n  },\n  \"Outputs\": {\"Queue\": {\"Value\": {\"Ref\": \"QueueOrders\"}}}\n}\n");
    let module = "{\"Parameters\": {\"Label\": {\"Type\": \"String\"}}, \"Resources\": {\"Topic\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"DisplayName\": {\"Ref\": \"Label\"}}}}}\n";
    Project { files: vec![("template.json".to_owned(), text), ("web.json".to_owned(), module.to_owned())] }
}
