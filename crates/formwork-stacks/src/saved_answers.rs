//! Saves answers in samconfig.toml; the rest of the file stays as its author wrote it.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// The answers to questions. They never contain the value of a `NoEcho` parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    /// The name of the stack.
    pub stack_name: Option<String>,
    /// The Region.
    pub region: Option<String>,
    /// Parameters and their values.
    pub parameters: Vec<(String, String)>,
    /// Acknowledged capabilities.
    pub capabilities: Vec<String>,
}

impl Answers {
    /// Returns `true` if there is nothing to save.
    pub fn is_empty(&self) -> bool {
        *self == Answers::default()
    }
}

/// Version of the file format, which SAM CLI requires.
const VERSION: &str = "version = 0.1\n";

/// Adds the answers to the section of `deploy` in a configuration file. `None` when the text is not TOML, or a key of
/// the section has another type.
pub fn merged(text: &str, environment: &str, answers: &Answers) -> Option<String> {
    let text = if text.trim().is_empty() { VERSION } else { text };
    let mut document: DocumentMut = text.parse().ok()?;
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in [environment, "deploy", "parameters"] {
        let new = || {
            let mut table = Table::new();
            // Only the innermost one has a header of its own.
            table.set_implicit(name != "parameters");
            Item::Table(table)
        };
        table = table.entry(name).or_insert_with(new).as_table_like_mut()?;
    }
    for (key, answer) in [("stack_name", &answers.stack_name), ("region", &answers.region)] {
        if let Some(answer) = answer {
            table.insert(key, toml_edit::value(answer));
        }
    }
    if !answers.parameters.is_empty() {
        add(table, "parameter_overrides", &answers.parameters)?;
    }
    if !answers.capabilities.is_empty() {
        let words: Vec<(String, String)> =
            answers.capabilities.iter().map(|name| (name.clone(), String::new())).collect();
        add(table, "capabilities", &words)?;
    }
    Some(document.to_string())
}

/// Adds `NAME="VALUE"`, or `NAME` without a value, to words that are one string, a list or a table.
fn add(table: &mut dyn TableLike, key: &str, words: &[(String, String)]) -> Option<()> {
    let quoted = |(name, value): &(String, String)| {
        if value.is_empty() && key == "capabilities" {
            name.clone()
        } else {
            format!("{name}=\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
        }
    };
    let raw =
        |(name, value): &(String, String)| if key == "capabilities" { name.clone() } else { format!("{name}={value}") };
    match table.get_mut(key) {
        None => {
            let all: Vec<String> = words.iter().map(quoted).collect();
            table.insert(key, toml_edit::value(all.join(" ")));
        }
        Some(Item::Value(Value::String(text))) => {
            let known = text.value().trim().to_owned();
            let all: Vec<String> =
                std::iter::once(known).filter(|known| !known.is_empty()).chain(words.iter().map(quoted)).collect();
            table.insert(key, toml_edit::value(all.join(" ")));
        }
        Some(Item::Value(Value::Array(list))) => push(list, words.iter().map(raw)),
        Some(item) => {
            let table = item.as_table_like_mut()?;
            for (name, value) in words {
                table.insert(name, toml_edit::value(value));
            }
        }
    }
    Some(())
}

fn push(list: &mut Array, words: impl Iterator<Item = String>) {
    for word in words {
        list.push(word);
    }
}

#[cfg(test)]
mod tests {
    use formwork::samconfig::SamConfig;

    use super::*;

    fn answers() -> Answers {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Answers {
            stack_name: Some("shop".to_owned()),
            region: None,
            parameters: vec![pair("Stage", "prod"), pair("Note", r#"a "b" \c"#)],
            capabilities: vec!["CAPABILITY_IAM".to_owned()],
        }
    }

    /// The answers that the program itself reads from the file.
    fn read(text: &str, environment: &str) -> Vec<(String, String)> {
        let file = SamConfig::parse(text.as_bytes()).expect("TOML");
        let section = file.section(Some(environment), "deploy").expect("the environment");
        section.parameters().expect("words").into_iter().map(|(one, _)| (one.name, one.value)).collect()
    }

    #[test]
    fn a_new_file_holds_every_answer() {
        let text = merged("", "default", &answers()).expect("TOML");
        let want = r#"version = 0.1

[default.deploy.parameters]
stack_name = "shop"
parameter_overrides = 'Stage="prod" Note="a \"b\" \\c"'
capabilities = "CAPABILITY_IAM"
"#;
        assert_eq!(text, want);
        assert_eq!(read(&text, "default"), answers().parameters);
    }

    #[test]
    fn what_is_in_the_file_stays() {
        let before = "# ours\nversion = 0.1\n\n[prod.deploy.parameters]\nregion = \"eu-west-1\" # near\n\n[prod.global.parameters]\nprofile = \"p\"\n";
        let text = merged(before, "prod", &answers()).expect("TOML");
        assert!(
            text.starts_with(
                "# ours\nversion = 0.1\n\n[prod.deploy.parameters]\nregion = \"eu-west-1\" # near\nstack_name"
            ),
            "{text}"
        );
        assert!(text.ends_with("\n\n[prod.global.parameters]\nprofile = \"p\"\n"), "{text}");
        assert_eq!(read(&text, "prod"), answers().parameters);
        let text = merged(before, "default", &answers()).expect("TOML");
        assert!(text.starts_with(before) && text.contains("\n[default.deploy.parameters]\n"), "{text}");
    }

    #[test]
    fn words_are_added_to_every_shape() {
        let known = ("Owner".to_owned(), "ann".to_owned());
        for shape in ["'Owner=ann'", "[\"Owner=ann\"]", "{Owner = \"ann\"}"] {
            let before = format!("[default.deploy.parameters]\nparameter_overrides = {shape}\n");
            let text = merged(&before, "default", &answers()).expect("TOML");
            let mut want: Vec<_> = std::iter::once(known.clone()).chain(answers().parameters).collect();
            let mut found = read(&text, "default");
            // A table has no order of its own.
            found.sort();
            want.sort();
            assert_eq!(found, want, "{shape}: {text}");
        }
    }

    #[test]
    fn what_is_not_such_a_file_is_left_alone() {
        for text in
            ["a b", "default = 1\n", "[default]\ndeploy = \"x\"\n", "[default.deploy.parameters]\ncapabilities = 7\n"]
        {
            assert_eq!(merged(text, "default", &answers()), None, "{text}");
        }
    }
}
