//! Distinguishes equal resources by the items of the loops and the modules that they come from.

use std::collections::HashMap;

use formwork::{
    Compilation, FrameKind, Goal, MemoryHost, Options, ParameterValue, Report, Session, ValueSource, VirtualPath,
};
use formwork_deploy::{DeployError, Stack, TemplateStage};
use formwork_refactor::ResourceId;

use super::stack::RefactoredStack;
use crate::Exit;
use crate::around::Connection;
use crate::retries::Retries;

/// Loop items, modules and lines of resources, which the processed templates do not contain.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// Items and modules of resources, by ID and by whether the template is the deployed one.
    words: HashMap<(ResourceId, bool), Vec<String>>,
    /// Lines of resources in the deployed templates, as they were sent.
    lines: HashMap<ResourceId, u32>,
}

impl Items {
    /// Reads the templates as their authors sent them, which still have their loops. An unreadable template has no
    /// items.
    ///
    /// # Errors
    /// When the run ends.
    pub fn read(stacks: &[RefactoredStack], connection: &mut Connection<'_, '_>) -> Result<Items, Exit> {
        let mut items = Items::default();
        for one in stacks {
            items.add(&one.sides.stack, one.sources.root(), false);
            let Some(stack) = &one.stack else { continue };
            let sink = &mut Retries(connection.reporter);
            let text = match connection.service.stack_template(&stack.id, TemplateStage::Original, sink) {
                Ok(text) => text,
                Err(DeployError::Call { .. }) => continue,
                Err(error) => return Err(connection.refused(&error, &stack.name).into()),
            };
            let report = expanded(&text, stack);
            if !report.has_errors() {
                items.add(&one.sides.stack, report.compilation(), true);
            }
        }
        Ok(items)
    }

    /// Returns items and modules of a resource, outermost first; `None` for a resource outside of loops and modules.
    pub fn words(&self, id: &ResourceId, is_deployed: bool) -> Option<Vec<String>> {
        self.words.get(&(id.clone(), is_deployed)).cloned()
    }

    /// Returns the line of a deployed resource in the template that was sent.
    pub fn line(&self, id: &ResourceId) -> Option<u32> {
        self.lines.get(id).copied()
    }

    fn add(&mut self, stack: &str, compilation: &Compilation, is_deployed: bool) {
        for place in compilation.resource_places() {
            let id = ResourceId::new(stack, &place.id);
            let line = compilation.sources().place(place.span).map(|place| place.line);
            if let Some(line) = line.filter(|_| is_deployed) {
                self.lines.insert(id.clone(), line);
            }
            let words = place.frames.iter().filter_map(|frame| match frame.kind {
                FrameKind::Loop => frame.value.clone(),
                FrameKind::Module => Some(frame.name.clone()),
                _ => None,
            });
            let words: Vec<String> = words.collect();
            if !words.is_empty() {
                self.words.insert((id, is_deployed), words);
            }
        }
    }
}

fn expanded(text: &str, stack: &Stack) -> Report {
    let path = VirtualPath::new("template.yaml");
    let value = |(name, value): &(String, String)| ParameterValue {
        name: name.clone(),
        value: value.clone(),
        given: ValueSource::File,
    };
    let options = Options { parameters: stack.parameters.iter().map(value).collect(), ..Options::default() };
    let host = MemoryHost::new().with("template.yaml", text);
    Report::from(Session::new(host, options).analyze(&path).compile(Goal::Deploy))
}
