//! The checks, one per file.

mod architectures;
mod boolean_words;
mod bytes;
mod calls_in;
mod cdk;
mod computed_names;
mod condition_functions;
mod condition_objects;
mod conditional_references;
mod conditions;
mod constant_conditions;
mod declarations;
mod dependencies;
mod dynamic_references;
mod equals_sign;
mod exports;
pub(crate) mod foreign_names;
mod foreign_placeholders;
mod forgotten_ref;
mod forgotten_sub;
mod function_keys;
mod function_positions;
mod functions;
mod globals;
mod implied_dependencies;
mod interface;
mod kinds;
mod late_names;
mod literals;
mod mappings;
mod misquoted;
mod misspelt_calls;
mod mistaken_names;
mod misused_imports;
mod misused_names;
mod module_files;
mod module_names;
mod names_in_loops;
mod needs;
mod nulls;
mod outputs;
mod own_dependencies;
mod parameters;
mod plain_joins;
mod policies;
mod policy_documents;
mod policy_pairs;
mod quotas;
mod references;
mod removal;
mod repeats;
mod resources;
mod rules_section;
mod schemas;
mod secrets_shown;
mod sections;
mod shared_names;
mod shell_names;
mod stack_attributes;
mod sub_spaces;
mod sub_strings;
mod transform;
mod unreachable_branches;
mod unused_names;
mod update_policies;
mod written;

use rustc_hash::FxHashSet;

use crate::Context;

/// Checks the template as written, before anything is expanded. Returns `false` if it is not an object or has no
/// resources.
pub fn before(cx: &mut Context<'_>) -> bool {
    if !sections::document(cx) {
        return false;
    }
    sections::check(cx);
    transform::check(cx);
    parameters::check(cx);
    mappings::check(cx);
    rules_section::check(cx);
    globals::check(cx);
    let sound = resources::section(cx);
    nulls::check(cx);
    condition_objects::check(cx);
    forgotten_ref::check(cx);
    forgotten_sub::check(cx);
    shell_names::check(cx);
    misquoted::check(cx);
    sub_spaces::check(cx);
    misspelt_calls::check(cx);
    sound
}

/// Checks a file that is not well-formed, as far as it could be read.
pub fn broken(cx: &mut Context<'_>) {
    sections::check(cx);
    parameters::check(cx);
    mappings::check(cx);
    rules_section::check(cx);
}

/// Checks a template of which only parameters and rules are used. Returns `false` if it is not an object.
pub fn of_parameters(cx: &mut Context<'_>) -> bool {
    let is_object = sections::document(cx);
    if is_object {
        parameters::check(cx);
        quotas::of_parameters(cx);
    }
    is_object
}

/// Checks the expanded template.
pub fn after(cx: &mut Context<'_>) {
    // Of two findings at one place the first one is reported, and this one is the most specific.
    function_positions::check(cx);
    resources::check(cx);
    outputs::check(cx);
    functions::check(cx);
    computed_names::check(cx);
    function_keys::check(cx);
    kinds::check(cx);
    late_names::check(cx);
    literals::check(cx);
    policies::check(cx);
    condition_functions::check(cx);
    dynamic_references::check(cx);
    exports::check(cx);
    shared_names::check(cx);
    own_dependencies::check(cx);
    stack_attributes::check(cx);
    sub_strings::unclosed(cx);
    function_positions::imports_of_generated(cx);
    architectures::check(cx);
    update_policies::check(cx);
    if !cx.goal.is_thorough() {
        deployed(cx);
    }
    if !cx.is_cancelled() {
        quotas::argument_counts(cx);
    }
}

/// Checks the size of the expanded template. Its root has only parts of the result.
pub fn of_size(cx: &mut Context<'_>) {
    if cx.is_cancelled() {
        return;
    }
    // A module is not deployed by itself: its size counts with its importer.
    if !cx.is_imported {
        quotas::check(cx);
        bytes::check(cx);
    }
}

/// Runs the checks that advise: the template is valid without them. They come last, and check the loops expanded.
pub fn advise(cx: &mut Context<'_>) {
    const ALL: [fn(&mut Context<'_>); 12] = [
        boolean_words::check,
        conditional_references::check,
        constant_conditions::check,
        implied_dependencies::check,
        interface::check,
        module_files::check,
        module_names::check,
        plain_joins::check,
        secrets_shown::check,
        sub_strings::check,
        unreachable_branches::check,
        unused_names::check,
    ];
    for check in ALL {
        if cx.is_cancelled() {
            return;
        }
        check(cx);
    }
}

/// Checks modules as they are written, where they cannot all be inlined.
pub fn of_modules(cx: &mut Context<'_>, known: Option<&formwork_schemas::Schemas>) {
    module_files::check(cx);
    module_names::check(cx);
    if let Some(known) = known {
        schemas::of_modules(cx, known);
    }
}

/// Checks resources against the schemas of their types. `cx.result` is the template under the values that were passed.
pub fn of_schemas(cx: &mut Context<'_>, known: &formwork_schemas::Schemas, region: Option<&str>) {
    schemas::check(cx, known, region);
    policy_documents::check(cx);
    policy_pairs::check(cx, known);
}

/// Checks what the serverless transform makes of a template: references, circular dependencies, and the number of resources.
pub fn transformed(cx: &mut Context<'_>) {
    references::check(cx, &FxHashSet::default());
    if !cx.is_cancelled() {
        quotas::check(cx);
    }
}

/// Checks references in the deployed template, and names in the rest.
pub fn deployed(cx: &mut Context<'_>) {
    let reported = if cx.goal.is_thorough() { references::of_all(cx) } else { FxHashSet::default() };
    let names = references::check(cx, &reported);
    names_in_loops::check(cx, &names);
}
