//! What is left to the end of the process.

/// Leaves a value to the end of the process, when the system frees all of its memory: taking a large value apart block by
/// block costs up to a tenth of a run. Only for what a command makes once, and has nothing but memory.
pub(crate) fn leave<T>(value: T) {
    std::mem::forget(value);
}
