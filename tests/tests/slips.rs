//! Slips of the keyboard in templates without a mistake, and in templates that people run (`../realworld`): at least 98 of
//! 100 are errors at their place. `FORMWORK_SLIPS` is the number of slips of each kind in a template.

use formwork::{Goal, Options, Severity};
use formwork_tests::generate::{self, Choices, Random};
use formwork_tests::project::{self, Shared};
use formwork_tests::properties::compile;
use formwork_tests::properties::slips::{Tally, slips};

const TEMPLATES: u64 = 24;

fn most(default: usize) -> usize {
    std::env::var("FORMWORK_SLIPS").ok().and_then(|most| most.parse().ok()).unwrap_or(default)
}

fn judge(tally: &Tally) {
    let [tried, reported] = tally.total();
    eprintln!("{reported} of {tried}: {}", tally.words());
    for silent in &tally.silent {
        eprintln!("  {silent}");
    }
    assert!(tried > 100, "only {tried} slips were tried");
    assert!(reported * 100 >= tried * 98, "{reported} of {tried} slips are errors");
    // Of a kind with few slips three may be silent: keys of mappings that are looked up with computed names.
    for (word, [tried, reported]) in tally.by_word() {
        assert!(reported * 100 >= tried * 98 || tried - reported <= 3, "{word:?}: {reported} of {tried} are errors");
    }
}

fn generated() -> Vec<String> {
    let templates = (0..TEMPLATES).map(|seed| {
        let mut random = Random::new(seed);
        let bytes: Vec<u8> = (0..600).map(|_| random.below(256) as u8).collect();
        let mut choices = Choices::new(&bytes);
        let template = generate::sound(&mut choices);
        if seed.is_multiple_of(3) { generate::json(&template) } else { generate::yaml(&template, &mut choices) }
    });
    templates.collect()
}

#[test]
fn templates_without_a_mistake_have_no_error() {
    for text in generated() {
        let result = compile(&text, &Options::default(), Goal::Check);
        let error = result.diagnostics().iter().find(|found| found.severity == Severity::Error);
        assert!(error.is_none(), "{error:?}\n{text}");
    }
}

#[test]
fn slips_in_generated_templates_are_errors() {
    let mut tally = Tally::default();
    for (number, text) in generated().iter().enumerate() {
        tally.add(slips(&format!("template {number}"), text, most(3)));
    }
    judge(&tally);
}

#[test]
fn slips_in_real_templates_are_errors() {
    let folder = match project::realworld() {
        Shared::At(folder) => folder,
        Shared::Skipped(text) => return eprintln!("{text}"),
        Shared::Missing(text) => panic!("{text}"),
    };
    let mut tally = Tally::default();
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("a directory").flatten().map(|file| file.path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.is_file() && !path.ends_with("INDEX.json")) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = std::fs::read_to_string(path).expect("a text");
        // What a template without its modules and macros has, it has not.
        let is_module = text.contains("!Rain::") || text.contains("Fn::Transform: ");
        if !is_module {
            tally.add(slips(&name, &text, most(2)));
        }
    }
    judge(&tally);
}
