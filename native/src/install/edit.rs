//! Edits of a JSON text that leave every byte alone that is not concerned.
//!
//! Decides where a member or an item is put in and how it is indented. Never reorders and never re-formats.

use core::ops::Range;

use serde_json::Value;

/// A JSON object as text.
#[derive(Debug)]
pub(super) struct Document {
    text: String,
    indent: String,
}

impl Document {
    /// The text of an object; what is wrong with it, where it is none.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(_)) => Ok(Self { text: text.to_owned(), indent: indent_of(text) }),
            Ok(_) => Err("it is JSON, but no object".into()),
            Err(problem) => Err(format!("it is no JSON: {problem}")),
        }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// The keys of the object at a path; none where it is not there.
    pub(super) fn keys(&self, path: &[&str]) -> Result<Vec<String>, String> {
        let Some(span) = self.span(path)? else { return Ok(Vec::new()) };
        Ok(self.members(&span, path)?.into_iter().map(|member| member.key).collect())
    }

    /// The items of the list at a path; none where it is not there.
    pub(super) fn items(&self, path: &[&str]) -> Result<Vec<Value>, String> {
        let Some(span) = self.span(path)? else { return Ok(Vec::new()) };
        match serde_json::from_str(self.slice(&span)) {
            Ok(Value::Array(items)) => Ok(items),
            _ => Err(format!("`{}` is no list", path.join("."))),
        }
    }

    /// Puts an item at the end of the list at a path, making what leads there.
    pub(super) fn append(&mut self, path: &[&str], item: &Value) -> Result<(), String> {
        let Some(span) = self.span(path)? else {
            let Some((name, parent)) = path.split_last() else { return Err("a list has a name".into()) };
            let list = Value::Array(vec![item.clone()]);
            return self.put(parent, name, &list);
        };
        let items = self.spans(&span);
        let text = self.render(item, path.len() + 1);
        self.insert(&span, items.last(), &text, path.len());
        Ok(())
    }

    /// Takes an item out of the list at a path.
    pub(super) fn remove_item(&mut self, path: &[&str], at: usize) -> Result<(), String> {
        if let Some(span) = self.span(path)? {
            let items = self.spans(&span);
            self.remove(&span, &items, at);
        }
        Ok(())
    }

    /// Takes a member out of the object at a path.
    pub(super) fn remove_member(&mut self, path: &[&str], name: &str) -> Result<(), String> {
        let Some(span) = self.span(path)? else { return Ok(()) };
        let members = self.members(&span, path)?;
        if let Some(at) = members.iter().position(|member| member.key == name) {
            let spans: Vec<Range<usize>> = members.into_iter().map(|member| member.whole).collect();
            self.remove(&span, &spans, at);
        }
        Ok(())
    }

    /// Puts a member at the end of the object at a path, making what leads there.
    fn put(&mut self, path: &[&str], name: &str, value: &Value) -> Result<(), String> {
        let Some(span) = self.span(path)? else {
            let Some((last, parent)) = path.split_last() else { return Err("no object".into()) };
            let inner = Value::Object([(name.to_owned(), value.clone())].into_iter().collect());
            return self.put(parent, last, &inner);
        };
        let members = self.members(&span, path)?;
        let text = format!("{}: {}", Value::from(name), self.render(value, path.len() + 1));
        self.insert(&span, members.last().map(|member| &member.whole), &text, path.len());
        Ok(())
    }

    /// Puts a text behind the last part of an object or list that is `depth` deep.
    fn insert(&mut self, span: &Range<usize>, last: Option<&Range<usize>>, text: &str, depth: usize) {
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let inner = self.indent.repeat(depth + 1);
        if let Some(last) = last {
            self.text.insert_str(last.end, &format!(",{newline}{inner}{text}"));
        } else {
            let outer = self.indent.repeat(depth);
            let body = format!("{newline}{inner}{text}{newline}{outer}");
            self.text.replace_range(span.start + 1..span.end - 1, &body);
        }
    }

    /// Takes one of the parts of an object or list out, with the comma and blanks that belong to it.
    fn remove(&mut self, span: &Range<usize>, parts: &[Range<usize>], at: usize) {
        let Some(part) = parts.get(at) else { return };
        let before = at.checked_sub(1).and_then(|at| parts.get(at));
        let cut = match (before, parts.get(at + 1)) {
            (Some(before), _) => before.end..part.end,
            (None, Some(next)) => part.start..next.start,
            (None, None) => span.start + 1..span.end - 1,
        };
        self.text.replace_range(cut, "");
    }

    fn render(&self, value: &Value, depth: usize) -> String {
        let text = serde_json::to_string_pretty(value).unwrap_or_default();
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let outer = self.indent.repeat(depth);
        let lines = text.lines().map(|line| {
            let rest = line.trim_start_matches(' ');
            format!("{}{rest}", self.indent.repeat((line.len() - rest.len()) / 2))
        });
        lines.collect::<Vec<_>>().join(&format!("{newline}{outer}"))
    }

    /// Where the value at a path is.
    fn span(&self, path: &[&str]) -> Result<Option<Range<usize>>, String> {
        let start = self.blanks(0);
        let mut span = start..self.value_end(start);
        for (depth, name) in path.iter().enumerate() {
            let members = self.members(&span, path.get(..depth).unwrap_or_default())?;
            // Of a key that is given twice the last one counts, as for every reader.
            let Some(member) = members.into_iter().rev().find(|member| member.key == *name) else {
                return Ok(None);
            };
            span = member.value;
        }
        Ok(Some(span))
    }

    fn members(&self, span: &Range<usize>, path: &[&str]) -> Result<Vec<Member>, String> {
        if self.byte(span.start) != b'{' {
            return Err(format!("`{}` is no object", path.join(".")));
        }
        Ok(self.parts(span, |start| {
            let end = self.value_end(start);
            let value = self.blanks(self.blanks(end) + 1);
            let value = value..self.value_end(value);
            let key = serde_json::from_str(self.slice(&(start..end))).unwrap_or_default();
            (Member { key, whole: start..value.end, value: value.clone() }, value.end)
        }))
    }

    fn spans(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        self.parts(span, |start| {
            let end = self.value_end(start);
            (start..end, end)
        })
    }

    /// The parts between the brackets of a valid object or list.
    fn parts<T>(&self, span: &Range<usize>, read: impl Fn(usize) -> (T, usize)) -> Vec<T> {
        let mut parts = Vec::new();
        let mut at = self.blanks(span.start + 1);
        while at + 1 < span.end {
            let (part, end) = read(at);
            parts.push(part);
            at = self.blanks(end);
            if self.byte(at) == b',' {
                at = self.blanks(at + 1);
            }
        }
        parts
    }

    /// Where a value of valid JSON ends.
    fn value_end(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let (mut at, mut depth, mut in_text) = (start, 0_usize, false);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' if in_text => at += 1,
                b'"' => in_text = !in_text,
                _ if in_text => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' | b']' | b',' | b':' if depth == 0 => return at,
                _ if depth == 0 && byte.is_ascii_whitespace() => return at,
                _ => {}
            }
            at += 1;
            if depth == 0 && !in_text && matches!(byte, b'"' | b'}' | b']') {
                return at;
            }
        }
        bytes.len()
    }

    fn blanks(&self, from: usize) -> usize {
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn slice(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }
}

#[derive(Debug)]
struct Member {
    key: String,
    whole: Range<usize>,
    value: Range<usize>,
}

/// What the text indents by: the blanks before its first indented line.
fn indent_of(text: &str) -> String {
    let blanks = |line: &str| line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect::<String>();
    text.lines().skip(1).map(blanks).find(|blanks| !blanks.is_empty()).unwrap_or_else(|| "  ".into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXTS: [&str; 6] = [
        "{}",
        "{\n}\n",
        "{\"a\": [1, 2,3], \"b\" : {\"x\\\"y\": \"]}\"}}",
        "{\n\t\"hooks\": {\n\t\t\"Stop\": [ { \"hooks\": [] } ]\n\t}\n}\n",
        "{\r\n    \"hooks\": {},\r\n    \"z\": null\r\n}\r\n",
        "  {\"hooks\": {\"Stop\": []}}  ",
    ];

    #[test]
    fn what_is_put_in_is_there_and_taking_it_out_restores_the_rest() {
        for text in TEXTS {
            let mut document = Document::new(text).expect("an object");
            let before: Value = serde_json::from_str(text).expect("JSON");
            document.append(&["hooks", "Stop"], &json!({"command": "x", "n": [1]})).expect("put in");
            document.append(&["hooks", "Stop"], &json!("y")).expect("put in");
            let after: Value =
                serde_json::from_str(&document.text).unwrap_or_else(|e| panic!("{e}: {}", document.text));
            let items = after["hooks"]["Stop"].as_array().expect("a list");
            assert_eq!(items.last(), Some(&json!("y")), "{text}");
            let n = items.len();
            document.remove_item(&["hooks", "Stop"], n - 1).expect("out");
            document.remove_item(&["hooks", "Stop"], n - 2).expect("out");
            if n == 2 && before.pointer("/hooks/Stop").is_none() {
                document.remove_member(&["hooks"], "Stop").expect("out");
                if before.get("hooks").is_none() {
                    document.remove_member(&[], "hooks").expect("out");
                }
            }
            let restored: Value = serde_json::from_str(&document.text).expect("JSON");
            assert_eq!(restored, before, "{text}");
        }
    }

    #[test]
    fn bytes_of_others_stay() {
        let text = "{\n    \"a\":   [1,2 , 3],\n    \"hooks\": {\n        \"Stop\": [\n            {\"command\":   \"mine\"}\n        ]\n    }\n}\n";
        let mut document = Document::new(text).expect("an object");
        document.append(&["hooks", "Stop"], &json!({"command": "ours"})).expect("put in");
        assert!(
            document
                .text
                .contains("{\"command\":   \"mine\"},\n            {\n                \"command\": \"ours\""),
            "{}",
            document.text
        );
        document.remove_item(&["hooks", "Stop"], 1).expect("out");
        assert_eq!(document.text, text);
    }

    #[test]
    fn what_is_no_object_is_told() {
        for text in ["", "[]", "{", "// x\n{}", "{\"hooks\": 1"] {
            assert!(Document::new(text).is_err(), "{text}");
        }
        let mut odd = Document::new("{\"hooks\": {\"Stop\": {}}, \"b\": 1}").expect("an object");
        assert!(odd.items(&["hooks", "Stop"]).is_err());
        assert!(odd.keys(&["b"]).is_err());
        assert!(odd.append(&["b", "Stop"], &json!(1)).is_err());
    }
}
