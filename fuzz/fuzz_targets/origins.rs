//! Templates at random: every node of the output matches its origin.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::origins;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let template = generate::template(&mut choices);
    if let Err(wrong) = origins::origins(&generate::yaml(&template, &mut choices)) {
        panic!("{wrong}");
    }
});
