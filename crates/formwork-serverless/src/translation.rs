//! The steps of a translation.

use formwork_base::{Diagnostics, Limits};
use formwork_syntax::{NodeId, Tree, symbol};
use formwork_template::template::SERVERLESS;
use rustc_hash::FxHashMap;

use crate::budget::{Budget, Size};
use crate::context::{Context, Input};
use crate::kinds::{self, Kind};
use crate::openapi::{self, implicit};
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use crate::report::Remark;
use crate::resource::Resource;
use crate::settings::Settings;
use crate::value::{Map, Value};
use crate::{application, clashes, connector, events, function, globals, nodes, policies, properties, report};

/// The result of the transform.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The root of the result.
    pub root: NodeId,
    /// The authored resources that become several: their logical IDs by those of what is made, themselves included.
    pub owners: Owners,
}

/// Logical IDs of authored resources by those of what is made of them.
pub type Owners = FxHashMap<String, String>;

/// Runs the serverless transform on the template at `root`, if its list of transforms has it. The root of the result is
/// `root` itself without the transform, or when the template is refused, with a diagnostic for each reason.
pub fn translate(tree: &mut Tree, root: NodeId, settings: &Settings, diagnostics: &mut Diagnostics) -> Translation {
    let mut owners = Owners::default();
    let root = translated(tree, root, settings, &mut owners, diagnostics);
    Translation { root, owners }
}

fn translated(
    tree: &mut Tree,
    root: NodeId,
    settings: &Settings,
    owners: &mut Owners,
    diagnostics: &mut Diagnostics,
) -> NodeId {
    if !is_wanted(tree, root) {
        return root;
    }
    let Some(template) = nodes::read(tree, root).into_map() else { return root };
    let mut refused = Vec::new();
    let translated = template_of(tree, template, settings, (owners, &mut refused));
    let Some((template, remarks)) = translated.filter(|_| refused.is_empty()) else {
        let count = refused.len();
        for Refused { id, around, refusal } in refused {
            report::refusal(tree, (&id, around.unwrap_or(root)), &refusal, count, diagnostics);
        }
        return root;
    };
    for remark in &remarks {
        report::remark(tree, root, remark, diagnostics);
    }
    let resources = tree.get(root, symbol::RESOURCES);
    let frame = |owner: &str| Some(tree.frame_of(tree.member(resources?, tree.symbols().get(owner)?)?.key));
    let frames = owners.iter().filter_map(|(made, owner)| Some((made.as_str(), frame(owner)?))).collect();
    nodes::Writer { tree }.template(&template, root, &frames)
}

/// Runs the first step of the transform alone: `Globals` are in the resources that they apply to, and the implicit APIs
/// of events are declared, whether the template names the transform or not. The root of the result is `root` itself
/// without serverless resources, or when the step refuses the template, with a diagnostic for each reason.
pub fn with_globals(tree: &mut Tree, root: NodeId, limits: &Limits, diagnostics: &mut Diagnostics) -> NodeId {
    if !has_resources(tree, root) {
        return root;
    }
    let Some(mut template) = nodes::read(tree, root).into_map() else { return root };
    let mut resources = match prepare(&mut template, &mut Budget::new(limits)) {
        Ok(resources) => resources,
        Err(refused) => {
            for (id, refusal) in &refused {
                let around = origin_of(&template, id).unwrap_or(root);
                report::refusal(tree, (id, around), refusal, refused.len(), diagnostics);
            }
            return root;
        }
    };
    implicit::forget_bodies(&mut resources);
    template.set("Resources", resources);
    nodes::Writer { tree }.template(&template, root, &FxHashMap::default())
}

/// Returns `true` for a template with serverless resources.
fn has_resources(tree: &Tree, root: NodeId) -> bool {
    let kind = |resource: NodeId| tree.string(tree.get(resource, symbol::TYPE)?);
    let resources = tree.get(root, symbol::RESOURCES);
    let mut entries = resources.into_iter().flat_map(|section| tree.entries(section));
    entries.any(|entry| kind(entry.value).is_some_and(|kind| kind.starts_with("AWS::Serverless::")))
}

/// Returns `true` for a template that names the transform.
fn is_wanted(tree: &Tree, root: NodeId) -> bool {
    let Some(node) = tree.get(root, symbol::TRANSFORM) else { return false };
    let is_it = |node: NodeId| tree.string(node) == Some(SERVERLESS);
    is_it(node) || tree.items(node).iter().any(|&item| is_it(item))
}

/// A refusal of a resource.
struct Refused {
    id: String,
    around: Option<NodeId>,
    refusal: Refusal,
}

fn template_of(
    tree: &Tree,
    mut template: Map,
    settings: &Settings,
    (owners, refused): (&mut Owners, &mut Vec<Refused>),
) -> Option<(Map, Vec<Remark>)> {
    let parameters = Parameters::new(tree, settings, &template);
    let mut budget = Budget::new(&settings.limits);
    let resources = match prepare(&mut template, &mut budget) {
        Ok(resources) => resources,
        Err(found) => {
            for (id, refusal) in found {
                let around = origin_of(&template, &id);
                refused.push(Refused { id, around, refusal });
            }
            return None;
        }
    };
    let conditions = template.get("Conditions").map(|section| section.map().cloned().unwrap_or_default());
    let mut cx = Context::new(parameters, resources, conditions.clone(), budget);
    check_applications(&cx, refused);
    let embedded = connector::extract(&mut cx.resources);
    for (id, refusal) in &embedded.refused {
        refused.push(Refused { id: id.clone(), around: origin_of(&template, id), refusal: refusal.clone() });
    }
    let made = translate_all(&mut cx, refused)?;
    let shared = function::translate_shared(&mut cx, &mut |id, refusal| {
        let around = origin_of(&template, id);
        refused.push(Refused { id: id.to_owned(), around, refusal });
    });
    events::set_bucket_tags(&mut cx);
    for (id, resources) in made.iter().filter(|(_, resources)| resources.len() > 1) {
        owners.extend(resources.iter().map(|one| (one.id.clone(), id.clone())));
    }
    let mut resources = assemble(&cx.resources, made);
    for one in shared {
        let id = one.id.clone();
        resources.set(&id, one.into_value());
    }
    for (id, connector, refusal) in connector::translate_all(&cx.resources, &mut resources, embedded) {
        refused.push(Refused { id, around: connector.origin(), refusal });
    }
    if !refused.is_empty() {
        return None;
    }
    if cx.conditions != conditions.unwrap_or_default() {
        template.set("Conditions", std::mem::take(&mut cx.conditions));
    }
    template.set("Resources", resources);
    finish(&mut template, &cx);
    let mut remarks = cx.take_remarks();
    if settings.reports_values {
        remarks.extend(cx.parameters.remarks(settings.region.is_none()));
    }
    Some((template, remarks))
}

/// Returns the node of a resource of the template.
fn origin_of(template: &Map, id: &str) -> Option<NodeId> {
    template.get("Resources")?.map()?.key(id)
}

/// Returns the resources with the properties of `Globals`.
fn prepare(template: &mut Map, budget: &mut Budget) -> Result<Map, Vec<(String, Refusal)>> {
    let of_template = |refusal: Refusal| vec![(String::new(), refusal)];
    let section = template.get("Resources");
    let Some(resources) = section.and_then(Value::map).filter(|resources| !resources.is_empty()) else {
        let origin = section.and_then(Value::origin);
        return Err(of_template(Refusal::of_template("'Resources' section is required").at(origin)));
    };
    if let Some((_, wrong)) = resources.iter().find(|(_, resource)| resource.map().is_none()) {
        let sentence = "All 'Resources' must be Objects. If you're using YAML, this may be an indentation issue.";
        return Err(of_template(Refusal::of_template(sentence).at(wrong.origin())));
    }
    let mut resources = resources.clone();
    check_attributes(&resources).map_err(|refused| vec![refused])?;
    implicit::check_routes(&resources).map_err(of_template)?;
    let mut conditions = template.get("Conditions").and_then(Value::map).cloned();
    implicit::add(&mut resources, &mut conditions)?;
    if conditions.as_ref() != template.get("Conditions").and_then(Value::map) {
        template.set_some("Conditions", conditions);
    }
    if let Some(mut section) = template.remove("Globals") {
        globals::check(&section).map_err(of_template)?;
        globals::keep_order(&mut section);
        for (id, resource) in resources.iter_mut() {
            let merged = globals::section(&section, resource).map_or(Ok(()), |own| budget.spend(Size::of(own), 1));
            let merged = merged.and_then(|()| globals::merge(&section, id, resource));
            merged.map_err(|refusal| vec![(id.to_owned(), refusal)])?;
        }
    }
    implicit::set_versions(&mut resources);
    Ok(resources)
}

/// Types of which the translator reports properties that are not a mapping when it translates the resource.
const CHECKED_LATER: [&str; 2] = [connector::KIND, "AWS::Serverless::GraphQLApi"];

/// Compares the `Properties` of serverless resources with a mapping, and the `Condition` of all with a string.
fn check_attributes(resources: &Map) -> Result<(), (String, Refusal)> {
    for (id, resource) in resources.iter() {
        let kind = resource.get("Type").and_then(Value::text);
        let is_checked =
            kind.is_some_and(|kind| kind.starts_with("AWS::Serverless::") && !CHECKED_LATER.contains(&kind));
        let properties = resource.get("Properties").filter(|_| is_checked);
        if let Some(wrong) = properties.filter(|properties| properties.map().is_none()) {
            let refusal = Refusal::new("Attribute 'Properties' should be a map.").at(wrong.origin());
            return Err((id.to_owned(), refusal));
        }
        let condition = resource.get("Condition").filter(|condition| condition.is_true());
        if let Some(wrong) = condition.filter(|condition| condition.text().is_none()) {
            let refusal = Refusal::of_template("Every Condition member must be a string.").at(wrong.origin());
            return Err((id.to_owned(), refusal));
        }
    }
    Ok(())
}

fn check_applications(cx: &Context, refused: &mut Vec<Refused>) {
    for (id, resource) in cx.resources.iter() {
        if resource.get("Type").and_then(Value::text) != Some(kinds::APPLICATION) {
            continue;
        }
        let none = Map::new();
        let properties = resource.get("Properties").and_then(Value::map).unwrap_or(&none);
        if let Err(refusal) = application::check_location(cx, properties) {
            refused.push(Refused { id: id.to_owned(), around: resource.origin(), refusal });
        }
    }
}

/// Returns what each serverless resource becomes; nothing when the whole template is refused, at the first such reason.
fn translate_all(cx: &mut Context, refused: &mut Vec<Refused>) -> Option<Vec<(String, Vec<Resource>)>> {
    let mut wanted: Vec<(&'static Kind, String)> = Vec::new();
    for (id, resource) in cx.resources.iter() {
        let kind = resource.get("Type").and_then(Value::text).and_then(kinds::find);
        let is_refused = || refused.iter().any(|refused| refused.id == id);
        if let Some(kind) = kind.filter(|kind| kind.name != kinds::APPLICATION || !is_refused()) {
            wanted.push((kind, id.to_owned()));
        }
    }
    // The translator visits resources in the order of its dictionary.
    let order = openapi::ordered(&cx.resources);
    let order: FxHashMap<String, usize> = order.into_iter().enumerate().map(|(place, id)| (id, place)).collect();
    wanted.sort_by_cached_key(|(kind, id)| (kind.rank, order.get(id).copied()));
    let mut made = Vec::new();
    for (kind, id) in wanted {
        let Some(resource) = cx.resources.get(&id).cloned() else { continue };
        let around = cx.resources.key(&id).or(resource.origin());
        match translate_one(cx, kind, &id, resource) {
            // An application of the repository stays as it is.
            Ok(resources) if resources.is_empty() => {
                cx.has_kept = true;
                cx.remark(application::not_looked_up(&id, around));
            }
            Ok(resources) => {
                for refusal in resources.iter().filter_map(|one| clashes::find(&cx.resources, &id, one)) {
                    refused.push(Refused { id: id.clone(), around, refusal });
                }
                made.push((id, resources));
            }
            Err(refusal) => {
                let is_alone = refusal.is_alone;
                if is_alone {
                    refused.clear();
                }
                refused.push(Refused { id, around, refusal });
                if is_alone {
                    return None;
                }
            }
        }
    }
    Some(made)
}

fn translate_one(cx: &mut Context, kind: &'static Kind, id: &str, resource: Value) -> Result<Vec<Resource>, Refusal> {
    let origin = resource.origin();
    let resource = resource.into_map().unwrap_or_default();
    properties::check_section(&resource)?;
    let mut own = resource.get("Properties").and_then(Value::map).cloned().unwrap_or_default();
    if !id.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(Refusal::new("Logical ids must be alphanumeric.").at(cx.resources.key(id)));
    }
    if kind.has_policies() {
        policies::expand(&mut own)?;
    }
    properties::check(kind.name, kind.properties, &own, None)?;
    let input = Input { id: id.to_owned(), resource, properties: own, origin };
    let made = (kind.translate)(cx, &input)?;
    for one in &made {
        cx.budget.spend(Size::of_resource(one), 1)?;
    }
    for one in &made {
        if let Some((property, _)) = kind.referable.iter().find(|(_, made)| *made == one.kind) {
            cx.references.add_made(id, property, &one.id);
        }
    }
    Ok(made)
}

/// Returns the section with what serverless resources become in their places. What is made replaces an authored
/// resource of its ID.
fn assemble(authored: &Map, made: Vec<(String, Vec<Resource>)>) -> Map {
    let mut made: FxHashMap<String, Vec<Resource>> = made.into_iter().collect();
    let mut resources = Map::new();
    for (id, key, resource) in authored.members() {
        let Some(becomes) = made.remove(id) else {
            if !resources.has(id) {
                resources.set_with_key(id, key, resource.clone());
            }
            continue;
        };
        for one in becomes {
            let key = key.filter(|_| one.id == id);
            let new = one.id.clone();
            resources.set_with_key(&new, key, one.into_value());
        }
    }
    resources
}

/// Replaces references in all sections, and removes the transform from its list if nothing is left for it.
fn finish(template: &mut Map, cx: &Context) {
    let references = &cx.references;
    if !references.is_empty() {
        for (_, section) in template.iter_mut() {
            references.replace(section);
        }
        if let Some(resources) = template.get_mut("Resources").and_then(Value::map_mut) {
            references.replace_dependencies(resources);
        }
    }
    let is_it = |value: &Value| value.text() == Some(SERVERLESS);
    let Some(transform) = template.get_mut("Transform").filter(|_| !cx.has_kept) else { return };
    let left = match transform.list_mut() {
        Some(items) => {
            items.retain(|item| !is_it(item));
            items.len()
        }
        None => 0,
    };
    if left == 0 {
        template.remove("Transform");
    }
}
