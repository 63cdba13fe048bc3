//! The section `Rain` of older versions, whose entries are top-level sections now.

use formwork_syntax::NodeId;

use super::directives::rename;
use super::document::{Edits, Rain};

const KNOWN: [&str; 3] = ["Constants", "Packages", "Modules"];

pub(super) fn unknown(rain: &Rain<'_>) -> Vec<String> {
    let members = rain.section("Rain").map(|(_, node)| rain.tree.entries(node)).into_iter().flatten();
    members.map(|entry| rain.tree.text(entry.key).to_owned()).filter(|name| !KNOWN.contains(&name.as_str())).collect()
}

/// Moves `Constants` and `Packages` to the top level, renames `Location` of a package, and adds the algorithm to a
/// digest.
pub(super) fn rewrite(rain: &Rain<'_>) -> String {
    let mut edits = Edits::default();
    let section = rain.section("Rain");
    let below = section.and_then(|(_, node)| rain.tree.get_text(node, "Packages"));
    for packages in below.into_iter().chain(rain.section("Packages").map(|(_, node)| node)) {
        for package in rain.tree.entries(packages) {
            for member in rain.tree.entries(package.value) {
                match rain.tree.text(member.key) {
                    "Location" => rename(rain, member.key, "Source", &mut edits),
                    "Hash" if is_digest(rain.tree.text(member.value)) => {
                        edits.replace(rain.range(member.value), format!("\"sha256:{}\"", rain.tree.text(member.value)));
                    }
                    _ => {}
                }
            }
        }
    }
    if let Some((key, members)) = section {
        lift(rain, key, members, &mut edits);
    }
    edits.apply(rain.text)
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn lift(rain: &Rain<'_>, key: NodeId, members: NodeId, edits: &mut Edits) {
    let start = rain.range(key).start;
    if rain.is_flow(members) {
        flow(rain, start, members, edits);
        return;
    }
    let end = rain.range(members).end;
    let end = if rain.text[..end].ends_with('\n') { end } else { rain.next_line(end) };
    let mut at = rain.next_line(start);
    edits.replace(rain.line_start(start)..at, "");
    let outer = rain.tree.entries(members).next().map(|entry| rain.range(entry.key).start);
    let outer = outer.map_or(0, |first| first - rain.line_start(first));
    while at < end {
        let line = &rain.text[at..rain.next_line(at)];
        let own = line.len() - line.trim_start_matches(' ').len();
        let is_comment = line.trim_start().starts_with('#');
        // Comments before the first entry stay where they are.
        let is_above =
            is_comment && rain.tree.entries(members).next().is_some_and(|first| at < rain.range(first.key).start);
        if !is_above {
            edits.replace(at..at + own.min(outer), "");
        }
        at = rain.next_line(at);
    }
}

fn flow(rain: &Rain<'_>, start: usize, members: NodeId, edits: &mut Edits) {
    let range = rain.range(members);
    let entries: Vec<(usize, usize)> =
        rain.tree.entries(members).map(|entry| (rain.range(entry.key).start, rain.range(entry.value).end)).collect();
    let (Some(&(first, _)), Some(&(_, last))) = (entries.first(), entries.last()) else {
        edits.replace(start..rain.next_line(range.end), "");
        return;
    };
    edits.replace(start..first, "");
    edits.replace(last..range.end, "");
    if !rain.is_flow(rain.root) {
        // Between braces commas separate the entries; outside of them lines do.
        for pair in entries.windows(2) {
            edits.replace(pair[0].1..pair[1].0, "\n");
        }
    }
}
