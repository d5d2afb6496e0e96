import { nextState } from "#core/contract/index.ts";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { type ConductEntry, conductErrors, type Tone } from "./conduct.base.contract.ts";
import { entryReleased, entryWithdrawn, releaseEntry, thresholdReached, withdrawEntry } from "./conduct.contract.ts";
import { type KindRow, kindsById } from "./conduct.kinds.repo.ts";
import type { KindsService } from "./conduct.kinds.service.ts";
import { entryMachine, type EntryState } from "./conduct.machine.ts";
import { crossed, negativePoints, type Subject } from "./conduct.policy.ts";
import type { ConductRecord } from "./conduct.record.service.ts";
import * as repo from "./conduct.repo.ts";
import { auditedOf, colleague, liveKind, requireLater, requirePresent } from "./conduct.service.ts";
import type { ShownEntries } from "./conduct.shown.service.ts";
import type { Watchers } from "./conduct.watchers.service.ts";
import type { Threshold } from "./conduct.kinds.contract.ts";

export interface ReleaseDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly kinds: Pick<KindsService, "lock">;
  readonly record: ConductRecord;
  readonly shown: ShownEntries;
  readonly watchers: Watchers;
}

/** Releases entries and withdraws them; nothing else changes one that was released. */
export class ReleaseService {
  readonly #deps: ReleaseDeps;

  constructor(deps: ReleaseDeps) {
    this.#deps = deps;
  }

  async release(call: CallContext, id: number, version: number): Promise<ConductEntry> {
    const { db, kinds, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(releaseEntry.id, async (tx) => {
      const thresholds = await kinds.lock(tx, viewer.job);
      const row = await shown.writable(tx, viewer, id);
      if (row.version !== version) throw await shown.stale(tx, viewer, row);
      if (nextState(entryMachine, row.state as EntryState, "release") === null) throw new AppError(conductErrors.notDraft);
      requirePresent(row);
      if (row.body.trim() === "") throw new AppError(conductErrors.textMissing);
      requireLater(row.expires_on, shown.today());
      const kind = await liveKind(tx, row.job, row.kind_id);
      const subject = await colleague(tx, row.job, row.citizen_id);
      await this.store(tx, call.actor, row, { kind, subject, thresholds });
      return await shown.one(tx, viewer, id);
    });
  }

  /** A draft that nothing speaks against; the turn of the job is held. */
  async store(
    tx: Tx,
    actor: Actor,
    row: repo.EntryRow,
    { kind, subject, thresholds }: { kind: KindRow; subject: Subject; thresholds: readonly Threshold[] },
  ): Promise<void> {
    const { clock, record } = this.#deps;
    const now = clock.now();
    const before = (await repo.pointsOf(tx, row.job, [subject.id], now)).get(subject.id)?.negative ?? 0;
    await repo.update(tx, row.id, {
      state: "released",
      // The kind may have changed since the draft was written.
      tone: kind.tone,
      wants_ack: kind.acknowledge,
      citizen_grade: subject.grade,
      released_at: now,
      updated_at: now,
      over_at: row.expires_at ?? now,
      version: row.version + 1,
    });
    const change = { before: { state: row.state }, after: { kind: kind.name, ...auditedOf({ ...row, state: "released" }) } };
    await record.audit(tx, actor, releaseEntry.id, row, change);
    await this.#notifySubject(tx, row, kind, entryReleased);
    const after = before + negativePoints({ tone: kind.tone as Tone, points: row.points });
    for (const threshold of crossed(thresholds, before, after)) await this.#notifyOthers(tx, row.job, subject, threshold, after);
    await record.changed(tx, row, true);
  }

  async withdraw(call: CallContext, id: number, { version, reason }: { version: number; reason: string }): Promise<ConductEntry> {
    const { db, clock, kinds, record, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(withdrawEntry.id, async (tx) => {
      await kinds.lock(tx, viewer.job);
      const row = await shown.writable(tx, viewer, id);
      if (row.version !== version) throw await shown.stale(tx, viewer, row);
      const state = nextState(entryMachine, row.state as EntryState, "withdraw");
      if (state === null) throw new AppError(conductErrors.notReleased);
      const now = clock.now();
      await repo.update(tx, id, {
        state,
        withdrawn_at: now,
        withdrawn_by: viewer.characterId,
        withdrawn_reason: reason.trim(),
        updated_at: now,
        over_at: now,
        version: version + 1,
      });
      await record.audit(tx, call.actor, withdrawEntry.id, row, { before: auditedOf(row), after: { state } });
      const kind = (await kindsById(tx, [row.kind_id])).get(row.kind_id);
      if (kind !== undefined && row.left_at === null) await this.#notifySubject(tx, row, kind, entryWithdrawn);
      await record.changed(tx, row, true);
      return await shown.one(tx, viewer, id);
    });
  }

  async #notifySubject(
    tx: Tx,
    { id, job, citizen_id: citizenId }: repo.EntryRow,
    { name: kind }: KindRow,
    what: typeof entryReleased,
  ): Promise<void> {
    const { jobs, notifications } = this.#deps;
    const recipients = await accountsPlaying(tx, [citizenId]);
    const params = { job: (await jobs.labels(tx)).label(job), kind };
    await notifications.notify(tx, what, { recipients, params, link: "/conduct/mine", key: `conduct/${id}` });
  }

  async #notifyOthers(tx: Tx, job: string, { id, grade, name }: Subject, threshold: Threshold, points: number): Promise<void> {
    const { notifications, watchers } = this.#deps;
    const recipients = await watchers.of(tx, { job, notify: threshold.notify, about: id, above: grade });
    const params = { name, points, threshold: threshold.points };
    const link = `/conduct?person=${id}`;
    await notifications.notify(tx, thresholdReached, {
      recipients,
      params,
      link,
      key: `conduct/${job}/${id}/${threshold.points}`,
    });
  }
}
