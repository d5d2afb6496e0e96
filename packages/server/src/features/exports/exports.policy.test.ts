import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { type Access, access } from "#core/contract/index.ts";
import { anAccount, aViewer } from "#testkit/actors.ts";
import { freeSlot, readFilter, refusalOf, stateAfter } from "./exports.policy.ts";

const account = anAccount();
const viewer = aViewer(["x.view"]);
const alone: Actor = { kind: "account", ...account };
const admin: Actor = { kind: "account", ...account, configAdmin: true };
const person: Actor = { kind: "character", ...viewer };
const jobAdmin: Actor = { kind: "character", ...viewer, jobAdmin: { reason: "r", until: 1 } };
const right = (id: string) => ({ id, attributes: {} });

test.each<[string, Access, Actor | null, string | null]>([
  ["nobody", access.account(), null, "exports.refused"],
  ["the system", access.account(), { kind: "system", name: "x" }, "exports.refused"],
  ["an account", access.account(), alone, null],
  ["an account", access.character(), alone, "exports.refused"],
  ["a character", access.character(), person, null],
  ["an account", access.configAdmin(), alone, "system.configAdminNeeded"],
  ["a config admin", access.configAdmin(), admin, null],
  ["a character", access.jobAdmin(), person, "system.jobAdminNeeded"],
  ["a job admin", access.jobAdmin(), jobAdmin, null],
  ["a character", access.permission(right("x.view")), person, null],
  ["a character", access.permission(right("x.list")), person, "system.permissionMissing"],
  ["a character", access.permission(right("x.list"), right("x.view")), person, null],
  ["an account", access.permission(right("x.view")), alone, "exports.refused"],
  ["a config admin", access.permission(right("x.list")), admin, "exports.refused"],
  ["a config admin", access.permissionOrConfigAdmin(right("x.list")), admin, null],
  ["a character", access.permissionOrConfigAdmin(right("x.list")), person, "system.permissionMissing"],
  ["a character", access.sync(), person, "exports.refused"],
])("%s with %j", (_who, needed, actor, code) => {
  expect(refusalOf([needed], actor)?.definition.code ?? null).toBe(code);
});

test("everything that a kind needs is checked, and the first that is missing is named", () => {
  const [view, list, config] = [access.permission(right("x.view")), access.permission(right("x.list")), access.configAdmin()];
  expect(refusalOf([view, access.character()], person)).toBeNull();
  expect(refusalOf([view, list, config], person)?.params).toMatchObject({ permission: "x.list" });
  expect(refusalOf([view, config, list], person)?.definition.code).toBe("system.configAdminNeeded");
});

test("the lowest free slot is taken, and a fourth is refused", () => {
  expect([freeSlot([]), freeSlot([1]), freeSlot([2, 3]), freeSlot([1, 2, null])]).toEqual([1, 2, 1, 3]);
  expect(() => freeSlot([3, 1, 2])).toThrow("exports.tooManyOpen");
});

describe("a filter", () => {
  const schema = Type.Object({ q: Type.Optional(Type.String({ maxLength: 3 })), n: Type.Optional(Type.Integer()) });
  test.each([
    [{}, {}],
    [{ q: "abc" }, { q: "abc" }],
    [{ n: "12" }, { n: 12 }],
  ])("%j is read as %j", (filter, read) => expect(readFilter(schema, filter)).toEqual(read));
  test.each([[{ q: "abcd" }], [{ n: "x" }], [{ other: 1 }], [{ constructor: 1 }]])("%j is refused", (filter) =>
    expect(() => readFilter(schema, filter as Record<string, unknown>)).toThrow("system.invalidInput"),
  );
});

/** Told without the table: an open export ends once, and only a complete file can be downloaded. */
const possible: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  open: { begin: "open", complete: "done", fail: "failed", giveUp: "failed" },
  done: { download: "done" },
  failed: {},
};

describe("the state of an export", () => {
  for (const [state, after] of Object.entries(possible))
    for (const event of ["begin", "complete", "fail", "giveUp", "download"] as const)
      test(`${state}, then ${event}`, () => expect(stateAfter({ state }, event)).toBe(after[event] ?? null));
});
