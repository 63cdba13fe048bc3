//! Durations on a command line.

use std::time::Duration;

/// Converts a number in units of `factor` seconds. Errors name `option`.
///
/// # Errors
/// When the number is zero, negative, not finite, or too large.
pub fn seconds(option: &str, number: f64, factor: f64) -> Result<Duration, String> {
    let wrong = || format!("{option} {number} is not a time");
    Duration::try_from_secs_f64(number * factor).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(seconds("--x", 0.5, 60.0), Ok(Duration::from_secs(30)));
        for number in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(seconds("--x", number, 1.0).is_err(), "{number}");
        }
    }
}
