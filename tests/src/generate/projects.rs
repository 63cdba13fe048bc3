//! Projects at random: a template and the files that it imports or includes, which name each other in any
//! way, right and wrong.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::values::{call, reference, text, value};

/// Files of a project by name; the template is the first.
pub type Project = Vec<(String, Value)>;

/// Names of files beside the template, and of some that are not there.
const PATHS: [&str; 8] =
    ["m1.yaml", "./m2.yaml", "deep/m3.yaml", "../m1.yaml", "missing.yaml", "$kit/m1.yaml", "m1.zip/a.yaml", ""];

/// Names of imports.
const IMPORTS: [&str; 4] = ["Net", "Sub", "Zone", "Net2"];

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn list(items: Vec<Value>) -> Value {
    Value::List(items)
}

/// A project of modules.
pub fn modules(choices: &mut Choices<'_>) -> Project {
    let names = ["template.yaml", "m1.yaml", "m2.yaml", "deep/m3.yaml"];
    let count = 1 + choices.below(names.len());
    names.into_iter().take(count).enumerate().map(|(at, name)| (name.to_owned(), module(choices, at))).collect()
}

/// A file with any of the sections of the module language.
fn module(choices: &mut Choices<'_>, at: usize) -> Value {
    let mut sections = Vec::new();
    if choices.one_in(3) {
        sections.push(("Transform", text("AWS::LanguageExtensions")));
    }
    if choices.one_in(3) {
        let constants =
            vec![("Base", text("b-${AWS::Region}")), ("Both", text("${Const::Base}-x")), ("Data", anything(choices))];
        sections.push(("Constants", map(constants)));
    }
    if choices.one_in(3) {
        sections.push((
            "Packages",
            map(vec![(
                "kit",
                map(vec![("Source", text(choices.of(&["deep", ".", "kit.zip", "https://host/kit.zip"])))]),
            )]),
        ));
    }
    let parameters = vec![
        ("Label", map(vec![("Type", text("String")), ("Default", text(choices.of(&["dev", "", "a,b"])))])),
        ("Names", map(vec![("Type", text("CommaDelimitedList")), ("Default", text("x,y"))])),
        ("Conf", map(vec![("Type", text(choices.of(&["Object", "Map", "String"])))])),
    ];
    sections.push(("Parameters", map(parameters)));
    if choices.one_in(8) {
        let schema = map(vec![
            ("Type", text(choices.of(&["String", "Object", "Number", "Array", "Other"]))),
            ("Default", anything(choices)),
            ("MinLength", anything(choices)),
            ("Properties", map(vec![("A", map(vec![("Type", text("Number")), ("Minimum", anything(choices))]))])),
        ]);
        sections.push(("ParameterSchema", map(vec![(choices.of(&["Label", "Conf", "Lost"]), schema)])));
    }
    if choices.one_in(2) {
        let conditions = vec![
            ("IsDev", call("Fn::Equals", list(vec![reference("Label"), text("dev")]))),
            (
                "IsOther",
                call("Fn::Not", list(vec![call("Condition", text(choices.of(&["IsDev", "IsOther", "Lost"])))])),
            ),
        ];
        sections.push(("Conditions", map(conditions)));
        sections.push(("Mappings", map(vec![("Table", map(vec![("dev", map(vec![("Size", anything(choices))]))]))])));
    }
    sections.push(("Modules", imports(choices, at)));
    sections.push(("Resources", resources(choices)));
    sections.push((
        "Outputs",
        map(vec![("Out", map(vec![("Value", anything(choices))])), ("Arn", map(vec![("Value", attribute(choices))]))]),
    ));
    map(sections)
}

fn imports(choices: &mut Choices<'_>, at: usize) -> Value {
    let mut made: Vec<(String, Value)> = Vec::new();
    for _ in 0..choices.below(if at < 3 { 3 } else { 1 }) {
        let name = choices.of(&IMPORTS);
        if made.iter().any(|(known, _)| known == name) {
            continue;
        }
        let mut members = vec![("Source", text(path(choices, at)))];
        let properties = vec![("Label", anything(choices)), ("Names", anything(choices)), ("Conf", anything(choices))];
        members.push(("Properties", map(properties)));
        if choices.one_in(3) {
            members.push(("ForEach", collection(choices)));
        }
        if choices.one_in(8) {
            let other = map(vec![("Properties", map(vec![("A", anything(choices))])), ("DependsOn", text("Topic"))]);
            members.push(("Overrides", map(vec![(choices.of(&["Topic", "NetTopic", "Lost"]), other)])));
        }
        if choices.one_in(10) {
            members.push(("Condition", text(choices.of(&["IsDev", "IsOther", "Lost"]))));
        }
        let import = map(members);
        if choices.one_in(6) {
            made.push((
                "Fn::ForEach::Loop".to_owned(),
                list(vec![text("V"), collection(choices), call(&format!("{name}${{V}}"), import)]),
            ));
        } else {
            made.push((name.to_owned(), import));
        }
    }
    Value::Map(made)
}

fn collection(choices: &mut Choices<'_>) -> Value {
    match choices.below(12).saturating_sub(6) {
        0 => text("a,b"),
        1 => list(vec![text("a"), text("b")]),
        2 => reference(choices.of(&["Names", "Label", "Conf", "Const::Data", "Lost"])),
        3 => list(vec![
            map(vec![("Identifier", text("one")), ("Size", text("1"))]),
            map(vec![("Identifier", text("two"))]),
        ]),
        4 => call(
            "Fn::Flatten",
            map(vec![
                ("Source", anything(choices)),
                ("Pattern", text(choices.of(&["$", "$.a[*]", "*", "$.[", "[1]"]))),
            ]),
        ),
        _ => anything(choices),
    }
}

fn resources(choices: &mut Choices<'_>) -> Value {
    let mut made = vec![(
        "Topic".to_owned(),
        map(vec![
            ("Type", text("AWS::SNS::Topic")),
            ("Properties", map(vec![("A", anything(choices)), ("B", attribute(choices))])),
        ]),
    )];
    for at in 0..choices.below(3) {
        let mut members = vec![
            ("Type", text("AWS::SNS::Topic")),
            ("Properties", map(vec![("A", anything(choices)), ("B", attribute(choices))])),
        ];
        if choices.one_in(3) {
            members.push(("ForEach", collection(choices)));
        }
        if choices.one_in(8) {
            members.push(("DependsOn", text(choices.of(&["Topic", "Net", "Lost"]))));
        }
        made.push((format!("Res{at}"), map(members)));
    }
    Value::Map(made)
}

/// A reference to something of a module.
fn attribute(choices: &mut Choices<'_>) -> Value {
    if !choices.one_in(5) {
        return call("Fn::GetAtt", text("Topic.Arn"));
    }
    let import = choices.of(&IMPORTS);
    let select = choices.of(&["", "[0]", "[a]", "[*]", "[9]", ".0", "[", "[]", "[$Index]"]);
    let member = choices.of(&["Out", "Arn", "Lost", "Out.A", "Topic.Arn"]);
    let whole = format!("{import}{select}.{member}");
    match choices.below(4) {
        0 => call("Fn::GetAtt", text(whole)),
        1 => call("Fn::GetAtt", list(vec![text(format!("{import}{select}")), text(member)])),
        2 => call("Fn::Sub", text(format!("x-${{{whole}}}"))),
        _ => call("Fn::Invoke", list(vec![text(import), map(vec![("Label", text("i"))]), text(member)])),
    }
}

/// The path of a file: mostly of the next one.
fn path(choices: &mut Choices<'_>, at: usize) -> &'static str {
    const NEXT: [&str; 3] = ["m1.yaml", "m2.yaml", "deep/m3.yaml"];
    let wild = choices.one_in(6);
    NEXT.get(at).copied().filter(|_| !wild).unwrap_or_else(|| choices.of(&PATHS))
}

/// Any value, with what the module language adds.
fn anything(choices: &mut Choices<'_>) -> Value {
    if !choices.one_in(4) {
        return if choices.one_in(2) { text("dev") } else { reference("Label") };
    }
    const SCOPE: [&str; 6] = ["Label", "Names", "Conf", "Const::Both", "Identifier", "Value"];
    let scope: Vec<String> = SCOPE.iter().map(|&name| name.to_owned()).collect();
    match choices.below(9) {
        0 => text(choices.of(&["$Identifier", "$Index", "$Value", "$Value.A", "a,b", "3"])),
        1 => call("Fn::Merge", list(vec![value(choices, &scope, 2), value(choices, &scope, 2)])),
        2 => call("Fn::InsertFile", text(choices.of(&["m1.yaml", "missing.txt", "deep/m3.yaml"]))),
        3 => attribute(choices),
        4 => reference(choices.of(&["Const::Base", "Const::Data", "Const::Lost", "Conf.A", "Label"])),
        _ => value(choices, &scope, 3),
    }
}

/// A project of files that include each other.
pub fn includes(choices: &mut Choices<'_>) -> Project {
    let names = ["template.yaml", "m1.yaml", "m2.yaml", "deep/m3.yaml"];
    let count = 1 + choices.below(names.len());
    let files = names.into_iter().take(count).enumerate();
    files
        .map(|(at, name)| {
            let content = if at == 0 {
                map(vec![
                    ("Fixed", included(choices)),
                    ("Resources", included(choices)),
                    ("Outputs", included(choices)),
                ])
            } else {
                included(choices)
            };
            (name.to_owned(), content)
        })
        .collect()
}

/// A mapping in which files are included, beside other keys or as a value.
fn included(choices: &mut Choices<'_>) -> Value {
    let mut members: Vec<(String, Value)> = Vec::new();
    for at in 0..choices.below(4) {
        let include = include(choices);
        match choices.below(5) {
            0 => members.push((format!("Topic{at}"), map(vec![("Type", text("AWS::SNS::Topic"))]))),
            1 => members.push((format!("Value{at}"), call("Fn::Transform", include))),
            2 => {
                members.push((format!("List{at}"), list(vec![call("Fn::Transform", include), value(choices, &[], 2)])));
            }
            3 if members.iter().all(|(name, _)| name != "Fn::Transform") => {
                members.push(("Fn::Transform".to_owned(), include));
            }
            _ => members.push((format!("Any{at}"), value(choices, &[], 3))),
        }
    }
    Value::Map(members)
}

fn include(choices: &mut Choices<'_>) -> Value {
    let location = match choices.below(8) {
        0 => reference("Stage"),
        1 => text("s3://bucket/key.yaml"),
        _ => text(choices.of(&PATHS)),
    };
    let parameters = if choices.one_in(8) { value(choices, &[], 2) } else { map(vec![("Location", location)]) };
    let one = map(vec![
        ("Name", text(choices.of(&["AWS::Include", "AWS::Include", "AWS::Include", "Other"]))),
        ("Parameters", parameters),
    ]);
    if choices.one_in(8) { list(vec![one.clone(), one]) } else { one }
}

/// Account data, in right and wrong shapes.
pub fn account(choices: &mut Choices<'_>) -> Value {
    const TYPES: [&str; 6] = [
        "AWS::EC2::VPC::Id",
        "AWS::EC2::Subnet::Id",
        "AWS::EC2::KeyPair::KeyName",
        "AWS::SSM::Parameter::Name",
        "AWS::EC2::AvailabilityZone::Name",
        "Other",
    ];
    let mut members =
        vec![("FormworkAccountSnapshot", if choices.one_in(6) { value(choices, &[], 2) } else { text("1") })];
    for name in [
        "Account",
        "Region",
        "Partition",
        "URLSuffix",
        "StackName",
        "CapturedAt",
        "Incomplete",
        "SsmParameters",
        "Exports",
        "Extra",
    ] {
        if choices.one_in(3) {
            let odd = choices.one_in(2);
            members.push((name, if odd { value(choices, &[], 3) } else { plain(choices, name) }));
        }
    }
    let mut types: Vec<(String, Value)> = Vec::new();
    for _ in 0..choices.below(4) {
        let name = choices.of(&TYPES).to_owned();
        if types.iter().all(|(known, _)| *known != name) {
            types.push((name, listing(choices)));
        }
    }
    members.push(("Types", Value::Map(types)));
    map(members)
}

fn plain(choices: &mut Choices<'_>, name: &str) -> Value {
    match name {
        "Incomplete" => list(vec![text("AWS::EC2::VPC::Id")]),
        "SsmParameters" => map(vec![(
            "/a",
            map(vec![
                ("Type", text(choices.of(&["String", "StringList", "SecureString"]))),
                ("Value", text("x,y")),
                ("Version", Value::Number("3".to_owned())),
            ]),
        )]),
        _ => text("eu-west-1"),
    }
}

/// Values of a type with their attributes.
fn listing(choices: &mut Choices<'_>) -> Value {
    if choices.one_in(6) {
        return value(choices, &[], 2);
    }
    let tags = match choices.below(5) {
        0 => value(choices, &[], 2),
        1 => list(vec![map(vec![("Key", text("Team")), ("Value", text("dev"))])]),
        _ => map(vec![("Team", text("dev"))]),
    };
    let attributes =
        if choices.one_in(6) { value(choices, &[], 2) } else { map(vec![("VpcId", text("vpc-a")), ("Tags", tags)]) };
    map(vec![("vpc-a", attributes), ("subnet-1", map(vec![]))])
}
