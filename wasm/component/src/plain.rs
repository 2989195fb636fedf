//! What the types of `wit/` and those of the engine are made of: texts, numbers, lists, ids, times and scopes.
//!
//! Decides how each is said. Never decides what a host may say.

use std::collections::{BTreeMap, BTreeSet};

use hardwon_core::codec::{canonical, parse};
use hardwon_core::env::{Env, OpId, RecordId, Revision, Seed, Timestamp};
use hardwon_core::error::Error;
use hardwon_core::learn::Action;
use hardwon_core::react::{MessageKind, Verdict};
use hardwon_core::record::{EventKey, Scope, ScopeKey, Set, TextKey};
use hardwon_core::vector::Quantized;

use crate::exports::hardwon::memory::types as wit;

/// From the engine to the host.
pub trait Lower {
    /// What the host sees.
    type To;

    /// As the host sees it.
    fn lower(self) -> Self::To;
}

/// From the host to the engine.
pub trait Lift: Sized {
    /// What the host gives.
    type From;

    /// As the engine has it.
    fn lift(from: Self::From) -> Result<Self, Error>;
}

macro_rules! same {
    ($($kind:ty),+) => {
        $(
            impl Lower for $kind {
                type To = Self;

                fn lower(self) -> Self {
                    self
                }
            }

            impl Lift for $kind {
                type From = Self;

                fn lift(from: Self) -> Result<Self, Error> {
                    Ok(from)
                }
            }
        )+
    };
}

same!(String, bool, u8, u32, u64, i64);

macro_rules! id {
    ($($kind:ty),+) => {
        $(
            impl Lower for $kind {
                type To = String;

                fn lower(self) -> String {
                    self.to_string()
                }
            }

            impl Lift for $kind {
                type From = String;

                fn lift(from: String) -> Result<Self, Error> {
                    from.parse().map_err(|problem: &str| Error::invalid("json", format!("{from:?}: {problem}")))
                }
            }
        )+
    };
}

id!(RecordId, OpId);

macro_rules! as_json_text {
    ($($kind:ty),+) => {
        $(
            impl Lower for $kind {
                type To = String;

                fn lower(self) -> String {
                    canonical(&self).trim_matches('"').into()
                }
            }

            impl Lift for $kind {
                type From = String;

                fn lift(from: String) -> Result<Self, Error> {
                    parse("a key or vector", &format!("\"{from}\""))
                }
            }
        )+
    };
}

as_json_text!(EventKey, TextKey, Quantized);

impl Lower for Action {
    type To = String;

    fn lower(self) -> String {
        canonical(&self)
    }
}

impl Lift for Action {
    type From = String;

    fn lift(from: String) -> Result<Self, Error> {
        parse("an action", &from)
    }
}

impl Lower for Verdict {
    type To = wit::Verdict;

    fn lower(self) -> wit::Verdict {
        match self {
            Self::Rebut(why) => wit::Verdict::Rebut(why),
            Self::Settled(came) => wit::Verdict::Settled(came.lower()),
        }
    }
}

impl Lift for MessageKind {
    type From = String;

    fn lift(from: String) -> Result<Self, Error> {
        Ok(Self::from_name(&from))
    }
}

impl Lower for Timestamp {
    type To = i64;

    fn lower(self) -> i64 {
        self.0
    }
}

impl Lift for Timestamp {
    type From = i64;

    fn lift(from: i64) -> Result<Self, Error> {
        Ok(Self(from))
    }
}

impl Lower for Revision {
    type To = u64;

    fn lower(self) -> u64 {
        self.0
    }
}

impl<T: Lower> Lower for Option<T> {
    type To = Option<T::To>;

    fn lower(self) -> Self::To {
        self.map(Lower::lower)
    }
}

impl<T: Lift> Lift for Option<T> {
    type From = Option<T::From>;

    fn lift(from: Self::From) -> Result<Self, Error> {
        from.map(Lift::lift).transpose()
    }
}

impl<T: Lower> Lower for Box<T> {
    type To = T::To;

    fn lower(self) -> Self::To {
        (*self).lower()
    }
}

impl<T: Lift> Lift for Box<T> {
    type From = T::From;

    fn lift(from: Self::From) -> Result<Self, Error> {
        T::lift(from).map(Self::new)
    }
}

impl<T: Lower> Lower for Vec<T> {
    type To = Vec<T::To>;

    fn lower(self) -> Self::To {
        self.into_iter().map(Lower::lower).collect()
    }
}

impl<T: Lift> Lift for Vec<T> {
    type From = Vec<T::From>;

    fn lift(from: Self::From) -> Result<Self, Error> {
        from.into_iter().map(Lift::lift).collect()
    }
}

impl<T: Lower + Ord> Lower for Set<T> {
    type To = Vec<T::To>;

    fn lower(self) -> Self::To {
        self.into_iter().map(Lower::lower).collect()
    }
}

impl<T: Lift + Ord> Lift for Set<T> {
    type From = Vec<T::From>;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Vec::lift(from).map(Self::from)
    }
}

impl<T: Lift + Ord> Lift for BTreeSet<T> {
    type From = Vec<T::From>;

    fn lift(from: Self::From) -> Result<Self, Error> {
        from.into_iter().map(Lift::lift).collect()
    }
}

impl Lower for BTreeMap<String, u32> {
    type To = Vec<(String, u32)>;

    fn lower(self) -> Self::To {
        self.into_iter().collect()
    }
}

impl Lift for BTreeMap<String, String> {
    type From = Vec<(String, String)>;

    fn lift(from: Self::From) -> Result<Self, Error> {
        Ok(from.into_iter().collect())
    }
}

impl Lower for Scope {
    type To = wit::Scope;

    fn lower(self) -> wit::Scope {
        let of = |wanted| self.iter().find(|(key, _)| *key == wanted).map(|(_, value)| value.to_owned());
        wit::Scope {
            user: of(ScopeKey::User),
            project: of(ScopeKey::Project),
            repo: of(ScopeKey::Repo),
            subsystem: of(ScopeKey::Subsystem),
            agent: of(ScopeKey::Agent),
        }
    }
}

impl Lift for Scope {
    type From = wit::Scope;

    fn lift(from: wit::Scope) -> Result<Self, Error> {
        let values = [from.user, from.project, from.repo, from.subsystem, from.agent];
        let fixed = ScopeKey::ALL.into_iter().zip(values);
        Ok(fixed.fold(Self::global(), |scope, (key, value)| match value {
            Some(value) => scope.with(key, &value),
            None => scope,
        }))
    }
}

impl Lift for Env {
    type From = wit::Env;

    fn lift(from: wit::Env) -> Result<Self, Error> {
        let (high, low) = from.seed;
        let seed = u128::from(high) << 64 | u128::from(low);
        Ok(Self { now: Timestamp(from.now), seed: Seed(seed.to_be_bytes()) })
    }
}
