import { randomBytes } from "node:crypto";
import { definePermission, type PermissionDefinition } from "#core/contract/index.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import { createRole, getDefaultRole, putDefaultRole, putLimits, putRole } from "./access.contract.ts";
import type { Grant, Grants, Limits, Role, Rules } from "./access.policy.ts";
import type { AppUnderTest } from "#testkit/suite.ts";

/** One with an attribute, which is a list, and one without: what tables of rules speak of. */
export const readPermission = definePermission("a.read", { fields: { type: "strings", values: ["x", "y"] } });
export const writePermission = definePermission("a.write");

/** Grants in short: allowed, refused, or allowed with these values of `fields`. */
export type ShortGrants = Readonly<Record<string, boolean | string[]>>;

export const granted = (grants: ShortGrants): Grants =>
  new Map(
    Object.entries(grants).map(([id, given]): [string, Grant] => [
      id,
      { allow: given !== false, attributes: Array.isArray(given) ? { fields: given } : {} },
    ]),
  );

export const roleAt = (grade: number, grants: ShortGrants, job = "p"): Role => ({ job, grade, grants: granted(grants) });

export const rulesWith =
  (permissions: readonly PermissionDefinition[]) =>
  (roles: readonly Role[], limits: Readonly<Record<string, Limits>> = {}): Rules => ({
    permissions,
    roles,
    limits: new Map(Object.entries(limits)),
  });

const grant = (allow: boolean) => ({ allow, attributes: {} });

/** A job that no other test has. */
async function createJob({ world }: AppUnderTest): Promise<string> {
  const job = `twins${randomBytes(4).toString("hex")}`;
  await world.job(job);
  return job;
}

const jobAdmin = async ({ world }: AppUnderTest) => ({ token: (await world.actor({ groups: ["lead"], jobAdmin: true })).token });

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putDefaultRole,
    async prepare({ app, world }) {
      const { cookie } = await world.actor({ groups: ["admin"] });
      const { version } = (await app.call(getDefaultRole, {}, { cookie })).output;
      const change = (turn: string) => ({
        body: {
          grants: {
            "citizens.view": grant((turn === "left") === (version % 2 === 0)),
            "vehicles.list": grant(turn === "left"),
          },
        },
      });
      return { as: { cookie }, version, change };
    },
  },
  {
    operation: putRole,
    async prepare(under) {
      const as = await jobAdmin(under);
      const params = { job: await createJob(under), grade: 1 };
      const made = await under.app.call(createRole, { params: { job: params.job }, body: { grade: 1 } }, as);
      const change = (turn: string) => ({ params, body: { grants: { "citizens.view": grant(turn === "left") } } });
      return { as, version: made.output.version, change };
    },
  },
  {
    operation: putLimits,
    async prepare(under) {
      const params = { job: await createJob(under) };
      const change = (turn: string) => ({ params, body: { limits: turn === "left" ? {} : { "citizens.view": {} } } });
      return { as: await jobAdmin(under), version: 0, change };
    },
  },
];
