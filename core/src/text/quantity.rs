//! Quantities: decides when two ways of writing a number with its unit are the same.
//!
//! Never converts between units: 60 s and 1 min stay two quantities.

use alloc::string::{String, ToString};

use super::normal::{chunks, fold, is_number};

/// The quantity that `chunk` writes, between the characters before it and the text after it; nothing without a digit.
///
/// Numbers lose grouping commas and take their unit, sign and comparison with them, versions lose a leading `v`, and
/// any other word with a digit in it (`sha256`) is itself.
pub(super) fn quantity(chunk: &str, gap: &str, tail: &str) -> Option<String> {
    let word = fold(chunk);
    if let Some(number) = number_word(&word) {
        return Some([number, unit_after(tail).unwrap_or_default().as_str()].concat());
    }
    if !word.contains(|c: char| c.is_numeric()) || word.starts_with(is_han_digit) {
        return None;
    }
    let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(word.len());
    let (number, rest) = word.split_at(digits);
    if is_number(&word) {
        let plain: String = word.trim_start_matches('v').chars().filter(|&c| c != ',').collect();
        let unit = unit_after(tail).unwrap_or_default();
        return Some([sign(gap), &plain, &unit].concat());
    }
    match unit(rest.trim_start_matches('-')) {
        Some(unit) if !number.is_empty() => Some([sign(gap), number, unit].concat()),
        _ => Some(word),
    }
}

fn is_han_digit(c: char) -> bool {
    !c.is_ascii_digit() && super::normal::is_unspaced(c)
}

/// What stands directly before a number and changes it: a comparison, a minus or a currency.
fn sign(gap: &str) -> &str {
    let tight = gap.trim_end();
    let start = tight.trim_end_matches(['<', '>', '=', '≤', '≥']);
    let compares = !start.ends_with('-') && tight.len() > start.len() && tight.contains(['<', '>', '≤', '≥']);
    if compares {
        return tight.get(start.len()..).unwrap_or_default();
    }
    let head = gap.strip_suffix(['-', '−', '$', '€', '£', '¥', '#']).unwrap_or(gap);
    let alone = head.chars().next_back().is_none_or(|c| c.is_whitespace() || "(=:[,\"'`".contains(c));
    if alone { gap.get(head.len()..).unwrap_or_default() } else { "" }
}

/// The unit that begins `tail`, after at most one space.
fn unit_after(tail: &str) -> Option<String> {
    let tail = tail.strip_prefix([' ', '\u{A0}', '\u{202F}']).unwrap_or(tail);
    let first = tail.chars().next()?;
    if matches!(first, '%' | '°' | '€' | '$' | '£' | '¥') {
        return Some(first.to_string());
    }
    let word = chunks(tail).next().filter(|word| word.start == 0)?;
    if word.unspaced {
        return word.text.chars().next().filter(|&c| HAN_UNITS.contains(c)).map(String::from);
    }
    unit(&fold(word.text)).map(String::from)
}

pub(super) fn unit(word: &str) -> Option<&'static str> {
    UNITS.iter().find(|(_, names)| names.contains(&word)).map(|&(unit, _)| unit)
}

pub(super) fn number_word(word: &str) -> Option<&'static str> {
    NUMBERS.iter().find(|&&(name, _)| name == word).map(|&(_, number)| number)
}

/// English only, and without "one", which is seldom a number.
const NUMBERS: &[(&str, &str)] = &[
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
];

const HAN_UNITS: &str = "秒分时時天日周週月年次回度元円条個个";

const UNITS: &[(&str, &[&str])] = &[
    ("ns", &["ns", "nanosecond", "nanoseconds"]),
    ("us", &["us", "μs", "microsecond", "microseconds"]),
    (
        "ms",
        &[
            "ms",
            "msec",
            "millis",
            "millisecond",
            "milliseconds",
            "millisekunden",
            "millisecondes",
            "milisegundos",
        ],
    ),
    (
        "s",
        &[
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "sekunde",
            "sekunden",
            "seconde",
            "secondes",
            "segundo",
            "segundos",
            "сек",
            "секунда",
            "секунду",
            "секунды",
            "секунд",
            "초",
        ],
    ),
    (
        "min",
        &[
            "min",
            "mins",
            "minute",
            "minutes",
            "minuten",
            "minuto",
            "minutos",
            "минуту",
            "минуты",
            "минут",
            "분",
        ],
    ),
    (
        "h",
        &[
            "h",
            "hr",
            "hrs",
            "hour",
            "hours",
            "stunde",
            "stunden",
            "heure",
            "heures",
            "hora",
            "horas",
            "час",
            "часа",
            "часов",
        ],
    ),
    (
        "d",
        &[
            "d", "day", "days", "tag", "tage", "tagen", "jour", "jours", "dia", "dias", "день", "дня",
            "дней", "일",
        ],
    ),
    (
        "weeks",
        &["week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas", "неделя", "недели"],
    ),
    ("months", &["month", "months", "monat", "monate", "mois", "mes", "meses", "месяц", "месяца", "месяцев"]),
    ("years", &["year", "years", "jahr", "jahre", "an", "ans", "ano", "anos", "год", "года", "лет"]),
    ("m", &["m", "meter", "meters", "metre", "metres"]),
    ("bit", &["bit", "bits"]),
    ("b", &["b", "byte", "bytes"]),
    ("kb", &["kb", "k", "kilobyte", "kilobytes"]),
    ("mb", &["mb", "megabyte", "megabytes"]),
    ("gb", &["gb", "gigabyte", "gigabytes"]),
    ("tb", &["tb", "terabyte", "terabytes"]),
    ("kib", &["kib"]),
    ("mib", &["mib"]),
    ("gib", &["gib"]),
    ("hz", &["hz"]),
    ("khz", &["khz"]),
    ("mhz", &["mhz"]),
    ("ghz", &["ghz"]),
    ("px", &["px", "pixel", "pixels"]),
    ("%", &["percent", "pct", "prozent"]),
    ("tokens", &["token", "tokens"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_takes_its_sign_and_unit() {
        for (before, chunk, after, expected) in [
            ("", "30", " seconds", Some("30s")),
            ("", "30s", "", Some("30s")),
            ("", "30-second", " timeout", Some("30s")),
            (" -", "1", "", Some("-1")),
            (" >= ", "5", "", Some(">=5")),
            (" -> ", "5", "", Some("5")),
            (" $", "5", "", Some("$5")),
            ("", "v1.2.3", "", Some("1.2.3")),
            ("", "1,000", "%", Some("1000%")),
            ("", "utf8", " text", Some("utf8")),
            ("", "30", " apples", Some("30")),
            ("", "30", "\n\ns", Some("30")),
            ("", "five", " minutes", Some("5min")),
            ("", "word", "", None),
        ] {
            assert_eq!(quantity(chunk, before, after).as_deref(), expected, "{before}{chunk}{after}");
        }
    }
}
