//! What comments and Metadata suppress.
//!
//! Holds reference/diagnostics.md#suppression, reference/diagnostics.md#selection.

use formwork::{Code, CodePattern, Goal, MemoryHost, Options, Selection, Session};

fn compile(text: &str, options: &Options, goal: Goal) -> (Vec<String>, Vec<String>) {
    let host = MemoryHost::new().with("template.yaml", text).with("module.yaml", MODULE);
    let result = Session::new(&host, options.clone()).compile("template.yaml", goal);
    let place = |found: &formwork::Diagnostic| {
        let place = found.primary.as_ref().and_then(|label| result.sources().place(label.span)).expect("a place");
        format!("{} {}", found.code, place.line)
    };
    let suppressed = result.suppressed().iter().map(|one| match &one.reason {
        Some(reason) => format!("{} -- {reason}", place(&one.diagnostic)),
        None => place(&one.diagnostic),
    });
    (result.diagnostics().iter().map(place).collect(), suppressed.collect())
}

fn check(text: &str) -> (Vec<String>, Vec<String>) {
    compile(text, &Options::default(), Goal::Check)
}

const MODULE: &str = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: \"a ${AWS::Region}\"  # formwork: allow FW0408 -- in the module
";

/// A topic whose name looks like a forgotten `Fn::Sub`, with lines before it and behind its name.
fn topic(above: &str, behind: &str) -> String {
    format!(
        "Resources:
{above}  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: \"a ${{AWS::Region}}\"{behind}
  Other:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: \"b ${{AWS::Region}}\"
"
    )
}

#[test]
fn a_comment_at_the_end_of_a_line_acts_on_the_line() {
    let (found, suppressed) = check(&topic("", "  # formwork: allow FW0408 -- by the application"));
    assert_eq!((found, suppressed), (vec!["FW0408 9".into()], vec!["FW0408 5 -- by the application".into()]));
}

#[test]
fn a_comment_alone_acts_on_the_next_node_and_all_below_it() {
    for above in [
        "  # formwork: allow FW0408\n",
        "  # formwork: allow FW0408\n  # a remark\n\n",
        "  # a remark # formwork: allow FW04\n",
        "  #formwork: allow FW0307, FW04xx\n",
    ] {
        let (found, suppressed) = check(&topic(above, ""));
        assert_eq!(suppressed.len(), 1, "{above}: {found:?} {suppressed:?}");
        assert!(suppressed[0].starts_with("FW0408"), "{above}: {suppressed:?}");
        assert_eq!(found.iter().filter(|one| one.starts_with("FW0408")).count(), 1, "{above}: {found:?}");
    }
}

#[test]
fn an_item_of_a_list_is_a_node() {
    let text = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      Subscription:
        # formwork: allow FW0408
        - Endpoint: a ${AWS::Region}
          Protocol: b ${AWS::Region}
        - Endpoint: c ${AWS::Region}
";
    let (found, suppressed) = check(text);
    assert_eq!((found, suppressed), (vec!["FW0408 9".into()], vec!["FW0408 7".into(), "FW0408 8".into()]));
}

#[test]
fn a_comment_acts_on_the_whole_file() {
    let (found, suppressed) = check(&topic("", "\n# formwork: allow-file FW0408"));
    assert_eq!((found.len(), suppressed.len()), (0, 2), "{found:?}");
}

#[test]
fn what_is_in_a_string_is_no_comment() {
    let text = "Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      DisplayName: |
        a ${AWS::Region}
        # formwork: allow FW0408
      TopicName: \"x # formwork: allow-file FW0408\"
";
    let (found, suppressed) = check(text);
    assert_eq!((found, suppressed), (vec!["FW0408 5".into()], vec![]));
}

#[test]
fn metadata_acts_on_a_resource_a_path_and_a_template() {
    let resource = |allow: &str, top: &str| {
        format!(
            "{{{top}\"Resources\": {{
  \"Topic\": {{\"Type\": \"AWS::SNS::Topic\", {allow}\"Properties\": {{
    \"DisplayName\": \"a ${{AWS::Region}}\",
    \"TopicName\": \"b ${{AWS::Region}}\"}}}},
  \"Other\": {{\"Type\": \"AWS::SNS::Topic\", \"Properties\": {{
    \"DisplayName\": \"c ${{AWS::Region}}\"}}}}}}}}"
        )
    };
    let allow = |item: &str| format!("\"Metadata\": {{\"Formwork\": {{\"Allow\": [{item}]}}}}, ");
    let code = allow(r#"{"Code": "FW0408", "Reason": "later"}"#);
    assert_eq!(
        check(&resource(&code, "")),
        (vec!["FW0408 6".into()], vec!["FW0408 3 -- later".into(), "FW0408 4 -- later".into()])
    );
    let path = allow(r#"{"Code": "FW0408", "Path": "Properties.TopicName"}"#);
    assert_eq!(check(&resource(&path, "")).1, ["FW0408 4"]);
    assert_eq!(check(&resource("", &code)).1.len(), 3);
    let nowhere = allow(r#"{"Code": "FW0408", "Path": "Properties.Nowhere"}"#);
    let (found, suppressed) = check(&resource(&nowhere, ""));
    assert!(suppressed.is_empty() && found.contains(&"FW1101 2".to_owned()), "{found:?}");
}

#[test]
fn loops_and_modules_are_suppressed_where_they_are_written() {
    let text = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics:
    - Name
    - [A, B]
    - Topic${Name}:
        Type: AWS::SNS::Topic
        Properties:
          DisplayName: \"${!Name}\"  # formwork: allow FW0307, FW0408
";
    let (found, _) = check(text);
    assert!(!found.iter().any(|one| one.starts_with("FW0307") || one.starts_with("FW0408")), "{found:?}");
    let text = "Modules:\n  My: {Source: ./module.yaml}\n";
    let (found, suppressed) = check(text);
    assert_eq!((found, suppressed), (vec![], vec!["FW0408 5 -- in the module".into()]));
}

#[test]
fn errors_of_the_output_stay() {
    let text = topic("", "").replace(
        "AWS::SNS::Topic\n    Properties",
        "AWS::SNS::Topic\n    Foo: 1  # formwork: allow FW0105\n    Properties",
    );
    let (found, suppressed) = check(&text);
    assert!(found.contains(&"FW0105 4".to_owned()) && found.contains(&"FW1103 4".to_owned()), "{found:?}");
    assert!(!found.iter().any(|one| one.starts_with("FW1101")) && suppressed.is_empty(), "{found:?} {suppressed:?}");
}

#[test]
fn a_suppression_holds_under_strict() {
    let options = Options { strict: true, ..Options::default() };
    let (found, suppressed) = compile(&topic("", "  # formwork: allow FW0408"), &options, Goal::Check);
    assert_eq!((found, suppressed), (vec!["FW0408 9".into()], vec!["FW0408 5".into()]));
}

#[test]
fn unused_and_unknown_codes_are_found_by_a_check() {
    let text = topic("", "  # formwork: allow FW0408, FW0307, FW0998");
    assert_eq!(check(&text).0, ["FW1101 5", "FW1102 5", "FW0408 9"]);
    assert_eq!(compile(&text, &Options::default(), Goal::Expand).0, Vec::<String>::new());
    assert_eq!(check(&topic("", "  # formwork: allow")).0, ["FW0408 5", "FW1102 5", "FW0408 9"]);
    assert_eq!(check(&topic("", "  # formwork: allow FW0408 because")).0, ["FW1102 5", "FW0408 9"]);
    assert_eq!(check(&topic("", "  # formwork: allowed FW0408")).0, ["FW0408 5", "FW1102 5", "FW0408 9"]);
    assert_eq!(check(&topic("", "  # formwork: allowed in tests")).0, ["FW0408 5", "FW0408 9"]);
}

#[test]
fn suppressions_can_be_passed_over() {
    let options = Options { heeds_suppressions: false, ..Options::default() };
    let (found, suppressed) = compile(&topic("", "  # formwork: allow FW0408"), &options, Goal::Check);
    assert_eq!((found.len(), suppressed.len()), (2, 0));
}

#[test]
fn what_is_not_selected_is_not_there() {
    let pattern = |text: &str| CodePattern::parse(text).expect("a pattern");
    let text = topic("", "").replace("Resources:", "Parameters: {Idle: {Type: String}}\nResources:");
    let selected = |select: &[&str], ignore: &[&str]| {
        let patterns = |texts: &[&str]| texts.iter().map(|text| pattern(text)).collect();
        let selection = Selection { select: patterns(select), ignore: patterns(ignore) };
        compile(&text, &Options { selection, ..Options::default() }, Goal::Check).0
    };
    assert_eq!(selected(&[], &[]), ["FW0208 1", "FW0408 6", "FW0408 10"]);
    assert_eq!(selected(&["FW02"], &[]), ["FW0208 1"]);
    assert_eq!(selected(&[], &["FW04xx"]), ["FW0208 1"]);
    assert_eq!(selected(&["FW0408"], &["FW04"]), ["FW0408 6", "FW0408 10"]);
    // A suppression of a code that is not selected is not unused.
    let text = topic("", "  # formwork: allow FW0408");
    let selection = Selection { select: vec![pattern("FW11")], ignore: Vec::new() };
    assert_eq!(compile(&text, &Options { selection, ..Options::default() }, Goal::Check), (vec![], vec![]));
    assert!(pattern("FW04").matches(Code::parse("FW0408").expect("a code")));
}

#[test]
fn a_word_of_another_tool_is_answered() {
    let answer = |behind: &str| {
        let host = MemoryHost::new().with("template.yaml", topic("", behind).as_str());
        let result = Session::new(&host, Options::default()).compile("template.yaml", Goal::Check);
        let found = result.diagnostics().iter().find(|one| one.code.to_string() == "FW1102").cloned();
        found.map(|one| (one.message, one.help.first().cloned().unwrap_or_default()))
    };
    for (comment, word, help) in [
        ("ignore FW0408", "ignore", "write `# formwork: allow FW0408`"),
        ("skip FW0307", "skip", "write `# formwork: allow FW0307`"),
        ("skip FW0307, FW0408 -- later", "skip", "write `# formwork: allow FW0307, FW0408`"),
        ("noqa: FW0408", "noqa", "write `# formwork: allow FW0408`"),
        ("disable-file FW0408", "disable-file", "write `# formwork: allow-file FW0408`"),
        ("alow FW0408", "alow", "write `# formwork: allow FW0408`"),
        ("Allow FW0408", "Allow", "write `# formwork: allow FW0408`"),
        ("accept FW0408", "accept", "write `# formwork: allow FW0408`"),
        ("ignore E3001", "ignore", "write `# formwork: allow CODE`"),
        ("ignore", "ignore", "write `# formwork: allow CODE`"),
    ] {
        let (message, found) = answer(&format!("  # formwork: {comment}")).unwrap_or_else(|| panic!("{comment}"));
        assert_eq!((message, found), (format!("unknown word {word} in a comment for Formwork"), help.to_owned()));
    }
    // Prose is not answered, and neither is a string.
    for prose in ["skip the rest of it", "generated by a script", "all of this is expanded", "off-site", "see FW0408"] {
        let found = answer(&format!("  # formwork: {prose}"));
        assert_eq!(found.is_some(), prose == "see FW0408", "{prose}: {found:?}");
    }
    assert_eq!(answer("\n      TopicName: \"# formwork: ignore FW0408\""), None);
}
