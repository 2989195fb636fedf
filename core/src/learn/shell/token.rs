//! Cuts a command line into words and operators: quotes, escapes, substitutions, heredocs.
//!
//! Decides where a word ends. One pass over the bytes; an unclosed quote or substitution runs to the end.

use alloc::string::String;
use alloc::vec::Vec;

use super::Joiner;

/// A word or an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word with its quotes removed; substitutions stand as `$`.
    Word(String),
    /// `>` or `>>` and its file.
    WritesTo(String),
    /// `|` or `|&`.
    Pipe,
    /// What joins two pipelines.
    Join(Joiner),
}

/// The most tokens that are read.
const LIMIT: usize = 4096;

/// The tokens of a command line.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut cutter = Cutter { text, at: 0, out: Vec::new(), heredocs: Vec::new() };
    while cutter.at < text.len() && cutter.out.len() < LIMIT {
        cutter.step();
    }
    cutter.out
}

struct Cutter<'a> {
    text: &'a str,
    at: usize,
    out: Vec<Token>,
    /// Delimiters of heredocs whose bodies begin at the next line.
    heredocs: Vec<String>,
}

impl Cutter<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn step(&mut self) {
        match self.peek(0) {
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'\n' => self.line_break(),
            b'\\' if self.peek(1) == b'\n' => self.at += 2,
            b'#' => self.skip_line(),
            b';' | b'(' | b')' => self.join(Joiner::Then, 1),
            b'&' if self.peek(1) == b'&' => self.join(Joiner::And, 2),
            b'&' if self.peek(1) == b'>' => self.redirect(1),
            b'&' => self.join(Joiner::Background, 1),
            b'|' if self.peek(1) == b'|' => self.join(Joiner::Or, 2),
            b'|' => {
                self.at += if self.peek(1) == b'&' { 2 } else { 1 };
                self.out.push(Token::Pipe);
            }
            b'<' | b'>' => self.redirect(0),
            b'0'..=b'9' if matches!(self.peek(1), b'<' | b'>') => self.redirect(1),
            _ => {
                let word = self.word();
                self.out.push(Token::Word(word));
            }
        }
    }

    fn join(&mut self, joiner: Joiner, length: usize) {
        self.at += length;
        self.out.push(Token::Join(joiner));
    }

    fn skip_line(&mut self) {
        self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |end| self.at + end);
    }

    fn line_break(&mut self) {
        self.join(Joiner::Then, 1);
        for delimiter in core::mem::take(&mut self.heredocs) {
            self.skip_heredoc(&delimiter);
        }
    }

    fn skip_heredoc(&mut self, delimiter: &str) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let end = rest.find('\n').unwrap_or(rest.len());
            self.at = (self.at + end + 1).min(self.text.len());
            if rest[..end].trim() == delimiter {
                return;
            }
        }
    }

    /// `>`, `>>`, `<`, `<<`, `<<<`, `2>&1`, `>&2`; `lead` bytes stand before the arrow.
    fn redirect(&mut self, lead: usize) {
        self.at += lead;
        let arrow = self.peek(0);
        let start = self.at;
        while self.peek(0) == arrow && self.at - start < 3 {
            self.at += 1;
        }
        let length = self.at - start;
        if self.peek(0) == b'&' {
            self.at += 1;
            self.word();
            return;
        }
        if arrow == b'<' && length == 2 && self.peek(0) == b'-' {
            self.at += 1;
        }
        while matches!(self.peek(0), b' ' | b'\t' | b'|') {
            self.at += 1;
        }
        if matches!(self.peek(0), b'(') {
            return;
        }
        let target = self.word();
        match (arrow, length) {
            (b'<', 2) if !target.is_empty() => self.heredocs.push(target),
            (b'>', _) if !target.is_empty() && !target.starts_with("/dev/") => {
                self.out.push(Token::WritesTo(target));
            }
            _ => {}
        }
    }

    fn word(&mut self) -> String {
        let mut out = String::new();
        while self.at < self.text.len() {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\'' => self.single_quoted(&mut out),
                b'"' => self.double_quoted(&mut out),
                b'\\' => {
                    self.at += 1;
                    self.one_char(&mut out);
                }
                b'$' | b'`' => self.substitution(&mut out),
                _ => self.one_char(&mut out),
            }
        }
        out
    }

    fn one_char(&mut self, out: &mut String) {
        if let Some(c) = self.text[self.at..].chars().next() {
            self.at += c.len_utf8();
            if c != '\n' {
                out.push(c);
            }
        }
    }

    fn single_quoted(&mut self, out: &mut String) {
        let inner = &self.text[self.at + 1..];
        let end = inner.find('\'').unwrap_or(inner.len());
        out.push_str(&inner[..end]);
        self.at = (self.at + end + 2).min(self.text.len());
    }

    fn double_quoted(&mut self, out: &mut String) {
        self.at += 1;
        while self.at < self.text.len() {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\\' if matches!(self.peek(1), b'"' | b'\\' | b'$' | b'`' | b'\n') => {
                    self.at += 1;
                    self.one_char(out);
                }
                b'$' | b'`' => self.substitution(out),
                b'\n' => {
                    self.at += 1;
                    out.push('\n');
                }
                _ => self.one_char(out),
            }
        }
    }

    /// `$name`, `${…}`, `$(…)` and `` `…` `` become `$`.
    fn substitution(&mut self, out: &mut String) {
        let (open, close) = match (self.peek(0), self.peek(1)) {
            (b'`', _) => (0, b'`'),
            (_, b'(') => (b'(', b')'),
            (_, b'{') => (b'{', b'}'),
            (_, b'\'') => {
                self.at += 1;
                return self.single_quoted(out);
            }
            _ => {
                self.at += 1;
                out.push('$');
                return;
            }
        };
        self.at += if open == 0 { 1 } else { 2 };
        self.skip_balanced(open, close);
        out.push('$');
    }

    /// Skips to the byte after the closing one. Bytes of multi-byte characters never equal an ASCII one.
    fn skip_balanced(&mut self, open: u8, close: u8) {
        let mut depth = 1_usize;
        while self.at < self.text.len() {
            let byte = self.peek(0);
            self.at += 1;
            match byte {
                b'\\' => self.at = (self.at + usize::from(self.peek(0).is_ascii())).min(self.text.len()),
                b'\'' if open == b'(' => {
                    self.at +=
                        self.text.as_bytes()[self.at..].iter().position(|&b| b == b'\'').map_or(0, |n| n + 1);
                }
                _ if byte == close => depth -= 1,
                _ if byte == open => depth += 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
        self.at = self.text.len();
    }
}
