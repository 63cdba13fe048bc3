//! Shared parts of the commands around a deployed stack: finding the stack and its template, and the errors of that
//! (reference/around.md#stack).

mod args;
mod connection;
mod missing_answer;
mod on_stack;
mod places;
mod record;
mod table;
mod target;
mod time_word;

pub use args::{AccountArgs, LinesArgs, StackArgs};
pub use connection::Connection;
pub use missing_answer::missing_answer;
pub use on_stack::on_stack;
pub use places::{Places, TemplateOf, add_pseudo, add_values, compile, no_template, with_nested};
pub use record::record;
pub use table::table;
pub use target::Target;
pub use time_word::time_word;
