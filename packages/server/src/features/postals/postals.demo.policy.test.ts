import { expect, it } from "vitest";
import { demoPostals } from "./postals.demo.policy.ts";
import { readPostals } from "./postals.policy.ts";

const row = (y: number) => [0, 1, 2, 3].map((x) => ({ x: x + 0.123, y }));

it("numbers the crossings by their rows, as a file of postal codes that can be read", () => {
  const postals = demoPostals({ crossings: [row(10), row(20)] });
  expect(postals.map(({ code }) => code)).toEqual(["101", "102", "103", "104", "201", "202", "203", "204"]);
  expect(postals.at(-1)).toEqual({ code: "204", x: 3.1, y: 20 });
  expect(readPostals(JSON.stringify(postals))).toMatchObject({ postals, leftOut: { count: 0 }, repeated: { count: 0 } });
});
