import { randomBytes } from "node:crypto";
import type { VersionedOperation } from "#testkit/versions.ts";
import { putDutyRules } from "./duty.contract.ts";

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putDutyRules,
    async prepare({ world }) {
      const job = `ruled${randomBytes(4).toString("hex")}`;
      const { token } = await world.actor({ job, rights: { "duty.manage": true } });
      return {
        as: { token },
        version: 0,
        change: (turn) => ({ params: { job }, body: { byHand: turn === "left" ? "on" : "off" } }),
      };
    },
  },
];
