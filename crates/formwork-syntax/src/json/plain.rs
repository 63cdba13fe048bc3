//! The beginning of a JSON string that needs no escape.

/// Returns the number of bytes before the first quote, backslash or control character, which a JSON string has without
/// an escape (ECMA-404, 9).
pub(crate) fn plain_len(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let found = special(u64::from_le_bytes(*word));
        if found != 0 {
            return 8 * at + found.trailing_zeros() as usize / 8;
        }
    }
    if is_plain_end(bytes, rest) {
        return bytes.len();
    }
    let before = 8 * words.len();
    before + rest.iter().position(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\').unwrap_or(rest.len())
}

/// Returns `true` when no byte of `rest`, fewer than eight at the end of `bytes`, needs an escape. The bytes before
/// `rest` need none, so that words that overlap them may be compared.
fn is_plain_end(bytes: &[u8], rest: &[u8]) -> bool {
    if let (false, Some(word)) = (rest.is_empty(), bytes.last_chunk::<8>()) {
        return special(u64::from_le_bytes(*word)) == 0;
    }
    match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            special(u64::from(first) | u64::from(last) << 32) == 0
        }
        _ => rest.is_empty(),
    }
}

/// Sets the highest bit of each byte that needs an escape. Bits above the lowest one that is set may be wrong.
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    // A byte borrows from the next one only when it is set itself.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (below(word, 0x20) | is(b'"') | is(b'\\')) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_wherever_it_is() {
        for byte in 0..=u8::MAX {
            let needs_escape = byte < 0x20 || byte == b'"' || byte == b'\\';
            for len in 1..20 {
                for at in 0..len {
                    // What comes after the first one does not matter.
                    for rest in [b'x', 0x21, 0x80, 0xff, 0x1f, b'"'] {
                        let mut bytes = [b"a#]\x7f\xc3 ![~", [rest; 20].as_slice()].concat();
                        bytes.truncate(len);
                        bytes[at] = byte;
                        let expected = (0..len).find(|&i| bytes[i] < 0x20 || b"\"\\".contains(&bytes[i]));
                        assert_eq!(plain_len(&bytes), expected.unwrap_or(len), "{bytes:?}");
                    }
                }
            }
            assert_eq!(special(u64::from_le_bytes([byte; 8])) != 0, needs_escape, "{byte}");
        }
    }
}
