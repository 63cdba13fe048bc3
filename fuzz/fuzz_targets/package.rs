//! Templates whose resources name files: packaging and expanding change places. Directories at random, on a
//! disk: they are packaged by their content, or refused in words.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{directories, packaging};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let outcome = if let Some((0..=63, rest)) = bytes.split_first() {
        directories::directories(&generate::directory(&mut Choices::new(rest)))
    } else {
        let mut choices = Choices::new(bytes);
        let template = generate::artifacts(&mut choices);
        packaging::packaging(&generate::yaml(&template, &mut choices)).map(|_| ())
    };
    if let Err(wrong) = outcome {
        panic!("{wrong}");
    }
});
