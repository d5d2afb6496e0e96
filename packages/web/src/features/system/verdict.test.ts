import { expect, test } from "vitest";
import { verdictOf } from "./verdict.ts";

const finding = (id: string, state: "ok" | "hint" | "warning" | "problem") => ({ id, state, params: {} });
const [up, down] = [{ state: "ok" as const }, { state: "down" as const }];

test.each([
  ["nothing is wrong", [finding("system.database", "ok")], [up], { kind: "works", others: [] }],
  [
    "a problem comes before warnings and parts",
    [finding("system.https", "warning"), finding("system.brokerDown", "problem")],
    [down],
    { kind: "problem", finding: { id: "system.brokerDown" }, others: [{ id: "system.https" }] },
  ],
  [
    "parts come before warnings",
    [finding("system.https", "warning")],
    [up, down],
    { kind: "parts", count: 1, others: [{ id: "system.https" }] },
  ],
  [
    "warnings alone are named, each of them",
    [finding("system.https", "warning"), finding("system.clock", "warning")],
    [],
    { kind: "works", others: [{ id: "system.https" }, { id: "system.clock" }] },
  ],
  [
    "what the card says in lines of their own, and what nobody can mend, is left out",
    [finding("system.notInEffect", "hint"), finding("scheduler.deadTasks", "warning"), finding("updates.available", "warning")],
    [up],
    { kind: "works", others: [] },
  ],
])("%s", (_what, findings, parts, expected) => {
  expect(verdictOf(findings, parts)).toMatchObject(expected);
});
