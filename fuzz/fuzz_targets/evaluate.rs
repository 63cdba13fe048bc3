//! Templates at random: knowledge in two steps is knowledge in one, and secrets are seen nowhere.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{refines, secrets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = generate::json(&generate::template(&mut Choices::new(bytes)));
    for wrong in [refines::refines(&text), secrets::secrets(&text)].into_iter().filter_map(Result::err) {
        panic!("{wrong}");
    }
});
