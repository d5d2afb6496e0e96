import type { Viewer } from "#core/actor.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { closePeriod, freezePeriod, type Period, timeclockErrors } from "./timeclock.contract.ts";
import { periodMachine, type PeriodState } from "./timeclock.machine.ts";
import type { PeriodsService } from "./timeclock.periods.service.ts";
import * as repo from "./timeclock.periods.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface ClosingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly service: Pick<TimeclockService, "changed">;
  readonly periods: PeriodsService;
  /** People whose sums are frozen at a time. */
  readonly chunk?: number;
}

/** Closes pay periods. Each part of the people is frozen in the unit of work that says how far it came. */
export class ClosingService {
  readonly #deps: ClosingDeps;

  constructor(deps: ClosingDeps) {
    this.#deps = deps;
  }

  async close(call: CallContext, id: number, version: number): Promise<Period> {
    const { db, clock, audit, periods } = this.#deps;
    const viewer = call.viewer();
    return await db.write(closePeriod.id, async (tx) => {
      const row = await this.#requireOwn(tx, viewer, id);
      if (row.version !== version) throw new AppError(timeclockErrors.stale, { extra: { current: await periods.one(tx, row) } });
      if (row.state !== "open") throw new AppError(timeclockErrors.periodClosed);
      if (row.until_at > clock.now()) throw new AppError(timeclockErrors.periodRunning, { params: { day: row.last_day } });
      await repo.carryLater(tx, row);
      await audit.record(tx, call.actor, {
        action: closePeriod.id,
        object: { kind: "timeclock.period", id, name: `${row.first_day} – ${row.last_day}` },
        before: { state: row.state },
        after: { state: "closed" },
        info: { job: row.job },
      });
      const closing = {
        ...row,
        state: after(row, "close"),
        version: row.version + 1,
        closed_by: viewer.characterId,
        closed_at: clock.now(),
      };
      return await periods.one(tx, await this.#freeze(tx, closing));
    });
  }

  /** The next people of a period that is being closed. */
  async freezeNext(tx: Tx, id: number): Promise<void> {
    const row = await repo.findPeriod(tx, id);
    if (row?.state === "closing") await this.#freeze(tx, row);
  }

  async #freeze(tx: Tx, row: repo.PeriodRow): Promise<repo.PeriodRow> {
    const { clock, tasks, service, chunk = 500 } = this.#deps;
    await repo.freeze(tx, row, chunk);
    await repo.leaveRest(tx, row, clock.now());
    const { last, count } = await repo.frozenAfter(tx, row.id, row.after_id);
    const isDone = count < chunk;
    const sums = isDone ? await repo.frozenSums(tx, row.id) : { people: row.people, seconds: row.seconds };
    const next = {
      ...row,
      ...sums,
      after_id: last,
      ...(isDone ? { state: after(row, "finish"), version: row.version + 1 } : {}),
    };
    const { id: _id, ...values } = next;
    await repo.updatePeriods(tx, [row.id], values);
    if (!isDone) await tasks.enqueue(tx, freezePeriod, { payload: { id: row.id }, key: `freeze ${row.id} ${last}` });
    await service.changed(tx, [row.job]);
    return next;
  }

  async #requireOwn(tx: Tx, { job }: Viewer, id: number): Promise<repo.PeriodRow> {
    const row = await repo.findPeriod(tx, id);
    if (row === null || row.job !== job) throw new AppError(timeclockErrors.periodNotFound);
    return row;
  }
}

function after(row: repo.PeriodRow, event: "close" | "finish"): PeriodState {
  const state = nextState(periodMachine, row.state as PeriodState, event);
  if (state === null) throw new Error(`a pay period that is ${row.state} cannot ${event}`);
  return state;
}
