//! Functions in places that CloudFormation ignores or rejects (reference/functions.md#literal-places;
//! reference/structure.md#function-places).

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Severity, Span, codes};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, FrameId, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::Section;
use formwork_template::reference;
use rustc_hash::FxHashSet;

use super::calls_in::{CallIn, calls_in};
use super::exports::SENTENCE as EXPORT_SENTENCE;
use crate::Context;

/// Checks the template as written, loop bodies included: the functions that a place takes do not depend on loop
/// variables.
pub(super) fn check(cx: &mut Context<'_>) {
    let runs_at_service = cx.language_extensions && !cx.template.declares_formwork();
    document(cx, cx.template.root, FrameId::NONE, runs_at_service);
    // Documents that are assembled from files are computed early: each is checked by itself, too.
    for &(root, frame) in cx.written.map_or(&[][..], |written| written.documents) {
        document(cx, root, frame, false);
    }
}

fn document(cx: &mut Context<'_>, root: NodeId, frame: FrameId, runs_at_service: bool) {
    for section in [Section::Conditions, Section::Resources, Section::Outputs] {
        // The outputs of a module are values wherever they are used.
        if section == Section::Outputs && !frame.is_none() {
            continue;
        }
        let Some(node) = cx.tree.get(root, section.symbol()) else { continue };
        if !cx.tree.has(node, flags::HAS_PLACED) {
            continue;
        }
        let mut walker = Walker { cx, root, section, runs_at_service, identifiers: Vec::new(), found: Vec::new() };
        walker.members(
            node,
            Surroundings { in_loop: false, outer: None, attribute: None, in_import: false, export: None },
        );
        let frames = cx.tree.frame_chain(frame);
        for (diagnostic, severity) in walker.found {
            let diagnostic = if frames.is_empty() { diagnostic } else { diagnostic.frames(frames.clone()) };
            cx.push(diagnostic, severity);
        }
    }
}

#[derive(Clone, Copy)]
struct Surroundings {
    in_loop: bool,
    /// The innermost function around it that does not take every value.
    outer: Option<Known>,
    /// The attribute of a resource that it is part of, unless that is `Properties`.
    attribute: Option<NodeId>,
    in_import: bool,
    /// The output whose `Export` it is part of.
    export: Option<NodeId>,
}

struct Walker<'w, 'c> {
    cx: &'w Context<'c>,
    root: NodeId,
    section: Section,
    /// Set if CloudFormation sees the loops of the template as they are written.
    runs_at_service: bool,
    identifiers: Vec<NodeId>,
    found: Vec<(Diagnostic, Severity)>,
}

impl Walker<'_, '_> {
    fn members(&mut self, node: NodeId, around: Surroundings) {
        for entry in self.cx.tree.entries(node) {
            if self.cx.is_cancelled() {
                return;
            }
            if let Some(fragment) = self.fragment(entry) {
                self.collection(entry.value, around);
                self.identifiers.extend(self.cx.tree.items(entry.value).first());
                self.members(fragment, Surroundings { in_loop: true, ..around });
                self.identifiers.pop();
            } else if self.section == Section::Outputs && self.cx.tree.kind(entry.value) == Kind::Map {
                self.output(entry, around);
            } else if self.cx.written.is_some_and(|written| written.changed.contains(&entry.key)) {
                // It is checked as it is in the result, if it is there.
            } else if self.section == Section::Resources && self.cx.tree.kind(entry.value) == Kind::Map {
                for attribute in self.cx.tree.entries(entry.value) {
                    let in_properties = self.cx.tree.symbol(attribute.key) == symbol::PROPERTIES;
                    self.walk(
                        attribute.value,
                        Surroundings { attribute: (!in_properties).then_some(attribute.key), ..around },
                    );
                }
            } else {
                self.walk(entry.value, around);
            }
        }
        if self.cx.tree.kind(node) != Kind::Map {
            self.walk(node, around);
        }
    }

    fn output(&mut self, output: Entry, around: Surroundings) {
        let tree = self.cx.tree;
        for entry in tree.entries(output.value) {
            let export = (tree.symbol(entry.key) == symbol::EXPORT).then_some(output.key);
            let in_value = tree.symbol(entry.key) == symbol::VALUE || export.is_some();
            self.walk(entry.value, Surroundings { export, attribute: (!in_value).then_some(entry.key), ..around });
        }
    }

    fn fragment(&self, entry: Entry) -> Option<NodeId> {
        let tree = self.cx.tree;
        function::loop_name(tree.text(entry.key))?;
        match *tree.items(entry.value) {
            [_, _, fragment] => Some(fragment),
            _ => None,
        }
    }

    fn collection(&mut self, parts: NodeId, around: Surroundings) {
        if let &[_, collection, _] = self.cx.tree.items(parts) {
            self.walk(collection, around);
        }
    }

    fn walk(&mut self, node: NodeId, around: Surroundings) {
        let tree = self.cx.tree;
        if !tree.has(node, flags::HAS_PLACED) {
            return;
        }
        match tree.view(node) {
            View::List(items) => {
                for &item in items {
                    self.walk(item, around);
                }
            }
            View::Map => {
                if let Some(name) = tree.get(node, symbol::CONDITION).filter(|_| self.section == Section::Conditions) {
                    self.condition_reference(name, around);
                }
                for entry in tree.entries(node) {
                    match self.fragment(entry) {
                        Some(fragment) => {
                            self.collection(entry.value, around);
                            self.identifiers.extend(tree.items(entry.value).first());
                            self.walk(fragment, Surroundings { in_loop: true, ..around });
                            self.identifiers.pop();
                        }
                        None => self.walk(entry.value, around),
                    }
                }
            }
            View::Call(Function::Known(known), argument) => self.call(node, known, argument, around),
            // The parameters of an unknown function are not checked.
            View::Call(Function::Other(_), argument) => self.walk(argument, around),
            _ => {}
        }
    }

    fn call(&mut self, node: NodeId, known: Known, argument: NodeId, around: Surroundings) {
        let tree = self.cx.tree;
        match known {
            // The parameters of a macro are not checked.
            Known::Transform => return,
            Known::GetStackOutput => self.get_stack_output(node, around),
            Known::ImportValue => self.import_value(node, around),
            Known::Condition if self.section == Section::Conditions => self.condition_reference(argument, around),
            Known::GetAZs if around.in_import => self.refuse_import(node, "contains Fn::GetAZs"),
            Known::If => {
                if let &[name, ref branches @ ..] = tree.items(argument) {
                    self.condition_name(name, around);
                    for &branch in branches {
                        self.walk(branch, around);
                    }
                    return;
                }
            }
            _ => {}
        }
        let outer = match known {
            Known::ImportValue | Known::Split | Known::Cidr | Known::GetAZs | Known::GetAtt | Known::Ref => Some(known),
            _ => around.outer,
        };
        let in_import = around.in_import || known == Known::ImportValue;
        self.walk(argument, Surroundings { outer, in_import, ..around });
    }

    /// Returns `true` if the name of a condition takes a variable of a loop that CloudFormation runs: it is checked as
    /// written, before variables are replaced. Other names are checked where they are evaluated.
    fn takes_item(&self, name: NodeId, around: Surroundings) -> bool {
        let tree = self.cx.tree;
        if !around.in_loop || !self.runs_at_service || tree.kind(name) != Kind::Call {
            return false;
        }
        let mut takes_item = false;
        reference::visit(tree, name, &mut |_| true, &mut |reference| {
            takes_item |= self.identifiers.iter().any(|&identifier| tree.text(identifier) == reference.name);
        });
        takes_item
    }

    fn computed_condition(&self, code: Code, title: &str, name: NodeId, sentence: &str) -> Diagnostic {
        Diagnostic::titled(code, title.to_owned())
            .at(self.cx.tree.span(name))
            .quoting(&formwork_evaluate::transform_sentence(sentence))
            .note("the name is checked as written, before loop variables are replaced")
    }

    fn condition_name(&mut self, name: NodeId, around: Surroundings) {
        if self.takes_item(name, around) {
            let title = "the condition of Fn::If is a function, not a literal string";
            let diagnostic = self
                .computed_condition(codes::FUNCTION_LAYOUT, title, name, "Fn::If layout is incorrect")
                .help("write the name of a condition as a literal string")
                .help("look up a value that differs by item: `Fn::FindInMap: [Map, {Ref: Identifier}, Key]`");
            self.found.push((diagnostic, Severity::Error));
        }
    }

    /// Checks the name in `Condition: name` of a condition. A generated name is valid, so that `expand` writes it.
    fn condition_reference(&mut self, name: NodeId, around: Surroundings) {
        if self.takes_item(name, around) {
            let title = "the name in a Condition is a function, not a literal string";
            let diagnostic = self
                .computed_condition(codes::CONDITION_LAYOUT, title, name, "Condition layout is incorrect")
                .help("compare the values here, with `Fn::Equals`, in the place of the name")
                .help("or keep the loop for Formwork alone: `formwork expand` writes the names that it generates");
            self.found.push((diagnostic, self.cx.as_written()));
        }
    }

    fn get_stack_output(&mut self, node: NodeId, around: Surroundings) {
        let tree = self.cx.tree;
        let name = |node: NodeId| shown(tree.text(node));
        let (where_, sentence) = match (self.section, around) {
            (Section::Conditions, _) => {
                ("in Conditions".to_owned(), Some("Cannot use Fn::GetStackOutput in Conditions"))
            }
            (_, Surroundings { in_import: true, .. }) => {
                return self.refuse_import(node, "contains Fn::GetStackOutput");
            }
            (_, Surroundings { export: Some(output), .. }) => {
                (format!("in the export name of output {}", name(output)), Some(EXPORT_SENTENCE))
            }
            (_, Surroundings { outer: Some(outer), .. }) => (format!("inside {}", outer.long()), None),
            (_, Surroundings { attribute: Some(attribute), .. }) => {
                (format!("in the attribute {}", name(attribute)), None)
            }
            _ => return,
        };
        let diagnostic =
            Diagnostic::new(codes::FUNCTION_NOT_ALLOWED, format!("Fn::GetStackOutput is not allowed {where_}"))
                .at(tree.span(node));
        let diagnostic = match sentence {
            Some(sentence) => diagnostic.quoting(sentence),
            None => diagnostic.note(
                "it is allowed in properties and output values, also inside Fn::Join, Fn::If, Fn::Select, Fn::Base64 and variables of Fn::Sub",
            ),
        };
        let diagnostic = diagnostic.help("use it in a property, or pass the value in a parameter");
        self.found.push((diagnostic, self.cx.as_written()));
    }

    fn import_value(&mut self, node: NodeId, around: Surroundings) {
        if self.section == Section::Conditions {
            let diagnostic = Diagnostic::new(
                codes::FUNCTION_NOT_ALLOWED,
                "Fn::ImportValue is not allowed in Conditions: `Template error: Cannot use Fn::ImportValue in Conditions.`",
            )
            .at(self.cx.tree.span(node))
            .note("conditions are evaluated before exports of other stacks are read")
            .help("pass the value in a parameter");
            self.found.push((diagnostic, self.cx.as_written()));
        } else if around.in_import {
            self.refuse_import(node, "contains Fn::ImportValue");
        } else {
            self.import_of_resource(node);
        }
    }

    fn import_of_resource(&mut self, node: NodeId) {
        let tree = self.cx.tree;
        // Resources of the template, with generated ones.
        let unrolled = (self.root == self.cx.template.root).then_some(self.cx.unrolled);
        let roots = [Some(self.root), unrolled];
        let sections: Vec<NodeId> =
            roots.into_iter().flatten().filter_map(|root| tree.get(root, symbol::RESOURCES)).collect();
        if let Some(at) = first_reference(tree, node, &sections) {
            self.refuse_import(at, "depends on a resource");
        }
    }

    fn refuse_import(&mut self, at: NodeId, why: &str) {
        self.found.push((wrong_import(self.cx, at, why), self.cx.as_written()));
    }
}

fn wrong_import(cx: &Context<'_>, at: NodeId, why: &str) -> Diagnostic {
    Diagnostic::new(
        codes::FUNCTION_NOT_ALLOWED,
        format!("the name in Fn::ImportValue {why}: `Template error: the attribute in Fn::ImportValue must not depend on any resources, imported values, or Fn::GetAZs`"),
    )
    .at(cx.tree.span(at))
    .note("the name of an export must be known before resources are created")
    .help("use only strings, parameters and pseudo parameters in the name")
}

/// Reports generated resources, or names that loops fill in, in the names of imports. Plain ones have been reported.
pub(super) fn imports_of_generated(cx: &mut Context<'_>) {
    let tree = cx.tree;
    let Some(resources) = tree.get(cx.unrolled, symbol::RESOURCES) else { return };
    if cx.unrolled == cx.template.root {
        return;
    }
    let members = [Section::Resources, Section::Outputs].into_iter().flat_map(|section| cx.judged(section));
    let calls = calls_in(cx, Known::ImportValue, members.filter(|member| tree.has(member.value, flags::HAS_PLACED)));
    let reported = cx.diagnostics.iter().filter(|found| found.code == codes::FUNCTION_NOT_ALLOWED);
    let mut seen: FxHashSet<Span> = reported.map(Diagnostic::span).collect();
    for CallIn { member: key, call, count } in calls {
        if let Some(at) = first_reference(tree, call, &[resources])
            && seen.insert(tree.span(at))
        {
            let frames = tree.frame_chain(tree.frame_of(key));
            let diagnostic = wrong_import(cx, at, "depends on a resource").frames(frames).times(count);
            cx.push(diagnostic, cx.as_written());
        }
    }
}

/// Returns the first name at and below a node that is one of a resource in these sections.
fn first_reference(tree: &Tree, node: NodeId, sections: &[NodeId]) -> Option<NodeId> {
    let mut first = None;
    reference::visit(tree, node, &mut |_| true, &mut |reference| {
        let name = tree.symbols().get(reference.name);
        if name.is_some_and(|name| sections.iter().any(|&section| tree.get(section, name).is_some())) {
            first = first.or(Some(reference.node));
        }
    });
    first
}
