import { hash, verify } from "@node-rs/argon2";
import type { PasswordHashes } from "#core/ports/index.ts";

export interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  /** Passes over the memory. */
  readonly timeCost: number;
}

/** About 30 ms a hash. Recommended by OWASP for argon2id. */
const standard: HashCost = { memoryCost: 19_456, timeCost: 2 };

/** argon2id. Tests that create many accounts pass a lower cost. */
export function createPasswordHashes(cost = standard): PasswordHashes {
  return {
    hash: async (password) => await hash(password, { ...cost, parallelism: 1 }),
    verify: async (stored, password) => await verify(stored, password),
  };
}
