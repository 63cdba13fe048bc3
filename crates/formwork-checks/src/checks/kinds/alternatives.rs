//! A comparison with a list: `!Equals [!Ref Stage, [dev, test]]` means each of its values.

use formwork_base::{Diagnostic, Span};
use formwork_syntax::function::Known;
use formwork_syntax::{Format, Kind, NodeId, Style};

use super::Misfit;
use super::positions::ValuePosition;
use crate::Context;
use crate::checks::written;

/// Most values of a list that become comparisons: `Fn::Or` takes ten.
const MOST: usize = 10;

/// Returns the call, and the code to write for it; `None` when the value is not a list that is compared.
pub(super) fn alternatives(cx: &Context<'_>, misfit: &Misfit) -> Option<(Span, String)> {
    let tree = cx.tree;
    let ValuePosition::Argument { function: Known::Equals, call, .. } = misfit.place else { return None };
    let values = (tree.kind(misfit.node) == Kind::List).then(|| tree.items(misfit.node))?;
    let sides = tree.items(tree.call(call).1);
    let other = sides.iter().copied().find(|&side| side != misfit.node && tree.kind(side) != Kind::List)?;
    if !(2..=MOST).contains(&values.len()) || tree.is_generated(call) {
        return None;
    }
    let own = |node: NodeId| written::code(tree, cx.sources, node).map(|own| own.inner);
    let other = own(other)?;
    let is_tag = tree.style(call) == Style::Tag;
    let one = |&value: &NodeId| {
        let arguments = format!("[{other}, {}]", own(value)?);
        Some(match (cx.document.format, is_tag) {
            (Format::Json, _) => format!("{{\"Fn::Equals\": {arguments}}}"),
            (Format::Yaml, true) => format!("!Equals {arguments}"),
            (Format::Yaml, false) => format!("{{\"Fn::Equals\": {arguments}}}"),
        })
    };
    let all: Vec<String> = values.iter().map(one).collect::<Option<_>>()?;
    let code = match (cx.document.format, is_tag) {
        (Format::Json, _) => format!("{{\"Fn::Or\": [{}]}}", all.join(", ")),
        (Format::Yaml, true) => format!("!Or [{}]", all.join(", ")),
        (Format::Yaml, false) => format!("Fn::Or: [{}]", all.join(", ")),
    };
    let is_braced = cx.sources.slice(tree.span(call)).starts_with('{');
    let code = if is_braced && code.starts_with("Fn::") { format!("{{{code}}}") } else { code };
    Some((tree.span(call), code))
}

/// Advises the comparisons.
pub(super) fn advise(diagnostic: Diagnostic, (call, code): (Span, String)) -> Diagnostic {
    diagnostic.help(format!("compare with each value: `{code}`")).unsafe_fix("compare with each value", call, code)
}
