//! From a scenario, as a person writes it, to a vector with every request and reply.
//!
//! Decides times and seeds, resolves names of earlier answers, and holds each answer against what its author expects.
//! The format is described in `tests/vectors/README.md`.

use std::collections::BTreeMap;

use hardwon_core::env::Timestamp;
use hardwon_core::op::Stepper;
use hardwon_core::record::hash64;
use serde_json::{Map, Value, json};

use crate::host::{Dealt, Host, kind_of};
use crate::matching::differs;
use crate::play::{start_text, stepper};

/// More requests than any operation makes: the end of a loop that would not end.
const MOST_REQUESTS: usize = 64;

/// Makes the vector of a scenario; the error says which step went otherwise than its author expects.
pub fn vector(scenario: &Value) -> Result<Value, String> {
    let name = scenario["name"].as_str().ok_or("a scenario needs a name")?;
    Telling::new(name, scenario)
        .and_then(|telling| telling.tell(scenario))
        .map_err(|problem| format!("{name}: {problem}"))
}

struct Telling<'a> {
    name: &'a str,
    setup: Value,
    host: Host,
    named: BTreeMap<String, Value>,
    step: u64,
}

impl<'a> Telling<'a> {
    fn new(name: &'a str, scenario: &Value) -> Result<Self, String> {
        let known = ["name", "says", "setup", "given_setup", "given", "steps", "expect"];
        check_keys(scenario, &known)?;
        let setup = if scenario["setup"].is_null() { json!({}) } else { scenario["setup"].clone() };
        Ok(Self { name, host: Host::new(&setup), setup, named: BTreeMap::new(), step: 0 })
    }

    fn tell(mut self, scenario: &Value) -> Result<Value, String> {
        let mut stepper = match stepper(&self.setup) {
            Ok(stepper) => stepper,
            Err(refused) => return self.refused(scenario, &refused),
        };
        for step in list(scenario, "given") {
            let setup =
                if scenario["given_setup"].is_null() { &self.setup } else { &scenario["given_setup"] };
            let mut other = crate::play::stepper(setup)?;
            self.run(&mut other, step).map_err(|problem| format!("given: {problem}"))?;
        }
        let mut told = Vec::new();
        for step in list(scenario, "steps") {
            let at = told.len() + 1;
            told.push(self.run(&mut stepper, step).map_err(|problem| format!("step {at}: {problem}"))?);
        }
        self.host.set_faults(&Value::Null)?;
        let mut told = told.into_iter();
        let mut vector = told.next().ok_or("a scenario needs steps")?;
        vector.insert("name".into(), self.name.into());
        vector.insert("setup".into(), self.setup);
        let then: Vec<Value> = told.map(Value::Object).collect();
        if !then.is_empty() {
            vector.insert("then".into(), then.into());
        }
        Ok(Value::Object(vector))
    }

    fn refused(self, scenario: &Value, refused: &str) -> Result<Value, String> {
        let answer = parse(refused)?;
        match differs(&scenario["expect"], &answer) {
            Some(problem) => Err(problem),
            None if scenario["expect"].is_null() => Err(format!("the setup was refused: {answer}")),
            None => Ok(json!({ "name": self.name, "setup": self.setup, "expect": answer })),
        }
    }

    /// Runs one step and holds its answer against what is expected.
    fn run(&mut self, stepper: &mut Stepper, step: &Value) -> Result<Map<String, Value>, String> {
        check_keys(step, &["op", "text", "as", "at", "seed", "faults", "asks", "expect"])?;
        let step = &self.resolve(step)?;
        self.host.set_faults(&step["faults"])?;
        let beginning = self.beginning(step)?;
        let told = self.operate(stepper, beginning)?;
        let answer = told["expect"].clone();
        if let Some(problem) = differs(&step["expect"], &answer).filter(|_| !step["expect"].is_null()) {
            return Err(problem);
        }
        if step["expect"].is_null() && answer["done"].is_null() {
            return Err(format!("it ended with {answer}"));
        }
        let asked: Vec<String> = list_of(&told["exchange"]).map(|pair| kind_of(&pair[0]["need"])).collect();
        if !step["asks"].is_null() && step["asks"] != json!(asked) {
            return Err(format!("it asked {asked:?}, expected {}", step["asks"]));
        }
        if let Some(name) = step["as"].as_str() {
            self.named.insert(name.to_owned(), answer["done"].clone());
        }
        Ok(told)
    }

    /// The transcript's beginning: what `start` is given.
    fn beginning(&mut self, step: &Value) -> Result<Map<String, Value>, String> {
        self.step += 1;
        if let Some(text) = step["text"].as_str() {
            return Ok(object(json!({ "text": text })));
        }
        let mut input = self.resolve(&step["op"])?;
        if let Some(lines) = input["data"].as_array() {
            let lines: Vec<String> = lines.iter().map(line).collect();
            input["data"] = lines.join("\n").into();
        }
        if let Some(lines) = input.get_mut("lines").and_then(Value::as_array_mut) {
            lines.iter_mut().for_each(|one| *one = line(one).into());
        }
        let now = match step["at"].as_str() {
            Some(at) => Timestamp::parse(at).ok_or_else(|| format!("not a time: {at}"))?,
            None => Timestamp(BEGIN + MINUTE * self.step as i64),
        };
        let seed = match step["seed"].as_str() {
            Some(seed) => seed.to_owned(),
            None => format!("{:032x}", hash64(&[self.name, &self.step.to_string()])),
        };
        Ok(object(json!({ "start": { "env": { "now": now.to_string(), "seed": seed }, "input": input } })))
    }

    fn operate(
        &mut self,
        stepper: &mut Stepper,
        mut told: Map<String, Value>,
    ) -> Result<Map<String, Value>, String> {
        let mut exchange = Vec::new();
        let mut answer = parse(&stepper.start(&start_text(&Value::Object(told.clone()))))?;
        while !answer["need"].is_null() {
            if exchange.len() == MOST_REQUESTS {
                return Err("the operation does not end".into());
            }
            let reply = self.reply(&answer["need"])?;
            let next = parse(&stepper.resume(&reply.to_string()))?;
            exchange.push(json!([answer, reply]));
            answer = next;
        }
        told.insert("exchange".into(), exchange.into());
        told.insert("expect".into(), answer);
        Ok(told)
    }

    fn reply(&mut self, need: &Value) -> Result<Value, String> {
        loop {
            match self.host.deal(need)? {
                Dealt::Reply(reply) => return Ok(reply),
                Dealt::Rival(op) => {
                    let mut other = crate::play::stepper(&self.setup)?;
                    let beginning = self.beginning(&json!({ "op": op }))?;
                    let told = self.operate(&mut other, beginning)?;
                    if told["expect"]["done"].is_null() {
                        return Err(format!("the rival ended with {}", told["expect"]));
                    }
                }
            }
        }
    }

    /// Puts parts of earlier answers in the place of `$name.path`.
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::String(text) => match text.strip_prefix('$').and_then(|rest| rest.split_once('.')) {
                Some((name, path)) => {
                    let answer =
                        self.named.get(name).ok_or_else(|| format!("no answer is named {name:?}"))?;
                    let found = answer.pointer(&format!("/{}", path.replace('.', "/")));
                    found.cloned().ok_or_else(|| format!("{text} is not in {answer}"))?
                }
                None => value.clone(),
            },
            Value::Array(list) => {
                Value::Array(list.iter().map(|one| self.resolve(one)).collect::<Result<_, _>>()?)
            }
            Value::Object(map) => {
                let pairs = map.iter().map(|(key, one)| Ok((key.clone(), self.resolve(one)?)));
                Value::Object(pairs.collect::<Result<_, String>>()?)
            }
            _ => value.clone(),
        })
    }
}

const BEGIN: i64 = 1_777_626_000_000;
const MINUTE: i64 = 60_000;

fn line(line: &Value) -> String {
    line.as_str().map_or_else(|| line.to_string(), str::to_owned)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    list_of(&value[key])
}

fn list_of(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn parse(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|problem| format!("not JSON: {problem} in {json}"))
}

fn check_keys(value: &Value, known: &[&str]) -> Result<(), String> {
    let keys = value.as_object().into_iter().flatten().map(|(key, _)| key);
    match keys.into_iter().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key {key:?}")),
        None => Ok(()),
    }
}
