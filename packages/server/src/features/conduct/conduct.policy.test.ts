import { describe, expect, test } from "vitest";
import type { AttributeValue } from "#core/contract/index.ts";
import { days } from "#core/contract/index.ts";
import {
  actionsOf,
  asSubject,
  crossed,
  inRegister,
  isExpired,
  type Judged,
  leftAtAfter,
  mayRead,
  negativePoints,
  readerOf,
  refusalAbout,
  refusalOf,
  registerOf,
  scopeOf,
} from "./conduct.policy.ts";

const now = 1_800_000_000_000;

/** Held permissions, each with its values of `fields`. */
function viewer(held: Record<string, readonly string[]>, more: { characterId?: number; job?: string; grade?: number } = {}) {
  const attribute = (permission: string, name: string): AttributeValue | undefined =>
    name === "fields" ? held[permission] : undefined;
  const rights = { epoch: "1", has: (id: string) => held[id] !== undefined, attribute, all: () => ({}) };
  return { characterId: 1, job: "police", grade: 3, ...more, rights };
}

const entry: Judged = {
  job: "police",
  citizen_id: 9,
  author_id: 1,
  state: "draft",
  wants_ack: 1,
  acknowledged_at: null,
  replied_at: null,
  left_at: null,
  deleted_at: null,
};
const released: Judged = { ...entry, state: "released" };
const subject = { id: 9, grade: 2, name: "Mara Lind" };

const writes = { "conduct.view": [], "conduct.write": [] };
const writesAll = { "conduct.view": ["all"], "conduct.write": ["all"] };

describe("who reads an entry", () => {
  const author = viewer(writes);
  const other = viewer(writes, { characterId: 2 });
  const all = viewer({ "conduct.view": ["all"] }, { characterId: 3 });
  const elsewhere = viewer(writesAll, { characterId: 4, job: "taxi" });
  const person = viewer({}, { characterId: 9, grade: 2 });
  const rows: readonly [string, ReturnType<typeof viewer>, boolean, boolean, boolean][] = [
    // Who, and whether they read a draft, a released one, and a withdrawn one.
    ["its author", author, true, true, true],
    ["its author without any right left", viewer({}), false, false, false],
    ["its author in another job", viewer(writes, { job: "taxi" }), false, false, false],
    ["another writer", other, false, false, false],
    ["somebody who sees all", all, true, true, true],
    ["somebody of another job who sees all there", elsewhere, false, false, false],
    ["its person", person, false, true, true],
    ["a colleague", viewer({}, { characterId: 8 }), false, false, false],
  ];
  test.each(rows)("%s", (_who, who, draft, isReleased, withdrawn) => {
    const reads = (one: Judged) => mayRead(readerOf(who, now), one);
    expect([reads(entry), reads(released), reads({ ...entry, state: "withdrawn" })]).toEqual([draft, isReleased, withdrawn]);
    expect(reads({ ...released, deleted_at: 5 })).toBe(false);
  });

  test("its person keeps reading it for 30 days after leaving the job", () => {
    const reader = readerOf(viewer({}, { characterId: 9, job: "taxi" }), now);
    expect(asSubject(reader, { ...released, left_at: now - days(30) + 1 })).toBe(true);
    expect(asSubject(reader, { ...released, left_at: now - days(30) })).toBe(false);
  });

  test("who left is still in the register", () => {
    expect(inRegister(readerOf(all, now), { ...released, left_at: 1 })).toBe(true);
  });

  test("the right to write is enough to see what one wrote", () => {
    expect(registerOf(viewer({ "conduct.write": [] }))).toBe("own");
    expect(registerOf(viewer({ "conduct.write": ["all"] }))).toBe("own");
    expect(registerOf(viewer({ "conduct.view": ["all"] }))).toBe("all");
    expect(registerOf(viewer({ "conduct.kinds": [] }))).toBe("none");
  });
});

describe("who writes about whom", () => {
  const codeOf = (error: ReturnType<typeof refusalAbout>) => error?.definition.code ?? null;
  const any = { "conduct.write": ["any"] };
  const rows: readonly [string, Record<string, readonly string[]>, number, number, string | null][] = [
    ["a lower grade", writes, 2, 9, null],
    ["the same grade", writes, 3, 9, "conduct.notLower"],
    ["a higher grade", writes, 4, 9, "conduct.notLower"],
    ["a higher grade, with any", any, 4, 9, null],
    ["oneself", writes, 2, 1, "conduct.aboutYourself"],
    ["oneself, with any", any, 2, 1, "conduct.aboutYourself"],
    ["a lower grade without the right", { "conduct.view": ["all"] }, 2, 9, "system.permissionMissing"],
    ["a higher grade, with all authors", writesAll, 4, 9, "conduct.notLower"],
  ];
  test.each(rows)("%s", (_whom, held, grade, id, code) => {
    expect(codeOf(refusalAbout(viewer(held), { id, grade, name: "X" }))).toBe(code);
  });

  test("an entry of somebody else needs the scope of all authors for writing too", () => {
    const foreign = { ...entry, author_id: 2 };
    expect(codeOf(refusalOf(viewer(writes), foreign, subject))).toBe("conduct.notYours");
    expect(codeOf(refusalOf(viewer({ "conduct.view": ["all"], "conduct.write": [] }), foreign, subject))).toBe(
      "conduct.notYours",
    );
    expect(codeOf(refusalOf(viewer(writesAll), foreign, subject))).toBeNull();
    expect(codeOf(refusalOf(viewer(writesAll, { job: "taxi" }), foreign, subject))).toBe("conduct.notYours");
  });
});

describe("what can be done", () => {
  const author = viewer(writes);
  const person = viewer({}, { characterId: 9, grade: 2 });
  const rows: readonly [string, ReturnType<typeof viewer>, Judged, readonly string[]][] = [
    ["the author with a draft", author, entry, ["edit", "remove", "release"]],
    ["the author with a draft about somebody who left", author, { ...entry, left_at: 1 }, ["remove"]],
    ["the author with a released one", author, released, ["withdraw"]],
    ["the author with a withdrawn one", author, { ...entry, state: "withdrawn" }, []],
    ["its person", person, released, ["acknowledge", "reply"]],
    ["its person, where nothing is to be acknowledged", person, { ...released, wants_ack: 0 }, ["reply"]],
    ["its person, after both", person, { ...released, acknowledged_at: 1, replied_at: 1 }, []],
    ["its person after leaving", person, { ...released, left_at: now }, []],
    ["its person once it is withdrawn", person, { ...entry, state: "withdrawn" }, []],
    ["its person with all rights", viewer(writesAll, { characterId: 9, grade: 2 }), released, ["acknowledge", "reply"]],
    ["a reader of all", viewer({ "conduct.view": ["all"] }, { characterId: 5 }), released, []],
  ];
  test.each(rows)("by %s", (_who, who, one, may) => expect(actionsOf(who, one, subject)).toEqual(may));
});

test("points count until the instant at which the day of the expiry begins", () => {
  expect([isExpired({ expires_at: null }, now), isExpired({ expires_at: now + 1 }, now)]).toEqual([false, false]);
  expect(isExpired({ expires_at: now }, now)).toBe(true);
  expect([negativePoints({ tone: "negative", points: 3 }), negativePoints({ tone: "positive", points: 3 })]).toEqual([3, 0]);
});

test("a threshold is crossed from below, and not again before the sum fell below it", () => {
  const thresholds = [
    { points: 5, notify: "viewers" as const },
    { points: 10, notify: "superiors" as const },
  ];
  const points = (before: number, after: number) => crossed(thresholds, before, after).map((one) => one.points);
  expect([points(0, 4), points(0, 5), points(4, 10), points(5, 9), points(5, 5), points(12, 15)]).toEqual([
    [],
    [5],
    [5, 10],
    [],
    [],
    [],
  ]);
});

test("who comes back within 60 days has their entries again", () => {
  expect(leftAtAfter(null, true, now)).toBeUndefined();
  expect(leftAtAfter(null, false, now)).toBe(now);
  expect(leftAtAfter(now - 5, false, now)).toBeUndefined();
  expect(leftAtAfter(now - days(60), true, now)).toBeNull();
  expect(leftAtAfter(now - days(60) - 1, true, now)).toBeUndefined();
});

test("exports of different scopes are different ones", () => {
  const all = viewer({ "conduct.view": ["all"] });
  expect(scopeOf(all)).toBe(scopeOf({ ...all, characterId: 2 }));
  expect(scopeOf(viewer(writes))).not.toBe(scopeOf(viewer(writes, { characterId: 2 })));
  expect(scopeOf(viewer(writes))).not.toBe(scopeOf(all));
  expect(scopeOf(all)).not.toBe(scopeOf({ ...all, job: "taxi" }));
});
