import { describe, expect, test } from "vitest";
import { days } from "#core/contract/index.ts";
import { followed, type Person, rankKey, returnMs, type StoredColleague } from "./colleagues.follow.policy.ts";

const at = 1_790_000_000_000;
const row: StoredColleague = {
  citizen_id: 12,
  job: "police",
  grade: 2,
  name_key: "lind mara",
  since: at - days(100),
  left_at: null,
  note: "Trains on Thursdays",
  name_prefix: "Dr.",
  name_suffix: null,
  version: 4,
};
const person = (jobs: Person["jobs"], more: Partial<Person> = {}): Person => {
  return { citizenId: 12, nameKey: "lind mara", jobs, unknown: false, ...more };
};
const police = (grade: number) => [{ job: "police", grade }];
const kinds = (all: ReturnType<typeof followed>) => all.map(({ row: { job }, activity }) => [job, activity?.kind ?? null]);

describe("what the game says of a person", () => {
  test.each([
    ["nothing new", person(police(2)), [row], []],
    ["a higher grade", person(police(3)), [row], [["police", "promoted"]]],
    ["a lower grade", person(police(0)), [row], [["police", "demoted"]]],
    ["another name", person(police(2), { nameKey: "berg mara" }), [row], [["police", null]]],
    ["a first job", person(police(2)), [], [["police", "hired"]]],
    ["a job since nobody knows when", person(police(2), { unknown: true }), [], [["police", null]]],
    ["no job any more", person([]), [row], [["police", "left"]]],
    ["no job, as before", person([]), [{ ...row, left_at: at - 1 }], []],
    ["a second job", person([...police(2), { job: "taxi", grade: 0 }]), [row], [["taxi", "hired"]]],
    [
      "another job",
      person([{ job: "taxi", grade: 0 }]),
      [row],
      [
        ["taxi", "hired"],
        ["police", "left"],
      ],
    ],
  ] as const)("%s", (_name, now, stored, expected) => {
    expect(kinds(followed(now, stored, at))).toEqual(expected);
  });

  test("said twice, it changes nothing the second time", () => {
    const first = followed(person(police(3)), [row], at).map((one) => one.row);
    expect(followed(person(police(3)), first, at + 1)).toEqual([]);
  });
});

describe("somebody who comes back", () => {
  const back = (leftAgo: number) => followed(person(police(0)), [{ ...row, left_at: at - leftAgo }], at)[0]!;

  test("within 60 days has what was written before", () => {
    expect(back(returnMs)).toMatchObject({
      forgets: false,
      row: { note: row.note, name_prefix: "Dr.", since: at, left_at: null, grade: 0 },
    });
  });

  test("later begins without it", () => {
    expect(back(returnMs + 1)).toMatchObject({ forgets: true, row: { note: null, name_prefix: null, since: at, left_at: null } });
  });
});

test("leaving keeps what was written", () => {
  const [left] = followed(person([]), [row], at);
  expect(left).toMatchObject({ forgets: false, row: { note: row.note, left_at: at, version: 5 } });
});

test("the order by rank puts the highest grade first, in it by name", () => {
  const keys = [rankKey(2, "b"), rankKey(10, "c"), rankKey(2, "a"), rankKey(1000, "z")];
  expect(keys.toSorted()).toEqual([rankKey(1000, "z"), rankKey(10, "c"), rankKey(2, "a"), rankKey(2, "b")]);
});
