//! The engine's codes in words, for people; scripts get the codes.
//!
//! Decides wording alone. A code that has no words here is shown as it is.

/// What taught nothing, after its number.
pub(super) fn skipped(code: &str) -> &str {
    match code {
        "refused" => "refused by the user or a permission",
        "cancelled" => "cancelled",
        "interrupted" => "interrupted by the user",
        "cascade" => "failed because another call had",
        "probe" => "only looked whether something is there",
        "red_test" => "meant to fail first",
        "edit_test_loop" => "failing tests that the run itself fixed",
        "known_event" => "known from another session",
        "forgotten" => "forgotten before",
        "no_lesson" => "no lesson in the model's eyes",
        other => other,
    }
}

/// Why a model's answer is not used, after its number.
pub(super) fn unused(code: &str) -> &str {
    match code {
        "call_failed" => "failed calls",
        "empty" => "empty",
        "too_long" => "too long",
        "lines" => "of several lines",
        "markup" => "not plain",
        "example" => "the prompt's own example",
        "language" => "in another language",
        "value" => "with something that the run did not show",
        "unrelated" => "about something else",
        "contradicts" => "with the opposite",
        "remedy" => "without the remedy",
        "bypass" => "with a way round a check",
        "secret" => "with a credential",
        other => other,
    }
}

/// Why a line was left out, after its number.
pub(super) fn bad_line(code: &str) -> &str {
    match code {
        "not_utf8" => "not UTF-8",
        "not_json" => "no JSON",
        "truncated" => "cut off",
        "too_long" => "too long",
        "too_deep" => "nested too deep",
        "wrong_shape" => "not of the format",
        other => other,
    }
}

/// Why a record is not active, or why a text is not taken.
pub(super) fn reason(code: &str) -> &str {
    match code {
        "forgotten" => "forgotten: `hardwon restore` brings it back",
        "evicted" => "left to hold the cap: recurrence or `hardwon restore` brings it back",
        "summarized" => "left in a summary: recurrence or `hardwon restore` brings it back",
        "contradicts" => "contradicts what is held",
        "contradicted" => "a newer statement says the opposite",
        "bypass" => "its remedy skips a check: a person has to review it",
        "injection" => "reads like an order to the reader",
        "self_referential" => "speaks of itself",
        "invisible_characters" => "hides characters",
        "bidi" => "turns the direction of text",
        "encoded_payload" => "asks to decode and follow something",
        "hostile_remedy" => "its remedy would harm: a person has to review it",
        "secret" => "it holds a credential: keep it where secrets are kept, and rotate it",
        "needs_token_table" => "its tokens cannot be counted without a token table",
        "empty_text" => "it has no text",
        "text_too_long" => "it is too long",
        "erased" => "it was erased before",
        "candidate" => "a line of a file: a person says whether it is a fact",
        "edited" => "it was edited by hand",
        "superseded" => "something newer took its place",
        "older" => "something that was said later holds",
        "ended" => "it holds no longer",
        "unordered" => "another statement of the same time says otherwise, and nothing tells which holds",
        "unconfirmed" => "nobody but a weak source says so: confirm it, or give a better source",
        "source_forgotten" => "all that its source taught was taken back",
        "inference" => "its source only supposes it",
        "duplicate" => "another record says the same",
        "transient" => "it is over when the session is",
        "question" => "it is a question",
        "hypothetical" => "it only supposes",
        "proposal" => "it is a proposal that nobody has agreed to",
        "plan" => "it tells what is meant to be done",
        "opinion" => "it is what one thinks of something",
        other => {
            other.strip_prefix("over_cap: ").or(other.strip_prefix("needs_token_table: ")).unwrap_or(other)
        }
    }
}

/// Why a lesson that fits a call keeps silent.
pub(super) fn silence(code: &str) -> &str {
    match code {
        "muted" => "muted, `hardwon unmute` lets it speak",
        "unproven" => "no remedy of it has been seen to work",
        "base_rate" => "such calls do not fail more often than others",
        "outcomes_turned" => "it failed more often than it helped",
        "quiet" => "ignored lately, quiet for a while",
        "shown" => "it has spoken in this run",
        "limit" => "enough has been said in this run",
        "just_passed" => "such a call has just worked in this run",
        "elsewhere" => "the call is about another kind of thing",
        "followed" => "the call is made as it says already",
        "withheld" => "withheld, to measure what it changes",
        other => other,
    }
}

/// Why a record waits for a person.
pub(super) fn cause(code: &str) -> &str {
    match code {
        "outcomes_turned" => "showing it has not helped",
        "revalidate" => "it is time to check it again",
        "no_longer_fails" => "what it warns of no longer fails",
        "unseen" => "what it is about has not been seen for long",
        "unknown" => "it was put up for review",
        other => reason(other),
    }
}

/// What is doubtful in how a fact reads.
pub(super) fn flag(code: &str) -> &str {
    match code {
        "over_generalised" => "it says more than its source or its scope",
        "undated" => "a fact about the world outside without its date",
        other => other,
    }
}

/// The class of a flaw that an audit finds.
pub(super) fn flaw(code: &str) -> &str {
    match code {
        "duplicate" => "said twice",
        "scope_leak" => "applies too widely",
        "stale" => "to be checked again",
        "contradiction" => "contradict each other",
        "inference" => "surer than its source",
        "secret" => "holds a credential",
        "index" => "out of step with the indexes",
        other => other,
    }
}

/// Why something in a file of facts is no claim.
pub(super) fn passed_over(code: &str) -> &str {
    match code {
        "not_json" => "no JSON",
        "wrong_shape" => "not of the form",
        "not_in_index" => "taken, and not in the index",
        "missing_file" => "in the index, and not there",
        "changed_since" => "changed since it was written out",
        "too_long" => "too long for one fact",
        other => reason(other),
    }
}

/// What a check of `explain` looks at.
pub(super) fn check(code: &str) -> &str {
    match code {
        "status" => "is active",
        "scope" => "is of the scope",
        "validity" => "is valid now",
        "shadowed" => "has no narrower one in its place",
        "benign" => "may speak now",
        "gate" => "is relevant enough",
        "top_k" => "is among the best",
        "budget" => "fits the budget",
        other => other,
    }
}

/// The signal that a lesson came from, and other names of several words.
pub(super) fn plain(code: &str) -> String {
    code.replace('_', " ")
}

/// Where a record comes from.
pub(super) fn source(code: &str) -> &str {
    match code {
        "user" => "a user's statement",
        "repo" => "the repository",
        "review" => "a person's review",
        "tool" => "the output of tools",
        "model" => "a model's inference",
        "web" => "the web or a third party",
        other => other,
    }
}
