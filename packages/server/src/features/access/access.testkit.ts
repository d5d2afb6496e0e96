import { randomBytes } from "node:crypto";
import type { VersionedOperation } from "#testkit/versions.ts";
import { createRole, getDefaultRole, putDefaultRole, putLimits, putRole } from "./access.contract.ts";
import type { AppUnderTest } from "#testkit/suite.ts";

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
