//! Evaluation of `Fn::InsertFile` (reference/modules/functions.md#insert-file): the text of a file, relative to the
//! file with the path.

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::{Kind, NodeId};

use super::Linker;
use super::instance::InstanceId;
use super::stop::Value;

impl Linker<'_> {
    pub(super) fn evaluate_insert_file(&mut self, node: NodeId, argument: NodeId, scope: InstanceId) -> Value {
        let path = self.evaluate_known(argument, scope)?;
        if self.tree.kind(path) != Kind::String {
            let what = super::report::describe_kind(self.tree, path);
            let message = format!(
                "the path of Fn::InsertFile is {what}: `Fn::InsertFile could not be resolved locally: the path is not known`"
            );
            let help = "write the path literally, or pass it as a property";
            return self.wrong(scope, self.error(codes::LOCAL_FUNCTION, argument, message, help));
        }
        let written = self.tree.text(path).to_owned();
        let span = self.tree.span(self.emitted.written_value(path));
        let file = self.file_of(span, scope);
        let own = self.loaded.files[file].address.clone();
        let address = self.resolved(&own, &written, argument, scope)?;
        let bytes = match self.read_bytes(&address, self.limits.module_bytes) {
            Ok(bytes) => bytes,
            Err(problem) => {
                return self.wrong(scope, problem.of_file("file", &address, &written).at(self.tree.span(argument)));
            }
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let message = format!("the file {} is not UTF-8 text", shown(&written));
            let help = "save it as UTF-8; for other bytes use an artifact property";
            let diagnostic = self
                .error(codes::LOCAL_FUNCTION, argument, message, help)
                .note("`Fn::InsertFile` inserts text into the template");
            return self.wrong(scope, diagnostic);
        };
        let text = text.to_owned();
        self.warn_not_pinned(&address, argument, scope);
        self.charge(text.len(), node, scope)?;
        let frame = self.values.frame(scope);
        Ok(Some(self.text_in_place(node, &text, frame)))
    }
}
