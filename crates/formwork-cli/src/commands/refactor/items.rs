//! What distinguishes equal resources: the items of the loops and the modules that they come from.

use std::collections::HashMap;

use formwork::{
    Compilation, FrameKind, Goal, MemoryHost, Options, ParameterValue, Report, Session, ValueSource, VirtualPath,
};
use formwork_deploy::{Stack, TemplateStage};
use formwork_refactor::ResourceId;

use super::stack::RefactoredStack;
use crate::commands::around::{Connection, Exit};
use crate::commands::deploy::retries::Retries;

/// Items and modules of resources by their IDs and by whether they are the deployed ones.
pub(super) type Items = HashMap<(ResourceId, bool), Vec<String>>;

/// Reads the templates that people sent, which still have their loops, and returns the items of both sides.
///
/// # Errors
/// When a template cannot be read.
pub(super) fn read(stacks: &[RefactoredStack], connection: &mut Connection<'_, '_, '_>) -> Result<Items, Exit> {
    let mut items = Items::new();
    for one in stacks {
        add(&mut items, &one.sides.stack, one.sources.root(), false);
        let Some(stack) = &one.stack else { continue };
        let text =
            connection.service.stack_template(&stack.id, TemplateStage::Original, &mut Retries(connection.reporter));
        let text = text.map_err(|error| connection.refused(&error, &stack.name))?;
        let report = expanded(&text, stack);
        if !report.has_errors() {
            add(&mut items, &one.sides.stack, report.compilation(), true);
        }
    }
    Ok(items)
}

/// A deployed template as Formwork expands it.
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

fn add(items: &mut Items, stack: &str, compilation: &Compilation, is_deployed: bool) {
    for place in compilation.resource_places() {
        let words: Vec<String> = place
            .frames
            .iter()
            .filter_map(|frame| match frame.kind {
                FrameKind::Loop => frame.value.clone(),
                FrameKind::Module => Some(frame.name.clone()),
                _ => None,
            })
            .collect();
        if !words.is_empty() {
            items.insert((ResourceId::new(stack, &place.id), is_deployed), words);
        }
    }
}
