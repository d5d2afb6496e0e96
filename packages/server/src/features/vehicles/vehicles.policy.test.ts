import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rights } from "#core/actor.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import { columnsOf, plateKey, seesOwner, textsOf, type VehicleColumns, wholeVehicle, withoutOwner } from "./vehicles.policy.ts";

const runs = { seed: 23, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };

describe("the key by which a plate is found", () => {
  test.each([
    ["AB 123", "ab123"],
    ["ab-123", "ab123"],
    [" a b\t1 2 3 ", "ab123"],
    ["ÄB 123", "ab123"],
    ["ＡＢ１２３", "ab123"],
    ["--", ""],
  ])("of %j is %j", (plate, key) => {
    expect(plateKey(plate)).toBe(key);
  });

  test("is the same however the plate is grouped and written", () => {
    const letters = fc.array(fc.constantFrom("A", "B", "X", "Z", "0", "1", "9"), { minLength: 1, maxLength: 8 });
    const gaps = fc.array(fc.constantFrom("", " ", "-", " - "), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(letters, gaps, fc.boolean(), (plate, gap, lower) => {
        const written = plate.map((one, i) => `${gap[i]}${lower ? one.toLowerCase() : one}`).join("");
        expect(plateKey(written)).toBe(plateKey(plate.join("")));
      }),
      runs,
    );
  });

  test("has at most 32 whole characters and is its own key", () => {
    expect(Array.from(plateKey("\u{FDFA}".repeat(32)))).toHaveLength(32);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 32 }), (plate) => {
        const key = plateKey(plate);
        expect(Array.from(key).length).toBeLessThanOrEqual(32);
        expect(key.isWellFormed()).toBe(true);
        expect(key).not.toMatch(/[\s-]/u);
        expect(plateKey(key)).toBe(key);
      }),
      runs,
    );
  });
});

describe("what is stored of a sent vehicle", () => {
  const before: VehicleColumns = { plate: "AB 123", model: "sultan", type: "car", owner_identifier: "char1:0a1b", job: "police" };

  test("keeps what was left out", () => {
    expect(columnsOf({ plate: "AB 123" }, before)).toEqual(before);
    expect(columnsOf({ plate: "AB 123" }, null)).toEqual({
      ...{ plate: "AB 123", model: null, type: null, owner_identifier: null, job: null },
    });
  });

  test.each([null, "", "  "])("loses a field that is sent as %j", (nothing) => {
    const sent = { plate: "AB 123", model: nothing, type: nothing, ownerIdentifier: nothing, job: nothing };
    expect(columnsOf(sent, before)).toEqual({ plate: "AB 123", model: null, type: null, owner_identifier: null, job: null });
  });

  test("has texts without blanks around them", () => {
    expect(columnsOf({ plate: "AB 123", model: " sultan ", ownerIdentifier: "char2:ffff" }, before)).toMatchObject({
      model: "sultan",
      owner_identifier: "char2:ffff",
    });
  });

  test("is stored the same when it is sent again", () => {
    const text = fc.option(fc.string({ maxLength: 8 }), { nil: null });
    const vehicle = fc.record(
      { plate: fc.constant("AB 123"), model: text, type: text, ownerIdentifier: text, job: text },
      { requiredKeys: ["plate"] },
    );
    fc.assert(
      fc.property(vehicle, (sent) => {
        const stored = columnsOf(sent, before);
        expect(columnsOf(sent, stored)).toEqual(stored);
      }),
      runs,
    );
  });

  test("is found by plate and model, the plate counting more", () => {
    expect(textsOf(before)).toEqual([
      { field: "plate", text: "AB 123", weight: 2, isCode: true },
      { field: "model", text: "sultan" },
    ]);
    expect(textsOf({ ...before, model: null })).toHaveLength(1);
  });
});

describe("a vehicle as it is sent", () => {
  const labels = { label: (job: string) => job.toUpperCase() } as JobLabels;
  const owners = new Map([["char1:0a1b", { id: 12, identifier: "char1:0a1b", name: "Mara Lind" }]]);
  const row = { id: 7, version: 2, plate: "AB 123", model: "sultan", type: "car", job: null, updated_at: 1000 };
  const context = { owners, labels, modelOff: false };

  test.each<[string, string | null, object | null]>([
    ["of a citizen names the citizen", "char1:0a1b", { id: 12, name: "Mara Lind" }],
    ["of nobody has no owner", null, null],
    ["of someone unknown has no owner", "char9:dead", null],
  ])("%s", (_what, owner_identifier, owner) => {
    expect(wholeVehicle({ ...row, owner_identifier }, context).owner).toEqual(owner);
  });

  test("of a company has the label of the job", () => {
    expect(wholeVehicle({ ...row, owner_identifier: null, job: "taxi" }, context).job).toEqual({ name: "taxi", label: "TAXI" });
  });

  test("has no model where the column is switched off, and null where it is unknown", () => {
    const one = { ...row, owner_identifier: null };
    expect(wholeVehicle({ ...one, model: null }, context)).toHaveProperty("model", null);
    expect(wholeVehicle(one, { ...context, modelOff: true })).not.toHaveProperty("model");
  });

  test("lacks the owner for those who may not see it, whether there is one or not", () => {
    for (const owner_identifier of ["char1:0a1b", null]) {
      const whole = wholeVehicle({ ...row, owner_identifier }, context);
      const sent = withoutOwner(whole);
      expect(sent).not.toHaveProperty("owner");
      expect({ ...sent, owner: whole.owner }).toEqual(whole);
    }
  });

  test("never holds the identifier of its owner", () => {
    expect(JSON.stringify(wholeVehicle({ ...row, owner_identifier: "char1:0a1b" }, context))).not.toContain("0a1b");
  });
});

test.each<[unknown, boolean]>([
  [["owner"], true],
  [["plate", "owner"], true],
  [[], false],
  [undefined, false],
  ["owner", false],
  [{ owner: 1 }, false],
])("the fields %j show the owner: %s", (fields, shown) => {
  const rights = (of: string) =>
    ({ attribute: (id: string, name: string) => (`${id}.${name}` === of ? fields : undefined) }) as Rights;
  expect(seesOwner(rights("vehicles.list.fields"))).toBe(shown);
  expect(seesOwner(rights("citizens.list.fields"))).toBe(false);
});
