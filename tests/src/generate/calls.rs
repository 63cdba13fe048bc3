//! Templates of calls in calls: every function, in every position of an argument that takes it, with
//! nulls and `AWS::NoValue` where they are allowed. Most of them are right, so that laws have outputs
//! to look at.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text};

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn number(number: &str) -> Value {
    Value::Number(number.to_owned())
}

fn arguments(name: &str, items: Vec<Value>) -> Value {
    call(name, Value::List(items))
}

/// What a call may depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Anything, resources and imports too.
    Later,
    /// Parameters, pseudo parameters, conditions and constants.
    Before,
}

/// Generates values of a template.
struct Calls<'c, 'b> {
    choices: &'c mut Choices<'b>,
    /// Variables of the loops around the value.
    scope: Vec<String>,
    /// Whether the value is part of an `Fn::ToJsonString`.
    in_json: bool,
}

/// A template of calls.
pub fn calls(choices: &mut Choices<'_>) -> Value {
    let stage = if choices.one_in(2) {
        map(vec![("Type", text("String"))])
    } else {
        map(vec![("Type", text("String")), ("Default", text(choices.of(&["dev", "prod", "b"])))])
    };
    let parameters = map(vec![
        ("Stage", stage),
        ("Names", map(vec![("Type", text("CommaDelimitedList")), ("Default", text("a,b,c"))])),
        ("Later", map(vec![("Type", text("CommaDelimitedList"))])),
        ("Count", map(vec![("Type", text("Number")), ("Default", number("1"))])),
        ("Secret", map(vec![("Type", text("String")), ("NoEcho", Value::Bool(true))])),
    ]);
    let entry = |size: Value, kinds: &[&str]| {
        let kinds = Value::List(kinds.iter().map(|&kind| text(kind)).collect());
        map(vec![("Size", size), ("Kinds", kinds), ("Topic", text("Fixed"))])
    };
    let mappings = map(vec![(
        "Table",
        map(vec![
            ("dev", entry(text("small"), &["a", "b"])),
            ("prod", entry(number("3"), &["x", "y", "z"])),
            ("a", entry(text("of-a"), &["a0", "a1"])),
        ]),
    )]);
    let mut made = Calls { choices, scope: Vec::new(), in_json: false };
    let mut conditions = vec![
        ("IsDev", arguments("Fn::Equals", vec![reference("Stage"), text("dev")])),
        ("Always", arguments("Fn::Equals", vec![text("a"), text("a")])),
        ("Never", arguments("Fn::Not", vec![call("Condition", text("Always"))])),
        ("IsHere", arguments("Fn::Equals", vec![reference("AWS::Region"), text("eu-west-1")])),
    ];
    if made.choices.one_in(2) {
        let sides = vec![made.text(2, Known::Before), made.text(2, Known::Before)];
        conditions.push(("Made", arguments("Fn::Equals", sides)));
    }
    if made.choices.one_in(4) {
        let parts = vec![call("Condition", text("IsDev")), call("Condition", text("IsHere"))];
        conditions.push(("Both", arguments(made.choices.of(&["Fn::And", "Fn::Or"]), parts)));
    }
    let conditions = map(conditions);
    let mut resources = vec![("Fixed".to_owned(), made.resource(2))];
    for at in 0..=made.choices.below(2) {
        resources.push((format!("Own{at}"), made.resource(4)));
    }
    if made.choices.one_in(2) {
        let collection = made.collection();
        made.scope.push("Name".to_owned());
        let fragment = Value::Map(vec![("Loop&{Name}".to_owned(), made.resource(4))]);
        made.scope.pop();
        let parts = vec![text("Name"), collection, fragment];
        resources.push(("Fn::ForEach::Loop".to_owned(), Value::List(parts)));
    }
    let mut outputs = vec![("Out".to_owned(), map(vec![("Value", made.text(4, Known::Later))]))];
    if made.choices.one_in(3) {
        let export = map(vec![("Name", made.text(2, Known::Before))]);
        outputs.push(("Export".to_owned(), map(vec![("Value", made.text(3, Known::Later)), ("Export", export)])));
    }
    map(vec![
        ("Transform", text("AWS::LanguageExtensions")),
        ("Parameters", parameters),
        ("Mappings", mappings),
        ("Conditions", conditions),
        ("Resources", Value::Map(resources)),
        ("Outputs", Value::Map(outputs)),
    ])
}

impl Calls<'_, '_> {
    fn condition(&mut self) -> Value {
        text(self.choices.of(&["IsDev", "Always", "Never", "IsHere"]))
    }

    fn variable(&mut self) -> Option<String> {
        (!self.scope.is_empty()).then(|| self.scope[self.choices.below(self.scope.len())].clone())
    }

    fn collection(&mut self) -> Value {
        match self.choices.below(5) {
            0 => reference("Names"),
            1 => arguments("Fn::Split", vec![text(","), text("p,q")]),
            2 => arguments("Fn::FindInMap", vec![text("Table"), text("prod"), text("Kinds")]),
            3 => arguments("Fn::If", vec![text("Always"), Value::List(vec![text("a")]), Value::List(Vec::new())]),
            _ => Value::List(vec![text("a"), text("b-2")]),
        }
    }

    fn resource(&mut self, depth: usize) -> Value {
        let mut resource = vec![("Type", text("AWS::SNS::Topic"))];
        match self.choices.below(10) {
            0 => resource.push(("Condition", self.condition())),
            1 => {
                let condition = match self.choices.below(3) {
                    0 => call("Fn::Sub", text("IsDev")),
                    1 => arguments("Fn::If", vec![text("IsDev"), text("Always"), reference("AWS::NoValue")]),
                    _ => arguments("Fn::Join", vec![text(""), Value::List(vec![text("Is"), text("Dev")])]),
                };
                resource.push(("Condition", condition));
            }
            2 => {
                let policy = match self.choices.below(4) {
                    0 => text("Retain"),
                    1 => arguments("Fn::If", vec![self.condition(), text("Retain"), text("Delete")]),
                    2 => call("Fn::Sub", text("Retain")),
                    _ => Value::Null,
                };
                resource.push((self.choices.of(&["DeletionPolicy", "UpdateReplacePolicy"]), policy));
            }
            3 => {
                let on = match self.choices.below(3) {
                    0 => text("Fixed"),
                    1 => arguments("Fn::FindInMap", vec![text("Table"), text("dev"), text("Topic")]),
                    _ => Value::List(vec![call("Fn::Sub", text("Fixed"))]),
                };
                resource.push(("DependsOn", on));
            }
            4 => resource.push(("Metadata", self.any(2))),
            _ => {}
        }
        let mut properties = Vec::new();
        for at in 0..=self.choices.below(3) {
            properties.push((["One", "Two", "Three", "Four"][at], self.any(depth)));
        }
        resource.push(("Properties", map(properties)));
        map(resource)
    }

    /// Any value.
    fn any(&mut self, depth: usize) -> Value {
        match self.choices.below(13) {
            0..=4 => self.text(depth, Known::Later),
            11 if !self.in_json => self.stack_output(),
            5..=6 => self.list(depth, Known::Later),
            7..=8 => self.object(depth),
            9 => Value::Null,
            10 => reference("AWS::NoValue"),
            _ => self.optional(depth),
        }
    }

    /// An output of another stack, alone or in one of the functions that take it.
    fn stack_output(&mut self) -> Value {
        let name = self.text(1, Known::Before);
        let output = call("Fn::GetStackOutput", map(vec![("StackName", name), ("OutputName", text("Vpc"))]));
        match self.choices.below(4) {
            0 => arguments("Fn::Join", vec![text("-"), Value::List(vec![text("a"), output])]),
            1 => arguments("Fn::Select", vec![number("1"), Value::List(vec![text("a"), output])]),
            2 => {
                let condition = self.condition();
                arguments("Fn::If", vec![condition, output, text("b")])
            }
            _ => output,
        }
    }

    /// A call that may resolve to nothing.
    fn optional(&mut self, depth: usize) -> Value {
        let nothing = if self.choices.one_in(2) { Value::Null } else { reference("AWS::NoValue") };
        match self.choices.below(4) {
            0 => {
                let condition = self.condition();
                arguments("Fn::If", vec![condition, nothing, self.text(depth.saturating_sub(1), Known::Later)])
            }
            1 => {
                let condition = self.condition();
                arguments("Fn::If", vec![condition, self.object(depth.saturating_sub(1)), nothing])
            }
            2 => {
                let inner = self.found("Lost", Some(nothing));
                self.found("Lost", Some(inner))
            }
            _ => self.found("Lost", Some(nothing)),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut members = Vec::new();
        if depth > 0 {
            for at in 0..self.choices.below(4) {
                members.push((["A", "B", "C", "D"][at], self.any(depth - 1)));
            }
        }
        map(members)
    }

    /// A lookup, with a default.
    fn found(&mut self, second: &str, default: Option<Value>) -> Value {
        let top = match (self.choices.below(4), self.variable()) {
            (0, _) => text("dev"),
            (1, _) => reference("Stage"),
            (2, Some(name)) => reference(&name),
            (2, None) => arguments("Fn::Select", vec![number("0"), Value::List(vec![text("prod"), text("x")])]),
            _ => text("prod"),
        };
        let mut items = vec![text("Table"), top, text(second)];
        items.extend(default.map(|default| map(vec![("DefaultValue", default)])));
        arguments("Fn::FindInMap", items)
    }

    /// Something that returns one string.
    fn text(&mut self, depth: usize, known: Known) -> Value {
        if depth == 0 || self.choices.left == 0 {
            return text(self.choices.of(&["end", "a", "${!x}", "b c"]));
        }
        self.choices.left -= 1;
        let is_late = known == Known::Later;
        match self.choices.below(if is_late { 23 } else { 17 }) {
            0 => text(self.choices.of(&["a", "b,c", "yes", "", "1", "${!Literal}", "x: y", "\"q\""])),
            1 => reference("Stage"),
            2 => reference(self.choices.of(&["Count", "AWS::Region", "AWS::AccountId", "AWS::StackName"])),
            3 => match self.variable() {
                Some(name) => reference(&name),
                None => text("plain"),
            },
            4 | 5 => {
                let pattern = self.pattern(is_late);
                call("Fn::Sub", text(pattern))
            }
            6 | 7 => {
                let pattern = self.pattern(is_late);
                let mut variables = vec![("Var".to_owned(), self.text(depth - 1, known))];
                if self.choices.one_in(2) {
                    variables.push(("Stage".to_owned(), self.text(depth - 1, known)));
                }
                if self.choices.one_in(6) {
                    variables = vec![("Ref".to_owned(), self.text(depth - 1, known))];
                }
                let used = variables[0].0.clone();
                arguments("Fn::Sub", vec![text(format!("{pattern}${{{used}}}")), Value::Map(variables)])
            }
            8 | 9 => arguments("Fn::Join", vec![text(self.choices.of(&["-", "", ", "])), self.list(depth - 1, known)]),
            10 | 11 => {
                let index = match self.choices.below(8) {
                    0 => text("0"),
                    1 => arguments(
                        "Fn::FindInMap",
                        vec![text("Table"), text("a"), text("Lost"), map(vec![("DefaultValue", number("0"))])],
                    ),
                    2 => number("1"),
                    _ => number("0"),
                };
                arguments("Fn::Select", vec![index, self.filled_list(depth - 1, known)])
            }
            12 => {
                let default = self.text(depth - 1, known);
                let second = self.choices.of(&["Size", "Lost"]);
                self.found(second, Some(default))
            }
            13 => self.choice(|made| made.text(depth - 1, known)),
            14 => call("Fn::Base64", self.text(depth - 1, known)),
            15 => call("Fn::Length", self.known_list(depth - 1)),
            16 => reference("Secret"),
            17 => arguments("Fn::GetAtt", vec![text("Fixed"), text("TopicArn")]),
            18 => reference("Fixed"),
            19 => call("Fn::ImportValue", self.text(depth - 1, Known::Before)),
            20 | 21 => self.json(depth),
            _ => call("Ref", arguments("Fn::FindInMap", vec![text("Table"), text("dev"), text("Topic")])),
        }
    }

    fn json(&mut self, depth: usize) -> Value {
        let outer = std::mem::replace(&mut self.in_json, true);
        let value = if self.choices.one_in(3) { self.list(depth - 1, Known::Later) } else { self.object(depth - 1) };
        self.in_json = outer;
        call("Fn::ToJsonString", value)
    }

    /// The text of an `Fn::Sub`.
    fn pattern(&mut self, is_late: bool) -> String {
        let mut text = String::from(self.choices.of(&["", "x-", "${!x}"]));
        for _ in 0..self.choices.below(3) {
            let variable = self.variable();
            match (self.choices.below(5), variable) {
                (0, _) => text.push_str("${Stage}"),
                (1, _) => text.push_str("${AWS::Region}"),
                (2, _) if is_late => text.push_str("${Fixed.TopicArn}"),
                (3, Some(name)) => text.extend(["${", name.as_str(), "}"]),
                _ => text.push_str("${Names}-"),
            }
        }
        text
    }

    fn choice(&mut self, mut branch: impl FnMut(&mut Self) -> Value) -> Value {
        let condition = self.condition();
        let (then, otherwise) = (branch(self), branch(self));
        arguments("Fn::If", vec![condition, then, otherwise])
    }

    /// A list that is known before anything is created.
    fn known_list(&mut self, depth: usize) -> Value {
        match self.choices.below(4) {
            0 => reference(self.choices.of(&["Names", "Later"])),
            1 => self.found("Kinds", Some(Value::List(vec![text("d")]))),
            _ => self.filled_list(depth, Known::Later),
        }
    }

    /// A list that has elements whatever the values are.
    fn filled_list(&mut self, depth: usize, known: Known) -> Value {
        if depth == 0 {
            return Value::List(vec![text("a"), text("b")]);
        }
        let mut items = || -> Vec<Value> {
            let count = 2 + self.choices.below(2);
            (0..count).map(|_| self.text(depth - 1, known)).collect()
        };
        let plain = items();
        match self.choices.below(6) {
            0 => self.found("Lost", Some(Value::List(plain))),
            1 => self.found("Kinds", Some(Value::List(plain))),
            2 => {
                let condition = self.condition();
                let other = Value::List(vec![text("o1"), text("o2")]);
                arguments("Fn::If", vec![condition, Value::List(plain), other])
            }
            3 => arguments("Fn::Split", vec![text(","), text("s,t")]),
            4 => {
                let mut items = plain;
                items.insert(1, if self.choices.one_in(2) { Value::Null } else { reference("AWS::NoValue") });
                Value::List(items)
            }
            _ => Value::List(plain),
        }
    }

    /// Something that returns a list of strings.
    fn list(&mut self, depth: usize, known: Known) -> Value {
        if depth == 0 || self.choices.left == 0 {
            return Value::List(vec![text("end")]);
        }
        self.choices.left -= 1;
        match self.choices.below(if known == Known::Later && !self.in_json { 14 } else { 11 }) {
            0..=3 => {
                let count = self.choices.below(4);
                Value::List(
                    (0..count)
                        .map(|_| match self.choices.below(8) {
                            0 => reference("AWS::NoValue"),
                            1 => self.choice(|made| {
                                if made.choices.one_in(2) { reference("AWS::NoValue") } else { text("chosen") }
                            }),
                            _ => self.text(depth - 1, known),
                        })
                        .collect(),
                )
            }
            4 => reference(self.choices.of(&["Names", "Later"])),
            5 => arguments("Fn::Split", vec![text(","), self.text(depth - 1, Known::Before)]),
            6 => {
                let default = self.list(depth - 1, known);
                let second = self.choices.of(&["Kinds", "Lost"]);
                self.found(second, Some(default))
            }
            7 => self.choice(|made| made.list(depth - 1, known)),
            8 | 9 => self.filled_list(depth - 1, known),
            10 => arguments("Fn::Cidr", vec![text("10.0.0.0/16"), number("2"), text("8")]),
            11 => call("Fn::GetAZs", text("")),
            12 => arguments("Fn::Split", vec![text("-"), self.text(depth - 1, known)]),
            _ => {
                let block = arguments("Fn::GetAtt", vec![text("Fixed"), text("CidrBlock")]);
                arguments("Fn::Cidr", vec![block, number("2"), text("8")])
            }
        }
    }
}
