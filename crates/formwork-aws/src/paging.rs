//! Pages of listings, from token to token.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::call_error::CallError;

/// Maximum number of pages of the listings of a run: a faulty service may return new tokens forever, in one listing or
/// in many that lead to each other, as those of nested stacks do.
const PAGES: usize = 10_000;

/// The number of pages that the listings of a run may still have together. Copies share the count.
#[derive(Clone, Debug)]
pub struct Pages(Arc<AtomicUsize>);

impl Default for Pages {
    fn default() -> Pages {
        Pages(Arc::new(AtomicUsize::new(PAGES)))
    }
}

impl Pages {
    /// Begins a listing, and counts its first page.
    ///
    /// # Errors
    /// When all pages are used up.
    pub fn listing(&self) -> Result<Paging, CallError> {
        self.take()?;
        Ok(Paging { pages: self.clone(), seen: HashSet::new() })
    }

    fn take(&self) -> Result<(), CallError> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        let too_many = |_| CallError::endless(format!("the listings of this run have more than {PAGES} pages"));
        taken.map(|_| ()).map_err(too_many)
    }
}

/// The page tokens that a listing returned. Each may lead on once.
#[derive(Debug)]
pub struct Paging {
    pages: Pages,
    seen: HashSet<String>,
}

impl Paging {
    /// Returns the token of the next page, after the page with `token`; `None` after the last page.
    ///
    /// # Errors
    /// When that page was read already, or there are too many: the listing would not end.
    pub fn next(&mut self, token: Option<String>) -> Result<Option<String>, CallError> {
        let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(None) };
        if !self.seen.insert(token.clone()) {
            return Err(CallError::endless("the token of the next page was used before: the listing does not end"));
        }
        self.pages.take()?;
        Ok(Some(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_leads_on_once() {
        let mut paging = Pages::default().listing().expect("the first one");
        let some = |token: &str| Some(token.to_owned());
        assert_eq!(paging.next(some("a")), Ok(some("a")));
        assert_eq!(paging.next(some("b")), Ok(some("b")));
        assert!(paging.next(some("a")).is_err());
        assert_eq!((paging.next(some("")), paging.next(None)), (Ok(None), Ok(None)));
    }

    #[test]
    fn pages_of_all_listings_are_counted_together() {
        let run = Pages::default();
        let mut paging = run.listing().expect("the first one");
        let token = |number: usize| Some(number.to_string());
        let found = (0..=PAGES).map(|number| paging.next(token(number))).position(|found| found.is_err());
        assert_eq!(found, Some(PAGES - 1), "the first page counts");
        assert_eq!(paging.next(None), Ok(None), "what is there may end");
        assert!(run.clone().listing().is_err());
        // Many listings of few pages.
        let run = Pages::default();
        let two = || {
            let mut paging = run.listing()?;
            paging.next(token(1)).and_then(|_| paging.next(None))
        };
        assert_eq!((0..PAGES).position(|_| two().is_err()), Some(PAGES / 2));
        assert!(Pages::default().listing().is_ok(), "another run has its own");
    }
}
