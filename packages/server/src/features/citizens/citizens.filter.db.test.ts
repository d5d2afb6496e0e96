import { expect, test } from "vitest";
import { createSearch } from "#infra/search/index.ts";
import { describeApps } from "#testkit/suite.ts";
import { fewMatching, type ListFilter } from "./citizens.filter.repo.ts";
import { citizensSearchKind } from "./citizens.reads.ts";

const search = createSearch();
const everybody = { filterEmptyName: false };
const phone = (digits: string) => ({ digits, among: search.containing(citizensSearchKind, digits) });

describeApps("people whom a filter leaves", (get) => {
  test("are compared with the other filters from the one that leaves few enough, and else read in order", async () => {
    const { app, world } = get();
    const ids: number[] = [];
    for (let i = 0; i < 6; i += 1)
      ids.push(
        await world.citizen({
          ...(i === 5 && { dateOfBirth: "1933-03-03" }),
          jobs: [{ name: i < 2 ? "filter-few" : "filter-many", grade: 0 }],
          phoneNumbers: [{ number: `777-31${i}` }],
        }),
      );
    const { db } = app.process.container;
    const few = async (filter: Omit<ListFilter, "filterEmptyName">, sorted: number, compared: number) => {
      const found = await db.read("test", async (tx) => await fewMatching(tx, { ...everybody, ...filter }, { sorted, compared }));
      return found?.toSorted((a, b) => a - b) ?? null;
    };
    const wide = { phone: phone("77731") };
    expect(await few(wide, 9, 9)).toEqual(ids);
    expect(await few(wide, 5, 9)).toBeNull();
    expect(await few(wide, 9, 5)).toBeNull();
    expect(await few({ ...wide, job: "filter-few" }, 5, 5)).toEqual(ids.slice(0, 2));
    expect(await few({ ...wide, job: "filter-many" }, 5, 5)).toEqual(ids.slice(2));
    expect(await few({ ...wide, job: "filter-many" }, 5, 3)).toBeNull();
    expect(await few({ ...wide, job: "filter-many", dateOfBirth: "1933-03-03" }, 1, 1)).toEqual([ids[5]]);
    expect(await few({ phone: phone("777319") }, 9, 9)).toEqual([]);
    // Codes have their first six characters in the index, so that a longer part has to be compared with the numbers.
    expect(await few({ phone: phone("999777310") }, 9, 9)).toEqual([]);
    // A number that contains a part twice counts twice, and is found once.
    expect(await few({ phone: phone("77") }, 6, 12)).toEqual(ids);
    // One digit is too short for the index of codes.
    expect(await few({ phone: phone("7") }, 9, 9)).toBeNull();
    expect(await few({ phone: phone("5"), job: "filter-few" }, 9, 9)).toEqual([]);
    expect(await few({}, 9, 9)).toBeNull();
  });
});
