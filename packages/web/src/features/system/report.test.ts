import { expect, test } from "vitest";
import { type BrowserCheck, type Finding, type Item, type Part, reportOf } from "./report.ts";

const finding = (id: string, state: Finding["state"]): Finding => ({ id, state, params: {} });
const part = (name: string, state: Part["state"]): Part => ({ part: name, state, age: 0, reason: null });
const nameOf = (item: Item) =>
  item.from === "parts" ? item.part.part : item.from === "server" ? item.finding.id : item.check.name;
const names = (items: readonly Item[]) => items.map(nameOf);

test("problems come before warnings before hints, and only the first two need attention", () => {
  const { attention, working, count, worst } = reportOf(
    [part("database", "ok"), part("postals", "degraded")],
    [finding("system.notInEffect", "hint"), finding("accounts.admins", "problem"), finding("system.database", "ok")],
    [{ name: "clock", grade: "warning" }],
  );
  expect(names(attention)).toEqual(["accounts.admins", "postals", "clock", "system.notInEffect"]);
  expect(names(working)).toEqual(["database", "system.database"]);
  expect([count, worst]).toEqual([3, "problem"]);
});

test("nothing is wrong when there are hints alone", () => {
  expect(reportOf([part("server", "ok")], [finding("system.notInEffect", "hint")], [])).toMatchObject({
    count: 0,
    worst: "hint",
  });
  expect(reportOf([], [], [])).toMatchObject({ count: 0, worst: "ok", attention: [] });
});

test.each<[string, Part[], Finding[], BrowserCheck[], string[]]>([
  [
    "a component by its finding",
    [part("storage", "degraded")],
    [finding("system.storageUnwritable", "warning")],
    [],
    ["system.storageUnwritable"],
  ],
  [
    "a component by its option",
    [part("storage", "degraded")],
    [{ ...finding("system.configuration", "warning"), params: { option: "storage.filesystem.path" } }],
    [],
    ["system.configuration"],
  ],
  [
    "postal codes by their finding",
    [part("postals", "degraded")],
    [finding("postals.noJson", "warning")],
    [],
    ["postals.noJson"],
  ],
  [
    "a proxy by the browser",
    [],
    [finding("system.proxies", "warning")],
    [{ name: "proxyIgnored", grade: "warning" }],
    ["proxyIgnored"],
  ],
  ["encryption by the server", [], [finding("system.https", "warning")], [{ name: "https", grade: "warning" }], ["system.https"]],
  [
    "what only one source says, by it",
    [part("storage", "down")],
    [finding("system.storageUnwritable", "ok")],
    [{ name: "https", grade: "warning" }],
    ["storage", "https"],
  ],
])("one thing is said once: %s", (_what, parts, findings, checks, expected) => {
  expect(names(reportOf(parts, findings, checks).attention)).toEqual(expected);
});
