//! Hooks in the settings of agents: merged, told before, taken out again, and nothing of others touched.

mod cli_support;

use std::fs;

use cli_support::{Home, text};
use serde_json::{Value, json};

const SETTINGS: [(&str, &str); 4] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("cursor", ".cursor/hooks.json"),
    ("opencode", ".config/opencode/plugin/hardwon.js"),
];

fn read(home: &Home, name: &str) -> String {
    fs::read_to_string(home.join(name)).unwrap_or_else(|cause| panic!("{name}: {cause}"))
}

/// Every file of the home with its text.
fn files(home: &Home) -> Vec<(String, String)> {
    fn walk(folder: &std::path::Path, out: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, out);
            } else {
                out.push((path.display().to_string(), fs::read_to_string(&path).expect("text")));
            }
        }
    }
    let mut out = Vec::new();
    walk(home.path(), &mut out);
    out.sort();
    out
}

#[test]
fn twice_is_once_and_uninstalling_leaves_what_was_there() {
    for (agent, name) in SETTINGS {
        let home = Home::new();
        home.put(".claude/notes.md", "mine");
        let before = files(&home);
        let first = home.json(&["install", agent]);
        assert_eq!(first["files"][0]["action"], "created", "{first}");
        assert!(home.join(name).is_file(), "{name}");
        let once = files(&home);
        assert_eq!(once.len(), 3, "settings and a skill: {once:?}");
        let second = home.json(&["install", agent]);
        assert!(
            second["files"].as_array().is_some_and(|all| all.iter().all(|one| one["action"] == "unchanged")),
            "{second}"
        );
        assert_eq!(files(&home), once);
        home.json(&["uninstall", agent]);
        assert_eq!(files(&home), before, "{agent}");
        home.json(&["uninstall", agent]);
        assert_eq!(files(&home), before, "{agent}");
    }
}

#[test]
fn entries_of_others_stay_byte_for_byte() {
    let odd = "{\n\t\"model\":   \"opus\" ,\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\",  \"hooks\": [ {\"type\":\"command\",\"command\":\"./check.sh\"} ]}\n\t\t],\n\t\t\"Notification\": []\n\t},\n\t\"permissions\": { \"allow\": [\"Bash(ls:*)\"] }\n}\n";
    let home = Home::new();
    home.put(".claude/settings.json", odd);
    home.json(&["install", "claude"]);
    let installed = read(&home, ".claude/settings.json");
    for line in odd.lines().filter(|line| line.len() > 12) {
        assert!(installed.contains(line.trim_end_matches(',')), "{line}\n{installed}");
    }
    let value: Value = serde_json::from_str(&installed).expect("JSON");
    assert_eq!(value["hooks"]["PreToolUse"].as_array().map(Vec::len), Some(2), "{value}");
    assert_eq!(value["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "./check.sh");
    let command = text(&value["hooks"]["PreToolUse"][1]["hooks"][0]["command"]);
    assert!(command.ends_with("hook pre-tool --agent claude"), "{command}");
    home.json(&["uninstall", "claude"]);
    assert_eq!(read(&home, ".claude/settings.json"), odd);
}

#[test]
fn the_settings_have_the_form_of_each_agent() {
    let home = Home::new();
    home.json(&["install", "claude", "--project"]);
    home.json(&["install", "codex", "--project"]);
    home.json(&["install", "cursor", "--project"]);
    let settings = |name: &str| serde_json::from_str::<Value>(&read(&home, name)).expect("JSON");
    let entry = |event: &str, agent: &str| json!([{ "type": "command", "command": format!("hardwon hook {event} --agent {agent}"), "timeout": 5 }]);
    let claude = settings(".claude/settings.json");
    assert_eq!(
        claude["hooks"]["PreToolUse"],
        json!([{"matcher": "*", "hooks": entry("pre-tool", "claude")}])
    );
    assert_eq!(claude["hooks"]["SessionEnd"], json!([{"hooks": entry("session-end", "claude")}]));
    assert_eq!(claude["hooks"].as_object().map(serde_json::Map::len), Some(7));
    let codex = settings(".codex/hooks.json");
    assert_eq!(
        codex.as_object().map(|root| root.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["hooks".into()])
    );
    assert_eq!(
        codex["hooks"]["PostToolUse"],
        json!([{"matcher": "*", "hooks": entry("post-tool", "codex")}])
    );
    let cursor = settings(".cursor/hooks.json");
    assert_eq!(cursor["version"], 1);
    assert_eq!(
        cursor["hooks"]["stop"],
        json!([{"command": "hardwon hook stop --agent cursor", "timeout": 5}])
    );
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let home = Home::new();
    home.put(".claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    let before = files(&home);
    let told = home.ok(&["install", "claude", "--dry-run"]);
    assert_eq!(files(&home), before);
    assert!(told.contains("+   \"hooks\": {") && told.contains("Nothing was written."), "{told}");
    let json = home.json(&["install", "claude", "--dry-run"]);
    assert_eq!((&json["dry_run"], &json["files"][0]["action"]), (&json!(true), &json!("changed")));
}

#[test]
fn settings_that_cannot_be_understood_are_left_alone() {
    for bad in ["// comment\n{}", "[]", "{\"hooks\": []}", "{\"hooks\": {\"PreToolUse\": {}}}"] {
        let home = Home::new();
        home.put(".claude/settings.json", bad);
        assert_eq!(home.fails(&["install", "claude"], 4).0, "invalid.settings", "{bad}");
        assert_eq!(read(&home, ".claude/settings.json"), bad);
        assert!(!home.join(".claude/skills").exists());
    }
}

#[test]
fn an_older_entry_of_ours_is_replaced_where_it_stands_alone() {
    let home = Home::new();
    let old = json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/old/bin/hardwon hook stop --agent claude"}]},
        {"hooks": [{"type": "command", "command": "echo hardwon hook | cat --agent x"}]}]}});
    home.put(".claude/settings.json", old.to_string());
    home.json(&["install", "claude", "--project"]);
    let value: Value = serde_json::from_str(&read(&home, ".claude/settings.json")).expect("JSON");
    let stop = value["hooks"]["Stop"].as_array().expect("a list");
    assert_eq!(stop.len(), 2, "{value}");
    assert_eq!(stop[0]["hooks"][0]["command"], "echo hardwon hook | cat --agent x");
    assert_eq!(stop[1]["hooks"][0]["command"], "hardwon hook stop --agent claude");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let real = home.put("dotfiles/claude.json", "{}\n");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("set");
    fs::create_dir_all(home.join(".claude")).expect("made");
    std::os::unix::fs::symlink(&real, home.join(".claude/settings.json")).expect("linked");
    home.json(&["install", "claude"]);
    assert!(home.join(".claude/settings.json").is_symlink());
    assert!(read(&home, "dotfiles/claude.json").contains("hook pre-tool"));
    assert_eq!(fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn strategic_lessons_that_may_speak_stand_in_a_managed_block() {
    let home = Home::new();
    assert_eq!(home.ok(&["agents-md"]), "");
    home.learn_demo();
    let answer = home.json(&["agents-md"]);
    let block = text(&answer["text"]);
    let strategic = home.json(&["list", "--tier", "strategic"])["records"].as_array().map_or(0, Vec::len);
    let spoken = answer["lessons"].as_array().map_or(0, Vec::len);
    assert!((1..=strategic).contains(&spoken), "{answer}");
    home.put("AGENTS.md", "# Rules\n\nBe kind.\n");
    home.ok(&["agents-md", "--write", "AGENTS.md", "--dry-run"]);
    assert_eq!(read(&home, "AGENTS.md"), "# Rules\n\nBe kind.\n");
    home.ok(&["agents-md", "--write", "AGENTS.md"]);
    let once = read(&home, "AGENTS.md");
    assert!(once.starts_with("# Rules\n\nBe kind.\n") && once.ends_with(&block), "{once}");
    home.ok(&["agents-md", "--write", "AGENTS.md"]);
    assert_eq!(read(&home, "AGENTS.md"), once);
    for id in answer["lessons"].as_array().expect("a list") {
        home.json(&["mute", &text(id)]);
    }
    home.ok(&["agents-md", "--write", "AGENTS.md"]);
    assert_eq!(read(&home, "AGENTS.md"), "# Rules\n\nBe kind.\n");
}
