//! Pages of a listing, from token to token.

use std::collections::HashSet;

use crate::call_error::CallError;

/// Most pages of a listing: a service that names new ones for ever is not believed for ever.
const PAGES: usize = 10_000;

/// The tokens of the pages that were read. Each leads on once.
#[derive(Debug, Default)]
pub struct Paging {
    seen: HashSet<String>,
}

impl Paging {
    /// The token of the page behind the one that had `token`; `None` after the last page.
    ///
    /// # Errors
    /// When that page was read already, or there are too many: the listing would not end.
    pub fn next(&mut self, token: Option<String>) -> Result<Option<String>, CallError> {
        let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(None) };
        if self.seen.len() >= PAGES {
            return Err(CallError::endless(format!("the listing has more than {PAGES} pages")));
        }
        if !self.seen.insert(token.clone()) {
            return Err(CallError::endless("the token of the next page was used before: the listing does not end"));
        }
        Ok(Some(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_leads_on_once() {
        let mut paging = Paging::default();
        let some = |token: &str| Some(token.to_owned());
        assert_eq!(paging.next(some("a")), Ok(some("a")));
        assert_eq!(paging.next(some("b")), Ok(some("b")));
        assert!(paging.next(some("a")).is_err());
        assert_eq!((paging.next(some("")), paging.next(None)), (Ok(None), Ok(None)));
    }

    #[test]
    fn pages_are_counted() {
        let mut paging = Paging::default();
        let found = (0..=PAGES).map(|number| paging.next(Some(format!("{number}")))).position(|found| found.is_err());
        assert_eq!(found, Some(PAGES));
    }
}
