//! `Fn::Sub` (reference/modules/references.md#sub): variables of the file become texts, references of
//! the result, or variables of a map.

use formwork_base::{codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Style, View};
use formwork_template::sub_string::{self, Filled, Part};

use super::Linker;
use super::evaluate::Value;
use super::goals::Made;
use super::instance::InstanceId;
use super::path;
use super::reference::{Found, Inserted};

/// The text that is built.
struct Builder {
    text: Filled,
    variables: Vec<(String, NodeId)>,
    /// Values that went into it.
    parts: Vec<Inserted>,
    is_changed: bool,
}

/// The call that is worked on.
#[derive(Clone, Copy)]
struct Sub {
    call: NodeId,
    argument: NodeId,
    text: NodeId,
    map: Option<NodeId>,
    scope: InstanceId,
}

impl Linker<'_> {
    pub(super) fn evaluate_sub(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let (text_node, map) = match (self.tree.kind(argument), self.tree.items(argument)) {
            (Kind::String, _) => (argument, None),
            (Kind::List, &[text, map]) if self.tree.kind(text) == Kind::String && self.tree.kind(map) == Kind::Map => {
                (text, Some(map))
            }
            _ => return self.evaluate_other(node, scope),
        };
        let sub = Sub { call: node, argument, text: text_node, map, scope };
        let text = self.tree.text(text_node).to_owned();
        let mut builder =
            Builder { text: Filled::default(), variables: Vec::new(), parts: Vec::new(), is_changed: false };
        for entry in map.map_or_else(Vec::new, |map| self.tree.entries(map).collect()) {
            let value = self.evaluate_kept(entry.value, scope)?;
            builder.is_changed |= value != entry.value;
            builder.variables.push((self.tree.text(entry.key).to_owned(), value));
        }
        let mut constants = self.constants_in(node, text_node).into_iter().peekable();
        let mut end = 0;
        for part in sub_string::parts(&text) {
            end += part.written_len();
            while let Some(used) = constants.next_if(|used| used.offset < end) {
                builder.parts.push(used.inserted);
            }
            match part {
                Part::Text(text) if text.starts_with("${") && self.folds(scope) => {
                    let message = "a variable has no closing brace: `invalid string, unclosed variable`";
                    let help = "add `}`, or write `$` alone for the character";
                    let diagnostic = self
                        .fault(codes::SUB_VARIABLE, text_node, message, help)
                        .note(format!("`{}` has no closing brace", shown(text)));
                    return self.wrong(scope, diagnostic);
                }
                Part::Variable(written) => self.variable(written, sub, &mut builder)?,
                part => builder.text.push(part),
            }
        }
        builder.parts.extend(constants.map(|used| used.inserted));
        let is_text = map.is_none() && builder.text.open == 0;
        // A body's text is computed behind this stage, where a call around it may stay as it is written.
        let is_done = builder.is_changed || is_text && self.folds(scope) && !self.modes.is_body;
        let call = if is_done { self.built(sub, &mut builder, is_text)? } else { node };
        // Constant variables of a map go into the text.
        Ok(if map.is_some() && self.folds(scope) { self.folded_sub(call, scope) } else { Some(call) })
    }

    fn folded_sub(&mut self, call: NodeId, scope: InstanceId) -> Option<NodeId> {
        let text_of = |linker: &Self, node: NodeId| {
            let argument = linker.tree.argument_of(node, Known::Sub)?;
            Some(linker.tree.items(argument).first().copied().unwrap_or(argument))
        };
        let parts = text_of(self, call).and_then(|text| self.result.parts.get(&text).cloned());
        let value = self.fold(call, scope);
        if let (Some(parts), Some(made)) = (parts, value)
            && made != call
        {
            let text = text_of(self, made).unwrap_or(made);
            self.result.parts.insert(text, parts);
        }
        value
    }

    /// Adds what a variable becomes.
    fn variable(&mut self, written: &str, sub: Sub, builder: &mut Builder) -> Made<()> {
        let Sub { text: text_node, map, scope, .. } = sub;
        let name = written.trim();
        if map.is_some_and(|map| self.tree.get_text(map, name).is_some()) {
            builder.is_changed |= name != written;
            builder.text.push(Part::Variable(name));
            return Ok(());
        }
        if name.starts_with("AWS::") {
            builder.text.push(Part::Variable(written));
            return Ok(());
        }
        let found = self.look_up(&path::parse(name), scope, text_node)?;
        match found {
            Found::Nothing => builder.text.push(Part::Variable(written)),
            Found::One(target) => {
                let text = target.written();
                builder.is_changed |= text != written;
                builder.text.push(Part::Variable(&text));
            }
            Found::Value(value, kind, symbol) => {
                self.check_decided(value, path::parse(name).head, name, text_node, scope)?;
                builder.is_changed = true;
                builder.parts.push(Inserted { kind, name: symbol, value });
                return self.insert(value, name, sub, builder);
            }
            Found::Many(_) => return self.no_text("a list", name, text_node, scope),
        }
        Ok(())
    }

    /// Adds a value of the result to the text.
    fn insert(&mut self, value: NodeId, name: &str, sub: Sub, builder: &mut Builder) -> Made<()> {
        let Sub { call, text: text_node, map, scope, .. } = sub;
        if self.tree.is_scalar(value) {
            builder.text.push_value(self.tree.text_form(value));
            return Ok(());
        }
        let View::Call(..) = self.tree.view(value) else {
            let what = super::report::kind_words(self.tree, value);
            return self.no_text(&what, name, text_node, scope);
        };
        if let Some(target) = self.tree.argument_of(value, Known::Ref).and_then(|target| self.tree.string(target)) {
            builder.text.push(Part::Variable(target));
            return Ok(());
        }
        if let Some(argument) = self.tree.argument_of(value, Known::GetAtt)
            && let Some((id, Some(attribute), _)) = formwork_template::reference::get_att(self.tree, argument)
        {
            builder.text.push(Part::Variable(&[id, ".", attribute].concat()));
            return Ok(());
        }
        if let Some(text) = self.tree.argument_of(value, Known::Sub).and_then(|text| self.tree.string(text)) {
            for part in sub_string::parts(text) {
                builder.text.push(part);
            }
            return Ok(());
        }
        // Any other function becomes a variable of its own.
        let base: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let is_taken = |name: &str, builder: &Builder| {
            builder.variables.iter().any(|(known, _)| known == name)
                || map.is_some_and(|map| self.tree.get_text(map, name).is_some())
        };
        let same = builder.variables.iter().find(|(_, known)| *known == value).map(|(name, _)| name.clone());
        let variable = same.unwrap_or_else(|| {
            let mut variable = base.clone();
            let mut number = 1;
            while variable.is_empty() || is_taken(&variable, builder) {
                variable = format!("{base}Value{number}");
                number += 1;
            }
            variable
        });
        if !builder.variables.iter().any(|(known, _)| *known == variable) {
            let frame = self.frame_at(call, scope);
            let placed = self.tree.stand_in(value, call, frame);
            builder.variables.push((variable.clone(), placed));
        }
        builder.text.push(Part::Variable(&variable));
        Ok(())
    }

    fn no_text(&mut self, what: &str, name: &str, text_node: NodeId, scope: InstanceId) -> Made<()> {
        let import = self.scope_name(scope);
        let message = format!("{} is {what}: `Sub expected a string in {}`", shown(name), shown(&import));
        let help = "name a member of it, or use the value outside Fn::Sub";
        let diagnostic =
            self.fault(codes::SUB_VARIABLE, text_node, message, help).note("only a text can stand inside a text");
        self.wrong(scope, diagnostic)
    }

    fn note_parts(&mut self, made: NodeId, builder: &mut Builder) {
        if !builder.parts.is_empty() {
            self.result.parts.insert(made, std::mem::take(&mut builder.parts));
        }
    }

    fn built(&mut self, sub: Sub, builder: &mut Builder, is_text: bool) -> Made<NodeId> {
        let Sub { call: node, argument, text: text_node, map, scope } = sub;
        let text = std::mem::take(if is_text { &mut builder.text.plain } else { &mut builder.text.kept });
        self.charge(text.len(), node, scope)?;
        let frame = self.frame(scope);
        if is_text {
            let made = self.text_in_place(node, &text, frame);
            self.note_parts(made, builder);
            return Ok(made);
        }
        let made = self.text_in_place(text_node, &text, frame);
        self.note_parts(made, builder);
        if builder.variables.is_empty() {
            return Ok(self.call_in_place(node, made, frame));
        }
        let inner = self.frame_within(node, frame);
        let mut entries: Vec<Entry> = Vec::with_capacity(builder.variables.len());
        for (name, value) in &builder.variables {
            let key = map.and_then(|map| self.tree.symbols().get(name).and_then(|name| self.tree.member(map, name)));
            let key = key
                .map_or_else(|| self.tree.key(name, Style::Plain, Origin::Generated(node, inner)), |entry| entry.key);
            entries.push(Entry { key, value: *value });
        }
        let map = match map {
            Some(map) => self.map_in_place(map, &entries, frame),
            None => self.tree.map(&entries, Style::Plain, Origin::Generated(node, inner)),
        };
        let list = match self.tree.kind(argument) {
            Kind::List => self.list_in_place(argument, &[made, map], frame),
            _ => self.tree.list(&[made, map], Style::Plain, Origin::Generated(argument, inner)),
        };
        Ok(self.call_in_place(node, list, frame))
    }
}
