import type { Finding } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { refusedSyncCall } from "./sync.contract.ts";

export interface SyncRefusalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Pick<AuditApi, "latest" | "countByReason">;
}

const hourMs = 3_600_000;
/** So many addresses are named. */
const mostAddresses = 3;
const mostRead = 50;

/** For the doctor: a plugin with a wrong token says so only in the log of its game server. */
export class SyncRefusals {
  readonly #deps: SyncRefusalsDeps;

  constructor(deps: SyncRefusalsDeps) {
    this.#deps = deps;
  }

  async findings(): Promise<Finding[]> {
    const { db, clock, audit } = this.#deps;
    const now = clock.now();
    const from = now - hourMs;
    return await db.read("sync.refusals", async (tx) => {
      const question = { actions: [refusedSyncCall], result: "denied", from, to: now, reasons: ["syncTokenInvalid"] } as const;
      const { counts } = await audit.countByReason(tx, question);
      const count = counts.reduce((sum, one) => sum + one.count, 0);
      if (count === 0) return [];
      const rows = await audit.latest(tx, { action: refusedSyncCall, limit: mostRead });
      const addresses = new Set(rows.flatMap(({ at, address }) => (at < from || address === null ? [] : [address])));
      const named = [...addresses].slice(0, mostAddresses).join(", ");
      return [{ id: "sync.unknownToken", state: "warning", params: { count, addresses: named === "" ? "?" : named } }];
    });
  }
}
