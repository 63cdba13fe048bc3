//! What commands around a deployed stack share: how they find it and its template, and what they print when they cannot
//! (reference/around.md#stack).

mod connection;
mod exit;
mod missing_answer;
mod places;
mod record;
mod table;

pub use connection::Connection;
pub use exit::Exit;
pub use missing_answer::missing_answer;
pub use places::{Places, TemplateOf, add_pseudo, add_values, compile, no_template, with_nested};
pub use record::record;
pub use table::table;
