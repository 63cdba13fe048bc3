//! Account data at random, and any text as account data.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::projects;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let outcome = if let Some((0..=63, rest)) = bytes.split_first() {
        projects::snapshot(&String::from_utf8_lossy(rest), None)
    } else {
        let mut choices = Choices::new(bytes);
        let account = generate::account(&mut choices);
        projects::snapshot(&generate::yaml(&account, &mut choices), Some(&generate::json(&account)))
    };
    if let Err(wrong) = outcome {
        panic!("{wrong}");
    }
});
