//! The side of the memory.

use super::*;

fn intent(desk: &mut Desk, thread: &str) -> Vec<Action> {
    desk.says("ann", "mem", thread, MessageKind::Intent, "Situation: s. Behavior: b")
}

fn considered(desk: &mut Desk, opinion: Opinion) -> Vec<Action> {
    desk.act(Input::Considered(opinion))
}

/// An argument on a thread, up to the objection.
fn objected(desk: &mut Desk, thread: &str, id: u8) -> Vec<Action> {
    intent(desk, thread);
    considered(desk, objecting(id))
}

fn ruled(desk: &mut Desk, verdict: Verdict) -> Vec<Action> {
    considered(desk, Opinion { verdict: Some(verdict), ..Opinion::default() })
}

#[test]
fn mistake_silence_when_nothing_matches() {
    let mut desk = Desk::memory();
    intent(&mut desk, "t");
    let said = considered(&mut desk, Opinion::default());
    assert_eq!(kinds(&said), ["ack"]);
    assert_eq!(posts(&said)[0].text, "No relevant memories. Proceed.");
}

#[test]
fn an_objection_is_a_wait_and_facts_are_told_beside_it() {
    let mut desk = Desk::memory();
    intent(&mut desk, "t");
    let opinion = Opinion { infos: ["[FACT] a b c".into()].into(), ..objecting(1) };
    let said = considered(&mut desk, opinion);
    assert_eq!(kinds(&said), ["wait", "info"]);
    assert!(posts(&said)[0].text.contains("use the script"));
}

#[test]
fn mistake_a_fact_surfaced_with_wait() {
    let mut desk = Desk::memory();
    intent(&mut desk, "t");
    let said = considered(&mut desk, Opinion { infos: ["[FACT] a b c".into()].into(), ..Opinion::default() });
    assert_eq!(kinds(&said), ["info", "ack"]);
}

#[test]
fn mistake_ack_after_wait() {
    let mut desk = Desk::memory();
    let said = objected(&mut desk, "t", 1);
    assert!(!kinds(&said).contains(&"ack".to_string()));
    for _ in 0..10 {
        assert!(!kinds(&desk.after(60_000)).contains(&"ack".to_string()));
    }
}

#[test]
fn mistake_announcing_an_own_intent_as_the_reactive_agent() {
    let mut desk = Desk::memory();
    assert_eq!(refusal(&desk.announce("t", &["ann"])), Some("reactive"));
    let draft = Draft { to: "all".into(), thread: "t".into(), text: "advice".into(), ..Draft::default() };
    // Memories invented on the spot have no way out: the host says nothing in its name.
    assert_eq!(refusal(&desk.act(Input::Say { draft })), Some("reactive"));
}

#[test]
fn mistake_a_polite_reactor_that_gives_up_at_the_first_answer() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    let heard = desk.says("ann", "mem", "t", MessageKind::Info, "I am sure it is fine");
    assert_eq!(question(&heard).map(|asked| asked.about), Some(About::Argued));
    // Whatever the answer says, only a verdict ends it; none at all restates the objection.
    let said = considered(&mut desk, Opinion::default());
    assert_eq!(kinds(&said), ["info"]);
    assert!(posts(&said)[0].text.contains("use the script"));
}

#[test]
fn rule_7_objection_answer_counter_and_then_the_lead() {
    let mut desk = Desk::memory();
    desk.says("lead", "all", "status", MessageKind::Ready, "lead");
    objected(&mut desk, "t", 1);
    desk.says("ann", "mem", "t", MessageKind::Info, "it is broken");
    assert_eq!(kinds(&ruled(&mut desk, Verdict::Rebut("it was mended".into()))), ["info"]);
    let fourth = desk.says("ann", "mem", "t", MessageKind::Info, "no");
    assert_eq!(kinds(&fourth), ["escalate"]);
    let draft = posts(&fourth)[0];
    assert_eq!(draft.to, "lead");
    assert!(
        draft.text.contains("objection: use the script") && draft.text.contains("answer: no"),
        "{draft:?}"
    );
    assert_eq!(draft.text.matches("question:").count(), 1);
    // The lead decides; what came of it is counted, and said.
    let decided = desk.says("lead", "all", "t", MessageKind::Info, "go on");
    assert_eq!(question(&decided).map(|asked| asked.about), Some(About::Decided));
    let closed = ruled(&mut desk, Verdict::Settled(Came::NotFollowed));
    assert!(matches!(&closed[0], Action::Settle { came: Came::NotFollowed, .. }));
    assert!(posts(&closed)[0].text.starts_with("Outcome: "), "{closed:?}");
}

#[test]
fn rule_7_the_reactor_gives_in_with_ack_and_closes_with_info() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    desk.says("ann", "mem", "t", MessageKind::Info, "then I use the script");
    let said = ruled(&mut desk, Verdict::Settled(Came::Followed));
    assert_eq!(kinds(&said), ["ack", "info"]);
    assert!(said.iter().any(|action| matches!(action, Action::Settle { came: Came::Followed, .. })));
}

#[test]
fn rule_7_an_ack_of_the_initiator_concedes_at_any_point() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    let said = desk.says("ann", "mem", "t", MessageKind::Ack, "fine");
    assert!(matches!(&said[0], Action::Settle { came: Came::Followed, .. }));
    assert_eq!(kinds(&said), ["info"]);
    let stranger = desk.says("bob", "mem", "t", MessageKind::Ack, "fine");
    assert!(stranger.is_empty());
}

#[test]
fn rule_7_without_a_lead_the_initiator_decides() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    desk.says("ann", "mem", "t", MessageKind::Info, "a");
    ruled(&mut desk, Verdict::Rebut("b".into()));
    assert_eq!(posts(&desk.says("ann", "mem", "t", MessageKind::Info, "c"))[0].to, "ann");
    let decided = desk.says("ann", "mem", "t", MessageKind::Info, "the user says go on");
    assert_eq!(question(&decided).map(|asked| asked.about), Some(About::Decided));
}

#[test]
fn rule_7_three_arguments_at_once_the_rest_queue_and_no_number_is_given_twice() {
    let mut desk = Desk::memory();
    let mut texts: Vec<String> = Vec::new();
    for (at, thread) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let said = objected(&mut desk, thread, at as u8);
        assert_eq!(kinds(&said), ["wait"], "the objection never queues");
        texts.push(posts(&said)[0].text.clone());
    }
    assert_eq!(desk.state.queue(), 1);
    assert!(question(&desk.says("ann", "mem", "d", MessageKind::Info, "why")).is_none(), "it waits");
    let freed = desk.says("ann", "mem", "a", MessageKind::Ack, "fine");
    assert_eq!(question(&freed).map(|asked| asked.message.thread.as_str()), Some("d"));
    ruled(&mut desk, Verdict::Settled(Came::Irrelevant));
    texts.push(posts(&objected(&mut desk, "e", 9))[0].text.clone());
    let numbers: Vec<&str> = texts
        .iter()
        .map(|text| text.rsplit("[argument ").next().and_then(|tag| tag.split(':').next()).expect("tag"))
        .collect();
    assert_eq!(numbers, ["0", "1", "2", "3", "4"]);
    // Nor after a restart.
    let mut desk = desk.killed(1_000);
    desk.rejoin();
    assert!(posts(&objected(&mut desk, "f", 9))[0].text.contains("[argument 5: "));
}

#[test]
fn mistake_two_arguments_on_one_thread() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    intent(&mut desk, "t");
    let again = considered(&mut desk, objecting(2));
    assert!(posts(&again)[0].text.contains("[argument 0: "), "it is the same argument: {again:?}");
    // An intent that was changed until nothing speaks against it has met the objection.
    intent(&mut desk, "t");
    let met = considered(&mut desk, Opinion::default());
    assert_eq!(kinds(&met), ["ack", "info"]);
}

#[test]
fn mistake_arguments_without_a_limit() {
    let mut desk = Desk::memory();
    objected(&mut desk, "t", 1);
    let quiet = desk.after(299_000);
    assert!(kinds(&quiet).is_empty());
    let late = desk.after(1_000);
    let escalated: Vec<&Draft> =
        posts(&late).into_iter().filter(|draft| draft.kind == MessageKind::Escalate).collect();
    assert_eq!(escalated.len(), 1, "{late:?}");
    assert!(!late.iter().any(|action| matches!(action, Action::Settle { .. })), "no outcome is counted");
    assert!(!kinds(&late).contains(&"ack".to_string()), "and the wait stands");
}

#[test]
fn rule_9_who_was_killed_comes_back_with_info_and_answers_what_it_missed() {
    let mut desk = Desk::memory();
    objected(&mut desk, "a", 1);
    intent(&mut desk, "b");
    // Killed with an intent half thought about, another unread, and an answer in an argument.
    desk.says("bob", "mem", "c", MessageKind::Intent, "x");
    desk.says("ann", "mem", "a", MessageKind::Info, "because");
    let mut back = desk.killed(2_000);
    let said = back.rejoin();
    assert_eq!(kinds(&said), ["info", "info"], "no `ready`");
    let mut asked: Vec<(About, String)> = Vec::new();
    let mut next = question(&said).cloned();
    while let Some(question) = next {
        asked.push((question.about, question.message.thread.clone()));
        next = super::question(&considered(&mut back, Opinion::default())).cloned();
    }
    let wanted = [(About::Heard, "b"), (About::Heard, "c"), (About::Argued, "a")];
    assert_eq!(asked, wanted.map(|(about, thread)| (about, thread.to_string())));
}

#[test]
fn rule_9_a_shutdown_that_was_missed_is_obeyed() {
    let mut desk = Desk::memory();
    desk.log.push(Message {
        from: "lead".into(),
        to: "all".into(),
        thread: "end".into(),
        kind: MessageKind::Shutdown,
        ts: Timestamp(desk.now),
        text: "bye".into(),
    });
    let mut back = desk.killed(1_000);
    let said = back.rejoin();
    assert_eq!(kinds(&said).last().map(String::as_str), Some("done"));
    assert_eq!(said.last(), Some(&Action::Left));
    // And the next session is a new one.
    let mut next = back.killed(1_000);
    assert_eq!(kinds(&next.rejoin()), ["ready", "info"]);
}

#[test]
fn mistake_leaving_the_loop() {
    // Nothing but a shutdown or the host ends it.
    let mut desk = Desk::memory();
    for round in 0..50 {
        desk.after(600_000);
        let thread = alloc::format!("t{round}");
        assert!(question(&intent(&mut desk, &thread)).is_some());
        considered(&mut desk, Opinion::default());
    }
    assert_eq!(desk.state.phase(), Phase::In);
    assert_eq!(desk.state.counts().checked, 50);
}

#[test]
fn rule_10_it_warns_of_a_long_queue_of_many_memories_and_of_loading_that_stopped() {
    let warned = |actions: &[Action]| actions.iter().filter(|one| matches!(one, Action::Warn(_))).count();
    let mut desk = Desk::memory();
    let mut count = 0;
    for at in 0..10 {
        count += warned(&intent(&mut desk, &alloc::format!("t{at}")));
    }
    assert_eq!(count, 1, "once, until it has gone down");
    let mut desk = Desk::memory();
    let made = |n: u8| Opinion { made: (0..n).map(|id| RecordId([id; 16])).collect(), ..Opinion::default() };
    desk.says("ann", "mem", "t", MessageKind::Done, "x");
    assert_eq!(warned(&considered(&mut desk, made(5))), 0);
    desk.says("ann", "mem", "u", MessageKind::Done, "x");
    assert_eq!(warned(&considered(&mut desk, made(1))), 1);
    assert_eq!(desk.state.counts().made, 6, "they are made all the same");
    let mut desk = Desk::out("mem", Role::Memory, "");
    desk.act(Input::Join { cursor: Position(0) });
    assert_eq!(warned(&desk.act(Input::Loaded { memories: 1000, omitted: 3 })), 1);
}

#[test]
fn a_question_about_one_message_has_one_seed_however_often_it_is_asked() {
    let mut desk = Desk::memory();
    let first = question(&intent(&mut desk, "t")).cloned();
    let mut back = desk.killed(1_000);
    assert_eq!(question(&back.rejoin()).map(|one| one.seed), first.map(|one| one.seed));
}

#[test]
fn a_correction_comes_with_what_it_follows() {
    let mut desk = Desk::memory();
    let user = |desk: &mut Desk, text: &str| {
        let said = desk.says("ann", "mem", "user-input", MessageKind::Info, text);
        question(&said).cloned().expect("asked")
    };
    intent(&mut desk, "t");
    considered(&mut desk, Opinion::default());
    // Before anything is done a person refines.
    assert_eq!(user(&mut desk, "use x").before.map(|one| one.kind), Some(MessageKind::Intent));
    considered(&mut desk, Opinion::default());
    desk.says("ann", "mem", "t", MessageKind::Done, "did it");
    considered(&mut desk, Opinion::default());
    let asked = user(&mut desk, "no, use x");
    assert_eq!(asked.before.map(|one| one.text).as_deref(), Some("did it"));
    assert_eq!(asked.intent.map(|one| one.thread).as_deref(), Some("t"));
    let question = Opinion { question: "is it so?".into(), ..Opinion::default() };
    assert_eq!(posts(&considered(&mut desk, question))[0].text, "is it so?");
    let yes = user(&mut desk, "yes");
    assert_eq!((yes.about, yes.before.map(|one| one.text).as_deref()), (About::Confirmed, Some("no, use x")));
}

#[test]
fn what_another_agent_says_on_a_thread_is_about_that_thread() {
    let mut desk = Desk::memory();
    intent(&mut desk, "t");
    considered(&mut desk, Opinion::default());
    desk.says("ann", "all", "t", MessageKind::Done, "did it");
    considered(&mut desk, Opinion::default());
    desk.says("bob", "all", "b", MessageKind::Info, "mine");
    considered(&mut desk, Opinion::default());
    let said = desk.says("bob", "all", "t", MessageKind::Info, "that's wrong");
    let asked = question(&said).expect("asked");
    assert_eq!(asked.before.as_ref().map(|one| one.text.as_str()), Some("did it"));
    assert_eq!(asked.intent.as_ref().map(|one| one.from.as_str()), Some("ann"));
}

#[test]
fn stale_intents_and_intents_to_others_are_not_answered() {
    let mut desk = Desk::memory();
    assert!(desk.says("ann", "bob", "t", MessageKind::Intent, "x").is_empty());
    intent(&mut desk, "t");
    let mut back = desk.killed(16 * 60_000);
    assert!(question(&back.rejoin()).is_none(), "its initiator has gone on long ago");
}
