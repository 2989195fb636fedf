//! The plugin that gives `OpenCode` the hooks that other agents have in their settings.
//!
//! Decides nothing: it hands events to `hardwon hook` and puts what comes back into the session.

/// The plugin's text, running this command.
pub(super) fn plugin(command: &str) -> String {
    let command = serde_json::Value::from(command).to_string();
    include_str!("opencode.js").replace("\"hardwon\" /* the command */", &command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_stands_in_the_plugin_as_a_string() {
        let text = plugin("/a \"b\"/hardwon");
        assert!(text.contains(r#"const COMMAND = "/a \"b\"/hardwon";"#), "{text}");
    }
}
