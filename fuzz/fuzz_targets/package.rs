//! Templates whose resources name files: packaging and expanding change places.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::laws::packaging;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let template = generate::artifacts(&mut choices);
    if let Err(wrong) = packaging::packaging(&generate::yaml(&template, &mut choices)) {
        panic!("{wrong}");
    }
});
