//! The JSON schema of `formwork.toml`, which editors use: `docs/schemas/formwork-toml.json`. It is made of the options that
//! the command line has and the file may set, and written by this test with `FORMWORK_UPDATE=1`.

#[path = "../../tests/support/json_schema.rs"]
mod json_schema;

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};
use serde_json::{Map, Value, json};

use formwork_project::{ProjectFile, effect_of};

use super::{Cli, check, with_defaults};

const NAME: &str = "docs/schemas/formwork-toml.json";

/// The options of a command that the file may set, by their long names.
fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let named = command.get_arguments().filter_map(|option| Some((option.get_long()?, option)));
    named.filter(|(name, _)| effect_of(name).is_some())
}

/// What an option takes: a flag `true` or `false`, others a string, a number or a list of them.
fn value(option: &Arg) -> Value {
    let mut schema = if option.get_action().takes_values() {
        let values: Vec<String> =
            option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let word = if values.is_empty() {
            json!({"type": ["string", "number"]})
        } else if values.iter().any(|value| value == "true") {
            json!({"enum": values.iter().map(|value| json!(value)).chain([json!(true), json!(false)]).collect::<Vec<_>>()})
        } else {
            json!({"enum": values})
        };
        if matches!(option.get_action(), clap::ArgAction::Append) {
            json!({"anyOf": [word, {"type": "array", "items": word}]})
        } else {
            word
        }
    } else {
        json!({"type": "boolean"})
    };
    if let Some(help) = option.get_help() {
        schema["description"] = json!(help.to_string());
    }
    schema
}

/// A table of options, and of the commands below a command.
fn table(command: &Command) -> Value {
    let mut properties: Map<String, Value> =
        options(command).map(|(name, option)| (name.to_owned(), value(option))).collect();
    properties.sort_keys();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        properties.insert(inner.get_name().to_owned(), table(inner));
    }
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

/// The options of all commands: those with one meaning take what any of them takes.
fn everywhere(command: &Command, found: &mut BTreeMap<String, Vec<Value>>) {
    for (name, option) in options(command) {
        let known = found.entry(name.to_owned()).or_default();
        let schema = value(option);
        if !known.iter().any(|one| without_words(one) == without_words(&schema)) {
            known.push(schema);
        }
    }
    command.get_subcommands().for_each(|inner| everywhere(inner, found));
}

fn without_words(schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema.as_object_mut().map(|schema| schema.remove("description"));
    schema
}

/// Values of parameters by name.
fn parameter_values() -> Value {
    let scalar = json!({"type": ["string", "number", "boolean"]});
    json!({"type": "object", "additionalProperties": {"anyOf": [&scalar, {"type": "array", "items": &scalar}]}})
}

/// The tables `[[stack]]`.
fn stacks() -> Value {
    let of_stage = json!({"anyOf": [
        {"type": "string"},
        {"type": "object", "additionalProperties": {"type": "string"}},
    ]});
    json!({
        "type": "array",
        "description": "Stacks of the repository",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["name", "template"],
            "properties": {
                "name": {"type": "string", "description": "The name of the stack, in which `{stage}` is the stage"},
                "template": {"type": "string", "description": "The path of the template, or the name of a `[[template]]`"},
                "stages": {"type": "array", "items": {"type": "string"}},
                "parameters": parameter_values(),
                "region": of_stage,
                "account": of_stage,
            },
        },
    })
}

fn schema() -> Value {
    let mut program = Cli::command();
    program.build();
    let mut root = table(&program);
    let mut properties = Map::new();
    properties.insert(
        "template-root".to_owned(),
        json!({"type": "string", "description": "The directory of the default template, below that of this file"}),
    );
    properties.insert(
        "parameters".to_owned(),
        json!({
            "type": "object",
            "description": "Sets of parameter values, for --parameter-set",
            "additionalProperties": parameter_values(),
        }),
    );
    properties.insert(
        "template".to_owned(),
        json!({
            "type": "array",
            "description": "Templates of several files",
            "items": {
                "type": "object",
                "additionalProperties": false,
                "required": ["name", "files"],
                "properties": {
                    "name": {"type": "string", "description": "The name on the command line"},
                    "files": {
                        "type": "array",
                        "description": "Patterns of the files, from the directory of this file",
                        "items": {"type": "string"},
                        "minItems": 1,
                    },
                },
            },
        }),
    );
    let mut found = BTreeMap::new();
    everywhere(&program, &mut found);
    for (name, mut schemas) in found {
        let schema = if schemas.len() == 1 { schemas.remove(0) } else { json!({"anyOf": schemas}) };
        properties.insert(name, schema);
    }
    if let Value::Object(commands) = root["properties"].take() {
        properties.extend(commands);
    }
    // A table has options of `formwork stack`, a list of tables the stacks of the repository.
    let command = properties.get("stack").cloned().unwrap_or_default();
    properties.insert("stack".to_owned(), json!({"anyOf": [command, stacks()]}));
    root["properties"] = properties.into();
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": format!("https://raw.githubusercontent.com/formwork-cfn/formwork/main/{NAME}"),
        "title": "formwork.toml",
        "$comment": "Written by `FORMWORK_UPDATE=1 cargo test -p formwork-cli --bin formwork schema`.",
    });
    if let (Value::Object(schema), Value::Object(root)) = (&mut schema, root) {
        schema.extend(root);
    }
    schema
}

/// Whether the program takes a file.
fn is_taken(text: &str) -> bool {
    let mut program = Cli::command();
    program.build();
    ProjectFile::parse(Path::new("formwork.toml"), text.as_bytes()).is_ok_and(|file| check(&file, &program).is_ok())
}

/// Whether the program takes a file and its values, which are looked at by the command that has the option.
fn is_used(text: &str) -> bool {
    let mut program = Cli::command();
    program.build();
    let uses = |command: &str| {
        let file = ProjectFile::parse(Path::new("formwork.toml"), text.as_bytes()).ok()?;
        with_defaults(&file, &program, &["formwork".into(), command.into()], crate::usage::explain).ok()
    };
    ["check", "expand", "build"].into_iter().all(|command| uses(command).is_some())
}

/// Whether the schema takes a file.
fn is_valid(text: &str) -> bool {
    let table: toml::Table = text.parse().expect("TOML");
    let value = serde_json::to_value(table).expect("JSON");
    json_schema::errors(&schema(), &value).is_empty()
}

#[test]
fn the_schema_is_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(NAME);
    let wanted = format!("{:#}\n", schema());
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        std::fs::write(&path, &wanted).expect("the schema is written");
    }
    assert_eq!(std::fs::read_to_string(path).expect("the schema"), wanted, "run with FORMWORK_UPDATE=1");
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let taken = [
        "",
        "template-root = \"infra\"\nstrict = true\n[check]\nmessage-format = \"short\"\n[local.start-api]\nport = 8080\n",
        "[check]\nignore = [\"FW0307\"]\n",
        "ignore = \"FW0307\"\n",
        "[parameters.prod]\nStage = \"prod\"\nZones = [\"a\", \"b\"]\nSize = 3\nFlag = true\n",
        "[build]\njobs = 2\ncached = true\n",
        "values = \"all\"\n",
        "[[template]]\nname = \"auth\"\nfiles = [\"auth/*.yaml\"]\n",
    ];
    let refused = [
        "live = true\n",
        "[check]\noutput = \"x\"\n",
        "[check]\nstrict = \"yes\"\n",
        "[check]\nmessage-format = \"xml\"\n",
        "[local]\nstrict = [[1]]\n",
        "strict = 1\n",
        "template = 1\n",
        "[[template]]\nname = \"auth\"\n",
        "[[template]]\nname = \"auth\"\nfiles = [1]\n",
        "[[template]]\nname = \"auth\"\nfiles = [\"a.yaml\"]\npath = \"x\"\n",
    ];
    // What does not exist is a warning of the program, and an error in an editor.
    let unknown = ["[chek]\nstrict = true\n", "[check]\nstrct = true\n", "[expand]\nport = 1\n"];
    for text in taken {
        assert!(is_used(text) && is_valid(text), "{text}");
    }
    for text in unknown {
        assert!(is_used(text) && !is_valid(text), "{text}");
    }
    for text in refused {
        assert!(!is_used(text), "the program takes {text}");
        assert!(!is_valid(text), "the schema takes {text}");
    }
}

/// Every option of every command, at the top level and in its table, is taken by both or by none.
#[test]
fn the_schema_has_every_option_that_may_be_set() {
    fn visit(command: &Command, path: &str, compared: &mut usize) {
        for option in command.get_arguments() {
            let Some(name) = option.get_long().filter(|name| !["help", "version"].contains(name)) else { continue };
            let word = match option.get_possible_values().first() {
                Some(value) => format!("\"{}\"", value.get_name()),
                None if option.get_action().takes_values() => "\"1\"".to_owned(),
                None => "true".to_owned(),
            };
            let text = format!("[{path}]\n{name} = {word}\n");
            assert_eq!(is_valid(&text), is_taken(&text), "{text}");
            *compared += 1;
        }
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            visit(inner, &format!("{path}.{}", inner.get_name()), compared);
        }
    }
    let mut program = Cli::command();
    program.build();
    let mut compared = 0;
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        visit(command, command.get_name(), &mut compared);
    }
    assert!(compared > 200, "{compared}");
}
