//! Any text, and templates at random, through all commands: they end, and their messages can be shown.
//! What was expanded stays as it is.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{copies_agree, idempotent, quiet, untouched};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = match bytes.split_first() {
        Some((0..=63, rest)) => String::from_utf8_lossy(rest).into_owned(),
        _ => {
            let mut choices = Choices::new(bytes);
            let template = generate::template(&mut choices);
            generate::yaml(&template, &mut choices)
        }
    };
    let copies = copies_agree::copies_agree(&[("template.yaml".to_owned(), text.clone())]).map(drop);
    let laws = [quiet::quiet(&text), idempotent::idempotent(&text), untouched::untouched(&text), copies];
    for wrong in laws.into_iter().filter_map(Result::err) {
        panic!("{wrong}");
    }
});
