//! Tests that a resumed reading finds the same as one from the start.

use std::fmt::Write as _;

use formwork_base::{Diagnostic, Diagnostics, Limits};

use super::read::read_broken;
use crate::tree::{NodeId, Tree, View};

/// Writes a tree with the kinds, spans and values of its nodes.
fn show(tree: &Tree, node: NodeId, out: &mut String) {
    let span = |node| format!("{:?}", tree.span(node));
    *out += &span(node);
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| show(tree, item, out)),
        View::Map => {
            for entry in tree.entries(node) {
                let _ = write!(out, "{{{}{}", tree.text(entry.key), span(entry.key));
                show(tree, entry.value, out);
                out.push('}');
            }
        }
        View::Call(function, argument) => {
            let _ = write!(out, "{function:?}");
            show(tree, argument, out);
        }
        other => {
            let _ = write!(out, "{other:?}");
        }
    }
}

fn read(text: &str, can_resume: bool) -> (String, Vec<Diagnostic>, usize) {
    let (mut tree, mut found, mut out) = (Tree::new(), Diagnostics::new(), String::new());
    let root = read_broken(&mut tree, text, 1, &Limits::default(), &mut found, can_resume);
    show(&tree, root, &mut out);
    (out, found.iter().cloned().collect(), tree.node_count())
}

#[track_caller]
fn is_same(text: &str) {
    let (resumed, whole) = (read(text, true), read(text, false));
    assert_eq!(resumed.0, whole.0, "{text:?}");
    assert_eq!(resumed.1, whole.1, "{text:?}");
}

const TEXTS: &[&str] = &[
    "Resources:\n  A:\n    Type: T\n    P: x: y\n    Q: 1\n  B:\n    Type: T\n    L:\n      - a: 1\n        b: [1\n        c: 2\n      - d: 'x'#y\n        e: 5\n  C:\n    Type: U\n    M: \"a\n b\"\n    N: !Sub '${x}'\n",
    "---\nA:\n- b: 1\n  c: 'x'#y\n  d:\n  - - e: 1\n      f: \"x\n y\"\n      g: 2\n    - h\n- i: | # c\n    text\n  j: 1\n  j: 2\n  k: *x\nB: {a: 1, b: [2, 3}\nC: \u{feff}x\nD: 'y\u{feff}'\nE: &e 1\nF: *e\nG: 'x'#y\n",
    "%YAML 1.1\n---\na: 'x'#y\nb: 'x'#y\n",
    "é: 'x'#y\nö:\n  ü: 'x'#y\n  ß: 'x'#y\n? k\n: v\n!!str s: 'x'#y\n<<: {t: 1}\nz: 'x'#y\n...\n---\nw: 1\n",
    "a:\n  b: !If\n    - c\n    - d: 'x'#y\n      e: 'x'#y\n  f: 'x'#y\n\tg: 1\n  h: 1\n i: 2\nj: 'x\ny'\nk: 1\r\nl: 'x'#y\r\nm: @\r\nn: 1\r\n",
];

#[test]
fn a_reading_that_is_taken_up_again_finds_the_same() {
    for text in TEXTS {
        is_same(text);
    }
    let parts = [
        " ", "\n", ":", ": ", "- ", "'", "\"", "#", " #", "[", "]", "{", "}", "*x", "&x ", "\t", "!Sub ", "é", "|\n",
        "\u{feff}", "a: 1\n", "  ",
    ];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..6000 {
        let mut text = TEXTS[next(TEXTS.len())].to_owned();
        for _ in 0..=next(4) {
            let mut at = next(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if next(3) == 0 {
                text.remove(at);
            } else {
                text.insert_str(at, parts[next(parts.len())]);
            }
        }
        is_same(&text);
    }
}

#[test]
fn what_was_read_is_not_read_again() {
    let many = |line: &str, n: usize| -> String {
        let lines: Vec<String> = (0..n).map(|number| line.replace('@', &number.to_string())).collect();
        lines.concat()
    };
    let nodes = |text: &str| read(text, true).2;
    for line in ["        a@: 'x'#y\n", "        a@: 'x\n y'\n", "        a@: 1\n"] {
        // A key and a value each, read at most twice.
        let count = nodes(&format!("Resources:\n  B:\n    L:\n      - x: 1\n{}", many(line, 1000)));
        assert!(count < 4100, "{line:?}: {count}");
    }
    let good = format!("Resources:\n{}", many("  R@:\n    Type: T\n", 1000));
    let bad = many("  S@: x: y\n", 8);
    assert!(nodes(&format!("{good}{bad}")) < nodes(&good) + 200);
}
