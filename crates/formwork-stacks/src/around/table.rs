//! Tables with aligned columns.

use formwork_report::printable;

/// Lays out rows below a head. Control characters are escaped.
pub fn table<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let escaped = |row: &[String; N]| row.each_ref().map(|cell| printable(cell).into_owned());
    let rows: Vec<[String; N]> = rows.iter().map(escaped).collect();
    let mut widths = head.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let rows = rows.iter().map(|row| line(row.each_ref().map(String::as_str)));
    std::iter::once(line(head)).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let rows = [["a".to_owned(), "-".to_owned()], ["long\u{7}".to_owned(), "x".to_owned()]];
        assert_eq!(table(["ID", "Type"], &rows), "ID         Type\na          -\nlong\\u{7}  x\n");
    }
}
