import { describe, expect, test } from "vitest";
import { defaultSettings } from "./settings.contract.ts";
import { changesBetween, complete, undoChanges } from "./settings.policy.ts";

const changed = {
  ...defaultSettings,
  auth: { ...defaultSettings.auth, signUp: false, configAdminGroups: ["staff"] },
  general: { ...defaultSettings.general, name: "Bay City" },
};

describe("settings", () => {
  test("get defaults for missing fields and lose unknown ones", () => {
    expect(complete(undefined)).toEqual(defaultSettings);
    expect(complete({ auth: { signUp: false, gone: 1 }, old: {} })).toEqual({
      ...defaultSettings,
      auth: { ...defaultSettings.auth, signUp: false },
    });
  });

  test("are compared field by field", () => {
    expect(changesBetween(defaultSettings, changed)).toEqual([
      { path: "general.name", before: "Rollcall", after: "Bay City" },
      { path: "auth.signUp", before: true, after: false },
      { path: "auth.configAdminGroups", before: [], after: ["staff"] },
    ]);
  });

  test("undo one change and keep the others", () => {
    const [name] = changesBetween(defaultSettings, changed);
    const back = undoChanges(changed, name ? [name] : []);
    expect(back.general.name).toBe("Rollcall");
    expect(back.auth).toEqual(changed.auth);
  });
});
