import type { Clock, Tasks, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, OnDuty } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { alone, longAgainMs, longBreak, longBusy, remindAlone, remindLong } from "./units.contract.ts";
import { nextReminder } from "./units.policy.ts";
import * as repo from "./units.repo.ts";
import * as statuses from "./units.statuses.repo.ts";
import { usualRules } from "./units.statuses.contract.ts";

export interface UnitRemindersDeps {
  readonly clock: Clock;
  readonly tasks: Pick<Tasks, "enqueue" | "enqueueAll" | "cancel">;
  readonly duty: Pick<DutyApi, "of" | "in">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly notifications: Pick<NotificationsApi, "notify">;
}

const minute = 60_000;
const longKey = (id: number) => `unit/${id}/long`;
const isLong = (base: string) => base === "busy" || base === "break";

/** Reminders of crews with a long status, and of people on duty without a unit; each is a durable timer. */
export class UnitReminders {
  readonly #deps: UnitRemindersDeps;

  constructor(deps: UnitRemindersDeps) {
    this.#deps = deps;
  }

  /** After the status of a unit was set. */
  async planLong(tx: Tx, { id, job, base, since }: { id: number; job: string; base: string; since: number }): Promise<void> {
    const { tasks, clock } = this.#deps;
    const minutes = await this.#minutes(tx, job, "long_minutes");
    if (!isLong(base) || minutes === null) {
      await tasks.cancel(tx, remindLong, longKey(id));
      return;
    }
    const dueAt = nextReminder(since, { firstMs: minutes * minute, againMs: longAgainMs }, clock.now());
    await tasks.enqueue(tx, remindLong, { payload: { id, since }, key: longKey(id), dueAt });
  }

  /** A status may be too long; where it still is, the crew is reminded, and again later. */
  async remindLong(tx: Tx, { id, since }: { id: number; since: number }): Promise<void> {
    const { tasks, clock, notifications, duty } = this.#deps;
    const unit = await repo.find(tx, id);
    if (unit === null || unit.deleted_at !== null || !isLong(unit.base)) return;
    if ((await this.#minutes(tx, unit.job, "long_minutes")) === null) return;
    const crew = (await repo.membersOf(tx, [id])).map(({ citizen_id }) => citizen_id);
    const present = await duty.of(tx, crew);
    const recipients = await accountsPlaying(
      tx,
      crew.filter((one) => present.get(one)?.state === "on"),
    );
    const minutes = Math.floor((clock.now() - since) / minute);
    const params = { unit: unit.name, minutes };
    const kind = unit.base === "break" ? longBreak : longBusy;
    if (recipients.length > 0) await notifications.notify(tx, kind, { recipients, params, link: "/units", key: longKey(id) });
    await tasks.enqueue(tx, remindLong, { payload: { id, since }, key: longKey(id), dueAt: clock.now() + longAgainMs });
  }

  /** After people went on duty or left a unit. */
  async planAlone(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const { tasks, clock, duty } = this.#deps;
    const people = await this.#inFirstJob(tx, [...(await duty.of(tx, citizenIds)).values()]);
    const inUnits = await repo.memberships(tx, citizenIds);
    const free = people.filter(({ citizenId }) => !inUnits.has(citizenId));
    const jobs = [...new Set(free.map(({ job }) => job))];
    const left = await repo.lastLeft(
      tx,
      free.map(({ citizenId }) => citizenId),
    );
    const used = new Set((await repo.unitsIn(tx, jobs)).map(({ job }) => job));
    const rules = await statuses.rulesOf(tx, jobs);
    const planned = free.flatMap(({ citizenId, job, since }) => {
      const minutes = rules.has(job) ? rules.get(job)!.alone_minutes : usualRules.aloneMinutes;
      if (minutes === null || !used.has(job)) return [];
      const from = Math.max(since, left.get(citizenId) ?? 0);
      const dueAt = nextReminder(from, { firstMs: minutes * minute, againMs: minutes * minute }, clock.now());
      return [{ payload: { citizenId }, key: `unit/alone/${citizenId}`, dueAt }];
    });
    if (planned.length > 0) await tasks.enqueueAll(tx, remindAlone, planned);
  }

  /** After the rules of a job changed, or with its first unit. */
  async planJob(tx: Tx, job: string): Promise<void> {
    const people = await this.#deps.duty.in(tx, [job]);
    await this.planAlone(
      tx,
      people.map(({ citizenId }) => citizenId),
    );
    for (const { id, base, status_at: since } of await repo.unitsIn(tx, [job]))
      if (isLong(base)) await this.planLong(tx, { id, job, base, since });
  }

  /** Somebody may be on duty without a unit. */
  async remindAlone(tx: Tx, citizenId: number): Promise<void> {
    const { tasks, clock, duty, notifications, jobs } = this.#deps;
    const present = (await duty.of(tx, [citizenId])).get(citizenId);
    if (present === undefined || (await repo.memberships(tx, [citizenId])).has(citizenId)) return;
    if ((await this.#inFirstJob(tx, [present])).length === 0) return;
    const { job, state } = present;
    const minutes = await this.#minutes(tx, job, "alone_minutes");
    if (minutes === null || (await repo.unitsIn(tx, [job])).length === 0) return;
    const recipients = state === "on" ? await accountsPlaying(tx, [citizenId]) : [];
    const params = { job: (await jobs.labels(tx)).label(job) };
    if (recipients.length > 0) await notifications.notify(tx, alone, { recipients, params, link: "/units", key: "unit/alone" });
    const dueAt = clock.now() + minutes * minute;
    await tasks.enqueue(tx, remindAlone, { payload: { citizenId }, key: `unit/alone/${citizenId}`, dueAt });
  }

  /** Those on duty in the job whose rights they have: in a second one they cannot join a unit. */
  async #inFirstJob(tx: Tx, people: readonly OnDuty[]): Promise<OnDuty[]> {
    const found = await charactersWithJobsById(
      tx,
      people.map(({ citizenId }) => citizenId),
    );
    return people.filter(({ citizenId, job }) => found.get(citizenId)?.jobs[0]?.job === job);
  }

  async #minutes(tx: Tx, job: string, rule: "long_minutes" | "alone_minutes"): Promise<number | null> {
    const row = (await statuses.rulesOf(tx, [job])).get(job);
    if (row !== undefined) return row[rule];
    return rule === "long_minutes" ? usualRules.longMinutes : usualRules.aloneMinutes;
  }
}
