//! The rule functions, one a file: how their arguments are read and what they yield
//! (reference/rules.md#functions).

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
