//! Runtimes of Lambda functions that have ended.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::Entry;

use super::step::Step;
use super::walk::Walk;

impl Walk<'_> {
    pub(super) fn runtime(&mut self, entry: Entry) {
        let (&[Step::Key("Runtime")], Some(resource)) = (self.path.as_slice(), self.resource) else { return };
        if !matches!(resource.name(), "AWS::Lambda::Function" | "AWS::Serverless::Function") {
            return;
        }
        let tree = self.tree;
        let (Some(name), Some(today)) = (tree.string(entry.value), self.schemas.date()) else { return };
        let Some(runtime) = self.schemas.runtime(name) else { return };
        let name = shown(name);
        let (message, severity) = match (runtime.create_block, runtime.deprecated) {
            (Some(end), _) if end <= today => {
                (format!("no function can be created with runtime {name} since {end}"), self.warning())
            }
            (_, Some(end)) if end <= today => (format!("runtime {name} is deprecated since {end}"), self.note()),
            _ => return,
        };
        let Some(severity) = severity else { return };
        let mut diagnostic = Diagnostic::titled(codes::DEPRECATED, message).at(tree.span(entry.value));
        if let Some(successor) = runtime.successor {
            diagnostic = diagnostic.help(format!("use {successor}"));
        }
        self.push(diagnostic, severity, "");
    }
}
