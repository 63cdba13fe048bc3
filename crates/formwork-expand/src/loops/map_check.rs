//! `Fn::Map` and `Fn::Merge` as they are declared: parts, names, places
//! (reference/map-and-merge.md#map-names, reference/map-and-merge.md#map-flattening,
//! reference/map-and-merge.md#map-places, reference/map-and-merge.md#merge).

use formwork_base::{Code, Diagnostic, Severity, codes, suggest};
use formwork_evaluate::Evaluator;
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, symbol};
use formwork_template::placeholder::placeholders;
use formwork_template::{Section, logical_id};

use super::check::{Around, Checker, Collection};
use super::parts::{INDEX, MapParts, VALUE};

const MEMBERS: [&str; 6] = ["Index", "Value", "Collection", "Fragment", "Key", "When"];
const FORM: &str = "write `Fn::Map: {Collection: [a, b], Fragment: ..., Key: ...}`";

/// A fault of an `Fn::Map` or `Fn::Merge`, with its sentence.
pub(super) fn fault(code: Code, what: &str, sentence: &str) -> Diagnostic {
    Diagnostic::new(code, format!("{what}: `Template error: {sentence}`"))
}

impl Checker<'_> {
    /// An `Fn::Map`, whose members or items go where `members_of` says.
    pub(super) fn fn_map(&mut self, ev: &Evaluator<'_>, call: NodeId, members_of: Option<Section>, section: Section) {
        let tree = &*ev.tree;
        let argument = tree.call(call).1;
        let depth = self.deeper(tree.call_name(call), true);
        let parts = self.map_parts(tree, call, argument);
        let Some(parts) = parts else {
            self.bad.insert(call);
            return;
        };
        if let (Some(section), None) = (members_of, parts.key) {
            let sentence = format!(
                "Fn::Map requires the Key parameter when it generates members of the {} section",
                section.name()
            );
            self.refuse(
                call,
                fault(codes::MAP_WITHOUT_KEY, "this Fn::Map has no Key, so its items have no names", &sentence)
                    .at(tree.span(tree.call_name(call)))
                    .help("add `Key: !Sub \"Name${Value}\"`"),
            );
        }
        let names = self.map_names(ev, call, &parts);
        let outer = std::mem::replace(&mut self.collection, Collection::Full);
        self.map(ev, parts.collection, None, section);
        self.collection = Collection::None;
        if members_of.is_some() {
            self.position_in_key(tree, &parts);
        }
        self.declared_names.extend(names.iter().cloned());
        self.around.push(Around { key: tree.call_name(call), name: None, identifiers: names });
        debug_assert_eq!(self.around.len(), depth);
        for part in [parts.key, parts.when, Some(parts.fragment)].into_iter().flatten() {
            self.map(ev, part, None, section);
        }
        self.around.pop();
        self.collection = outer;
    }

    fn map_parts(&mut self, tree: &Tree, call: NodeId, argument: NodeId) -> Option<MapParts> {
        let at = tree.span(tree.call_name(call));
        let unknown: Vec<Entry> = match tree.kind(argument) {
            Kind::Map => tree.entries(argument).filter(|entry| !MEMBERS.contains(&tree.text(entry.key))).collect(),
            _ => Vec::new(),
        };
        if let Some(&first) = unknown.first() {
            let names: Vec<String> = unknown.iter().map(|entry| shown(tree.text(entry.key))).collect();
            let sentence = format!("Fn::Map does not support the parameters [{}]", names.join(", "));
            let what = format!("Fn::Map has no member {}", names[0]);
            let mut diagnostic = fault(codes::MAP_MEMBER, &what, &sentence).at(tree.span(first.key));
            diagnostic = match suggest::nearest(&names[0], MEMBERS) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
                    "rename the member",
                    tree.span(first.key),
                    near,
                ),
                None => diagnostic.help(format!("its members are {}", MEMBERS.join(", "))),
            };
            self.found.push(diagnostic);
            return None;
        }
        let parts = MapParts::read(tree, argument);
        if parts.is_none() {
            let missing = |name| match tree.kind(argument) {
                Kind::Map => tree.get(argument, name).is_none(),
                _ => true,
            };
            let what = match (missing(symbol::COLLECTION), missing(symbol::FRAGMENT)) {
                (true, true) => "Fn::Map has neither a Collection nor a Fragment",
                (true, false) => "Fn::Map has no Collection",
                _ => "Fn::Map has no Fragment",
            };
            let sentence = "every Fn::Map object requires a Collection and a Fragment";
            self.found.push(fault(codes::MAP_PARTS, what, sentence).at(at).help(FORM));
        }
        parts
    }

    /// The names of the two variables, checked.
    fn map_names(&mut self, ev: &Evaluator<'_>, call: NodeId, parts: &MapParts) -> Vec<String> {
        let tree = &*ev.tree;
        let mut names = Vec::with_capacity(2);
        for (given, default) in [(parts.index, INDEX), (parts.value, VALUE)] {
            let Some(node) = given else {
                names.push(default.to_owned());
                continue;
            };
            match tree.string(node).filter(|name| logical_id::is_alphanumeric(name)) {
                Some(name) => names.push(name.to_owned()),
                None => self.refuse(
                    call,
                    fault(
                        codes::MAP_NAME,
                        &format!("the {default} of Fn::Map is no name of letters and digits"),
                        "Fn::Map Index and Value must be alphanumeric strings",
                    )
                    .at(tree.span(node))
                    .help(format!("write a literal name: `{default}: Item`")),
                ),
            }
        }
        if let [index, value] = names.as_slice()
            && index == value
        {
            let sentence = format!("Fn::Map Index and Value must be different names: [{index}]");
            let at = parts.value.or(parts.index).unwrap_or(call);
            self.refuse(
                call,
                fault(codes::MAP_SAME_NAME, &format!("both variables of Fn::Map are called {index}"), &sentence)
                    .at(tree.span(at))
                    .help("give one of them another name"),
            );
        }
        for (name, given) in names.iter().zip([parts.index, parts.value]) {
            self.map_name_clash(ev, call, name, given);
        }
        names
    }

    fn map_name_clash(&mut self, ev: &Evaluator<'_>, call: NodeId, name: &str, given: Option<NodeId>) {
        let tree = &*ev.tree;
        let parameter = ev.template.parameters.iter().find(|parameter| tree.name(parameter.name) == name);
        let resource = self.member(tree, Section::Resources, name);
        let around = self.around.iter().find(|outer| outer.identifiers.iter().any(|known| known == name));
        let (other, what, label) = match (parameter, resource, around) {
            (Some(parameter), ..) => (parameter.key, "a parameter", "the parameter"),
            (_, Some(key), _) => (key, "a logical id", "the resource"),
            (.., Some(outer)) => (outer.key, "that of a loop around it", "the loop around it"),
            _ => return,
        };
        let at = tree.span(given.unwrap_or(tree.call_name(call)));
        let member = if name == INDEX { INDEX } else { VALUE };
        if given.is_none() && parameter.is_none() && resource.is_none() {
            self.found.push(
                Diagnostic::new(codes::MAP_NAME_CLASH, format!("the variable {name} hides that of the loop around it"))
                    .severity(Severity::Warning)
                    .at(at)
                    .related(tree.span(other), label)
                    .note("the default names are Index and Value; inside, they are those of the inner loop")
                    .help(format!("name it: `{member}: Inner{member}`")),
            );
            return;
        }
        let sentence = format!(
            "Fn::Map variable name [{name}] conflicts with a Parameter, a Resource or an enclosing loop variable"
        );
        let advice = if given.is_none() {
            format!("{name} is the default name: give the variable another one, `{member}: Item`")
        } else {
            "choose another name".to_owned()
        };
        self.refuse(
            call,
            fault(codes::MAP_NAME_CLASH, &format!("the variable name {name} is {what}"), &sentence)
                .at(at)
                .related(tree.span(other), label)
                .help(advice),
        );
    }

    /// Logical ids that follow the position of an item move to another resource when an item is put
    /// in front of it.
    fn position_in_key(&mut self, tree: &Tree, parts: &MapParts) {
        let Some(key) = parts.key else { return };
        let (index, value) = parts.names(tree);
        let text = match tree.view(key) {
            View::String(text) => text,
            View::Call(Function::Known(Known::Sub), argument) => tree.text(argument),
            _ => return,
        };
        let uses = |name: &str| placeholders(text).any(|found| found.names(name) != (false, false));
        let from_parameter = tree.argument_of(parts.collection, Known::Ref).is_some();
        if from_parameter && uses(index) && !uses(value) {
            self.found.push(
                Diagnostic::new(
                    codes::POSITION_IN_KEY,
                    format!("these names follow the position of the item, by ${{{index}}} alone"),
                )
                .at(tree.span(key))
                .label("has no part of the item")
                .note("an item that is put in front renumbers the others, and the service replaces their resources")
                .help(format!("use the item: `${{{value}}}`, or `&{{{value}}}` for its letters and digits")),
            );
        }
    }

    /// `Fn::Merge`: its operands.
    pub(super) fn fn_merge(
        &mut self,
        ev: &Evaluator<'_>,
        argument: NodeId,
        members_of: Option<Section>,
        section: Section,
    ) {
        let tree = &*ev.tree;
        match tree.kind(argument) {
            Kind::List => {
                for &operand in tree.items(argument) {
                    match tree.view(operand) {
                        View::Map => self.members(ev, operand, members_of, section),
                        _ => self.map(ev, operand, members_of, section),
                    }
                }
            }
            Kind::Call => self.map(ev, argument, members_of, section),
            _ => {}
        }
    }

    /// `Fn::Map` as one of several members.
    pub(super) fn siblings(&mut self, tree: &Tree, key: NodeId) {
        self.refuse(
            key,
            fault(
                codes::MAP_SIBLINGS,
                "this Fn::Map stands beside other keys",
                "Fn::Map must be the only key of its object; use Fn::Merge to combine its result with other keys",
            )
            .at(tree.span(key))
            .help("write `Fn::Merge: [{Fn::Map: ...}]` in its place"),
        );
    }

    /// `Fn::Map` or `Fn::Merge` in a section that takes none.
    pub(super) fn map_misplaced(&mut self, tree: &Tree, name: NodeId, known: Known, place: &str) {
        let sentence = format!("{} is not supported in the {} block of the template", known.long(), shown(place));
        self.refuse(
            name,
            fault(codes::MAP_PLACE, &format!("{} stands in {}", known.long(), shown(place)), &sentence)
                .at(tree.span(name))
                .help("it works in Resources, Outputs and Conditions: write the result out here"),
        );
    }

    /// `Fn::Range` and `Fn::Zip` make lists for loops.
    pub(super) fn list_function(&mut self, tree: &Tree, call: NodeId, known: Known) {
        let at = tree.span(tree.call_name(call));
        match self.collection {
            Collection::Full => {}
            Collection::Plain => self.found.push(
                Diagnostic::new(
                    codes::COLLECTION,
                    format!(
                        "{} in Fn::ForEach needs a declaration: `Could not find a collection or could not be resolved for Fn::ForEach`",
                        known.long()
                    ),
                )
                .at(at)
                .note("the service does not know the function")
                .help("add `Formwork` to Transform, or loop with `Fn::Map`"),
            ),
            Collection::None => self.found.push(
                Diagnostic::new(
                    codes::FUNCTION_NOT_ALLOWED,
                    format!("{} stands outside of a loop's collection", known.long()),
                )
                .at(at)
                .help("use it as the Collection of `Fn::Map`, or write the list out"),
            ),
        }
    }

    /// A fault of something that then is not unrolled.
    fn refuse(&mut self, node: NodeId, diagnostic: Diagnostic) {
        self.bad.insert(node);
        self.found.push(diagnostic);
    }
}
