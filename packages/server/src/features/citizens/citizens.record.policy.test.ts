import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SyncUser } from "./citizens.contract.ts";
import {
  type CitizenColumns,
  dayOf,
  digitsOf,
  licenceOf,
  meantUser,
  nameKey,
  newlyOffDuty,
  problemOfBirth,
  recordOf,
  textsOf,
} from "./citizens.record.policy.ts";

const runs = { seed: 21, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };
const anyText = (maxLength: number) => fc.string({ unit: "binary", maxLength });

const user = (change: Partial<SyncUser> = {}): SyncUser => ({
  identifier: "char1:0a1b",
  firstName: "Mara",
  lastName: "Lind",
  jobs: [{ name: "police", grade: 3 }],
  ...change,
});

const before: CitizenColumns = {
  identifier: "char1:0a1b",
  licence: "0a1b",
  first_name: "Old",
  last_name: "Name",
  date_of_birth: "1985-03-14",
  sex: "f",
  height: 172,
  job: "taxi",
  grade: 1,
  phone_number: "555-0123",
  visum: 7,
  playtime: 3600,
};

describe("the key by which citizens are ordered", () => {
  test.each([
    ["the last name comes first", "Mara", "Lind", "lind mara"],
    ["accents and case do not count", "ÉLODIE", "Müller", "muller elodie"],
    ["a character without a last name", "Madonna", "", "madonna"],
  ])("%s", (_what, first, last, key) => {
    expect(nameKey(first, last)).toBe(key);
  });

  test("fits its column and holds whole characters, whatever the game sends", () => {
    // One letter that is written out as eighteen, so that the cut falls in the middle of the emoji.
    const cut = nameKey("", `${"\u{FDFA}".repeat(11)}a😀`);
    expect([cut.isWellFormed(), Array.from(cut).length]).toEqual([true, 200]);
    fc.assert(
      fc.property(anyText(50), anyText(50), (first, last) => {
        const key = nameKey(first, last);
        expect(key.isWellFormed()).toBe(true);
        expect(Array.from(key).length).toBeLessThanOrEqual(200);
      }),
      runs,
    );
  });
});

describe("a date of birth", () => {
  test.each([
    ["14.03.1985", "1985-03-14"],
    ["14/03/1985", "1985-03-14"],
    ["4.3.1985", "1985-03-04"],
    ["1985-03-14", "1985-03-14"],
    ["1985-3-4", "1985-03-04"],
    [" 14.03.1985 ", "1985-03-14"],
    ["14.03.85", "14.03.85"],
    ["unknown", "unknown"],
    ["12/31/1985", "12/31/1985"],
    ["00.00.0000", null],
    ["0000-00-00", null],
    ["1985-13-01", "1985-13-01"],
    ["31.04.1985", "31.04.1985"],
    ["29.02.1984", "1984-02-29"],
    ["29.02.1985", "29.02.1985"],
    ["", null],
    ["  ", null],
    [null, null],
    [undefined, null],
  ])("%j is stored as %j", (sent, stored) => {
    expect(dayOf(sent)).toBe(stored);
  });

  test.each<[string | null | undefined, boolean]>([
    ["1990-02-31", false],
    ["31.02.1990", false],
    ["1985-13-01", false],
    ["29.2.1900", false],
    ["29.2.2000", true],
    ["1990-02-28", true],
    ["0000-00-00", true],
    ["12/31/1985", true],
    ["unknown", true],
    ["", true],
    [null, true],
    [undefined, true],
  ])("%j is accepted: %j", (sent, accepted) => {
    expect(problemOfBirth(sent) === null).toBe(accepted);
  });

  test("that is stored is stored the same when it is sent again", () => {
    const sent = fc.oneof(
      anyText(10).filter((text) => text.trim() === text),
      fc
        .tuple(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1900, max: 2020 }))
        .map((parts) => parts.join(".")),
    );
    fc.assert(
      fc.property(sent, (text) => {
        const stored = dayOf(text);
        expect(dayOf(stored)).toBe(stored);
        expect(stored?.isWellFormed() ?? true).toBe(true);
      }),
      runs,
    );
  });

  test("holds whole characters when it is cut", () => {
    expect(dayOf(`a${"😀".repeat(9)}`)?.isWellFormed()).toBe(true);
  });
});

describe("the licence of a character", () => {
  test.each([
    [{ identifier: "char1:0a1b" }, "0a1b"],
    [{ identifier: "char1:0a1b", licence: null }, "0a1b"],
    [{ identifier: "char1:0a1b", licence: "license:ffff" }, "ffff"],
    [{ identifier: "char1:0a1b", licence: "ffff" }, "ffff"],
    [{ identifier: "CIT12345" }, ""],
  ])("%j has %j", (sent, licence) => {
    expect(licenceOf(sent)).toBe(licence);
  });
});

test("a phone number is searched by its digits alone", () => {
  expect([digitsOf("555-01 23"), digitsOf("+49 (0)1"), digitsOf("none"), digitsOf("1".repeat(30))]).toEqual([
    "5550123",
    "4901",
    "",
    "1".repeat(20),
  ]);
});

describe("a job that is sent by its own name and by the one for people off duty", () => {
  const meanings = {
    of: (name: string) => (name === "offpolice" ? { job: "police", offDuty: true } : { job: name, offDuty: false }),
  };
  const jobsOf = (jobs: SyncUser["jobs"]) => recordOf(meantUser(user({ jobs }), meanings), null);
  const plain = { name: "police", grade: 5 };

  test.each<[string, SyncUser["jobs"]]>([
    ["that one first", [{ name: "offpolice", grade: 0 }, plain]],
    ["that one last", [plain, { name: "offpolice", grade: 0 }]],
    ["that one as the primary one", [plain, { name: "offpolice", grade: 0, primary: true }]],
    [
      "its own name as the primary one",
      [
        { name: "offpolice", grade: 0 },
        { ...plain, primary: true },
      ],
    ],
  ])("keeps its grade, and is held off duty: %s", (_what, jobs) => {
    const { columns, lists } = jobsOf(jobs);
    expect(lists.jobs).toEqual([{ job: "police", grade: 5, is_primary: 1, off_duty: 1 }]);
    expect(columns).toMatchObject({ job: "police", grade: 5 });
  });

  test("stays the primary one by either name, and has the grade of the other name where it is sent alone", () => {
    const taxi = { name: "taxi", grade: 1 };
    expect(jobsOf([taxi, plain, { name: "offpolice", grade: 0, primary: true }]).columns).toMatchObject({
      job: "police",
      grade: 5,
    });
    expect(jobsOf([{ name: "offpolice", grade: 2 }]).lists.jobs).toEqual([
      { job: "police", grade: 2, is_primary: 1, off_duty: 1 },
    ]);
  });
});

test("a job begins to be called by its name for people off duty, unless it was called so before", () => {
  const row = (job: string, off_duty: 0 | 1) => ({ job, grade: 0, is_primary: 0 as const, off_duty });
  const before = [row("police", 0), row("taxi", 1)];
  const jobs = [row("police", 1), row("taxi", 1), row("medic", 1), row("ferry", 0)];
  expect(newlyOffDuty(before, { jobs })).toEqual(["police", "medic"]);
  expect(newlyOffDuty(jobs, { jobs })).toEqual([]);
  expect(newlyOffDuty(null, { jobs })).toEqual([]);
});

describe("what is stored of a sent character", () => {
  test("fields that are left out keep their value, null erases", () => {
    const { columns } = recordOf(user(), before);
    expect(columns).toEqual({ ...before, first_name: "Mara", last_name: "Lind", job: "police", grade: 3 });
    const erased = recordOf(user({ dateOfBirth: null, sex: null, height: null, visum: null, playtime: null }), before);
    expect(erased.columns).toMatchObject({ date_of_birth: null, sex: null, height: null, visum: null, playtime: null });
  });

  test.each([
    ["stays when it is left out", undefined, "0a1b"],
    ["is the one that is sent", "license:ffff", "ffff"],
    ["is that of the identifier when null is sent", null, "9c9c"],
  ])("the licence %s", (_what, licence, stored) => {
    const sent = user({ identifier: "char1:9c9c", ...(licence === undefined ? {} : { licence }) });
    expect(recordOf(sent, before).columns.licence).toBe(stored);
  });

  test("a new character lacks what was left out", () => {
    expect(recordOf(user(), null).columns).toEqual({
      ...{ identifier: "char1:0a1b", licence: "0a1b", first_name: "Mara", last_name: "Lind", job: "police", grade: 3 },
      ...{ date_of_birth: null, sex: null, height: null, phone_number: null, visum: null, playtime: null },
    });
  });

  test("zero is a value", () => {
    expect(recordOf(user({ visum: 0, playtime: 0, height: 0 }), before).columns).toMatchObject({
      visum: 0,
      playtime: 0,
      height: 0,
    });
  });

  test("a list that is left out stays, null and an empty one erase it", () => {
    expect(Object.keys(recordOf(user(), before).lists)).toEqual(["jobs"]);
    for (const empty of [null, []]) {
      const { columns, lists } = recordOf(user({ phoneNumbers: empty, licences: empty }), before);
      expect(lists).toMatchObject({ phones: [], licences: [] });
      expect(columns.phone_number).toBeNull();
    }
  });

  test.each([
    [
      "the first job, when none says so",
      [
        { name: "a", grade: 1 },
        { name: "b", grade: 2 },
      ],
      "a",
      1,
    ],
    [
      "the one that says so",
      [
        { name: "a", grade: 1 },
        { name: "b", grade: 2, primary: true },
      ],
      "b",
      2,
    ],
    [
      "the first of two that say so",
      [{ name: "a", grade: 1 }, ...["b", "c"].map((name) => ({ name, grade: 2, primary: true }))],
      "b",
      2,
    ],
    [
      "one that is sent twice and says so once",
      [
        { name: "a", grade: 1 },
        { name: "b", grade: 2 },
        { name: "b", grade: 4, primary: true },
      ],
      "b",
      4,
    ],
  ])("the primary job is %s", (_what, jobs, job, grade) => {
    expect(recordOf(user({ jobs }), before).columns).toMatchObject({ job, grade });
  });

  test("each job, number and licence is stored once, and exactly one job is primary", () => {
    const job = fc.record(
      { name: fc.constantFrom("a", "b", "c"), grade: fc.nat(5), primary: fc.boolean() },
      { requiredKeys: ["name", "grade"] },
    );
    const phone = fc.record({ number: fc.constantFrom("1", "2", "3"), primary: fc.boolean() }, { requiredKeys: ["number"] });
    const jobs = fc.array(job, { minLength: 1, maxLength: 8 });
    const licences = fc.array(fc.constantFrom("drive", "boat"), { maxLength: 8 });
    fc.assert(
      fc.property(jobs, fc.array(phone, { maxLength: 8 }), licences, (sentJobs, phoneNumbers, sentLicences) => {
        const { columns, lists } = recordOf(user({ jobs: sentJobs, phoneNumbers, licences: sentLicences }), null);
        const names = lists.jobs?.map((one) => one.job) ?? [];
        expect(names.toSorted()).toEqual([...new Set(sentJobs.map(({ name }) => name))].toSorted());
        expect(lists.jobs?.filter((one) => one.is_primary === 1).map((one) => [one.job, one.grade])).toEqual([
          [columns.job, columns.grade],
        ]);
        expect(lists.phones?.map(({ number }) => number).toSorted()).toEqual(
          [...new Set(phoneNumbers.map(({ number }) => number))].toSorted(),
        );
        expect(lists.phones?.find(({ is_primary }) => is_primary === 1)?.number ?? null).toBe(columns.phone_number);
        expect(lists.licences?.map(({ type }) => type)).toEqual([...new Set(sentLicences)].toSorted());
      }),
      runs,
    );
  });
});

test("a citizen is found by name and by every number, the name counting more", () => {
  const { columns, lists } = recordOf(user({ phoneNumbers: [{ number: "1" }, { number: "2" }], licences: [] }), null);
  expect(textsOf(columns, { jobs: [], phones: [], licences: [], ...lists })).toEqual([
    { field: "name", text: "Mara Lind", weight: 2 },
    { field: "phone", text: "1" },
    { field: "phone", text: "2" },
  ]);
});
