//! The name of an import and of the resources in its module, from the logical IDs to preserve.

/// Returns the name of the import, with which all IDs begin, and the rest of each. Words are kept whole: `OrdersTable`
/// and `OrdersTopic` are `Orders` with `Table` and `Topic`. `None` when the rest of an ID is empty, or they have no
/// word in common.
pub(super) fn split(ids: &[&str]) -> Option<(String, Vec<String>)> {
    let first = ids.first()?;
    let most = ids.iter().map(|id| shared(first, id)).min()?;
    let is_split = |at: usize| {
        let begins = |id: &&str| id.get(at..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        at > 0 && ids.iter().all(begins)
    };
    let at = (1..=most).rev().find(|at| is_split(*at))?;
    let import = first.get(..at)?;
    let is_name =
        import.starts_with(|c: char| c.is_ascii_alphabetic()) && import.chars().all(|c| c.is_ascii_alphanumeric());
    let inner: Option<Vec<String>> = ids.iter().map(|id| id.get(at..).map(str::to_owned)).collect();
    is_name.then(|| Some((import.to_owned(), inner?))).flatten()
}

fn shared(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::split;

    fn shown(ids: &[&str]) -> Option<String> {
        split(ids).map(|(import, inner)| format!("{import} {}", inner.join(" ")))
    }

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(shown(&["OrdersTable", "OrdersTopic"]).as_deref(), Some("Orders Table Topic"));
        assert_eq!(shown(&["WebAppQueue"]).as_deref(), Some("WebApp Queue"));
        assert_eq!(shown(&["WebQueue", "WebQueuePolicy"]).as_deref(), Some("Web Queue QueuePolicy"));
        assert_eq!(shown(&["Queue"]), None);
        assert_eq!(shown(&["Queue", "Topic"]), None);
    }
}
