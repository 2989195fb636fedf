"""Writes the typed surface of the package from the engine's own source, which alone says what a verb takes and answers.

`python generate.py` writes names, records, answers and verbs in `hardwon/`; `--check` fails where they are not what the
source says. Never decides what a verb means.
"""

from __future__ import annotations

import re
import sys
import textwrap
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "core/src"
SOURCES = [
    "op/input.rs",
    "op/input/facts.rs",
    "op/output.rs",
    "op/output/facts.rs",
    "record/record.rs",
    "record/claim.rs",
    "record/feedback.rs",
    "record/evidence.rs",
    "record/kind.rs",
    "record/counters.rs",
    "react/message.rs",
    "react/say.rs",
    "learn/draft.rs",
    "step.rs",
    "trace/format.rs",
]

# What may be given without its name, in order; all of it has to be given where the option has no default here.
POSITIONAL = {
    "observe": ["session_id", "lines"],
    "learn": ["data"],
    "teach": ["text"],
    "remember": ["text"],
    "facts": ["subject", "predicate"],
    "extract": ["messages"],
    "import_facts": ["documents"],
    "forget_source": ["source"],
    "recall": ["task"],
    "guard": ["tool", "args"],
    "undo": ["op"],
    "settle": ["id", "outcome"],
    "resolve": ["id", "choice"],
    "react": ["message"],
    "import_records": ["records"],
}
REQUIRED = {"session_id": ["observe"], "lines": ["observe"], "text": ["teach"], "tool": ["guard"], "op": ["undo"]}
REQUIRED |= {"source": ["forget_source"], "message": ["react"]}
ALWAYS_REQUIRED = {"RecordId", "Settlement", "Choice", "Vec<Record>", "Vec<Said>", "Vec<Document>"}

NAMES = ["Kind", "Subtype", "Status", "Tier", "Pin", "SourceClass", "Mark", "Strength", "Advice", "Outcome", "Slot"]
NAMES += ["Settlement", "Choice", "Format", "Cardinality", "FactFormat", "About"]
RECORDS = ["Counters", "Evidence", "Variant", "Rewording", "Claim", "Support", "Feedback", "Record"]
RECORDS += ["StoredVector"]
TYPES = [*RECORDS, "Why", "Item", "Recalled", "Silent", "Guarded", "Waiting", "ShownRecord"]
TYPES += ["Rate", "Interval", "Effect", "Worded", "Learned", "Written", "Undone"]
TYPES += ["HistoryEntry", "Check", "Explained", "Maintained", "Outcomes", "Figures"]
TYPES += ["Remembered", "Forgotten", "Told", "Extracted", "Gathered", "Flaw", "Audited"]
TYPES += ["Objection", "Opinion"]
# Answers about facts and to other agents, which have a file of their own.
OF_FACTS = ["Remembered", "Forgotten", "Told", "Extracted", "Gathered", "FactsWritten", "Flaw", "Audited"]
OF_FACTS += ["Objection", "Opinion"]
# Verbs that a reader may call: they write nothing.
READS = ["facts", "export_facts", "recall", "get", "list", "history", "explain", "export_records", "stats", "guard"]
READS += ["review", "report"]
# Options that are small structures or lists of these, given as mappings.
STRUCTURES = {"Current", "Said", "Document", "Message"}

TEXTS = {"String", "RecordId", "OpId", "EventKey", "TextKey", "Timestamp", "Quantized", "StatusReason"}
NUMBERS = {"u8", "u32", "u64", "i64", "Revision"}
# Options with a form of their own: what they are in Python, and the helper that makes the wire form of them.
FORMS = {
    "data": ("Trace | None", "trace"),
    "args": ("str | Mapping[str, object]", "text"),
    "lines": ("Iterable[str | Mapping[str, object]]", "lines"),
}


@dataclass
class Field:
    name: str
    """On the wire."""
    rust: str
    doc: str
    own: str = ""
    """In the engine, where that is another name."""

    def place(self) -> str:
        return self.own or self.name


@dataclass
class Struct:
    doc: str
    fields: list[Field] = field(default_factory=list)


@dataclass
class Enum:
    doc: str
    values: list[str] = field(default_factory=list)
    default: str = ""


def main() -> int:
    source = Source("\n".join((CORE / name).read_text(encoding="utf-8") for name in SOURCES))
    written = {
        "_names.py": names(source),
        "_records.py": records(source),
        "_answers.py": answers(source, of_facts=False),
        "_fact_answers.py": answers(source, of_facts=True),
        "_reads.py": verbs(source, reads=True, waits=False),
        "_verbs.py": verbs(source, reads=False, waits=False),
        "_awaited_reads.py": verbs(source, reads=True, waits=True),
        "_awaited.py": verbs(source, reads=False, waits=True),
    }
    if "--check" in sys.argv:
        stale = [name for name, text in written.items() if read(name) != text]
        if stale:
            print(f"not what the engine's source says: {', '.join(stale)}; run python/generate.py", file=sys.stderr)
        return 1 if stale else 0
    for name, text in written.items():
        (HERE / "hardwon" / name).write_text(text, encoding="utf-8")
    return 0


def read(name: str) -> str:
    path = HERE / "hardwon" / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


class Source:
    """The declarations that the surface is made of."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.structs: dict[str, Struct] = {}
        self.enums: dict[str, Enum] = {}
        self._read_structs()
        self._read_options()
        self._read_counters()
        self._read_enums()

    def variants(self, name: str) -> list[tuple[str, str, str]]:
        """Of an enum with data: name, what it holds, doc."""
        body = braces(self.text, self.text.index(f"pub enum {name} {{"))
        found = re.findall(r"((?:^ {4}/// [^\n]*\n)+) {4}(\w+)(\(\w+\)| \{.*?^ {4}\})?,", body, re.M | re.S)
        return [(name, holds, doc_of(doc)) for doc, name, holds in found]

    def _read_structs(self) -> None:
        for match in re.finditer(r"((?:^/// ?.*\n)+)(?:#\[.*\n)*pub struct (\w+) \{", self.text, re.M):
            fields = fields_of(braces(self.text, match.end() - 1), "pub ")
            self.structs[match[2]] = Struct(doc_of(match[1]), fields)

    def _read_options(self) -> None:
        for body in macro_bodies(self.text, "options!"):
            for match in re.finditer(r"((?:^ {4}///.*\n)+) {4}(\w+) \{", body, re.M):
                fields = fields_of(braces(body, match.end() - 1), "")
                self.structs[match[2]] = Struct(doc_of(match[1]), fields)

    def _read_counters(self) -> None:
        for body in macro_bodies(self.text, "counters!"):
            found = re.findall(r"((?:^ {4}/// .*\n)+)(?: {4}#.*\n)? {4}(\w+) / \w+,", body, re.M)
            fields = [Field(name, "u32", doc_of(doc)) for doc, name in found]
            self.structs["Counters"] = Struct("What came of showing a record.", fields)

    def _read_enums(self) -> None:
        for body in macro_bodies(self.text, "names!"):
            head = re.search(r"((?:^ {4}///.*\n)+) {4}(\w+) \{", body, re.M)
            assert head
            self.enums[head[2]] = Enum(doc_of(head[1]), re.findall(r'\w+ = "(\w+)",', body))
        plain = r"((?:^///.*\n)+)(?:#\[.*\n)*pub enum (\w+) \{"
        for match in re.finditer(plain, self.text, re.M):
            body = braces(self.text, match.end() - 1)
            if re.search(r"^ {4}\w+[( ]", body, re.M):
                continue
            values = [snake(value) for value in re.findall(r"^ {4}(\w+),", body, re.M)]
            default = re.search(r"#\[default\]\s+(\w+),", body)
            self.enums[match[2]] = Enum(doc_of(match[1]), values, snake(default[1]) if default else "")


def macro_bodies(text: str, macro: str) -> list[str]:
    return [braces(text, match.end() - 1) for match in re.finditer(rf"^{re.escape(macro)} \{{", text, re.M)]


def braces(text: str, start: int) -> str:
    """What stands between the first brace from `start` on and its partner."""
    start = text.index("{", start)
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1 : at]
    raise ValueError("a brace without its partner")


def fields_of(body: str, visibility: str) -> list[Field]:
    pattern = rf"((?:^ *///.*\n)+)((?:^ *#\[.*\n)*) *{visibility}(\w+): ([^\n]+),$"
    out = []
    for doc, marks, name, rust in re.findall(pattern, body, re.M):
        renamed = re.search(r'rename = "(\w+)"', marks)
        out.append(Field(renamed[1] if renamed else name, rust, doc_of(doc), name))
    return out


def doc_of(lines: str) -> str:
    text = " ".join(line.strip().removeprefix("///").strip() for line in lines.strip().splitlines())
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\[(`[^`\]]+`)\]", r"\1", text).replace("Self::", "")


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


HEAD = '"""{what}\n\nMade by generate.py from the engine\'s source. Change that, and run it again.\n"""\n\n'


def names(source: Source) -> str:
    out = HEAD.format(what="The closed lists of names, as types.") + f"from typing import Literal\n\n{exports(NAMES)}"
    for name in NAMES:
        enum = source.enums[name]
        values = "".join(f'    "{value}",\n' for value in enum.values)
        one_line = f"{name} = Literal[{', '.join(quoted(value) for value in enum.values)}]"
        made = one_line if len(one_line) <= 120 else f"{name} = Literal[\n{values}]"
        out += f'\n{made}\n"""{enum.doc}"""\n'
    return out


def quoted(text: str) -> str:
    return f'"{text}"'


def records(source: Source) -> str:
    body = "".join(data_class(source, name, source.structs[name]) for name in RECORDS)
    return module("Records and their parts", RECORDS, body, "")


def answers(source: Source, of_facts: bool) -> str:
    structs = {name: source.structs[name] for name in TYPES if name not in RECORDS}
    for name, holds, doc in source.variants("Output"):
        fields = fields_of(holds, "") if holds.startswith(" {") else []
        if len(fields) > 1:
            structs[name] = Struct(doc, fields)
    made = [name for name in structs if (name in OF_FACTS) == of_facts]
    body = "".join(data_class(source, name, structs[name]) for name in made)
    if of_facts:
        others = [name for name in structs if name not in OF_FACTS]
        imports = wrap_import("._answers", mentioned(others, body), "")
        return module("What verbs about facts and other agents answer", made, body, imports)
    return module("What verbs answer", made, body, wrap_import("._records", mentioned(RECORDS, body), ""))


def mentioned(names: list[str], code: str) -> list[str]:
    """The names that stand in code, and not in what is said of it alone."""
    code = without_docs(code)
    return [name for name in names if re.search(rf"\b{name}\b", code)]


def module(what: str, made: list[str], body: str, imports: str) -> str:
    used = mentioned(NAMES, body)
    needs_any = "    from typing import Any\n" if "Any]" in body else ""
    return (
        HEAD.format(what=f"{what}. Shares and scores are in millionths, times are RFC 3339 in UTC.")
        + "from __future__ import annotations\n\n"
        + "".join(sorted(["from ._data import EMPTY, Data\n", imports]))
        + f"\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import Mapping\n{needs_any}\n"
        + wrap_import("._names", used, "    ")
        + f"\n{exports(made)}"
        + body
    )


def exports(made: list[str]) -> str:
    return "__all__ = [\n" + "".join(f"    {quoted(name)},\n" for name in sorted(made)) + "]\n"


def without_docs(code: str) -> str:
    return re.sub(r'"""[\s\S]*?"""', "", code)


def data_class(source: Source, name: str, struct: Struct) -> str:
    nested: list[str] = []
    lists: list[str] = []
    body = ""
    fields = [Field(attribute(one.name), one.rust, one.doc) for one in struct.fields]
    for one in fields:
        kind, default = answer_type(source, one.rust)
        inner = re.sub(r"^(?:Vec|Set|Option)<(.*)>$", r"\1", re.sub(r"Box<(\w+)>", r"\1", one.rust))
        if inner in source.structs and inner in TYPES:
            nested.append(f'"{one.name}": {inner}')
        elif kind.startswith("tuple"):
            lists.append(f'"{one.name}"')
        body += f"    {one.name}: {kind}{' = ' + default if default else ''}\n{docstring(one.doc, 4)}"
    out = f"\n\nclass {name}(Data):\n{docstring(struct.doc, 4)}\n{body}"
    if words := [one.name for one in struct.fields if iskeyword(one.name)]:
        out += f"\n    _keywords = ({', '.join(quoted(word) for word in words)},)\n"
    if nested:
        out += wrapped(f"\n    _nested = {{{', '.join(nested)}}}\n")
    if lists:
        out += wrapped(f"\n    _lists = ({', '.join(lists)},)\n")
    return out


def attribute(name: str) -> str:
    """The name of a field in Python, where words of the language get a line after them."""
    return f"{name}_" if iskeyword(name) else name


def wrapped(text: str) -> str:
    """One member a line where the whole is too long for one."""
    if all(len(line) <= 120 for line in text.splitlines()):
        return text
    head, inner, tail = re.fullmatch(r"(\n *_\w+ = [{(])(.*?),?([})]\n)", text).groups()  # type: ignore[union-attr]
    members = "".join(f"        {one},\n" for one in inner.split(", "))
    return f"{head}\n{members}    {tail}"


def docstring(text: str, indent: int) -> str:
    pad = " " * indent
    if len(text) + indent + 6 <= 120:
        return f'{pad}"""{text}"""\n'
    lines = textwrap.wrap(text, 116 - indent)
    return f'{pad}"""' + f"\n{pad}".join(lines) + f"\n{pad}" + '"""\n'


def answer_type(source: Source, rust: str) -> tuple[str, str]:
    """The type of a field of an answer, and its default where the wire may leave it out."""
    if rust in TEXTS:
        return "str", '""' if rust == "String" else ""
    if rust in NUMBERS:
        return "int", "0"
    if rust == "bool":
        return "bool", "False"
    if rust == "Tally":
        return "Mapping[str, int]", "EMPTY"
    if rust == "Scope":
        return "Mapping[str, str]", "EMPTY"
    if rust == "Action":
        return "Mapping[str, Any]", ""
    if rust == "Verdict":
        return "Mapping[str, str]", ""
    if inner := re.fullmatch(r"Box<(.*)>", rust):
        return answer_type(source, inner[1])
    if inner := re.fullmatch(r"Option<(.*)>", rust):
        return f"{answer_type(source, inner[1])[0]} | None", "None"
    if inner := re.fullmatch(r"(?:Vec|Set)<(.*)>", rust):
        return f"tuple[{answer_type(source, inner[1])[0]}, ...]", "()"
    if rust in source.enums:
        default = source.enums[rust].default
        return rust, quoted(default) if default else ""
    if rust in TYPES:
        return rust, ""
    raise ValueError(f"the type {rust} has no form in Python yet; give it one in generate.py")


@dataclass
class Verb:
    name: str
    doc: str
    options: list[tuple[str, str, str, str]]
    """Name, type, default, and the expression that makes the wire form."""
    docs: list[tuple[str, str]]
    query: set[str]
    answer: str
    take: str
    """What makes the answer of the wire form."""


def verbs(source: Source, reads: bool, waits: bool) -> str:
    """The verbs that read, or those that write, which have the others as their base."""
    taken = answers_by_verb(source)
    made = [verb(source, taken, *one) for one in source.variants("Input") if (snake(one[0]) in READS) == reads]
    start = "Async" if waits else ""
    what = f"Verbs that {'read' if reads else 'write'}, with their options{', to be awaited' if waits else ''}."
    base = f"{start}Reads"
    body = verb_class(base if reads else f"{start}Verbs({base})", what, made, waits, reads)
    kinds = sorted(set(re.findall(r"\b(\w+)\._of\(", without_docs(body))))
    places: dict[str, list[str]] = {"._answers": [], "._fact_answers": [], "._records": []}
    for kind in kinds:
        places["._records" if kind in RECORDS else "._fact_answers" if kind in OF_FACTS else "._answers"].append(kind)
    if not reads:
        places["._awaited_reads" if waits else "._reads"] = [base]
    given = [name for name in mentioned(RECORDS, body) if name not in kinds]
    typing = wrap_import("._records", given, "    ") if given else ""
    typing += "    from ._wire import Trace\n" if mentioned(["Trace"], body) else ""
    abstract = ", ".join(mentioned(ABSTRACT, body))
    return (
        HEAD.format(what=what)
        + "from __future__ import annotations\n\nfrom . import _wire as wire\n"
        + "".join(wrap_import(place, found, "") for place, found in sorted(places.items()) if found)
        + f"\nTYPE_CHECKING = False\nif TYPE_CHECKING:\n    from collections.abc import {abstract}\n"
        + "    from typing import Any\n\n"
        + wrap_import("._names", mentioned(NAMES, body), "    ")
        + typing
        + body
    )


# What the types of options are made of.
ABSTRACT = ["Iterable", "Mapping"]


def wrap_import(module: str, found: list[str], pad: str) -> str:
    found = sorted(set(found))
    line = f"{pad}from {module} import {', '.join(found)}\n"
    if len(line) <= 120:
        return line
    return f"{pad}from {module} import (\n" + "".join(f"{pad}    {one},\n" for one in found) + f"{pad})\n"


def answers_by_verb(source: Source) -> dict[str, tuple[str, str]]:
    """Type and expression of the answer of each verb; the engine's documentation says whose answer is which."""
    out = {}
    for name, holds, doc in source.variants("Output"):
        for verb_name in re.findall(r"`(\w+)`", doc):
            out[verb_name] = answer(source, name, holds)
    return out


def answer(source: Source, name: str, holds: str) -> tuple[str, str]:
    if holds.startswith("("):
        kind = holds.strip("()")
        return kind, f"{kind}._of({{}})"
    fields = fields_of(holds, "")
    if len(fields) > 1:
        return name, f"{name}._of({{}})"
    one = fields[0]
    inner = re.sub(r"^Vec<(.*)>$", r"\1", one.rust)
    if inner == one.rust and inner in TYPES:
        return inner, f'{inner}._of({{}}["{one.name}"])'
    if inner in TYPES:
        return f"tuple[{inner}, ...]", f'tuple({inner}._of(one) for one in {{}}["{one.name}"])'
    return "int", f'int({{}}["{one.name}"])'


def verb(source: Source, answers: dict[str, tuple[str, str]], variant: str, holds: str, doc: str) -> Verb:
    name = snake(variant)
    options: list[tuple[str, str, str, str]] = []
    docs: list[tuple[str, str]] = []
    query: set[str] = set()
    for one in source.structs[holds.strip("()")].fields:
        parts = [one]
        if one.rust == "Recall":
            parts = source.structs["Recall"].fields
            query = {part.name for part in parts}
        for part in parts:
            options.append(option(source, name, part))
            docs.append((part.name, part.doc))
    kind, take = answers[name]
    return Verb(name, doc, options, docs, query, kind, take)


def option(source: Source, verb_name: str, one: Field) -> tuple[str, str, str, str]:
    required = one.rust in ALWAYS_REQUIRED or verb_name in REQUIRED.get(one.name, [])
    if verb_name == "recall" or one.rust == "Option<RecordId>":
        required = False
    if one.name in FORMS:
        kind, helper = FORMS[one.name]
        default = "" if required else "None" if kind.endswith("None") else '""'
        return one.name, kind, default, f"wire.{helper}({one.name})"
    kind, default = option_type(source, one.rust)
    made = f"wire.names({one.name})" if kind.startswith("Iterable[") else one.name
    return one.name, kind, "" if required else default, made


def option_type(source: Source, rust: str) -> tuple[str, str]:
    if inner := re.fullmatch(r"Option<(.*)>", rust):
        kind = option_type(source, inner[1])[0]
        return kind if kind.endswith("None") else f"{kind} | None", "None"
    if rust in TEXTS:
        return "str", '""'
    if rust in NUMBERS:
        return "int", "0"
    if rust == "bool":
        return "bool", "False"
    if rust in ("Scope", "BTreeMap<String, String>"):
        return "Mapping[str, str] | None", "None"
    if rust in STRUCTURES:
        return "Mapping[str, str]", ""
    if (inner := re.fullmatch(r"Vec<(.*)>", rust)) and inner[1] in STRUCTURES:
        return "Iterable[Mapping[str, str]]", "()"
    if inner := re.fullmatch(r"(?:Vec|BTreeSet)<(.*)>", rust):
        return f"Iterable[{option_type(source, inner[1])[0]}]", "()"
    if rust in source.enums:
        return rust, quoted(source.enums[rust].default)
    if rust in TYPES:
        return rust, ""
    raise ValueError(f"the option type {rust} has no form in Python yet; give it one in generate.py")


def verb_class(name: str, doc: str, made: list[Verb], waits: bool, runs: bool) -> str:
    run = "async def _run(self, options: dict[str, Any]) -> dict[str, Any]:"
    run = f"    {run if waits else run.removeprefix('async ')}\n        raise NotImplementedError\n"
    methods = "".join(method(one, waits) for one in made)
    return f'\n\nclass {name}:\n    """{doc}"""\n' + (f"\n{run}" if runs else "") + methods


def method(one: Verb, waits: bool) -> str:
    given = POSITIONAL.get(one.name, [])
    if not given and any(option[0] == "id" for option in one.options):
        given = ["id"]
    first = [option for name in given for option in one.options if option[0] == name]
    rest = [option for option in one.options if option not in first]
    # What has to be given by name comes before what may be left out.
    rest.sort(key=lambda option: option[2] != "")
    parameters = ["self", *map(parameter, first), *(["*"] if rest else []), *map(parameter, rest)]
    head = f"{'async ' if waits else ''}def {one.name}"
    out = "\n" + signature(f"    {head}", parameters, one.answer)
    lines = "".join(argument(name, doc) for name, doc in one.docs)
    out += f'        """{one.doc}\n' + (f"\n        Args:\n{lines}" if lines else "") + '        """\n'
    out += options_of(one)
    return out + f"        return {taken(one.take, waits)}\n"


def taken(take: str, waits: bool) -> str:
    """What makes the answer of what the engine says; what is awaited and then looked into stands in brackets."""
    if not waits:
        return take.format("self._run(options)")
    return take.format("(await self._run(options))" if "{}[" in take else "await self._run(options)")


def parameter(option: tuple[str, str, str, str]) -> str:
    name, kind, default, _ = option
    return f"{name}: {kind}{f' = {default}' if default else ''}"


def signature(head: str, parameters: list[str], kind: str) -> str:
    line = f"{head}({', '.join(parameters)}) -> {kind}:\n"
    if len(line) <= 121:
        return line
    return f"{head}(\n" + "".join(f"        {one},\n" for one in parameters) + f"    ) -> {kind}:\n"


def argument(name: str, doc: str) -> str:
    return "\n".join(textwrap.wrap(f"{name}: {doc}", 118, initial_indent=" " * 12, subsequent_indent=" " * 16)) + "\n"


def options_of(one: Verb) -> str:
    own = [option for option in one.options if option[0] not in one.query]
    pairs = [f'"verb": "{one.name}"', *(f'"{name}": {made}' for name, _, _, made in own)]
    out = dictionary("options: dict[str, Any]", pairs)
    if one.query:
        query = [f'"{name}": {made}' for name, _, _, made in one.options if name in one.query]
        out = dictionary("query", query) + out
        out += '        options["query"] = wire.given(query)\n'
    return out


def dictionary(name: str, pairs: list[str]) -> str:
    line = f"        {name} = {{{', '.join(pairs)}}}\n"
    if len(line) <= 121:
        return line
    return f"        {name} = {{\n" + "".join(f"            {one},\n" for one in pairs) + "        }\n"


if __name__ == "__main__":
    sys.exit(main())
