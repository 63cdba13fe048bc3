//! Templates at random whose resources name local files, in loops of several depths.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

/// Items whose names are keys of Mappings.
const ITEMS: [&str; 5] = ["a", "b2", "C-3", "d.4", "7"];

/// Types with a property that names a file, one of each form.
const KINDS: [(&str, &[&str]); 9] = [
    ("AWS::Serverless::LayerVersion", &["ContentUri"]),
    ("AWS::Lambda::Function", &["Code"]),
    ("AWS::Serverless::StateMachine", &["DefinitionUri"]),
    ("AWS::ApiGateway::RestApi", &["BodyS3Location"]),
    ("AWS::Glue::Job", &["Command", "ScriptLocation"]),
    ("AWS::Serverless::GraphQLApi", &["Functions", "one", "CodeUri"]),
    ("AWS::Serverless::Api", &["DefinitionUri"]),
    ("AWS::CloudFormation::StackSet", &["TemplateURL"]),
    ("AWS::SQS::Queue", &["QueueName"]),
];

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn list(items: Vec<Value>) -> Value {
    Value::List(items)
}

/// A template of artifacts.
pub fn artifacts(choices: &mut Choices<'_>) -> Value {
    let names = map(vec![("Type", text("CommaDelimitedList")), ("Default", text(choices.of(&["a,b2", "7", ""])))]);
    let folder = map(vec![("Type", text("String")), ("Default", text("given"))]);
    let paths = ITEMS.iter().map(|&item| (item.to_owned(), map(vec![("Path", text(format!("mapped/{item}")))])));
    let is_dev = call("Fn::Equals", list(vec![reference("Folder"), text("given")]));
    let mut made = Maker { choices, scope: Vec::new(), count: 0 };
    let resources = made.section(0);
    map(vec![
        ("Transform", list(vec![text("AWS::LanguageExtensions"), text("AWS::Serverless-2016-10-31")])),
        ("Parameters", map(vec![("Names", names), ("Folder", folder)])),
        ("Mappings", map(vec![("Paths", Value::Map(paths.collect()))])),
        ("Conditions", map(vec![("IsGiven", is_dev)])),
        ("Resources", resources),
    ])
}

struct Maker<'c, 'b> {
    choices: &'c mut Choices<'b>,
    /// Variables of the loops around the current place.
    scope: Vec<String>,
    count: usize,
}

impl Maker<'_, '_> {
    /// Entries of the section or of a fragment.
    fn section(&mut self, depth: usize) -> Value {
        let mut made = Vec::new();
        if depth == 0 {
            made.push(("Fixed".to_owned(), map(vec![("Type", text("AWS::SQS::Queue"))])));
        }
        for _ in 0..=self.choices.below(3) {
            self.count += 1;
            let number = self.count;
            if depth < 3 && self.choices.below(3) > 0 {
                let variable = format!("V{number}");
                let collection = self.collection();
                self.scope.push(variable.clone());
                let fragment = self.section(depth + 1);
                self.scope.pop();
                made.push((format!("Fn::ForEach::Loop{number}"), list(vec![text(variable), collection, fragment])));
            } else {
                let variables: Vec<String> = self.scope.iter().map(|name| format!("x&{{{name}}}")).collect();
                made.push((format!("Res{number}{}", variables.concat()), self.resource()));
            }
        }
        Value::Map(made)
    }

    fn collection(&mut self) -> Value {
        match self.choices.below(5) {
            0 => reference("Names"),
            count => list(ITEMS.iter().take(count).map(|&item| text(item)).collect()),
        }
    }

    fn resource(&mut self) -> Value {
        let (kind, path) = self.choices.of(&KINDS);
        let mut properties = vec![("Other", self.note())];
        if !self.choices.one_in(12) {
            let value = self.value(2);
            let nested = path[1..].iter().rev().fold(value, |value, &name| map(vec![(name, value)]));
            properties.push((path[0], nested));
        }
        map(vec![("Type", text(kind)), ("Properties", map(properties))])
    }

    /// A property that packaging must not touch.
    fn note(&mut self) -> Value {
        let variable = self.variable().unwrap_or_else(|| "Folder".to_owned());
        match self.choices.below(3) {
            0 => reference(&variable),
            1 => call("Fn::Sub", text(format!("./${{{variable}}}"))),
            _ => text("./plain"),
        }
    }

    fn variable(&mut self) -> Option<String> {
        let at = self.choices.below(self.scope.len().max(1));
        self.scope.get(at).cloned()
    }

    /// The value of an artifact property.
    fn value(&mut self, depth: usize) -> Value {
        let variable = self.variable();
        let named = variable.as_deref().map(|name| format!("${{{name}}}")).unwrap_or_default();
        let other = self.variable().map(|name| format!("${{{name}}}")).unwrap_or_default();
        match self.choices.below(10) {
            0 => text("./fixed"),
            1 | 2 => text(format!("./one/{named}")),
            3 => text(format!("./two/{named}/{other}")),
            4 => call("Fn::Sub", text(format!("./sub/{named}-${{Folder}}"))),
            5 => match variable {
                Some(name) => call("Fn::FindInMap", list(vec![text("Paths"), reference(&name), text("Path")])),
                None => reference("Folder"),
            },
            6 => match variable {
                Some(name) => call("Fn::Join", list(vec![text("/"), list(vec![text("joined"), reference(&name)])])),
                None => text("./joined"),
            },
            7 => text(format!("s3://there/{named}.zip")),
            8 if depth > 0 => {
                let (then, or_else) = (self.value(depth - 1), self.value(depth - 1));
                call("Fn::If", list(vec![text("IsGiven"), then, or_else]))
            }
            _ => map(vec![("Inline", text("data"))]),
        }
    }
}
