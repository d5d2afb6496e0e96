import type { Demo } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { beginDuty } from "./duty.contract.ts";
import { type DemoDuty, demoDuties } from "./duty.demo.policy.ts";
import { dutyByHand } from "./duty.policy.ts";
import type { DutyStore } from "./duty.store.service.ts";

export interface DutyDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly store: DutyStore;
}

/** From the end: those of the logins come first, and go on duty themselves. */
const looked = 400;

/** People of the demo city who are on duty by hand, so that somebody is before a game server reports anybody. */
export class DutyDemo {
  readonly #deps: DutyDemoDeps;

  constructor(deps: DutyDemoDeps) {
    this.#deps = deps;
  }

  async load({ city, actor }: Demo): Promise<number> {
    const { db, audit } = this.#deps;
    const identifiers = city.people.slice(-looked).map(({ identifier }) => identifier);
    return await db.write("duty.demo", async (tx) => {
      const found = await charactersWithJobs(tx, identifiers);
      const duties = demoDuties(identifiers.flatMap((identifier) => found.get(identifier) ?? []));
      const begun = await this.#begin(tx, duties);
      const names = await namesOfCitizens(
        tx,
        begun.map(({ id }) => id),
      );
      for (const { id, job } of begun) {
        const object = { kind: "citizen", id, name: names.get(id) ?? "" };
        await audit.record(tx, actor, { action: beginDuty.id, object, info: { job } });
      }
      return duties.length;
    });
  }

  /** Of those who are not on duty yet. */
  async #begin(tx: Tx, duties: readonly DemoDuty[]): Promise<readonly DemoDuty[]> {
    const { store, clock } = this.#deps;
    const now = clock.now();
    const people = await store.lock(tx, duties);
    const free = duties.filter(({ id }) => people.get(id)?.duty === null);
    const changes = free.map(({ id, job, grade, agoMs }) => {
      const before = people.get(id)!;
      const duty = dutyByHand(job, grade, Math.max(before.endedAt, now - agoMs));
      return { before, after: { ...before, duty, seenAt: now }, ended: [] };
    });
    await store.save(tx, changes, new Map());
    return free;
  }
}
