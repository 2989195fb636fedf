use super::*;
use crate::learn::draft::Strength;
use crate::learn::testing::run;
use alloc::string::String;
use serde_json::json;

fn said(error: &str) -> String {
    run("s").fails("book_room", json!({ "room": "R17" }), error).draft().text
}

#[test]
fn classes_are_spoken_or_left_out() {
    assert_eq!(spoken("flight <id> not available on <date>"), "flight not available on that date");
    assert_eq!(spoken("content (<n> tokens) exceeds the limit"), "content exceeds the limit");
    assert_eq!(spoken("not enough balance in gift_card_<id>"), "not enough balance in gift card");
    assert_eq!(spoken("cannot open <path>: <text>"), "cannot open");
}

#[test]
fn rules_in_a_sentence_read_as_advice() {
    assert_eq!(
        said("Error: voucher cannot be used to extend a stay"),
        "Do not use a voucher to extend a stay: `book_room` refuses it"
    );
    assert_eq!(
        said("Error: amounts do not add up, total price is 12, but paid 9"),
        "Make the amounts add up to the total price before `book_room`"
    );
    assert_eq!(
        said("Error: end date must be after start date"),
        "In `book_room`, end date must be after start date"
    );
    assert_eq!(
        said("Missing required argument: the parameter `room_type` is required"),
        "Always give `room_type` to `book_room`: it is required"
    );
    assert_eq!(
        said("Expected kind to be one of ['single', 'double', 'suite']"),
        "Use only single, double or suite in `book_room`: other values are refused"
    );
}

#[test]
fn states_of_the_world_are_worth_a_look_before() {
    assert_eq!(
        said("Error: not enough beds in room R17"),
        "Check that there is enough beds in room before `book_room`"
    );
    assert_eq!(
        said("Error: guest profile not found"),
        "Look up the guest profile before `book_room`: it must exist"
    );
    assert_eq!(
        said("Error: a booking already exists"),
        "Check whether a booking exists before `book_room`: it fails when it does"
    );
}

#[test]
fn an_unknown_class_is_stated_and_bare() {
    let draft = run("s").fails("book_room", json!({}), "Error: the clerk went home early today").draft();
    assert_eq!(draft.text, "`book_room` can fail with: the clerk went home early today");
    assert_eq!(draft.strength, Strength::Bare);
}

#[test]
fn a_cut_leaves_whole_words() {
    assert_eq!(clip("one two three", 8), "one two");
    assert_eq!(clip("été après", 6), "été");
    assert_eq!(clip("short", 8), "short");
}

#[test]
fn a_reason_that_the_action_says_already_is_left_out() {
    assert_eq!(advice("use the other door", "the other door"), "Use the other door");
}
