//! Templates at random in YAML and in JSON: one result, and the same reports for both.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::spellings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let template = generate::template(&mut choices);
    let (yaml, json) = (generate::yaml(&template, &mut choices), generate::json(&template));
    if let Err(wrong) = spellings::spellings(&yaml, &json) {
        panic!("{wrong}");
    }
});
