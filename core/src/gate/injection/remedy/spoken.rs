//! Remedies in plain words: what to send, to write into an agent's memory, or to believe as an agent.
//!
//! Decides by a verb, a thing and a place that meet in one sentence, in the languages where the words are known.

use super::super::rules::is_reported;
use super::pairs::possible;
use super::places;
use super::tables::SECRET_FILES;

/// Verbs that carry something away.
const SEND: &[&str] = &[
    "send",
    "post ",
    "paste",
    "upload",
    "e-mail",
    "email",
    "submit",
    "forward",
    "attach",
    "transmit",
    "publish",
    "share",
    "provide",
    "enter ",
    "type ",
    "copy ",
    "mail ",
    "report ",
    "supply",
    "give ",
    "put ",
    "sende",
    "schicke",
    "sende ",
    "lade ",
    "fuge ",
    "gib ",
    "envoie",
    "envoyez",
    "colle",
    "partage",
    "envia",
    "enviar",
    "envie",
    "pega ",
    "pegue",
    "comparte",
    "cole ",
    "compartilhe",
    "отправь",
    "отправьте",
    "пришли",
    "вставь",
    "вставьте",
    "загрузи",
    "введите",
    "发送",
    "粘贴",
    "上传",
    "提交",
    "送信",
    "貼り付け",
    "アップロード",
];

/// Things that must stay.
pub(super) const SECRETS: &[&str] = &[
    "password",
    "passphrase",
    "credential",
    "api key",
    "api_key",
    "api-key",
    "apikey",
    "access key",
    "access token",
    "private key",
    "ssh key",
    "secret",
    "your token",
    "the token",
    "auth token",
    "session cookie",
    "cookies",
    "environment variable",
    "env var",
    "seed phrase",
    "recovery code",
    "bearer token",
    "login data",
    "passwort",
    "zugangsdaten",
    "schlussel",
    "dein token",
    "mot de passe",
    "jeton",
    "identifiants",
    "cle api",
    "cle privee",
    "contrasena",
    "credenciales",
    "clave",
    "senha",
    "credenciais",
    "chave",
    "пароль",
    "токен",
    "ключ",
    "учетные данные",
    "密码",
    "密钥",
    "令牌",
    "凭证",
    "パスワード",
    "トークン",
    "秘密鍵",
    "認証情報",
];

/// Places outside: an address, a mailbox, people who ask.
const OUTSIDE: &[&str] = &[
    "http:",
    "https:",
    "ftp:",
    "www.",
    "@",
    " to support",
    "support team",
    "in the chat",
    "in the issue",
    "in an issue",
    "bug report",
    "in a comment",
    "pastebin",
    " gist",
    "webhook",
    "slack",
    "discord",
    "telegram",
    " forum",
    " to us",
    " to the vendor",
    " to the maintainer",
    " to the developer",
    "the server at",
    "external",
    "help desk",
    "helpdesk",
    "an den support",
    "au support",
    "al soporte",
    "ao suporte",
    "в поддержку",
    "客服",
    "サポート",
];

/// Files and places where agents keep instructions and memories.
pub(super) const MEMORIES: &[&str] = &[
    "claude.md",
    "agents.md",
    "gemini.md",
    "memory.md",
    "skill.md",
    ".cursorrules",
    ".cursor/rules",
    ".windsurfrules",
    ".clinerules",
    "copilot-instructions",
    ".claude/settings",
    ".claude/agents",
    ".claude/commands",
    ".claude/skills",
    ".claude/hooks",
    ".codex/config",
    ".gemini/settings",
    "mcp.json",
    "mcp_config",
    "system prompt",
    "custom instructions",
    "your instructions",
    "your memory",
    "your memories",
    "agent memory",
    "agent's memory",
    "agent instructions",
    "memory file",
    "memory store",
    "memory bank",
    "long-term memory",
    "your guidelines",
    "your system",
    "agent config",
    "agent settings",
    "allowed tools",
    "allowedtools",
    "permission allowlist",
    "auto-approve",
    "autoapprove",
];

/// Verbs that change such a place.
const EDIT: &[&str] = &[
    "add",
    "append",
    "write",
    "edit",
    "update",
    "insert",
    "put ",
    "save ",
    "store ",
    "overwrite",
    "replace",
    "change",
    "modify",
    "echo ",
    "tee ",
    "paste",
    "copy",
    "remember",
    "record",
    "delete",
    "remove",
    "clear",
    "set ",
    "enable",
    "turn on",
    ">>",
    "> ",
    "install ",
    "printf ",
    "sed -i",
];

/// Those whom only a text for agents addresses.
pub(super) const AGENTS: &[&str] = &[
    "ai agent",
    "ai agents",
    "ai assistant",
    "ai assistants",
    "ai model",
    "language model",
    "language models",
    "coding agent",
    "coding agents",
    "coding assistant",
    "autonomous agent",
    "the assistant",
    "dear assistant",
    "llm",
    "llms",
    "claude",
    "copilot",
    "codex",
    "gemini",
    "chatgpt",
    "gpt",
    "the agent",
    "agents",
    "ai",
    "assistants",
    "assistant",
    "ki-agent",
    "ki-assistent",
    "agent ia",
    "agente de ia",
    "assistente de ia",
    "asistente de ia",
    "assistant ia",
    "ии-агент",
    "ии-ассистент",
    "智能体",
    "人工智能助手",
    "aiアシスタント",
    "aiエージェント",
];

/// What stands right behind an address: a mark, or an order.
const ORDERS: &[&str] = &[
    ":",
    ",",
    " must",
    " should",
    " please",
    " is required to",
    " are required to",
    " needs to",
    " need to",
    " is instructed",
    " are instructed",
    " has to",
    " have to",
    " is allowed to",
    " may now",
    " can now",
    " reading this",
    " soll",
    " muss",
    " doit",
    " debe",
    " deve",
    " должен",
    "必须",
    "应",
    "は必ず",
    ", please",
];

/// What agents are told to do; an error about an agent of another kind lacks these.
const DEEDS: &[&str] = &[
    "run ",
    "execut",
    "send",
    "delet",
    "remov",
    "ignor",
    "approv",
    "install",
    "download",
    "disabl",
    "bypass",
    "skip ",
    "reveal",
    "call ",
    "visit",
    "open ",
    "fetch",
    "follow",
    "reply",
    "respond",
    "answer",
    "output",
    "grant",
    "accept",
    "continue without",
    "add ",
    "write ",
    "edit",
    "update",
    "store",
    "remember",
    "forget",
    "post ",
    "upload",
    "share",
    "paste",
    "ausfuhr",
    "losch",
    "executer",
    "ejecut",
    "borr",
    "apag",
    "выполн",
    "удал",
    "执行",
    "删除",
    "忽略",
    "実行",
    "削除",
    "stop ",
    "use ",
    "push ",
    "commit",
    "trust",
    "treat",
    "proceed",
];

/// Whether a sentence of `line` asks for a secret to be sent, entered or shown outside.
pub(super) fn sends_credentials(line: &str) -> bool {
    sentences(line).any(|sentence| {
        let Some(verb) = first(sentence, SEND) else { return false };
        let scripts = sentence.contains(|c: char| u32::from(c) >= 0x2E80);
        // Some languages put the verb last, and some sentences name the thing before they point back at it.
        let rest = sentence.get(verb..).unwrap_or_default();
        let back = [" them ", " it "].iter().any(|word| rest.contains(word));
        let rest = if scripts || back { sentence } else { rest };
        let thing = possible(rest, SECRETS).any(|thing| places(rest, thing).next().is_some())
            || possible(rest, SECRET_FILES).any(|file| rest.contains(file) && !rest.contains(".env.example"));
        thing && possible(rest, OUTSIDE).any(|place| rest.contains(place))
    })
}

/// Whether a sentence of `line` changes what an agent is told or remembers.
pub(super) fn edits_memory(line: &str) -> bool {
    sentences(line).any(|sentence| {
        possible(sentence, MEMORIES).any(|memory| sentence.contains(memory))
            && first(sentence, EDIT).is_some()
    })
}

/// Whether a sentence of `line` gives an agent or a model orders.
pub(super) fn addresses_agent(line: &str) -> bool {
    possible(line, AGENTS).any(|agent| {
        places(line, agent).any(|at| {
            let rest = line.get(at + agent.len()..).unwrap_or_default();
            let rest = rest.get(..rest.floor_char_boundary(160)).unwrap_or_default();
            let spoken = ORDERS.iter().find_map(|order| rest.strip_prefix(order));
            let named = ["agents", "ai", "assistants", "the agent", "assistant", "codex", "gemini", "gpt"]
                .contains(&agent);
            let begins = !named
                || at == 0
                || line.get(..at).is_some_and(|b| {
                    b.trim_end().ends_with([']', '.', ':', '!', '[', '(', '*', '-', '#'])
                        || b.trim_end().ends_with("all")
                });
            begins && spoken.is_some_and(|told| first(told, DEEDS).is_some()) && !is_reported(line, at)
        })
    }) || (line.contains("if you are an ai")
        || line.contains("as an ai")
        || line.contains("if you are a language model")
        || line.contains("if you are an llm")
        || line.contains("if you are an agent")
        || line.contains("if you're an ai"))
        && first(line, DEEDS).is_some()
}

/// Where the first of `terms` begins a word of `sentence` that is not reported or forbidden.
fn first(sentence: &str, terms: &[&str]) -> Option<usize> {
    possible(sentence, terms)
        .filter_map(|term| places(sentence, term).find(|&at| !is_reported(sentence, at)))
        .min()
}

/// The sentences of a line; an address or a file name does not end one.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split(['。', '！', '？']).flat_map(|part| part.split(". ")).flat_map(|part| part.split("! "))
}
