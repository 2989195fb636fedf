// Written by `hardwon install opencode`; `hardwon uninstall opencode` takes it away again.
// Hands the session's events to `hardwon hook`. Whatever goes wrong, the session goes on as if this were not here.
import { spawn } from "node:child_process";

const COMMAND = "hardwon" /* the command */;
const PATIENCE_MS = 2000;

const ask = (event, fields) =>
  new Promise((resolve) => {
    try {
      const child = spawn(`${COMMAND} hook ${event} --agent claude`, { shell: true, stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => { child.kill(); resolve(""); }, PATIENCE_MS);
      let out = "";
      child.stdout.on("data", (part) => { out += part; });
      child.stdin.on("error", () => {});
      child.on("error", () => { clearTimeout(timer); resolve(""); });
      child.on("close", () => {
        clearTimeout(timer);
        try {
          const told = JSON.parse(out).hookSpecificOutput ?? {};
          resolve(told.additionalContext ?? told.permissionDecisionReason ?? "");
        } catch { resolve(""); }
      });
      child.stdin.end(JSON.stringify(fields));
    } catch { resolve(""); }
  });

export const Hardwon = async ({ directory }) => {
  const pending = new Map();
  const base = (sessionID) => ({ session_id: sessionID, cwd: directory });
  const keep = (sessionID, text) => {
    if (text) pending.set(sessionID, [...(pending.get(sessionID) ?? []), text]);
  };
  return {
    "chat.message": async (input, output) => {
      const prompt = (output.parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n");
      keep(input.sessionID, await ask("prompt", { ...base(input.sessionID), prompt }));
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of pending.get(input.sessionID) ?? []) output.system.push(text);
      pending.delete(input.sessionID);
    },
    "tool.execute.before": async (input, output) => {
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID };
      keep(input.sessionID, await ask("pre-tool", { ...base(input.sessionID), ...call }));
    },
    "tool.execute.after": async (input, output) => {
      const call = { tool_name: input.tool, tool_input: input.args, tool_use_id: input.callID };
      const exit = output.metadata?.exit;
      const response = { output: output.output, ...(Number.isInteger(exit) ? { exit_code: exit } : {}) };
      const told = await ask("post-tool", { ...base(input.sessionID), ...call, tool_response: response });
      if (told) output.output = `${output.output}\n\n${told}`;
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await ask("stop", base(event.properties.sessionID));
    },
  };
};
