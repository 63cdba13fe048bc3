//! Any text, and templates at random in every layout: both readers of YAML read the same tree.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::readers::readers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = match bytes.split_first() {
        Some((0..=191, rest)) => String::from_utf8_lossy(rest).into_owned(),
        _ => {
            let (template, layout) = bytes.split_at(bytes.len() / 3);
            generate::layout(&generate::template(&mut Choices::new(template)), &mut Choices::new(layout))
        }
    };
    if let Err(wrong) = readers(&text) {
        panic!("{wrong}");
    }
});
