//! What commands around a deployed stack share: how they find it and its template, and what they print when they cannot
//! (reference/around.md#stack).

mod connection;
mod exit;
mod missing_answer;
mod on_stack;
mod places;
mod table;
mod target;
mod time_word;

pub(in crate::commands) use connection::Connection;
pub(in crate::commands) use exit::Exit;
pub(in crate::commands) use missing_answer::missing_answer;
pub(in crate::commands) use on_stack::on_stack;
pub(in crate::commands) use places::{Places, TemplateOf, add_pseudo, add_values, compile, with_nested};
pub(in crate::commands) use table::table;
pub(in crate::commands) use target::Target;
pub(in crate::commands) use time_word::time_word;
