//! How the program itself is built.

/// A program that reads hostile input and holds credentials keeps address randomization: it is linked
/// position independent (`ET_DYN`), not to a fixed address (`ET_EXEC`).
#[test]
#[cfg(target_os = "linux")]
fn the_program_is_position_independent() {
    const TYPE: std::ops::Range<usize> = 16..18;
    const POSITION_INDEPENDENT: u16 = 3;
    let bytes = std::fs::read(env!("CARGO_BIN_EXE_formwork")).expect("the program");
    assert_eq!(bytes[..4], *b"\x7fELF");
    let kind: [u8; 2] = bytes[TYPE].try_into().expect("two bytes");
    assert_eq!(u16::from_ne_bytes(kind), POSITION_INDEPENDENT);
}
