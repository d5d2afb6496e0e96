import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import type { RoleGrants } from "./access.shapes.contract.ts";
import { isValidValue, knownValue } from "./access.values.policy.ts";

type Attributes = Readonly<Record<string, AttributeValue>>;

export const bundleNames = ["police", "medics", "fire", "justice", "mechanic", "taxi", "press", "company", "gang"] as const;
type BundleName = (typeof bundleNames)[number];

const none: Attributes = {};
const staff: Readonly<Record<string, Attributes>> = { "access.viewRoles": none };

/** What a role of such a job usually needs, without anything that decides about the rights of others. */
const bundles: Readonly<Record<BundleName, Readonly<Record<string, Attributes>>>> = {
  police: {
    "citizens.list": { fields: ["job", "phone", "licences"] },
    "citizens.view": none,
    "vehicles.list": { fields: ["owner"] },
    ...staff,
  },
  medics: { "citizens.list": { fields: ["phone"] }, "citizens.view": none, "vehicles.list": { fields: [] }, ...staff },
  fire: { "citizens.list": { fields: ["phone"] }, "vehicles.list": { fields: ["owner"] }, ...staff },
  justice: {
    "citizens.list": { fields: ["job", "phone", "licences", "visum"] },
    "citizens.view": none,
    "vehicles.list": { fields: ["owner"] },
    ...staff,
  },
  mechanic: { "vehicles.list": { fields: ["owner"] }, ...staff },
  taxi: { "citizens.list": { fields: ["phone"] }, ...staff },
  press: { "citizens.list": { fields: ["job"] }, ...staff },
  company: { ...staff },
  gang: { ...staff },
};

/** The bundles as grants, limited to the permissions and values that exist in this catalogue. */
export function bundlesOf(permissions: readonly PermissionDefinition[]): { name: BundleName; grants: RoleGrants }[] {
  return bundleNames.map((name) => ({
    name,
    grants: Object.fromEntries(
      permissions.flatMap(({ id, attributes }) => {
        const bundled = bundles[name][id];
        if (bundled === undefined) return [];
        const values = Object.entries(bundled).flatMap(([attribute, value]) => {
          const definition = attributes[attribute];
          if (!definition) return [];
          const known = knownValue(definition, value);
          return isValidValue(definition, known) ? [[attribute, known] as const] : [];
        });
        return [[id, { allow: true, attributes: Object.fromEntries(values) }]];
      }),
    ),
  }));
}

/** Permissions that the bundles name, for the test that all of them exist. */
export const bundledPermissions: readonly string[] = [...new Set(Object.values(bundles).flatMap((one) => Object.keys(one)))];
