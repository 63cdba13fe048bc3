//! The words of options whose values are of a crate that knows no command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Returns the parser of an option with these values: each has its word, and others that mean the same and are not shown.
pub fn words<T: Copy + Send + Sync + 'static>(
    known: &'static [(&'static [&'static str], T)],
) -> impl TypedValueParser<Value = T> {
    let shown = known.iter().filter_map(|(words, _)| {
        let (word, aliases) = words.split_first()?;
        Some(PossibleValue::new(*word).aliases(aliases.iter().copied()))
    });
    PossibleValuesParser::new(shown).try_map(|given| {
        let one = known.iter().find(|(words, _)| words.contains(&given.as_str()));
        one.map(|(_, value)| *value).ok_or("it is not one of the values")
    })
}
