//! A recorded stack as the old side (reference/plan.md#stack).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use formwork::display::MASK;
use formwork::nested::Nested;
use formwork::planning::Compiled;
use formwork::{
    Compilation, Goal, MemoryHost, Options, ParameterValue, PseudoParameter, Session, ValueSource, VirtualPath,
};
use formwork_project::{Failure, FileFailure};
use serde_json::Value as Json;

/// A stack that `formwork stack snapshot` recorded.
pub struct Recorded {
    /// The name of the stack.
    pub name: String,
    template: Vec<u8>,
    processed: Option<Vec<u8>>,
    /// Set when nothing is deployed yet: a change set creates the stack.
    is_empty: bool,
    /// Names and values; `None` for values that are not known.
    parameters: Vec<(String, Option<String>)>,
    pseudo: Vec<(PseudoParameter, String)>,
    physical_ids: HashMap<String, String>,
    nested: BTreeMap<String, Recorded>,
}

fn not_json(error: &serde_json::Error) -> String {
    match (error.is_eof(), error.line()) {
        (true, _) => "the file ends too early".to_owned(),
        (false, line) => format!("it is not JSON (line {line}, column {})", error.column()),
    }
}

/// Reads a recorded stack.
///
/// # Errors
/// When the file is not a recorded stack.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Recorded, Failure> {
    let unfit = |why: &str| {
        let message = format!("{} is not a recorded stack: {why}", path.display());
        FileFailure::unfit(path, message).help("`formwork stack snapshot NAME -o FILE` writes one")
    };
    let json: Json = serde_json::from_slice(bytes).map_err(|error| unfit(&not_json(&error)))?;
    match json.get("formwork_stack").and_then(Json::as_u64) {
        Some(1) => {}
        Some(_) => return Err(unfit("this version of Formwork does not know its version").into()),
        None => return Err(unfit("it does not have the key formwork_stack").into()),
    }
    Ok(recorded(&json, 0).map_err(|why| unfit(&why))?)
}

const DEPTH: u32 = 16;

fn recorded(json: &Json, depth: u32) -> Result<Recorded, String> {
    if depth > DEPTH {
        return Err("its stacks are nested too deep".to_owned());
    }
    let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
    let template = |name: &str| {
        json.get(name).filter(|value| !value.is_null()).map(|value| match value {
            Json::String(text) => text.clone().into_bytes(),
            object => object.to_string().into_bytes(),
        })
    };
    let rows = |name: &str| json.get(name).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let member = |row: &Json, name: &str| row.get(name).and_then(Json::as_str).map(str::to_owned);
    let parameters = rows("Parameters").iter().filter_map(|row| {
        let value = member(row, "ResolvedValue").or_else(|| member(row, "ParameterValue"));
        Some((member(row, "ParameterKey")?, value.filter(|value| value != MASK)))
    });
    let ids = rows("Resources").iter().filter_map(|row| {
        Some((member(row, "LogicalResourceId")?, member(row, "PhysicalResourceId").filter(|id| !id.is_empty())?))
    });
    let mut pseudo = Vec::new();
    for (name, parameter) in [
        ("StackName", PseudoParameter::StackName),
        ("Region", PseudoParameter::Region),
        ("AccountId", PseudoParameter::AccountId),
        ("StackId", PseudoParameter::StackId),
    ] {
        pseudo.extend(text(name).map(|value| (parameter, value)));
    }
    let nested = json.get("Nested").and_then(Json::as_object).into_iter().flatten();
    let nested = nested.map(|(id, stack)| Ok((id.clone(), recorded(stack, depth + 1)?)));
    Ok(Recorded {
        name: text("StackName").ok_or("it has no StackName")?,
        template: template("Template").ok_or("it has no Template")?,
        processed: template("Processed"),
        is_empty: text("StackStatus").is_some_and(|status| status == "REVIEW_IN_PROGRESS"),
        parameters: parameters.collect(),
        pseudo,
        physical_ids: ids.collect(),
        nested: nested.collect::<Result<_, String>>()?,
    })
}

impl Recorded {
    /// Returns the physical ID of a resource, by its logical ID and the path of nested stacks.
    pub fn physical_id(&self, stack: &[String], id: &str) -> Option<&str> {
        match stack.split_first() {
            Some((outer, rest)) => self.nested.get(outer)?.physical_id(rest, id),
            None => self.physical_ids.get(id).map(String::as_str),
        }
    }

    /// Sets options of the new side from the stack: its parameter values where no others are passed, its Region,
    /// account and name.
    pub fn apply_to(&self, options: &mut Options) {
        let (known, unknown) = self.values();
        options.configured_parameters.extend(known);
        options.previous_value_parameters.extend(unknown);
        for (name, value) in &self.pseudo {
            if !options.pseudo.iter().any(|(known, _)| known == name) {
                options.pseudo.push((*name, value.clone()));
            }
        }
    }

    fn values(&self) -> (Vec<ParameterValue>, Vec<String>) {
        let known = self.parameters.iter().filter_map(|(name, value)| {
            let value = value.clone()?;
            Some(ParameterValue { name: name.clone(), value, given: ValueSource::File })
        });
        let unknown = self.parameters.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone());
        (known.collect(), unknown.collect())
    }

    /// Returns the options that the stack is compiled with: its own values, and the view options of the new side.
    fn options(&self, of: &Options) -> Options {
        let (known, unknown) = self.values();
        Options {
            configured_parameters: known,
            previous_value_parameters: unknown,
            pseudo: self.pseudo.clone(),
            language_extensions: of.language_extensions,
            values: of.values,
            compat: of.compat,
            accounts: of.accounts.clone(),
            limits: of.limits,
            ..Options::default()
        }
    }

    /// Compiles the original template, or the processed one when the original does not expand to the same resources
    /// here. A stack without a template is like a missing template.
    pub fn compile(&self, of: &Options, goal: Goal) -> Compiled {
        if self.is_empty {
            return Compiled { root: None, nested: Nested::default() };
        }
        let root = self.root(of, goal);
        let mut nested = Nested::default();
        self.add_nested(None, of, goal, &mut nested);
        Compiled { root: Some(root), nested }
    }

    fn root(&self, of: &Options, goal: Goal) -> Arc<Compilation> {
        let written = self.compile_text(&self.template, of, goal);
        let Some(processed) = &self.processed else { return written };
        let processed = self.compile_text(processed, of, goal);
        let same = !written.has_errors() && ids(&written) == ids(&processed);
        if same || processed.has_errors() { written } else { processed }
    }

    /// Returns the processed template without evaluating it; `None` when nothing is deployed yet.
    pub fn processed(&self, of: &Options) -> Option<Arc<Compilation>> {
        if self.is_empty {
            return None;
        }
        let options = Options { values: formwork::Values::All, ..of.clone() };
        Some(self.compile_text(self.processed.as_ref().unwrap_or(&self.template), &options, Goal::Expand))
    }

    fn compile_text(&self, text: &[u8], of: &Options, goal: Goal) -> Arc<Compilation> {
        let path = VirtualPath::new(&format!("stack {}", self.name));
        let host = MemoryHost::new().with(path.as_str(), text.to_vec());
        Session::new(host, self.options(of)).analyze(&path).compile(goal)
    }

    fn add_nested(&self, owner: Option<usize>, of: &Options, goal: Goal, nested: &mut Nested) {
        for (id, stack) in &self.nested {
            let number = nested.add(owner, id, stack.root(of, goal));
            stack.add_nested(Some(number), of, goal, nested);
        }
    }
}

fn ids(compilation: &Compilation) -> Vec<String> {
    let mut ids: Vec<String> = compilation.resource_places().into_iter().map(|place| place.id).collect();
    ids.sort_unstable();
    ids
}
