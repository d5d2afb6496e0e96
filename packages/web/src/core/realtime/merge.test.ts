import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { Page } from "@rollcall/server/contract/core";
import { mayMatch } from "#core/order.ts";
import { type Change, holds, mergeObject, type Pages, place, type Placement, type Versioned } from "./merge.ts";

interface Row extends Versioned {
  readonly name: string;
  readonly job: string;
}

const row = (id: number, name: string, version = 1, job = "police"): Row => ({ id, version, name, job });
const change = (given: Row, deleted = false): Change<Row> => ({ ...given, deleted });
const page = (items: Row[], next: string | null, total: number): Page<Row> => ({ items, next, total, totalCapped: false });
const compare = (a: Row, b: Row) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);
const list = (...pages: Page<Row>[]): Pages<Row> => ({
  pages,
  pageParams: pages.map((_, index) => (index === 0 ? null : `c${index}`)),
});
const names = ({ pages }: Pages<Row>) => pages.map(({ items }) => items.map(({ name }) => name).join(" "));

const twoPages = list(page([row(1, "ada"), row(2, "bo")], "c1", 5), page([row(3, "cy"), row(4, "di")], "c2", 5));

describe("mergeObject", () => {
  it("takes over a newer version, and keeps what the change lacks", () => {
    const known = { ...row(1, "ada"), avatar: "/a.png" };
    expect(mergeObject(known, change(row(1, "eva", 2)) as Change<typeof known>)).toEqual({
      ...row(1, "eva", 2),
      avatar: "/a.png",
    });
  });

  it("is the same object for an older or the same version", () => {
    const known = row(1, "ada", 3);
    expect(mergeObject(known, change(row(1, "old", 3)))).toBe(known);
  });
});

describe("place", () => {
  it("is the same list when no change concerns it", () => {
    expect(place(twoPages, [change(row(9, "zoe", 4))], { compare }).data).toBe(twoPages);
  });

  it("merges a changed row where it is", () => {
    const { data, ask } = place(twoPages, [change(row(2, "bo", 2, "taxi"))], { compare });
    expect(data.pages[0]!.items[1]).toEqual(row(2, "bo", 2, "taxi"));
    expect(ask).toBe(false);
  });

  it("moves a row whose order changed, also to another page", () => {
    expect(names(place(twoPages, [change(row(1, "cx", 2))], { compare }).data)).toEqual(["bo", "cx cy di"]);
  });

  it("takes a row out that now belongs behind the last one that was read", () => {
    expect(names(place(twoPages, [change(row(1, "zoe", 2))], { compare }).data)).toEqual(["bo", "cy di"]);
  });

  it("takes deleted rows out and counts them", () => {
    const { data } = place(twoPages, [change(row(2, "bo", 2), true), change(row(9, "zoe", 2), true)], { compare });
    expect(names(data)).toEqual(["ada", "cy di"]);
    expect(data.pages.at(-1)!.total).toBe(3);
  });

  it("shows a new row in its place and counts it", () => {
    const { data } = place(twoPages, [change(row(7, "bz"))], { compare });
    expect(names(data)).toEqual(["ada bo", "bz cy di"]);
    expect(data.pages.at(-1)!.total).toBe(6);
  });

  it("counts a new row behind the last one that was read without showing it", () => {
    const { data } = place(twoPages, [change(row(7, "zz"))], { compare });
    expect(names(data)).toEqual(["ada bo", "cy di"]);
    expect(data.pages.at(-1)!.total).toBe(6);
  });

  it("counts nothing that the answer counted already", () => {
    expect(place(twoPages, [change(row(7, "bz"))], { compare }, true).data.pages.at(-1)!.total).toBe(5);
  });

  it("removes a row that no longer matches, and asks how many are left when an unseen one may have", () => {
    const police: Placement<Row> = { compare, matches: ({ job }) => job === "police" };
    const placed = place(twoPages, [change(row(2, "bo", 2, "taxi"))], police);
    expect(names(placed.data)).toEqual(["ada", "cy di"]);
    expect(placed.data.pages.at(-1)!.total).toBe(4);
    expect(placed.recount).toBe(false);
    expect(place(twoPages, [change(row(9, "zoe", 2, "taxi"))], police)).toEqual({ data: twoPages, ask: false, recount: true });
  });

  it("asks the server where only that knows whether a row belongs", () => {
    expect(place(twoPages, [change(row(9, "zoe", 2))], { matches: () => null }).ask).toBe(true);
    expect(place(twoPages, [change(row(9, "zoe", 2))], {}).ask).toBe(true);
  });

  it("keeps a hit of a search that only the server understands, and asks when it stops looking like one", () => {
    const search = { matches: () => null, likely: ({ name }: Row) => mayMatch("berg", [name]) };
    // Found by a letter that is wrong, by a short id, or by a field that rows lack.
    const found = list(page([row(1, "borg"), row(2, "berger")], null, 2));
    expect(place(found, [change(row(1, "borg", 2, "taxi"))], search)).toMatchObject({
      data: { pages: [{ items: [row(1, "borg", 2, "taxi"), row(2, "berger")] }] },
      ask: false,
    });
    expect(place(found, [change(row(2, "olsen", 2))], search).ask).toBe(true);
    expect(place(found, [change(row(9, "olsen", 2))], search).ask).toBe(false);
    expect(place(found, [change(row(9, "berg", 2))], search).ask).toBe(true);
  });

  it("never moves a row that changed in nothing that orders it", () => {
    const unordered = list(page([row(2, "bo"), row(1, "ada")], null, 2));
    expect(names(place(unordered, [change(row(2, "bo", 2, "taxi"))], { compare }).data)).toEqual(["bo ada"]);
  });

  it("shows of an ordered list what reading it again would show, whatever changed", () => {
    const anyRow = fc.record({
      id: fc.integer({ min: 1, max: 8 }),
      name: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      job: fc.constantFrom("police", "taxi"),
      deleted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 20 }), fc.boolean(), (edits, filtered) => {
        const all = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, { ...row(id, "abcdef"[id - 1]!), deleted: false }]));
        const placement: Placement<Row> = { compare, ...(filtered ? { matches: ({ job }: Row) => job === "police" } : {}) };
        const shown = () =>
          [...all.values()].filter(({ deleted, job }) => !deleted && (!filtered || job === "police")).toSorted(compare);
        let data = list(
          page(
            shown().map(({ deleted: _deleted, ...one }) => one),
            null,
            6,
          ),
        );
        for (const { id, ...edit } of edits) {
          const next = { ...edit, id, version: (all.get(id)?.version ?? 0) + 1 };
          all.set(id, next);
          data = place(data, [next], placement).data;
        }
        expect(data.pages.flatMap(({ items }) => items)).toEqual(shown().map(({ deleted: _deleted, ...one }) => one));
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});

describe("holds", () => {
  it("finds an object as itself, on a page and among items", () => {
    expect(holds(row(1, "ada"), 1)).toBe(true);
    expect(holds(twoPages, 4)).toBe(true);
    expect(holds(twoPages, 9)).toBe(false);
    expect(holds({ items: [row(3, "cy")] }, 3)).toBe(true);
    expect(holds(undefined, 3)).toBe(false);
  });
});
