//! Words in the place of the template that are something else: the name of a stack, a resource or a resource type
//! (reference/command-line.md#habits). Other tools take them there.

use std::path::{Path, PathBuf};

use formwork_project::ProjectFile;

use crate::args::Command;

/// A line and a help for a template that is a name, and not the name of a file.
pub(crate) fn misplaced(command: &Command) -> Option<(String, String)> {
    let (name, word) = template_of(command)?;
    let word = word.to_str()?;
    if matches!(name, "deploy" | "sync") && word.contains('*') && !word.contains(['/', '.']) {
        let help = format!("`formwork {name} --stack-name NAME` takes one stack: name it without a pattern");
        return Some((format!("`{word}` is a pattern of stacks"), help));
    }
    let is_name = !word.is_empty() && !word.contains(['/', '\\', '.', '*', '-', ' ']) || word.contains("::");
    if !is_name || Path::new(word).symlink_metadata().is_ok() || ProjectFile::names_template(Path::new(word)) {
        return None;
    }
    if let Some(kind) = kind_of_type(word) {
        let help = match name {
            "build" => format!(
                "rain writes a template from a type, Formwork does not; `formwork schemas {word}` shows its properties"
            ),
            _ => format!("`formwork schemas {word}` shows its properties"),
        };
        return Some((format!("`{word}` is a {kind}, not a template"), help));
    }
    let help = match (name, word) {
        ("deploy", "list") => "`formwork list stacks` lists what is deployed".to_owned(),
        ("deploy", "function") => "`formwork sync --code --resource-id ID` updates the code of one function".to_owned(),
        // A file of nearly this name is the better advice.
        _ if crate::failure::FileFailure::missing(Path::new(word)).advice().is_some_and(is_near) => return None,
        ("build", _) => format!("`formwork build --resource {word}` builds one resource"),
        ("deploy" | "sync", _) => format!("a stack is named by an option: `formwork {name} --stack-name {word}`"),
        ("plan" | "diff", _) => format!("a stack is named by an option: `formwork {name} --stack {word}`"),
        _ => return None,
    };
    Some((format!("`{word}` is not a file"), help))
}

fn is_near(advice: &str) -> bool {
    advice.starts_with("did you mean")
}

/// The noun for a name such as `AWS::S3::Bucket`.
fn kind_of_type(word: &str) -> Option<&'static str> {
    let parts: Vec<&str> = word.split("::").collect();
    let is_part = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (parts.len() >= 3 && parts.iter().all(is_part)).then_some("resource type")
}

/// The command and the template of which only the first is named.
fn template_of(command: &Command) -> Option<(&'static str, &PathBuf)> {
    let first = |list: &'_ [PathBuf]| list.len() == 1;
    match command {
        Command::Build(args) => Some(("build", args.template.as_ref()?)),
        Command::Package(args) => Some(("package", args.template.as_ref()?)),
        #[cfg(feature = "aws")]
        Command::Deploy(args) => Some(("deploy", args.one.template.as_ref()?)),
        #[cfg(feature = "aws")]
        Command::Sync(args) => Some(("sync", args.deploy.template.as_ref()?)),
        Command::Plan(args) if first(&args.template) => Some(("plan", args.template.first()?)),
        Command::Diff(args) if first(&args.template) => Some(("diff", args.template.first()?)),
        Command::Check(args) if first(&args.template) => Some(("check", args.template.first()?)),
        Command::Expand(args) if first(&args.template) => Some(("expand", args.template.first()?)),
        Command::Resolve(args) if first(&args.template) => Some(("resolve", args.template.first()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_has_three_parts() {
        for word in ["AWS::S3::Bucket", "Custom::My::Thing", "A::B::C::MODULE"] {
            assert!(kind_of_type(word).is_some(), "{word}");
        }
        for word in ["AWS::S3", "Shop", "a::::b", "::A::B", "AWS::S3::Bucket.yaml"] {
            assert!(kind_of_type(word).is_none(), "{word}");
        }
    }
}
