//! The side that acts.

use super::*;

fn wait(desk: &mut Desk, from: &str) -> Vec<Action> {
    desk.says(from, "ann", "t", MessageKind::Wait, "use the script")
}

fn finish(desk: &mut Desk) -> Vec<Action> {
    desk.act(Input::Finish { thread: "t".into(), text: "done".into() })
}

#[test]
fn every_intent_goes_to_the_memory_too() {
    let mut desk = Desk::active();
    let actions = desk.announce("t", &["bob"]);
    assert_eq!(posts(&actions)[0].to, "bob,mem");
}

#[test]
fn rule_2_an_answer_before_the_intent_is_none_even_where_the_cursor_was_taken_late() {
    let mut desk = Desk::active();
    // An old session answered on a thread of this name.
    desk.says("mem", "ann", "t", MessageKind::Ack, "an old answer");
    assert!(!proceeds(&desk.announce("t", &[])));
    assert_eq!(desk.state.standing("t"), Some(Standing::Open));
    assert!(proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "ok")));
}

#[test]
fn mistake_the_whole_file_searched_for_an_answer() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    desk.says("mem", "ann", "t", MessageKind::Ack, "ok");
    finish(&mut desk);
    // The same thread again, in a new session of the same channel.
    let mut again = desk.killed(1_000);
    again.rejoin();
    assert!(!proceeds(&again.announce("t", &[])));
    again.after(60_000);
    assert_eq!(again.state.standing("t"), Some(Standing::Open));
}

#[test]
fn mistake_the_cursor_taken_after_posting() {
    // The intent's own place counts, so that a late cursor loses no answer.
    let mut desk = Desk::active();
    let (to, text) = (alloc::vec!["mem".to_string()], "x".to_string());
    desk.act(Input::Announce { cursor: Position(u64::MAX), thread: "t".into(), to, text });
    assert!(proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "ok")));
}

#[test]
fn rule_5_an_intent_proceeds_when_every_recipient_has_answered() {
    let mut desk = Desk::active();
    desk.says("bob", "all", "status", MessageKind::Ready, "bob joins");
    desk.announce("t", &["bob"]);
    assert!(!proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "ok")));
    assert!(!proceeds(&desk.says("eve", "ann", "t", MessageKind::Ack, "ok")), "she was not asked");
    assert!(!proceeds(&desk.says("bob", "ann", "other", MessageKind::Ack, "ok")));
    assert!(proceeds(&desk.says("bob", "ann", "t", MessageKind::Ack, "ok")));
}

#[test]
fn rule_5_who_is_offline_has_nothing_to_object_after_five_seconds_and_nobody_else() {
    let mut desk = Desk::active();
    desk.announce("t", &["bob"]);
    assert!(!proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "ok")));
    assert!(!proceeds(&desk.after(4_999)));
    assert!(proceeds(&desk.after(1)), "bob has never been seen");
    let mut desk = Desk::active();
    desk.announce("t", &["bob"]);
    assert!(!proceeds(&desk.after(5_000)), "the memory is online");
}

#[test]
fn mistake_proceeding_on_a_time_out_although_the_recipient_is_online() {
    let mut desk = Desk::active();
    desk.says("lead", "all", "status", MessageKind::Ready, "lead");
    desk.announce("t", &[]);
    let reminded = desk.after(5_000);
    assert_eq!(kinds(&reminded), ["info"]);
    let asked = desk.after(25_000);
    assert_eq!(kinds(&asked), ["escalate"]);
    assert_eq!(posts(&asked)[0].to, "lead");
    for _ in 0..20 {
        desk.says("mem", "all", "heartbeat", MessageKind::Info, "there");
        assert!(!proceeds(&desk.after(60_000)), "it is online and silent");
    }
    assert!(proceeds(&desk.says("lead", "all", "t", MessageKind::Info, "go on")));
}

#[test]
fn rule_5_where_there_is_no_lead_the_user_decides_and_the_decision_lifts_the_wait() {
    let mut desk = Desk::new("ann", Role::Active, "");
    desk.announce("t", &[]);
    wait(&mut desk, "mem");
    let asked = desk.says("mem", "ann", "t", MessageKind::Escalate, "both positions, one question");
    assert!(asked.iter().any(|action| matches!(action, Action::AskUser { .. })));
    assert_eq!(refusal(&finish(&mut desk)), Some("open_wait"));
    let decided = desk.act(Input::Decide { thread: "t".into(), text: "go on as announced".into() });
    assert_eq!(kinds(&decided), ["info"]);
    assert!(decided.contains(&Action::Proceed { thread: "t".into(), decision: "go on as announced".into() }));
    assert_eq!(kinds(&finish(&mut desk)), ["done"]);
}

#[test]
fn rule_5_a_wait_is_lifted_by_its_own_ack_or_the_lead_and_by_nobody_else() {
    let mut desk = Desk::active();
    desk.says("lead", "all", "status", MessageKind::Ready, "lead");
    desk.announce("t", &["bob"]);
    wait(&mut desk, "mem");
    for (from, kind) in [("bob", MessageKind::Ack), ("bob", MessageKind::Info), ("lead", MessageKind::Info)] {
        desk.says(from, "ann", "t", kind, "go on");
        assert_eq!(desk.state.objectors("t"), ["mem"], "{from}: nobody has asked the lead");
    }
    desk.says("mem", "lead", "t", MessageKind::Escalate, "?");
    assert!(proceeds(&desk.says("lead", "all", "t", MessageKind::Info, "go on")));
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    wait(&mut desk, "mem");
    assert!(proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "the answer meets it")));
}

#[test]
fn rule_6_a_wait_holds_also_after_acting_began() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    assert!(proceeds(&desk.says("mem", "ann", "t", MessageKind::Ack, "ok")));
    let held = wait(&mut desk, "bob");
    assert!(held.iter().any(|action| matches!(action, Action::Hold { .. })));
    assert!(posts(&held)[0].text.starts_with("pauses"), "{held:?}");
    assert_eq!(refusal(&finish(&mut desk)), Some("open_wait"));
    assert!(proceeds(&desk.says("bob", "ann", "t", MessageKind::Ack, "fine")), "it resumes");
}

#[test]
fn mistake_done_over_an_open_wait() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    assert_eq!(refusal(&finish(&mut desk)), Some("unanswered"));
    wait(&mut desk, "mem");
    assert_eq!(refusal(&finish(&mut desk)), Some("open_wait"));
    desk.says("mem", "ann", "t", MessageKind::Ack, "ok");
    // A wait that nobody has read yet: the channel ends elsewhere, and nothing is posted.
    let (state, actions) =
        step(desk.state.clone(), Input::Finish { thread: "t".into(), text: "x".into() }, Timestamp(desk.now));
    let end = state.cursor();
    assert!(matches!(&actions[0], Action::PostAt { end: at, .. } if *at == end));
    desk.log.push(Message { from: "bob".into(), ..Message::default() });
    let before = desk.log.len();
    finish(&mut desk);
    assert_eq!(desk.log.len(), before, "the host was to look first");
}

#[test]
fn rule_7_an_answer_and_then_the_lead() {
    let mut desk = Desk::active();
    desk.says("lead", "all", "status", MessageKind::Ready, "lead");
    desk.announce("t", &[]);
    wait(&mut desk, "mem");
    let argue =
        |desk: &mut Desk, text: &str| desk.act(Input::Argue { thread: "t".into(), text: text.into() });
    assert_eq!(posts(&argue(&mut desk, "the script is broken"))[0].to, "mem");
    assert_eq!(refusal(&argue(&mut desk, "and old")), Some("turn"));
    desk.says("mem", "ann", "t", MessageKind::Info, "it was mended");
    let third = argue(&mut desk, "no");
    assert_eq!(kinds(&third), ["escalate"]);
    let text = &posts(&third)[0].text;
    assert!(
        text.contains("use the script") && text.contains("answer: no") && text.contains("question:"),
        "{text}"
    );
}

#[test]
fn rule_7_giving_in_ends_an_argument_at_any_point() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    assert_eq!(refusal(&desk.act(Input::Concede { thread: "t".into(), text: "x".into() })), Some("no_wait"));
    wait(&mut desk, "mem");
    let given = desk.act(Input::Concede { thread: "t".into(), text: "I use the script".into() });
    assert_eq!(kinds(&given), ["ack"]);
    assert!(given.contains(&Action::Proceed { thread: "t".into(), decision: "I use the script".into() }));
}

#[test]
fn what_an_active_agent_may_not_say_is_refused() {
    let mut desk = Desk::active();
    let say = |desk: &mut Desk, kind: MessageKind| {
        let draft = Draft { to: "all".into(), thread: "t".into(), kind, ..Draft::default() };
        refusal(&desk.act(Input::Say { draft })).map(String::from)
    };
    for (kind, code) in [
        (MessageKind::Intent, "cursor"),
        (MessageKind::Done, "no_intent"),
        (MessageKind::Shutdown, "lead_only"),
    ] {
        assert_eq!(say(&mut desk, kind).as_deref(), Some(code));
    }
    desk.announce("t", &[]);
    assert_eq!(refusal(&desk.announce("t", &[])), Some("thread"));
    let mut early = Desk::out("ann", Role::Active, "");
    assert_eq!(refusal(&early.announce("t", &[])), Some("not_joined"));
    assert_eq!(refusal(&early.act(Input::Resume { cursor: Position(0) })), Some("not_joined"));
}

#[test]
fn an_active_agent_is_asked_to_answer_the_intents_of_others_and_argues_once() {
    let mut desk = Desk::active();
    let asked = desk.says("bob", "ann,mem", "b", MessageKind::Intent, "x");
    assert!(matches!(&asked[0], Action::Asked(message) if message.from == "bob"));
    let say = |desk: &mut Desk, kind: MessageKind| {
        let draft = Draft { to: "bob".into(), thread: "b".into(), kind, ..Draft::default() };
        refusal(&desk.act(Input::Say { draft })).map(String::from)
    };
    assert_eq!(say(&mut desk, MessageKind::Wait), None);
    assert_eq!(say(&mut desk, MessageKind::Wait).as_deref(), Some("argument"), "two on one thread");
    desk.says("bob", "ann", "b", MessageKind::Info, "because");
    assert_eq!(say(&mut desk, MessageKind::Info), None);
    assert_eq!(say(&mut desk, MessageKind::Info).as_deref(), Some("argument"), "without a limit");
    assert_eq!(say(&mut desk, MessageKind::Ack), None);
}

#[test]
fn another_process_of_the_same_agent_knows_its_intents_and_their_waits() {
    let mut desk = Desk::active();
    desk.announce("t", &[]);
    wait(&mut desk, "mem");
    let mut other = desk.killed(1_000);
    other.act(Input::Resume { cursor: Position(other.log.len() as u64) });
    assert_eq!(refusal(&finish(&mut other)), Some("open_wait"));
    other.says("mem", "ann", "t", MessageKind::Ack, "ok");
    assert_eq!(kinds(&finish(&mut other)), ["done"]);
}

#[test]
fn a_lead_is_asked_what_is_put_to_it_and_its_word_goes_to_all() {
    let mut desk = Desk::new("lead", Role::Active, "lead");
    let asked = desk.says("mem", "lead", "t", MessageKind::Escalate, "?");
    assert!(matches!(&asked[0], Action::AskUser { thread, .. } if thread == "t"));
    let decided = desk.act(Input::Decide { thread: "t".into(), text: "go on".into() });
    assert_eq!((posts(&decided)[0].to.as_str(), posts(&decided)[0].kind.as_str()), ("all", "info"));
    let twice = desk.act(Input::Decide { thread: "t".into(), text: "go on".into() });
    assert_eq!(refusal(&twice), Some("not_asked"));
}
