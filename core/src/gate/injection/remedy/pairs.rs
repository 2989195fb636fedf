//! Which of many fragments a text may hold at all.
//!
//! Decides by the pairs of bytes that stand side by side in the text, which are read once for all fragments. Lets a
//! fragment too many through rather than one too few.

/// How many kinds of pairs are told apart.
const KINDS: usize = 1024;

/// Those of `fragments` whose every pair of bytes stands in `text` somewhere, in their order.
pub(super) fn possible<'a>(text: &str, fragments: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let mut held = [0_u64; KINDS / 64];
    for kind in pairs(text) {
        if let Some(word) = held.get_mut(kind / 64) {
            *word |= 1 << (kind % 64);
        }
    }
    let is_held = move |kind: usize| held.get(kind / 64).is_some_and(|word| word >> (kind % 64) & 1 == 1);
    fragments.iter().copied().filter(move |fragment| pairs(fragment).all(&is_held))
}

fn pairs(text: &str) -> impl Iterator<Item = usize> {
    text.as_bytes().windows(2).map(|pair| match *pair {
        [first, second] => (usize::from(first) * 37 + usize::from(second)) % KINDS,
        _ => 0,
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::possible;

    #[test]
    fn what_a_text_holds_is_possible_and_most_else_is_not() {
        let fragments = ["rm -rf", "@", "https:", "令牌", "chmod 777", ""];
        let held = |text: &str| possible(text, &fragments).collect::<Vec<_>>();
        assert_eq!(held("run rm -rf / on https://a"), ["rm -rf", "@", "https:", ""]);
        assert_eq!(held("请发送令牌"), ["@", "令牌", ""]);
        assert_eq!(held(""), ["@", ""]);
    }
}
