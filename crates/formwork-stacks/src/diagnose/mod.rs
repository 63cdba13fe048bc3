//! Why a stack failed (reference/around.md#diagnose).

pub mod advice;
pub mod cause;
pub mod object;
