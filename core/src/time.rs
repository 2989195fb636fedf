//! Moments as texts: RFC 3339 and the ISO 8601 forms that traces have in its place, read and written.
//!
//! Decides which texts are moments. Never knows a calendar but the Gregorian, a time zone, or what time it is.

use core::fmt;

const DAY: i64 = 86_400;
const SECOND: i128 = 1_000_000_000;
/// The first and the last second that have a form, with any offset: years of four digits.
const SECONDS: core::ops::RangeInclusive<i64> = -377_705_023_201..=253_402_207_200;

/// The milliseconds since 1970 of a text with a time and an offset.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let mut from = Cursor(text.as_bytes());
    let days = date(&mut from)?;
    if !from.skips(b"Tt ") {
        return None;
    }
    let (seconds, nanos) = time(&mut from)?;
    let offset = offset(&mut from)?;
    notes(&mut from)?;
    let second = days * DAY + seconds - offset;
    let is_whole = from.0.is_empty() && SECONDS.contains(&second);
    // What is smaller than a millisecond is cut off toward 1970.
    is_whole.then_some(((i128::from(second) * SECOND + i128::from(nanos)) / 1_000_000) as i64)
}

/// Writes a moment in UTC with its milliseconds; the number where it has no form.
pub(crate) fn write(f: &mut fmt::Formatter<'_>, millis: i64) -> fmt::Result {
    let (second, milli) = (millis.div_euclid(1000), millis.rem_euclid(1000));
    if !SECONDS.contains(&(millis / 1000)) {
        return write!(f, "{millis}ms");
    }
    let (year, month, day) = civil(second.div_euclid(DAY));
    let in_day = second.rem_euclid(DAY);
    let (hour, minute, second) = (in_day / 3600, in_day / 60 % 60, in_day % 60);
    if year < 0 {
        write!(f, "-{:06}", -year)?;
    } else {
        write!(f, "{year:04}")?;
    }
    write!(f, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// So many digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (head, rest) = self.0.split_at_checked(count)?;
        let number = head
            .iter()
            .try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))?;
        self.0 = rest;
        Some(number)
    }

    /// Two digits of at most this much.
    fn pair(&mut self, most: i64) -> Option<i64> {
        self.digits(2).filter(|number| *number <= most)
    }

    /// Whether the next byte is one of these, which is then passed.
    fn skips(&mut self, any: &[u8]) -> bool {
        match self.0 {
            [first, rest @ ..] if any.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn is_digit(&self) -> bool {
        self.0.first().is_some_and(u8::is_ascii_digit)
    }

    /// The parts after a first one: with `:` between all of them or none, as many as there are.
    fn parts<const N: usize>(&mut self, most: [i64; N]) -> Option<[i64; N]> {
        let mut out = [0; N];
        let is_extended = self.0.first() == Some(&b':');
        for (part, most) in out.iter_mut().zip(most) {
            let goes_on = if is_extended { self.skips(b":") } else { self.is_digit() };
            if !goes_on {
                break;
            }
            *part = self.pair(most)?;
        }
        Some(out)
    }
}

/// Days since 1970.
fn date(from: &mut Cursor<'_>) -> Option<i64> {
    let year = match from.0.first()? {
        b'-' if from.skips(b"-") => -from.digits(6).filter(|year| *year > 0)?,
        b'+' if from.skips(b"+") => from.digits(6)?,
        _ => from.digits(4)?,
    };
    let is_extended = from.skips(b"-");
    let month = from.digits(2)?;
    if from.skips(b"-") != is_extended {
        return None;
    }
    let day = from.digits(2)?;
    let is_day = (-9999..=9999).contains(&year) && (1..=12).contains(&month) && day >= 1;
    (is_day && day <= length(year, month)).then(|| days(year, month, day))
}

/// Seconds of the day, and nanoseconds.
fn time(from: &mut Cursor<'_>) -> Option<(i64, i64)> {
    let hour = from.pair(23)?;
    let before = from.0.len();
    let [minute, second] = from.parts([59, 60])?;
    let has_seconds = before - from.0.len() >= 4;
    let nanos = if has_seconds && from.skips(b".,") { fraction(from)? } else { 0 };
    // A leap second is the second before it.
    Some((hour * 3600 + minute * 60 + second.min(59), nanos))
}

fn fraction(from: &mut Cursor<'_>) -> Option<i64> {
    let count = from.0.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = from.digits(count).filter(|_| (1..=9).contains(&count))?;
    Some(digits * 10i64.pow(9 - count as u32))
}

/// Seconds east of UTC.
fn offset(from: &mut Cursor<'_>) -> Option<i64> {
    if from.skips(b"Zz") {
        return Some(0);
    }
    let sign = match from.0.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    from.skips(b"+-");
    let hour = from.pair(25)?;
    let [minute, second] = from.parts([59, 59])?;
    Some(sign * (hour * 3600 + minute * 60 + second))
}

/// Passes notes in brackets, such as the name of a time zone: the offset says it all.
fn notes(from: &mut Cursor<'_>) -> Option<()> {
    while from.skips(b"[") {
        let end = from.0.iter().position(|byte| *byte == b']').filter(|end| *end > 0)?;
        from.0 = from.0.get(end + 1..)?;
    }
    Some(())
}

fn length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970 to a day. The year begins in March here, so that the day that some years have more is its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let months = (month + 9) % 12;
    let (era, in_era) = (year.div_euclid(400), year.rem_euclid(400));
    let in_year = (months * 153 + 2) / 5 + day - 1;
    era * 146_097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719_468
}

/// Year, month and day of a day.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, in_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (year * 365 + year / 4 - year / 100);
    let months = (in_year * 5 + 2) / 153;
    let day = in_year - (months * 153 + 2) / 5 + 1;
    let month = if months < 10 { months + 3 } else { months - 9 };
    (era * 400 + year + i64::from(month < 3), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use proptest::prelude::*;

    struct Shown(i64);

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write(f, self.0)
        }
    }

    /// As a library for calendars has it.
    fn theirs(text: &str) -> Option<i64> {
        text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_millisecond)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn it_writes_as_a_library_does(
            millis in prop_oneof![any::<i64>(), -400_000_000_000_000..300_000_000_000_000i64],
        ) {
            let theirs = jiff::Timestamp::from_millisecond(millis);
            let theirs = theirs.map_or_else(|_| alloc::format!("{millis}ms"), |at| alloc::format!("{at:.3}"));
            prop_assert_eq!(Shown(millis).to_string(), theirs);
        }

        #[test]
        fn it_reads_as_a_library_does(
            text in "([0-9]{4}|[+-]00[0-9]{4})-?[01][0-9]-?[0-3][0-9][Tt ]?[0-2][0-9](:?[0-6][0-9](:?[0-6][0-9]([.,][0-9]{0,10})?)?)?(Z|z|[+-][0-2][0-9](:?[0-6][0-9](:?[0-5][0-9])?)?)?"
        ) {
            prop_assert_eq!(parse(&text), theirs(&text), "{}", text);
        }

        #[test]
        fn what_is_broken_is_no_moment(at in 0usize..24, byte in any::<char>()) {
            let mut text: String = "2026-02-10T22:57:54.684Z".into();
            text.replace_range(at..=at, &byte.to_string());
            prop_assert_eq!(parse(&text), theirs(&text), "{}", text);
            prop_assert_eq!(parse(&text[..at]), theirs(&text[..at]));
        }
    }

    #[test]
    fn notes_in_brackets_are_passed() {
        let text = "2026-02-10T22:57:54+01:00[Europe/Berlin]";
        assert_eq!(parse(text), theirs(text));
        assert!(parse(text).is_some() && parse("2026-02-10T22:57:54Z[").is_none());
    }
}
