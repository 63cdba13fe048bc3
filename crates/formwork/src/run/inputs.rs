//! The inputs of a run besides modules and includes: the template, files of parameter values, account data.

use std::ops::Range;

use formwork_base::display::shown;
use formwork_base::{Diagnostic, FileBytes, FileId, Goal, Severity, Span, VirtualPath, codes};
use formwork_evaluate::{AccountData, Argument, ValueSource, arguments};
use formwork_syntax::files::Loaded;
use formwork_syntax::{Document, Kind, NodeId, Origin, Role, Style, decode};
use formwork_template::kind_of_file::{is_meant_as_template, sentences};
use formwork_template::other_files::other_file;
use formwork_template::{PseudoParameter, Template};

use super::Run;
use super::known::Known;
use crate::options::{Configuration, ParameterValue, SourceFile};
use crate::secrets;

impl Run<'_> {
    pub(crate) fn region_of_accounts(mut self) -> Option<String> {
        let facts = self.facts();
        let region = facts.pseudo.iter().find(|(name, _)| *name == PseudoParameter::Region.name());

        region.map(|&(_, value)| self.tree.text_form(value).to_owned())
    }

    /// Adds a file to the source map; `None` when it is not text or too large.
    pub(super) fn load(
        &mut self,
        name: (&VirtualPath, &str, Role),
        bytes: &FileBytes,
    ) -> Option<(FileId, decode::Encoding)> {
        let (path, limit) = (name.0, self.options.limits.file_bytes);
        if bytes.len() as u64 > limit {
            self.diagnostics.push(Diagnostic::new(
                codes::LIMIT,
                format!("{path} is too large: the limit of {limit} bytes is exceeded"),
            ));
            return None;
        }
        let Loaded { file, encoding, error } = self.files.load(&mut self.sources, name, bytes)?;
        if let Some(error) = error {
            let at = self.sources.text(file).find('\u{fffd}').unwrap_or(0) as u32 + self.sources.base(file);
            self.diagnostics
                .push(error.at(Span::new(at, at + '\u{fffd}'.len_utf8() as u32)).label("this is not a character"));
            return None;
        }
        if let Some(at) = memchr::memchr(0, self.sources.text(file).as_bytes()) {
            let start = self.sources.base(file) + at as u32;
            // It is not text at all, and may be anything.
            self.sources.hide(file);
            self.diagnostics.push(
                Diagnostic::new(codes::BAD_ENCODING, format!("{path} contains a NUL character"))
                    .at(Span::new(start, start + 1))
                    .help("remove it"),
            );
            return None;
        }
        Some((file, encoding))
    }

    pub(super) fn parse(&mut self, file: FileId) -> Document {
        self.files.parse(&mut self.tree, &self.sources, file, &self.options.limits, &mut self.diagnostics)
    }

    /// Returns `true` if a file is not meant to be a template: then the report quotes nothing of it, whoever named it.
    pub(super) fn is_of_another_kind(&mut self, document: &Document) -> bool {
        let file = document.file;
        let other = other_file(&self.tree, document.root, self.sources.text(file));
        if other.is_none() && is_meant_as_template(&self.tree, document, self.sources.text(file)) {
            return false;
        }
        let found = std::mem::take(&mut self.diagnostics);
        let sentence = sentences(&found);
        let is_here = |one: &&Diagnostic| self.sources.file_of(one.span()) == Some(file);
        let first = found.iter().find(is_here).map(Diagnostic::span);
        let place = first.unwrap_or_else(|| self.tree.span(document.root)).at_start();
        for other in found.iter().filter(|one| !is_here(one)) {
            self.diagnostics.push(other.clone());
        }
        let (code, message, sentence) = if !document.is_well_formed {
            (codes::NOT_WELL_FORMED, "this is neither well-formed nor a template", sentence)
        } else if self.tree.kind(document.root) == Kind::Map {
            let sentence = "`Template format error: At least one Resources member must be defined.`";
            (codes::NO_RESOURCES, "this is not a template: it has no section of one", Some(sentence.to_owned()))
        } else {
            let sentence = "`Template format error: unsupported structure.`";
            let is_empty = self.tree.kind(document.root) == Kind::Null;
            let message = if is_empty {
                "this has no content but comments, and is not a template"
            } else {
                "this is not a template, which is a mapping of sections"
            };
            (codes::WRONG_KIND, message, Some(sentence.to_owned()))
        };
        let message =
            other.map_or_else(|| message.to_owned(), |other| format!("this is {}, not a template", other.name));
        let error = Diagnostic::titled(code, message).severity(Severity::Error).at(place);
        let error = sentence.into_iter().fold(error, |error, sentence| error.quoting(&sentence));
        let help = other.and_then(|other| other.help);
        self.diagnostics.push(
            error
                .note("a file that is not a template is not quoted")
                .help(help.unwrap_or("name a template, which has a section such as `Resources`")),
        );
        self.sources.hide(file);
        true
    }

    /// Parses a file that is passed besides the template, and reports its errors. A file that is neither a template nor
    /// a parameters file is never quoted.
    pub(super) fn side_document(&mut self, file: &SourceFile, is_quoted: bool) -> Option<Document> {
        let path = VirtualPath::new(&file.path);
        let (file, _) = self.load((&path, &file.display, Role::Side), &file.bytes)?;
        if !is_quoted {
            self.sources.hide(file);
        }
        let document = self.parse(file);
        document.is_well_formed.then_some(document)
    }

    /// Parses a file of parameter values, whose lines are never quoted.
    fn parameters_document(&mut self, file: &SourceFile) -> Option<Document> {
        let others = std::mem::take(&mut self.diagnostics);
        let known = self.sources.files().count();
        let document = self.side_document(file, false);
        let found = std::mem::replace(&mut self.diagnostics, others);
        for diagnostic in secrets::without_values(found, &self.sources) {
            self.diagnostics.push(diagnostic);
        }
        let added: Vec<FileId> = self.sources.files().skip(known).collect();
        for file in added {
            self.sources.hide(file);
        }
        document
    }

    /// Collects the values of parameters and facts, from options and from files.
    pub(super) fn known(&mut self) -> Known {
        self.known.take().unwrap_or_else(|| Known {
            arguments: self.arguments(),
            facts: self.facts(),
            pseudo: self.pseudo(),
        })
    }

    fn arguments(&mut self) -> Vec<Argument> {
        let options = self.options;
        let is_deployed = self.goal == Goal::Deploy;
        let mut found: Vec<Argument> = Vec::new();
        found.extend(options.configured_parameters.iter().map(|value| self.argument(value)));
        for configuration in &options.configurations {
            found.extend(self.configured(configuration));
        }
        for file in &options.parameter_files {
            if let Some(document) = self.parameters_document(file) {
                let more = arguments::from_document(&mut self.tree, document.root, &mut self.diagnostics);
                if is_deployed {
                    let kept = arguments::kept(&self.tree, document.root);
                    found.retain(|argument| !kept.contains(&self.tree.name(argument.name)));
                    self.stack_arguments.add(&self.tree, &self.sources, document, &mut self.diagnostics);
                }
                found.extend(more);
            }
        }
        let given: Vec<Argument> = options.parameters.iter().map(|value| self.argument(value)).collect();
        found.extend(given);
        for passed in options.parent.iter().flat_map(|parent| &parent.passing.values) {
            let name = self.tree.intern(&passed.name);
            let value = self.tree.scalar(Kind::String, Style::Plain, &passed.value, Origin::Authored(passed.span));
            found.push(Argument { name, value, given: ValueSource::CommandLine, is_optional: false });
        }
        found
    }

    fn argument(&mut self, value: &ParameterValue) -> Argument {
        let name = self.tree.intern(&value.name);
        let node = self.tree.scalar(Kind::String, Style::Plain, &value.value, Origin::Authored(Span::NONE));
        Argument { name, value: node, given: value.given, is_optional: false }
    }

    fn configured(&mut self, configuration: &Configuration) -> Vec<Argument> {
        let file = &configuration.file;
        let path = VirtualPath::new(&file.path);
        let loaded = self.load((&path, &file.display, Role::Side), &file.bytes);
        let base = loaded.map(|(id, _)| {
            self.sources.hide(id);
            self.sources.base(id)
        });
        let argument = |(value, range): &(ParameterValue, Range<usize>)| {
            let place = |base: u32| Span::new(base + range.start as u32, base + range.end as u32);
            let origin = Origin::Authored(base.map_or(Span::NONE, place));
            let name = self.tree.intern(&value.name);
            let value_node = self.tree.scalar(Kind::String, Style::Plain, &value.value, origin);
            Argument { name, value: value_node, given: value.given, is_optional: true }
        };
        configuration.values.iter().map(argument).collect()
    }

    fn facts(&mut self) -> AccountData {
        let mut facts = AccountData::default();
        let options = self.options;
        for file in options.accounts.iter().chain(&options.live_account) {
            if let Some(document) = self.side_document(file, false) {
                facts.add_document(&mut self.tree, document.root, &mut self.diagnostics);
            }
        }
        facts
    }

    fn pseudo(&mut self) -> Vec<(PseudoParameter, NodeId)> {
        let options = self.options;
        options
            .pseudo
            .iter()
            .map(|(pseudo, text)| {
                (*pseudo, self.tree.scalar(Kind::String, Style::Plain, text, Origin::Authored(Span::NONE)))
            })
            .collect()
    }

    /// Reports account data of another Region than the requested one, which does not apply to it.
    pub(super) fn check_region(&mut self, facts: &AccountData) {
        let own = self.options.pseudo.iter().rev().find(|(name, _)| *name == PseudoParameter::Region);
        let captured = facts.pseudo.iter().find(|(name, _)| *name == PseudoParameter::Region.name());
        let (Some((_, own)), Some(&(_, captured))) = (own, captured) else { return };
        let text = self.tree.text_form(captured);
        if text != own {
            let message = format!("the account data is from {}, but the Region is {}", shown(text), shown(own));
            let diagnostic = Diagnostic::new(codes::ACCOUNT_FILE, message)
                .severity(Severity::Warning)
                .at(self.tree.span(captured))
                .help("pass account data of the Region that you deploy to");
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn add_secret_values(&mut self, template: &Template, arguments: &[Argument]) {
        for argument in arguments {
            let is_secret = template.parameter(argument.name).is_some_and(|parameter| parameter.no_echo);
            let span = self.tree.span(argument.value);
            if is_secret && !span.is_none() {
                self.secrets.push(span);
            }
        }
    }
}
