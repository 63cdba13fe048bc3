//! Plans the uploads of a template: the list of its artifacts.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Frame, Severity, Span, codes};
use formwork_evaluate::Evaluator;
use formwork_syntax::{FrameId, NodeId, Tree, flags};
use formwork_template::artifact::{self, Absent, Artifact, Treatment};
use formwork_template::serverless_globals;
use rustc_hash::FxHashMap;

use crate::artifact_property::{self, ArtifactProperty, Identity};
use crate::build_facts::{self, BuildFacts};
use crate::includes::{self, Include};
use crate::output::Output;
use crate::passing::{self, Passing};
use crate::value::{self, Named};
use crate::value_path::ValuePath;
use crate::warnings;

/// The purpose of a search for artifacts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// The artifacts are uploaded.
    #[default]
    Upload,
    /// The artifacts are built: facts for the build are recorded, and an image that is to be built is an artifact.
    Build,
}

/// A reference to a local file or directory.
#[derive(Clone, Debug)]
pub struct ArtifactRef {
    /// The logical ID of the resource after expansion.
    pub resource: String,
    /// The property, with dots.
    pub property: String,
    /// The authored path, with loop variables substituted.
    pub path: String,
    /// The way in which the file is stored.
    pub treatment: Treatment,
    /// Set if the property is absent, so that the path is the directory of the template.
    pub is_folder_of_template: bool,
    /// The parameter whose passed value is the path.
    pub parameter: Option<String>,
    /// Set if the path is the same for all values of the parameters.
    pub is_constant: bool,
    /// The values that are passed to the parameters of a nested stack.
    pub passing: Passing,
    /// Facts for a build; `None` when nothing is built.
    pub facts: Option<Box<BuildFacts>>,
    /// The span of the logical ID.
    pub key: Span,
    /// The span of the value.
    pub span: Span,
    /// The span of the authored path: in another file, if it was passed to a module. The path is relative to the
    /// directory of that file.
    pub written: Span,
    /// The iterations and module uses around it.
    pub frames: Vec<Frame>,
}

impl ArtifactRef {
    /// Returns `true` if Lambda unzips it: the code of a function, or a layer.
    pub fn is_unzipped(&self) -> bool {
        self.treatment == Treatment::Zip
            && ["CodeUri", "Code", "ContentUri", "Content"].contains(&self.property.as_str())
    }

    pub(crate) fn new(
        ev: &mut Evaluator<'_>,
        found: &ArtifactProperty,
        path: String,
        parameter: Option<String>,
    ) -> ArtifactRef {
        let passing = match found.artifact.treatment {
            Treatment::Template => passing::passing(ev, found.body),
            _ => Passing::default(),
        };
        let tree = &*ev.tree;
        ArtifactRef {
            resource: tree.text(found.resource).to_owned(),
            property: found.property(tree),
            path,
            treatment: found.artifact.treatment,
            is_folder_of_template: false,
            parameter,
            is_constant: false,
            passing,
            facts: None,
            key: tree.span(found.resource),
            span: tree.span(found.value.unwrap_or(found.resource)),
            written: tree.span(found.resource),
            frames: tree.frame_chain(tree.frame_of(found.resource)),
        }
    }
}

/// Parameters that may have other values at deployment than those that a template is packaged with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OpenParameters {
    /// All parameters.
    #[default]
    All,
    /// Only these parameters.
    Named(Vec<String>),
}

impl OpenParameters {
    /// Returns `true` if a parameter is one of them.
    pub fn contains(&self, name: &str) -> bool {
        match self {
            OpenParameters::All => true,
            OpenParameters::Named(names) => names.iter().any(|open| open == name),
        }
    }
}

/// The artifacts that a template needs, with diagnostics to report before any upload.
#[derive(Debug, Default)]
pub struct Plan {
    /// Every path, in the order of the expanded template.
    pub needs: Vec<ArtifactRef>,
    /// The errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Set if the packaged items of parameters are recorded in the template's metadata.
    pub records: bool,
    /// The parameters that may have other values at deployment: then items may be missing.
    pub open: OpenParameters,
    /// The root that is rewritten; `None` if the template could not be read.
    pub(crate) root: Option<NodeId>,
    /// Set if no errors were found before.
    pub(crate) is_sound: bool,
    pub(crate) slots: Vec<ArtifactSite>,
    pub(crate) includes: Vec<(Include, usize)>,
}

#[derive(Debug)]
pub(crate) struct ArtifactSite {
    pub(crate) found: ArtifactProperty,
    /// The values in each iteration; a single one without a loop.
    pub(crate) instances: Vec<ArtifactValue>,
}

#[derive(Debug)]
pub(crate) struct ArtifactValue {
    pub(crate) resource: String,
    /// The items of the loops around it, outermost first.
    pub(crate) items: Vec<String>,
    pub(crate) content: Content,
    /// The span of the authored value: in another file, if it was passed to a module.
    pub(crate) written: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// A local file, by the number of its need.
    ArtifactRef(usize),
    Remote {
        value: String,
        /// Set if it is the same for all values of the parameters.
        is_constant: bool,
    },
    Unknown,
    /// A value without a meaning for packaging.
    Nothing,
}

/// Finds the artifacts of a template. `written` is the template before loops are expanded, `expanded` the one after;
/// every known value is visible to `ev`. `source` maps a value that was passed to a module to the authored one. If
/// `is_sound` is false, errors were found before: unknown values may result from them, and are not reported.
pub fn plan(
    ev: &mut Evaluator<'_>,
    written: NodeId,
    expanded: NodeId,
    output: Output,
    purpose: Purpose,
    is_sound: bool,
    source: &dyn Fn(NodeId) -> NodeId,
) -> Plan {
    let mut planner = Planner { needs: Vec::new(), diagnostics: Vec::new(), written, purpose, is_sound, source };
    let made = artifact_property::find(ev.tree, expanded, false);
    let (root, mut slots) = match output {
        Output::Preserved => (written, artifact_property::find(ev.tree, written, true)),
        // Every value is a place of its own.
        Output::Expanded => (expanded, Vec::new()),
    };
    let places = places(ev.tree, &slots);
    let mut found: Vec<ArtifactSite> =
        slots.drain(..).map(|found| ArtifactSite { found, instances: Vec::new() }).collect();
    for found_there in made {
        match output {
            Output::Expanded => {
                let instance = planner.instance(ev, &found_there);
                let found_there = ArtifactProperty { loops: Vec::new(), ..found_there };
                found.push(ArtifactSite { found: found_there, instances: vec![instance] });
            }
            Output::Preserved => match place_of(ev.tree, &found_there, &places) {
                Some((within, at)) => found[at].instances.push(planner.instance(ev, &within)),
                None => drop(planner.instance(ev, &found_there)),
            },
        }
    }
    let includes = includes::find(ev.tree, root).into_iter().map(|include| {
        let number = planner.include(ev, &include);
        (include, number)
    });
    let includes = includes.collect();
    warnings::report(ev, written, output, &mut planner.diagnostics);
    Plan {
        needs: planner.needs,
        diagnostics: planner.diagnostics,
        records: false,
        open: OpenParameters::All,
        is_sound,
        root: Some(root),
        slots: found,
        includes,
    }
}

/// Returns the numbers of places in the authored template, by their identities.
fn places(tree: &Tree, slots: &[ArtifactProperty]) -> FxHashMap<Identity, usize> {
    let mut places = FxHashMap::default();
    for (at, slot) in slots.iter().enumerate() {
        let base = slot.frame(tree);
        for resource in [tree.authored(slot.resource), slot.resource] {
            places.insert(slot.identity(tree, resource, base), at);
        }
    }
    places
}

/// Returns the number of the place in the authored template that one of the expanded template was generated from, with
/// the property relative to that place.
fn place_of(
    tree: &Tree,
    found: &ArtifactProperty,
    places: &FxHashMap<Identity, usize>,
) -> Option<(ArtifactProperty, usize)> {
    let (authored, own) = (tree.authored(found.resource), found.frame(tree));
    // A resource outside of loops is an authored one. The innermost context is that of the nearest use of a module.
    let contexts = tree.frames().chain(own).map(|(frame, _)| (authored, frame));
    let candidates = [(found.resource, own)].into_iter().chain(contexts).chain([(authored, FrameId::NONE)]);
    candidates.into_iter().find_map(|(resource, base)| {
        let within = found.within(tree, base);
        let mut identity = within.identity(tree, resource, base);
        // A branch that resolved to nothing in an iteration is missing in the identity.
        while !places.contains_key(&identity) && identity.4.pop().is_some() {}
        places.get(&identity).map(|&at| (within, at))
    })
}

struct Planner<'s> {
    needs: Vec<ArtifactRef>,
    diagnostics: Vec<Diagnostic>,
    written: NodeId,
    purpose: Purpose,
    is_sound: bool,
    source: &'s dyn Fn(NodeId) -> NodeId,
}

impl Planner<'_> {
    fn instance(&mut self, ev: &mut Evaluator<'_>, found: &ArtifactProperty) -> ArtifactValue {
        let tree = &*ev.tree;
        let resource = tree.text(found.resource).to_owned();
        let item = |node: Option<NodeId>| node.map(|node| tree.text_form(node).to_owned()).unwrap_or_default();
        let items = found.loops.iter().map(|around| item(around.item)).collect();
        let content = self.content(ev, found);
        let written = ev.tree.span((self.source)(found.value.unwrap_or(found.resource)));
        ArtifactValue { resource, items, content, written }
    }

    fn content(&mut self, ev: &mut Evaluator<'_>, found: &ArtifactProperty) -> Content {
        let artifact = found.artifact;
        let mut named = value::named(ev, artifact, found.value);
        let is_global = named == Named::Absent && artifact.property == ["CodeUri"] && {
            let is_function = artifact.resource_type == "AWS::Serverless::Function";
            is_function && !value::is_left_alone(ev, artifact, found.body)
        };
        let mut value = found.value;
        // Globals have the code of functions without code of their own.
        let global = || serverless_globals::property(ev.tree, self.written, found.body, "CodeUri");
        if let Some(global) = is_global.then(global).flatten() {
            named = value::named(ev, artifact, Some(global));
            value = Some(global);
        }
        match named {
            Named::Local { path, parameter, is_constant } => {
                let need = self.need(ev, found, path, parameter);
                self.needs[need].is_constant = is_constant;
                self.needs[need].written = ev.tree.span((self.source)(value.unwrap_or(found.resource)));
                Content::ArtifactRef(need)
            }
            Named::Absent if !found.branches.is_empty() => Content::Nothing,
            Named::Absent if value::is_left_alone(ev, artifact, found.body) => Content::Nothing,
            Named::Absent if artifact.absent == Absent::ImageMissing && !self.builds_image(ev, found) => {
                self.report_no_image(ev, found);
                Content::Nothing
            }
            Named::Absent => {
                let need = self.need(ev, found, ".".to_owned(), None);
                self.needs[need].is_folder_of_template = true;
                Content::ArtifactRef(need)
            }
            Named::Remote { value, is_constant } => Content::Remote { value, is_constant },
            Named::Data => Content::Nothing,
            Named::Unknown => {
                if self.is_sound {
                    self.report_unknown(ev, found);
                }
                Content::Unknown
            }
        }
    }

    fn builds_image(&self, ev: &Evaluator<'_>, found: &ArtifactProperty) -> bool {
        self.purpose == Purpose::Build && build_facts::builds_image(ev.tree, found.body)
    }

    fn need(
        &mut self,
        ev: &mut Evaluator<'_>,
        found: &ArtifactProperty,
        path: String,
        parameter: Option<String>,
    ) -> usize {
        let mut need = ArtifactRef::new(ev, found, path, parameter);
        if self.purpose == Purpose::Build {
            need.facts = Some(Box::new(build_facts::facts(ev, self.written, found.body)));
        }
        self.needs.push(need);
        self.needs.len() - 1
    }

    fn include(&mut self, ev: &Evaluator<'_>, include: &Include) -> usize {
        let artifact: &Artifact = artifact::INCLUDE;
        self.needs.push(ArtifactRef {
            resource: artifact.resource_type.to_owned(),
            property: "Location".to_owned(),
            path: ev.tree.text(include.value).to_owned(),
            treatment: artifact.treatment,
            is_folder_of_template: false,
            parameter: None,
            is_constant: true,
            passing: Passing::default(),
            facts: None,
            key: Span::NONE,
            span: ev.tree.span(include.value),
            written: ev.tree.span((self.source)(include.value)),
            frames: Vec::new(),
        });
        self.needs.len() - 1
    }

    fn report_no_image(&mut self, ev: &Evaluator<'_>, found: &ArtifactProperty) {
        let tree = &*ev.tree;
        let (property, id) = (found.property(tree), shown(tree.text(found.resource)));
        let sentence = format!("Image not found for {property} parameter of {id} resource.");
        let diagnostic =
            Diagnostic::new(codes::ARTIFACT_PATH, format!("{id} runs an image but does not name one: `{sentence}`"))
                .at(tree.span(found.resource))
                .frames(tree.frame_chain(tree.frame_of(found.resource)))
                .help(format!("write the name of an image in a registry as {property}"));
        self.diagnostics.push(diagnostic);
    }

    fn report_unknown(&mut self, ev: &Evaluator<'_>, found: &ArtifactProperty) {
        let tree = &*ev.tree;
        let (property, id) = (found.property(tree), shown(tree.text(found.resource)));
        let node = found.value.unwrap_or(found.resource);
        let diagnostic = Diagnostic::new(
            codes::ARTIFACT_UNKNOWN,
            format!("{property} of {id} is not known before deployment and is kept"),
        )
        .severity(Severity::Warning)
        .at(tree.span(node))
        .frames(tree.frame_chain(tree.frame_of(found.resource)))
        .note("if it names a local file, that file is not uploaded")
        .help("pass values for its parameters, or write the path literally");
        self.diagnostics.push(diagnostic);
    }
}

/// Returns the default output of packaging: the authored template, if CloudFormation runs its loops; else the expanded
/// one (reference/packaging.md#loops).
pub fn default_output(ev: &Evaluator<'_>, written: NodeId) -> Output {
    let tree = &*ev.tree;
    let runs_at_service = ev.template.declares_language_extensions() && ev.settings.language_extensions;
    let has_loops = tree.has(written, flags::HAS_LOOP);
    if !has_loops
        || runs_at_service && !ev.template.declares_formwork() && !warnings::has_local_constructs(tree, written)
    {
        Output::Preserved
    } else {
        Output::Expanded
    }
}

impl ArtifactSite {
    pub(crate) fn place(&self) -> &ValuePath {
        &self.found.place
    }
}
