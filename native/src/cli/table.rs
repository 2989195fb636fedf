//! Tables: aligned columns, the last of them cut to the terminal.
//!
//! Decides widths. Never decides what is in a cell.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::console::{HEAD, columns, one_line, styled};

const GAP: usize = 2;
const NARROWEST: usize = 20;

/// Rows of cells. The last column takes what the terminal leaves; a pipe or file gets it whole.
#[derive(Debug)]
pub(super) struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<(Style, String)>>,
}

impl Table {
    /// A table with these headings; with none, a table without a heading line.
    pub(super) fn new(head: &[&'static str]) -> Self {
        Self { head: head.to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: Vec<(Style, String)>) {
        self.rows.push(cells.into_iter().map(|(style, text)| (style, one_line(&text))).collect());
    }

    pub(super) fn render(&self) -> String {
        self.render_to(columns())
    }

    fn render_to(&self, room: Option<usize>) -> String {
        // Where there is little room, no column but the last takes more than a third of it.
        let most = room.map_or(usize::MAX, |room| (room / 3).max(NARROWEST));
        let widths: Vec<usize> = self.widths().into_iter().map(|width| width.min(most)).collect();
        let mut out = String::new();
        if !self.head.is_empty() {
            let cells: Vec<_> = self.head.iter().map(|name| (HEAD, (*name).to_string())).collect();
            line(&mut out, &cells, &widths, room);
        }
        for row in &self.rows {
            line(&mut out, row, &widths, room);
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.head.iter().map(|name| name.width()).collect();
        for row in &self.rows {
            for (n, (_, text)) in row.iter().enumerate() {
                match widths.get_mut(n) {
                    Some(width) => *width = (*width).max(text.width()),
                    None => widths.push(text.width()),
                }
            }
        }
        widths
    }
}

fn line(out: &mut String, cells: &[(Style, String)], widths: &[usize], room: Option<usize>) {
    // What follows the last cell with a text would be nothing but room.
    let filled = cells.iter().rposition(|(_, text)| !text.is_empty()).map_or(0, |last| last + 1);
    let mut used = 0;
    for (n, (style, text)) in cells.iter().take(filled).enumerate() {
        if n + 1 == cells.len() {
            let rest = room.map(|room| room.saturating_sub(used).max(NARROWEST));
            out.push_str(&styled(*style, &cut(text, rest)));
            break;
        }
        let width = widths.get(n).copied().unwrap_or_default();
        let text = cut(text, Some(width));
        out.push_str(&styled(*style, &text));
        if n + 1 < filled {
            out.extend(core::iter::repeat_n(' ', width.saturating_sub(text.width()) + GAP));
            used += width + GAP;
        }
    }
    out.push('\n');
}

/// The text, cut to a width, the ellipsis included.
fn cut(text: &str, room: Option<usize>) -> String {
    let Some(room) = room.filter(|&room| text.width() > room) else { return text.to_string() };
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > room {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(cells: &[&str]) -> Vec<(Style, String)> {
        cells.iter().map(|cell| (Style::new(), (*cell).to_string())).collect()
    }

    #[test]
    fn columns_align_by_display_width() {
        let mut table = Table::new(&[]);
        table.row(plain(&["日本", "a"]));
        table.row(plain(&["abcde", "b"]));
        assert_eq!(table.render_to(None), "日本   a\nabcde  b\n");
    }

    #[test]
    fn the_last_column_is_cut_to_the_room_and_whole_without_a_terminal() {
        let mut table = Table::new(&[]);
        table.row(plain(&["id", "one two three four five six"]));
        assert_eq!(table.render_to(Some(24)), "id  one two three four …\n");
        assert_eq!(table.render_to(None), "id  one two three four five six\n");
    }

    #[test]
    fn no_other_column_takes_more_than_a_third_of_the_room() {
        let mut table = Table::new(&[]);
        table.row(plain(&[&"x".repeat(90), "a text"]));
        assert_eq!(table.render_to(Some(60)), format!("{}…  a text\n", "x".repeat(19)));
        assert_eq!(table.render_to(None), format!("{}  a text\n", "x".repeat(90)));
    }

    #[test]
    fn empty_cells_at_the_end_leave_no_blanks() {
        let mut table = Table::new(&[]);
        table.row(plain(&["a", "", ""]));
        table.row(plain(&["abc", "b", ""]));
        table.row(plain(&["", "", ""]));
        assert_eq!(table.render_to(None), "a\nabc  b\n\n");
    }

    #[test]
    fn control_characters_never_reach_the_terminal() {
        let mut table = Table::new(&[]);
        table.row(plain(&["a\u{1b}[31mb\nc\u{202e}d"]));
        assert_eq!(table.render_to(None), "a [31mb cd\n");
    }
}
