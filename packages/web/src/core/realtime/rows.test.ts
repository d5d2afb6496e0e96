import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { collect, collected, inEpoch, overlay, type Change, type Changes, type Collected, type Versioned } from "./rows.ts";

interface Row extends Versioned {
  readonly name: string;
}

const row = (id: number, version: number, name = `r${id}v${version}`): Row => ({ id, version, name });
const change = (id: number, version: number, deleted = false): Change<Row> => ({
  ...row(id, version),
  deleted,
});
const none: Changes<Row> = new Map();

describe("collect and overlay", () => {
  it("returns the same rows when no change concerns them", () => {
    const rows = [row(1, 1)];
    expect(overlay(rows, none)).toBe(rows);
    expect(collect(none, [])).toBe(none);
  });

  it("applies newer versions, drops older ones and takes deleted rows out", () => {
    const changes = collect(none, [change(1, 2), change(2, 4), change(3, 9, true)]);
    expect(overlay([row(1, 1), row(2, 5), row(3, 1)], changes).map(({ name }) => name)).toEqual(["r1v2", "r2v5"]);
  });

  it("shows a deleted row again once a newer read contains it", () => {
    const changes = collect(none, [change(1, 2, true)]);
    expect(overlay([row(1, 3)], changes)).toEqual([row(1, 3)]);
  });

  it("ends with the newest version in whatever order changes arrive", () => {
    const versions = fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), version: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(versions, (arrivals) => {
        const changes = arrivals.reduce<Changes<Row>>((known, { id, version }) => collect(known, [change(id, version)]), none);
        const shown = overlay(
          [1, 2, 3, 4].map((id) => row(id, 10)),
          changes,
        );
        for (const { id, version } of shown) {
          const newest = Math.max(10, ...arrivals.filter((one) => one.id === id).map((one) => one.version));
          expect(version).toBe(newest);
        }
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe("changes of an epoch", () => {
  const nothing: Collected<Row> = { epoch: null, changes: none };
  const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

  it("are discarded on a snapshot of another epoch, so that restored rows are shown as restored", () => {
    const before = collected(nothing, "e", [change(1, 7), change(2, 9, true)]);
    expect(overlay([row(1, 3), row(2, 4)], before.changes).map(({ version }) => version)).toEqual([7]);
    const restored = inEpoch(before, "f");
    expect(names(overlay([row(1, 3), row(2, 4)], restored.changes))).toEqual(["r1v3", "r2v4"]);
  });

  it("stay on a snapshot of the same epoch, and on one without an epoch", () => {
    const known = collected(nothing, "e", [change(1, 7)]);
    expect(inEpoch(known, "e")).toBe(known);
    expect(inEpoch(known, null)).toBe(known);
  });

  it("are not mixed with changes of another epoch that came without a snapshot", () => {
    const known = collected(nothing, "e", [change(1, 7), change(2, 2)]);
    const other = collected(known, "f", [change(2, 1)]);
    expect([...other.changes.values()].map(({ name }) => name)).toEqual(["r2v1"]);
    expect(collected(other, "f", [change(2, 1)])).toBe(other);
  });
});
