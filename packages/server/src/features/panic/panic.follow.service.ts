import type { Actor } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { panicRaised, panicUnanswered, repeatEveryMs, repeatPanic } from "./panic.contract.ts";
import { alarmAfter, answers } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import type { PanicStore } from "./panic.store.service.ts";

export interface FollowDeps {
  readonly clock: Clock;
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly duty: Pick<DutyApi, "in">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly store: PanicStore;
}

const actor: Actor = { kind: "system", name: repeatPanic.id };

/** Who is notified of a panic, and what follows when nobody acknowledges it. */
export class PanicFollow {
  readonly #deps: FollowDeps;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /** Of each job, those on duty who answer panics. */
  async announce(tx: Tx, row: repo.PanicRow, jobs: readonly string[]): Promise<void> {
    const { access, duty } = this.#deps;
    const rightsOf = await access.rightsIn(tx);
    const people = (await duty.in(tx, jobs)).filter(({ job, grade }) => answers(rightsOf({ job, grade, jobAdmin: false }), true));
    await this.#notify(tx, row, panicRaised, people);
  }

  /** Nobody of the job has acknowledged: everybody on duty there is notified, now and again later. */
  async repeat(tx: Tx, { id, job, at }: { readonly id: number; readonly job: string; readonly at: number }): Promise<void> {
    const { clock, duty, jobs, store } = this.#deps;
    const row = await repo.find(tx, id);
    const alarm = (await repo.alarmsOf(tx, [id])).get(id)?.find((one) => one.job === job);
    // Another timer took its place, or the alarm has ended.
    if (row?.state !== "active" || alarm?.next_at !== at || alarmAfter(alarm.state, "repeat") === null) return;
    const repeats = alarm.repeats + 1;
    const nextAt = clock.now() + repeatEveryMs;
    await repo.updateAlarm(tx, alarm, { repeats, next_at: nextAt });
    await store.planRepeat(tx, id, job, nextAt);
    await this.#notify(tx, row, panicUnanswered, await duty.in(tx, [job]));
    // What repeats itself is said once in the log and the timeline.
    if (repeats === 1) {
      await store.happened(tx, actor, row, { kind: "unanswered", text: (await jobs.labels(tx)).label(job) });
      await store.record(tx, actor, repeatPanic.id, row, { info: { job } });
    }
    await store.changed(tx, row);
  }

  async #notify(
    tx: Tx,
    { id, call_id: callId, citizen_id: citizenId, job, postal }: repo.PanicRow,
    kind: typeof panicRaised | typeof panicUnanswered,
    people: readonly { readonly citizenId: number }[],
  ): Promise<void> {
    const { notifications, jobs } = this.#deps;
    const others = people.map((one) => one.citizenId).filter((one) => one !== citizenId);
    const recipients = await accountsPlaying(tx, others);
    if (recipients.length === 0) return;
    const name = citizenId === null ? "–" : ((await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? "–");
    const params = { name, job: (await jobs.labels(tx)).label(job), where: postal ?? `DSP-${callId}` };
    await notifications.notify(tx, kind, { recipients, params, link: `/panic/${id}`, key: `panic/${id}` });
  }
}
