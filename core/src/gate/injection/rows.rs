//! The rules for sentences, a row each: words that must meet.
//!
//! Decides nothing by itself. A further language is a further row of the same family.

use super::{ENCODED_PAYLOAD, INJECTION, SELF_REFERENTIAL};

/// One rule. A term matches at the beginning of a word or of a part behind `_`; with a blank at its end, the
/// whole word; in scripts without blanks, anywhere.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) code: &'static str,
    /// The family, for reports.
    pub(super) name: &'static str,
    pub(super) groups: &'static [&'static [&'static str]],
    /// Whether the rule rests when the first group's word is reported or forbidden rather than ordered.
    pub(super) reported: bool,
}

const fn order(name: &'static str, groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: INJECTION, name, groups, reported: true }
}

const fn claim(name: &'static str, groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: INJECTION, name, groups, reported: false }
}

const fn about_itself(name: &'static str, groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: SELF_REFERENTIAL, name, groups, reported: false }
}

#[rustfmt::skip]
pub(super) const RULES: &[Rule] = &[
    // Set aside what holds.
    order("override", &[&["ignor", "disregard", "forget", "overrid", "bypass", "discard", "neglect"], &["previous", "prior ", "earlier", "above", "preceding", "all ", "any ", "every ", "your ", "system", "original", "safety"], &["instruction", "rules", "rule ", "prompt", "guideline", "polic", "directive", "guardrail", "constraint", "restriction", "safeguard"]]),
    order("override", &[&["ignorier", "missacht", "vergiss", "umgeh"], &["vorherig", "bisherig", "fruher", "alle ", "obig", "deine "], &["anweisung", "regel", "vorgabe", "richtlinie", "instruktion"]]),
    order("override", &[&["ignor", "oubli", "contourn", "neglig"], &["precedent", "anterieur", "toute", "tous ", "ci-dessus"], &["consigne", "instruction", "regle", "directive"]]),
    order("override", &[&["ignor", "olvid", "omit", "descart"], &["anterior", "previa", "todas ", "todo ", "toda ", "arriba"], &["instruccion", "regla", "norma", "directri", "indicacion"]]),
    order("override", &[&["ignor", "esquec", "desconsider", "descart"], &["anterior", "previ", "todas ", "acima"], &["instruc", "regra", "diretri", "orientac"]]),
    order("override", &[&["ignor", "dimentic"], &["precedent", "tutte ", "tutti "], &["istruzion", "regol"]]),
    order("override", &[&["игнорир", "забуд", "отбрось", "не обращай"], &["предыдущ", "прежн", "все ", "всех ", "выше"], &["инструкц", "правил", "указани", "команд"]]),
    order("override", &[&["忽略", "无视", "忘记", "忘掉", "忽視", "無視", "不要理会"], &["之前", "以上", "所有", "先前", "上面", "前面", "此前"], &["指令", "指示", "规则", "規則", "提示", "要求"]]),
    order("override", &[&["無視", "忘れ"], &["以前", "これまで", "上記", "すべて", "全て", "前の"], &["指示", "命令", "ルール", "規則", "プロンプト"]]),
    order("override", &[&["무시", "잊"], &["이전", "위의", "모든"], &["지시", "명령", "규칙"]]),
    claim("override", &[&["instruction", "rules", "guideline", "polic", "restriction"], &["prior ", "previous", "safety", "system"], &["obsolete", "no longer appl", "not apply", "void ", "supersed", "suspended", "lifted"]]),
    order("override", &[&["ignor", "disregard", "forget"], &["everything", "what you were told", "what you have been told", "all of the above", "your training"]]),
    claim("override", &[&["new instruction", "new orders", "real instruction", "updated instruction", "actual task"], &["your ", "follow", "are ", "instead"]]),
    claim("override", &[&["system override", "admin override", "root override", "developer override", "emergency override"]]),
    claim("override", &[&["from now on", "henceforth", "going forward"], &["always", "never"], &["skip", "ignor", "approv", "trust", "disabl", "allow", "accept", "bypass"]]),
    // Another self.
    claim("persona", &[&["you are now", "from now on", "act as", "pretend", "begin to answer", "start answering", "switch to"], &["mode ", "unrestricted", "jailbr", "without restriction", "persona", "uncensored", "no rules", "developer mode"]]),
    // Rank and consent that nobody can check.
    claim("authority", &[&["anthropic", "openai", "google", "security team", "admin", "developer", "staff", "moderator", "compliance"], &["exempt", "unlock", "chain of thought", "without scan", "without check", "override code", "not logged", "unrestricted", "no restriction", "reveal"]]),
    claim("authority", &[&["user has", "user already", "owner has", "customer has", "users have"], &["granted", "consent", "approved", "authoriz", "authoris", "permission", "agreed"], &["all ", "every ", "any ", "standing", "future", "always", "payment", "transfer", "admin", "full ", "unlimited"]]),
    // Checks taken away.
    order("checks_off", &[&["disabl", "turn off", "deactivat", "switch off", "bypass", "skip ", "remove the"], &["tls", "ssl ", "certificate", "secret scan", "scanner", "antivirus", "firewall", "safety", "confirmation", "approval", "verification", "security", "sandbox", "authentication", "moderation"]]),
    order("checks_off", &[&["deaktivier", "schalte"], &["prufung", "sicherheit", "bestatigung", "zertifikat"]]),
    order("checks_off", &[&["desactiv", "deshabilit", "desativ"], &["verifica", "securite", "seguridad", "seguranca", "confirma"]]),
    order("checks_off", &[&["отключ"], &["проверк", "безопасн", "подтвержд"]]),
    order("checks_off", &[&["关闭", "禁用", "跳过", "绕过", "无需", "直接批准"], &["验证", "安全", "确认", "审核", "检查", "退款", "审批"]]),
    order("checks_off", &[&["無効", "省略", "スキップ"], &["検証", "確認", "セキュリティ", "承認"]]),
    order("checks_off", &[&["run ", "delet", "drop ", "transfer", "pay", "execut", "needed", "required", "refund", "approve", "may ", "can "], &["without ", "no "], &["approval", "confirmation", "asking", "consent", "permission"]]),
    claim("checks_off", &[&["без подтвержд", "без разреш", "без согласия", "без ведома"], &["выполн", "удал", "отправ", "перевед", "запус"]]),
    claim("checks_off", &[&["未经", "不经", "无需", "不用"], &["确认", "批准", "同意", "许可"], &["执行", "删除", "转账", "付款", "运行"]]),
    claim("checks_off", &[&["確認なし", "許可なく", "承認なし", "知らせずに"], &["実行", "送金", "削除", "送信", "支払"]]),
    claim("checks_off", &[&["report", "claim", "say ", "tell "], &["all passed", "as passed", "them passed", "as success", "tests pass", "it succeeded"], &["fail", "skip", "even if", "regardless", "without running"]]),
    claim("checks_off", &[&["registry", "index-url", "mirror", "package source"], &["npm", "pip", "package", "cargo", "pypi", "install"], &["http:"], &["only ", "always", "instead", "every "]]),
    // Data carried out.
    order("data_out", &[&["send", "post ", "e-mail", "email", "upload", "forward", "share", "append", "copy ", "leak", "transmit", "exfiltrat"], &["conversation", "secret", "credential", "password", "api_key", "api key", "token ", "access_key", "private key", "system prompt", "chat history", "profile", "transcript", "environment variable", "env file", "all files", "invoice", "customer data", "user data"], &["http:", "https:", "partner", "external", "third part", "outside", "commit message", "webhook", "pastebin", "copy of every", "besides the"]]),
    order("data_out", &[&["reveal", "print", "output", "show ", "repeat", "leak", "disclose", "answer only with", "recite"], &["system prompt", "chain of thought", "hidden instruction", "your instructions", "initial prompt", "developer message"]]),
    order("data_out", &[&["输出", "显示", "泄露", "告诉", "打印", "透露"], &["系统提示", "系统指令", "提示词"]]),
    order("data_out", &[&["表示", "出力", "教えて", "公開"], &["システムプロンプト", "内部指示"]]),
    // Kept from the person.
    claim("concealment", &[&["do not tell", "don't tell", "never tell", "do not inform", "never inform", "hide this", "keep this secret", "without telling", "without informing", "behind the back"], &["user", "reviewer", "human", "operator", "owner", "anyone", "customer"]]),
    claim("concealment", &[&["nicht sagen", "nicht verraten", "verschweig", "ne dis pas", "ne revele", "no le digas", "no digas", "nao diga", "nao conte", "не говори", "не сообщай", "скрой"], &["nutzer", "benutzer", "anwender", "utilisateur", "usuario", "пользовател"]]),
    claim("concealment", &[&["不要告诉", "别告诉", "瞒着", "教えないで", "知らせないで", "隠して"], &["用户", "使用者", "ユーザー", "利用者"]]),
    // Sleeping triggers.
    claim("trigger", &[&["whenever", "if ", "when ", "once "], &["user", "query", "message", "request", "task", "prompt", "conversation", "question", "asked", "customer"], &["the word", "the phrase", "code word", "asked about", "contains the", "mentions", "says ", "types "], &["say ", "answer", "reply", "respond", "transfer", "hand over", "persona", "obey", "execut", "tell ", "run "]]),
    // About its own keeping and weight.
    about_itself("self_reference", &[&["this lesson", "this memory", "this note", "this entry", "this guideline", "this sentence", "this record", "this rule", "these memories", "this message"], &["never delete", "not delete", "don't delete", "never remove", "not be removed", "not be deleted", "store this", "store it", "again in", "remove the others", "hit count", "each session", "every session", "every new", "each new", "not be shown", "do not show", "not log", "hide ", "never mention", "highest priority", "top priority", "as verified", "verified by", "strategic", "word for word", "verbatim", "unchanged", "each time you", "whatever else"]]),
    about_itself("self_reference", &[&["guideline", "entry", "memor", "lesson", "retrieved", "note "], &["obey", "as command", "over the user", "follow this entry", "follow this first", "highest priority", "takes precedence", "not log", "copy this", "store this", "never delete"], &["them", "this", "the ", "all "]]),
    about_itself("self_reference", &[&["remember this", "memorize this", "save this", "store this", "keep this"], &["forever", "priority", "every session", "each session", "permanently", "over other", "always"]]),
    about_itself("self_reference", &[&["diese notiz", "diese lektion", "diese regel", "dieser eintrag", "diesen eintrag", "diese erinnerung"], &["nie losch", "niemals", "nicht losch", "hochste prioritat", "jede sitzung", "jeder sitzung", "kopier"]]),
    about_itself("self_reference", &[&["cette note", "cette lecon", "cette regle", "cette entree"], &["jamais", "priorite", "chaque session", "copie"]]),
    about_itself("self_reference", &[&["esta nota", "esta leccion", "esta regla", "esta entrada", "esta licao", "esta regra"], &["nunca", "prioridad", "cada sesion", "cada sess", "copia"]]),
    about_itself("self_reference", &[&["эту запись", "эта запись", "это правило", "эту заметку", "этот урок"], &["никогда", "не удаля", "приоритет", "кажд", "копир"]]),
    about_itself("self_reference", &[&["这条", "此条", "本条"], &["不要删除", "永远", "最高优先", "复制", "每次", "不得删除"]]),
    about_itself("self_reference", &[&["このメモ", "この記憶", "この教訓", "このルール"], &["削除しない", "消さない", "最優先", "毎回", "コピー"]]),
    // Decode and obey.
    Rule { code: ENCODED_PAYLOAD, name: "decode_and_obey", groups: &[&["decode", "decrypt", "unbase64", "rot13"], &["base64", "hex ", "rot13", "string below", "payload", "encoded"], &["execut", "run it", "run the result", "follow", "obey", "eval"]], reported: true },
];
