//! Templates at random: what is written is read as the same, and loops are what they are by hand.
#![no_main]

use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{loops_agree, round_trip};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices::new(bytes);
    let template = generate::template(&mut choices);
    let text = generate::yaml(&template, &mut choices);
    let loops = generate::loops(&mut Choices::new(bytes));
    for wrong in [round_trip::round_trip(&text), loops_agree::loops_agree(&loops)].into_iter().filter_map(Result::err) {
        panic!("{wrong}");
    }
});
