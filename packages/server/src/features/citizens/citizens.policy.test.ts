import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Rights } from "#core/actor.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import { type CitizenField, citizenFields } from "./citizens.contract.ts";
import {
  cut,
  cutToScope,
  disabledFields,
  hiddenFields,
  profileScopeOf,
  viewScopeClass,
  viewScopeOf,
  toFullRow,
  visibleFields,
  wholeCitizen,
} from "./citizens.policy.ts";

const runs = { seed: 22, numRuns: 200 };
const rights = (fields: unknown, permission = "citizens.list") =>
  ({ attribute: (id: string, name: string) => (id === permission && name === "fields" ? fields : undefined) }) as Rights;
const labels: JobLabels = {
  label: (job) => job.toUpperCase(),
  badge: (name, grade) => ({ name, label: name.toUpperCase(), grade, gradeLabel: `grade ${grade}` }),
};
const row = {
  ...{ id: 12, version: 4, identifier: "char1:0a1b", licence: "0a1b", first_name: "Mara", last_name: "Lind" },
  ...{ date_of_birth: "1985-03-14", sex: "f", height: 172, job: "police", grade: 3, phone_number: "555", visum: 7 },
  ...{ playtime: 3600, updated_at: 1000 },
};
const details = {
  jobs: [
    { job: "police", grade: 3, is_primary: 1 as const },
    { job: "taxi", grade: 0, is_primary: 0 as const },
  ],
  phones: [{ number: "555", is_primary: 1 as const }],
  licences: ["drive", "dmv_unknown"],
};
const whole = (disabled: readonly CitizenField[] = []) =>
  wholeCitizen(row, details, labels, new Map([["drive", "Driving licence"]]), disabled);

describe("the fields that a viewer sees", () => {
  test.each<[string, unknown, readonly CitizenField[], string[]]>([
    ["none without the attribute", undefined, [], []],
    ["none for an empty list", [], [], []],
    ["the named ones", ["phone", "job"], [], ["job", "phone"]],
    ["not those that are switched off", ["phone", "visum"], ["visum"], ["phone"]],
    ["not those that this version does not know", ["phone", "shoeSize"], [], ["phone"]],
    ["none for a value of another shape", { job: 3 }, [], []],
  ])("%s", (_what, fields, disabled, seen) => {
    expect([...visibleFields(rights(fields), disabled)]).toEqual(seen);
  });

  test("are named at the permission to list, at no other", () => {
    expect(visibleFields(rights(citizenFields, "citizens.view"), [])).toEqual(new Set());
  });

  test.each<[string, number, boolean, string[] | null]>([
    ["of others: those of the role, with the right to open profiles", 13, true, ["phone", "visum"]],
    ["of others: none without it", 13, false, null],
    [
      "of the own character: those of the role and what the game knows, without any right",
      12,
      false,
      ["job", "licences", "phone", "visum"],
    ],
  ])("%s", (_what, id, may, seen) => {
    const scope = profileScopeOf({ characterId: 12, rights: { ...rights(["phone", "visum"]), has: () => may } }, id, []);
    expect(scope && [...scope.fields].sort()).toEqual(seen);
  });

  test("make one class for equal sets, and different ones otherwise", () => {
    const sets = fc.shuffledSubarray([...citizenFields]);
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const equal = a.length === b.length && a.every((one) => b.includes(one));
        const classOf = (fields: CitizenField[]) => viewScopeClass({ fields: new Set(fields), licenceTypes: undefined });
        expect(classOf(a) === classOf(b)).toBe(equal);
      }),
      runs,
    );
  });
});

test("a column that is configured away is switched off for everyone", () => {
  expect(disabledFields({ visum: "visum", playtime: "playtime" })).toEqual([]);
  expect(disabledFields({ visum: null, playtime: "hours" })).toEqual(["visum"]);
  expect(disabledFields({ visum: null, playtime: null })).toEqual(["visum", "playtime"]);
});

describe("a citizen as it is sent", () => {
  test("has jobs and licences with their labels, a licence without a label with its type", () => {
    expect(whole()).toMatchObject({
      jobs: [
        { name: "police", label: "POLICE", grade: 3, gradeLabel: "grade 3", primary: true },
        { name: "taxi", label: "TAXI", grade: 0, primary: false },
      ],
      phoneNumbers: [{ number: "555", primary: true }],
      licences: [
        { type: "drive", label: "Driving licence" },
        { type: "dmv_unknown", label: "dmv_unknown" },
      ],
    });
  });

  test("never holds the game's licence or identifier", () => {
    expect(JSON.stringify(whole())).not.toContain("0a1b");
  });

  test("lacks the fields that are switched off", () => {
    const listed = { ...row, jobs: details.jobs };
    expect(toFullRow(listed, labels, [])).toMatchObject({ visum: 7, playtime: 3600 });
    expect(Object.keys(toFullRow(listed, labels, ["visum", "playtime"]))).not.toContain("visum");
    expect(Object.keys(whole(["playtime"]))).not.toContain("playtime");
  });
});

/** The values of each field in the whole citizen above. */
const secrets: Readonly<Record<CitizenField, readonly string[]>> = {
  job: ["police", "POLICE", "taxi", "grade 3"],
  phone: ["555"],
  licences: ["drive", "Driving licence", "dmv_unknown"],
  visum: ['"visum"'],
  playtime: ["3600"],
};

describe("cutting to what a viewer may see", () => {
  test("leaves no trace of a hidden field, and all of a visible one", () => {
    fc.assert(
      fc.property(fc.subarray([...citizenFields]), (fields) => {
        const sent = JSON.stringify(cut(whole(), new Set(fields)));
        for (const field of citizenFields)
          for (const secret of secrets[field]) expect([field, sent.includes(secret)]).toEqual([field, fields.includes(field)]);
        expect(sent).toContain("Mara");
      }),
      runs,
    );
  });

  test("changes nothing the second time, nor the citizen it was given", () => {
    const given = whole();
    const once = cut(given, new Set(["phone"]));
    expect(cut(once, new Set(["phone"]))).toEqual(once);
    expect(given).toEqual(whole());
  });
});

describe("the licences that a viewer sees", () => {
  const scope = (licenceTypes: unknown, named: readonly CitizenField[] = ["licences"]) =>
    viewScopeOf({ attribute: (_id, name) => (name === "fields" ? named : licenceTypes) } as Rights, []);
  const seen = (licenceTypes: unknown) => cutToScope(whole(), scope(licenceTypes)).licences?.map(({ type }) => type);

  test.each<[string, unknown, string[]]>([
    ["are all without the attribute", undefined, ["drive", "dmv_unknown"]],
    ["are all when every type is named", ["*"], ["drive", "dmv_unknown"]],
    ["are those of the named types", ["drive", "boat"], ["drive"]],
    ["are none when no type is left", [], []],
    ["are none when the only named type was deleted", ["gone"], []],
    ["are none for a value of another shape", { drive: 3 }, []],
  ])("%s", (_what, types, left) => {
    expect(seen(types)).toEqual(left);
  });

  test("are hidden with their field, whatever the types are", () => {
    expect(cutToScope(whole(), scope(["drive"], ["job"]))).not.toHaveProperty("licences");
  });

  test("make a class of their own, unless the field is hidden", () => {
    expect(viewScopeClass(scope(["drive", "boat"]))).toBe(viewScopeClass(scope(["boat", "drive"])));
    expect(viewScopeClass(scope(["drive"]))).not.toBe(viewScopeClass(scope(["boat"])));
    expect(viewScopeClass(scope(["drive"]))).not.toBe(viewScopeClass(scope(undefined)));
    expect(viewScopeClass(scope(["drive"], ["job"]))).toBe(viewScopeClass(scope(["boat"], ["job"])));
  });
});

test("each field is seen, hidden with the right that shows it, or switched off, and never two of these", () => {
  const fields = fc.subarray([...citizenFields]);
  fc.assert(
    fc.property(fields, fc.subarray(["visum", "playtime"] as CitizenField[]), (named, disabled) => {
      const seen = visibleFields(rights(named), disabled);
      const hidden = hiddenFields(seen, disabled);
      expect(hidden.every(({ permission }) => permission === "citizens.list")).toBe(true);
      expect([...seen, ...hidden.map(({ field }) => field), ...disabled].toSorted()).toEqual([...citizenFields].toSorted());
    }),
    runs,
  );
});
