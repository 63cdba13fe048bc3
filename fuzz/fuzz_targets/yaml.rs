//! Any text, read as a file with the ending `yaml`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Err(wrong) = formwork_tests::properties::reading::reading("template.yaml", &text) {
        panic!("{wrong}");
    }
});
