//! Projects for the law that a project is the module of a root: a template with imports, loops around what it imports
//! and functions of the module language, and files of modules; all of it is right in a template and in a module.

use formwork_syntax::value::Value;

use super::choices::Choices;
use super::loop_scope;
use super::projects::Project;
use super::values::{call, reference, text};

/// The name of the template among the files.
pub const ROOT: &str = "root.json";

fn map(members: Vec<(&str, Value)>) -> Value {
    Value::Map(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn list(items: Vec<Value>) -> Value {
    Value::List(items)
}

fn texts(items: &[&str]) -> Value {
    list(items.iter().map(|&item| text(item)).collect())
}

fn sub(pattern: impl Into<String>) -> Value {
    call("Fn::Sub", text(pattern))
}

fn attribute(import: Value, member: Value) -> Value {
    call("Fn::GetAtt", list(vec![import, member]))
}

type Scope = loop_scope::Scope;

/// The items of loops: identifiers of imports end in them, files are named by them.
const ITEMS: [&str; 3] = ["a", "b", "c2"];

/// The names of the outputs of the template.
pub const OUTPUTS: [&str; 3] = ["Own", "Outa", "Outb"];

/// A project; the template is the first file.
pub fn rooted(choices: &mut Choices<'_>) -> Project {
    let mut files = vec![(ROOT.to_owned(), root(choices)), ("m.json".to_owned(), module(choices))];
    files.extend(ITEMS.map(|item| (format!("{item}.txt"), text(format!("text of {item}")))));
    files
}

/// The module: every output of it is known.
fn module(choices: &mut Choices<'_>) -> Value {
    let kind = |kind: &str, default: &str| map(vec![("Type", text(kind)), ("Default", text(default))]);
    let topic = |properties| map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", properties)]);
    let mut resources = vec![("Box".to_owned(), topic(map(vec![("DisplayName", reference("Label"))])))];
    if choices.one_in(2) {
        let fragment = map(vec![("Part${Each}", topic(map(vec![("One", sub("${Each}-${Label}"))])))]);
        resources.push(("Fn::ForEach::Parts".to_owned(), list(vec![text("Each"), reference("Names"), fragment])));
    }
    if choices.one_in(3) {
        let mut copied = topic(map(vec![("One", text("$Identifier"))]));
        if let Value::Map(members) = &mut copied {
            members.push(("ForEach".to_owned(), texts(&["x", "y"])));
        }
        resources.push(("Copy".to_owned(), copied));
    }
    let output = |value: Value| map(vec![("Value", value)]);
    let sizes = map(vec![("small", text("1")), ("a", reference("Label")), ("b", sub("${Label}-b")), ("c2", text("3"))]);
    map(vec![
        ("Transform", text("AWS::LanguageExtensions")),
        ("Parameters", map(vec![("Label", kind("String", "none")), ("Names", kind("CommaDelimitedList", "p,q"))])),
        ("Resources", Value::Map(resources)),
        (
            "Outputs",
            map(vec![
                ("Arn", output(call("Fn::GetAtt", text("Box.TopicArn")))),
                ("Label", output(reference("Label"))),
                ("Sizes", output(sizes)),
                ("Zones", output(texts(&["North", "South"][..=choices.below(2)]))),
                ("Names", output(reference("Names"))),
            ]),
        ),
    ])
}

fn root(choices: &mut Choices<'_>) -> Value {
    let kind = |kind: &str, default: &str| map(vec![("Type", text(kind)), ("Default", text(default))]);
    let source = || ("Source", text("./m.json"));
    let mut imports = vec![("Net".to_owned(), map(vec![source()]))];
    for item in ITEMS {
        let mut import = vec![source()];
        if choices.one_in(2) {
            import.push(("Properties", map(vec![("Label", known(choices, &Scope::default()))])));
        }
        imports.push((format!("M{item}"), map(import)));
    }
    let each =
        map(vec![source(), ("Properties", map(vec![("Label", text("$Identifier"))])), ("ForEach", texts(&ITEMS))]);
    imports.push(("Each".to_owned(), each));
    if choices.one_in(2) {
        let import = map(vec![source(), ("Properties", map(vec![("Label", sub("l-${V}"))]))]);
        imports.push((
            "Fn::ForEach::Units".to_owned(),
            list(vec![text("V"), texts(&ITEMS), map(vec![("Unit${V}", import)])]),
        ));
    }
    let decided = |other: &str| call("Fn::Equals", list(vec![reference("AWS::StackName"), text(other)]));
    let conditions =
        vec![("IsDev", decided("dev")), ("IsOther", call("Fn::Not", list(vec![call("Condition", text("IsDev"))])))];
    let mut sections = vec![
        ("Transform", text("AWS::LanguageExtensions")),
        ("Parameters", map(vec![("Stage", kind("String", "dev")), ("Kinds", kind("CommaDelimitedList", "a,b"))])),
        ("Conditions", map(conditions)),
        ("Modules", Value::Map(imports)),
    ];
    if choices.one_in(3) {
        sections.push(("Constants", map(vec![("Base", text("base")), ("Both", text("${Const::Base}-x"))])));
    } else {
        sections.push(("Constants", map(vec![("Base", text("b")), ("Both", text("both"))])));
    }
    sections.push(("Resources", resources(choices)));
    sections.push(("Outputs", outputs(choices)));
    map(sections)
}

fn resources(choices: &mut Choices<'_>) -> Value {
    let none = Scope::default();
    let fixed = map(vec![("Type", text("AWS::SNS::Topic")), ("Properties", map(vec![("One", known(choices, &none))]))]);
    let mut made = vec![("Fixed".to_owned(), fixed)];
    for at in 0..=choices.below(3) {
        let variable = format!("N{at}");
        let (collection, is_item) = collection(choices, &none);
        let scope = none.with(&variable, is_item);
        let mut body = vec![(format!("R{at}x${{{variable}}}"), resource(choices, &scope))];
        if choices.one_in(3) {
            body.push((format!("S{at}x${{{variable}}}"), resource(choices, &scope)));
        }
        if choices.one_in(2) {
            let inner = format!("I{at}");
            let (collection, is_item) = self::collection(choices, &scope);
            let resource = resource(choices, &scope.with(&inner, is_item));
            let fragment = call(&format!("T{at}x${{{variable}}}x${{{inner}}}"), resource);
            body.push((format!("Fn::ForEach::Inner{at}"), list(vec![text(inner), collection, fragment])));
        }
        made.push((format!("Fn::ForEach::Loop{at}"), list(vec![text(variable), collection, Value::Map(body)])));
    }
    Value::Map(made)
}

fn outputs(choices: &mut Choices<'_>) -> Value {
    let output = |choices: &mut Choices<'_>, scope: &Scope| {
        let value = match choices.below(4) {
            0 => attribute(sub(format!("M{}", scope.item())), text(choices.of(&["Arn", "Label"]))),
            1 => attribute(text("Net"), sub(format!("Sizes.{}", scope.item()))),
            2 => call("Fn::InsertFile", sub(format!("{}.txt", scope.item()))),
            _ => known(choices, scope),
        };
        map(vec![("Value", value)])
    };
    let own = output(choices, &Scope::default());
    let fragment = call("Out${Name}", output(choices, &Scope::default().with("Name", true)));
    let looped = list(vec![text("Name"), texts(&["a", "b"]), fragment]);
    map(vec![("Own", own), ("Fn::ForEach::Outs", looped)])
}

/// Items that are alphanumeric, and whether imports and files are named by them.
fn collection(choices: &mut Choices<'_>, scope: &Scope) -> (Value, bool) {
    match choices.below(8) {
        0 => (attribute(text("Net"), text("Zones")), false),
        1 => (attribute(sub(format!("M{}", scope.item())), text("Zones")), false),
        2 => (attribute(sub(format!("Each[{}]", scope.item())), text("Names")), false),
        3 => (list(vec![attribute(sub(format!("Each[{}]", scope.item())), text("Label")), text("z")]), false),
        4 => (call("Fn::Flatten", map(vec![("Source", texts(&["e", "f"]))])), false),
        5 => (reference("Kinds"), true),
        _ => (texts(&ITEMS[..=choices.below(3)]), true),
    }
}

fn resource(choices: &mut Choices<'_>, scope: &Scope) -> Value {
    let mut members = vec![("Type", text("AWS::SNS::Topic"))];
    match choices.below(10) {
        0 => members.push(("DependsOn", text("Net"))),
        1 => members.push(("DependsOn", list(vec![text("Fixed"), sub(format!("M{}", scope.item()))]))),
        2 => members.push(("Condition", text(choices.of(&["IsDev", "IsOther"])))),
        3 => members.push(("ForEach", texts(&["x", "y"]))),
        4 => members.push(("DeletionPolicy", text("Retain"))),
        5 => members.push(("Metadata", map(vec![("Of", value(choices, scope, 2))]))),
        _ => {}
    }
    let names = ["One", "Two", "Three", "Four"];
    let count = 1 + choices.below(4);
    members.push(("Properties", map(names.iter().take(count).map(|&name| (name, value(choices, scope, 3))).collect())));
    map(members)
}

/// A value that is known, a string.
fn known(choices: &mut Choices<'_>, scope: &Scope) -> Value {
    match (choices.below(8), scope.names.last()) {
        (0, _) => reference("Stage"),
        (1, _) => sub("${Stage}-${Const::Base}"),
        (2, _) => reference("Const::Both"),
        (3 | 4, Some(name)) => reference(name),
        (5, Some(name)) => sub(format!("x-${{{name}}}-${{Stage}}")),
        (6, Some(name)) => call("Fn::Join", list(vec![text("-"), list(vec![reference(name), text("j")])])),
        _ => text(choices.of(&["plain", "é", "a b", "yes", "${!Literal}"])),
    }
}

fn value(choices: &mut Choices<'_>, scope: &Scope, depth: usize) -> Value {
    if depth == 0 {
        return known(choices, scope);
    }
    let item = scope.item();
    let inner = |choices: &mut Choices<'_>| value(choices, scope, depth - 1);
    match choices.below(22) {
        0 => attribute(text("Net"), text(choices.of(&["Arn", "Label", "Sizes", "Zones", "Sizes.small"]))),
        1 => attribute(sub(format!("M{item}")), text(choices.of(&["Arn", "Label", "Names"]))),
        2 => attribute(sub(format!("Each[{item}]")), text(choices.of(&["Arn", "Label"]))),
        3 => call("Fn::GetAtt", text(choices.of(&["Each[*].Arn", "Each[0].Label", "Each[*].Label", "Net.Sizes.a"]))),
        4 => attribute(text("Net"), sub(format!("Sizes.{item}"))),
        5 => sub(choices.of(&["x-${Net.Label}", "${Net.Arn}/y", "${Each[0].Label}-z", "${Ma.Label}${Mb.Arn}"])),
        6 => {
            let label = known(choices, scope);
            let output = choices.of(&["Label", "Sizes", "Zones"]);
            call("Fn::Invoke", list(vec![text("Net"), map(vec![("Label", label)]), text(output)]))
        }
        7 => call("Fn::InsertFile", sub(format!("{item}.txt"))),
        8 => call("Fn::InsertFile", text("a.txt")),
        9 => {
            let source = list(vec![known(choices, scope), list(vec![known(choices, scope)])]);
            call("Fn::Flatten", map(vec![("Source", source)]))
        }
        10 => {
            let first = map(vec![("A", inner(choices)), ("B", known(choices, scope))]);
            call("Fn::Merge", list(vec![first, map(vec![("A", inner(choices))])]))
        }
        11 => {
            let name = format!("Item{depth}");
            let (collection, is_item) = collection(choices, scope);
            let own = value(choices, &scope.with(&name, is_item), depth - 1);
            let fragment = map(vec![("All", list(vec![sub(format!("${{{name}}}-{item}")), own]))]);
            call("Fn::Map", map(vec![("Value", text(name)), ("Collection", collection), ("Fragment", fragment)]))
        }
        12 => {
            let condition = text(choices.of(&["IsDev", "IsOther"]));
            call("Fn::If", list(vec![condition, inner(choices), inner(choices)]))
        }
        13 => call("Fn::Select", list(vec![Value::Number("0".to_owned()), attribute(text("Net"), text("Zones"))])),
        14 => call("Fn::Join", list(vec![text("+"), list(vec![known(choices, scope), reference("AWS::Region")])])),
        15 => call("Fn::Length", attribute(text("Net"), text("Names"))),
        16 => call("Fn::ToJsonString", map(vec![("A", inner(choices))])),
        17 => list((0..choices.below(3)).map(|_| inner(choices)).collect()),
        18 => map(vec![("A", inner(choices)), ("B", inner(choices))]),
        19 => {
            let name = format!("P{depth}");
            let (collection, is_item) = collection(choices, scope);
            let own = value(choices, &scope.with(&name, is_item), depth - 1);
            let looped = list(vec![text(name.clone()), collection, call(&format!("K${{{name}}}"), own)]);
            let looped = (format!("Fn::ForEach::Props{depth}"), looped);
            Value::Map(vec![looped, ("Own".to_owned(), known(choices, scope))])
        }
        _ => known(choices, scope),
    }
}
