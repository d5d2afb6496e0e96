import { describe, expect, test } from "vitest";
import { defaultSettings } from "./settings.contract.ts";
import { changesBetween, complete, takeBack } from "./settings.policy.ts";

const changed = {
  ...defaultSettings,
  auth: { ...defaultSettings.auth, signUp: false, configAdminGroups: ["staff"] },
  general: { ...defaultSettings.general, name: "Bay City" },
};

describe("settings", () => {
  test("that lack what this version knows get its default; what it does not know is dropped", () => {
    expect(complete(undefined)).toEqual(defaultSettings);
    expect(complete({ auth: { signUp: false, gone: 1 }, old: {} })).toEqual({
      ...defaultSettings,
      auth: { ...defaultSettings.auth, signUp: false },
    });
  });

  test("are compared leaf by leaf", () => {
    expect(changesBetween(defaultSettings, changed)).toEqual([
      { path: "general.name", before: "Rollcall", after: "Bay City" },
      { path: "auth.signUp", before: true, after: false },
      { path: "auth.configAdminGroups", before: [], after: ["staff"] },
    ]);
  });

  test("take back one change and leave the others", () => {
    const [name] = changesBetween(defaultSettings, changed);
    const back = takeBack(changed, name ? [name] : []);
    expect(back.general.name).toBe("Rollcall");
    expect(back.auth).toEqual(changed.auth);
  });
});
