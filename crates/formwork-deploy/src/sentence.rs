//! What the sentences of the service mean.

/// Whether a sentence means that somebody else was faster: the stack is busy, or the change set is of a
/// state that it is no longer in.
pub fn is_race(sentence: &str) -> bool {
    let is_busy = sentence.contains("_IN_PROGRESS") && !sentence.contains("REVIEW_IN_PROGRESS");
    is_busy || sentence.contains("[OBSOLETE]") || sentence.contains("status of OBSOLETE")
}

/// Whether a sentence asks for capabilities.
pub fn needs_capabilities(sentence: &str) -> bool {
    sentence.contains("Requires capabilities")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races() {
        for sentence in [
            "Stack:arn:aws:cloudformation:eu-west-1:1:stack/shop/1 is in UPDATE_IN_PROGRESS state and can not be updated.",
            "ChangeSet [arn:x] cannot be executed in its current execution status of [OBSOLETE]",
            "Stack [shop] is in UPDATE_COMPLETE_CLEANUP_IN_PROGRESS state and can not be updated.",
        ] {
            assert!(is_race(sentence), "{sentence}");
        }
        for sentence in [
            "Stack:arn:x is in ROLLBACK_COMPLETE state and can not be updated.",
            "Stack [shop] is in REVIEW_IN_PROGRESS state",
        ] {
            assert!(!is_race(sentence), "{sentence}");
        }
    }
}
