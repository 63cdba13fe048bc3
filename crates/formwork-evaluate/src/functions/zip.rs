//! `Fn::Zip`: combines lists of the same length (reference/map-and-merge.md#zip). `[a, b]` returns a list of lists,
//! `{x: a, y: b}` a list of objects.

use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let (keys, lists): (Vec<NodeId>, Vec<NodeId>) = match ev.tree.kind(argument) {
        Kind::List => (Vec::new(), ev.tree.items(argument).to_vec()),
        Kind::Map => ev.tree.entries(argument).map(|entry| (entry.key, entry.value)).unzip(),
        _ => (Vec::new(), Vec::new()),
    };
    if lists.is_empty() {
        let diagnostic = ev.layout(call, Known::Zip, "Fn::Zip takes lists, or names with lists");
        return ev.wrong(diagnostic);
    }
    let outcomes: Vec<Outcome> = lists.iter().map(|&list| ev.resolve(list)).collect();
    if outcomes.contains(&Outcome::Poison) {
        return Outcome::Poison;
    }
    if outcomes.iter().any(|outcome| outcome.value().is_none()) {
        let written: Vec<NodeId> =
            lists.iter().zip(&outcomes).map(|(&list, outcome)| outcome.as_argument(list)).collect();
        let argument = if keys.is_empty() {
            ev.list_like(argument, &written)
        } else {
            let entries: Vec<Entry> = keys.iter().zip(written).map(|(&key, value)| Entry { key, value }).collect();
            let (style, origin) = (ev.tree.style(argument), Origin::Generated(argument, ev.tree.frame_of(argument)));
            ev.tree.map(&entries, style, origin)
        };
        return Outcome::Residual(ev.kept(call, argument));
    }
    let name = |at: usize, ev: &Evaluator<'_>| match keys.get(at) {
        Some(&key) => shown(ev.tree.text(key)),
        None => format!("list {}", at + 1),
    };
    let mut columns: Vec<Vec<NodeId>> = Vec::with_capacity(lists.len());
    for (at, outcome) in outcomes.iter().enumerate() {
        let Some(value) = outcome.value() else { return Outcome::Poison };
        if ev.tree.kind(value) != Kind::List {
            let what = format!("{} of Fn::Zip is {}, not a list", name(at, ev), ev.shown(*outcome));
            let diagnostic = ev.layout(call, Known::Zip, &what);
            return ev.wrong(diagnostic);
        }
        columns.push(ev.tree.items(value).to_vec());
    }
    let length = columns[0].len();
    if let Some(other) = columns.iter().position(|column| column.len() != length) {
        let what = format!(
            "the lists of Fn::Zip differ in length: {} has {length}, {} has {}",
            name(0, ev),
            name(other, ev),
            columns[other].len()
        );
        let diagnostic = ev.layout(call, Known::Zip, &what);
        return ev.wrong(diagnostic);
    }
    if !ev.charge_elements(length.saturating_mul(columns.len() + 1), call) {
        return Outcome::Poison;
    }
    let origin = Origin::Generated(call, ev.tree.frame_of(call));
    let rows: Vec<NodeId> = (0..length)
        .map(|row| {
            let cells: Vec<NodeId> = columns.iter().map(|column| column[row]).collect();
            if keys.is_empty() {
                return ev.tree.list(&cells, Style::Plain, origin);
            }
            let entries: Vec<Entry> = keys.iter().zip(cells).map(|(&key, value)| Entry { key, value }).collect();
            ev.tree.map(&entries, Style::Plain, origin)
        })
        .collect();
    let list = ev.tree.list(&rows, Style::Plain, origin);
    match outcomes.iter().find(|outcome| outcome.is_secret()) {
        Some(_) => Outcome::Secret { value: list, kept: call },
        None => Outcome::Known(list),
    }
}
