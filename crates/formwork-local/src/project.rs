//! The functions of a template and of its nested templates (reference/local.md#functions).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::{
    Compilation, Format, Goal, Options, ParameterValue, PseudoParameter, Report, Serverless, Session, Values,
    VirtualPath,
};
use formwork_base::suggest;
use formwork_template::attribute::is_nested_stack;
use serde_json::{Map, Value};

use crate::documents::{self, MissingDocument};
use crate::function::{self, CodeSource, Function, functions};
use crate::localize::{self, Binding, residual_text, scalar_text};
use crate::unresolved::{self, UnresolvedVariable};

/// The account that functions are in.
pub const ACCOUNT: &str = "123456789012";

/// Maximum depth of nested templates.
const MOST_DEPTH: usize = 20;

/// The functions of a template.
#[derive(Debug, Default)]
pub struct Project {
    /// In the order of the templates, those of nested templates after those of their parents.
    pub functions: Vec<Arc<Function>>,
    /// The evaluated resources of each template, by the path of nested stacks (`""`, `Stack/`).
    pub resources: Vec<(String, Map<String, Value>)>,
    /// Names that functions receive in place of values known only after deployment.
    pub names: Vec<String>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Documents of APIs whose routes are unknown.
    pub missing_documents: Vec<MissingDocument>,
    /// Variables of functions that contain a dynamic reference.
    pub unresolved: Vec<UnresolvedVariable>,
}

/// The reason why a function is not found.
#[derive(Debug)]
pub enum ProjectError {
    /// The templates have errors, which are in the reports.
    Template,
    /// The function does not exist.
    UnknownFunction {
        /// The most similar ID.
        nearest: Option<String>,
    },
}

struct Loader<'s, 'h> {
    session: &'s Session<'h>,
    base: &'s Path,
    project: Project,
    reports: Vec<Report>,
    /// The unevaluated outputs and the directory of each template, by the path of nested stacks.
    outputs: HashMap<String, (Map<String, Value>, PathBuf)>,
}

/// A nested template with its inputs from the parent.
struct Nested {
    path: VirtualPath,
    prefix: String,
    options: Options,
    /// Parameters whose values are known only after deployment.
    unknown: Vec<Binding>,
    depth: usize,
}

impl Project {
    /// Finds the functions of the template at `path` of a session, which is in the directory `base`. `options` are
    /// those of the command; pseudo parameters without a value in them get one. The first report is that of the
    /// template.
    ///
    /// # Errors
    /// When the templates have errors.
    pub fn load(
        session: &Session<'_>,
        path: &VirtualPath,
        base: &Path,
        options: &Options,
    ) -> (Result<Project, ProjectError>, Vec<Report>) {
        let mut loader =
            Loader { session, base, project: Project::default(), reports: Vec::new(), outputs: HashMap::new() };
        let root = Nested {
            path: path.clone(),
            prefix: String::new(),
            options: with_pseudo(options.clone()),
            unknown: Vec::new(),
            depth: 0,
        };
        let mut open = vec![root];
        let mut is_sound = true;
        while let Some(next) = open.pop() {
            match loader.step(&next) {
                Some(nested) => open.extend(nested.into_iter().rev()),
                None => is_sound = false,
            }
        }
        loader.find_layers();
        let Loader { project, reports, .. } = loader;
        (if is_sound { Ok(project) } else { Err(ProjectError::Template) }, reports)
    }

    /// Returns the function with an ID, a `FunctionName`, or an ARN that ends in one of them.
    ///
    /// # Errors
    /// When the function does not exist; the error contains the most similar one.
    pub fn find(&self, name: &str) -> Result<&Arc<Function>, ProjectError> {
        let name = function_part(name);
        let by_id = || self.functions.iter().find(|function| function.id == name);
        let by_name = || self.functions.iter().find(|function| function.name.as_deref() == Some(name));
        by_id().or_else(by_name).ok_or_else(|| ProjectError::UnknownFunction {
            nearest: suggest::nearest(name, self.functions.iter().map(|function| function.id.as_str()))
                .map(str::to_owned),
        })
    }
}

/// Returns the name of a function in an ARN, in `account:function:name` or in `name:alias`.
pub(crate) fn function_part(name: &str) -> &str {
    let parts: Vec<&str> = name.split(':').collect();
    match parts.as_slice() {
        ["arn", _, "lambda", _, _, "function", name, ..] => name,
        [_, "function", name, ..] => name,
        [name, _] => name,
        _ => name,
    }
}

impl Loader<'_, '_> {
    /// Reads the functions of one template and returns the templates nested in it; `None` when it has errors.
    fn step(&mut self, next: &Nested) -> Option<Vec<Nested>> {
        let options = Options { values: Values::Keep, serverless: Serverless::Globals, ..next.options.clone() };
        let session = self.session.with_options(options.clone());
        let expanded = session.analyze(&next.path).compile(Goal::Expand);
        self.reports.push(Report::from(Arc::clone(&expanded)));
        for (_, path) in files(&expanded) {
            self.project.files.push(self.base.join(path));
        }
        let Ok(output) = expanded.output() else { return None };
        let mut template: Map<String, Value> = serde_json::from_str(&output.render(Some(Format::Json))).ok()?;
        let declared = expanded.declared_parameters();
        let given = declared
            .iter()
            .filter_map(|parameter| Some(Binding { name: parameter.name.clone(), value: parameter.given.clone()? }));
        let bindings: Vec<Binding> = next.unknown.iter().cloned().chain(given).collect();
        let outputs = template.get("Outputs").and_then(Value::as_object).cloned().unwrap_or_default();
        let names = localize::localize(&mut template, &bindings);
        let evaluated = self.evaluate(&next.path, &Value::Object(template), &options, &expanded)?;
        let Some(Value::Object(mut resources)) = evaluated.get("Resources").cloned() else { return Some(Vec::new()) };
        let base = self.directory(&next.path);
        self.outputs.insert(next.prefix.clone(), (outputs, base.clone()));
        let places = expanded.resource_places();
        let place_of = |id: &str| {
            let place = expanded.sources().place(places.iter().find(|place| place.id == id)?.span)?;
            Some(format!("{}:{}", expanded.sources().display(place.file), place.line))
        };
        for mut document in self.read_documents(next, &mut resources) {
            document.place = place_of(&document.id);
            document.id.insert_str(0, &next.prefix);
            self.project.missing_documents.push(document);
        }
        for mut function in functions(&resources, &next.prefix, &base) {
            function.place = place_of(function.logical_id());
            self.project.unresolved.extend(unresolved::of(&function, &expanded));
            self.project.functions.push(Arc::new(function));
        }
        self.project.names.extend(names);
        let nested = Self::nested(next, &resources);
        self.project.resources.push((next.prefix.clone(), resources));
        Some(nested)
    }

    /// Evaluates the localized template.
    fn evaluate(
        &mut self,
        path: &VirtualPath,
        template: &Value,
        options: &Options,
        expanded: &Arc<Compilation>,
    ) -> Option<Value> {
        let options = Options {
            values: Values::Resolve,
            parameters: Vec::new(),
            parameter_files: Vec::new(),
            configured_parameters: Vec::new(),
            configurations: Vec::new(),
            strict: false,
            allow_unresolved: true,
            serverless: Serverless::Kept,
            ..options.clone()
        };
        let localized = VirtualPath::new(&format!("{path}#local"));
        let session = self.session.with_options(options.clone());
        let compiled = session.compile_bytes(&localized, template.to_string().into_bytes().into(), Goal::Resolve);
        if let Ok(output) = compiled.output() {
            return serde_json::from_str(&output.render(Some(Format::Json))).ok();
        }
        // Errors are reported at their position in the authored template.
        let original = Options { parameters: self.session.options().parameters.clone(), ..options };
        let report = Report::from(self.session.with_options(original).analyze(expanded.path()).compile(Goal::Resolve));
        self.reports.push(if report.has_errors() { report } else { Report::from(compiled) });
        None
    }

    /// Inlines the documents of APIs that are files into their resources, and returns those that cannot be read.
    fn read_documents(&mut self, next: &Nested, resources: &mut Map<String, Value>) -> Vec<MissingDocument> {
        let (session, base, files) = (self.session, self.base, &mut self.project.files);
        documents::put_in_place(resources, |path| {
            let path = next.path.sibling(path);
            files.push(base.join(path.as_str()));
            let bytes = session.read(&path).map_err(|error| error.to_string())?;
            let text = std::str::from_utf8(&bytes).map_err(|_| "it is not UTF-8".to_owned())?;
            let json = formwork::reformat(text, Format::Json, &session.options().limits);
            serde_json::from_str(&json.ok_or("it is neither YAML nor JSON")?)
                .map_err(|_| "it cannot be read as JSON".to_owned())
        })
    }

    /// Resolves layers that refer to outputs of nested stacks.
    fn find_layers(&mut self) {
        let Loader { project, outputs, .. } = self;
        let resources: HashMap<&str, &Map<String, Value>> =
            project.resources.iter().map(|(prefix, resources)| (prefix.as_str(), resources)).collect();
        let find = |prefix: &str, name: &str| {
            let (mut prefix, mut name) = (prefix.to_owned(), name.to_owned());
            for _ in 0..=MOST_DEPTH {
                let (stack, output) = name.split_once('.')?;
                prefix = format!("{prefix}{stack}/");
                let (outputs, base) = outputs.get(&prefix)?;
                name = residual_text(outputs.get(output.strip_prefix("Outputs.")?)?.get("Value")?);
                if let Some(source) = function::layer(&name, resources.get(prefix.as_str())?, base) {
                    return Some(source);
                }
            }
            None
        };
        for function in &mut project.functions {
            let prefix = function.id[..function.id.len() - function.logical_id().len()].to_owned();
            let layers: Vec<Option<CodeSource>> =
                function.layers.iter().map(|layer| find(&prefix, &layer.name)).collect();
            for (at, source) in layers.into_iter().enumerate() {
                if let Some(source) = source {
                    Arc::make_mut(function).layers[at].source = source;
                }
            }
        }
    }

    fn directory(&self, path: &VirtualPath) -> PathBuf {
        let path = self.base.join(path.as_str());
        path.parent().map_or_else(|| self.base.to_owned(), Path::to_owned)
    }

    /// Returns the local templates of the nested stacks of a template.
    fn nested(parent: &Nested, resources: &Map<String, Value>) -> Vec<Nested> {
        let mut found = Vec::new();
        for (id, resource) in resources {
            let kind = resource.get("Type").and_then(Value::as_str).unwrap_or_default();
            let properties = resource.get("Properties").and_then(Value::as_object);
            let Some(properties) = properties.filter(|_| is_nested_stack(kind) && parent.depth < MOST_DEPTH) else {
                continue;
            };
            let address = properties.get("TemplateURL").or_else(|| properties.get("Location")).and_then(Value::as_str);
            let Some(address) = address.filter(|address| !address.contains("://")) else { continue };
            let mut options = Options { parameters: Vec::new(), parameter_files: Vec::new(), ..parent.options.clone() };
            options.configured_parameters.clear();
            options.configurations.clear();
            let mut unknown = Vec::new();
            let passed = properties.get("Parameters").and_then(Value::as_object).into_iter().flatten();
            for (name, value) in passed {
                match known_text(value) {
                    Some(value) => options.parameters.push(ParameterValue {
                        name: name.clone(),
                        value,
                        given: formwork::ValueSource::CommandLine,
                    }),
                    None => unknown.push(Binding { name: name.clone(), value: residual_text(value) }),
                }
            }
            found.push(Nested {
                path: parent.path.sibling(address),
                prefix: format!("{}{id}/", parent.prefix),
                options,
                unknown,
                depth: parent.depth + 1,
            });
        }
        found
    }
}

/// Returns a value that is passed to a nested template as a string, when it is known.
fn known_text(value: &Value) -> Option<String> {
    match value {
        Value::Array(items) => Some(items.iter().map(scalar_text).collect::<Option<Vec<_>>>()?.join(",")),
        value => scalar_text(value),
    }
}

/// Returns the files that a template was read from, in the order of reading.
fn files(compiled: &Compilation) -> Vec<(usize, String)> {
    let sources = compiled.sources();
    sources.files().map(|file| sources.path(file).as_str().to_owned()).enumerate().collect()
}

/// Sets the local values of pseudo parameters.
fn with_pseudo(mut options: Options) -> Options {
    let known = |options: &Options, name| options.pseudo.iter().rev().find(|(of, _)| *of == name).cloned();
    let region = known(&options, PseudoParameter::Region).map_or_else(|| "us-east-1".to_owned(), |(_, region)| region);
    let account = known(&options, PseudoParameter::AccountId).map_or_else(|| ACCOUNT.to_owned(), |(_, id)| id);
    let stack = known(&options, PseudoParameter::StackName).map_or_else(|| "local".to_owned(), |(_, name)| name);
    let (partition, suffix) = if region.starts_with("cn-") {
        ("aws-cn", "amazonaws.com.cn")
    } else if region.starts_with("us-gov-") {
        ("aws-us-gov", "amazonaws.com")
    } else {
        ("aws", "amazonaws.com")
    };
    let stack_id =
        format!("arn:{partition}:cloudformation:{region}:{account}:stack/{stack}/00000000-0000-0000-0000-000000000000");
    let all = [
        (PseudoParameter::Region, region),
        (PseudoParameter::AccountId, account),
        (PseudoParameter::StackName, stack),
        (PseudoParameter::Partition, partition.to_owned()),
        (PseudoParameter::UrlSuffix, suffix.to_owned()),
        (PseudoParameter::StackId, stack_id),
    ];
    for (name, value) in all {
        if known(&options, name).is_none() {
            options.pseudo.push((name, value));
        }
    }
    options
}
