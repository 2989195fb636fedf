//! The difference of two texts, line by line, for people.
//!
//! Decides which lines came and went. Never used to change anything.

use core::fmt::Write as _;

/// Unchanged lines shown around each change.
const AROUND: usize = 2;
/// Beyond so many lines only the parts between equal ends are compared as a whole.
const LONG: usize = 3000;

/// Lines with `-`, `+` or a blank before them; parts that are alike are left out.
pub fn diff(before: &str, after: &str) -> String {
    let lines = compared(&before.lines().collect::<Vec<_>>(), &after.lines().collect::<Vec<_>>());
    let is_near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        lines.iter().skip(from).take(at - from + AROUND + 1).any(|(mark, _)| *mark != ' ')
    };
    let mut out = String::new();
    let mut gap = false;
    for (at, (mark, line)) in lines.iter().enumerate() {
        if is_near(at) {
            let _ = writeln!(out, "{mark} {line}");
            gap = false;
        } else if !gap {
            out.push_str("  …\n");
            gap = true;
        }
    }
    out
}

fn compared<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let room = before.len().min(after.len()) - head;
    let tail = before.iter().rev().zip(after.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let mut out: Vec<(char, &str)> = before.iter().take(head).map(|line| (' ', *line)).collect();
    if old.len() * new.len() > LONG * LONG {
        out.extend(old.iter().map(|line| ('-', *line)).chain(new.iter().map(|line| ('+', *line))));
    } else {
        out.extend(common(old, new));
    }
    out.extend(before.iter().skip(before.len() - tail).map(|line| (' ', *line)));
    out
}

/// By the longest common subsequence.
fn common<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    let width = new.len() + 1;
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if old[i] == new[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || (i < old.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1])
        {
            out.push(('-', old[i]));
            i += 1;
        } else {
            out.push(('+', new[j]));
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_shown_with_what_is_around_them() {
        let before = "a\nb\nc\nd\ne\nf\ng\n";
        let after = "a\nb\nc\nd\nE\nf\ng\nh\n";
        assert_eq!(diff(before, after), "  …\n  c\n  d\n- e\n+ E\n  f\n  g\n+ h\n");
        assert_eq!(diff("", "x\n"), "+ x\n");
        assert_eq!(diff("x\n", ""), "- x\n");
        assert_eq!(diff("x\n", "x\n"), "  …\n");
    }
}
