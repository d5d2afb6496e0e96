import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { characterIdsWithGrades } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import {
  periodEnded,
  type PeriodLength,
  type PayRules,
  putPayRules,
  timeclockErrors,
  timeclockPermissions,
} from "./timeclock.contract.ts";
import { beginningOf, periodsUntil } from "./timeclock.periods.policy.ts";
import * as repo from "./timeclock.periods.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface PayRulesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "job">;
  readonly notifications: NotificationsApi;
  readonly service: Pick<TimeclockService, "changed">;
}

/** Of a job, who are notified that a period has ended. */
const mostNotified = 500;

const shown = (row: repo.RulesRow | null): PayRules => {
  return { version: row?.version ?? 0, length: (row?.length ?? null) as PayRules["length"] };
};

/** How long the pay periods of a job are, and the periods that follow from that as time goes on. */
export class PayRulesService {
  readonly #deps: PayRulesDeps;

  constructor(deps: PayRulesDeps) {
    this.#deps = deps;
  }

  async get({ job }: Viewer): Promise<PayRules> {
    return await this.#deps.db.read("timeclock.payRules", async (tx) => shown(await repo.rulesOf(tx, job)));
  }

  async put(call: CallContext, { version, length }: PayRules): Promise<PayRules> {
    const { db, clock, audit, service, zone } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putPayRules.id, async (tx) => {
      const now = clock.now();
      const before = shown(await repo.lockRules(tx, { job, length: null, version: 0, updated_at: now }));
      if (before.version !== version) throw new AppError(timeclockErrors.stale, { extra: { current: before } });
      const after = { version: version + 1, length };
      await repo.saveRules(tx, job, { length, version: after.version, updated_at: now });
      // The days without pay periods belong to none.
      if (length !== null) await this.#add(tx, job, length, before.length === null ? beginningOf(length, zone.dayOf(now)) : null);
      await audit.record(tx, call.actor, {
        action: putPayRules.id,
        object: { kind: "timeclock.payRules", id: job, name: job },
        before: { length: before.length },
        after: { length },
      });
      await service.changed(tx, [job]);
      return after;
    });
  }

  /** For a job that has not set any: periods from a day on. */
  async begin(tx: Tx, job: string, length: PeriodLength, from: string): Promise<void> {
    const updated_at = this.#deps.clock.now();
    const { version } = await repo.lockRules(tx, { job, length: null, version: 0, updated_at });
    if (version > 0) return;
    await repo.saveRules(tx, job, { length, version: 1, updated_at });
    await this.#add(tx, job, length, from);
  }

  /** Adds the periods that have begun, and notifies once about those that have ended. */
  async goOn(): Promise<void> {
    const { db, clock } = this.#deps;
    const jobs = await db.read("timeclock.payJobs", async (tx) => await repo.jobsToFollow(tx, clock.now()));
    const follow = async (job: string) =>
      await db.write("timeclock.goOn", async (tx) => {
        const { length } = await repo.lockRules(tx, { job, length: null, version: 0, updated_at: clock.now() });
        if ((await repo.takeBackFuture(tx, job, clock.now())) > 0) await this.#deps.service.changed(tx, [job]);
        // Where there are no more of them, the last one still ends, and can be closed.
        if (length !== null) await this.#add(tx, job, length as PeriodLength, null);
        await this.#tell(tx, job);
      });
    const failures: unknown[] = [];
    for (const job of jobs) await follow(job).catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw new AggregateError(failures, `the pay periods of ${failures.length} of ${jobs.length} jobs did not go on`);
  }

  /** `from`: the earliest day of a new one; otherwise they follow the last one. */
  async #add(tx: Tx, job: string, length: PeriodLength, from: string | null): Promise<void> {
    const { clock, zone } = this.#deps;
    const now = clock.now();
    const today = zone.dayOf(now);
    const last = await repo.lastPeriod(tx, job);
    const following = last === null ? null : addDays(last.last_day, 1);
    const first = [from, following].filter((day) => day !== null).toSorted();
    const firstDay = first.at(-1) ?? beginningOf(length, today);
    const added = periodsUntil(length, firstDay, today);
    if (added.length === 0) return;
    await repo.insertPeriods(
      tx,
      added.map((one) => ({
        ...{ job, first_day: one.firstDay, last_day: one.lastDay },
        ...{ from_at: zone.startOf(one.firstDay), until_at: zone.endOf(one.lastDay) },
        ...{ state: "open", version: 1, after_id: 0, people: null, seconds: null },
        ...{ told_at: null, closed_by: null, closed_at: null, created_at: now },
      })),
    );
    await this.#deps.service.changed(tx, [job]);
  }

  async #tell(tx: Tx, job: string): Promise<void> {
    const { clock, notifications, service } = this.#deps;
    const ended = await repo.untold(tx, job, clock.now());
    if (ended.length === 0) return;
    const recipients = await this.#leaders(tx, job);
    for (const { id, first_day: first, last_day: last } of ended)
      await notifications.notify(tx, periodEnded, {
        recipients,
        params: { first, last },
        link: `/jobs/timeclock/periods/${id}`,
        key: `period/${id}`,
      });
    await repo.updatePeriods(
      tx,
      ended.map(({ id }) => id),
      { told_at: clock.now() },
    );
    await service.changed(tx, [job]);
  }

  async #leaders(tx: Tx, job: string): Promise<{ accountId: number; characterId: number }[]> {
    const rightsOf = await this.#deps.access.rightsIn(tx);
    const all = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
    const grades = all.filter((grade) => rightsOf({ job, grade, jobAdmin: false }).has(timeclockPermissions.close.id));
    return await accountsPlaying(tx, await characterIdsWithGrades(tx, [{ job, grades }], mostNotified));
  }
}
