//! The report of a scan as one page: it needs no other file, asks no network and runs nothing that a trace wrote.
//!
//! Decides how the report looks. Every text is escaped here or in `card`; the page's own script and style are the only
//! ones that its policy lets run.

mod card;

use core::fmt::Write as _;

use hardwon_core::error::Error;
use hardwon_core::text::escape;

use super::finding::Class;
use super::report::{Looked, Report, days, grouped, number, size};
use crate::clock;

const STYLE: &str = include_str!("style.css");
const KEYS: &str = include_str!("keys.js");
/// Of what happened once, so much is listed.
const ONCE: usize = 200;

/// The page.
pub(crate) fn of(report: &Report) -> Result<String, Error> {
    // What a trace says cannot know this word, so that nothing of it would run even where an escape were wrong.
    let nonce = format!("{:032x}", u128::from_be_bytes(clock::seed()?.0));
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
    );
    let title = escaped(&report.verdict());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>hardwon scan: {title}</title>\n<style nonce=\"{nonce}\">\n{STYLE}</style>\n</head>\n<body>\n"
    );
    head(&mut out, report);
    part(
        &mut out,
        report,
        Class::Repeated,
        "Came back",
        "Most sessions first. Open one to see when and how.",
    );
    part(
        &mut out,
        report,
        Class::Held,
        "Held back for review",
        "Never said before a person has looked at it.",
    );
    part(
        &mut out,
        report,
        Class::Apart,
        "Counted, and not worth a word",
        "They repair themselves in a call, or are about the world.",
    );
    once(&mut out, report);
    foot(&mut out, report);
    let _ = write!(out, "<script nonce=\"{nonce}\">\n{KEYS}</script>\n</body>\n</html>\n");
    Ok(out)
}

/// A text of a trace as HTML: nothing in it can open a tag, end an attribute, hide or turn the direction of writing.
fn escaped(text: &str) -> String {
    escape(text).replace('"', "&quot;").replace('\'', "&#39;")
}

fn head(out: &mut String, report: &Report) {
    let _ = write!(
        out,
        "<header>\n<div class=\"top\"><span class=\"kind\">hardwon scan</span>\
         <button id=\"theme\" type=\"button\" hidden>Dark</button></div>\n<h1>{}</h1>\n<p class=\"soft\">{}</p>\n",
        escaped(&report.verdict()),
        escaped(&about(report)),
    );
    let again: usize = report.of(Class::Repeated).map(|one| one.runs.len().saturating_sub(1)).sum();
    let calls: usize = report.of(Class::Repeated).map(|one| one.times).sum();
    let figures = [
        (report.runs as u64, "sessions read"),
        (report.of(Class::Repeated).count() as u64, "mistakes came back"),
        (calls as u64, "times in all"),
        (again as u64, "sessions could have known"),
        (report.of(Class::Held).count() as u64, "held back for review"),
    ];
    if report.runs > 0 {
        out.push_str("<ul class=\"figures\">\n");
        for (n, what) in figures.into_iter().filter(|(n, _)| *n > 0) {
            let _ = writeln!(out, "<li><b>{}</b><span>{what}</span></li>", grouped(n));
        }
        out.push_str("</ul>\n");
    }
    if report.findings.iter().any(|one| one.class != Class::Once) {
        out.push_str(
            "<div class=\"bar\" hidden><input id=\"filter\" type=\"search\" placeholder=\"Filter: a tool, a word, a repository\" \
             aria-label=\"Filter the mistakes\"><span class=\"soft keys\"><kbd>j</kbd> <kbd>k</kbd> move \
             <kbd>Enter</kbd> open <kbd>o</kbd> all <kbd>/</kbd> filter <kbd>t</kbd> colours</span></div>\n\
             <p id=\"none\" class=\"soft\" hidden>Nothing fits.</p>\n",
        );
    }
    out.push_str("</header>\n<main>\n");
}

fn about(report: &Report) -> String {
    if report.runs == 0 {
        return "Nothing could be read, so nothing can be said.".into();
    }
    let agents: Vec<&str> = report.agents.keys().map(String::as_str).collect();
    let mut out =
        format!("{} of {}, {}", number(report.files, "file"), agents.join(", "), size(report.bytes));
    if report.first.is_some() {
        let _ = write!(out, ", {}", days(report.first, report.last));
    }
    out.push_str(". Read on this machine alone; this page asks no network.");
    out
}

fn part(out: &mut String, report: &Report, class: Class, title: &str, about: &str) {
    if report.of(class).next().is_none() {
        return;
    }
    let _ = write!(out, "<section data-part>\n<h2>{title}</h2>\n<p class=\"soft\">{about}</p>\n");
    let span = report.span();
    for one in report.of(class) {
        card::of(out, one, span);
    }
    out.push_str("</section>\n");
}

fn once(out: &mut String, report: &Report) {
    let n = report.of(Class::Once).count();
    if n == 0 {
        return;
    }
    let _ = write!(
        out,
        "<section>\n<h2>Happened in one session</h2>\n<details><summary>{}</summary>\n<ul>\n",
        number(n, "mistake")
    );
    for one in report.of(Class::Once).take(ONCE) {
        let _ = writeln!(out, "<li><bdi>{}</bdi></li>", card::coded(&one.text));
    }
    if n > ONCE {
        let _ = writeln!(out, "<li class=\"soft\">and {} more</li>", grouped((n - ONCE) as u64));
    }
    out.push_str("</ul>\n</details>\n</section>\n");
}

fn foot(out: &mut String, report: &Report) {
    out.push_str("</main>\n<footer>\n<h2>Next</h2>\n<table>\n");
    for (command, what) in &report.next {
        let _ = writeln!(out, "<tr><td><code>{}</code></td><td>{what}</td></tr>", escaped(command));
    }
    out.push_str("</table>\n");
    if !report.looked.is_empty() {
        out.push_str("<h2>Where was looked</h2>\n<table>\n");
        for one in &report.looked {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td><code>{}</code></td><td>{}</td></tr>",
                one.agent,
                escaped(&one.path),
                state(one)
            );
        }
        out.push_str("</table>\n");
    }
    for one in &report.failed {
        let _ = writeln!(out, "<p>Not read: {}</p>", escaped(&one.message));
    }
    out.push_str("</footer>\n");
}

fn state(one: &Looked) -> String {
    match one.state {
        "missing" => "not there".into(),
        "leads_out" => "a link that leads elsewhere".into(),
        "unknown_form" => "in a form that is not read".into(),
        "unreadable" => "cannot be read".into(),
        _ if one.sessions == 0 => "no session in it".into(),
        _ => format!("{}, {}", number(one.sessions, "file"), size(one.bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_a_trace_becomes_markup() {
        let hostile = "<script>alert(1)</script> \"quoted\" 'so' & \u{2028}\u{202e}\u{200b}\u{0}end";
        let safe = escaped(hostile);
        assert!(
            !safe.contains(['<', '>', '"', '\'', '\u{2028}', '\u{202e}', '\u{200b}', '\u{0}', '\n']),
            "{safe}"
        );
        assert!(safe.contains("&lt;script&gt;") && safe.contains("\\u{202e}"), "{safe}");
    }

    #[test]
    fn its_own_parts_fit_into_a_page() {
        assert!(!KEYS.contains("</") && !STYLE.contains("</") && !STYLE.contains("url("));
        for word in ["fetch(", "innerHTML", "eval(", "http:", "https:"] {
            assert!(!KEYS.contains(word) && !STYLE.contains(word), "{word}");
        }
    }
}
