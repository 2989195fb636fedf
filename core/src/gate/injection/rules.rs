//! Orders, claims and self-praise, as groups of words that meet in one sentence.
//!
//! Decides by rows: a rule holds when a sentence has a word of each of its groups. A further language is a further
//! row. Never decides by one word alone.

use alloc::string::String;

use super::{ENCODED_PAYLOAD, INJECTION, SELF_REFERENTIAL};

/// Longest sentence that is judged as one, in words.
const SENTENCE_MAX: usize = 48;

/// One rule. A term matches at the beginning of a word or of a part behind `_`; with a blank at its end, the
/// whole word; in scripts without blanks, anywhere.
#[derive(Debug)]
struct Rule {
    code: &'static str,
    groups: &'static [&'static [&'static str]],
    /// Whether the rule rests when the first group's word is reported or forbidden rather than ordered.
    reported: bool,
}

const fn order(groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: INJECTION, groups, reported: true }
}

const fn claim(groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: INJECTION, groups, reported: false }
}

const fn about_itself(groups: &'static [&'static [&'static str]]) -> Rule {
    Rule { code: SELF_REFERENTIAL, groups, reported: false }
}

/// Words that turn an order into a report or a warning when they stand right before it.
const REPORTED: &[&str] = &[
    "never ",
    "not ",
    "don't ",
    "tells ",
    "tell ",
    "asks ",
    "ask ",
    "told ",
    "asked ",
    "says ",
    "tries ",
    "refuse ",
    "claims ",
    "try ",
    "attempts ",
];

#[rustfmt::skip]
const RULES: &[Rule] = &[
    // Set aside what holds.
    order(&[&["ignor", "disregard", "forget", "overrid", "bypass", "discard", "neglect"], &["previous", "prior ", "earlier", "above", "preceding", "all ", "any ", "every ", "your ", "system", "original", "safety"], &["instruction", "rules", "rule ", "prompt", "guideline", "polic", "directive", "guardrail", "constraint", "restriction", "safeguard"]]),
    order(&[&["ignorier", "missacht", "vergiss", "umgeh"], &["vorherig", "bisherig", "fruher", "alle ", "obig", "deine "], &["anweisung", "regel", "vorgabe", "richtlinie", "instruktion"]]),
    order(&[&["ignor", "oubli", "contourn", "neglig"], &["precedent", "anterieur", "toute", "tous ", "ci-dessus"], &["consigne", "instruction", "regle", "directive"]]),
    order(&[&["ignor", "olvid", "omit", "descart"], &["anterior", "previa", "todas ", "todo ", "toda ", "arriba"], &["instruccion", "regla", "norma", "directri", "indicacion"]]),
    order(&[&["ignor", "esquec", "desconsider", "descart"], &["anterior", "previ", "todas ", "acima"], &["instruc", "regra", "diretri", "orientac"]]),
    order(&[&["ignor", "dimentic"], &["precedent", "tutte ", "tutti "], &["istruzion", "regol"]]),
    order(&[&["игнорир", "забуд", "отбрось", "не обращай"], &["предыдущ", "прежн", "все ", "всех ", "выше"], &["инструкц", "правил", "указани", "команд"]]),
    order(&[&["忽略", "无视", "忘记", "忘掉", "忽視", "無視", "不要理会"], &["之前", "以上", "所有", "先前", "上面", "前面", "此前"], &["指令", "指示", "规则", "規則", "提示", "要求"]]),
    order(&[&["無視", "忘れ"], &["以前", "これまで", "上記", "すべて", "全て", "前の"], &["指示", "命令", "ルール", "規則", "プロンプト"]]),
    order(&[&["무시", "잊"], &["이전", "위의", "모든"], &["지시", "명령", "규칙"]]),
    claim(&[&["instruction", "rules", "guideline", "polic", "restriction"], &["prior ", "previous", "safety", "system"], &["obsolete", "no longer appl", "not apply", "void ", "supersed", "suspended", "lifted"]]),
    order(&[&["ignor", "disregard", "forget"], &["everything", "what you were told", "what you have been told", "all of the above", "your training"]]),
    claim(&[&["new instruction", "new orders", "real instruction", "updated instruction", "actual task"], &["your ", "follow", "are ", "instead"]]),
    claim(&[&["system override", "admin override", "root override", "developer override", "emergency override"]]),
    // Another self.
    claim(&[&["you are now", "from now on", "act as", "pretend", "begin to answer", "start answering", "switch to"], &["mode ", "unrestricted", "jailbr", "without restriction", "persona", "uncensored", "no rules", "developer mode"]]),
    // Rank and consent that nobody can check.
    claim(&[&["anthropic", "openai", "google", "security team", "admin", "developer", "staff", "moderator", "compliance"], &["exempt", "unlock", "chain of thought", "without scan", "without check", "override code", "not logged", "unrestricted", "no restriction", "reveal"]]),
    claim(&[&["user has", "user already", "owner has", "customer has", "users have"], &["granted", "consent", "approved", "authoriz", "authoris", "permission", "agreed"], &["all ", "every ", "any ", "standing", "future", "always", "payment", "transfer", "admin", "full ", "unlimited"]]),
    // Checks taken away.
    order(&[&["disabl", "turn off", "deactivat", "switch off", "bypass", "skip ", "remove the"], &["tls", "ssl ", "certificate", "secret scan", "scanner", "antivirus", "firewall", "safety", "confirmation", "approval", "verification", "security", "sandbox", "authentication", "moderation"]]),
    order(&[&["deaktivier", "schalte"], &["prufung", "sicherheit", "bestatigung", "zertifikat"]]),
    order(&[&["desactiv", "deshabilit", "desativ"], &["verifica", "securite", "seguridad", "seguranca", "confirma"]]),
    order(&[&["отключ"], &["проверк", "безопасн", "подтвержд"]]),
    order(&[&["关闭", "禁用", "跳过", "绕过", "无需", "直接批准"], &["验证", "安全", "确认", "审核", "检查", "退款", "审批"]]),
    order(&[&["無効", "省略", "スキップ"], &["検証", "確認", "セキュリティ", "承認"]]),
    order(&[&["run ", "delet", "drop ", "transfer", "pay", "execut", "needed", "required", "refund", "approve", "may ", "can "], &["without ", "no "], &["approval", "confirmation", "asking", "consent", "permission"]]),
    claim(&[&["без подтвержд", "без разреш", "без согласия", "без ведома"], &["выполн", "удал", "отправ", "перевед", "запус"]]),
    claim(&[&["未经", "不经", "无需", "不用"], &["确认", "批准", "同意", "许可"], &["执行", "删除", "转账", "付款", "运行"]]),
    claim(&[&["確認なし", "許可なく", "承認なし", "知らせずに"], &["実行", "送金", "削除", "送信", "支払"]]),
    claim(&[&["report", "claim", "say ", "tell "], &["all passed", "as passed", "them passed", "as success", "tests pass", "it succeeded"], &["fail", "skip", "even if", "regardless", "without running"]]),
    claim(&[&["registry", "index-url", "mirror", "package source"], &["npm", "pip", "package", "cargo", "pypi", "install"], &["http:"], &["only ", "always", "instead", "every "]]),
    // Data carried out.
    order(&[&["send", "post ", "e-mail", "email", "upload", "forward", "share", "append", "copy ", "leak", "transmit", "exfiltrat"], &["conversation", "secret", "credential", "password", "api_key", "api key", "token ", "access_key", "private key", "system prompt", "chat history", "profile", "transcript", "environment variable", "env file", "all files", "invoice", "customer data", "user data"], &["http:", "https:", "partner", "external", "third part", "outside", "commit message", "webhook", "pastebin", "copy of every", "besides the"]]),
    order(&[&["reveal", "print", "output", "show ", "repeat", "leak", "disclose", "answer only with", "recite"], &["system prompt", "chain of thought", "hidden instruction", "your instructions", "initial prompt", "developer message"]]),
    order(&[&["输出", "显示", "泄露", "告诉", "打印", "透露"], &["系统提示", "系统指令", "提示词"]]),
    order(&[&["表示", "出力", "教えて", "公開"], &["システムプロンプト", "内部指示"]]),
    // Kept from the person.
    claim(&[&["do not tell", "don't tell", "never tell", "do not inform", "never inform", "hide this", "keep this secret", "without telling", "without informing", "behind the back"], &["user", "reviewer", "human", "operator", "owner", "anyone", "customer"]]),
    claim(&[&["nicht sagen", "nicht verraten", "verschweig", "ne dis pas", "ne revele", "no le digas", "no digas", "nao diga", "nao conte", "не говори", "не сообщай", "скрой"], &["nutzer", "benutzer", "anwender", "utilisateur", "usuario", "пользовател"]]),
    claim(&[&["不要告诉", "别告诉", "瞒着", "教えないで", "知らせないで", "隠して"], &["用户", "使用者", "ユーザー", "利用者"]]),
    // Sleeping triggers.
    claim(&[&["whenever", "if ", "when ", "once "], &["user", "query", "message", "request", "task", "prompt", "conversation", "question", "asked", "customer"], &["the word", "the phrase", "code word", "asked about", "contains the", "mentions", "says ", "types "], &["say ", "answer", "reply", "respond", "transfer", "hand over", "persona", "obey", "execut", "tell ", "run "]]),
    // About its own keeping and weight.
    about_itself(&[&["this lesson", "this memory", "this note", "this entry", "this guideline", "this sentence", "this record", "this rule", "these memories", "this message"], &["never delete", "not delete", "don't delete", "never remove", "not be removed", "not be deleted", "store this", "store it", "again in", "remove the others", "hit count", "each session", "every session", "every new", "each new", "not be shown", "do not show", "not log", "hide ", "never mention", "highest priority", "top priority", "as verified", "verified by", "strategic", "word for word", "verbatim", "unchanged", "each time you", "whatever else"]]),
    about_itself(&[&["guideline", "entry", "memor", "lesson", "retrieved", "note "], &["obey", "as command", "over the user", "follow this entry", "follow this first", "highest priority", "takes precedence", "not log", "copy this", "store this", "never delete"], &["them", "this", "the ", "all "]]),
    about_itself(&[&["remember this", "memorize this", "save this", "store this", "keep this"], &["forever", "priority", "every session", "each session", "permanently", "over other", "always"]]),
    about_itself(&[&["diese notiz", "diese lektion", "diese regel", "dieser eintrag", "diesen eintrag", "diese erinnerung"], &["nie losch", "niemals", "nicht losch", "hochste prioritat", "jede sitzung", "jeder sitzung", "kopier"]]),
    about_itself(&[&["cette note", "cette lecon", "cette regle", "cette entree"], &["jamais", "priorite", "chaque session", "copie"]]),
    about_itself(&[&["esta nota", "esta leccion", "esta regla", "esta entrada", "esta licao", "esta regra"], &["nunca", "prioridad", "cada sesion", "cada sess", "copia"]]),
    about_itself(&[&["эту запись", "эта запись", "это правило", "эту заметку", "этот урок"], &["никогда", "не удаля", "приоритет", "кажд", "копир"]]),
    about_itself(&[&["这条", "此条", "本条"], &["不要删除", "永远", "最高优先", "复制", "每次", "不得删除"]]),
    about_itself(&[&["このメモ", "この記憶", "この教訓", "このルール"], &["削除しない", "消さない", "最優先", "毎回", "コピー"]]),
    // Decode and obey.
    Rule { code: ENCODED_PAYLOAD, groups: &[&["decode", "decrypt", "unbase64", "rot13"], &["base64", "hex ", "rot13", "string below", "payload", "encoded"], &["execut", "run it", "run the result", "follow", "obey", "eval"]], reported: true },
];

/// The code of the first rule that a sentence of `folded` meets.
pub(super) fn suspect(folded: &str) -> Option<&'static str> {
    let mut sentence = String::from(" ");
    let mut words = 0;
    for word in folded.split_inclusive(is_break) {
        let bare = word.trim_matches(is_mark);
        if !bare.is_empty() {
            sentence.push_str(bare);
            sentence.push(' ');
            words += 1;
        }
        if words > 0 && (words >= SENTENCE_MAX || ends_sentence(word)) {
            if let Some(code) = judged(&sentence) {
                return Some(code);
            }
            sentence.truncate(1);
            words = 0;
        }
    }
    judged(&sentence)
}

fn is_break(c: char) -> bool {
    c.is_whitespace() || matches!(c, '。' | '！' | '？')
}

/// Marks around words, and white space.
fn is_mark(c: char) -> bool {
    c.is_whitespace() || "\"'`.,;:!?()[]{}*。！？、，：「」“”«»".contains(c)
}

fn ends_sentence(word: &str) -> bool {
    word.ends_with(['\n', '。', '！', '？']) || word.trim_end().ends_with(['.', '!', '?'])
}

/// The code of the first rule whose every group has a word in `sentence`, which begins and ends with a blank.
fn judged(sentence: &str) -> Option<&'static str> {
    let mut met = [0_u8; RULES.len()];
    let mut before = ' ';
    for (at, c) in sentence.char_indices() {
        // Scripts without blanks begin a word anywhere.
        if (matches!(before, ' ' | '_') && c != ' ') || u32::from(c) >= 0x2E80 {
            let tail = sentence.get(at..).unwrap_or_default();
            for (rule, met) in RULES.iter().zip(&mut met) {
                *met |= rule.groups_at(sentence, tail, *met);
            }
        }
        before = c;
    }
    RULES
        .iter()
        .zip(met)
        .find(|(rule, met)| met.count_ones() as usize == rule.groups.len())
        .map(|(rule, _)| rule.code)
}

impl Rule {
    /// The groups, as bits, that have a term where `tail` of `sentence` begins; those in `met` are not looked at.
    fn groups_at(&self, sentence: &str, tail: &str, met: u8) -> u8 {
        let mut found = 0;
        for (i, group) in self.groups.iter().enumerate() {
            let bit = 1 << i;
            if met & bit == 0 && group.iter().any(|term| begins(tail, term)) {
                let told = i == 0 && self.reported && is_reported(sentence, sentence.len() - tail.len());
                found |= if told { 0 } else { bit };
            }
        }
        found
    }
}

/// `tail.starts_with(term)`; the first byte settles it for nearly all of the many terms.
fn begins(tail: &str, term: &str) -> bool {
    tail.as_bytes().first() == term.as_bytes().first() && tail.starts_with(term)
}

/// Whether one of the three words before `at` reports or forbids what follows.
fn is_reported(sentence: &str, at: usize) -> bool {
    let before = sentence.get(..at).unwrap_or_default();
    before.split_inclusive(' ').rev().take(3).any(|word| REPORTED.contains(&word))
}
