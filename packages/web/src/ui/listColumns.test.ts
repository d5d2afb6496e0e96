import { describe, expect, it } from "vitest";
import { columnChoices, hiddenColumns, hideOf, toggledColumn } from "./listColumns.ts";

const columns = [
  { id: "name", header: "Name" },
  { id: "job", header: "Job" },
  { id: "height", header: "Height", from: 900 },
];
const states = (hidden: readonly string[], width: number) => columnChoices(columns, hidden, width).map(({ state }) => state);

describe("columns of choice", () => {
  it("are shown unless they were hidden; the first cannot be", () => {
    expect(states([], 1200)).toEqual(["shown", "shown", "shown"]);
    expect(states(["job", "name"], 1200)).toEqual(["shown", "hidden", "shown"]);
  });

  it("say when there is no room for them", () => {
    expect(states([], 600)).toEqual(["shown", "shown", "narrow"]);
    expect(states(["height"], 600)).toEqual(["shown", "shown", "hidden"]);
  });

  it("are those of the address, else those that the person chose", () => {
    expect(hiddenColumns("job,height", ["job"], [])).toEqual(["job", "height"]);
    expect(hiddenColumns(hideOf([]), ["job"], ["height"])).toEqual([]);
    expect(hiddenColumns(undefined, ["job"], ["height"])).toEqual(["job"]);
    expect(hiddenColumns(undefined, undefined, [])).toEqual([]);
    expect(hiddenColumns(undefined, undefined, ["height"])).toEqual(["height"]);
    expect(hiddenColumns(undefined, [], ["height"])).toEqual([]);
  });

  it("are hidden and shown again, in an order that does not depend on the clicks", () => {
    expect(toggledColumn(["job"], "height")).toEqual(["height", "job"]);
    expect(toggledColumn(["height", "job"], "job")).toEqual(["height"]);
  });
});
