//! Days.

/// A day, as the decimal number YYYYMMDD. Later days are greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Date(pub u32);

impl Date {
    /// Parses `2026-10-20`, followed by anything.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.get(..10)?.split('-').map(|part| part.parse::<u32>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let is_day = (1..=12).contains(&month) && (1..=31).contains(&day) && (1970..10_000).contains(&year);
        is_day.then_some(Date(year * 10_000 + month * 100 + day))
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }
}
