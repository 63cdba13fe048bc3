//! `data/schemas/SOURCES.md`.

use formwork_schemas::Schemas;

use super::wheel::Wheel;

/// Its text.
pub(crate) fn page(wheel: &Wheel, schemas: &Schemas) -> String {
    format!(
        "# Sources of the table of resource types

Written by `cargo xtask schemas`.

| source | version | licence | what |
|---|---|---|---|
| [cfn-lint](https://pypi.org/project/cfn-lint/) | {version}, schemas of {date} | MIT-0 | schemas of all types, Regions, ends of services, Lambda runtimes |
| [@aws-cdk/aws-service-spec](https://www.npmjs.com/package/@aws-cdk/aws-service-spec) | 0.1.216 | Apache-2.0 | compared with the facts kept by hand, `*.tsv` ([README.md](README.md)) |
| [@aws-cdk/cloudformation-diff](https://www.npmjs.com/package/@aws-cdk/cloudformation-diff) | | Apache-2.0 | compared with the effects of changes |

SHA-256 of the wheel: `{sha256}`

The table has names and facts, no descriptions: {types} types of {services} services in {bytes} bytes, {regions} Regions.
",
        version = wheel.version,
        date = wheel.date,
        sha256 = wheel.sha256,
        types = schemas.len(),
        services = schemas.services().count(),
        bytes = schemas.bytes(),
        regions = schemas.regions().count(),
    )
}
