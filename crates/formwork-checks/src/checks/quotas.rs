//! CloudFormation quotas on the expanded template (reference/structure.md#quotas).

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, FrameKind, Severities, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, NodeSet, Tree, View, flags, symbol};
use formwork_template::{Section, dynamic_reference};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Context;

const RESOURCES: usize = 500;
const MEMBERS: usize = 200;
const NAME: usize = 255;
const DESCRIPTION: usize = 1024;
/// The documented limit. Templates with more are deployed.
const DYNAMIC_REFERENCES: usize = 60;
const SPLIT: &str = "split the stack, or use nested stacks";

pub(super) fn check(cx: &mut Context<'_>) {
    count(cx, Section::Resources, RESOURCES, codes::QUOTA_RESOURCES);
    count(cx, Section::Outputs, MEMBERS, codes::QUOTA_OUTPUTS);
    count(cx, Section::Parameters, MEMBERS, codes::QUOTA_PARAMETERS);
    count(cx, Section::Mappings, MEMBERS, codes::QUOTA_MAPPINGS);
    mapping_attributes(cx);
    names(cx, &[Section::Parameters, Section::Mappings, Section::Resources, Section::Outputs]);
    description(cx);
    dynamic_references(cx);
}

pub(super) fn of_parameters(cx: &mut Context<'_>) {
    count(cx, Section::Parameters, MEMBERS, codes::QUOTA_PARAMETERS);
    names(cx, &[Section::Parameters]);
}

fn count(cx: &mut Context<'_>, section: Section, most: usize, code: Code) {
    let Some(entry) =
        cx.tree.member(cx.result, section.symbol()).filter(|entry| cx.tree.kind(entry.value) == Kind::Map)
    else {
        return;
    };
    let count = cx.tree.len(entry.value);
    let what = section.name().to_lowercase();
    let near = most * 9 / 10;
    if count <= near {
        return;
    }
    let span = cx.tree.span(entry.key);
    if count <= most {
        if let Some(advice) = Severities::Advice.at(cx.goal) {
            cx.push(
                Diagnostic::new(code, format!("{count} {what}, near the quota of {most}")).at(span).help(SPLIT),
                advice,
            );
        }
        return;
    }
    let sentence = match section {
        Section::Outputs => format!("Template format error: Outputs count {count} is greater than max allowed {most}"),
        _ => format!("Template format error: Number of {what}, {count}, is greater than maximum allowed, {most}"),
    };
    let mut diagnostic =
        Diagnostic::new(code, format!("{count} {what}, {} too many: `{sentence}`", count - most)).at(span);
    let over = cx.tree.entry(entry.value, most).key;
    diagnostic = diagnostic.frames(cx.tree.frame_chain(cx.tree.frame_of(over)));
    for note in shares(cx.tree, entry.value) {
        diagnostic = diagnostic.note(note);
    }
    cx.push(diagnostic.help(SPLIT), cx.as_result());
}

/// Returns the loops and modules that generate most entries, by share.
pub(super) fn shares(tree: &Tree, section: NodeId) -> Vec<String> {
    let mut makers: Vec<(formwork_base::Span, String, usize)> = Vec::new();
    let mut known: FxHashMap<formwork_base::Span, usize> = FxHashMap::default();
    for entry in tree.entries(section) {
        let chain = tree.frames().chain(tree.frame_of(entry.key)).map(|(_, record)| record);
        let makers_of = chain.filter(|record| maker(record.kind).is_some());
        let (inner, record) = makers_of.fold((None, None), |(_, inner), record| (inner, Some(record)));
        let Some(record) = record else { continue };
        // The copies of an import: its `ForEach` is not a loop of its own.
        let is_import = inner.is_some_and(|inner| inner.kind == FrameKind::Module && inner.site == record.site);
        let what = if is_import { "module" } else { maker(record.kind).unwrap_or_default() };
        let number = *known.entry(record.site).or_insert(makers.len());
        match makers.get_mut(number) {
            Some((.., count)) => *count += 1,
            None => makers.push((record.site, format!("{what} {}", shown(tree.name(record.loop_name))), 1)),
        }
    }
    makers.sort_by_key(|&(site, _, count)| (std::cmp::Reverse(count), site));
    const SHOWN: usize = 5;
    makers.into_iter().take(SHOWN).map(|(_, name, count)| format!("{name} generates {count}")).collect()
}

fn maker(kind: FrameKind) -> Option<&'static str> {
    match kind {
        FrameKind::Loop => Some("loop"),
        FrameKind::Module => Some("module"),
        _ => None,
    }
}

fn mapping_attributes(cx: &mut Context<'_>) {
    let Some(section) = cx.template.mappings else { return };
    for map in cx.tree.entries(section).collect::<Vec<_>>() {
        let name = shown(cx.tree.text(map.key));
        let keys = cx.tree.len(map.value);
        let attributes = cx.tree.entries(map.value).map(|top| cx.tree.len(top.value)).max().unwrap_or(0);
        let what = if keys > MEMBERS {
            Some(format!("{keys} top-level keys"))
        } else {
            (attributes > MEMBERS).then(|| format!("{attributes} attributes under one key"))
        };
        if let Some(what) = what {
            let diagnostic = Diagnostic::new(
                codes::QUOTA_MAPPINGS,
                format!("mapping {name} has {what}: at most {MEMBERS} are allowed"),
            )
            .at(cx.tree.span(map.key))
            .help("split the mapping into two");
            cx.push(diagnostic, cx.as_result());
        }
    }
}

fn names(cx: &mut Context<'_>, sections: &[Section]) {
    for section in sections {
        let Some(node) = cx.tree.get(cx.result, section.symbol()) else { continue };
        for entry in cx.tree.entries(node).collect::<Vec<_>>() {
            let length = cx.tree.text(entry.key).len();
            if length > NAME {
                let diagnostic = Diagnostic::new(
                    codes::QUOTA_LENGTHS,
                    format!("a name in {} has {length} characters, more than the limit of {NAME}", section.name()),
                )
                .at(cx.tree.span(entry.key))
                .frames(cx.tree.frame_chain(cx.tree.frame_of(entry.key)))
                .help("shorten the name");
                cx.push(diagnostic, cx.as_result());
            }
        }
    }
}

fn description(cx: &mut Context<'_>) {
    let Some(node) = cx.tree.get(cx.template.root, symbol::DESCRIPTION) else { return };
    let bytes = cx.tree.text(node).len();
    if bytes > DESCRIPTION {
        let sentence = "Template format error: 'Description' length is greater than 1024.";
        let diagnostic = Diagnostic::new(
            codes::QUOTA_LENGTHS,
            format!("the Description has {bytes} bytes, {} too many: `{sentence}`", bytes - DESCRIPTION),
        )
        .at(cx.tree.span(node).at_start())
        .help(format!("shorten it to {DESCRIPTION} bytes, or move the description to `Metadata`"));
        cx.push(diagnostic, cx.as_result());
    }
}

/// Counts dynamic references to distinct values: CloudFormation reads each once, too.
fn dynamic_references(cx: &mut Context<'_>) {
    // A quick test that most templates fail.
    let Some(severity) = cx.severity_of_code(codes::QUOTA_DYNAMIC_REFERENCES).filter(|_| cx.tree.may_hold("{{")) else {
        return;
    };
    let (mut seen, mut found) = (NodeSet::default(), FxHashSet::default());
    let sections = [Section::Resources, Section::Outputs];
    let mut pending: Vec<NodeId> =
        sections.iter().filter_map(|section| cx.tree.get(cx.result, section.symbol())).collect();
    while let Some(node) = pending.pop() {
        if cx.tree.may_share() && !seen.insert(node) {
            continue;
        }
        match cx.tree.view(node) {
            View::String(text) if text.contains("{{") => found.extend(dynamic_reference::all(text)),
            _ => pending.extend(cx.tree.child_nodes(node)),
        }
    }
    let count = found.len();
    if count <= DYNAMIC_REFERENCES {
        return;
    }
    let span = cx.tree.member(cx.result, symbol::RESOURCES).map(|entry| cx.tree.span(entry.key)).unwrap_or_default();
    let diagnostic = Diagnostic::new(
        codes::QUOTA_DYNAMIC_REFERENCES,
        format!("{count} different dynamic references: the documented quota of a template is {DYNAMIC_REFERENCES}"),
    )
    .at(span)
    .note("CloudFormation deploys templates with more, as long as it can read all of them")
    .help("read a stored value once, through a parameter of type `AWS::SSM::Parameter::Value<String>`");
    cx.push(diagnostic, severity);
}

pub(super) fn argument_counts(cx: &mut Context<'_>) {
    let Some(conditions) = cx.tree.get(cx.result, symbol::CONDITIONS) else { return };
    let mut pending = vec![conditions];
    while let Some(node) = pending.pop() {
        if !cx.tree.has(node, flags::HAS_CALL) {
            continue;
        }
        match cx.tree.view(node) {
            View::List(items) => pending.extend(items),
            View::Map => pending.extend(cx.tree.entries(node).map(|entry| entry.value)),
            View::Call(function, argument) => {
                let count = cx.tree.len(argument);
                if matches!(function, Function::Known(Known::And | Known::Or))
                    && count == 10
                    && let Some(advice) = cx.severity_of_code(codes::QUOTA_ARGUMENTS)
                {
                    let diagnostic =
                        Diagnostic::new(codes::QUOTA_ARGUMENTS, "the function has 10 conditions, the maximum")
                            .at(cx.tree.span(node))
                            .help("combine some of them in a separate condition");
                    cx.push(diagnostic, advice);
                }
                pending.push(argument);
            }
            _ => {}
        }
    }
}
