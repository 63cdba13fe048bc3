//! Files that include each other, and any text as an included file: all commands end.
#![no_main]

use formwork::{Session, MemoryHost, Options, Goal};
use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{projects, quiet};
use libfuzzer_sys::fuzz_target;

const TEMPLATE: &str = "Resources: {Fn::Transform: {Name: AWS::Include, Parameters: {Location: part}}, A: {Type: T, B: {Fn::Transform: {Name: AWS::Include, Parameters: {Location: part}}}}}";

fuzz_target!(|bytes: &[u8]| {
    if let Some((0..=63, rest)) = bytes.split_first() {
        let host = MemoryHost::new().with("template.yaml", TEMPLATE).with("part", rest);
        for stage in [Goal::Expand, Goal::Check] {
            let result = Session::new(&host, Options::default()).compile("template.yaml", stage);
            if let Err(wrong) = quiet::well_formed(&result) {
                panic!("{wrong}");
            }
        }
        return;
    }
    let mut choices = Choices::new(bytes);
    let project = generate::includes(&mut choices);
    if let Err(wrong) = projects::projects(&project, &mut choices) {
        panic!("{wrong}");
    }
});
