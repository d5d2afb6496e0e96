import { describe, expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import {
  checkJobs,
  checkPublic,
  editLevel,
  isStale,
  isVisible,
  levelOf,
  mayEdit,
  mayRestore,
  noticeIdOf,
  rulesOf,
} from "./notices.policy.ts";

describe("levels of a notice", () => {
  const [live, removed] = [{ deleted_at: null }, { deleted_at: 5 }];

  test.each([
    { level: 0, row: live, visible: false, edits: false, restores: false },
    { level: 1, row: live, visible: true, edits: false, restores: false },
    { level: 2, row: live, visible: true, edits: true, restores: false },
    { level: 0, row: removed, visible: false, edits: false, restores: false },
    { level: 1, row: removed, visible: false, edits: false, restores: false },
    { level: 2, row: removed, visible: false, edits: true, restores: true },
  ])("$level, deleted at $row.deleted_at", ({ level, row, visible, edits, restores }) => {
    expect([isVisible(row, level), mayEdit(level), mayRestore(row, level)]).toEqual([visible, edits, restores]);
  });

  test("that changes a notice is the named one, and no lower", () => {
    expect([0, 1, 2].filter(mayEdit).map(levelOf)).toEqual([editLevel]);
  });

  test("have names", () => {
    expect([levelOf(1), levelOf(2)]).toEqual(["view", "edit"]);
  });
});

describe("making a notice public", () => {
  const viewer = (fields: unknown) => ({ rights: { attribute: () => fields } }) as unknown as Pick<Viewer, "rights">;

  test.each([
    { wanted: false, before: false, fields: undefined, allowed: true },
    { wanted: true, before: true, fields: undefined, allowed: true },
    { wanted: false, before: true, fields: undefined, allowed: true },
    { wanted: true, before: false, fields: undefined, allowed: false },
    { wanted: true, before: false, fields: [], allowed: false },
    { wanted: true, before: false, fields: "public", allowed: false },
    { wanted: true, before: false, fields: ["public"], allowed: true },
  ])("wanted $wanted, before $before, with fields $fields", ({ wanted, before, fields, allowed }) => {
    const check = () => checkPublic(viewer(fields), wanted, before);
    if (allowed) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ definition: expect.objectContaining({ code: "notices.publicNotAllowed" }) }),
      );
  });
});

describe("naming jobs", () => {
  const viewer = (fields: unknown) =>
    ({ job: "police", rights: { attribute: () => fields } }) as unknown as Pick<Viewer, "rights" | "job">;
  const entry = (job: string, level: string) => ({ subject: "job", job, level }) as const;
  const known = [{ subject: "job", job: "ems", level: 1 } as const, { subject: "job", job: "gang", level: 0 } as const];

  test.each([
    { fields: undefined, wanted: entry("police", "view"), allowed: true },
    { fields: [], wanted: entry("police", "edit"), allowed: true },
    { fields: [], wanted: entry("ems", "view"), allowed: true },
    { fields: [], wanted: entry("taxi", "blocked"), allowed: true },
    { fields: [], wanted: entry("taxi", "view"), allowed: false },
    { fields: [], wanted: entry("gang", "view"), allowed: false },
    { fields: "jobs", wanted: entry("taxi", "view"), allowed: false },
    { fields: ["jobs"], wanted: entry("taxi", "view"), allowed: true },
    { fields: ["public"], wanted: entry("taxi", "view"), allowed: true },
  ])("$wanted.job as $wanted.level, with fields $fields", ({ fields, wanted, allowed }) => {
    const check = () => checkJobs(viewer(fields), [entry("police", "view"), wanted], known);
    if (allowed) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ definition: expect.objectContaining({ code: "notices.otherJobNotAllowed" }) }),
      );
  });
});

test("a change is stale unless it was made from the stored version", () => {
  expect([isStale({ version: 2 }, 2), isStale({ version: 2 }, 1), isStale({ version: 2 }, 3)]).toEqual([false, true, true]);
});

test("the creator and the flag for everybody grant a level without an entry", () => {
  expect(rulesOf({ creator_id: 7, creator_job: "police", is_public: 1 })).toEqual({
    creatorId: 7,
    creatorJob: "police",
    public: true,
  });
  expect(rulesOf({ creator_id: null, creator_job: "police", is_public: 0 }).public).toBe(false);
});

test.each([
  ["12", 12],
  ["0", 0],
  ["012", 0],
  ["1e3", 0],
  ["-1", 0],
  ["none", 0],
  ["9".repeat(40), 0],
])("files of the owner %j belong to the notice %i", (owner, id) => {
  expect(noticeIdOf(owner)).toBe(id);
});
