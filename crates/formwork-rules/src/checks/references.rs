//! Names that are referred to and exist nowhere (reference/structure.md#references).

use formwork_base::{Diagnostic, Frame, IdMap, IdSet, Severity, SourceMap, Span, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::{Kind, NodeId, NodeSet, Symbol, Tree, flags, has_placeholder, symbol};
use formwork_template::fill_in::{Around, Spelling, fill_in};
use formwork_template::reference::{self, By, Inside, Reference};
use formwork_template::{NamePattern, PseudoParameter, Section, attribute, serverless_ids};

use rustc_hash::FxHashSet;

use super::dependencies;
use super::misused_names::{self, DeclaredLoops, Meaning, Unknown};
use super::needs::{Needs, Visitor};
use super::written::Variables;
use crate::Context;

/// A name that was reported: the key of the entry that it is in, how it is referred to, and itself.
pub(super) type Reported = (NodeId, By, String);

/// Names that exist nowhere, in all that the template may become: whatever its conditions decide, and before values take
/// the place of what refers to them. Where the result is the same, [`check`] finds them.
/// Returns them, each with the key of the entry that it is in.
pub(super) fn of_all(cx: &mut Context<'_>) -> FxHashSet<Reported> {
    let mut reported = FxHashSet::default();
    let (result, unrolled) = (cx.result, cx.unrolled);
    cx.result = unrolled;
    let names = Names::of(cx);
    for section in SECTIONS {
        let Some(node) = section_of(cx, section) else { continue };
        let known = cx.tree.get(result, section.symbol()).filter(|_| section != Section::Globals);
        let mut done = NodeSet::default();
        known.into_iter().flat_map(|node| cx.tree.entries(node)).for_each(|entry| {
            done.insert(entry.value);
        });
        let mut finder = Finder::new(cx, &names, section);
        for member in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return reported;
            }
            if cx.tree.loop_name(member.key).is_none() && !done.contains(member.value) {
                finder.member(cx.tree, member.key, member.value, None);
            }
        }
        let found = finder.found;
        let mut variables = Variables::default();
        for missing in found {
            let place = variables.place(cx, &missing);
            report(cx, &names, section, (&missing, place));
            reported.insert((missing.member, missing.by, missing.name));
        }
    }
    cx.result = result;
    reported
}

/// A section of the result that is a map. What `Globals` holds becomes part of resources.
fn section_of(cx: &Context<'_>, section: Section) -> Option<NodeId> {
    let is_read = section != Section::Globals || cx.template.is_serverless() && cx.goal.is_thorough();
    let node = cx.tree.get(cx.result, section.symbol()).filter(|_| is_read);
    node.filter(|&node| cx.tree.kind(node) == Kind::Map)
}

const SECTIONS: [Section; 4] = [Section::Conditions, Section::Globals, Section::Resources, Section::Outputs];

/// Also checks what resources need for sure of each other ([`dependencies`]), which the same walk finds.
/// `reported` are names that were reported before. Returns what can be referred to.
pub(super) fn check(cx: &mut Context<'_>, reported: &FxHashSet<Reported>) -> Names {
    let names = Names::of(cx);
    let mut needs = Needs::new(&names.resources);
    for section in SECTIONS {
        let Some(node) = section_of(cx, section) else { continue };
        let mut finder = Finder::new(cx, &names, section);
        for member in cx.tree.entries(node) {
            if cx.is_cancelled() {
                return names;
            }
            if cx.tree.loop_name(member.key).is_none() {
                let needs = (section == Section::Resources).then_some(&mut needs);
                finder.member(cx.tree, member.key, member.value, needs);
            }
            if section == Section::Resources {
                needs.end_entry();
            }
        }
        let found = finder.found;
        let mut variables = Variables::default();
        for missing in found {
            if cx.is_cancelled() {
                return names;
            }
            let is_reported = || reported.contains(&(missing.member, missing.by, missing.name.clone()));
            if !reported.is_empty() && is_reported() {
                continue;
            }
            let place = variables.place(cx, &missing);
            report(cx, &names, section, (&missing, place));
        }
    }
    if !cx.is_cancelled() {
        dependencies::check(cx, &needs);
    }
    names
}

impl Variables {
    /// Where a name is written.
    pub(super) fn place(&mut self, cx: &Context<'_>, missing: &Missing) -> Span {
        match missing.variable {
            Some(number) => self.span(cx.tree, cx.sources, missing.node, number as usize),
            None => cx.tree.span(missing.node),
        }
    }
}

/// Names that can be referred to.
pub(super) struct Names {
    parameters: IdSet<Symbol>,
    /// Resources, each with its position in the section.
    resources: IdMap<Symbol, u32>,
    /// Registry modules among them.
    modules: Vec<String>,
    /// Resources that were there before conditions were decided, and registry modules among them; nothing when they
    /// are the same.
    written: Option<(IdSet<Symbol>, Vec<String>)>,
    loops: DeclaredLoops,
}

impl Names {
    pub(super) fn of(cx: &Context<'_>) -> Names {
        let names = |root: NodeId| {
            let section = cx.tree.get(root, symbol::RESOURCES);
            section.into_iter().flat_map(|node| cx.tree.entries(node)).map(|entry| cx.tree.symbol(entry.key))
        };
        let mut resources = IdMap::default();
        resources.reserve(cx.tree.get(cx.result, symbol::RESOURCES).map_or(0, |node| cx.tree.len(node)));
        resources.extend(names(cx.result).zip(0..));
        let modules = |root: NodeId| {
            let section = cx.tree.get(root, symbol::RESOURCES);
            let members = section.into_iter().flat_map(|section| cx.tree.entries(section));
            let is_module = |resource: NodeId| {
                let kind = cx.tree.get(resource, symbol::TYPE).and_then(|kind| cx.tree.string(kind));
                kind.is_some_and(attribute::is_registry_module)
            };
            members.filter(|member| is_module(member.value)).map(|member| cx.tree.text(member.key).to_owned()).collect()
        };
        Names {
            parameters: cx.template.parameters.iter().map(|parameter| parameter.name).collect(),
            resources,
            modules: modules(cx.result),
            written: (cx.tree.get(cx.unrolled, symbol::RESOURCES) != cx.tree.get(cx.result, symbol::RESOURCES))
                .then(|| (names(cx.unrolled).collect(), modules(cx.unrolled))),
            loops: DeclaredLoops::default(),
        }
    }

    /// Whether what a reference names exists.
    pub(super) fn has(&self, tree: &Tree, section: Section, reference: &Reference<'_>) -> bool {
        exists(self, section, tree.symbols().get(reference.name), reference)
    }
}

/// Whether a name belongs to a resource that a registry module generates: the module's logical ID and that
/// of the resource in it, with or without a dot between them.
fn is_in_module(modules: &[String], name: &str) -> bool {
    modules.iter().any(|module| {
        let rest = name.strip_prefix(module.as_str()).map(|rest| rest.strip_prefix('.').unwrap_or(rest));
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    })
}

/// A reference to nothing.
pub(super) struct Missing {
    name: String,
    by: By,
    attribute: Option<String>,
    pub(super) node: NodeId,
    /// The number of the variable of `Fn::Sub` that it is.
    variable: Option<u32>,
    /// The call whose argument it is.
    call: Option<NodeId>,
    /// The place of the name, when it can be computed.
    around: Option<Around>,
    member: NodeId,
    inside: Inside,
}

/// What a reference may name.
struct Takes {
    parameters: bool,
    resources: bool,
}

impl Missing {
    /// A reference in the entry with the key `member`.
    pub(super) fn new(reference: &Reference<'_>, member: NodeId) -> Missing {
        Missing {
            name: reference.name.to_owned(),
            by: reference.by,
            attribute: reference.attribute.map(str::to_owned),
            node: reference.node,
            variable: reference.variable,
            call: reference.call,
            around: (reference.by != By::Sub).then(|| reference.call.map_or(Around::Value, Around::Call)),
            member,
            inside: reference.inside,
        }
    }

    fn as_unknown(&self) -> Unknown<'_> {
        let Missing { name, by, call, attribute, .. } = self;
        Unknown { name, by: *by, call: *call, attribute: attribute.as_deref() }
    }

    /// What may be named here (reference/functions.md#cidr, reference/structure.md#references).
    fn takes(&self, section: Section) -> Takes {
        Takes {
            parameters: matches!(self.by, By::Ref | By::Sub) && self.attribute.is_none(),
            resources: section != Section::Conditions && !self.inside.import,
        }
    }
}

struct Finder<'f> {
    names: &'f Names,
    section: Section,
    /// Names that may come from loops which are not checked.
    unchecked: &'f [NamePattern],
    /// Shared subtrees that were looked at in another copy.
    done: NodeSet,
    found: Vec<Missing>,
}

impl<'f> Finder<'f> {
    fn new(cx: &Context<'f>, names: &'f Names, section: Section) -> Finder<'f> {
        Finder { names, section, unchecked: cx.unchecked, done: NodeSet::default(), found: Vec::new() }
    }

    fn member(&mut self, tree: &Tree, key: NodeId, node: NodeId, mut needs: Option<&mut Needs<'_>>) {
        let done = &mut self.done;
        // An alias below an authored node is a copy of its own.
        let mut enter = |node: NodeId| {
            !tree.may_share()
                || tree.is_generated(node)
                || tree.kind(node) != Kind::Call && tree.has(node, flags::HAS_ALIAS)
                || done.insert(node)
        };
        let (names, section, found, unchecked) = (self.names, self.section, &mut self.found, self.unchecked);
        let mut visit = |symbol: Option<Symbol>, reference: Reference<'_>| {
            let is_known = reference.inside.unread_variables || exists(names, section, symbol, &reference);
            if !is_known && !unchecked.iter().any(|name| name.matches(reference.name)) {
                found.push(Missing::new(&reference, key));
            }
        };
        let symbol = |reference: &Reference<'_>| tree.symbols().get(reference.name);
        if let Some(needs) = needs.as_deref_mut() {
            needs.of_resource(tree, node, &mut Visitor { enter: &mut enter, visit: &mut visit });
        } else {
            reference::visit(tree, node, &mut enter, &mut |reference| visit(symbol(&reference), reference));
        }
        let depends_on = tree.get(node, symbol::DEPENDS_ON).filter(|_| section == Section::Resources);
        for reference in depends_on.into_iter().flat_map(|node| reference::depends_on(tree, node)) {
            let name = symbol(&reference);
            // That a resource depends on itself has its own check.
            if let Some(needs) = needs.as_deref_mut().filter(|_| name != Some(tree.symbol(key))) {
                needs.depends_on(name, reference.node);
            }
            visit(name, reference);
        }
    }
}

/// Whether there is something with the name, whose symbol is `symbol`.
fn exists(names: &Names, section: Section, symbol: Option<Symbol>, reference: &Reference<'_>) -> bool {
    let is_parameter = || {
        symbol.is_some_and(|name| names.parameters.contains(&name))
            || PseudoParameter::from_name(reference.name).is_some()
    };
    let is_resource = || {
        section != Section::Conditions
            && (symbol.is_some_and(|name| names.resources.contains_key(&name))
                || is_in_module(&names.modules, reference.name))
    };
    match (reference.by, reference.attribute) {
        (By::DependsOn | By::GetAtt, _) => is_resource(),
        (By::Sub, Some(_)) => is_resource(),
        (By::Ref | By::Sub, _) => is_parameter() || is_resource(),
    }
}

pub(super) fn report(cx: &mut Context<'_>, names: &Names, section: Section, (missing, place): (&Missing, Span)) {
    let case = Case::new(cx, names, section, missing);
    let Some((severity, note)) = case.weight(cx) else { return };
    let tree = cx.tree;
    let name = shown(&missing.name);
    let meaning = if case.is_absent { None } else { misused_names::meaning(cx, &names.loops, &missing.as_unknown()) };
    let code = if case.is_absent { codes::ABSENT_RESOURCE } else { codes::UNRESOLVED_NAME };
    let title = format!("{}: `{}`", case.what(meaning.as_ref()), case.sentence());
    let mut diagnostic = Diagnostic::new(code, title)
        .at(place)
        .frames(tree.frame_chain(tree.frame_of(missing.member)))
        .path(format!("{}.{}", section.name(), shown(tree.text(missing.member))));
    if section == Section::Resources && missing.by == By::GetAtt && !case.is_absent {
        diagnostic = diagnostic.quoting(&format!(
            "Template format error: Unresolved resource dependencies [{name}] in the Resources block of the template"
        ));
    }
    if let Some(note) = note {
        diagnostic = diagnostic.note(note);
    }
    let diagnostic = case.with_help(cx, diagnostic, meaning, place);
    cx.push(diagnostic, severity);
}

/// A name that is missing, and why.
struct Case<'c> {
    names: &'c Names,
    section: Section,
    missing: &'c Missing,
    symbol: Option<Symbol>,
    /// The resource was written, and its condition is false.
    is_absent: bool,
    /// A condition of a module was decided: the resource is not in the template at all.
    is_removed: bool,
}

impl<'c> Case<'c> {
    fn new(cx: &Context<'_>, names: &'c Names, section: Section, missing: &'c Missing) -> Case<'c> {
        let symbol = cx.tree.symbols().get(&missing.name);
        let written_modules = names.written.as_ref().map_or(&names.modules, |(_, modules)| modules);
        let was_there = |name| names.written.as_ref().is_some_and(|(written, _)| written.contains(&name));
        let is_there = |name| names.resources.contains_key(&name);
        let is_removed = section != Section::Conditions
            && symbol.is_none_or(|name| !is_there(name))
            && cx.written.is_some_and(|written| written.removed.contains(&missing.name));
        let is_absent = is_removed
            || symbol.is_some_and(|name| was_there(name) && !is_there(name))
            || section != Section::Conditions && is_in_module(written_modules, &missing.name);
        Case { names, section, missing, symbol, is_absent, is_removed }
    }

    /// CloudFormation deploys the resource all the same, and the output does not have the name.
    fn may_depend(&self) -> bool {
        self.is_absent && !self.is_removed && self.missing.by == By::DependsOn
    }

    /// How bad it is, and a note about that; `None` when it is not reported.
    fn weight(&self, cx: &Context<'_>) -> Option<(Severity, Option<&'static str>)> {
        let Case { section, missing, is_absent, .. } = *self;
        let (mut severity, mut note) = (cx.as_written(), None);
        if is_made_by_serverless(cx, section, missing) || is_reported_condition(cx, section, missing) {
            return None;
        }
        // The names of a module may be those of the file that imports it.
        let may_be_of_importer = !is_absent && cx.template.is_module && !missing.name.starts_with("AWS::");
        if may_be_of_importer && cx.is_imported {
            return None;
        }
        if !is_absent && may_be_added(cx, section, missing) {
            if looks_made(cx.tree, self.names, &missing.name) || near(cx, section, missing).is_none() {
                return None;
            }
            severity = Severity::Warning;
            note = Some("a macro or an include of the template may add it");
        }
        let may_depend = self.may_depend();
        // What is never taken for other values is not needed.
        let may_be_skipped = is_absent && !self.is_removed && missing.inside.branch;
        if may_depend && !cx.goal.is_thorough()
            || may_be_skipped && cx.severity_of_code(codes::ABSENT_RESOURCE).is_none()
        {
            return None;
        }
        // What modules name must be somewhere (reference/modules/references.md#lookup).
        if cx.template.was_module_document && severity == Severity::Warning && !cx.template.has_other_transforms() {
            severity = Severity::Error;
        }
        if may_be_of_importer {
            severity = severity.min(Severity::Warning);
            note = note.or(Some("a template that imports the module may declare it"));
        }
        if may_depend {
            severity = severity.min(Severity::Warning);
        }
        if cx.allow_unresolved || may_be_skipped {
            severity = Severity::Warning;
        }
        Some((severity, note))
    }

    /// CloudFormation's sentence.
    fn sentence(&self) -> String {
        let name = shown(&self.missing.name);
        match (self.section, self.missing.by) {
            (Section::Conditions, _) => format!(
                "Template format error: Unresolved dependencies [{name}]. Cannot reference resources in the Conditions block of the template"
            ),
            (Section::Outputs, _) => {
                format!("Unresolved resource dependencies [{name}] in the Outputs block of the template")
            }
            (_, By::GetAtt) if !self.is_absent => {
                format!("Template error: instance of Fn::GetAtt references undefined resource {name}")
            }
            _ => format!(
                "Template format error: Unresolved resource dependencies [{name}] in the Resources block of the template"
            ),
        }
    }

    fn what(&self, meaning: Option<&Meaning>) -> String {
        let Case { missing, section, .. } = *self;
        let name = shown(&missing.name);
        let is_resource = |name| self.names.resources.contains_key(&name);
        match (section, meaning) {
            (_, Some(meaning)) => meaning.what.clone(),
            (Section::Conditions, _) if self.symbol.is_some_and(is_resource) => {
                format!("{name} is a resource, and conditions are evaluated before resources exist")
            }
            _ if self.is_absent => format!("{name} is absent: its condition is false"),
            _ if missing.name.starts_with("AWS::") || pseudo_parameter_in(&missing.name).is_some() => {
                format!("unknown pseudo parameter {name}")
            }
            _ if name.is_empty() => "the name of a parameter or resource is empty".to_owned(),
            _ if missing.by == By::Ref || missing.by == By::Sub => {
                format!("parameter or resource {name} does not exist")
            }
            _ => format!("resource {name} does not exist"),
        }
    }

    fn with_help(
        &self,
        cx: &Context<'_>,
        mut diagnostic: Diagnostic,
        meaning: Option<Meaning>,
        place: Span,
    ) -> Diagnostic {
        let Case { missing, section, .. } = *self;
        let tree = cx.tree;
        if missing.name.is_empty() {
            return diagnostic.help("write the name, or remove the reference");
        }
        if has_placeholder(&missing.name) {
            diagnostic = diagnostic.note("a placeholder in a plain string is not replaced");
            let advice = missing.around.filter(|_| cx.language_extensions && !missing.name.contains("&{"));
            let spelling = || Spelling::of(tree, cx.template.root);
            return match advice.and_then(|around| fill_in(tree, missing.node, around, spelling(), &|_| true)) {
                Some(advice) => advice.add_to(diagnostic),
                None => diagnostic.help(match name_alone(&missing.name) {
                    Some(name) => format!("write the name alone: `{}`", shown(name)),
                    None => "write the name literally".to_owned(),
                }),
            };
        }
        if self.is_absent && missing.by == By::DependsOn {
            if self.may_depend() {
                diagnostic = diagnostic.note("CloudFormation deploys the resource without waiting");
            }
            return diagnostic.help("add the same condition to the resource, or remove the name");
        }
        if self.is_absent {
            return diagnostic
                .help("apply the same condition to the reference, with `Fn::If` or a Condition attribute");
        }
        if let Some(Meaning { help, declared, .. }) = meaning {
            if let Some((span, text)) = declared {
                diagnostic = diagnostic.related(span, text);
            }
            return diagnostic.help(help);
        }
        if let Some(near) = near(cx, section, missing) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            if tree.text(missing.node) == missing.name && missing.variable.is_none() {
                diagnostic = diagnostic.unsafe_fix("change the name", place, near);
            } else if let Some(name) = name_in(cx.sources, place, missing) {
                diagnostic = diagnostic.unsafe_fix("change the name", name, near);
            }
            return diagnostic;
        }
        diagnostic.help(advice(section, missing))
    }
}

/// The name in `${Name}`, when that is all.
fn name_alone(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':');
    is_name.then_some(name)
}

/// The pseudo parameter that is meant where only what separates its parts is wrong: `AWS.Region`, `AWS:Region`.
fn pseudo_parameter_in(name: &str) -> Option<&'static str> {
    let (head, rest) = name.split_once([':', '.', '-', '_', '/'])?;
    let rest = rest.trim_start_matches(':');
    let names = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
    let is_meant = |known: &str| known.strip_prefix("AWS::").is_some_and(|known| known.eq_ignore_ascii_case(rest));
    names.filter(|_| head.eq_ignore_ascii_case("AWS")).find(|known| is_meant(known))
}

/// What to do about a name that is like no other.
fn advice(section: Section, missing: &Missing) -> &'static str {
    match (section, missing.takes(section)) {
        _ if missing.name.starts_with("AWS::") => "write one of the pseudo parameters of CloudFormation",
        (Section::Conditions, _) => {
            "conditions can refer to parameters and pseudo parameters: declare it under Parameters"
        }
        (_, Takes { parameters: false, resources: false }) => "refer to a parameter here, with `Ref`",
        (_, Takes { resources: false, .. }) => "declare it under Parameters, or correct the name",
        (_, Takes { parameters: false, .. }) => "declare it under Resources, or correct the name",
        _ => "declare it under Resources or Parameters, or correct the name",
    }
}

/// The place of the name in a variable of `Fn::Sub`.
fn name_in(sources: &SourceMap, variable: Span, missing: &Missing) -> Option<Span> {
    missing.variable?;
    let rest = sources.slice(variable).strip_prefix("${")?;
    let (start, len) = (variable.start() + 2, u32::try_from(missing.name.len()).ok()?);
    rest.starts_with(missing.name.as_str()).then(|| Span::new(start, start + len))
}

/// Whether the reference is one to a condition, in the place of a condition, which was reported as that.
fn is_reported_condition(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let Some(call) = missing.call.filter(|_| section == Section::Conditions) else { return false };
    let place = cx.tree.span(call);
    let is_it = |found: &Diagnostic| {
        found.code == codes::CONDITION_LAYOUT && found.primary.as_ref().is_some_and(|label| label.span == place)
    };
    cx.diagnostics.iter().any(is_it)
}

/// Whether the serverless transform makes what is referred to.
fn is_made_by_serverless(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES);
    let is_serverless = cx.template.is_serverless() && missing.takes(section).resources;
    resources.is_some_and(|resources| is_serverless && serverless_ids::is_made(cx.tree, resources, &missing.name))
}

/// Whether a macro or an include may add what is referred to: nobody but CloudFormation makes a pseudo parameter.
fn may_be_added(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let takes = missing.takes(section);
    let may_get = |section| cx.template.may_get_entries(cx.tree, section);
    !missing.name.starts_with("AWS::")
        && (takes.resources && may_get(Section::Resources) || takes.parameters && may_get(Section::Parameters))
}

/// The nearest name of those that the place of a reference takes.
fn near(cx: &Context<'_>, section: Section, missing: &Missing) -> Option<String> {
    let tree = cx.tree;
    let takes = missing.takes(section);
    if let Some(name) = pseudo_parameter_in(&missing.name) {
        return Some(name.to_owned());
    }
    if missing.name.starts_with("AWS::") {
        let names = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
        return suggest::nearest(&missing.name, names).map(str::to_owned);
    }
    let resources = tree.get(cx.result, symbol::RESOURCES).filter(|_| takes.resources);
    let resources = resources.into_iter().flat_map(|node| tree.entries(node)).map(|entry| tree.text(entry.key));
    let parameters = cx.template.parameters.iter().filter(|_| takes.parameters);
    let parameters = parameters.map(|parameter| tree.name(parameter.name));
    const MOST: usize = 2000;
    let frames = tree.frame_chain(tree.frame_of(missing.member));
    let local: Vec<String> = if takes.parameters { local_names(tree, missing, &frames) } else { Vec::new() };
    let names = resources.take(MOST).chain(parameters).chain(local.iter().map(String::as_str));
    let near = cx.diagnostics.suggester().nearest(&missing.name, names).map(str::to_owned);
    near.or_else(|| {
        let mut pseudo = PseudoParameter::ALL.iter().map(|pseudo| pseudo.name());
        let is_meant = |known: &&str| known.strip_prefix("AWS::").is_some_and(|known| known == missing.name);
        pseudo.find(is_meant).filter(|_| missing.by != By::DependsOn).map(str::to_owned)
    })
}

/// The names that are known at a reference alone: variables of the loops around it, and those of its `Fn::Sub`.
fn local_names(tree: &Tree, missing: &Missing, frames: &[Frame]) -> Vec<String> {
    let of_loops = frames.iter().filter(|frame| frame.loop_name.is_some()).map(|frame| frame.name.clone());
    let call = missing.call.filter(|_| missing.by == By::Sub);
    let variables = call.map(|call| tree.call(call).1).and_then(|list| tree.items(list).get(1).copied());
    let variables = variables.into_iter().filter(|&node| tree.kind(node) == Kind::Map);
    const MOST: usize = 100;
    let of_call = variables.flat_map(|node| tree.entries(node)).map(|entry| tree.text(entry.key).to_owned()).take(MOST);
    of_loops.chain(of_call).collect()
}

/// Whether a transform such as the serverless one generates resources with such names: those that begin
/// with the name of a resource.
fn looks_made(tree: &Tree, names: &Names, name: &str) -> bool {
    (1..name.len())
        .rev()
        .filter(|&at| name.is_char_boundary(at))
        .any(|at| tree.symbols().get(&name[..at]).is_some_and(|prefix| names.resources.contains_key(&prefix)))
}
