import type { Actor } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { refOf } from "#features/calls/calls.contract.ts";
import { characterIdsWithGrades, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { panicAbandoned, panicRaised, panicUnanswered, repeatForMs, repeatPanic } from "./panic.contract.ts";
import { alarmAfter, answers, repeatsNextAt } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import type { PanicStore } from "./panic.store.service.ts";

export interface FollowDeps {
  readonly clock: Clock;
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly duty: Pick<DutyApi, "in">;
  readonly jobs: Pick<JobsApi, "job" | "labels">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly store: PanicStore;
}

type AnswersIn = (job: string, grade: number, isOn: boolean) => boolean;

/** Who is alarmed at once. */
export interface Audience {
  readonly people: readonly number[];
  /** Jobs in which nobody on duty answers panics: there it is everybody on duty. */
  readonly everybody: readonly string[];
}

/** Most people off duty who are notified. */
const mostOffDuty = 500;

const actor: Actor = { kind: "system", name: repeatPanic.id };

/** Who is notified of a panic, and what follows when nobody acknowledges it. */
export class PanicFollow {
  readonly #deps: FollowDeps;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /** Of these jobs, without the person in danger. */
  async audience(tx: Tx, jobs: readonly string[], citizenId: number): Promise<Audience> {
    const { access, duty } = this.#deps;
    const rightsOf = await access.rightsIn(tx);
    const answersIn: AnswersIn = (job, grade, isOn) => answers(rightsOf({ job, grade, jobAdmin: false }), isOn);
    const onDuty = (await duty.in(tx, jobs)).filter((one) => one.citizenId !== citizenId);
    const answering = new Set(onDuty.filter(({ job, grade }) => answersIn(job, grade, true)));
    const answered = new Set([...answering].map(({ job }) => job));
    const alarmed = onDuty.filter((one) => answering.has(one) || !answered.has(one.job)).map((one) => one.citizenId);
    const off = (await this.#offDuty(tx, jobs, answersIn)).filter((one) => one !== citizenId);
    return { people: [...new Set([...alarmed, ...off])], everybody: jobs.filter((job) => !answered.has(job)) };
  }

  async announce(tx: Tx, row: repo.PanicRow, people: readonly number[]): Promise<void> {
    await this.#notify(tx, row, panicRaised, people);
  }

  /** Nobody of the job has acknowledged: everybody on duty there is notified, now and again later, for a quarter of an hour. */
  async repeat(tx: Tx, { id, job, at }: { readonly id: number; readonly job: string; readonly at: number }): Promise<void> {
    const { clock, duty, jobs, store } = this.#deps;
    const row = await repo.find(tx, id);
    const alarm = (await repo.alarmsOf(tx, [id])).get(id)?.find((one) => one.job === job);
    // Another timer took its place, or the alarm has ended.
    if (row?.state !== "active" || alarm?.next_at !== at || alarmAfter(alarm.state, "repeat") === null) return;
    const now = clock.now();
    const repeats = alarm.repeats + 1;
    const nextAt = repeatsNextAt(row.pressed_at, now);
    await repo.updateAlarm(tx, alarm, { repeats, next_at: nextAt ?? 0 });
    if (nextAt !== null) await store.planRepeat(tx, id, job, nextAt);
    const people = (await duty.in(tx, [job])).map((one) => one.citizenId);
    await this.#notify(tx, row, nextAt === null ? panicAbandoned : panicUnanswered, people);
    // What repeats itself is said at its beginning and its end, in the log and the timeline.
    if (repeats === 1 || nextAt === null) {
      await store.happened(tx, actor, row, { kind: "unanswered", text: (await jobs.labels(tx)).label(job) });
      await store.record(tx, actor, repeatPanic.id, row, { info: { job, repeats: String(repeats) } });
    }
    await store.changed(tx, row);
  }

  /** Who answers off duty too: of the grades that may, in their first job. */
  async #offDuty(tx: Tx, jobs: readonly string[], answersIn: AnswersIn): Promise<number[]> {
    const wanted = [];
    for (const job of jobs) {
      const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
      wanted.push({ job, grades: grades.filter((grade) => answersIn(job, grade, false)) });
    }
    return await characterIdsWithGrades(tx, wanted, mostOffDuty);
  }

  async #notify(
    tx: Tx,
    { id, call_id: callId, citizen_id: citizenId, job, postal }: repo.PanicRow,
    kind: typeof panicRaised | typeof panicUnanswered | typeof panicAbandoned,
    people: readonly number[],
  ): Promise<void> {
    const { notifications, jobs } = this.#deps;
    const others = people.filter((one) => one !== citizenId);
    const recipients = await accountsPlaying(tx, others);
    if (recipients.length === 0) return;
    const name = citizenId === null ? "–" : ((await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? "–");
    const where = postal ?? refOf(callId);
    const about = { name, job: (await jobs.labels(tx)).label(job), where };
    const params = kind === panicAbandoned ? { ...about, minutes: repeatForMs / 60_000 } : about;
    await notifications.notify(tx, kind, { recipients, params, link: `/panic/${id}`, key: `panic/${id}` });
  }
}
