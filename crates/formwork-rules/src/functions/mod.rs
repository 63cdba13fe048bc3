//! The rule functions, one per file: how their arguments are read and evaluated (reference/rules.md#functions).

pub(crate) mod contains;
pub(crate) mod each_member_equals;
pub(crate) mod each_member_in;
pub(crate) mod equals;
pub(crate) mod junction;
pub(crate) mod not;
pub(crate) mod ref_all;
pub(crate) mod reference;
pub(crate) mod value_of;
pub(crate) mod value_of_all;
