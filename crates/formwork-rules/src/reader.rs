//! Reading rules: their structure and the layout of their functions (reference/rules.md#structure,
//! reference/rules.md#functions). Every error is reported, not only the first.

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Diagnostics, FileId, Severity, codes, suggest};
use formwork_syntax::function::{Known, loop_name};
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View};
use formwork_template::Template;

use super::expression::{Expression, ExpressionKind};
use super::functions;
use super::model::{Assertion, Rule};
use super::unsupported;

pub(crate) struct Reader<'r> {
    pub(crate) tree: &'r Tree,
    pub(crate) template: &'r Template,
    pub(crate) diagnostics: &'r mut Diagnostics,
    pub(crate) failed: bool,
    /// The sentence of the expression around the current one.
    pub(crate) requirement: String,
}

impl Reader<'_> {
    /// Reads the valid rules of a section.
    pub(crate) fn section(&mut self, section: NodeId, file: FileId) -> Vec<Rule> {
        let entries: Vec<_> = self.tree.entries(section).collect();
        // Loops and functions in the place of a rule are reported as unsupported.
        let is_taken = |entry: &&Entry| {
            loop_name(self.tree.text(entry.key)).is_none() && !unsupported::is_unsupported(self.tree, entry.value)
        };
        let entries: Vec<Entry> = entries.iter().filter(is_taken).copied().collect();
        entries.iter().filter_map(|entry| self.rule(entry.key, entry.value, file)).collect()
    }

    fn rule(&mut self, key: NodeId, node: NodeId, file: FileId) -> Option<Rule> {
        let name = self.tree.text(key).to_owned();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            let name = shown(&name);
            let message =
                format!("the name of rule {name} is not alphanumeric: `Rule name {name} is non alphanumeric.`");
            self.structure(key, message, "use only letters, digits and underscores");
        }
        if self.tree.kind(node) != Kind::Map {
            self.no_assertions(&name, key);
            return None;
        }
        if let Some(slip) = self.slip(node, "Assertions") {
            self.misspelt_assertions(&name, slip);
            return None;
        }
        // An assertion beside the condition, without its list, is reported as that.
        let is_lone = |name: &str| name == "Assert" && self.tree.get_text(node, "Assertions").is_none();
        let others: Vec<Entry> = self.tree.entries(node).filter(|entry| !is_lone(self.tree.text(entry.key))).collect();
        for entry in others {
            if !["RuleCondition", "Assertions"].contains(&self.tree.text(entry.key)) {
                self.unknown_member(entry.key, "a rule", "RuleCondition and Assertions");
            }
        }
        let condition = self.tree.get_text(node, "RuleCondition");
        let condition = condition.map(|node| self.within_boolean("RuleCondition", |reader| reader.expression(node)));
        let list = self.tree.get_text(node, "Assertions");
        if list.is_some_and(|list| unsupported::is_unsupported(self.tree, list)) {
            return None;
        }
        let list = list.filter(|&list| self.tree.kind(list) == Kind::List);
        let Some(items) = list.map(|list| self.tree.items(list).to_vec()).filter(|items| !items.is_empty()) else {
            match self.tree.get_text(node, "Assertions") {
                Some(one) if self.tree.kind(one) == Kind::Map && self.tree.get_text(one, "Assert").is_some() => {
                    self.one_assertion(&name, one);
                }
                _ => self.no_assertions(&name, key),
            }
            return None;
        };
        let assertions: Vec<Option<Assertion>> =
            items.iter().enumerate().map(|(at, &item)| self.assertion(&name, at, item)).collect();
        let assertions = assertions.into_iter().collect::<Option<Vec<_>>>()?;
        let condition = match condition {
            Some(condition) => Some(condition?),
            None => None,
        };
        Some(Rule { name, key, file, condition, assertions })
    }

    fn assertion(&mut self, rule: &str, at: usize, node: NodeId) -> Option<Assertion> {
        if unsupported::is_unsupported(self.tree, node) {
            return None;
        }
        let assert = self.tree.get_text(node, "Assert").filter(|_| self.tree.kind(node) == Kind::Map);
        let Some(assert) = assert else {
            let rule = shown(rule);
            let message = format!(
                "assertion {at} of rule {rule} has no Assert: `Template format error: [/Rules/{rule}/Assertions/{at}] Every assertion must contain an Assert member.`"
            );
            match self.slip(node, "Assert") {
                Some(slip) => self.structure(slip, message, "did you mean `Assert`?"),
                None => self.structure(node, message, "write `Assert:` with an expression that is true or false"),
            }
            return None;
        };
        for entry in self.tree.entries(node).collect::<Vec<_>>() {
            if !["Assert", "AssertDescription"].contains(&self.tree.text(entry.key)) {
                self.unknown_member(entry.key, "an assertion", "Assert and AssertDescription");
            }
        }
        let description = self.tree.get_text(node, "AssertDescription");
        let description = description.and_then(|node| {
            if self.tree.is_scalar(node) && self.tree.kind(node) != Kind::Null {
                return Some(self.tree.text_form(node).to_owned());
            }
            if !unsupported::is_unsupported(self.tree, node) {
                self.structure(node, "AssertDescription is not a string".to_owned(), "write a string");
            }
            None
        });
        let expression = self.within_boolean("Assert", |reader| reader.expression(assert))?;
        Some(Assertion { assert: expression, description, span: self.tree.span(assert) })
    }

    pub(crate) fn expression(&mut self, node: NodeId) -> Option<Expression> {
        let kind = match self.tree.view(node) {
            View::Bool(truth) => Some(ExpressionKind::Truth(truth)),
            View::List(items) => self.members(items),
            View::Call(Function::Known(function), argument) => self.call(function, node, argument),
            // Reported as a function that is not supported.
            View::Call(..) => None,
            View::Map => self.object(node),
            View::Null => {
                self.structure(node, "a rule contains null".to_owned(), "write a value or a function");
                None
            }
            _ => Some(ExpressionKind::Text(self.tree.text_form(node).to_owned())),
        };
        kind.map(|kind| Expression { node, kind })
    }

    /// Reads all expressions, also after an error in one of them.
    pub(crate) fn expressions(&mut self, nodes: &[NodeId]) -> Option<Vec<Expression>> {
        let read: Vec<Option<Expression>> = nodes.iter().map(|&node| self.expression(node)).collect();
        read.into_iter().collect()
    }

    /// Reads elements of a literal list: literals and references.
    fn members(&mut self, items: &[NodeId]) -> Option<ExpressionKind> {
        let mut sound = true;
        for &item in items {
            let is_member = self.tree.is_scalar(item) || self.tree.argument_of(item, Known::Ref).is_some();
            if !is_member && self.tree.kind(item) != Kind::Null && !unsupported::is_unsupported(self.tree, item) {
                let message = format!("an element of this list is not a string: `{}`", self.requirement);
                self.structure(item, message, "write strings, and `Ref` to parameters that hold one string");
                sound = false;
            }
        }
        self.expressions(items).filter(|_| sound).map(ExpressionKind::List)
    }

    fn object(&mut self, node: NodeId) -> Option<ExpressionKind> {
        let names: Vec<String> = self.tree.entries(node).map(|entry| shown(self.tree.text(entry.key))).collect();
        // A condition by its long name is reported as a function that is not supported.
        if names == ["Condition"] {
            return None;
        }
        let sentence =
            format!("Template error: a rule expression must be a single function, found keys [{}]", names.join(", "));
        let message = format!("the value is not a rule expression: `{sentence}`");
        self.structure(node, message, "write one function, such as `Fn::Equals: [...]`");
        None
    }

    fn call(&mut self, function: Known, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
        match function {
            Known::And => functions::junction::read(self, call, argument, ("Fn::And", ExpressionKind::And)),
            Known::Or => functions::junction::read(self, call, argument, ("Fn::Or", ExpressionKind::Or)),
            Known::Not => functions::not::read(self, call, argument),
            Known::Equals => functions::equals::read(self, call, argument),
            Known::Contains => functions::contains::read(self, call, argument),
            Known::EachMemberEquals => functions::each_member_equals::read(self, call, argument),
            Known::EachMemberIn => functions::each_member_in::read(self, call, argument),
            Known::RefAll => functions::ref_all::read(self, call, argument),
            Known::ValueOf => functions::value_of::read(self, call, argument),
            Known::ValueOfAll => functions::value_of_all::read(self, call, argument),
            Known::Ref => functions::reference::read(self, call, argument),
            // Reported as a function that is not supported.
            _ => None,
        }
    }

    pub(crate) fn operands(&self, argument: NodeId) -> Option<Vec<NodeId>> {
        (self.tree.kind(argument) == Kind::List).then(|| self.tree.items(argument).to_vec())
    }

    pub(crate) fn two_texts(&self, argument: NodeId) -> Option<[NodeId; 2]> {
        let operands = self.operands(argument)?;
        let pair: [NodeId; 2] = operands.try_into().ok()?;
        pair.iter().all(|&node| self.tree.string(node).is_some()).then_some(pair)
    }

    pub(crate) fn pair(
        &mut self,
        call: NodeId,
        argument: NodeId,
        function: &str,
        requires: &str,
    ) -> Option<Box<[Expression; 2]>> {
        let Some(&[left, right]) = self.operands(argument).as_deref() else {
            self.layout(call, function, requires);
            return None;
        };
        let requirement = format!("Template error: every {function} object {requires}.");
        let [left, right] = self.within(requirement, |reader| [left, right].map(|node| reader.expression(node)));
        Some(Box::new([left?, right?]))
    }

    /// Reads the operands of an expression whose requirement is this sentence.
    pub(crate) fn within<T>(&mut self, requirement: String, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.requirement, requirement);
        let result = read(self);
        self.requirement = outer;
        result
    }

    pub(crate) fn within_boolean<T>(&mut self, of: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.within(boolean(of), read)
    }

    /// Returns `true` if an argument is, or is a list with, a function that Rules do not support: that is reported, so
    /// its layout is not reported again.
    pub(crate) fn is_unsupported(&self, argument: NodeId) -> bool {
        let is_unsupported = |node| unsupported::is_unsupported(self.tree, node);
        is_unsupported(argument) || self.tree.items(argument).iter().any(|&item| is_unsupported(item))
    }

    /// Reports arguments that a function does not take. Returns `None`.
    pub(crate) fn layout(&mut self, call: NodeId, function: &str, requires: &str) -> Option<ExpressionKind> {
        if unsupported::is_unsupported(self.tree, self.tree.call(call).1) {
            return None;
        }
        let sentence = format!("Template error: every {function} object {requires}.");
        let message = format!("the arguments of {function} are not well-formed: `{sentence}`");
        let help = format!("every {function} {requires}");
        self.error(codes::FUNCTION_LAYOUT, call, message, &help)
    }

    /// Reports an error. Returns `None`.
    pub(crate) fn error(&mut self, code: Code, node: NodeId, message: String, help: &str) -> Option<ExpressionKind> {
        self.failed = true;
        let diagnostic = Diagnostic::new(code, message).at(self.tree.span(node)).help(help);
        self.diagnostics.push(diagnostic.severity(Severity::Error));
        None
    }

    fn structure(&mut self, node: NodeId, message: String, help: &str) {
        self.error(codes::RULES_STRUCTURE, node, message, help);
    }

    fn no_assertions(&mut self, rule: &str, key: NodeId) {
        let help = "write `Assertions:` with a list of `Assert` and `AssertDescription`";
        self.structure(key, without_assertions(rule), help);
    }

    fn one_assertion(&mut self, rule: &str, node: NodeId) {
        let message = without_assertions(rule).replacen("has no Assertions", "has Assertions that are not a list", 1);
        self.structure(node, message, "write a list: begin the assertion with `- `");
    }

    fn misspelt_assertions(&mut self, rule: &str, slip: NodeId) {
        self.structure(slip, without_assertions(rule), "did you mean `Assertions`?");
    }

    /// Returns the key of an object that is nearly a name, where the name is missing.
    fn slip(&self, node: NodeId, name: &str) -> Option<NodeId> {
        if self.tree.kind(node) != Kind::Map || self.tree.get_text(node, name).is_some() {
            return None;
        }
        let mut keys = self.tree.entries(node).map(|entry| entry.key);
        keys.find(|&key| suggest::nearest(self.tree.text(key), [name]).is_some())
    }

    fn unknown_member(&mut self, key: NodeId, of: &str, known: &str) {
        let name = shown(self.tree.text(key));
        let mut diagnostic = Diagnostic::new(
            codes::RULES_STRUCTURE,
            format!("{of} does not have the key {name}, and CloudFormation ignores it"),
        )
        .severity(Severity::Warning)
        .at(self.tree.span(key))
        .note(format!("the keys are {known}"));
        // `Condition` and `Description` have longer names here.
        let ends_so = |full: &&str| full.len() > name.len() && full.ends_with(&name) && name.len() > 3;
        let near = suggest::nearest(&name, known.split(" and ")).or_else(|| known.split(" and ").find(ends_so));
        // Without its condition a rule holds for all values, which is never intended.
        if near == Some("RuleCondition") && name != "Condition" {
            diagnostic = diagnostic.severity(Severity::Error);
        }
        diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
                "change the name",
                self.tree.span(key),
                near.to_owned(),
            ),
            None => diagnostic.help("remove it"),
        };
        self.diagnostics.push(diagnostic);
    }
}

pub(crate) fn boolean(of: &str) -> String {
    format!("Template error: every parameter of {of} must evaluate to true or false")
}

fn without_assertions(rule: &str) -> String {
    let rule = shown(rule);
    format!(
        "rule {rule} has no Assertions: `Template format error: [/Rules/{rule}] Every Rules object must contain an Assertions list.`"
    )
}
