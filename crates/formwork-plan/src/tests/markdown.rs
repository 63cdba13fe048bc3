//! The structure of a comment does not depend on strings of the template: they are in code spans only, so that they
//! cannot mention, link, show or hide anything.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::json;

use crate::change::{Blocked, Place};
use crate::render::{Report, markdown};
use crate::shifts::Shift;
use crate::test_facts::TestFacts;
use crate::test_values::side_of;
use crate::{Settings, plan};

/// Strings with an effect somewhere in a comment on GitHub.
const HOSTILE: &[&str] = &[
    "@team",
    "@org/team",
    "https://evil.example/x",
    "www.evil.example",
    "a@evil.example",
    "#12",
    "own/project#1",
    "GH-1",
    "0123456789abcdef0123456789abcdef01234567",
    ":tada:",
    "$`x`$",
    "`",
    "``",
    "```",
    "~~~",
    "|",
    "||",
    "|---|",
    "\\",
    "\\|",
    "\n",
    "\r",
    "\r\n\r\n",
    "\t",
    " ",
    "  ",
    "<b>",
    "</details>",
    "<img src=x>",
    "<!--",
    "-->",
    "--",
    "->",
    "&#64;",
    "&lt;",
    "![i](u)",
    "[l](u)",
    "](u)",
    "[",
    "]",
    "(",
    ")",
    "*",
    "**",
    "_",
    "~~",
    "- ",
    "# ",
    "> ",
    "1. ",
    "---",
    "===",
    "[^1]",
    "[x]: y",
    "\u{202e}",
    "\u{200b}",
    "\u{2028}",
    "\u{7}",
    "\u{e4}",
    "\0",
    "\"",
    "'",
    "%",
    "..",
    "/",
    "//",
];

/// Generates strings that each contain a number, so that all of them differ.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(prop::sample::select(HOSTILE), 1..4).prop_map(|pieces| pieces.concat());
    prop::collection::vec(text, 18).prop_map(|texts| {
        let number =
            |(at, text): (usize, String)| if at % 2 == 0 { format!("{text}{at}") } else { format!("{at}{text}") };
        texts.into_iter().enumerate().map(number).collect()
    })
}

/// Renders a comment in which every string of a template, an argument or a file is one of these.
fn comment(texts: &[String]) -> String {
    let of = |at: usize| texts[at].as_str();
    let body = |key: &str, value: &str| json!({"Type": format!("Custom::{}", of(0)), "Properties": {key: value}});
    let queue = |name: &str| json!({"Type": "AWS::SQS::Queue", "Properties": {"QueueName": name}});
    let old = side_of(&json!({
        "Resources": {of(1): queue(of(2)), of(3): body(of(4), of(5)), of(6): queue("gone")},
        "Outputs": {of(7): {"Value": of(8)}},
    }));
    let new = side_of(&json!({
        "Resources": {of(1): queue(of(9)), of(3): body(of(4), of(10))},
        "Outputs": {of(7): {"Value": of(11)}},
    }));
    let mut found = plan(&old, &new, Settings { facts: Some(&TestFacts), ..Settings::default() });
    let place = |line| Place {
        file: format!("{}.yaml", of(12)),
        line,
        iterations: vec![(of(13).to_owned(), of(14).to_owned())],
        ..Place::default()
    };
    for (line, change) in (1..).zip(&mut found.changes) {
        change.place = Some(place(line));
        change.stack = vec![of(15).to_owned()];
        for property in &mut change.properties {
            property.because.push(format!("replacement of {}", of(3)));
            property.place = Some(place(line));
        }
        if let Some(resource) = &mut change.resource {
            resource.grants.push(of(16).to_owned());
            resource.blocked = Some(Blocked { reason: "custom-name", sentence: of(1).to_owned(), path: Vec::new() });
        }
    }
    found.shifts.push(Shift {
        loop_name: of(17).to_owned(),
        removed: vec![(of(14).to_owned(), 0)],
        key_place: Some(place(9)),
        ..Shift::default()
    });
    let arguments = [(of(13).to_owned(), of(2).to_owned(), of(5).to_owned())];
    let defaults = [(of(10).to_owned(), of(11).to_owned())];
    let report = Report {
        template: of(12),
        plan: &found,
        arguments: &arguments,
        defaults: &defaults,
        failed: &["data"],
        refactor: None,
    };
    markdown::render(&report, of(12), &format!("{}/", of(16)))
}

/// Returns the structure of a comment, and the contents of its code spans; checks its links.
fn structure(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut events, mut codes) = (Vec::new(), Vec::new());
    let mut html = String::new();
    for event in
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES)
    {
        match event {
            Event::Code(code) => {
                codes.push(code.into_string());
                events.push("code".to_owned());
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let (path, line) = dest_url.split_once("#L").expect("a line");
                let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~%/".contains(&byte);
                assert!(path.bytes().all(is_safe) && line.parse::<u32>().is_ok(), "{dest_url}");
                events.push("link".to_owned());
            }
            // The key of the comment is the first line.
            Event::Html(line) if html.is_empty() => {
                assert!(line.starts_with("<!-- ") && line.find("-->") == Some(line.trim_end().len() - 3), "{line}");
                html.push_str("key");
            }
            Event::End(TagEnd::Link) => events.push("end".to_owned()),
            other => events.push(format!("{other:?}")),
        }
    }
    (events, codes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_of_a_template_acts_in_a_comment(texts in texts()) {
        let plain: Vec<String> = (0..texts.len()).map(|at| format!("x{at}")).collect();
        let (plain_comment, hostile) = (comment(&plain), comment(&texts));
        let (want, found) = (structure(&plain_comment), structure(&hostile));
        prop_assert_eq!(&found.0, &want.0, "{}", hostile);
        // Each code span has the content of the plain one, with the strings substituted.
        prop_assert!(want.1.iter().any(|code| code.contains("x1 (AWS::SQS::Queue)")), "{}", plain_comment);
        let shown = formwork_base::display::escape_for_display(&texts[12]).into_owned();
        prop_assert!(found.1.iter().any(|code| code.trim() == shown.trim()), "{}\n{}", shown, hostile);
    }
}
