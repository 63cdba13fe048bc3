//! Unknown names that are a resource type, an output, a path with its section, or a variable of a program in a string.

use std::cell::OnceCell;
use std::collections::HashMap;

use formwork_base::display::shown;
use formwork_syntax::{NodeId, Style, Symbol, symbol};
use formwork_template::reference::By;
use formwork_template::{Section, attribute};

use super::misused_names::{Meaning, Unknown};
use crate::Context;

/// Limit of names that a report lists.
const MOST_NAMES: usize = 5;

/// The keys of the first resources of each type, collected for the first unknown name that is a type.
#[derive(Default)]
pub(super) struct DeclaredTypes(OnceCell<HashMap<String, Vec<NodeId>>>);

impl DeclaredTypes {
    fn of(&self, cx: &Context<'_>, name: &str) -> &[NodeId] {
        let all = self.0.get_or_init(|| {
            let mut all: HashMap<String, Vec<NodeId>> = HashMap::new();
            let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES);
            for entry in resources.into_iter().flat_map(|resources| cx.tree.entries(resources)) {
                let kind = cx.tree.get(entry.value, symbol::TYPE).and_then(|kind| cx.tree.string(kind));
                let Some(kind) = kind else { continue };
                let keys = all.entry(kind.to_owned()).or_default();
                if keys.len() < MOST_NAMES {
                    keys.push(entry.key);
                }
            }
            all
        });
        all.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns the meaning of an unknown name; `None` when it is none of these.
pub(super) fn meaning(cx: &Context<'_>, types: &DeclaredTypes, unknown: &Unknown<'_>) -> Option<Meaning> {
    of_type(cx, types, unknown)
        .or_else(|| of_section(cx, unknown))
        .or_else(|| with_text(cx, unknown))
        .or_else(|| of_output(cx, unknown))
}

/// Explains `DependsOn: AWS::S3::Bucket`.
fn of_type(cx: &Context<'_>, types: &DeclaredTypes, unknown: &Unknown<'_>) -> Option<Meaning> {
    let tree = cx.tree;
    let is_type = attribute::is_type_name(unknown.name) && unknown.name.split("::").count() > 2;
    if !is_type {
        return None;
    }
    cx.tree.get(cx.unrolled, symbol::RESOURCES)?;
    let all = types.of(cx, unknown.name);
    let names: Vec<String> = all.iter().map(|&key| shown(tree.text(key))).collect();
    let help = match &names[..] {
        [] => "declare a resource of the type under Resources, and write its name".to_owned(),
        [name] => format!("did you mean `{name}`?"),
        _ => format!("write the name of a resource of the type: {}", names.join(", ")),
    };
    let declared = all.first().map(|&key| (tree.span(key), "a resource of the type".to_owned()));
    Some(Meaning {
        what: format!("{} is a resource type, not the name of a resource", shown(unknown.name)),
        help,
        code: None,
        declared,
    })
}

/// Explains `Ref: Parameters.Stage`.
fn of_section(cx: &Context<'_>, unknown: &Unknown<'_>) -> Option<Meaning> {
    let (section, name) = unknown.name.split_once(['.', ':', '/'])?;
    let section = Section::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(section))?;
    let name = name.trim_start_matches(':');
    declared(cx, section.symbol(), name)?;
    let what = format!("{} has a section in front of the name", shown(unknown.name));
    Some(Meaning { what, help: format!("did you mean `{}`?", shown(name)), code: None, declared: None })
}

/// Explains `!Ref Stage-topic`: a text is behind the name.
fn with_text(cx: &Context<'_>, unknown: &Unknown<'_>) -> Option<Meaning> {
    let end = unknown.name.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (name, rest) = unknown.name.split_at_checked(end)?;
    let is_text = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_/".contains(&byte));
    let is_tag = unknown.call.is_some_and(|call| cx.tree.style(call) == Style::Tag);
    let parameter = cx.tree.symbols().get(name).and_then(|name| cx.template.parameter(name));
    let is_declared = parameter.is_some() || declared(cx, symbol::RESOURCES, name).is_some();
    if unknown.by != By::Ref || !is_text || !is_tag || !is_declared {
        return None;
    }
    let code = format!("!Sub \"${{{name}}}{rest}\"");
    Some(Meaning {
        what: format!("Ref takes a name alone, and `{}` has a text behind it", shown(unknown.name)),
        help: format!("write a string with a placeholder: `{code}`"),
        code: Some(code),
        declared: None,
    })
}

/// Explains `Ref: QueueArn`, where `QueueArn` is an output.
fn of_output(cx: &Context<'_>, unknown: &Unknown<'_>) -> Option<Meaning> {
    let (key, output) = declared(cx, symbol::OUTPUTS, unknown.name)?;
    let value = cx.tree.get(output, symbol::VALUE)?;
    let written = cx.sources.slice(cx.tree.span(value)).trim();
    // An output of the name of a missing resource has the same mistake in its own value.
    if written.contains(unknown.name) || cx.tree.is_generated(key) {
        return None;
    }
    let is_short = written.len() <= 80 && !written.contains(['\n', '`']) && written.starts_with('!');
    let code = (is_short && unknown.by == By::Ref).then(|| written.to_owned());
    let help = if let Some(code) = &code {
        format!("write its value: `{}`", shown(code))
    } else {
        "write its value: outputs are known only outside of the template".to_owned()
    };
    let what = format!("{} is an output, not a parameter or resource", shown(unknown.name));
    Some(Meaning { what, help, code, declared: Some((cx.tree.span(key), "the output".to_owned())) })
}

fn declared(cx: &Context<'_>, section: Symbol, name: &str) -> Option<(NodeId, NodeId)> {
    let node = cx.tree.get(cx.unrolled, section)?;
    let entry = cx.tree.member(node, cx.tree.symbols().get(name)?)?;
    Some((entry.key, entry.value))
}
