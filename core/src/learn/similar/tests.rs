use super::*;

fn alike(a: (&str, &str), b: (&str, &str)) -> bool {
    let (ka, kb) = (alloc::format!("error:{}", a.0), alloc::format!("error:{}", b.0));
    let likeness = |key, (signature, tool_group)| Likeness { key, signature, tool_group };
    joins(&likeness(&ka, a), &likeness(&kb, b), MIN_OVERLAP)
}

#[test]
fn one_specific_line_joins_across_tools() {
    assert!(alike(("the region list is empty", "deploy"), ("The region list is empty", "shell:cloud")));
    assert!(!alike(("not found", "deploy"), ("Not found", "shell:cloud")));
}

#[test]
fn overlap_joins_only_inside_a_group_of_tools() {
    let (a, b) = ("gift card balance is not enough", "not enough balance in payment method gift_card_<id>");
    assert!(alike((a, "update_booking"), (b, "make_booking")));
    assert!(!alike((a, "update_booking"), (b, "shell:pay")));
    assert!(!alike((a, "shell:book"), (b, "shell:pay")));
}

#[test]
fn what_differs_in_negation_or_code_is_never_joined() {
    assert!(!alike(("the key was found in the store", "get"), ("the key was not found in the store", "get")));
    let (a, b) = ("error TS2322 in the type of argument", "error TS2345 in the type of argument");
    assert!(!alike((a, "shell:tsc"), (b, "shell:tsc")));
}

#[test]
fn lessons_that_are_no_errors_join_by_key_alone() {
    let of = |key| Likeness { key, signature: "look then act then leave", tool_group: "" };
    assert!(!joins(&of("success:a > b"), &of("success:a > c"), MIN_OVERLAP));
    assert!(joins(&of("success:a > b"), &of("success:a > b"), MIN_OVERLAP));
}
