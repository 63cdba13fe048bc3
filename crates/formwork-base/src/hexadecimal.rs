//! Bytes as hexadecimal digits.

use std::fmt::Write as _;

/// Returns two lowercase digits for each byte, as digests are written.
///
/// ```
/// assert_eq!(formwork_base::hexadecimal(&[0x0a, 0xff]), "0aff");
/// ```
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
