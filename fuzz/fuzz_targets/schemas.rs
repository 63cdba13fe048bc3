//! Any bytes as a table, and any text as a schema: refused, or read without panic.
#![no_main]

use formwork::schemas::{Schemas, Table};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(table) = Table::read(bytes.to_vec()) {
        let _ = table.verify();
        look_at(&Schemas::of_table(table));
    }
    let mut schemas = Schemas::none();
    if schemas.add(&String::from_utf8_lossy(bytes)).is_ok() {
        look_at(&schemas);
    }
});

fn look_at(schemas: &Schemas) {
    for name in schemas.type_names("") {
        let Some(known) = schemas.resource_type(name) else { continue };
        let _ = (known.effect(&["A", "0"]), known.attributes(), known.reference(), known.missing_in());
        for property in known.properties().properties() {
            let _ = property.node.at(&["A", "*"]);
            let _ = property.node.pattern().map(|pattern| pattern.matches("a"));
        }
    }
}
