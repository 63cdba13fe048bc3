//! Checks of the declarations of `Fn::Map` and `Fn::Merge`: parts, names, places (reference/map-and-merge.md#map-names,
//! reference/map-and-merge.md#map-flattening, reference/map-and-merge.md#map-places, reference/map-and-merge.md#merge).

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Severity, codes, suggest};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, symbol};
use formwork_template::fill_in::Spelling;
use formwork_template::placeholder::placeholders;
use formwork_template::{Section, logical_id};

use super::declared::Collection;
use super::parts::{INDEX, Loop, VALUE};
use super::survey_state::Survey;

const MEMBERS: [&str; 6] = ["Index", "Value", "Collection", "Fragment", "Key", "When"];
const FORM: &str = "write `Fn::Map: {Collection: [a, b], Fragment: ..., Key: ...}`";

pub(super) fn error(code: Code, what: &str, sentence: &str) -> Diagnostic {
    Diagnostic::new(code, format!("{what}: `Template error: {sentence}`"))
}

impl<'f> Survey<'f> {
    /// Checks the declaration of an `Fn::Map`, whose results are entries of the section, or elements. Returns the valid
    /// names of its variables.
    pub(super) fn map_declared(&mut self, of: &Loop, of_section: bool) -> Vec<&'f str> {
        if of_section && of.key.is_none() {
            let sentence = format!(
                "Fn::Map requires the Key parameter when it generates members of the {} section",
                self.section.name()
            );
            self.refuse(
                of.id,
                error(codes::MAP_WITHOUT_KEY, "this Fn::Map has no Key, so its results have no names", &sentence)
                    .at(self.tree.span(of.site))
                    .help(format!("add a key that contains the item: `{}`", self.meant_key(of))),
            );
        }
        let names = self.map_names(of);
        if of_section {
            self.position_in_key(of);
        }
        names
    }

    /// Returns a `Key` for an `Fn::Map` without one: its variable, and the last word of the type that it generates.
    fn meant_key(&self, of: &Loop) -> String {
        let tree = self.tree;
        let variable = of.variable.and_then(|variable| tree.string(variable)).unwrap_or("Value");
        let kind = tree.get(of.fragment, symbol::TYPE).and_then(|kind| tree.string(kind));
        let last = kind.and_then(|kind| kind.rsplit("::").next()).filter(|last| logical_id::is_alphanumeric(last));
        let key = format!("${{{}}}{}", shown(variable), last.unwrap_or_default());
        if Spelling::is_json(tree, self.template.root) { format!("\"Key\": \"{key}\"") } else { format!("Key: {key}") }
    }

    pub(super) fn map_parts(&self, call: NodeId) -> Result<Loop, Box<Diagnostic>> {
        let tree = self.tree;
        let argument = tree.call(call).1;
        let unknown = tree.entries(argument).filter(|entry| !MEMBERS.contains(&tree.text(entry.key)));
        let unknown: Vec<NodeId> = unknown.map(|entry| entry.key).collect();
        if let Some(&first) = unknown.first() {
            let names: Vec<String> = unknown.iter().map(|&key| shown(tree.text(key))).collect();
            let sentence = format!("Fn::Map does not support the parameters [{}]", names.join(", "));
            let what = format!("Fn::Map does not support the key {}", names[0]);
            let diagnostic = error(codes::MAP_MEMBER, &what, &sentence).at(tree.span(first));
            return Err(Box::new(match suggest::nearest(&names[0], MEMBERS) {
                Some(near) => {
                    diagnostic.help(format!("did you mean `{near}`?")).fix("rename the key", tree.span(first), near)
                }
                None => diagnostic.help(format!("the supported keys are {}", MEMBERS.join(", "))),
            }));
        }
        Loop::map(tree, call).ok_or_else(|| {
            let missing = |name| tree.get(argument, name).is_none();
            let what = match (missing(symbol::COLLECTION), missing(symbol::FRAGMENT)) {
                (true, true) => "Fn::Map has neither a Collection nor a Fragment",
                (true, false) => "Fn::Map has no Collection",
                _ => "Fn::Map has no Fragment",
            };
            let sentence = "every Fn::Map object requires a Collection and a Fragment";
            Box::new(error(codes::MAP_PARTS, what, sentence).at(tree.span(tree.call_name(call))).help(FORM))
        })
    }

    fn map_names(&mut self, of: &Loop) -> Vec<&'f str> {
        let tree = self.tree;
        let mut names = Vec::with_capacity(2);
        for (given, default) in [(of.position, INDEX), (of.variable, VALUE)] {
            let name = given.map_or(Some(default), |node| tree.string(node));
            match name.filter(|name| logical_id::is_alphanumeric(name)) {
                Some(name) => names.push(name),
                None => self.refuse(
                    of.id,
                    error(
                        codes::MAP_NAME,
                        &format!("the {default} of Fn::Map is not alphanumeric"),
                        "Fn::Map Index and Value must be alphanumeric strings",
                    )
                    .at(tree.span(given.unwrap_or(of.site)))
                    .help(format!("write a literal name: `{default}: Item`")),
                ),
            }
        }
        if let [index, value] = names.as_slice()
            && index == value
        {
            let sentence = format!("Fn::Map Index and Value must be different names: [{index}]");
            let at = of.variable.or(of.position).unwrap_or(of.id);
            self.refuse(
                of.id,
                error(codes::MAP_SAME_NAME, &format!("both variables of Fn::Map are named {index}"), &sentence)
                    .at(tree.span(at))
                    .help("choose another name for one of them"),
            );
        }
        for (name, given) in names.iter().zip([of.position, of.variable]) {
            self.map_name_clash(of, name, given);
        }
        names
    }

    fn map_name_clash(&mut self, of: &Loop, name: &str, given: Option<NodeId>) {
        let tree = self.tree;
        let parameter = self.parameter(name);
        let resource = self.member(Section::Resources, name);
        let (other, what, label) = match (parameter, resource, self.loop_of(name)) {
            (Some(key), ..) => (key, "a parameter", "the parameter"),
            (_, Some(key), _) => (key, "a logical ID", "the resource"),
            (.., Some(outer)) => (outer, "the variable of an enclosing loop", "the enclosing loop"),
            _ => return,
        };
        let at = tree.span(given.unwrap_or(of.site));
        let member = if name == INDEX { INDEX } else { VALUE };
        if given.is_none() && parameter.is_none() && resource.is_none() {
            self.declared.found.push(
                Diagnostic::new(
                    codes::MAP_NAME_CLASH,
                    format!("the variable {name} shadows the one of the enclosing loop"),
                )
                .severity(Severity::Warning)
                .at(at)
                .related(tree.span(other), label)
                .note("the default names are Index and Value; in the inner loop they refer to its own item")
                .help(format!("name it: `{member}: Inner{member}`")),
            );
            return;
        }
        let sentence = format!(
            "Fn::Map variable name [{name}] conflicts with a Parameter, a Resource or an enclosing loop variable"
        );
        let advice = if given.is_none() {
            format!("{name} is the default name: use another one, `{member}: Item`")
        } else {
            "choose another name".to_owned()
        };
        self.refuse(
            of.id,
            error(codes::MAP_NAME_CLASH, &format!("the variable name {name} is also {what}"), &sentence)
                .at(at)
                .related(tree.span(other), label)
                .help(advice),
        );
    }

    /// Warns of logical IDs with the position of an item: they move to another resource when an item is inserted before
    /// it.
    fn position_in_key(&mut self, of: &Loop) {
        let tree = self.tree;
        let Some(key) = of.key else { return };
        let (index, value) = of.variables(tree);
        let index = index.unwrap_or(INDEX);
        let text = match tree.view(key) {
            View::String(text) => text,
            View::Call(Function::Known(Known::Sub), argument) => tree.text(argument),
            _ => return,
        };
        let uses = |name: &str| placeholders(text).any(|found| found.names(name) != (false, false));
        let from_parameter = tree.argument_of(of.collection, Known::Ref).is_some();
        if from_parameter && uses(index) && !uses(value) {
            self.declared.found.push(
                Diagnostic::new(
                    codes::POSITION_IN_KEY,
                    format!("these names depend only on the position of the item, by ${{{index}}}"),
                )
                .at(tree.span(key))
                .label("does not contain the item")
                .note("inserting an item renumbers those after it, and CloudFormation then replaces their resources")
                .help(format!("use the item: `${{{value}}}`, or `&{{{value}}}` for its letters and digits")),
            );
        }
    }

    pub(super) fn siblings(&mut self, key: NodeId) {
        self.refuse(
            key,
            error(
                codes::MAP_SIBLINGS,
                "this Fn::Map is not the only key of its object",
                "Fn::Map must be the only key of its object; use Fn::Merge to combine its result with other keys",
            )
            .at(self.tree.span(key))
            .help("write `Fn::Merge: [{Fn::Map: ...}]` instead"),
        );
    }

    pub(super) fn map_misplaced(&mut self, name: NodeId, known: Known, place: &str) {
        let sentence = format!("{} is not supported in the {} block of the template", known.long(), shown(place));
        self.refuse(
            name,
            error(codes::MAP_PLACE, &format!("{} is not allowed in {}", known.long(), shown(place)), &sentence)
                .at(self.tree.span(name))
                .help("it is allowed in Resources, Outputs and Conditions: write the result literally here"),
        );
    }

    /// Checks the place of `Fn::Range` and `Fn::Zip`, which generate lists for loops.
    pub(super) fn list_function(&mut self, call: NodeId, known: Known) {
        let at = self.tree.span(self.tree.call_name(call));
        match self.collection {
            Collection::Full => {}
            Collection::Plain => self.declared.found.push(
                Diagnostic::new(
                    codes::COLLECTION,
                    format!(
                        "{} in Fn::ForEach needs the Formwork transform: `Could not find a collection or could not be resolved for Fn::ForEach`",
                        known.long()
                    ),
                )
                .at(at)
                .note("CloudFormation does not have this function")
                .help("add `Formwork` to Transform, or loop with `Fn::Map`"),
            ),
            Collection::None => self.declared.found.push(
                Diagnostic::new(
                    codes::FUNCTION_NOT_ALLOWED,
                    format!("{} is used outside the collection of a loop", known.long()),
                )
                .at(at)
                .help("use it as the Collection of `Fn::Map`, or write the list literally"),
            ),
        }
    }
}
