import { describe, expect, it } from "vitest";
import type { SavedViews } from "@rollcall/server/contract/core";
import { nameOfView, openingWith, withName, withoutView, withRestored, withView } from "./views.ts";

const all: SavedViews = {
  views: [
    { name: "Taxi", search: { job: "taxi" } },
    { name: "Wanted", search: { q: "lind", job: "police" } },
  ],
  opens: "Wanted",
};
const names = ({ views }: SavedViews) => views.map(({ name }) => name);

describe("saved views", () => {
  it("are recognised by their filters, in any order and at any row", () => {
    expect(nameOfView(all, { job: "police", q: "lind", top: "40" })).toBe("Wanted");
    expect(nameOfView(all, { job: "police" })).toBeNull();
    expect(nameOfView(all, {})).toBeNull();
  });

  it("are added by name without the row, and replaced by the same name", () => {
    const added = withView(all, "Born today", { dateOfBirth: "1990-04-01", top: "9" });
    expect(names(added)).toEqual(["Born today", "Taxi", "Wanted"]);
    expect(added.views[0]?.search).toEqual({ dateOfBirth: "1990-04-01" });
    const replaced = withView(all, "Taxi", { job: "medic" });
    expect([names(replaced), replaced.views[0]?.search]).toEqual([["Taxi", "Wanted"], { job: "medic" }]);
  });

  it("keep opening the list under a new name, which no other one may have", () => {
    const renamed = withName(all, "Wanted", "Arrest");
    expect([names(renamed), renamed.opens]).toEqual([["Arrest", "Taxi"], "Arrest"]);
    expect(withName(all, "Wanted", "Taxi")).toBe(all);
    expect(withName(all, "Gone", "Other")).toBe(all);
  });

  it("no longer open the list once they are deleted; another one does not begin to", () => {
    expect(withoutView(all, "Wanted")).toEqual({ views: [all.views[0]], opens: null });
    expect(withoutView(all, "Taxi").opens).toBe("Wanted");
  });

  it("come back as they were when their deletion is undone, unless their name was given since", () => {
    expect(withRestored(withoutView(all, "Wanted"), all, "Wanted")).toEqual(all);
    const other = withView(withoutView(all, "Taxi"), "Taxi", { job: "medic" });
    expect(withRestored(other, all, "Taxi")).toBe(other);
  });

  it("open the list when they exist", () => {
    expect(openingWith(all, "Taxi").opens).toBe("Taxi");
    expect(openingWith(all, "Gone").opens).toBeNull();
    expect(openingWith(all, null).opens).toBeNull();
  });
});
