//! Templates and projects at random with keys that appear twice: the last one counts, in every format.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::duplicates;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (kind, rest) = bytes.split_first().map_or((0, bytes), |(&kind, rest)| (kind, rest));
    let (twice, rest) = rest.split_at(rest.len() / 4);
    let (mut twice, mut choices) = (Choices::new(twice), Choices::new(rest));
    let outcome = if kind < 128 {
        let make = [generate::template, generate::calls, generate::replaced_calls][usize::from(kind) % 3];
        let template = generate::duplicates(&make(&mut choices), &mut twice);
        duplicates::duplicates(&generate::json(&template))
            .and_then(|_| duplicates::duplicates(&generate::layout(&template, &mut choices)))
    } else {
        let make = [generate::rooted, generate::modules][usize::from(kind) % 2];
        let project = make(&mut choices);
        let mut lost = |file| generate::json(&generate::duplicates(file, &mut twice));
        let with: Vec<(String, String)> = project.iter().map(|(name, file)| (name.clone(), lost(file))).collect();
        let without: Vec<(String, String)> =
            project.iter().map(|(name, file)| (name.clone(), generate::json(file))).collect();
        duplicates::in_projects(&with, &without)
    };
    if let Err(wrong) = outcome {
        panic!("{wrong}");
    }
});
