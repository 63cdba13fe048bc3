//! Checks of `ParameterSchema` (reference/modules/parameters.md#schema), which restricts the values of a module's
//! parameters.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_evaluate::{Dialect, Match, Pattern};
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Symbol, symbol};

use super::Linker;
use super::instance::InstanceId;
use super::stop::{Resolved, unless_wrong};

/// Keywords of a schema besides `Properties`, for messages.
const KEYWORDS: &str = "Type, Description, Default, Enum, MinLength, MaxLength, Pattern, Minimum, Maximum, \
    ExclusiveMinimum, ExclusiveMaximum, MinItems, MaxItems, Items, Required";
const TYPES: [&str; 5] = ["String", "Number", "Boolean", "Object", "Array"];

const KEYWORDS_OF_TYPES: [(&str, &[&str]); 4] = [
    ("String", &["MinLength", "MaxLength", "Pattern"]),
    ("Number", &["Minimum", "Maximum", "ExclusiveMinimum", "ExclusiveMaximum"]),
    ("Array", &["MinItems", "MaxItems", "Items"]),
    ("Object", &["Required", "Properties"]),
];

/// A keyword with a bound of a number, the required relation between the number and the bound, and its notation.
type Limit = (&'static str, fn(&f64, &f64) -> bool, &'static str);

const NUMBERS: [Limit; 4] = [
    ("Minimum", f64::ge, "Number >= {}"),
    ("Maximum", f64::le, "Number <= {}"),
    ("ExclusiveMinimum", f64::gt, "Number > {}"),
    ("ExclusiveMaximum", f64::lt, "Number < {}"),
];
const LENGTHS: [Limit; 2] =
    [("MinLength", f64::ge, "String with minimum length {}"), ("MaxLength", f64::le, "String with maximum length {}")];
const COUNTS: [Limit; 2] =
    [("MinItems", f64::ge, "Array with minimum {} items"), ("MaxItems", f64::le, "Array with maximum {} items")];

#[derive(Clone, Copy)]
struct ValueContext<'p> {
    scope: InstanceId,
    /// The place where the value was passed; the schema's entry otherwise.
    at: NodeId,
    path: &'p str,
    depth: usize,
    /// Set for values that are checked: defaults are not, nor anything in an invalid value.
    is_checked: bool,
}

impl Linker<'_> {
    /// Binds every parameter that the schema of an instance's file describes, used or not.
    pub(super) fn check_schema(&mut self, scope: InstanceId) -> Resolved<()> {
        let Some(section) = self.written_section(scope, "ParameterSchema") else { return Ok(()) };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            unless_wrong(self.binding(scope, self.tree.symbol(entry.key)))?;
        }
        Ok(())
    }

    pub(super) fn check_schema_keywords(&mut self, scope: InstanceId) {
        if let Some(section) = self.written_section(scope, "ParameterSchema") {
            self.check_keywords_below(section, scope, 0);
        }
    }

    /// Checks the value of a parameter by the module's schema, and applies the schema's defaults and conversions.
    pub(super) fn by_schema(&mut self, given: Option<NodeId>, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        let schema = self.written_section(scope, "ParameterSchema").and_then(|section| self.tree.member(section, name));
        let Some(entry) = schema else { return given };
        let default = self.declared_default(scope, name);
        let own_default = self.tree.get(entry.value, symbol::DEFAULT);
        let value = given.or_else(|| default.filter(|_| own_default.is_none()));
        let path = self.tree.name(name).to_owned();
        let at = self.property(scope, name).map_or(entry.key, |property| property.key);
        let fitted =
            self.fitted(value, entry.value, ValueContext { scope, at, path: &path, depth: 0, is_checked: true });
        self.warn_of_two_defaults(entry, default, scope);
        fitted
    }

    fn warn_of_two_defaults(&mut self, entry: Entry, default: Option<NodeId>, scope: InstanceId) {
        let (Some(own), Some(other)) = (self.tree.get(entry.value, symbol::DEFAULT), default) else { return };
        if self.tree.same_data(own, other) {
            return;
        }
        let message = format!("{} has two Defaults: the one in the schema is used", shown(self.tree.text(entry.key)));
        let diagnostic = self
            .error(codes::SECTION_IGNORED, other, message, "remove one of them")
            .related(self.tree.span(own), "this one is used");
        self.report(scope, diagnostic);
    }

    fn check_keywords_below(&mut self, schemas: NodeId, scope: InstanceId, depth: usize) {
        for entry in self.tree.entries(schemas).collect::<Vec<_>>() {
            self.check_keywords(entry.value, scope, depth);
        }
    }

    fn check_keywords(&mut self, schema: NodeId, scope: InstanceId, depth: usize) {
        if depth > self.limits.depth {
            return;
        }
        match self.tree.get(schema, symbol::TYPE) {
            None => {
                if let Some(diagnostic) = self.check_types_of_keywords(schema) {
                    self.report(scope, diagnostic);
                }
            }
            Some(kind) => self.warn_of_keywords_of_others(schema, kind, scope),
        }
        for Entry { key, value } in self.tree.entries(schema).collect::<Vec<_>>() {
            let word = self.tree.text(key).to_owned();
            let (at, message, help) = match word.as_str() {
                "Properties" => {
                    self.check_keywords_below(value, scope, depth + 1);
                    continue;
                }
                "Items" => {
                    self.check_keywords(value, scope, depth + 1);
                    continue;
                }
                "Type" if !TYPES.contains(&self.tree.text(value)) => {
                    let message = format!("unknown type {} in a schema", shown(self.tree.text(value)));
                    (value, message, format!("valid types are {}", TYPES.join(", ")))
                }
                "Pattern" => match Pattern::error(self.tree.text(value), Dialect::Python) {
                    None => continue,
                    Some(why) => {
                        let help = "correct it; it must match from the start of the value".to_owned();
                        (value, format!("this Pattern is not a regular expression: {why}"), help)
                    }
                },
                word if KEYWORDS.split(", ").all(|known| known != word) => {
                    let otherwise = format!("valid keywords are {KEYWORDS}, Properties");
                    let help = self.advice(word, KEYWORDS.split(", "), &otherwise);
                    (key, format!("unknown keyword {} in a schema", shown(word)), help)
                }
                _ => continue,
            };
            self.report(scope, self.error(codes::SCHEMA, at, message, help));
        }
    }

    /// Checks a value by a schema, and applies the schema's defaults and conversions, at any depth.
    fn fitted(&mut self, value: Option<NodeId>, schema: NodeId, place: ValueContext<'_>) -> Option<NodeId> {
        let given = value.filter(|&node| self.tree.kind(node) != Kind::Null);
        let value = given.or_else(|| self.tree.get(schema, symbol::DEFAULT))?;
        if place.depth > self.limits.depth {
            return Some(value);
        }
        let is_checked = place.is_checked && given.is_some() && self.check_value(value, schema, place);
        let below = ValueContext { depth: place.depth + 1, is_checked, ..place };
        let (style, frame) = (self.tree.style(value), self.tree.frame_of(value));
        Some(match self.tree.kind(value) {
            Kind::String => match boolean(self.tree.text(value)) {
                Some(truth) if self.type_of(schema) == "Boolean" => {
                    let origin = Origin::Authored(self.tree.span(value));
                    self.tree.scalar(Kind::Bool, Style::Plain, if truth { "true" } else { "false" }, origin)
                }
                _ => value,
            },
            Kind::Map => {
                let mut entries: Vec<Entry> = self.tree.entries(value).collect();
                let properties = self.tree.get(schema, symbol::PROPERTIES);
                for member in properties.map_or_else(Vec::new, |node| self.tree.entries(node).collect()) {
                    let name = self.tree.symbol(member.key);
                    let at = self.tree.position(value, name);
                    let path = format!("{}.{}", place.path, self.tree.name(name));
                    let own = at.map(|at| entries[at].value);
                    let Some(made) = self.fitted(own, member.value, ValueContext { path: &path, ..below }) else {
                        continue;
                    };
                    match at {
                        Some(at) => entries[at].value = made,
                        None => entries.push(Entry { key: member.key, value: made }),
                    }
                }
                if self.tree.entries(value).eq(entries.iter().copied()) {
                    return Some(value);
                }
                self.tree.map(&entries, style, Origin::Generated(value, frame))
            }
            Kind::List => {
                let Some(schema) = self.tree.get_text(schema, "Items") else { return Some(value) };
                let mut items = self.tree.items(value).to_vec();
                for (index, item) in items.iter_mut().enumerate() {
                    let path = format!("{}[{index}]", place.path);
                    *item = self.fitted(Some(*item), schema, ValueContext { path: &path, ..below }).unwrap_or(*item);
                }
                self.tree.with_children(value, &items, frame)
            }
            _ => value,
        })
    }

    fn check_value(&mut self, value: NodeId, schema: NodeId, place: ValueContext<'_>) -> bool {
        let unmet = if self.tree.kind(value) == Kind::Call { Ok(Vec::new()) } else { self.unmet(value, schema) };
        let is_sound = unmet.is_ok();
        for expected in unmet.unwrap_or_else(|expected| vec![expected]) {
            self.violation(&expected, value, place);
        }
        if is_sound && self.tree.is_scalar(value) && self.type_of(schema) != "Number" {
            self.check_pattern(value, schema, place);
        }
        is_sound
    }

    fn check_pattern(&mut self, value: NodeId, schema: NodeId, place: ValueContext<'_>) {
        let Some(pattern) = self.tree.get_text(schema, "Pattern") else { return };
        match self.values.schema_rules.matches(self.tree, pattern, value) {
            Match::Yes => {}
            Match::No => {
                let expected = format!("String matching pattern '{}'", self.tree.text(pattern));
                self.violation(&expected, value, place);
            }
            Match::Unknown(why) => {
                let message = format!("the Pattern of {} cannot be checked: {why}", shown(place.path));
                let at = if self.tree.span(value).is_none() { place.at } else { value };
                let diagnostic = self
                    .error(
                        codes::PATTERN_UNCHECKED,
                        at,
                        message,
                        "use only character classes, groups and repetitions that are not inside of each other",
                    )
                    .related(self.tree.span(pattern), "the pattern");
                self.report(place.scope, diagnostic);
            }
        }
    }

    /// Returns the expectations of a schema that a value does not meet. A value of another type, or that is not one of
    /// the choices, is an error without further expectations.
    fn unmet(&mut self, value: NodeId, schema: NodeId) -> Result<Vec<String>, String> {
        let choices = self.tree.get_text(schema, "Enum");
        let is_choice = choices.is_none_or(|choices| self.values.schema_rules.is_choice(self.tree, choices, value));
        let (tree, kind, expected) = (&*self.tree, self.tree.kind(value), self.type_of(schema));
        if !self.is_of_type(value, expected) {
            return Err(expected.to_owned());
        }
        let items = |keyword| tree.get_text(schema, keyword).map(|node| tree.items(node));
        if !is_choice {
            let list = items("Enum").unwrap_or_default().iter().map(|&choice| tree.text_form(choice));
            return Err(format!("One of [{}]", list.collect::<Vec<_>>().join(", ")));
        }
        let is_number = expected == "Number";
        let (own, limits): (f64, &[Limit]) = match kind {
            Kind::List => (tree.len(value) as f64, &COUNTS),
            Kind::Map => (0.0, &[]),
            _ if is_number => (number(tree.text_form(value)).unwrap_or_default(), &NUMBERS),
            _ => (tree.text_form(value).chars().count() as f64, &LENGTHS),
        };
        let beyond = limits.iter().filter_map(|&(keyword, holds, sentence)| {
            let limit = tree.text(tree.get_text(schema, keyword)?);
            (!holds(&own, &number(limit)?)).then(|| sentence.replace("{}", limit))
        });
        let mut unmet: Vec<String> = beyond.collect();
        if kind == Kind::Map {
            let names = items("Required").unwrap_or_default().iter().map(|&name| tree.text(name));
            let missing = names.filter(|name| tree.get_text(value, name).is_none());
            unmet.extend(missing.map(|name| format!("Object with required property '{name}'")));
        }
        Ok(unmet)
    }

    /// Returns the type of a schema: the written one, else that of its keywords.
    fn type_of(&self, schema: NodeId) -> &str {
        match self.tree.get(schema, symbol::TYPE) {
            Some(node) => self.tree.text(node),
            None => self.types_of_keywords(schema).next().map_or("", |(name, _)| name),
        }
    }

    /// Returns the types of the keywords of a schema, each with the first of these keywords.
    fn types_of_keywords(&self, schema: NodeId) -> impl Iterator<Item = (&'static str, NodeId)> {
        KEYWORDS_OF_TYPES.into_iter().filter_map(move |(name, words)| {
            let mut keys = self.tree.entries(schema).map(|entry| entry.key);
            keys.find(|&key| words.contains(&self.tree.text(key))).map(|key| (name, key))
        })
    }

    /// Reports a schema without a type whose keywords are for values of different types.
    fn check_types_of_keywords(&self, schema: NodeId) -> Option<Diagnostic> {
        let found: Vec<_> = self.types_of_keywords(schema).take(2).collect();
        let &[(one, first), (other, second)] = found.as_slice() else { return None };
        let words = [first, second].map(|key| shown(self.tree.text(key)));
        let message = format!("a schema without Type has {} for {one} and {} for {other}", words[0], words[1]);
        let help = format!("write `Type: {one}` or `Type: {other}`, and remove the keywords of the other");
        Some(self.error(codes::SCHEMA, second, message, help).related(self.tree.span(first), "the other keyword"))
    }

    /// Warns of keywords that have no effect on values of the type of the schema.
    fn warn_of_keywords_of_others(&mut self, schema: NodeId, kind: NodeId, scope: InstanceId) {
        let own = self.tree.text(kind).to_owned();
        if !TYPES.contains(&own.as_str()) {
            return;
        }
        for key in self.tree.entries(schema).map(|entry| entry.key).collect::<Vec<_>>() {
            let word = self.tree.text(key);
            let of = KEYWORDS_OF_TYPES.iter().find(|(_, words)| words.contains(&word));
            let Some((of, _)) = of.filter(|(of, _)| *of != own) else { continue };
            let message = format!("{} has no effect in a schema of type {own}", shown(word));
            let help = format!("write `Type: {of}`, or remove the keyword");
            self.report(scope, self.error(codes::SECTION_IGNORED, key, message, help));
        }
    }

    fn is_of_type(&self, value: NodeId, expected: &str) -> bool {
        let kind = self.tree.kind(value);
        match expected {
            "String" => self.tree.is_scalar(value),
            "Number" => self.tree.is_scalar(value) && number(self.tree.text_form(value)).is_some(),
            "Boolean" => kind == Kind::Bool || kind == Kind::String && boolean(self.tree.text(value)).is_some(),
            "Object" => kind == Kind::Map,
            "Array" => kind == Kind::List,
            _ => true,
        }
    }

    fn violation(&mut self, expected: &str, value: NodeId, place: ValueContext<'_>) {
        let line = self.sources.place(self.tree.span(place.at)).map_or(0, |place| place.line);
        let received = match self.tree.kind(value) {
            Kind::Map => "Object".to_owned(),
            Kind::List => format!("Array with {} items", self.tree.len(value)),
            _ => shown(self.tree.text_form(value)),
        };
        let import = shown(self.import_name(place.scope));
        let (path, expected) = (shown(place.path), shown(expected));
        let message = format!(
            "a value does not match the schema of the module: `Parameter validation failed for module '{import}' at line {line}: Parameter '{path}' expected {expected}, received {received}`"
        );
        let at = if self.tree.span(value).is_none() { place.at } else { value };
        let help = "pass a value that matches the module's ParameterSchema";
        self.report(place.scope, self.error(codes::SCHEMA, at, message, help));
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}
