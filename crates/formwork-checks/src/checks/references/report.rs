//! Reports of names that do not exist.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, Severity, SourceMap, Span, codes};
use formwork_syntax::{Symbol, has_placeholder, symbol};
use formwork_template::fill_in::{Spelling, fill_in};
use formwork_template::reference::By;
use formwork_template::{Section, serverless_names};

use super::missing::{Missing, Takes};
use super::names::{Names, is_in_module, looks_made};
use super::near::{near, pseudo_parameter_in};
use super::program;
use crate::Context;
use crate::checks::mistaken_names;
use crate::checks::misused_imports;
use crate::checks::misused_names::{self, Meaning};

pub(in crate::checks) fn report(
    cx: &mut Context<'_>,
    names: &Names,
    section: Section,
    (missing, place): (&Missing, Span),
) {
    let case = Case::new(cx, names, section, missing);
    let Some((severity, note)) = case.weight(cx) else { return };
    let tree = cx.tree;
    let name = shown(&missing.name);
    let code = if case.is_absent { codes::ABSENT_RESOURCE } else { codes::UNRESOLVED_NAME };
    if cx.diagnostics.has(code, place, severity) {
        // Another iteration: it is only counted.
        let again = Diagnostic::titled(code, "").at(place).frames(tree.frame_chain(tree.frame_of(missing.member)));
        return cx.push(again.times(missing.count), severity);
    }
    let unknown = missing.as_unknown();
    let meant = || {
        misused_names::meaning(cx, &names.loops, &unknown)
            .or_else(|| misused_imports::meaning(cx, &unknown))
            .or_else(|| mistaken_names::meaning(cx, &names.types, &unknown))
    };
    let meaning = if case.is_absent { None } else { meant() };
    let title = format!("{}: `{}`", case.what(meaning.as_ref()), case.sentence());
    let mut diagnostic = Diagnostic::new(code, title)
        .at(place)
        .frames(tree.frame_chain(tree.frame_of(missing.member)))
        .times(missing.count)
        .fact(Fact::Name(missing.name.clone()))
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

struct Case<'c> {
    names: &'c Names,
    section: Section,
    missing: &'c Missing,
    symbol: Option<Symbol>,
    /// Set if the resource was written, and its condition is false.
    is_absent: bool,
    /// Set if a condition of a module was decided: the resource is not in the template at all.
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

    /// Returns `true` if CloudFormation deploys the resource without the name.
    fn may_depend(&self) -> bool {
        self.is_absent && !self.is_removed && self.missing.by == By::DependsOn
    }

    /// Returns the severity, and a note about it; `None` when it is not reported.
    fn weight(&self, cx: &Context<'_>) -> Option<(Severity, Option<&'static str>)> {
        let Case { section, missing, is_absent, .. } = *self;
        let (mut severity, mut note) = (cx.as_written(), None);
        if is_made_by_serverless(cx, section, missing)
            || is_reported_condition(cx, section, missing)
            || is_reported_comparison(cx, missing)
        {
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
        // A branch of `Fn::If` may never be taken while the resource is absent.
        let may_be_skipped = is_absent && !self.is_removed && missing.inside.branch;
        if may_depend && !cx.goal.is_thorough()
            || may_be_skipped && cx.severity_of_code(codes::ABSENT_RESOURCE).is_none()
        {
            return None;
        }
        // Names in modules must exist somewhere (reference/modules/references.md#lookup).
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
        if let Some(Meaning { help, declared, code, .. }) = meaning {
            if let Some((span, text)) = declared {
                diagnostic = diagnostic.related(span, text);
            }
            let call = missing.call.filter(|&call| missing.by == By::Ref && !tree.is_generated(call));
            return match (code, call) {
                (Some(code), Some(call)) => {
                    let span = tree.span(call);
                    let is_braced = cx.sources.slice(span).starts_with('{') && code.starts_with("Fn::");
                    let code = if is_braced { format!("{{{code}}}") } else { code };
                    diagnostic.help(help).unsafe_fix("write what is meant", span, code)
                }
                _ => diagnostic.help(help),
            };
        }
        if let Some(code) = program::literal(tree, missing) {
            let diagnostic = diagnostic
                .note("`Fn::Sub` replaces it: `${!` keeps a placeholder for the program")
                .help(format!("write `{code}`, if the program reads it"));
            return match missing.variable {
                Some(_) if cx.sources.slice(place).starts_with("${") => {
                    diagnostic.unsafe_fix("keep the placeholder", place, code)
                }
                _ => diagnostic,
            };
        }
        if let Some(near) = near(cx, section, missing) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?")).fact(Fact::Advises(near.clone()));
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

/// Returns the name in `${Name}`, if it is the whole string.
fn name_alone(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b':');
    is_name.then_some(name)
}

fn advice(section: Section, missing: &Missing) -> &'static str {
    match (section, missing.takes(section)) {
        _ if missing.name.starts_with("AWS::") => "use one of the pseudo parameters: nobody can declare another one",
        (Section::Conditions, _) => {
            "conditions can refer to parameters and pseudo parameters: declare it under Parameters"
        }
        (_, Takes { parameters: false, resources: false }) => "refer to a parameter here, with `Ref`",
        (_, Takes { resources: false, .. }) => "declare it under Parameters, or correct the name",
        (_, Takes { parameters: false, .. }) => "declare it under Resources, or correct the name",
        _ => "declare it under Resources or Parameters, or correct the name",
    }
}

fn name_in(sources: &SourceMap, variable: Span, missing: &Missing) -> Option<Span> {
    missing.variable?;
    let rest = sources.slice(variable).strip_prefix("${")?;
    let (start, len) = (variable.start() + 2, u32::try_from(missing.name.len()).ok()?);
    rest.starts_with(missing.name.as_str()).then(|| Span::new(start, start + len))
}

/// Returns `true` for a reference to a condition, in the place of a condition, which was reported as that.
fn is_reported_condition(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let Some(call) = missing.call.filter(|_| section == Section::Conditions) else { return false };
    cx.diagnostics.is_reported(codes::CONDITION_LAYOUT, cx.tree.span(call))
}

/// Returns `true` for `!Ref Stage == prod`, which was reported as a comparison.
fn is_reported_comparison(cx: &Context<'_>, missing: &Missing) -> bool {
    let place = cx.tree.span(missing.node);
    let is_around = |found: &Diagnostic| found.code == codes::CONDITION_LAYOUT && found.span().contains(place);
    missing.name.contains("==") && cx.diagnostics.iter().any(is_around)
}

fn is_made_by_serverless(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let is_serverless = cx.template.is_serverless() && missing.takes(section).resources;
    let resources = cx.tree.get(cx.unrolled, symbol::RESOURCES).filter(|_| is_serverless);
    let Some(resources) = resources else { return false };
    let made = cx.becomes.and_then(|root| cx.tree.get(root, symbol::RESOURCES));
    match made {
        // Names of parts, such as `Function.Alias`, are replaced in what the transform makes, and checked there.
        Some(made) => {
            cx.tree.get_text(made, &missing.name).is_some()
                || serverless_names::is_part(cx.tree, resources, &missing.name)
        }
        None => serverless_names::may_be_made(cx.tree, resources, &missing.name),
    }
}

/// Returns `true` if a macro or an include may add the name: they never add a pseudo parameter.
fn may_be_added(cx: &Context<'_>, section: Section, missing: &Missing) -> bool {
    let takes = missing.takes(section);
    let may_get = |section| cx.template.may_get_entries(cx.tree, section);
    !missing.name.starts_with("AWS::")
        && (takes.resources && may_get(Section::Resources) || takes.parameters && may_get(Section::Parameters))
}
