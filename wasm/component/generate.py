"""Writes the typed surface of the component from the engine's own source, which alone says what verbs take and answer.

`python generate.py` writes `types`, `answers`, `options` and `engine` in `wit/`, and in `src/` the code that goes
between their types and the engine's; `--check` fails where they are not what the source says. Never decides what a
verb means.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "python"))

from fixed import FIXED_TYPES, OPENING, READER_HEAD, SPACE_HEAD
from generate import (
    CORE,
    POSITIONAL,
    READS,
    RECORDS,
    SOURCES,
    STRUCTURES,
    TYPES,
    Field,
    Source,
    Struct,
    braces,
    fields_of,
    snake,
)

SINCE = "@since(version = 0.1.0)"
HEAD = "Made by wasm/component/generate.py from the engine's source. Change that, and run it again."

# What verbs take and none answers, in order.
GIVEN = sorted(STRUCTURES)

# Where the engine has a type, where that is not with the records.
MODULES = {"Strength": "learn", "Format": "trace", "StoredVector": "step"}
MODULES |= dict.fromkeys(["Settlement", "Choice", "Advice", "Outcome", "Slot", "Cardinality", "FactFormat"], "op")
MODULES |= {name: "op" for name in [*TYPES, *GIVEN] if name not in RECORDS}
MODULES |= dict.fromkeys(["About", "Came", "Message", "Objection", "Opinion"], "react")

# How a type of the engine is said in WIT. Lists and what may be missing are built of these.
PLAIN = {"String": "string", "bool": "bool", "u8": "u8", "u32": "u32", "u64": "u64", "i64": "s64", "Revision": "u64"}
PLAIN |= {"Timestamp": "timestamp", "RecordId": "record-id", "OpId": "op-id", "EventKey": "event-key"}
PLAIN |= {"TextKey": "text-key", "StatusReason": "string", "Quantized": "string", "Action": "string"}
PLAIN |= {"MessageKind": "string", "Verdict": "verdict"}
PLAIN |= {"Scope": "scope", "Tally": "tally", "BTreeMap<String, String>": "list<tuple<string, string>>"}

KEYWORDS = set(
    "as async bool borrow char constructor enum export f32 f64 flags from func future import include interface list "
    "option own package record resource result s16 s32 s64 s8 static stream string tuple type u16 u32 u64 u8 use "
    "variant with world".split()
)


def main() -> int:
    source = Source("\n".join((CORE / name).read_text(encoding="utf-8") for name in SOURCES))
    surface = Surface(source)
    written = {
        ROOT / "wit/types.wit": surface.types(),
        ROOT / "wit/answers.wit": surface.answers_file(),
        ROOT / "wit/options.wit": surface.options(),
        ROOT / "wit/engine.wit": surface.engine(),
        HERE / "src/convert/names.rs": surface.conversions("names"),
        HERE / "src/convert/records.rs": surface.conversions("records"),
        HERE / "src/convert/answers.rs": surface.conversions("answers"),
        HERE / "src/convert/options.rs": surface.conversions("options"),
        HERE / "src/handles.rs": surface.handles(),
        HERE / "src/verbs/reads.rs": surface.verbs("read", [verb for verb in surface.made if verb.name in READS]),
        HERE / "src/verbs/writes.rs": surface.verbs("write", [one for one in surface.made if one.name not in READS]),
    }
    written = {path: formatted(text) if path.suffix == ".rs" else text for path, text in written.items()}
    if "--check" in sys.argv:
        stale = [str(path.relative_to(ROOT)) for path, text in written.items() if read(path) != text]
        if stale:
            names = ", ".join(stale)
            print(f"not what the engine's source says: {names}; run wasm/component/generate.py", file=sys.stderr)
        return 1 if stale else 0
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    return 0


def formatted(code: str) -> str:
    command = ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)]
    return subprocess.run(command, input=code, capture_output=True, text=True, check=True).stdout


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def kebab(name: str) -> str:
    return snake(name).replace("_", "-")


def escaped(name: str) -> str:
    name = kebab(name)
    return f"%{name}" if name in KEYWORDS else name


def rust_field(name: str) -> str:
    """A field as the generated bindings name it."""
    return {"type": "type_", "where": "where_", "as": "as_"}.get(name, name)


def comment(text: str, indent: int) -> str:
    pad = " " * indent + "/// "
    return "".join(f"{pad}{line}\n" for line in textwrap.wrap(text, 120 - len(pad), break_on_hyphens=False))


def wrapped(head: str, names: list[str]) -> str:
    """A use of these names in WIT, in one line where that is short enough."""
    line = f"{head}{', '.join(names)}}};\n"
    if len(line) <= 121:
        return line
    lines = textwrap.wrap(", ".join(names), 110, break_on_hyphens=False, break_long_words=False)
    return f"{head}\n" + "".join(f"        {one}\n" for one in lines) + "    };\n"


def rust_use(module: str, names: list[str]) -> str:
    return f"use {module}::{{{', '.join(sorted(names))}}};\n"


class Verb:
    """A verb of the engine: what it takes first, what else, and what it answers."""

    def __init__(self, source: Source, variant: str, holds: str, doc: str) -> None:
        self.variant, self.options, self.doc = variant, holds.strip("()"), doc
        self.name = snake(variant)
        fields = source.structs[self.options].fields
        query = [one for one in fields if one.rust == "Recall"]
        rest = [one for one in fields if one not in query]
        given = POSITIONAL.get(self.name, [])
        if not given and any(one.name == "id" for one in fields):
            given = ["id"]
        self.first = [(one, f"options.{one.name}") for name in given for one in fields if one.name == name]
        self.more = [(one, f"options.{one.name}") for one in rest if one.name not in given]
        self.record = "" if not self.more else self.options
        if query:
            inner = source.structs["Recall"].fields
            path = f"options.{query[0].name}"
            self.first += [(one, f"{path}.{one.name}") for one in inner if one.name in POSITIONAL["recall"]]
            self.more = [(one, f"{path}.{one.name}") for one in inner if one.name not in POSITIONAL["recall"]]
            self.record = "Recall"


class Surface:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.made = [Verb(source, *one) for one in source.variants("Input")]
        self.outputs = source.variants("Output")
        self.enums = {name: (enum.doc, enum_cases(source.text, name)) for name, enum in source.enums.items()}
        self.structs = {name: source.structs[name] for name in [*TYPES, *GIVEN]}
        for name, holds, doc in self.outputs:
            fields = fields_of(holds, "") if holds.startswith(" {") else []
            if len(fields) > 1:
                self.structs[name] = Struct(doc, fields)
        self.answers = {verb: name for name, _, doc in self.outputs for verb in re.findall(r"`(\w+)`", doc)}

    # WIT

    def types(self) -> str:
        body = FIXED_TYPES
        for name in self.used_enums():
            doc, cases = self.enums[name]
            body += f"\n{comment(doc, 4)}    {SINCE}\n    enum {escaped(name)} {{\n"
            body += "".join(f"{comment(doc, 8)}        {escaped(case)},\n" for case, doc in cases) + "    }\n"
        body += "".join(self.record(name, self.structs[name].doc, self.structs[name].fields) for name in RECORDS)
        return self.interface("types", "Records and their parts. Shares and scores are in millionths.", body)

    def answers_file(self) -> str:
        made = [(name, self.structs[name]) for name in self.answered_types()]
        body = "".join(self.record(name, struct.doc, struct.fields) for name, struct in made)
        return self.interface("answers", "What verbs answer. Shares and scores are in millionths.", body)

    def options(self) -> str:
        given = ((name, self.structs[name]) for name in GIVEN)
        body, done = "".join(self.record(name, struct.doc, struct.fields) for name, struct in given), set()
        for verb in self.made:
            if verb.record and verb.record not in done:
                done.add(verb.record)
                users = [f"`{kebab(one.name)}`" for one in self.made if one.record == verb.record]
                doc = f"What may be given besides to {' and '.join(filter(None, [', '.join(users[:-1]), users[-1]]))}."
                body += self.record(f"{verb.record}Options", doc, [one for one, _ in verb.more])
        return self.interface("options", "What may be given to verbs besides what each needs.", body)

    def engine(self) -> str:
        methods = {verb.name: self.method(verb) for verb in self.made}
        body = SPACE_HEAD + "".join(f"\n{one}" for one in methods.values()) + "    }\n"
        body += READER_HEAD + "\n".join(methods[name] for name in READS) + "    }\n"
        doc = "The engine: spaces with every verb, and readers with those that write nothing."
        return self.interface("engine", doc, body)

    def interface(self, name: str, doc: str, body: str) -> str:
        """A file with one interface, which uses what stands in others."""
        code = re.sub(r"%?[a-z][\w-]*: ", "", re.sub(r" *///.*\n|@since.*|^ *%?[a-z][\w-]*,$", "", body, flags=re.M))
        found = set(re.findall(r"%?[a-z][\w-]*", code))
        own = set(re.findall(r"(?:record|enum|variant|resource|type) (%?[a-z][\w-]*)", body))
        places = {"types": [*re.findall(r"(?:record|enum|variant|type) (%?[a-z][\w-]*)", FIXED_TYPES)]}
        places["types"] += map(escaped, [*self.used_enums(), *RECORDS])
        places["answers"] = [escaped(one) for one in self.answered_types()]
        places["options"] = [f"{kebab(verb.record)}-options" for verb in self.made if verb.record]
        places["options"] += map(escaped, GIVEN)
        places["host-store"] = ["store"]
        uses = ""
        for place, names in places.items():
            if used := sorted((set(names) & found) - own):
                uses += wrapped(f"    use {place}.{{", used)
        head = f"// {HEAD}\n\n/// {doc}\n{SINCE}\ninterface {name} {{\n"
        return head + (uses or body[1:]) + (body if uses else "") + "}\n"

    def answered_types(self) -> list[str]:
        """The types of answers that are no parts of records."""
        return [name for name in self.structs if name not in RECORDS and name not in GIVEN]

    def used_enums(self) -> list[str]:
        fields = [one for struct in self.structs.values() for one in struct.fields]
        fields += [one for verb in self.made for one, _ in verb.first + verb.more]
        named = [one.rust.replace("Verdict", "Verdict Came") for one in fields]
        return [name for name in self.enums if any(re.search(rf"\b{name}\b", rust) for rust in named)]

    def record(self, name: str, doc: str, fields: list[Field]) -> str:
        out = f"\n{comment(doc, 4)}    {SINCE}\n    record {escaped(name)} {{\n"
        for one in fields:
            out += f"{comment(one.doc + self.note(one), 8)}        {escaped(one.name)}: {self.wit(one.rust)},\n"
        return out + "    }\n"

    @staticmethod
    def note(one: Field) -> str:
        if "Action" in one.rust:
            return " JSON: its forms are those of the step protocol, and the engine alone applies them."
        return " Hexadecimal digits, two a component." if one.rust == "Quantized" else ""

    def wit(self, rust: str) -> str:
        if rust in PLAIN:
            return PLAIN[rust]
        if inner := re.fullmatch(r"Box<(.*)>", rust):
            return self.wit(inner[1])
        if inner := re.fullmatch(r"Option<(.*)>", rust):
            return f"option<{self.wit(inner[1])}>"
        if inner := re.fullmatch(r"(?:Vec|Set|BTreeSet)<(.*)>", rust):
            return f"list<{self.wit(inner[1])}>"
        if rust in self.enums or rust in self.structs:
            return escaped(rust)
        raise ValueError(f"the type {rust} has no form in WIT yet; give it one in generate.py")

    def method(self, verb: Verb) -> str:
        lines = [verb.doc] + [f"`{kebab(one.name)}`: {one.doc}" for one, _ in verb.first]
        given = ["env: env"] + [f"{escaped(one.name)}: {self.wit(one.rust)}" for one, _ in verb.first]
        if verb.record:
            given.append(f"more: option<{kebab(verb.record)}-options>")
        head = f"{escaped(verb.name)}: func("
        tail = f") -> result<{self.answer(verb)[0]}, error>;\n"
        line = f"        {head}{', '.join(given)}{tail}"
        if len(line) > 121:
            line = f"        {head}\n" + "".join(f"            {one},\n" for one in given) + f"        {tail}"
        return "".join(comment(one, 8) for one in lines) + f"        {SINCE}\n{line}"

    def answer(self, verb: Verb) -> tuple[str, str, str]:
        """The type of a verb's answer in WIT, the pattern of its output, and the expression of the answer."""
        name = self.answers[verb.name]
        holds = next(holds for one, holds, _ in self.outputs if one == name)
        if holds.startswith("("):
            return escaped(holds.strip("()")), f"Output::{name}(answer)", "answer.lower()"
        fields = [one.name for one in fields_of(holds, "")]
        if len(fields) > 1:
            inner = ", ".join(f"{rust_field(one)}: {one}.lower()" for one in fields)
            return escaped(name), f"Output::{name} {{ {', '.join(fields)} }}", f"answers::{name} {{ {inner} }}"
        rust = fields_of(holds, "")[0].rust
        return self.wit(rust), f"Output::{name} {{ {fields[0]} }}", f"{fields[0]}.lower()"

    # Rust

    def conversions(self, part: str) -> str:
        out = f"//! Between the {part} of `wit/` and the engine's.\n//!\n//! {HEAD}\n\n"
        if part == "names":
            return out + self.rust_uses(self.used_enums(), "types") + self.enum_impls()
        if part == "records":
            return out + self.rust_uses(RECORDS, "types") + self.struct_impls(RECORDS)
        if part == "options":
            return out + self.rust_uses(GIVEN, "options") + self.struct_impls(GIVEN)
        made = [name for name in self.answered_types() if name in self.source.structs]
        return out + self.rust_uses(made, "answers") + self.struct_impls(made)

    @staticmethod
    def rust_uses(names: list[str], place: str) -> str:
        """Where the engine has these types."""
        found: dict[str, list[str]] = {}
        for name in names:
            found.setdefault(MODULES.get(name, "record"), []).append(name)
        out = "" if place == "answers" else "use hardwon_core::error::Error;\n"
        for module, inner in sorted(found.items()):
            out += rust_use(f"hardwon_core::{module}", inner)
        used = {"types": "{Lift, Lower}", "answers": "Lower", "options": "Lift"}[place]
        return out + f"\nuse crate::exports::hardwon::memory::{place} as wit;\nuse crate::plain::{used};\n"

    def enum_impls(self) -> str:
        out, taken = "", self.taken()
        for name in self.used_enums():
            cases = [case for case, _ in self.enums[name][1]]
            arms = [f"{name}::{case} => Self::To::{camel(case)}," for case in cases[:-1]]
            # The last stands for what a list that may grow has not named: the gate holds the lists equal.
            arms.append(f"_ => Self::To::{camel(cases[-1])},")
            out += lower_impl(name, "match self {\n" + "".join(f"            {one}\n" for one in arms) + "        }")
            if name in taken:
                arms = [f"wit::{name}::{camel(case)} => Self::{case}," for case in cases]
                body = "Ok(match from {\n" + "".join(f"            {one}\n" for one in arms) + "        })"
                out += lift_impl(name, body)
        return out

    def struct_impls(self, names: list[str]) -> str:
        out, taken = "", self.taken()
        for name in names:
            fields = self.structs[name].fields
            lines = (f"            {rust_field(one.name)}: self.{one.place()}.lower(),\n" for one in fields)
            inner = "".join(lines)
            if name not in GIVEN:
                out += lower_impl(name, f"Self::To {{\n{inner}        }}")
            if name in taken:
                lines = (f"            {one.place()}: Lift::lift(from.{rust_field(one.name)})?,\n" for one in fields)
                inner = "".join(lines)
                out += lift_impl(name, f"Ok(Self {{\n{inner}        }})")
        return out

    def taken(self) -> set[str]:
        """The types that a verb takes."""
        found: set[str] = set()
        waiting = [one.rust for verb in self.made for one, _ in verb.first + verb.more]
        while waiting:
            for name in re.findall(r"\w+", waiting.pop()):
                if name not in found and (name in self.enums or name in self.structs):
                    found.add(name)
                    waiting += [one.rust for one in self.structs[name].fields] if name in self.structs else []
        return found

    def handles(self) -> str:
        out = f"//! The handles of `wit/engine.wit`, whose methods are the verbs.\n//!\n//! {HEAD}\n\n"
        out += "use crate::Component;\nuse crate::exports::hardwon::memory::engine::{self as api, Guest, Setup};\n"
        out += "use crate::exports::hardwon::memory::{answers, options, types as wit};\n"
        out += "use crate::memory::{Reader, Space};\nuse crate::verbs::{reads, writes};\n\n"
        out += "impl Guest for Component {\n    type Space = Space;\n    type Reader = Reader;\n}\n\n"
        out += "impl api::GuestSpace for Space {\n" + OPENING
        out += "\n".join(self.forward(verb) for verb in self.made) + "}\n\n"
        reads = [verb for name in READS for verb in self.made if verb.name == name]
        return out + "impl api::GuestReader for Reader {\n" + "\n".join(map(self.forward, reads)) + "}\n"

    def verbs(self, what: str, made: list[Verb]) -> str:
        out = f"//! The verbs of `wit/engine.wit` that {what}, each of which runs one input of the engine.\n//!\n"
        out += f"//! {HEAD}\n\n"
        inputs = sorted({verb.options for verb in made} | {"Input", "Output"})
        out += f"use hardwon_core::op::{{{', '.join(inputs)}}};\n\n"
        body = "".join(f"\n{self.runs(verb)}" for verb in made)
        used = [name for name in ("answers", "options") if f"{name}::" in body]
        out += f"use crate::exports::hardwon::memory::{{{', '.join([*used, 'types as wit'])}}};\n"
        return out + "use crate::memory::{Shared, strange};\nuse crate::plain::{Lift, Lower};\n" + body

    def parameters(self, verb: Verb) -> list[tuple[str, str]]:
        out = [("env", "wit::Env")] + [(one.name, self.bound(one.rust)) for one, _ in verb.first]
        return out + ([("more", f"Option<options::{verb.record}Options>")] if verb.record else [])

    def bound(self, rust: str) -> str:
        """A type as the generated bindings have it."""
        if inner := re.fullmatch(r"Option<(.*)>", rust):
            return f"Option<{self.bound(inner[1])}>"
        if inner := re.fullmatch(r"(?:Vec|Set|BTreeSet)<(.*)>", rust):
            return f"Vec<{self.bound(inner[1])}>"
        if rust in ("bool", "u8", "u32", "u64"):
            return rust
        if rust in GIVEN:
            return f"options::{rust}"
        known = {"string": "String", "timestamp": "wit::Timestamp", "u64": "u64", "s64": "i64"}
        return known.get(PLAIN.get(rust, ""), f"wit::{rust}")

    def answered(self, verb: Verb) -> str:
        wit = self.answer(verb)[0]
        inner = wit.removeprefix("list<").removesuffix(">").removeprefix("%")
        place = "wit" if camel(inner) in RECORDS else "answers"
        made = "u32" if inner == "u32" else f"{place}::{camel(inner)}"
        return f"Vec<{made}>" if wit.startswith("list<") else made

    def forward(self, verb: Verb) -> str:
        given = self.parameters(verb)
        types = ", ".join(f"{name}: {kind}" for name, kind in given)
        names = ", ".join(name for name, _ in given)
        head = f"    fn {verb.name}(&self, {types}) -> Result<{self.answered(verb)}, wit::Error> {{\n"
        place = "reads" if verb.name in READS else "writes"
        return f"{head}        {place}::{verb.name}(&self.0, {names})\n    }}\n"

    def runs(self, verb: Verb) -> str:
        types = "".join(f", {name}: {kind}" for name, kind in self.parameters(verb))
        _, pattern, made = self.answer(verb)
        changed = "mut " if verb.first or verb.more else ""
        answered = f"Result<{self.answered(verb)}, wit::Error>"
        out = comment(verb.doc, 0) + f"pub fn {verb.name}(memory: &Shared{types}) -> {answered} {{\n"
        out += f"    let {changed}options = {verb.options}::default();\n"
        out += "".join(f"    {path} = Lift::lift({one.name})?;\n" for one, path in verb.first)
        if verb.record:
            out += "    if let Some(more) = more {\n"
            inner = ((path, f"Lift::lift(more.{rust_field(one.name)})?") for one, path in verb.more)
            out += "".join(f"        {path} = {value};\n" for path, value in inner) + "    }\n"
        out += f"    match memory.run(env, Input::{verb.variant}(options))? {{\n        {pattern} => Ok({made}),\n"
        return out + "        _ => Err(strange()),\n    }\n}\n"


def camel(name: str) -> str:
    """A name as the generated bindings write it."""
    return "".join(part[:1].upper() + part[1:] for part in kebab(name).split("-"))


def lower_impl(name: str, body: str) -> str:
    head = f"\nimpl Lower for {name} {{\n    type To = wit::{camel(name)};\n\n    fn lower(self) -> Self::To {{\n"
    return f"{head}        {body}\n    }}\n}}\n"


def lift_impl(name: str, body: str) -> str:
    head = f"\nimpl Lift for {name} {{\n    type From = wit::{camel(name)};\n\n"
    return f"{head}    fn lift(from: Self::From) -> Result<Self, Error> {{\n        {body}\n    }}\n}}\n"


def enum_cases(text: str, name: str) -> list[tuple[str, str]]:
    """The cases of an enum without data, each with what it means."""
    if found := re.search(rf"^names! \{{\n(?: {{4}}///.*\n)+ {{4}}{name} \{{", text, re.M):
        body = braces(text, found.end() - 1)
        pattern = r"((?:^ *///.*\n)+) *(\w+) = "
    else:
        found = re.search(rf"pub enum {name} \{{", text)
        assert found, name
        body = braces(text, found.end() - 1)
        pattern = r"((?:^ *///.*\n)+)(?: *#\[.*\n)* *(\w+),"
    return [(case, joined(doc)) for doc, case in re.findall(pattern, body, re.M)]


def joined(doc: str) -> str:
    return " ".join(line.strip().removeprefix("///").strip() for line in doc.strip().splitlines())


if __name__ == "__main__":
    sys.exit(main())
