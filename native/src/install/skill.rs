//! The skill that tells an agent what it can ask of its memory.
//!
//! Decides wording alone.

/// The skill's folder and name.
pub(super) const NAME: &str = "hardwon";

/// The text of its `SKILL.md`.
pub fn skill() -> &'static str {
    include_str!("SKILL.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_keeps_to_the_rules_of_skills() {
        let head =
            skill().strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("a head").0;
        let field = |name: &str| {
            head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
        };
        assert_eq!(field("name"), NAME);
        assert!((1..=1024).contains(&field("description").len()));
        let known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
        assert!(
            head.lines().all(|line| known.iter().any(|name| line.starts_with(&format!("{name}: ")))),
            "{head}"
        );
    }
}
