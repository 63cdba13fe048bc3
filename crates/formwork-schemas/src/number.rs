//! Numbers of schemas.

/// A bound: whole numbers are exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A whole number.
    Integer(i64),
    /// Another number.
    Decimal(f64),
}

impl Number {
    /// Returns the value, rounded to 53 bits.
    pub fn value(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Decimal(value) => value,
        }
    }

    pub(crate) fn of_json(number: &serde_json::Number) -> Option<Number> {
        if let Some(value) = number.as_i64() {
            return Some(Number::Integer(value));
        }
        let value = number.as_f64()?;
        let is_whole = value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0;
        Some(if is_whole { Number::Integer(value as i64) } else { Number::Decimal(value) })
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            Number::Decimal(value) => write!(f, "{value}"),
        }
    }
}
