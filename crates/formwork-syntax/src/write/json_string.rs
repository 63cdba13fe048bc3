//! JSON strings.

use crate::json::plain_len;

pub(super) fn string(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    loop {
        let len = plain_len(rest.as_bytes());
        if len == rest.len() {
            out.push_str(rest);
            break;
        }
        let (plain, behind) = rest.split_at(len);
        out.push_str(plain);
        let Some(&byte) = behind.as_bytes().first() else { break };
        escape(byte, out);
        rest = &behind[1..];
    }
    out.push('"');
}

pub(super) fn escape(byte: u8, out: &mut String) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        0x8 => out.push_str("\\b"),
        0xc => out.push_str("\\f"),
        byte => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            out.push(HEX[usize::from(byte >> 4)].into());
            out.push(HEX[usize::from(byte & 15)].into());
        }
    }
}
