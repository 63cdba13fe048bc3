//! What becomes of a text, rule by rule.
//!
//! Holds reference/formatting.md#promises, reference/formatting.md#style, reference/formatting.md#indentation,
//! reference/formatting.md#lists, reference/formatting.md#spaces, reference/formatting.md#alignment,
//! reference/formatting.md#lines, reference/formatting.md#comments, reference/formatting.md#scalars,
//! reference/formatting.md#json, reference/formatting.md#off.

use formwork_base::{Limits, VirtualPath};
use formwork_format::{
    Auto, CommentSpaces, LineEnding, Options, Refused, Step, edits, format, format_bytes, format_range,
};

#[track_caller]
fn becomes_with(options: Options, before: &str, after: &str) {
    let format = |text: &str| format(text, &VirtualPath::new("t.yaml"), &options, &Limits::default());
    let found = format(before).expect("it is formatted");
    assert_eq!(found, after, "\n{found}");
    assert_eq!(format(after).expect("it is formatted"), after, "once more");
}

#[track_caller]
fn becomes(before: &str, after: &str) {
    becomes_with(Options::default(), before, after);
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

#[test]
fn mappings_follow_the_majority_of_their_file() {
    becomes("a:\n    b:\n        c: 1\nd:\n  e: 2\n", "a:\n    b:\n        c: 1\nd:\n    e: 2\n");
    // A tie goes to the first one.
    becomes("a:\n   b: 1\nd:\n  e: 2\n", "a:\n   b: 1\nd:\n   e: 2\n");
    let options = Options { indent: Auto::Set(Step::Spaces(4)), ..Options::default() };
    becomes_with(options, "a:\n  b:\n  - c: 1\n    d: 2\n", "a:\n    b:\n    - c: 1\n      d: 2\n");
    // A tab is not an indentation of YAML.
    let options = Options { indent: Auto::Set(Step::Tab), ..Options::default() };
    becomes_with(options, "a:\n   b: 1\n", "a:\n   b: 1\n");
}

#[test]
fn consistent_files_stay_as_they_are() {
    stays("a:\n    b:\n      - 1\n      - c: 2\n        d: 3\n");
    stays("a:\n  - 1\nb:\n    c: 1\n");
    stays("a:\n- 1\n- - 2\n  - 3\nb: [ 1, 2 ]\nc: {d: e}\n");
    stays("-   a: 1\n    b: 2\n-   c\n");
    stays("  a: 1\n  b:\n    c: 2\n");
    stays("a : 1\n? b\n: - c\n  - d\n");
    stays("%YAML 1.1\n---\n# first\na: &x 1\nb: *x\n...\n");
    stays("a:\n    !Sub\n    - x\n    - y: z\n");
    stays("a: {b: 1,\n    c: 2}\nd: [\n  1,\n  2,\n]\n");
    stays("");
}

#[test]
fn dashes_below_a_key_follow_the_majority() {
    becomes("a:\n- 1\nb:\n  - 2\nc:\n- 3\n", "a:\n- 1\nb:\n- 2\nc:\n- 3\n");
    let options = Options { indent_lists: Auto::Set(true), ..Options::default() };
    becomes_with(options, "a:\n- b: 1\n  c:\n  - 2\n", "a:\n  - b: 1\n    c:\n      - 2\n");
    let options = Options { dash_spaces: Auto::Set(3), ..Options::default() };
    becomes_with(options, "- a: 1\n  b: |\n    x\n- - 2\n", "-   a: 1\n    b: |\n      x\n-   -   2\n");
}

#[test]
fn a_block_below_a_tag_on_a_line_of_its_own_keeps_its_distance_from_the_tag() {
    stays("a:\n- 1\nb:\n- 2\nc:\n  !Sub\n    - x\n    - y: z\n");
    stays("a:\n  - 1\nb:\n  - 2\nc:\n  !Sub\n  - x\n  - y: z\n");
    becomes(
        "a:\n    b: 1\nc:\n    d: 1\ne:\n  !Sub\n    - x\n    - y:   z\n",
        "a:\n    b: 1\nc:\n    d: 1\ne:\n  !Sub\n    - x\n    - y: z\n",
    );
    let options = Options { indent: Auto::Set(Step::Spaces(4)), ..Options::default() };
    becomes_with(options, "a:\n  b: 1\nc:\n  !Sub\n  - x\n", "a:\n    b: 1\nc:\n    !Sub\n    - x\n");
}

#[test]
fn one_space_is_between_the_parts_of_a_line() {
    becomes(
        "a:   1\nb:  !Ref   c\nc: &x  2\nd: [a,b , c]\ne: {f:  1,g: 2}\n",
        "a: 1\nb: !Ref c\nc: &x 2\nd: [a, b, c]\ne: {f: 1, g: 2}\n",
    );
    becomes("a: [ 1 ]\nb: [1]\nc: [ 2]\nd: [ ]\ne: { }\n", "a: [ 1 ]\nb: [ 1 ]\nc: [ 2 ]\nd: []\ne: {}\n");
    let options = Options { brace_spaces: Auto::Set(true), ..Options::default() };
    becomes_with(options, "a: {b: {}}\n", "a: { b: {} }\n");
}

#[test]
fn values_that_are_aligned_on_purpose_stay() {
    stays("Type:    A\nName:    b\nLongest: c\n");
    becomes("Type:    A\nName:  b\nLongest:  c\n", "Type: A\nName: b\nLongest: c\n");
    // Aligned entries that are not adjacent are aligned by chance.
    becomes("Type:   A\nName: b\nOther:  c\n", "Type: A\nName: b\nOther: c\n");
    let options = Options { align_values: false, ..Options::default() };
    becomes_with(options, "Type:    A\nLongest: c\n", "Type: A\nLongest: c\n");
}

#[test]
fn empty_lines_trailing_spaces_and_the_end_of_the_file() {
    becomes("\n\na: 1  \n\n\n\n \nb: 2\n\n\n", "a: 1\n\n\nb: 2\n");
    becomes("a: 1", "a: 1\n");
    becomes("a: 1\r\nb:   2\n", "a: 1\r\nb: 2\r\n");
    let options = Options { max_empty_lines: 0, line_ending: Auto::Set(LineEnding::Lf), ..Options::default() };
    becomes_with(options, "a: 1\r\n\r\nb: 2\r\n", "a: 1\nb: 2\n");
    becomes(" \n\n", "");
}

#[test]
fn comments_go_with_what_follows_or_with_their_block() {
    becomes(
        "a:\n   # of b\n   b:\n      c: 1\n   # the end of a\n  # between\nd:\n   e: 1\n",
        "a:\n   # of b\n   b:\n      c: 1\n   # the end of a\n  # between\nd:\n   e: 1\n",
    );
    let options = Options { indent: Auto::Set(Step::Spaces(4)), ..Options::default() };
    becomes_with(
        options,
        "a:\n  # of b\n  b:\n    c: 1\n  # the end of a\nd: 2 # no\n# end\n",
        "a:\n    # of b\n    b:\n        c: 1\n    # the end of a\nd: 2 # no\n# end\n",
    );
    let options = Options { comment_spaces: CommentSpaces::Count(2), ..Options::default() };
    becomes_with(
        options,
        "a: 1 # x\nb:      # y\n  c: [1, # z\n    2]\n",
        "a: 1  # x\nb:  # y\n  c: [1,  # z\n    2]\n",
    );
    stays("a: 1    # kept\n");
    // A comment never becomes a line of the block scalar in front of it.
    let options = Options { indent: Auto::Set(Step::Spaces(2)), ..Options::default() };
    becomes_with(
        options,
        "a:\n    b: |\n      text\n     # no text\nc: 1\n",
        "a:\n  b: |\n    text\n   # no text\nc: 1\n",
    );
}

#[test]
fn scalars_of_several_lines_move_with_their_nodes() {
    let options = Options { indent: Auto::Set(Step::Spaces(2)), ..Options::default() };
    becomes_with(
        options,
        "a:\n    b: |-\n        x  \n          y\n\n        z\n    c: >2\n        q\n       r\n    d: one\n      two\n    e: 'one  \n\n        two'\n",
        "a:\n  b: |-\n      x  \n        y\n\n      z\n  c: >2\n      q\n     r\n  d: one\n    two\n  e: 'one  \n\n      two'\n",
    );
    // Empty lines behind a text that keeps them are a part of it.
    stays("a: |+\n  x\n\n\n\n\nb: 1\n");
    becomes("a: |\n  x\n\n\n\n\nb: 1\n", "a: |\n  x\n\n\nb: 1\n");
}

#[test]
fn json_has_a_member_on_a_line_where_a_line_break_follows_the_bracket() {
    let path = VirtualPath::new("t.json");
    let format = |text: &str| format(text, &path, &Options::default(), &Limits::default()).expect("JSON");
    assert_eq!(
        format("{\n  \"a\":1, \"b\" : [1,2 ,\n3],\n  \"c\":\n  {\n\"d\": { },\n\n\n\n\"e\": []}}"),
        "{\n  \"a\": 1,\n  \"b\" : [1, 2, 3],\n  \"c\": {\n    \"d\": {},\n\n\n    \"e\": []\n  }\n}\n"
    );
    let joined = "{\n\t\"Fn::Join\": [\"\", [\n\t\t\"a\",\n\t\t\"b\"\n\t]]\n}\n";
    assert_eq!(format(joined), joined);
    let aligned = "{\n  \"a\":   1,\n  \"bcd\": 2\n}\n";
    assert_eq!(format(aligned), aligned);
    assert_eq!(format("{\"a\": { \"b\": 1 }}"), "{\"a\": {\"b\": 1}}\n");
}

#[test]
fn lines_that_are_switched_off_move_only_as_a_whole() {
    becomes(
        "a:\n    # formwork: fmt off\n    b:   1 \n    c:\n      - [1,2]\n    # formwork: fmt on\n    d:   2\n",
        "a:\n    # formwork: fmt off\n    b:   1 \n    c:\n      - [1,2]\n    # formwork: fmt on\n    d: 2\n",
    );
    let options = Options { indent: Auto::Set(Step::Spaces(2)), ..Options::default() };
    becomes_with(
        options,
        "a:\n    b:   # formwork: fmt skip\n       c:   1\n       d: |\n           x\n    e:   2\n",
        "a:\n  b:   # formwork: fmt skip\n     c:   1\n     d: |\n         x\n  e: 2\n",
    );
}

#[test]
fn functions_that_nobody_knows_are_formatted_like_others() {
    becomes(
        "a:\n    b:   !Rain::Embed   x.txt\n    c: !Foo  [1,2]\n    d: !Rain::S3 {Path: x,   B: y}\n    e: !!binary  aGk=\n    f:\n      !Rain::Module\n      g:   1\nh:\n  i: !Foo\n",
        "a:\n    b: !Rain::Embed x.txt\n    c: !Foo [1, 2]\n    d: !Rain::S3 {Path: x, B: y}\n    e: !!binary aGk=\n    f:\n      !Rain::Module\n      g: 1\nh:\n    i: !Foo\n",
    );
    // What else is wrong still is.
    let text = "a: !Rain::Embed x\nb: [c\n";
    let refused = format(text, &VirtualPath::new("t.yaml"), &Options::default(), &Limits::default());
    let Err(Refused::NotWellFormed(_, found)) = refused else { panic!("{refused:?}") };
    assert!(found.iter().all(|one| one.code != formwork_base::codes::UNKNOWN_TAG), "{found:?}");
}

#[test]
fn texts_that_are_not_well_formed_are_refused() {
    let refused = format("a: [1\nb: 2\n", &VirtualPath::new("t.yaml"), &Options::default(), &Limits::default());
    let Err(Refused::NotWellFormed(sources, found)) = refused else { panic!("{refused:?}") };
    assert!(found.has_errors());
    assert_eq!(sources.files().count(), 1);
}

#[test]
fn the_encoding_of_a_file_stays() {
    let format = |bytes: &[u8]| {
        format_bytes(&bytes.to_vec().into(), &VirtualPath::new("t.yaml"), &Options::default(), &Limits::default())
    };
    assert_eq!(format(b"\xef\xbb\xbfa:  1").expect("text").bytes, b"\xef\xbb\xbfa: 1\n");
    assert_eq!(format(b"\xff\xfea\0:\0 \0 \x001\0").expect("text").bytes, b"\xff\xfea\0:\0 \x001\0\n\0");
    assert!(matches!(format(b"a: \xff"), Err(Refused::NotWellFormed(..))));
}

#[test]
fn a_range_keeps_to_its_lines_and_to_what_is_sound() {
    let (path, limits) = (VirtualPath::new("t.yaml"), Limits::default());
    let text = "a:   1\nb:   2\nc:\n      d: 1\n      e: 2\nf:\n  g:\n    h: 1\n";
    let range = |line: usize| {
        let start = text.lines().take(line).map(|line| line.len() + 1).sum::<usize>();
        format_range(text, &path, start..start, &Options { align_values: false, ..Options::default() }, &limits)
            .expect("sound")
    };
    let texts: Vec<_> = range(1).into_iter().map(|edit| (edit.range, edit.text)).collect();
    assert_eq!(texts, [(10..12, String::new())]);
    // One of two entries of a mapping cannot move alone.
    assert_eq!(range(3), []);
    assert_eq!(edits(text, text), []);
}
