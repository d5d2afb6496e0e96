import { randomBytes } from "node:crypto";
import type { VersionedOperation } from "#testkit/versions.ts";
import { putProperties } from "./jobs.contract.ts";

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putProperties,
    async prepare({ world }) {
      const job = `painted${randomBytes(4).toString("hex")}`;
      await world.job(job);
      const { token } = await world.actor({ job, rights: { "jobs.properties": {}, "jobs.message": {} } });
      const properties = (turn: string) => ({ colour: null, icon: null, radioFrequency: turn, message: "" });
      return { as: { token }, version: 0, change: (turn) => ({ params: { job }, body: { properties: properties(turn) } }) };
    },
  },
];
