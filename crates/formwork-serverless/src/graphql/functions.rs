//! `Functions` of pipelines.

use super::sources::Sources;
use super::{Api, renamed, some};
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::shape;
use crate::value::{Map, Value};

/// The `FunctionId` of functions by their names.
pub(super) type Functions = Vec<(String, Value)>;

/// The suffix of the data source of functions without data.
const NONE: &str = "NoneDataSource";

/// Translates the functions.
pub(super) fn translate(api: &mut Api<'_>, sources: &Sources) -> Result<Functions, Refusal> {
    let mut functions = Functions::new();
    let all = api.get("Functions").cloned().unwrap_or_default();
    for (name, function) in all.map().into_iter().flat_map(Map::iter) {
        let id =
            one(api, sources, name, function).map_err(|refusal| refusal.of_resource(name).at(function.origin()))?;
        functions.push((name.to_owned(), id));
    }
    Ok(functions)
}

fn one(api: &mut Api<'_>, sources: &Sources, name: &str, function: &Value) -> Result<Value, Refusal> {
    let empty = Map::new();
    let own = function.map().unwrap_or(&empty);
    if let Some(id) = own.get_true("Id") {
        if own.iter().any(|(name, value)| name != "Id" && !value.is_null()) {
            return Err(Refusal::new("'Id' cannot be defined with other properties in Function."));
        }
        return Ok(id.clone());
    }
    let code = Code::of(own)?.ok_or_else(|| Refusal::new("One of 'InlineCode' or 'CodeUri' must be set."))?;
    let source = data_source(api, sources, own)?;
    let runtime = runtime(own, name)?;
    let mut resource = api.part(name, "AWS::AppSync::FunctionConfiguration", function)?;
    code.set(&mut resource);
    resource.set("DataSourceName", source);
    resource.set_some("Description", some(own, "Description").cloned());
    resource.set_some("MaxBatchSize", some(own, "MaxBatchSize").cloned());
    resource.set("Name", text_or(own, "Name", name));
    resource.set("Runtime", runtime);
    resource.set_some("SyncConfig", some(own, "Sync").cloned());
    let id = resource.get_att("FunctionId");
    api.made.push(resource);
    Ok(id)
}

/// Returns a string of the author, or the name.
pub(super) fn text_or(own: &Map, key: &str, name: &str) -> Value {
    match own.get_true(key) {
        Some(value) if value.text().is_some() => value.clone(),
        Some(value) => Value::from(shape::text(value).unwrap_or_default()).at(value.origin()),
        None => name.into(),
    }
}

fn data_source(api: &mut Api<'_>, sources: &Sources, own: &Map) -> Result<Value, Refusal> {
    let source = own.get_true("DataSource").ok_or_else(|| Refusal::new("'DataSource' must be set."))?;
    let Some(name) = shape::text(source) else { return Ok(source.clone()) };
    if name.eq_ignore_ascii_case("none") {
        let id = format!("{}{NONE}", api.input.id);
        if !api.made.iter().any(|resource| resource.id == id) {
            let mut none = api.part(NONE, "AWS::AppSync::DataSource", source)?;
            none.set("Name", id.as_str());
            none.set("Type", "NONE");
            api.made.push(none);
        }
        return Ok(make::get_att(&id, "Name"));
    }
    if let Some((_, id)) = sources.iter().rev().find(|(known, _)| *known == name) {
        return Ok(make::get_att(id, "Name"));
    }
    let sentence = format!(
        "Either define DataSource '{name}' in 'DataSources' or use intrinsic function like GetAtt, ImportValue, Sub or another one to reference a DataSource defined outside of this GraphQLApi resource."
    );
    Err(Refusal::new(sentence).at(source.origin()).about(&name))
}

/// The place of the code of a function or resolver.
pub(super) struct Code {
    inline: Option<Value>,
    location: Option<Value>,
}

impl Code {
    /// Reads the code. Returns nothing without one.
    pub(super) fn of(own: &Map) -> Result<Option<Code>, Refusal> {
        let is_true = |key: &str| own.get_true(key).is_some();
        let (inline, location) = (is_true("InlineCode"), is_true("CodeUri"));
        if inline && location {
            return Err(Refusal::new("Both 'InlineCode' and 'CodeUri' cannot be defined at the same time."));
        }
        let value = |key: &str| own.get_true(key).cloned();
        let code = Code { inline: value("InlineCode"), location: value("CodeUri") };
        Ok((inline || location).then_some(code))
    }

    pub(super) fn set(self, resource: &mut Resource) {
        resource.set_some("Code", self.inline);
        resource.set_some("CodeS3Location", self.location);
    }
}

/// Returns the runtime, which `name` has to have.
pub(super) fn runtime(own: &Map, name: &str) -> Result<Value, Refusal> {
    let Some(runtime) = some(own, "Runtime") else {
        return Err(Refusal::new(format!("'Runtime' must be defined as a property in {name}.")));
    };
    let fields = renamed(runtime.map().unwrap_or(&Map::new()), &[("Name", "Name"), ("Version", "RuntimeVersion")]);
    Ok(Value::from(fields).at(runtime.origin()))
}
