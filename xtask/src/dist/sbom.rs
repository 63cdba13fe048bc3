//! The bill of materials: `CycloneDX` 1.5, as JSON.

use serde_json::{Value, json};

use super::dependencies::Dependency;
use super::{LICENCE, VERSION};

/// Writes it.
pub(super) fn write(found: &[Dependency]) -> Result<String, String> {
    let components: Vec<Value> = found.iter().map(component).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "formwork",
                "name": "formwork",
                "version": VERSION,
                "licenses": [{"expression": LICENCE}],
            },
        },
        "components": components,
    });
    serde_json::to_string_pretty(&bill).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn component(dependency: &Dependency) -> Value {
    let purl = format!("pkg:cargo/{}@{}", dependency.name, dependency.version);
    let mut component = json!({
        "type": "library",
        "bom-ref": &purl,
        "name": dependency.name,
        "version": dependency.version,
        "licenses": [{"expression": dependency.licence}],
        "purl": purl,
    });
    if let Some(sum) = &dependency.checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    if let Some(url) = &dependency.repository {
        component["externalReferences"] = json!([{"type": "vcs", "url": url}]);
    }
    component
}
