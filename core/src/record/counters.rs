//! Outcome counters. Only explicit events write them.

use serde::{Deserialize, Serialize};

macro_rules! counters {
    ($($(#[doc = $doc:literal])* $(#[serde($($serde:tt)*)])? $field:ident / $variant:ident,)+) => {
        /// What came of showing a record. Counts only ever change by explicit events, never by a guess.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Counters {
            $($(#[doc = $doc])* $(#[serde($($serde)*)])? pub $field: u32,)+
        }

        /// The name of one counter.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Counter {
            $($(#[doc = $doc])* $variant,)+
        }

        impl Counters {
            /// Adds `by`, which may be negative, stopping at the ends of the range.
            pub fn add(&mut self, counter: Counter, by: i64) {
                let field = match counter { $(Counter::$variant => &mut self.$field,)+ };
                *field = i64::from(*field).saturating_add(by).clamp(0, i64::from(u32::MAX)) as u32;
            }
        }
    };
}

counters! {
    /// Times it was shown.
    surfaced / Surfaced,
    /// Times it was shown and followed.
    followed / Followed,
    /// Times it was shown and not followed.
    not_followed / NotFollowed,
    /// Times it was shown and did not matter.
    irrelevant / Irrelevant,
    /// Times it should have been shown and was not.
    missed / Missed,
    /// Times the same failure came back after it was shown.
    recurred / Recurred,
    /// Times its shape was called and passed after it was shown.
    avoided / Avoided,
    /// Times it would have been shown and the holdback kept it back.
    #[serde(skip_serializing_if = "is_zero")]
    withheld / Withheld,
    /// Times the same failure came back after it was kept back.
    #[serde(skip_serializing_if = "is_zero")]
    recurred_withheld / RecurredWithheld,
    /// Times its shape was called and passed after it was kept back.
    #[serde(skip_serializing_if = "is_zero")]
    avoided_withheld / AvoidedWithheld,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
const fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Counters {
    /// How often it was shown without anything that is known to have come of it.
    pub const fn unresolved(&self) -> u32 {
        let known = self.followed.saturating_add(self.not_followed).saturating_add(self.irrelevant);
        let seen = self.recurred.saturating_add(self.avoided);
        self.surfaced.saturating_sub(known.saturating_add(seen))
    }

    /// How often showing it was of no use, as far as events tell.
    pub const fn failures(&self) -> u32 {
        self.recurred.saturating_add(self.not_followed)
    }

    /// How often showing it was of use, as far as events tell.
    pub const fn successes(&self) -> u32 {
        self.avoided.saturating_add(self.followed)
    }
}
