import { expect, test } from "vitest";
import { demoCrews, demoJobs } from "./units.demo.policy.ts";

test("the units of the demo city take those on duty in turn, each person once", () => {
  const { units } = demoJobs[0]!;
  expect(demoCrews(units, [{ citizenId: 1 }, { citizenId: 2 }, { citizenId: 3 }, { citizenId: 4 }])).toEqual([
    [1, 2],
    [3],
    [],
    [],
  ]);
  expect(demoCrews(units, [])).toEqual([[], [], [], []]);
});
