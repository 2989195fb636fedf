use crate::learn::draft::Strength;
use crate::learn::testing::run;
use crate::record::{Mark, Subtype};
use crate::trace::{Body, Outcome};
use alloc::string::ToString;
use serde_json::json;

#[test]
fn a_hint_is_quoted_and_proven_when_the_run_followed_it() {
    let error = "error: the tree is not sorted\nRun 'tool sort --all' to fix";
    let named = run("s").shell_fails("tool check", error).draft();
    assert_eq!((named.subtype, named.strength), (Subtype::Failure, Strength::Named));
    assert!(named.text.starts_with("Run `tool sort --all` before `tool check`"), "{}", named.text);
    let followed = run("s").shell_fails("tool check", error).shell_ok("tool sort --all", "ok").draft();
    assert_eq!((followed.subtype, followed.strength), (Subtype::HintFollowed, Strength::Proven));
}

#[test]
fn a_hint_that_overrides_a_check_is_never_quoted() {
    for error in [
        "The following paths are ignored by one of your .gitignore files:\ndist\nhint: Use -f if you really want to add them.",
        "error: the hook refused the change\nRun 'tool commit --no-verify' to skip it",
        "error: the branch is not merged\nIf you are sure, run 'git branch -D x --force'",
        "error: the store is locked by a stale process\nhint: Turn this message off by running\nhint: \"git config advice.x false\"",
    ] {
        let draft = run("s").shell_fails("git add dist", error).shell_ok("git add -f dist", "ok").draft();
        let text = draft.text.to_lowercase();
        assert!(
            !["-f`", " -f ", "--no-verify", "force", "git config", "really want"]
                .iter()
                .any(|word| text.contains(word)),
            "{text}"
        );
    }
}

#[test]
fn the_errors_own_sentence_is_the_remedy() {
    let error = "File content (85812 tokens) exceeds maximum allowed tokens (25000). Please use offset and limit parameters to read portions, or use Grep.";
    let draft = run("s").fails("Read", json!({ "file_path": "/a/b.json" }), error).draft();
    assert_eq!(draft.strength, Strength::Named);
    assert!(draft.text.starts_with("Use offset and limit parameters to read portions: "), "{}", draft.text);
}

#[test]
fn a_step_put_before_counts_when_the_error_names_it() {
    let error =
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>";
    let edit = json!({ "file_path": "/a", "old_string": "x", "new_string": "y" });
    let script = run("s")
        .fails("Edit", edit.clone(), error)
        .ok("Read", json!({ "file_path": "/a" }), "x")
        .ok("Edit", edit, "done");
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::HintFollowed, Strength::Proven));
    assert!(draft.text.starts_with("Read the file before `Edit`"), "{}", draft.text);
}

#[test]
fn another_tool_that_came_next_is_no_remedy() {
    let draft = run("s")
        .fails("fetch", json!({ "url": "u" }), "the page answered with an empty body")
        .ok("search", json!({ "q": "u" }), "hits")
        .draft();
    assert_eq!(draft.strength, Strength::Bare);
    assert!(!draft.text.contains("search"));
}

#[test]
fn one_changed_flag_is_seen_and_a_named_one_proven() {
    let seen = run("s")
        .shell_fails("tool pull a", "the remote hung up unexpectedly")
        .shell_ok("tool pull --slow a", "ok")
        .draft();
    assert_eq!((seen.subtype, seen.strength), (Subtype::Recovery, Strength::Seen));
    let named = run("s")
        .shell_fails("tool pull a", "the remote hung up: --slow was not given")
        .shell_ok("tool pull --slow a", "ok")
        .draft();
    assert_eq!(named.strength, Strength::Proven);
    assert!(named.text.starts_with("Pass `--slow` to `tool pull`"), "{}", named.text);
}

#[test]
fn a_bypass_is_never_taught() {
    let draft = run("s")
        .shell_fails("tool push a", "the gate refused two files of this change")
        .shell_ok("tool push --force a", "ok")
        .draft();
    assert_eq!(draft.strength, Strength::Bare);
    assert!(!draft.text.contains("force"));
}

#[test]
fn a_success_behind_a_filter_proves_nothing() {
    let draft = run("s")
        .shell_fails("tool pull a", "the remote hung up unexpectedly")
        .shell_ok("tool pull --slow a | tail -1", "")
        .draft();
    assert_eq!(draft.strength, Strength::Bare);
}

#[test]
fn in_a_run_that_failed_a_remedy_is_weak_and_the_failure_still_counts() {
    let script = run("s")
        .shell_fails("tool pull a", "the remote hung up unexpectedly")
        .shell_ok("tool pull --slow a", "ok")
        .outcome(Outcome::Failed);
    let draft = script.draft();
    assert!(
        draft.strength == Strength::Weak && draft.marks.contains(&Mark::Weak) && draft.evidence.len() == 1
    );
}

#[test]
fn the_right_value_names_its_source() {
    let script = run("s")
        .user("Pay my order")
        .fails(
            "pay",
            json!({ "order_id": "o_1", "payment_id": "card_99" }),
            "Error: payment method not found",
        )
        .ok("get_user", json!({ "user_id": "u_1" }), "{\"payment_methods\": [\"card_11\", \"card_12\"]}")
        .ok("pay", json!({ "order_id": "o_1", "payment_id": "card_11" }), "paid");
    let draft = script.draft();
    assert_eq!(draft.subtype, Subtype::InventedValue);
    assert!(draft.text.starts_with("Take `payment_id` for `pay` from `get_user`"), "{}", draft.text);
}

#[test]
fn an_invented_value_is_told_by_the_list_it_is_not_on() {
    let list = "hero_idle, hero_run, hero_fall, coin_gold, coin_blue, wall_brick";
    let script = run("s").ok("list_sprites", json!({}), list).fails(
        "place_sprite",
        json!({ "sprite_id": "hero_jump" }),
        "unknown sprite: hero_jump",
    );
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::InventedValue, Strength::Named));
    assert!(draft.text.contains("`list_sprites`") && draft.text.contains("hero_run"), "{}", draft.text);
}

#[test]
fn a_silent_tool_does_not_hide_an_invented_value() {
    let list = "hero_idle, hero_run, hero_fall, coin_gold, coin_blue, wall_brick";
    let script = |sprite: &str| {
        run("s").ok("list_sprites", json!({}), list).ok("place_sprite", json!({ "sprite_id": sprite }), "ok")
    };
    assert_eq!(script("hero_jump").draft().subtype, Subtype::InventedValue);
    assert!(script("hero_fall").mined().drafts.is_empty());
}

#[test]
fn nothing_is_claimed_about_results_that_were_cut() {
    let list = "hero_idle, hero_run, hero_fall, coin_gold";
    let script = run("s").ok("list_sprites", json!({}), list).cut().fails(
        "place_sprite",
        json!({ "sprite_id": "hero_jump" }),
        "unknown sprite: hero_jump",
    );
    assert_eq!(script.draft().subtype, Subtype::Failure);
}

#[test]
fn a_value_that_a_person_gave_is_not_invented() {
    let script = run("s")
        .user("Use hero_jump")
        .ok("list_sprites", json!({}), "hero_idle, hero_run, hero_fall")
        .fails("place_sprite", json!({ "sprite_id": "hero_jump" }), "unknown sprite: hero_jump");
    assert_eq!(script.draft().subtype, Subtype::Failure);
}

#[test]
fn several_tries_without_success_are_a_dead_end() {
    let mut script = run("s");
    for way in ["a", "b", "c"] {
        script = script.shell_fails(&alloc::format!("tool load {way}"), "the cache index has a wrong shape");
    }
    let draft = script.draft();
    assert_eq!(draft.strength, Strength::Named);
    assert!(draft.text.contains("3 variants failed"), "{}", draft.text);
}

#[test]
fn success_said_over_a_failed_check_is_a_discrepancy() {
    let script = run("s")
        .shell_fails("npm test", "AssertionError: 3 is not 4")
        .ends("All done, the feature is implemented.");
    let drafts = script.mined().drafts;
    let claim = drafts.iter().find(|draft| draft.subtype == Subtype::Discrepancy).expect("a discrepancy");
    assert!(claim.text.contains("`npm test`"), "{}", claim.text);
    let honest = run("s").shell_fails("npm test", "AssertionError: 3 is not 4").ends("The tests still fail.");
    assert!(honest.mined().drafts.iter().all(|draft| draft.subtype != Subtype::Discrepancy));
}

#[test]
fn a_claim_that_it_works_wants_a_check_after_the_last_edit() {
    let unchecked =
        run("s").shell_ok("npm test", "ok").edits("src/a.ts").ends("It works now, you can go play it.");
    assert_eq!(unchecked.draft().key, "discrepancy:claimed_unchecked");
    let checked = run("s").edits("src/a.ts").shell_ok("npm test", "ok").ends("It works now.");
    assert!(checked.mined().drafts.iter().all(|draft| draft.subtype != Subtype::Discrepancy));
    let blind = run("s").edits("src/a.ts").shell_ok("npm test > /dev/null || true", "").ends("It works now.");
    assert_eq!(blind.draft().key, "discrepancy:claimed_blind");
    let successful = run("s").edits("src/a.ts").ends("It works now.").outcome(Outcome::Success);
    assert!(successful.mined().drafts.iter().all(|draft| draft.subtype != Subtype::Discrepancy));
}

#[test]
fn closing_work_over_a_failed_check_is_a_discrepancy() {
    let script = run("s")
        .shell_fails("cargo test", "error: the borrow does not live long enough")
        .shell_ok("bd close item-1", "closed");
    let drafts = script.mined().drafts;
    let closed = drafts.iter().find(|draft| draft.subtype == Subtype::Discrepancy).expect("a discrepancy");
    assert_eq!(
        closed.text,
        "Run `cargo test` until it passes before `bd close`: it closed work whose last check failed"
    );
}

#[test]
fn a_reported_discrepancy_has_a_fixed_wording() {
    let mut script = run("s");
    let body = Body::Discrepancy { path: "/secret/place.txt".to_string(), reason: "missing".to_string() };
    script.trace.events.push(crate::trace::Event {
        id: Some("d1".to_string()),
        id_is_global: false,
        ts: None,
        position: 0,
        body,
    });
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.evidence[0].event_id.as_str()), (Subtype::Discrepancy, "d1"));
    assert!(!draft.text.contains("secret"));
}

#[test]
fn a_clean_run_is_a_pattern_and_one_with_a_failure_is_not() {
    let clean =
        run("s").ok("find_order", json!({}), "x").ok("cancel_order", json!({}), "ok").ends("Cancelled.");
    let draft = clean.draft();
    assert_eq!(
        (draft.subtype, draft.key.as_str()),
        (Subtype::SuccessPattern, "success:find_order > cancel_order")
    );
    let failed = run("s")
        .ok("find_order", json!({}), "x")
        .ok("cancel_order", json!({}), "ok")
        .ends("Cancelled.")
        .outcome(Outcome::Failed);
    assert!(failed.mined().drafts.is_empty());
    let looked = run("s").ok("find_order", json!({}), "x").ends("It is on its way.");
    assert!(looked.mined().drafts.is_empty());
    let acted = run("s").ok("cancel_order", json!({}), "x").ends("Cancelled.");
    assert_eq!(acted.draft().subtype, Subtype::SuccessPattern);
    let open = run("s").ok("find_order", json!({}), "x").ok("cancel_order", json!({}), "ok");
    assert!(open.mined().drafts.is_empty());
}

#[test]
fn a_manifest_edited_before_the_same_command_passes_is_the_environment() {
    let script = run("s")
        .shell_fails("tool test", "Error: the suite requires the package widgets as a test dependency")
        .edits("package.json")
        .shell_ok("tool test", "fine");
    let draft = script.draft();
    assert_eq!(draft.subtype, Subtype::Environment);
    assert!(draft.text.starts_with("Check `package.json` when `tool test` fails"), "{}", draft.text);
}

#[test]
fn an_installed_package_that_the_error_names_is_the_environment() {
    let script = run("s")
        .shell_fails("python a.py", "ModuleNotFoundError: No module named 'widgets'")
        .shell_ok("pip install widgets", "done")
        .shell_ok("python a.py", "fine");
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::Environment, Strength::Proven));
    assert!(draft.text.starts_with("Run `pip install widgets` before `python`"), "{}", draft.text);
}

#[test]
fn an_earlier_step_done_otherwise_is_the_trigger() {
    let script = run("s")
        .ok("open_session", json!({ "command": "sh" }), "session 1")
        .fails(
            "write_session",
            json!({ "text": "ls" }),
            "write failed: stdin is closed, open_session with keep_open",
        )
        .ok("open_session", json!({ "command": "sh", "keep_open": true }), "session 2")
        .ok("write_session", json!({ "text": "ls" }), "a b");
    let draft = script.draft();
    assert!(
        draft.text.starts_with("Give `keep_open` to `open_session`: `write_session` fails otherwise"),
        "{}",
        draft.text
    );
    assert_eq!(draft.trigger, "open_session | command:word");
}

#[test]
fn several_variants_without_success_are_a_dead_end_with_what_was_varied() {
    let tries = ["red", "green", "blue"];
    let script = tries.iter().fold(run("s"), |script, colour| {
        script.fails("paint", json!({ "colour": colour, "wall": "w" }), "the pump has no pressure at all")
    });
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::DeadEnd, Strength::Named));
    assert!(draft.text.contains("3 variants of `colour` did not help"), "{}", draft.text);
    let mended = script.ok("paint", json!({ "colour": "red", "wall": "w" }), "done").draft();
    assert_ne!(mended.subtype, Subtype::DeadEnd);
}

#[test]
fn an_amount_that_is_too_small_names_the_tool_that_shows_it() {
    let script = run("s")
        .ok("get_profile", json!({ "user": "u" }), r#"{"cards": {"gift_card_12": {"amount": 5}}}"#)
        .fails(
            "buy",
            json!({ "item": "i", "pay_with": "gift_card_12" }),
            "Error: gift card balance is not enough",
        );
    let draft = script.draft();
    assert_eq!((draft.subtype, draft.strength), (Subtype::Provenance, Strength::Named));
    assert_eq!(draft.text, "Check in `get_profile` that the gift card balance is enough before `buy`");
}

#[test]
fn a_required_field_and_a_check_in_brackets_are_named() {
    let error = "1 validation error for save\ntitle\n  Field required [type=missing, input_type=dict]";
    let draft = run("s").fails("save", json!({ "body": "x" }), error).draft();
    assert_eq!(draft.text, "Always give `title` to `save`: it is required");
    let script = run("s")
        .shell_fails("git commit -m x", "[LINT] the hook found problems\n1 problem")
        .shell_ok("tool lint", "fine")
        .shell_ok("git commit -m x", "done");
    assert!(
        script.draft().text.starts_with("Run `tool lint` before `git commit`"),
        "{}",
        script.draft().text
    );
}

#[test]
fn what_repairs_itself_in_one_call_is_benign() {
    let missing = |then: bool| {
        let script = run("s").fails("Read", json!({ "file_path": "/a/b" }), "File does not exist.");
        if then { script.ok("Read", json!({ "file_path": "/a/c" }), "x") } else { script }
    };
    assert!(missing(true).draft().marks.contains(&Mark::Benign));
    assert!(!missing(false).draft().marks.contains(&Mark::Benign));
}

#[test]
fn runs_of_one_task_that_ended_differently_are_contrasted() {
    let book = |name: &str, confirm: bool| {
        let script = run(name).task("Book the quiet room for the meeting").ok(
            "book",
            json!({ "room": "q" }),
            "booked",
        );
        let script = if confirm { script.ok("confirm", json!({ "room": "q" }), "ok") } else { script };
        script.outcome(if confirm { Outcome::Success } else { Outcome::Failed }).trace
    };
    let runs = [book("a", true), book("b", false), book("c", true)];
    let found = crate::learn::contrast(&runs);
    assert_eq!(found.len(), 1);
    let (at, draft) = &found[0];
    assert_eq!((*at, draft.subtype, draft.strength), (1, Subtype::Contrast, Strength::Seen));
    assert!(draft.text.starts_with("Also use `confirm` in a task like this"), "{}", draft.text);
    // One good run alone proves little; the same end for all, or another task, nothing.
    assert_eq!(crate::learn::contrast(&runs[..2])[0].1.strength, Strength::Weak);
    assert!(crate::learn::contrast(&[book("a", true), book("c", true)]).is_empty());
    let mut other = book("d", false);
    other.events[0].body = Body::Start { task: "Paint the large wall in the hall".to_string() };
    assert!(crate::learn::contrast(&[book("a", true), other]).is_empty());
}

#[test]
fn a_postmortem_counts_without_values() {
    let script =
        run("s").task("t").shell_fails("git push", "no").shell_ok("git push -u origin x", "ok").ends("Done.");
    let draft = crate::learn::postmortem(&script.trace, &script.mined()).expect("one");
    assert_eq!(draft.subtype, Subtype::Postmortem);
    assert_eq!(draft.text, "1 of 2 calls failed (`git push`); the run ended without a verdict");
    assert!(crate::learn::postmortem(&run("s").trace, &run("s").mined()).is_none());
}

#[test]
fn a_package_not_found_without_a_network_is_not_misnamed() {
    let missing = "E: Unable to locate package libwidgets-dev";
    let alone = run("s").shell_fails("apt-get install libwidgets-dev", missing).draft();
    assert!(alone.text.starts_with("Check the package's name"), "{}", alone.text);
    let offline = run("s")
        .shell_fails("apt-get update", "Temporary failure resolving 'archive.example'")
        .shell_fails("apt-get install libwidgets-dev", missing);
    let texts: alloc::vec::Vec<_> = offline.mined().drafts.into_iter().map(|draft| draft.text).collect();
    assert!(texts.iter().all(|text| text.starts_with("Expect no network")), "{texts:?}");
}
