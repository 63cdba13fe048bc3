//! Projects of modules at random, and any text as a module: all commands end within their limits, and YAML and
//! JSON files have one result. Bodies at random: a module means what its text means.
#![no_main]

use formwork::{Session, MemoryHost, Options, Goal};
use formwork_tests::generate::{self, Choices};
use formwork_tests::properties::{modules_compose, projects, quiet};
use libfuzzer_sys::fuzz_target;

const TEMPLATE: &str = "Modules: {A: {Source: module, Properties: {P: x}}, B: {Source: module.zip/m.yaml}}\nResources: {R: {Type: T, P: !GetAtt A.Out}}";

fuzz_target!(|bytes: &[u8]| {
    if let Some((0..=63, rest)) = bytes.split_first() {
        let host = MemoryHost::new().with("template.yaml", TEMPLATE).with("module", rest).with("module.zip", rest);
        for stage in [Goal::Expand, Goal::Check] {
            let result = Session::new(&host, Options::default()).compile("template.yaml", stage);
            if let Err(wrong) = quiet::well_formed(&result) {
                panic!("{wrong}");
            }
        }
        return;
    }
    if let Some((64..=159, rest)) = bytes.split_first() {
        if let Err(wrong) = modules_compose::any(&mut Choices::new(rest)) {
            panic!("{wrong}");
        }
        return;
    }
    let mut choices = Choices::new(bytes);
    let project = generate::modules(&mut choices);
    if let Err(wrong) = projects::projects(&project, &mut choices) {
        panic!("{wrong}");
    }
});
