import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Viewer } from "#core/actor.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { type ConductEntry, conductErrors } from "./conduct.base.contract.ts";
import { acknowledgeEntry, entryAcknowledged, entryReplied, replyToEntry } from "./conduct.contract.ts";
import { entryMachine, type EntryState } from "./conduct.machine.ts";
import { canAnswer } from "./conduct.policy.ts";
import type { ConductRecord } from "./conduct.record.service.ts";
import * as repo from "./conduct.repo.ts";
import type { ShownEntries } from "./conduct.shown.service.ts";

export interface AnswersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly record: ConductRecord;
  readonly shown: ShownEntries;
}

/** What the person of an entry answers: each once. */
export class AnswersService {
  readonly #deps: AnswersDeps;

  constructor(deps: AnswersDeps) {
    this.#deps = deps;
  }

  async acknowledge(call: CallContext, id: number, version: number): Promise<ConductEntry> {
    const { db, clock, record, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(acknowledgeEntry.id, async (tx) => {
      const row = await this.#answered(tx, viewer, id, version, "acknowledge");
      if (row.acknowledged_at !== null) throw new AppError(conductErrors.acknowledged);
      if (row.wants_ack !== 1) throw new AppError(conductErrors.notWanted);
      await repo.update(tx, id, { acknowledged_at: clock.now(), version: version + 1 });
      await record.audit(tx, call.actor, acknowledgeEntry.id, row, { after: { acknowledged: true } });
      await this.#notifyAuthor(tx, row, viewer.characterName, entryAcknowledged);
      await record.changed(tx, row, true);
      return await shown.one(tx, viewer, id);
    });
  }

  async reply(call: CallContext, id: number, { version, text }: { version: number; text: string }): Promise<ConductEntry> {
    const { db, clock, record, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(replyToEntry.id, async (tx) => {
      const row = await this.#answered(tx, viewer, id, version, "reply");
      if (row.replied_at !== null) throw new AppError(conductErrors.replied);
      await repo.update(tx, id, { replied_at: clock.now(), reply: text.trim(), version: version + 1 });
      await record.audit(tx, call.actor, replyToEntry.id, row, { after: { replied: true } });
      await this.#notifyAuthor(tx, row, viewer.characterName, entryReplied);
      await record.changed(tx, row, true);
      return await shown.one(tx, viewer, id);
    });
  }

  async #answered(tx: Tx, viewer: Viewer, id: number, version: number, event: "acknowledge" | "reply"): Promise<repo.EntryRow> {
    const { shown } = this.#deps;
    const row = await shown.readable(tx, viewer, id);
    if (row.citizen_id !== viewer.characterId || !canAnswer(row)) throw new AppError(conductErrors.notSubject);
    if (row.version !== version) throw await shown.stale(tx, viewer, row);
    if (nextState(entryMachine, row.state as EntryState, event) === null) throw new AppError(conductErrors.notReleased);
    return row;
  }

  /** As long as the author is in the job. */
  async #notifyAuthor(tx: Tx, { id, job, author_id: author }: repo.EntryRow, name: string, what: typeof entryReplied) {
    if (author === null) return;
    const jobs = (await charactersWithJobsById(tx, [author])).get(author)?.jobs ?? [];
    if (!jobs.some((one) => one.job === job)) return;
    const recipients = await accountsPlaying(tx, [author]);
    await this.#deps.notifications.notify(tx, what, {
      recipients,
      params: { name },
      link: `/conduct/${id}`,
      key: `conduct/${id}`,
    });
  }
}
