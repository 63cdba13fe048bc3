//! Comparison of shown and printed output, with placeholders for what differs from run to run.

/// Whether printed lines are those shown: `...` stands for any lines, `[..]` for any characters in a line.
pub(crate) fn agrees(shown: &str, printed: &str) -> bool {
    lines_agree(&lines(shown), &lines(printed))
}

/// Returns what a document shows instead, once it no longer agrees: the printed lines, with the placeholders kept
/// where they can be.
pub(crate) fn updated(shown: &str, printed: &str) -> String {
    let (shown, printed) = (lines(shown), lines(printed));
    let kept = |line: &&str| {
        let pattern = shown.iter().find(|pattern| pattern.contains("[..]") && line_agrees(pattern, line));
        (*pattern.unwrap_or(line)).to_owned()
    };
    let all: Vec<String> = printed.iter().map(kept).collect();
    let left_out: Vec<usize> = (0..shown.len()).filter(|at| shown[*at] == "...").collect();
    let (head, tail) = match left_out[..] {
        [at] if shown.len() <= all.len() => (at, shown.len() - at - 1),
        _ => (all.len(), 0),
    };
    let mut text = Vec::from(&all[..head]);
    if head + tail < all.len() {
        text.push("...".to_owned());
    }
    text.extend_from_slice(&all[all.len() - tail..]);
    text.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

fn lines_agree(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        (["...", rest @ ..], _) => (0..=printed.len()).any(|skipped| lines_agree(rest, &printed[skipped..])),
        ([first, rest @ ..], [line, more @ ..]) => line_agrees(first, line) && lines_agree(rest, more),
        (_, []) => false,
    }
}

fn line_agrees(shown: &str, printed: &str) -> bool {
    match shown.split_once("[..]") {
        None => shown == printed,
        Some((first, rest)) => printed.strip_prefix(first).is_some_and(|printed| {
            printed.char_indices().map(|(at, _)| at).chain([printed.len()]).any(|at| line_agrees(rest, &printed[at..]))
        }),
    }
}

#[test]
fn three_dots_stand_for_any_lines() {
    assert!(agrees("a\n...\nd\n", "a\nb\nc\nd\n"));
    assert!(agrees("...\nd\n", "d\n"));
    assert!(!agrees("a\n...\nd\n", "a\nb\n"));
    assert!(!agrees("a\n", "a\nb\n"));
}

#[test]
fn dots_in_brackets_stand_for_characters_of_a_line() {
    assert!(agrees("port [..] of [..]\n", "port 3000 of 127.0.0.1\n"));
    assert!(agrees("[..] s\n", "12 s\n"));
    assert!(!agrees("port [..] of\n", "port 3000\n"));
    assert!(!agrees("a[..]\n", "a\nb\n"));
}

#[test]
fn an_update_keeps_placeholders() {
    assert_eq!(updated("old\n...\nend\n", "new\nb\nc\nend\n"), "new\n...\nend\n");
    assert_eq!(updated("in [..] s\nold\n", "in 12 s\nnew\n"), "in [..] s\nnew\n");
}
