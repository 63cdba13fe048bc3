//! Work that grows with the input and not with its square: eight times as much takes about eight times as long.
//!
//! Holds reference/reading.md#limits.
#![allow(clippy::disallowed_methods, reason = "two runs are compared by the clock")]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use formwork::{Goal, Options};
use formwork_tests::properties::compile;

/// What the work of a template may grow by when the template is eight times as large: 64 is its square.
const MOST: u32 = 28;

fn grows_with_its_input(small: usize, template: impl Fn(usize) -> String) {
    let shortest = |size: usize| {
        let text = template(size);
        let run = |_| {
            let start = Instant::now();
            compile(&text, &Options::default(), Goal::Expand);
            start.elapsed()
        };
        (0..4).map(run).min().unwrap_or(Duration::MAX)
    };
    let (small, large) = (shortest(small), shortest(small * 8));
    assert!(large < small * MOST, "{small:?}, and {large:?} for eight times as much");
}

#[test]
fn loops_next_to_each_other() {
    grows_with_its_input(2_000, |size| {
        let mut text = "Transform: AWS::LanguageExtensions\nResources:\n".to_owned();
        for at in 0..size {
            let _ = writeln!(text, "  Fn::ForEach::L{at}: [V{at}, [a], {{'T{at}${{V{at}}}': {{Type: 'A::B'}}}}]");
        }
        text
    });
}

#[test]
fn a_string_with_many_variables() {
    grows_with_its_input(1_500, |size| {
        let (mut string, mut variables) = (String::new(), String::new());
        for at in 0..size {
            let _ = write!(string, "${{V{at}}}");
            let _ = write!(variables, "V{at}: !Ref R, ");
        }
        format!(
            "Transform: AWS::LanguageExtensions\nResources:\n  R: {{Type: 'A::B'}}\n  Fn::ForEach::L:\n    - X\n    - [a]\n    \
             - 'T${{X}}': {{Type: 'A::B', Properties: {{P: !Sub ['${{X}}{string}', {{{variables}}}]}}}}\n"
        )
    });
}

#[test]
fn a_name_that_no_iteration_finds() {
    grows_with_its_input(250, |size| {
        let items: Vec<String> = (0..size).map(|at| format!("Item{at}")).collect();
        format!(
            "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::L:\n    - X\n    - [{}]\n    \
             - '${{X}}': {{Type: 'A::B', Properties: {{P: !Sub '${{X}}-${{Item}}'}}}}\n",
            items.join(", ")
        )
    });
}
