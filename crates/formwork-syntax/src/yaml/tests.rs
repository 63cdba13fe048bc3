//! Tests of accepted and rejected YAML.

use std::fmt::Write as _;

use formwork_base::{Diagnostics, Limits};

use super::read::{read, read_common, read_general};
use crate::function::Known;
use crate::tree::{Kind, NodeId, Tree, View};

fn check(text: &str) -> (Tree, NodeId, Vec<String>) {
    let mut tree = Tree::new();
    let mut diagnostics = Diagnostics::new();
    let root = read(&mut tree, text, 1, &Limits::default(), &mut diagnostics);
    let messages = diagnostics.iter().map(|d| format!("{} {} {}", d.code, d.message, d.notes.join(" "))).collect();
    (tree, root, messages)
}

fn at(tree: &Tree, root: NodeId, path: &[&str]) -> NodeId {
    path.iter().fold(root, |node, key| match key.parse::<usize>() {
        Ok(at) => tree.items(node)[at],
        Err(_) => tree.get_text(node, key).unwrap_or_else(|| panic!("no {key}")),
    })
}

fn slice<'t>(tree: &Tree, text: &'t str, node: NodeId) -> &'t str {
    let span = tree.span(node);
    &text[span.start() as usize - 1..span.end() as usize - 1]
}

#[test]
fn spans_of_every_kind_of_node() {
    let text = "a: !Sub\n  - x${y}\n  - y: !Ref Z\nb:\n  !Sub \"q\"\ne: |\n  text\n  more\n\nf:\n- 1\n- - 2\n  - 3\ng:\n? prod\n: {a: b}\nh: !Ref\nl: # c\n  >-\n    a\n    b\nm: [x: y]";
    let (tree, root, errors) = check(text);
    assert_eq!(errors, [""; 0]);
    for (path, want) in [
        (&["a"][..], "!Sub\n  - x${y}\n  - y: !Ref Z"),
        (&["b"], "!Sub \"q\""),
        (&["e"], "|\n  text\n  more"),
        (&["f"], "- 1\n- - 2\n  - 3"),
        (&["f", "1"], "- 2\n  - 3"),
        (&["g"], ""),
        (&["prod"], "{a: b}"),
        (&["h"], "!Ref"),
        (&["l"], ">-\n    a\n    b"),
        (&["m", "0"], "x: y"),
    ] {
        assert_eq!(slice(&tree, text, at(&tree, root, path)), want, "{path:?}");
    }
    assert_eq!(tree.text(at(&tree, root, &["l"])), "a b");
    let g = tree.span(at(&tree, root, &["g"])).start() as usize - 1;
    assert_eq!(&text[g - 2..g], "g:");
}

#[test]
fn tags_are_calls() {
    let (tree, root, errors) =
        check("a: !GetAtt x.y\nb: {Fn::Sub: z}\nc: !Ref yes\nd: {Ref: a, b: c}\ne: {Condition: x}");
    assert_eq!(errors, [""; 0]);
    let a = tree.argument_of(at(&tree, root, &["a"]), Known::GetAtt).expect("a call");
    assert_eq!(tree.text(a), "x.y");
    assert!(tree.argument_of(at(&tree, root, &["b"]), Known::Sub).is_some());
    let c = tree.argument_of(at(&tree, root, &["c"]), Known::Ref).expect("a call");
    assert!(matches!(tree.view(c), View::String("yes")));
    assert_eq!(tree.kind(at(&tree, root, &["d"])), Kind::Map);
    assert_eq!(tree.kind(at(&tree, root, &["e"])), Kind::Map);
}

#[test]
fn aliases_and_merge_keys_are_expanded() {
    let (tree, root, errors) = check("a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\nc: *x\nd: {<<: [*x, {r: 4}], p: 0}");
    assert_eq!(errors.len(), 1, "{errors:?}");
    let b: Vec<_> = tree.entries(at(&tree, root, &["b"])).map(|e| (tree.text(e.key), tree.text(e.value))).collect();
    assert_eq!(b, [("p", "1"), ("q", "3")]);
    assert!(tree.same_data(at(&tree, root, &["a"]), at(&tree, root, &["c"])));
    assert_eq!(tree.len(at(&tree, root, &["d"])), 3);
    assert!(tree.anchor(at(&tree, root, &["a"])).is_some());
}

#[test]
fn hostile_aliases_end_in_an_error() {
    let mut text = "a0: &a0 [x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..12 {
        let last = level - 1;
        let aliases = vec![format!("*a{last}"); 8].join(",");
        let _ = writeln!(text, "a{level}: &a{level} [{aliases}]");
    }
    let (.., errors) = check(&text);
    assert!(errors.iter().any(|error| error.contains("aliases expanded")), "{errors:?}");
    let (.., errors) = check("a: &a [*a]\n");
    assert!(errors[0].contains("its own anchor"), "{errors:?}");
}

#[test]
fn all_errors_are_found() {
    let (tree, root, errors) = check("a: 1\nb: !Base64 !Sub x\nc: [1, 2\nd: 3\ne: 'x\n");
    assert!(errors.len() >= 2, "{errors:?}");
    assert!(errors[0].starts_with("FW0008"), "{errors:?}");
    assert_eq!(tree.text(at(&tree, root, &["a"])), "1");
    let (.., errors) = check("a: 1\n---\nb: 2\n");
    assert!(errors[0].contains("more than one YAML document"));
    let (.., errors) = check("a: !Joinn [x]\nb: !ForEach x\n");
    assert_eq!(errors.len(), 2, "{errors:?}");
}

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!("a: {}{}", "[".repeat(30_000), "]".repeat(30_000)),
        "- ".repeat(30_000),
        (0..3000).flat_map(|n| [" ".repeat(n), "a:\n".to_owned()]).collect(),
    ] {
        let (.., errors) = check(&text);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains("nested deeper than the limit of 200 levels"), "{errors:?}");
    }
}

/// Tests the decisions of SnakeYAML 1.33, except `?` in brackets and invisible marks, which are rejected where
/// SnakeYAML reads them as something that nobody means.
#[test]
fn texts_are_accepted_and_refused_as_snakeyaml_does() {
    for text in [
        "a: 'x'#c\nb: 1\n",
        "a: \"x\"#c\n\"b\": 2\n",
        "a: [1,#c\n 2]#d\nb: {c: 1}#e\n",
        "a: [#c\n1]\n",
        "a: \"x\ny\"\n",
        "a:\n  b: 'x\n y\n\nz'\n  c: 1\n",
        "- 'a\nb'\n- c\n",
        "a: ['x\ny', z]\n",
        "a: \"x\n\ty\"\n",
        "a: [\"x\n\ty\"]\n",
        "a:\n  \"x\ny\"\nb: 1\n",
        "? 'x\ny'\n: z\n",
        "a: [\n1, 2\n]\nb: 1\n",
        "a: \"x\u{feff}y\"\nb: '\u{feff}'\n",
        "{\"a\": \"\u{feff}\"}\n",
        "{a, b: c}\n",
        "[? a : b]\n",
        "\"\": x\n",
        "? a\n",
        "? # nothing\n: x\n",
        "{? : x}\n",
        "!!null : x\n",
        "!!str a: b\n",
        "&x a: b\nc: *x\n",
        "&a\n&b x: 1\n",
        "a: &x\n  &y b: 1\n",
        "a: &x\n- b\n",
        "a: !Join\n- b\n",
        "a: &x b\nc:\n  *x : d\n",
    ] {
        let (.., errors) = check(text);
        assert!(errors.iter().all(|error| error.starts_with("FW0004")), "{text:?}: {errors:?}");
    }
    for text in [
        "a: |#c\n  x\n",
        "\"a\nb\": 1\n",
        "a: \"x\ny\" z\n",
        "a:\n - b: \"x\n---\ny\"\n",
        "a: 'x'b\n",
        "A: {A: https://x/a?b=1}\n",
        "[?x]\n",
        "{a?b: c}\n",
        "[a ? b]\n",
        "[a?]\n",
        "[\"x\"?]\n",
        "a: x\u{feff}y\n",
        "a: 1\n\u{feff}b: 2\n",
        "a: |\n  x\u{feff}\n",
        ": x\n",
        "a:\n  : x\n",
        "- : x\n",
        "{: x}\n",
        "[: x]\n",
        "a:\n  !ImportValue Fn::Sub: x\n",
        "{!Sub a: b}\n",
        "- !Sub a: b\n",
        "a: &x b\nc:\n  !Sub *x : d\n",
        "a: &x &y b\n",
        "a: [&x &y b]\n",
        "a: &x\n  &y b\n",
        "&a &b k: v\n",
        "a: &x !Sub &y b\n",
        "a: !Sub !Ref c\n",
        "a: !Sub\n  !Ref b\n",
        "a: &x b\nc: &y *x\n",
        "a: &x b\nc: !Sub *x\n",
        "a: &x b\nc:\n  &y *x : d\n",
    ] {
        let (.., errors) = check(text);
        assert!(errors.iter().any(|error| !error.starts_with("FW0004")), "{text:?}");
    }
}

#[test]
fn quoted_text_at_less_indentation_keeps_its_value_and_place() {
    let text = "a:\n  b: 'x\n y\n\nz'#c\n  c: [\"\\u0041\nB\"]\nd: !Sub\n  - [\n";
    let (tree, root, errors) = check(text);
    assert_eq!(tree.text(at(&tree, root, &["a", "b"])), "x y\nz");
    assert_eq!(slice(&tree, text, at(&tree, root, &["a", "b"])), "'x\n y\n\nz'");
    assert_eq!(tree.text(at(&tree, root, &["a", "c", "0"])), "A B");
    assert!(errors[0].contains("line 9"), "{errors:?}");
}

#[test]
fn blank_lines_belong_to_text_that_keeps_them() {
    for (text, span, value) in [
        ("a: |+\n  x\n\n\nb: 1\n", "|+\n  x\n\n", "x\n\n\n"),
        ("a: |+\n  x\n\n# c\n\nb: 1\n", "|+\n  x\n", "x\n\n"),
        ("a: >+\n  x\n\n", ">+\n  x\n", "x\n\n"),
        ("a: |2+\n   x\nb: 1\n", "|2+\n   x", " x\n"),
        ("a: |+\n\n\nb: 1\n", "|+\n\n", "\n\n"),
        ("a: |\n  x\n\n\nb: 1\n", "|\n  x", "x\n"),
    ] {
        let (tree, root, _) = check(text);
        let node = at(&tree, root, &["a"]);
        assert_eq!((slice(&tree, text, node), tree.text(node)), (span, value), "{text:?}");
    }
}

#[test]
fn a_block_scalar_at_the_end_of_the_file() {
    let (tree, root, _) = check("a: |\n  x");
    assert_eq!(tree.text(at(&tree, root, &["a"])), "x");
    let (tree, root, _) = check("a: >\n  x\n  y\n");
    assert_eq!(tree.text(at(&tree, root, &["a"])), "x y\n");
    // Spaces beyond the indentation are a line of text (L24T of the YAML test suite). PyYAML leaves out its line break.
    for (text, value) in [
        ("a: |\n  x\n   ", "x\n \n"),
        ("a: >\n  x\n    ", "x\n  \n"),
        ("a: |+\n  x\n    ", "x\n  \n"),
        ("a: |-\n  x\n    ", "x\n  "),
        ("a: |\n  x\n  \t", "x\n\t\n"),
        ("a: |2\n    ", "  \n"),
        ("a: |\n  x\n  ", "x\n"),
        ("a: |\n  x\n\n  ", "x\n"),
        ("a: |+\n  x\n\n  ", "x\n\n"),
        ("a: |\n  x\n# c", "x\n"),
        ("a: |\n  x\n # c", "x\n"),
    ] {
        let (tree, root, _) = check(text);
        assert_eq!(tree.text(at(&tree, root, &["a"])), value, "{text:?}");
    }
}

#[test]
fn duplicate_keys_keep_the_last() {
    let (tree, root, errors) = check("a: 1\nb: 2\na: 3\n");
    assert_eq!(
        errors,
        ["FW0003 duplicate key \"a\" in one mapping CloudFormation uses the last one and reports nothing"]
    );
    assert_eq!(tree.text(at(&tree, root, &["a"])), "3");
    assert_eq!(tree.len(root), 2);
}

/// Returns `true` when the reader for common YAML reads `text`, with the same tree and root as the general one.
fn is_common(text: &str) -> bool {
    let (mut common, mut general, limits) = (Tree::new(), Tree::new(), Limits::default());
    let mut diagnostics = Diagnostics::new();
    let want = read_general(&mut general, text, 1, &limits, &mut diagnostics);
    let Some(root) = read_common(&mut common, text, 1, &limits) else {
        assert!(common.is_identical(&Tree::new()), "{text:?}");
        return false;
    };
    assert!(root == want && common.is_identical(&general) && diagnostics.is_empty(), "{text:?}");
    true
}

#[test]
fn common_text_is_read_without_the_general_reader() {
    for text in [
        "a: b\n",
        "a: b # c\n\n# d\n  # e\nc: 'it''s' # f\n\"d\": \"x\\u00e9\\n\"\n",
        "---\n# c\na:\n  b:\n    c: 1\n  d:\ne: ~\n",
        "a:\n- b\n- c: d\n  e: f\n-\n  g: h\n-\nb:\n  - - x\n    - y\n  -   - z\n",
        "a: !Sub x\nb: !GetAtt\nc: !Join\n- ''\n- - x\n  - !Ref Y\nd: !Transform\n  Name: x\n",
        "a: |\n  x\n   y\n\nb: >-\n\n  x\n  y\n\n    z\nc: !Sub |2+ # d\n    x\n\n",
        "a: [b, \"c\", !Ref d, [e], {f: g, 'h': !Sub i}, {}, [],]\nb: { }\n",
        "a: [\n  b, # c\n\n  d\n]\nc: {\n  x: y,\n  z:\n    1}\n",
        "a: !FindInMap [b, !Ref c, d, DefaultValue: {e: f}]\n",
        "a: some text\n  that goes on\n\n  and on\nb:\n  more\n  text\nc: 'x\n\n  y'\n",
        "a: b\r\nc: |\r\n  d\r\n  e\r\n",
        "a: \"x\ty\"\nb: |\n  x\ty\n",
        "a: |\n  x",
        "- a\n- b: c",
        "Fn::Sub: a:b#c://d\n",
    ] {
        assert!(is_common(text), "{text:?}");
    }
}

#[test]
fn rare_text_is_left_to_the_general_reader() {
    for text in [
        "",
        "# nothing\n",
        "text\n",
        "a: &x b\nc: *x\n",
        "a: {<<: {b: c}}\n",
        "? a\n: b\n",
        "%YAML 1.1\n---\na: b\n",
        "a: b\n---\nc: d\n",
        "a: b\n...\n",
        "a:\tb\n",
        "a:\n\tb: c\n",
        "a: b\n c: d\n",
        "a: b: c\n",
        "a: - b\n",
        "a: b\na: c\n",
        "a: !Foo b\n",
        "a: !!str b\n",
        "a: !Length [b]\n",
        "a: 'b' c\n",
        "a: [b\n",
        "a: [b c: d: e]\n",
        "a: [b?]\n",
        "a: [b,, c]\n",
        "a: \"\\q\"\n",
        "a: |\nb: c\n",
        "a: b\rc: d\n",
        "a: \u{85}\n",
        "a: \u{feff}\n",
        "a: \u{1}\n",
    ] {
        assert!(!is_common(text), "{text:?}");
    }
    let deep = format!("a: {}{}\n", "[".repeat(300), "]".repeat(300));
    assert!(!is_common(&deep));
}
