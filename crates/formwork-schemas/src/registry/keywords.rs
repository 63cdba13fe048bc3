//! The known keywords of schemas.

/// Keywords of a node that become facts.
#[cfg(feature = "write")]
const USED: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "dependencies",
    "dependentExcluded",
    "dependentRequired",
    "enum",
    "enumCaseInsensitive",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "oneOf",
    "pattern",
    "patternProperties",
    "properties",
    "required",
    "requiredOr",
    "requiredXor",
    "type",
    "uniqueItems",
];

/// Keywords of a node that are known and omitted.
#[cfg(feature = "write")]
const LEFT_OUT: &[&str] = &[
    "$comment",
    "arrayType",
    "default",
    "definitions",
    "description",
    "else",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "if",
    "insertionOrder",
    "maxUniqueItems",
    "not",
    "prefixItems",
    "relationshipRef",
    "then",
    "title",
    "uniqueKeys",
    "contentEncoding",
    "dependentSchemas",
    "anchor",
];

/// Keywords of a document that are not keywords of a node.
#[cfg(feature = "write")]
const OF_DOCUMENT: &[&str] = &[
    "$id",
    "$schema",
    "additionalIdentifiers",
    "conditionalCreateOnlyProperties",
    "createOnlyProperties",
    "deprecatedProperties",
    "documentationUrl",
    "handlers",
    "lifecycle",
    "nonPublicDefinitions",
    "nonPublicProperties",
    "primaryIdentifier",
    "propertyTransform",
    "readOnlyProperties",
    "remote",
    "replacementStrategy",
    "resourceLink",
    "sourceUrl",
    "taggable",
    "tagging",
    "typeConfiguration",
    "typeName",
    "writeOnlyProperties",
];

/// Returns the keywords of a schema that are in none of the lists above, sorted: their meaning has to be decided before
/// a table is generated.
#[cfg(feature = "write")]
pub fn unknown_keywords(schema: &serde_json::Value) -> Vec<String> {
    let mut unknown = std::collections::BTreeSet::new();
    let mut open = vec![(schema, true)];
    while let Some((node, is_document)) = open.pop() {
        let Some(fields) = node.as_object() else { continue };
        for (keyword, value) in fields {
            let name = keyword.as_str();
            let known =
                USED.contains(&name) || LEFT_OUT.contains(&name) || (is_document && OF_DOCUMENT.contains(&name));
            if !known {
                unknown.insert(keyword.clone());
            }
            match name {
                "properties" | "patternProperties" | "definitions" => {
                    open.extend(value.as_object().into_iter().flat_map(|map| map.values().map(|node| (node, false))));
                }
                "items" | "additionalProperties" => open.push((value, false)),
                "oneOf" | "anyOf" | "allOf" => {
                    open.extend(value.as_array().into_iter().flatten().map(|node| (node, false)));
                }
                _ => {}
            }
        }
    }
    unknown.into_iter().collect()
}
