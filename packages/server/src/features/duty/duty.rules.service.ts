import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type ByHandMode, type DutyRules, dutyErrors, dutyRulesChanged, putDutyRules } from "./duty.contract.ts";
import * as repo from "./duty.repo.ts";

export interface DutyRulesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly outbox: Outbox;
}

const standard: ByHandMode = "untilSource";

/** Whether members of a job go on and off duty by hand. */
export class DutyRulesService {
  readonly #deps: DutyRulesDeps;

  constructor(deps: DutyRulesDeps) {
    this.#deps = deps;
  }

  async get(call: CallContext, job: string): Promise<DutyRules> {
    requireOwnJob(call, job);
    return await this.#deps.db.read("duty.rules", async (tx) => await this.of(tx, job));
  }

  async put(call: CallContext, job: string, { version, byHand }: { version: number; byHand: ByHandMode }): Promise<DutyRules> {
    requireOwnJob(call, job);
    const { db, clock, audit } = this.#deps;
    return await db.write(putDutyRules.id, async (tx) => {
      // A row to lock, so that of two people who change it at once the second one is refused.
      await repo.ensureRules(tx, { job, by_hand: standard, game_since: null, version: 0, updated_at: clock.now() });
      await repo.lockRules(tx, job);
      const before = await this.of(tx, job);
      if (before.version !== version) throw new AppError(dutyErrors.stale, { extra: { current: before } });
      const row = { job, by_hand: byHand, game_since: before.gameSince, version: version + 1, updated_at: clock.now() };
      await repo.saveRules(tx, row);
      await audit.record(tx, call.actor, {
        action: putDutyRules.id,
        object: { kind: "job", id: job },
        before: { byHand: before.byHand },
        after: { byHand },
      });
      await this.#changed(tx, job, row.version);
      return { ...before, byHand, version: version + 1 };
    });
  }

  async of(tx: Tx, job: string): Promise<DutyRules> {
    return (await this.ofAll(tx, [job])).get(job)!;
  }

  async ofAll(tx: Tx, jobs: readonly string[]): Promise<Map<string, DutyRules>> {
    const rows = await repo.rulesOf(tx, jobs);
    return new Map(
      jobs.map((job) => {
        const row = rows.get(job);
        const byHand = (row?.by_hand ?? standard) as ByHandMode;
        return [job, { job, version: row?.version ?? 0, byHand, gameSince: row?.game_since ?? null }];
      }),
    );
  }

  /** A game server reports duty of these jobs: from now on it decides where people do so only until then. */
  async gameReports(tx: Tx, actor: Actor, jobs: ReadonlySet<string>, now: number): Promise<void> {
    for (const job of [...jobs].toSorted()) {
      const known = await this.of(tx, job);
      if (known.gameSince !== null) continue;
      await repo.ensureRules(tx, { job, by_hand: standard, game_since: null, version: 0, updated_at: now });
      await repo.lockRules(tx, job);
      const { byHand, gameSince, version } = await this.of(tx, job);
      if (gameSince !== null) continue;
      await repo.saveRules(tx, { job, by_hand: byHand, game_since: now, version: version + 1, updated_at: now });
      await this.#deps.audit.record(tx, actor, {
        action: "duty.gameReports",
        object: { kind: "job", id: job },
        before: { gameSince: null },
        after: { gameSince: now },
      });
      await this.#changed(tx, job, version + 1);
    }
  }

  async #changed(tx: Tx, job: string, version: number): Promise<void> {
    await this.#deps.outbox.emit(tx, dutyRulesChanged, { key: `duty.rules ${job}`, version, payload: { job } });
  }
}

function requireOwnJob(call: CallContext, job: string): void {
  const viewer = call.viewer();
  if (viewer.job !== job) throw new AppError(dutyErrors.otherJob, { params: { job } });
}
