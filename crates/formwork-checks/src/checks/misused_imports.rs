//! Unknown names that are imports of modules (reference/modules/references.md#outputs).

use formwork_base::display::shown;
use formwork_syntax::{Kind, symbol};
use formwork_template::reference::By;

use super::misused_names::{Meaning, Unknown};
use crate::Context;

/// Explains `Ref: Net` and `${Net}`, where `Net` is an import: only its outputs have values.
pub(super) fn meaning(cx: &Context<'_>, unknown: &Unknown<'_>) -> Option<Meaning> {
    let tree = cx.tree;
    if unknown.by == By::GetAtt || unknown.attribute.is_some() {
        return None;
    }
    let section = tree.get_text(cx.document.root, "Modules").filter(|&node| tree.kind(node) == Kind::Map)?;
    let import = tree.member(section, tree.symbols().get(unknown.name)?)?;
    let name = shown(unknown.name);
    let declared = Some((tree.span(import.key), "the import".to_owned()));
    if unknown.by == By::DependsOn {
        let what = format!("{name} is an import, and DependsOn takes resources");
        let help = format!("write the logical ID of one of its resources, which begins with {name}");
        return Some(Meaning { what, help, code: None, declared });
    }
    let help = match (output(cx, unknown.name), unknown.by) {
        (Some(output), By::Sub) => format!("refer to an output: `${{{name}.{output}}}`"),
        (Some(output), _) => format!("refer to an output: `!GetAtt {name}.{output}`"),
        (None, _) => "declare an output in the module, and refer to it with `Fn::GetAtt`".to_owned(),
    };
    Some(Meaning { what: format!("{name} is an import, which has no value of its own"), help, code: None, declared })
}

/// Returns the first output of the module of an import.
fn output(cx: &Context<'_>, import: &str) -> Option<String> {
    /// Further files are not searched, for each wrong name.
    const MOST: usize = 100;
    let tree = cx.tree;
    let is_of = |frame| tree.frame_chain(frame).first().is_some_and(|outermost| outermost.name == import);
    let documents = cx.written?.documents.iter().take(MOST);
    let &(root, _) = documents.into_iter().find(|&&(_, frame)| is_of(frame))?;
    let outputs = tree.get(root, symbol::OUTPUTS).filter(|&node| tree.kind(node) == Kind::Map)?;
    tree.entries(outputs).next().map(|entry| shown(tree.text(entry.key)))
}
