//! `Resolvers`: pipelines of functions for fields.

use super::functions::{Code, Functions, runtime, text_or};
use super::{Api, some};
use crate::make;
use crate::refusal::Refusal;
use crate::shape;
use crate::value::{Map, Value};

/// The code of a resolver without code: it returns what its last function returns.
const CODE: &str = "
export function request(ctx) {
    return {};
}

export function response(ctx) {
    return ctx.prev.result;
}
";

/// Translates the resolvers.
pub(super) fn translate(api: &mut Api<'_>, functions: &Functions) -> Result<(), Refusal> {
    let all = api.get("Resolvers").cloned().unwrap_or_default();
    for (type_name, fields) in all.map().into_iter().flat_map(Map::iter) {
        for (name, resolver) in fields.map().into_iter().flat_map(Map::iter) {
            one(api, functions, type_name, name, resolver)
                .map_err(|refusal| refusal.of_resource(name).at(resolver.origin()))?;
        }
    }
    Ok(())
}

fn one(api: &mut Api<'_>, functions: &Functions, type_name: &str, name: &str, resolver: &Value) -> Result<(), Refusal> {
    let empty = Map::new();
    let own = resolver.map().unwrap_or(&empty);
    let code = match Code::of(own)? {
        Some(code) => Some((code, runtime(own, name)?)),
        None => None,
    };
    let Some(pipeline) = own.get_true("Pipeline").and_then(Value::list) else {
        return Err(Refusal::new(format!(
            "Resolver '{name}' must have Pipeline defined. Unit resolvers are not supported. If you need a Unit resolver you can use AppSync resource."
        )));
    };
    let mut ids = Vec::new();
    for function in pipeline {
        let called = shape::text(function).unwrap_or_default();
        let Some((_, id)) = functions.iter().find(|(known, _)| *known == called) else {
            let refusal = Refusal::new(format!("Function '{called}' does not exist."));
            return Err(refusal.at(function.origin()).about(&called));
        };
        ids.push(id.clone().at(function.origin()));
    }
    let mut resource = api.part(&format!("{type_name}{name}"), "AWS::AppSync::Resolver", resolver)?;
    resource.attributes.set("DependsOn", make::list([format!("{}Schema", api.input.id)]));
    resource.set_some("CachingConfig", some(own, "Caching").cloned());
    if let Some((code, runtime)) = code {
        resource.set("Runtime", runtime);
        code.set(&mut resource);
    } else {
        resource.set("Code", CODE);
        resource.set_some("CodeS3Location", some(own, "CodeUri").cloned());
        let runtime = make::map([("Name", "APPSYNC_JS".into()), ("RuntimeVersion", "1.0.0".into())]);
        resource.set("Runtime", runtime);
    }
    resource.set("FieldName", text_or(own, "FieldName", name));
    resource.set("Kind", "PIPELINE");
    resource.set_some("MaxBatchSize", some(own, "MaxBatchSize").cloned());
    resource.set("PipelineConfig", make::map([("Functions", ids.into())]));
    resource.set("TypeName", type_name);
    api.made.push(resource);
    Ok(())
}
