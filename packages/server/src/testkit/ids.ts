import { createHash } from "node:crypto";
import type { Ids } from "#core/ports/clock.ts";

/** The same ids in every run: `00000000000000000000000001`, ...; secrets are derived from a counter. */
export function createTestIds(seed = "rollcall"): Ids {
  let count = 0;
  let secrets = 0;
  return {
    next: () => String(++count).padStart(26, "0"),
    secret(bytes) {
      secrets += 1;
      let material = Buffer.alloc(0);
      for (let block = 0; material.length < bytes; block++) {
        material = Buffer.concat([material, createHash("sha256").update(`${seed}:${secrets}:${block}`).digest()]);
      }
      return material.subarray(0, bytes).toString("base64url");
    },
  };
}
