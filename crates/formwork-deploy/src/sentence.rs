//! The meaning of CloudFormation's sentences.

/// Returns `true` if another client was faster: the stack is busy, or the change set is for a state that it is no
/// longer in.
pub fn is_race(sentence: &str) -> bool {
    let is_busy = sentence.contains("_IN_PROGRESS") && !sentence.contains("REVIEW_IN_PROGRESS");
    is_busy || sentence.contains("[OBSOLETE]") || sentence.contains("status of OBSOLETE")
}

/// Returns `true` if a sentence requires capabilities.
pub fn needs_capabilities(sentence: &str) -> bool {
    sentence.contains("Requires capabilities")
}

/// Returns the logical IDs in the sentence about existing resources that cannot be imported; empty for another
/// sentence.
pub fn not_importable(sentence: &str) -> Vec<&str> {
    const BEGIN: &str = "CloudFormation is attempting to import some resources because they already exist";
    const LIST: &str = "The affected resources are ";
    let list = sentence.find(BEGIN).and_then(|at| sentence[at..].split_once(LIST)).map_or("", |(_, list)| list);
    let is_id = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let words = list.split(" ({").map(|before| before.rsplit([' ', ',']).next().unwrap_or_default());
    let count = list.matches(" ({").count();
    words.take(count).filter(is_id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_that_cannot_be_imported() {
        let sentence = "CloudFormation is attempting to import some resources because they already exist in your account. The resources must have the DeletionPolicy attribute set to 'Retain' or 'RetainExceptOnCreate' in the template for successful import. The affected resources are Logs ({BucketName=logs, X=y}), Orders ({QueueUrl=https://x})";
        assert_eq!(not_importable(sentence), ["Logs", "Orders"]);
        assert_eq!(not_importable("No updates are to be performed. A ({B=c})"), Vec::<&str>::new());
    }

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
