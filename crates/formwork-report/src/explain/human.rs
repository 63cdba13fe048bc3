//! Renders an answer for people.

use formwork_base::display::MASK;
use std::fmt::Write as _;

use annotate_snippets::{Group, Level};
use formwork_base::{Frame, FrameKind, Span};
use formwork_provenance::explain::{Absence, Absent, Reason, Residual, Status, path};
use formwork_provenance::{Answer, LineAnswers, Rule, Source, Step, ValueSource};

use crate::code_frame::{self, Label};
use crate::{Context, printable, sentence};

/// Renders the answer for a path: the value, the lines that generate it, the origins of its parts, and the reasons why
/// it is not known. Ends in a line break.
pub fn render(answer: &Answer, context: &Context<'_>) -> String {
    let mut text = format!("{}{:6}{}\n", dotted(&answer.path), "", printable(&state(answer)));
    if let Some(value) = &answer.value {
        for line in super::yaml::text(value).lines() {
            let _ = writeln!(text, "  {}", printable(line));
        }
    }
    let labels = labels(answer);
    let pieces = code_frame::pieces(&labels, context);
    if !pieces.is_empty() {
        let group = code_frame::add(Group::with_level(Level::NOTE), &pieces);
        let _ = writeln!(text, "\n{}", code_frame::draw(group, &pieces, context));
    }
    let rows = rows(answer, context);
    if !rows.is_empty() {
        text += "\n";
    }
    text += &table(&rows);
    if !answer.siblings.is_empty() {
        const SHOWN: usize = 5;
        let names: Vec<String> = answer.siblings.iter().take(SHOWN).map(|sibling| dotted(sibling)).collect();
        let more = answer.siblings_total.saturating_sub(SHOWN);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let _ = writeln!(text, "  also from this line: {}{tail}", names.join(", "));
    }
    text
}

fn dotted(path: &[Step]) -> String {
    printable(&path::dotted(path)).into_owned()
}

/// Renders the answers for a line of a file one after the other, and the number of further nodes that the line
/// generates.
pub fn render_line(found: &LineAnswers, context: &Context<'_>) -> String {
    let mut texts: Vec<String> = found.answers.iter().map(|answer| render(answer, context)).collect();
    match found.total - found.answers.len() {
        0 => {}
        1 => texts.push("and 1 more node of the output\n".to_owned()),
        more => texts.push(format!("and {more} more nodes of the output\n")),
    }
    texts.join("\n")
}

fn state(answer: &Answer) -> String {
    match (answer.status, &answer.absent) {
        (Status::Present, _) => "known".to_owned(),
        (Status::Residual, _) => {
            let is_at_deployment = |residual: &Residual| residual.reason == Reason::DeployTime;
            let at_deployment = !answer.residual.is_empty() && answer.residual.iter().all(is_at_deployment);
            let whole = matches!(answer.rule, Some(Rule::Copied | Rule::Chosen));
            if at_deployment && whole { "known at deployment" } else { "known in part" }.to_owned()
        }
        (Status::Absent, Some(absent)) => format!("absent: {}", absence(absent)),
        (Status::Absent, None) => "absent".to_owned(),
    }
}

fn absence(absent: &Absent) -> String {
    let of = &absent.of;
    match absent.reason {
        Absence::FalseCondition => format!("condition {of} does not hold"),
        Absence::NoValue if of == "AWS::NoValue" => "it is AWS::NoValue".to_owned(),
        Absence::NoValue => format!("it is AWS::NoValue, as condition {of} decides"),
        Absence::NotChosen => format!("{of} chose otherwise"),
        Absence::NoItems => format!("loop {of} has no items"),
        Absence::NoSuchItem => format!("loop {of} has no such item"),
        Absence::Null => "it is null, and nulls are removed".to_owned(),
        Absence::Unused => "nothing in the output needs it".to_owned(),
        Absence::ComputedAway => format!("{of} became a single value"),
    }
}

fn labels(answer: &Answer) -> Vec<Label> {
    let mut labels: Vec<Label> = vec![(answer.span, words(answer), true)];
    labels.extend(answer.frames.iter().map(|frame| (frame.span, frame_words(frame), false)));
    if let Some(absent) = &answer.absent {
        let words = match (&absent.filled, absent.reason) {
            (Some(filled), _) => filled.clone(),
            (None, Absence::NoSuchItem | Absence::NoItems) => String::new(),
            (None, _) => "because of this".to_owned(),
        };
        if absent.span != answer.span {
            labels.push((absent.span, words, false));
        }
    }
    labels.retain(|(span, ..)| !span.is_none());
    for (_, text, _) in &mut labels {
        *text = sentence(text);
    }
    labels
}

fn words(answer: &Answer) -> String {
    let function = answer.function.as_deref().unwrap_or("a function");
    match answer.rule {
        Some(Rule::Copied) => "written here".to_owned(),
        Some(Rule::Key) => "generated from this key".to_owned(),
        Some(Rule::Ref) => "its value was requested here".to_owned(),
        Some(Rule::Computed | Rule::Reduced) => format!("computed here by {function}"),
        Some(Rule::Chosen) => "chosen from these values".to_owned(),
        Some(Rule::LookedUp) => format!("looked up here by {function}"),
        Some(Rule::Output) => "an output of a module was requested here".to_owned(),
        Some(Rule::Override) => "set by this override".to_owned(),
        Some(Rule::Merged) => "this value is used".to_owned(),
        Some(Rule::Generated) => "required by this".to_owned(),
        Some(Rule::Transformed) => "the serverless transform makes it of this".to_owned(),
        None => "written here".to_owned(),
    }
}

fn frame_words(frame: &Frame) -> String {
    match (frame.kind, frame.index) {
        (FrameKind::Loop, Some(index)) => {
            let of = frame.length.map(|length| format!(" of {length}")).unwrap_or_default();
            let item = frame.value.as_ref().map(|value| format!(": {} = {value}", frame.name)).unwrap_or_default();
            format!("iteration {}{of}{item}", index + 1)
        }
        (kind, _) => format!("{} {}", kind.name(), frame.name),
    }
}

fn rows(answer: &Answer, context: &Context<'_>) -> Vec<[String; 3]> {
    let mut rows: Vec<[String; 3]> = answer.sources.iter().map(|source| source_row(source, answer, context)).collect();
    rows.dedup();
    rows.extend(answer.residual.iter().map(residual_row));
    if let Some(absent) = &answer.absent
        && !absent.instead.is_empty()
    {
        rows.push(["it generates".to_owned(), absent.instead.join(", "), String::new()]);
    }
    rows
}

fn source_row(source: &Source, answer: &Answer, context: &Context<'_>) -> [String; 3] {
    let place = at(source.span, context);
    let index = answer
        .frames
        .iter()
        .find(|frame| frame.kind == FrameKind::Loop && frame.name == source.name)
        .and_then(|frame| frame.index);
    let story = match (source.kind, source.given) {
        (FrameKind::Loop, _) => {
            let item = index.map(|index| format!("item {} of the collection", index + 1));
            format!("{}{place}", item.unwrap_or_else(|| "an item of the collection".to_owned()))
        }
        (FrameKind::Argument, Some(ValueSource::Default)) => format!("the parameter's Default{place}"),
        (FrameKind::Argument | FrameKind::Pseudo, Some(ValueSource::CommandLine)) => {
            "passed on the command line".to_owned()
        }
        (FrameKind::Argument, Some(ValueSource::File)) => format!("from a parameters file{place}"),
        (FrameKind::Mapping, _) => format!("entry of the mapping{place}"),
        (FrameKind::Condition, _) => format!("condition{place}"),
        (FrameKind::Fact, _) => "from the account data".to_owned(),
        (kind, _) => format!("{}{place}", kind.name()),
    };
    let name = if source.kind == FrameKind::Loop { format!("${{{}}}", source.name) } else { source.name.clone() };
    [name, source.value.clone().unwrap_or_default(), story]
}

/// A place after a comma; empty without a place.
fn at(span: Span, context: &Context<'_>) -> String {
    match context.sources.place(span) {
        Some(place) => format!(", {}:{}:{}", context.sources.display(place.file), place.line, place.column),
        None => String::new(),
    }
}

fn residual_row(residual: &Residual) -> [String; 3] {
    let of = &residual.of;
    let (name, state, story) = match residual.reason {
        Reason::DeployTime => (of.clone(), "at deployment", residual.hint.clone()),
        Reason::UnknownParameter => (of.clone(), "not known", format!("it has no value; pass {}", residual.hint)),
        Reason::UnknownPseudo => {
            let why = match of.as_str() {
                "AWS::StackName" => "the stack's name is chosen at deployment",
                "AWS::Region" => "the region is chosen at deployment",
                "AWS::AccountId" => "the account is chosen at deployment",
                "AWS::StackId" => "the stack gets its ID at deployment",
                "AWS::NotificationARNs" => "the notification topics are chosen at deployment",
                _ => "it follows from the region",
            };
            (format!("${{{of}}}"), "not known", format!("{why}; pass {} to see it", residual.hint))
        }
        Reason::NoEcho => (of.clone(), MASK, residual.hint.clone()),
        Reason::FactMissing => {
            (of.clone(), "not known", format!("it is missing in the account data; pass {}", residual.hint))
        }
        Reason::UndecidedCondition => (of.clone(), "undecided", residual.hint.clone()),
        Reason::Kept => (of.clone(), "kept", residual.hint.clone()),
    };
    [name, state.to_owned(), story]
}

fn table(rows: &[[String; 3]]) -> String {
    const MOST: usize = 40;
    let width = |cell: usize| rows.iter().map(|row| row[cell].chars().count()).max().unwrap_or(0).min(MOST);
    let (first, second) = (width(0), width(1));
    let mut text = String::new();
    for [name, value, story] in rows {
        let line = format!("  {name:first$}  {value:second$}  {story}");
        text += &printable(line.trim_end());
        text.push('\n');
    }
    text
}
