//! Chooses the builder of a source (reference/build.md#builders).

use std::path::Path;

use formwork::Advice;
use formwork_package::{BuildFacts, Fact};

use crate::architecture::Architecture;
use crate::builder::Builder;
use crate::requirements;
use crate::runtime::{Language, Runtime};

#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) builder: Builder,
    pub(crate) runtime: Option<Runtime>,
    pub(crate) architecture: Architecture,
    pub(crate) is_layer: bool,
}

/// The error of a resource for which no builder can be chosen, and its fix.
#[derive(Debug)]
pub(crate) struct Unclear {
    pub(crate) message: String,
    pub(crate) help: Advice,
}

const FUNCTIONS: &[&str] = &["AWS::Serverless::Function", "AWS::Serverless::WebFunction", "AWS::Lambda::Function"];
const LAYERS: &[&str] = &["AWS::Serverless::LayerVersion", "AWS::Lambda::LayerVersion"];

/// Values of `BuildMethod`, besides identifiers of runtimes.
const METHODS: &[(&str, Builder)] = &[
    ("makefile", Builder::Makefile),
    ("esbuild", Builder::Esbuild),
    ("python-uv", Builder::Uv),
    ("python-poetry", Builder::Poetry),
    ("rust-cargolambda", Builder::Cargo),
    ("go1.x", Builder::Go),
];

/// Chooses the builder for a resource whose `property` has the directory `source`.
pub(crate) fn choose(
    facts: &BuildFacts,
    property: &str,
    source: &Path,
    manifest: Option<&Path>,
) -> Result<Choice, Unclear> {
    let is_function = FUNCTIONS.contains(&facts.resource_type.as_str()) && ["CodeUri", "Code"].contains(&property);
    let is_layer = LAYERS.contains(&facts.resource_type.as_str());
    if is_function {
        refuse_several(facts)?;
    }
    let copy = || Choice { builder: Builder::Copy, runtime: None, architecture: Architecture::X86, is_layer };
    let method = facts.metadata.member("BuildMethod").and_then(formwork_package::build_facts::text);
    let skips = facts.metadata.member("SkipBuild").and_then(formwork_package::build_facts::text);
    let is_skipped = skips.is_some_and(|skips| skips.eq_ignore_ascii_case("true"));
    if !source.is_dir() || is_skipped || !(is_function || is_layer && method.is_some()) {
        return Ok(copy());
    }
    let runtime = match (is_layer, method) {
        (true, Some(method)) => Runtime::from_name(method).or_else(|| {
            let compatible = facts.compatible_runtimes.texts();
            Runtime::from_name(compatible.first()?)
        }),
        _ => runtime(facts)?,
    };
    let architecture = architecture(facts, is_layer)?;
    let builder = match method {
        Some(method) => of_method(method, source, manifest)?,
        None => match &runtime {
            Some(runtime) => of_language(runtime.language, source, manifest),
            None => Builder::Copy,
        },
    };
    if runtime.is_none() && matches!(builder, Builder::Pip | Builder::Uv | Builder::Poetry) {
        return Err(Unclear {
            message: "has no Runtime, and Python packages are built for one".to_owned(),
            help: if is_layer { "write `CompatibleRuntimes: [python3.13]`" } else { "write `Runtime: python3.13`" }
                .into(),
        });
    }
    Ok(Choice { builder, runtime, architecture, is_layer })
}

fn runtime(facts: &BuildFacts) -> Result<Option<Runtime>, Unclear> {
    let Some(name) = facts.runtime.text() else {
        return match facts.runtime {
            Fact::Absent => Ok(None),
            _ => Err(Unclear {
                message: "has a Runtime that is not known before deployment".to_owned(),
                help: Advice::to_pass_value("pass values for its parameters with `--parameter-overrides`"),
            }),
        };
    };
    let unknown = || Unclear {
        message: format!("has the unknown runtime `{name}`"),
        help: format!("write a Lambda runtime, such as `{}`", Runtime::nearest(name)).into(),
    };
    Runtime::from_name(name).map(Some).ok_or_else(unknown)
}

/// Rejects a function with several architectures: Lambda runs it on one, and it is built for that one.
pub(crate) fn refuse_several(facts: &BuildFacts) -> Result<(), Unclear> {
    let names = facts.architectures.texts();
    if names.len() < 2 {
        return Ok(());
    }
    Err(Unclear {
        message: format!("has {} Architectures, and a function has one", names.len()),
        help: format!("write `Architectures: [{}]`", names[0]).into(),
    })
}

/// Returns the first architecture; the metadata of a layer may declare the one that it is built for.
fn architecture(facts: &BuildFacts, is_layer: bool) -> Result<Architecture, Unclear> {
    let built_for = facts.metadata.member("BuildArchitecture").filter(|_| is_layer);
    let named = built_for.and_then(formwork_package::build_facts::text);
    let names = facts.architectures.texts();
    let Some(name) = named.or_else(|| names.first().copied()) else {
        return if facts.architectures == Fact::Unknown {
            Err(Unclear {
                message: "has Architectures that are not known before deployment".to_owned(),
                help: Advice::to_pass_value("pass values for its parameters with `--parameter-overrides`"),
            })
        } else {
            Ok(Architecture::X86)
        };
    };
    Architecture::from_name(name).ok_or_else(|| Unclear {
        message: format!("has the unknown architecture `{name}`"),
        help: "write `x86_64` or `arm64`".into(),
    })
}

fn of_method(method: &str, source: &Path, manifest: Option<&Path>) -> Result<Builder, Unclear> {
    if let Some((_, builder)) = METHODS.iter().find(|(name, _)| *name == method) {
        return Ok(*builder);
    }
    // `dotnet7` and the like are methods and runtimes.
    if let Some(runtime) = Runtime::from_name(method).filter(|runtime| runtime.language != Language::Provided) {
        return Ok(of_language(runtime.language, source, manifest));
    }
    let likeness = |known: &str| strsim::jaro_winkler(known, method);
    let names = METHODS.iter().map(|(name, _)| *name).chain([Runtime::nearest(method)]);
    let nearest = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or("makefile");
    Err(Unclear {
        message: format!("has the unknown `BuildMethod: {method}`"),
        help: format!("write `BuildMethod: {nearest}`; the others are {}", names_of_methods(nearest)).into(),
    })
}

fn names_of_methods(but: &str) -> String {
    let names = METHODS.iter().map(|(name, _)| *name).filter(|name| *name != but);
    names.chain(["the identifiers of runtimes"]).collect::<Vec<_>>().join(", ")
}

/// Returns the builder of a language for a directory; without a manifest the files are copied.
fn of_language(language: Language, source: &Path, manifest: Option<&Path>) -> Builder {
    let has = |name: &str| source.join(name).is_file();
    match language {
        Language::Python if manifest.is_none() && has("uv.lock") => Builder::Uv,
        Language::Python if requirements::find(source, manifest).is_some() && !has("poetry.lock") => Builder::Pip,
        Language::Python if manifest.is_none() && has("requirements.txt") => Builder::Pip,
        Language::Python if requirements::is_poetry(source) => Builder::Poetry,
        Language::Node if has("package.json") => Builder::Node,
        Language::Ruby if has("Gemfile") => Builder::Bundler,
        Language::Java if ["gradlew", "build.gradle", "build.gradle.kts"].iter().any(|name| has(name)) => {
            Builder::Gradle
        }
        Language::Java if has("pom.xml") => Builder::Maven,
        Language::Dotnet if has_project(source) => Builder::Dotnet,
        Language::Go if has("go.mod") => Builder::Go,
        Language::Python => Builder::CopyPython,
        _ => Builder::Copy,
    }
}

fn has_project(source: &Path) -> bool {
    let ends = |path: &Path| {
        path.extension().is_some_and(|end| ["csproj", "fsproj", "vbproj"].iter().any(|known| end == *known))
    };
    std::fs::read_dir(source).is_ok_and(|entries| entries.flatten().any(|entry| ends(&entry.path())))
}
