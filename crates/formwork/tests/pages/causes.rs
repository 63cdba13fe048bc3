//! A code has often several causes: `causes.txt` has a template for each, with what the commands report.
//!
//! A case begins with `=== NAME` and ends with `--- ` and the codes with their severities: for all
//! commands, or for `expand` and then for `resolve` and `check`, or for each of the three; `-` for
//! none.

use formwork::{Goal, MemoryHost, Options, Report, Session};

/// A template and what `expand`, `resolve` and `check` report for it.
pub(crate) struct Cause {
    pub(crate) name: &'static str,
    pub(crate) told: [&'static str; 3],
    template: &'static str,
}

impl Cause {
    pub(crate) fn run(&self, stage: Goal) -> Report {
        let host = MemoryHost::new().with("template.yaml", self.template);
        Session::new(&host, Options::default()).compile("template.yaml", stage).into()
    }
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Cause> {
    include_str!("causes.txt").split("=== ").skip(1).map(|text| {
        let (name, rest) = text.split_once('\n').expect("a name");
        let (template, told) = rest.split_once("--- ").expect("codes");
        let told: Vec<&str> = told.trim().split(" | ").collect();
        let told = match *told {
            [all] => [all; 3],
            [expand, others] => [expand, others, others],
            [expand, resolve, check] => [expand, resolve, check],
            _ => panic!("{name}: one to three commands"),
        };
        Cause { name, told, template }
    })
}

/// Codes with their severities, each once, in order.
pub(crate) fn codes_of(result: &Report) -> String {
    let mut found: Vec<String> =
        result.diagnostics().iter().map(|found| format!("{} {}", found.code, found.severity.name())).collect();
    found.sort();
    found.dedup();
    if found.is_empty() { "-".to_owned() } else { found.join(", ") }
}
