//! The sections of a template.

use formwork_base::Span;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Symbol, Tree, symbol};

use crate::{ParameterType, no_echo};

/// A top-level section that CloudFormation knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Section {
    /// `AWSTemplateFormatVersion`
    FormatVersion,
    /// `Description`
    Description,
    /// `Metadata`
    Metadata,
    /// `Parameters`
    Parameters,
    /// `Rules`
    Rules,
    /// `Mappings`
    Mappings,
    /// `Conditions`
    Conditions,
    /// `Transform`
    Transform,
    /// `Hooks`
    Hooks,
    /// `Globals`, of the serverless transform.
    Globals,
    /// `Resources`
    Resources,
    /// `Outputs`
    Outputs,
}

impl Section {
    /// All sections.
    pub const ALL: [Section; 12] = [
        Section::FormatVersion,
        Section::Description,
        Section::Metadata,
        Section::Parameters,
        Section::Rules,
        Section::Mappings,
        Section::Conditions,
        Section::Transform,
        Section::Hooks,
        Section::Globals,
        Section::Resources,
        Section::Outputs,
    ];

    /// Returns the key of the section.
    pub fn symbol(self) -> Symbol {
        match self {
            Section::FormatVersion => symbol::FORMAT_VERSION,
            Section::Description => symbol::DESCRIPTION,
            Section::Metadata => symbol::METADATA,
            Section::Parameters => symbol::PARAMETERS,
            Section::Rules => symbol::RULES,
            Section::Mappings => symbol::MAPPINGS,
            Section::Conditions => symbol::CONDITIONS,
            Section::Transform => symbol::TRANSFORM,
            Section::Hooks => symbol::HOOKS,
            Section::Globals => symbol::GLOBALS,
            Section::Resources => symbol::RESOURCES,
            Section::Outputs => symbol::OUTPUTS,
        }
    }

    /// Returns the name of the section.
    pub fn name(self) -> &'static str {
        match self {
            Section::FormatVersion => "AWSTemplateFormatVersion",
            Section::Description => "Description",
            Section::Metadata => "Metadata",
            Section::Parameters => "Parameters",
            Section::Rules => "Rules",
            Section::Mappings => "Mappings",
            Section::Conditions => "Conditions",
            Section::Transform => "Transform",
            Section::Hooks => "Hooks",
            Section::Globals => "Globals",
            Section::Resources => "Resources",
            Section::Outputs => "Outputs",
        }
    }

    /// Returns the section with this key.
    pub fn from_symbol(symbol: Symbol) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.symbol() == symbol)
    }

    /// Returns `true` if loops and functions are expanded in it (reference/transform.md#order).
    pub fn is_processed(self) -> bool {
        matches!(self, Section::Conditions | Section::Resources | Section::Outputs)
    }
}

/// Sections of the module language, which are not part of an output (reference/modules/README.md#sections).
pub const MODULE_SECTIONS: [&str; 4] = ["Modules", "Packages", "Constants", "ParameterSchema"];

/// The transform that this engine runs itself.
pub const LANGUAGE_EXTENSIONS: &str = "AWS::LanguageExtensions";

/// The entry of `Transform` for loops that only this engine runs; it is removed from the output
/// (reference/transform.md#formwork).
pub const FORMWORK: &str = "Formwork";

/// The serverless transform.
pub const SERVERLESS: &str = "AWS::Serverless-2016-10-31";

/// A declared parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name of the parameter.
    pub name: Symbol,
    /// The node of the name.
    pub key: NodeId,
    /// The declaration of the parameter.
    pub node: NodeId,
    /// The type of the parameter; `String` when the declaration has none.
    pub kind: ParameterType,
    /// The `Default` of the parameter.
    pub default: Option<NodeId>,
    /// Set if the value must never be shown.
    pub no_echo: bool,
}

/// An entry of `Transform`.
#[derive(Clone, Debug)]
pub struct Transform {
    /// The name of the transform; empty when it is not a literal string.
    pub name: String,
    /// The node of the transform.
    pub node: NodeId,
}

/// Returns `true` if a macro or an include may add entries to an object.
pub fn may_get_entries(tree: &Tree, object: NodeId) -> bool {
    tree.argument_of(object, Known::Transform).is_some() || tree.get(object, symbol::FN_TRANSFORM).is_some()
}

/// The sections of a template, found once. Sections of the wrong kind count as missing here; the
/// structural checks report them.
#[derive(Clone, Debug)]
pub struct Template {
    /// The root of the document.
    pub root: NodeId,
    /// Declared parameters, in order.
    pub parameters: Vec<Parameter>,
    parameter_names: Vec<(Symbol, u32)>,
    /// The Mappings section, if it is a mapping.
    pub mappings: Option<NodeId>,
    /// Entries of Transform, in order.
    pub transforms: Vec<Transform>,
    /// Set if the document had sections of the module language before they were expanded.
    pub was_module_document: bool,
    /// Set if it is checked as a module: requirements of a root do not apply.
    pub is_module: bool,
}

/// Returns the name of an entry of `Transform`, which is a string or a mapping with a `Name`
/// (reference/transform.md#declare); `None` when it is not literal.
pub fn transform_name(tree: &Tree, entry: NodeId) -> Option<&str> {
    tree.string(tree.get(entry, symbol::NAME).unwrap_or(entry))
}

impl Template {
    /// Finds the sections of the document with this root.
    pub fn new(tree: &Tree, root: NodeId) -> Template {
        let section = |name| tree.get(root, name).filter(|&node| tree.kind(node) == Kind::Map);
        let parameters: Vec<Parameter> = section(symbol::PARAMETERS).map_or_else(Vec::new, |node| {
            tree.entries(node)
                .map(|entry| Parameter {
                    name: tree.symbol(entry.key),
                    key: entry.key,
                    node: entry.value,
                    kind: ParameterType::parse(
                        tree.get(entry.value, symbol::TYPE).map_or("String", |kind| tree.text(kind)),
                    ),
                    default: tree.get(entry.value, symbol::DEFAULT),
                    no_echo: tree.get(entry.value, symbol::NO_ECHO).is_some_and(|flag| no_echo::is_secret(tree, flag)),
                })
                .collect()
        });
        let transforms = tree.get(root, symbol::TRANSFORM).map_or_else(Vec::new, |node| {
            let entries = if tree.kind(node) == Kind::List { tree.items(node).to_vec() } else { vec![node] };
            entries
                .into_iter()
                .map(|node| Transform { name: transform_name(tree, node).unwrap_or_default().to_owned(), node })
                .collect()
        });
        let mut parameter_names: Vec<(Symbol, u32)> =
            parameters.iter().zip(0..).map(|(parameter, number)| (parameter.name, number)).collect();
        parameter_names.sort_unstable();
        let mappings = section(symbol::MAPPINGS);
        Template {
            root,
            parameters,
            parameter_names,
            mappings,
            transforms,
            was_module_document: false,
            is_module: false,
        }
    }

    /// Returns a section that is a mapping.
    pub fn section(&self, tree: &Tree, section: Section) -> Option<NodeId> {
        tree.get(self.root, section.symbol()).filter(|&node| tree.kind(node) == Kind::Map)
    }

    /// Returns the declaration of a parameter.
    pub fn parameter(&self, name: Symbol) -> Option<&Parameter> {
        let at = self.parameter_names.partition_point(|&(known, _)| known < name);
        let &(_, number) = self.parameter_names.get(at).filter(|&&(known, _)| known == name)?;
        self.parameters.get(number as usize)
    }

    /// Returns `true` if Transform lists `AWS::LanguageExtensions`, as a literal string.
    pub fn declares_language_extensions(&self) -> bool {
        self.transforms.iter().any(|transform| transform.name == LANGUAGE_EXTENSIONS)
    }

    /// Returns `true` if Transform lists `Formwork`.
    pub fn declares_formwork(&self) -> bool {
        self.transforms.iter().any(|transform| transform.name == FORMWORK)
    }

    /// Returns `true` if a transform other than those that run here may change the template afterwards.
    pub fn has_other_transforms(&self) -> bool {
        self.transforms.iter().any(|transform| ![LANGUAGE_EXTENSIONS, FORMWORK].contains(&transform.name.as_str()))
    }

    /// Returns `true` if a custom macro changes the whole template before it is deployed. The shape of a resource is
    /// not known then.
    pub fn has_own_macros(&self) -> bool {
        self.transforms.iter().any(|transform| {
            let name = transform.name.as_str();
            !name.is_empty() && name != FORMWORK && !name.starts_with("AWS::")
        })
    }

    /// Returns `true` if a transform may add entries of any name to the template. Transforms that derive names from
    /// those of the template do not count ([`crate::serverless_names`]).
    pub fn has_unknown_names(&self) -> bool {
        const KNOWN: [&str; 4] = [LANGUAGE_EXTENSIONS, FORMWORK, SERVERLESS, "AWS::CodeDeployBlueGreen"];
        self.transforms.iter().any(|transform| {
            let name = transform.name.as_str();
            !name.is_empty() && !KNOWN.contains(&name) && !name.starts_with("AWS::SecretsManager-")
        })
    }

    /// Returns `true` if an unknown transform or include may add entries to a section.
    pub fn may_get_entries(&self, tree: &Tree, section: Section) -> bool {
        self.has_unknown_names()
            || tree.get(self.root, symbol::FN_TRANSFORM).is_some()
            || tree.get(self.root, section.symbol()).is_some_and(|section| may_get_entries(tree, section))
    }

    /// Returns `true` if the template has modules, so that values of objects are merged deeply
    /// (reference/map-and-merge.md#module-documents).
    pub fn is_module_document(&self, tree: &Tree) -> bool {
        self.was_module_document
            || ["Modules", "Packages", "Constants"].iter().any(|name| tree.get_text(self.root, name).is_some())
    }

    /// Returns `true` if Transform lists the serverless transform.
    pub fn is_serverless(&self) -> bool {
        self.transforms.iter().any(|transform| transform.name == SERVERLESS)
    }

    /// Returns the spans of the Defaults of `NoEcho` parameters, which no report may show.
    pub fn secret_spans(&self, tree: &Tree) -> Vec<Span> {
        let secrets = self.parameters.iter().filter(|parameter| parameter.no_echo);
        secrets.filter_map(|parameter| parameter.default).map(|node| tree.span(node)).collect()
    }
}
