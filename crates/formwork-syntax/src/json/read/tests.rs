use super::*;

fn check(text: &str) -> (Tree, NodeId, Vec<String>) {
    let mut tree = Tree::new();
    let mut diagnostics = Diagnostics::new();
    let root = read(&mut tree, text, 1, &Limits::default(), &mut diagnostics);
    let messages = diagnostics.iter().map(|d| [vec![d.message.clone()], d.notes.clone()].concat().join(": ")).collect();
    (tree, root, messages)
}

#[test]
fn a_key_that_has_its_colon_is_whole() {
    let (mut tree, mut found) = (Tree::new(), Diagnostics::new());
    read(&mut tree, r#"{"a: {": 1, "b: ": 2}"#, 1, &Limits::default(), &mut found);
    assert!(!found.has_errors());
}

#[test]
fn reads_values_with_spans() {
    let text = r#"{ "a": [1, -2.5e3, true, null, "x\u00e9\n"], "b": {"Ref": "P"} }"#;
    let (tree, root, errors) = check(text);
    assert_eq!(errors, [""; 0]);
    let a = tree.get_text(root, "a").expect("a");
    let texts: Vec<_> = tree.items(a).iter().map(|&item| (tree.kind(item), tree.text(item))).collect();
    assert_eq!(
        texts,
        [(Kind::Number, "1"), (Kind::Number, "-2.5e3"), (Kind::Bool, "true"), (Kind::Null, ""), (Kind::String, "xé\n")]
    );
    let b = tree.get_text(root, "b").expect("b");
    assert!(tree.argument_of(b, Known::Ref).is_some());
    let span = tree.span(b);
    assert_eq!(&text[span.start() as usize - 1..span.end() as usize - 1], r#"{"Ref": "P"}"#);
}

#[test]
fn errors_have_the_place_of_the_service() {
    let (.., errors) = check("{\"this is invalid JSON\"=\"bobbins\"}");
    assert_eq!(
        errors,
        [
            "the key \"this is invalid JSON\" is followed by `=`, not by `:`: CloudFormation: `Template format error: JSON not well-formed. (line 1, column 25)`"
        ]
    );
}

#[test]
fn goes_on_behind_small_errors() {
    let (tree, root, errors) = check("{\"a\": 1 \"b\": [1,], \"c\": \"\\q\", }");
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert_eq!(tree.len(root), 3);
}

#[test]
fn deep_nesting_is_refused() {
    let (.., errors) = check(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("nested deeper than the limit of 200 levels"), "{errors:?}");
}

#[test]
fn broken_text_never_panics() {
    let text = r#"{"a": ["é", {"b": -1.5e+3}, "\u12"], "c": tru}"#;
    for end in 0..=text.len() {
        if text.is_char_boundary(end) {
            check(&text[..end]);
        }
    }
}
