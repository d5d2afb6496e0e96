import { expect, test } from "vitest";
import { jobsToAsk } from "./handOverTo.ts";

const job = (name: string) => ({ name, label: name.toUpperCase() });
const callable = (...names: string[]) => names.map((name) => ({ job: name, label: name.toUpperCase() }));
const asked = (...args: Parameters<typeof jobsToAsk>) => jobsToAsk(...args).map(({ value }) => value);

test("a call goes to a job that may be called, or that has to do with it, and never to the own one", () => {
  expect(asked("police", [job("police"), job("tow")], callable("police", "medics", "tow"))).toEqual(["medics", "tow"]);
  expect(asked("police", [job("police"), job("tow")], callable("medics"))).toEqual(["medics", "tow"]);
});

test("a job that has taken a call over hands it back to the first one", () => {
  expect(jobsToAsk("sheriff", [job("police"), job("sheriff")], callable("sheriff"))).toEqual([
    { value: "police", label: "POLICE" },
  ]);
});
