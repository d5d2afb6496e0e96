import { expect, test } from "vitest";
import { storedValues } from "#core/storage.ts";
import { hasDraft } from "./kept.ts";

test("a kept draft is found by the beginning of its form, for its owner alone, until it is removed", () => {
  const kept = storedValues(() => {
    throw new Error("blocked");
  });
  kept.write("draft.mara.12.access.role.police.5", {});
  const found = (owner: string | null, form: string) => hasDraft(kept.names(), owner, form);
  expect(found("mara.12", "access.role.")).toBe(true);
  expect(found("mara.12", "access.limits.")).toBe(false);
  expect(found("mara.1", "access.role.")).toBe(false);
  expect(found(null, "access.role.")).toBe(false);
  kept.remove("draft.mara.12.access.role.police.5");
  expect(found("mara.12", "access.role.")).toBe(false);
});

test("names are those of the application, also what the browser stores", () => {
  const storage = Object.assign(Object.create({ setItem() {}, getItem: () => null, removeItem() {} }) as Storage, {
    "rollcall.draft.mara.12.settings": "{}",
    other: "1",
  });
  const kept = storedValues(() => storage);
  kept.write("device", "a");
  expect(kept.names()).toEqual(["draft.mara.12.settings", "device"]);
});
