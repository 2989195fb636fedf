// Drives a page of `hardwon scan` in Chromium: node page.mjs CHROMIUM PAGE. Prints what it saw as JSON.
//
// Decides nothing: the test holds what was seen against what should be. Talks to the browser over a pipe, so that no
// package and no port is needed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [chromium, page] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "hardwon-page-"));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
const browser = spawn(chromium, [...flags, "--remote-debugging-pipe"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

const waiting = new Map();
const events = [];
let rest = "";
browser.stdio[4].on("data", (bytes) => {
  const parts = (rest + bytes).split("\0");
  rest = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    if (message.id) {
      waiting.get(message.id)(message);
      waiting.delete(message.id);
    } else events.push(message);
  }
});

let last = 0;
let session;
const send = (method, params = {}) =>
  new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, (answer) => (answer.error ? reject(new Error(`${method}: ${answer.error.message}`)) : resolve(answer.result)));
    browser.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
  });
const see = async (expression) => {
  const { result } = await send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value;
};
const press = async (key, text = key.length === 1 ? key : undefined) => {
  const code = { Enter: 13, Escape: 27, ArrowDown: 40 }[key];
  const event = { key, text: key === "Enter" ? "\r" : text, windowsVirtualKeyCode: code };
  await send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode: code });
};
const width = async (width) => {
  await send("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
  return see("document.documentElement.scrollWidth <= innerWidth");
};
const scheme = (value) => send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
const ground = () => see("getComputedStyle(document.body).backgroundColor");

async function look() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  ({ sessionId: session } = await send("Target.attachToTarget", { targetId, flatten: true }));
  for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(`${domain}.enable`);
  const address = pathToFileURL(page).href;
  await send("Page.navigate", { url: address });
  while (!events.some((event) => event.method === "Page.loadEventFired")) await new Promise((done) => setTimeout(done, 20));

  const out = { cards: await see("document.querySelectorAll('details.card').length") };
  out.scripts = await see("document.querySelectorAll('script').length");
  out.foreign = await see("document.querySelectorAll('img, iframe, object, embed, link, a[href], [onerror], [onload], [style]').length");
  out.ran = await see("typeof globalThis.hardwonRan");
  await scheme("light");
  out.light = await ground();
  await scheme("dark");
  out.dark = await ground();
  await press("t");
  out.toggled = await ground();
  await press("j");
  out.first = await see("document.activeElement === document.querySelector('details.card summary')");
  out.outline = await see("getComputedStyle(document.activeElement).outlineStyle");
  await press("Enter");
  out.open = await see("document.querySelector('details.card').open");
  await press("j");
  await press("ArrowDown");
  await press("k");
  out.place = await see("[...document.querySelectorAll('details.card')].indexOf(document.activeElement.parentElement)");
  await press("/");
  out.filter = await see("document.activeElement.id");
  for (const letter of "upstream") await press(letter);
  out.filtered = await see("[...document.querySelectorAll('details.card')].filter((one) => !one.hidden).length");
  await press("Escape");
  out.unfiltered = await see("[...document.querySelectorAll('details.card')].filter((one) => !one.hidden).length");
  await press("o");
  out.opened = await see("[...document.querySelectorAll('details.card')].every((one) => one.open)");
  out.fits = [await width(1200), await width(390), await width(320)];
  out.requests = events.filter((event) => event.method === "Network.requestWillBeSent" && event.params.request.url !== address).length;
  out.complaints = events.filter((event) => event.method === "Runtime.exceptionThrown" || event.method === "Log.entryAdded")
    .map((event) => event.params.entry?.text ?? event.params.exceptionDetails.text);
  return out;
}

try {
  process.stdout.write(JSON.stringify(await look()));
} finally {
  browser.kill();
  browser.on("exit", () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
}
