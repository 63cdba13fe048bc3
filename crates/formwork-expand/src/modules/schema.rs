//! `ParameterSchema` (reference/modules/parameters.md#schema): what values of a module's parameters must
//! be.

use fancy_regex::Regex;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, Symbol, symbol};

use super::Linker;
use super::goals::{Made, unless_wrong};
use super::instance::InstanceId;

/// Keywords of a schema.
const KEYWORDS: [&str; 15] = [
    "Type",
    "Description",
    "Default",
    "Enum",
    "MinLength",
    "MaxLength",
    "Pattern",
    "Minimum",
    "Maximum",
    "ExclusiveMinimum",
    "ExclusiveMaximum",
    "MinItems",
    "MaxItems",
    "Items",
    "Required",
];
/// Types of a schema.
const TYPES: [&str; 5] = ["String", "Number", "Boolean", "Object", "Array"];

/// A keyword that bounds a number, what has to hold between the number and the bound, and how it is written.
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

/// Where a value is looked at.
struct Place<'p> {
    scope: InstanceId,
    import: &'p str,
    /// Where the value was given; the schema's entry otherwise.
    at: NodeId,
}

impl Linker<'_> {
    /// Binds every parameter that the schema of an instance's file describes, used or not.
    pub(super) fn check_schema(&mut self, scope: InstanceId) -> Made<()> {
        let Some(section) = self.written_section(scope, "ParameterSchema") else { return Ok(()) };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            unless_wrong(self.binding(scope, self.tree.symbol(entry.key)))?;
        }
        Ok(())
    }

    /// Checks the keywords of a file's schema, once.
    pub(super) fn check_schema_keywords(&mut self, scope: InstanceId) {
        let file = self.instances[scope.0].file;
        if std::mem::replace(&mut self.files[file].is_schema_checked, true) {
            return;
        }
        let Some(section) = self.written_section(scope, "ParameterSchema") else { return };
        for entry in self.tree.entries(section).collect::<Vec<_>>() {
            self.check_keywords(entry.value, scope, 0);
        }
    }

    /// The value of a parameter by the module's schema: it is checked, and gets the schema's defaults and
    /// conversions.
    pub(super) fn by_schema(&mut self, given: Option<NodeId>, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        let schema = self.written_section(scope, "ParameterSchema").and_then(|section| self.tree.member(section, name));
        let Some(entry) = schema else { return given };
        let default = self.declared_default(scope, name);
        let own_default = self.tree.get(entry.value, symbol::DEFAULT);
        let value = given.or_else(|| default.filter(|_| own_default.is_none()));
        if let Some(value) = value {
            let import = self.instances[scope.0].name.clone();
            let path = self.tree.name(name).to_owned();
            let at = self.property(scope, name).map_or(entry.key, |property| property.key);
            self.check_value(value, entry.value, &path, &Place { scope, import: &import, at }, 0);
        }
        self.warn_of_two_defaults(entry, default, scope);
        self.completed(value, entry.value, 0)
    }

    fn declared_default(&self, scope: InstanceId, name: Symbol) -> Option<NodeId> {
        let declared = self.written_section(scope, "Parameters")?;
        self.tree.get(self.tree.get(declared, name)?, symbol::DEFAULT)
    }

    fn warn_of_two_defaults(&mut self, entry: Entry, default: Option<NodeId>, scope: InstanceId) {
        let (Some(own), Some(other)) = (self.tree.get(entry.value, symbol::DEFAULT), default) else { return };
        if self.tree.same_data(own, other) {
            return;
        }
        let diagnostic = Diagnostic::new(
            codes::SECTION_IGNORED,
            format!("{} has two Defaults, that of the schema counts", shown(self.tree.text(entry.key))),
        )
        .at(self.tree.span(other))
        .related(self.tree.span(own), "this one counts")
        .help("leave one of them out");
        self.report(scope, diagnostic);
    }

    /// Keywords and types that there are.
    fn check_keywords(&mut self, schema: NodeId, scope: InstanceId, depth: usize) {
        if depth > self.limits.depth {
            return;
        }
        for entry in self.tree.entries(schema).collect::<Vec<_>>() {
            let word = self.tree.text(entry.key).to_owned();
            match word.as_str() {
                "Properties" => {
                    for member in self.tree.entries(entry.value).collect::<Vec<_>>() {
                        self.check_keywords(member.value, scope, depth + 1);
                    }
                }
                "Items" => self.check_keywords(entry.value, scope, depth + 1),
                "Type" if !TYPES.contains(&self.tree.text(entry.value)) => {
                    let kind = shown(self.tree.text(entry.value));
                    let diagnostic = Diagnostic::new(codes::SCHEMA, format!("a schema knows no type {kind}"))
                        .at(self.tree.span(entry.value))
                        .help(format!("write one of: {}", TYPES.join(", ")));
                    self.report(scope, diagnostic);
                }
                "Pattern" => {
                    if let Err(why) = Regex::new(self.tree.text(entry.value)) {
                        let diagnostic =
                            Diagnostic::new(codes::SCHEMA, format!("this Pattern is no regular expression: {why}"))
                                .at(self.tree.span(entry.value))
                                .help("correct it; it is matched at the start of the value");
                        self.report(scope, diagnostic);
                    }
                }
                word if !KEYWORDS.contains(&word) => {
                    let diagnostic =
                        Diagnostic::new(codes::SCHEMA, format!("a schema knows no keyword {}", shown(word)))
                            .at(self.tree.span(entry.key));
                    let otherwise = format!("there are: {}, Properties", KEYWORDS.join(", "));
                    self.report(scope, self.with_suggestion(diagnostic, word, KEYWORDS, otherwise));
                }
                _ => {}
            }
        }
    }

    fn check_value(&mut self, value: NodeId, schema: NodeId, path: &str, place: &Place<'_>, depth: usize) {
        let kind = self.tree.kind(value);
        if matches!(kind, Kind::Null | Kind::Call) || depth > self.limits.depth {
            return;
        }
        let expected = self.tree.get(schema, symbol::TYPE).map(|node| self.tree.text(node).to_owned());
        if let Some(expected) = &expected
            && !self.is_of_type(value, expected)
        {
            return self.violation(path, expected, value, place);
        }
        if let Some(choices) = self.tree.get_text(schema, "Enum") {
            let choices = self.tree.items(choices).to_vec();
            let text = |node: NodeId| self.tree.text_form(node);
            let is_one = choices.iter().any(|&choice| {
                self.tree.is_scalar(choice) && self.tree.is_scalar(value) && text(choice) == text(value)
                    || self.tree.same_data(choice, value)
            });
            if !is_one {
                let list: Vec<&str> = choices.iter().map(|&choice| text(choice)).collect();
                let what = format!("One of [{}]", list.join(", "));
                return self.violation(path, &what, value, place);
            }
        }
        match kind {
            Kind::List => self.check_items(value, schema, path, place, depth),
            Kind::Map => self.check_members(value, schema, path, place, depth),
            _ if expected.as_deref() == Some("Number") => {
                let own = number(self.tree.text_form(value)).unwrap_or_default();
                self.check_bounds(own, &NUMBERS, value, schema, path, place);
            }
            _ => self.check_text(value, schema, path, place),
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

    /// Checks the number `own` against the bounds of a schema that limit what `value` is.
    fn check_bounds(
        &mut self,
        own: f64,
        limits: &[Limit],
        value: NodeId,
        schema: NodeId,
        path: &str,
        place: &Place<'_>,
    ) {
        for &(keyword, holds, sentence) in limits {
            let Some(node) = self.tree.get_text(schema, keyword) else { continue };
            let text = self.tree.text(node).to_owned();
            if number(&text).is_some_and(|bound| !holds(&own, &bound)) {
                self.violation(path, &sentence.replace("{}", &text), value, place);
            }
        }
    }

    fn check_text(&mut self, value: NodeId, schema: NodeId, path: &str, place: &Place<'_>) {
        let text = self.tree.text_form(value).to_owned();
        self.check_bounds(text.chars().count() as f64, &LENGTHS, value, schema, path, place);
        if let Some(pattern) = self.tree.get_text(schema, "Pattern") {
            let pattern = self.tree.text(pattern).to_owned();
            // A pattern that cannot be read was reported with the schema.
            let Ok(regex) = Regex::new(&format!("^(?:{pattern})")) else { return };
            if !regex.is_match(&text).unwrap_or(false) {
                self.violation(path, &format!("String matching pattern '{pattern}'"), value, place);
            }
        }
    }

    fn check_items(&mut self, value: NodeId, schema: NodeId, path: &str, place: &Place<'_>, depth: usize) {
        self.check_bounds(self.tree.len(value) as f64, &COUNTS, value, schema, path, place);
        let Some(items) = self.tree.get_text(schema, "Items") else { return };
        for (index, item) in self.tree.items(value).to_vec().into_iter().enumerate() {
            self.check_value(item, items, &format!("{path}[{index}]"), place, depth + 1);
        }
    }

    fn check_members(&mut self, value: NodeId, schema: NodeId, path: &str, place: &Place<'_>, depth: usize) {
        if let Some(required) = self.tree.get_text(schema, "Required") {
            for name in self.tree.items(required).to_vec() {
                let name = self.tree.text(name).to_owned();
                if self.tree.get_text(value, &name).is_none() {
                    self.violation(path, &format!("Object with required property '{name}'"), value, place);
                }
            }
        }
        let Some(properties) = self.tree.get(schema, symbol::PROPERTIES) else { return };
        for member in self.tree.entries(properties).collect::<Vec<_>>() {
            let name = self.tree.symbol(member.key);
            if let Some(own) = self.tree.get(value, name) {
                let path = format!("{path}.{}", self.tree.name(name));
                self.check_value(own, member.value, &path, place, depth + 1);
            }
        }
    }

    fn violation(&mut self, path: &str, what: &str, value: NodeId, place: &Place<'_>) {
        let line = self.sources.place(self.tree.span(place.at)).map_or(0, |place| place.line);
        let got = match self.tree.kind(value) {
            Kind::Map => "Object".to_owned(),
            Kind::List => format!("Array with {} items", self.tree.len(value)),
            _ => shown(self.tree.text_form(value)),
        };
        let message = format!(
            "a value is not what the module asks for: `Parameter validation failed for module '{}' at line {line}: Parameter '{}' expected {}, received {got}`",
            shown(place.import),
            shown(path),
            shown(what)
        );
        let mut at = self.tree.span(value);
        if at.is_none() {
            at = self.tree.span(place.at);
        }
        let diagnostic = Diagnostic::new(codes::SCHEMA, message)
            .at(at)
            .help("give the value that the module's ParameterSchema asks for");
        self.report(place.scope, diagnostic);
    }

    /// A value with the schema's defaults and conversions, at any depth.
    fn completed(&mut self, value: Option<NodeId>, schema: NodeId, depth: usize) -> Option<NodeId> {
        let value = value.filter(|&node| self.tree.kind(node) != Kind::Null);
        let value = value.or_else(|| self.tree.get(schema, symbol::DEFAULT))?;
        if depth > self.limits.depth {
            return Some(value);
        }
        Some(match self.tree.kind(value) {
            Kind::String
                if self.tree.get(schema, symbol::TYPE).is_some_and(|node| self.tree.text(node) == "Boolean") =>
            {
                match boolean(self.tree.text(value)) {
                    Some(truth) => {
                        let origin = Origin::Authored(self.tree.span(value));
                        self.tree.scalar(Kind::Bool, Style::Plain, if truth { "true" } else { "false" }, origin)
                    }
                    None => value,
                }
            }
            Kind::Map => {
                let Some(properties) = self.tree.get(schema, symbol::PROPERTIES) else { return Some(value) };
                let mut entries: Vec<Entry> = self.tree.entries(value).collect();
                let before = entries.clone();
                for member in self.tree.entries(properties).collect::<Vec<_>>() {
                    let name = self.tree.symbol(member.key);
                    let at = entries.iter().position(|entry| self.tree.symbol(entry.key) == name);
                    let own = at.map(|at| entries[at].value);
                    let Some(made) = self.completed(own, member.value, depth + 1) else { continue };
                    match at {
                        Some(at) => entries[at].value = made,
                        None => entries.push(Entry { key: member.key, value: made }),
                    }
                }
                if entries == before {
                    return Some(value);
                }
                let (style, frame) = (self.tree.style(value), self.tree.frame_of(value));
                self.tree.map(&entries, style, Origin::Generated(value, frame))
            }
            Kind::List => {
                let Some(schema) = self.tree.get_text(schema, "Items") else { return Some(value) };
                let items = self.tree.items(value).to_vec();
                let made: Vec<NodeId> =
                    items.iter().map(|&item| self.completed(Some(item), schema, depth + 1).unwrap_or(item)).collect();
                if made == items {
                    return Some(value);
                }
                let (style, frame) = (self.tree.style(value), self.tree.frame_of(value));
                self.tree.list(&made, style, Origin::Generated(value, frame))
            }
            _ => value,
        })
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
