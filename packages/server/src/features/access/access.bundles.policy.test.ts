import { describe, expect, test } from "vitest";
import { definePermission, type PermissionDefinition } from "#core/contract/index.ts";
import { features } from "#app/features.ts";
import { bundledPermissions, bundleNames, bundlesOf } from "./access.bundles.policy.ts";
import { isValidValue } from "./access.values.policy.ts";

const all = features.flatMap(({ contract }) => contract.permissions ?? []);
const bundles = bundlesOf(all);

describe("bundles", () => {
  test("name only permissions and values that exist", () => {
    expect(bundledPermissions.filter((id) => !all.some((one) => one.id === id))).toEqual([]);
    for (const { grants } of bundles)
      for (const [id, { attributes }] of Object.entries(grants))
        for (const [name, value] of Object.entries(attributes)) {
          const definition = all.find((one) => one.id === id)?.attributes[name];
          expect([id, name, definition !== undefined && isValidValue(definition, value)]).toEqual([id, name, true]);
        }
  });

  test("come in their order, each with at least one permission, and allow everything they name", () => {
    expect(bundles.map(({ name }) => name)).toEqual([...bundleNames]);
    for (const { name, grants } of bundles) {
      expect([name, Object.keys(grants).length > 0]).toEqual([name, true]);
      expect([name, Object.values(grants).every(({ allow }) => allow)]).toEqual([name, true]);
    }
  });

  test("give nothing that decides about others' rights, accounts, settings or the audit log", () => {
    const harmless = /^(?:citizens|vehicles)\.\w+$|^access\.viewRoles$/;
    expect(bundledPermissions.filter((id) => !harmless.test(id))).toEqual([]);
  });

  test("show a person's licences only to police and justice", () => {
    const showing = bundles.filter(({ grants }) => JSON.stringify(grants["citizens.list"] ?? {}).includes("licences"));
    expect(showing.map(({ name }) => name)).toEqual(["police", "justice"]);
  });
});

describe("a catalogue of another version", () => {
  test("without a permission leaves it out", () => {
    expect(bundlesOf([]).every(({ grants }) => Object.keys(grants).length === 0)).toBe(true);
  });

  test("limits values to those it knows, and leaves out attributes that it does not know", () => {
    const known = [definePermission("citizens.list", { fields: { type: "strings", values: ["phone", "new"] } })];
    const police = (permissions: readonly PermissionDefinition[]) =>
      bundlesOf(permissions).find(({ name }) => name === "police")?.grants;
    expect(police(known)).toEqual({ "citizens.list": { allow: true, attributes: { fields: ["phone"] } } });
    expect(police([definePermission("citizens.list")])).toEqual({
      "citizens.list": { allow: true, attributes: {} },
    });
  });
});
