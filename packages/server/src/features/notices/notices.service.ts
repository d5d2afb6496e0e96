import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import { accessChangeOf, type AccessLists, type Entry } from "#features/accesslists/accesslists.api.ts";
import type { AccessList } from "#features/accesslists/accesslists.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NoticeAttachments } from "./notices.attachments.service.ts";
import type { NoticeBoard } from "./notices.board.service.ts";
import { type Notice, noticesChanged, noticesErrors } from "./notices.contract.ts";
import { checkJobs, checkPublic, isStale, mayRestore, rulesOf } from "./notices.policy.ts";
import * as repo from "./notices.repo.ts";
import type { NoticeFinder } from "./notices.visible.service.ts";

export interface NoticesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly board: NoticeBoard;
  /** The access lists of notices. */
  readonly lists: AccessLists;
  readonly finder: NoticeFinder;
  readonly attachments: NoticeAttachments;
}

interface Content {
  readonly title: string;
  readonly text: string;
  readonly expiresAt: number | null;
  readonly access: AccessList;
  /** Ids of files; left out, they stay as they are. */
  readonly attachments?: readonly number[] | undefined;
}

const auditedOf = ({ title, body, expires_at }: repo.NoticeRow) => ({ title, text: body, expiresAt: expires_at });

/** Changes notices, each with its audit entry and event. */
export class NoticesService {
  readonly #deps: NoticesDeps;

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, content: Content): Promise<Notice> {
    const { db, clock, audit, attachments, board, lists } = this.#deps;
    const viewer = call.viewer();
    checkPublic(viewer, content.access.public, false);
    checkJobs(viewer, content.access.entries, []);
    return await db.write("notices.create", async (tx) => {
      const at = clock.now();
      const id = await repo.insert(tx, {
        version: 1,
        title: content.title,
        body: content.text,
        expires_at: content.expiresAt,
        creator_id: viewer.characterId,
        creator_job: viewer.job,
        creator_grade: viewer.grade,
        creator_name: viewer.characterName,
        is_public: content.access.public ? 1 : 0,
        created_at: at,
        updated_at: at,
      });
      const rules = { creatorId: viewer.characterId, creatorJob: viewer.job, public: content.access.public };
      const entries = await lists.save(tx, viewer, id, content.access.entries, rules);
      const files = content.attachments ?? [];
      await attachments.put(tx, viewer, id, files);
      const { row, notice } = await board.readChanged(tx, viewer, id);
      const { title, text, expiresAt } = content;
      await audit.record(tx, call.actor, {
        action: "notices.create",
        object: { kind: "notice", id },
        after: { title, text, expiresAt, public: rules.public, entries, attachments: files },
      });
      await this.#emitChanged(tx, row, [{ public: rules.public, entries }], false);
      return notice;
    });
  }

  async put(call: CallContext, id: number, change: Content & { version: number }): Promise<Notice> {
    const { db, clock, audit, attachments, board, finder, lists } = this.#deps;
    const viewer = call.viewer();
    return await db.write("notices.put", async (tx) => {
      const before = await finder.editable(tx, viewer, id);
      if (isStale(before, change.version))
        throw new AppError(noticesErrors.stale, { extra: { current: (await board.readChanged(tx, viewer, id)).notice } });
      checkPublic(viewer, change.access.public, before.is_public === 1);
      const entriesBefore = await lists.entries(tx, id);
      checkJobs(viewer, change.access.entries, entriesBefore);
      await repo.update(tx, id, {
        version: before.version + 1,
        title: change.title,
        body: change.text,
        expires_at: change.expiresAt,
        is_public: change.access.public ? 1 : 0,
        updated_at: clock.now(),
      });
      const rules = { ...rulesOf(before), public: change.access.public };
      const entries = await lists.save(tx, viewer, id, change.access.entries, rules);
      const filesBefore = await attachments.idsOf(tx, id);
      const files = change.attachments ?? filesBefore;
      await attachments.put(tx, viewer, id, files);
      const { row, notice } = await board.readChanged(tx, viewer, id);
      const listBefore = { public: before.is_public === 1, entries: entriesBefore };
      await audit.record(tx, call.actor, {
        action: "notices.put",
        object: { kind: "notice", id },
        before: { ...auditedOf(before), ...listBefore, attachments: filesBefore },
        after: { ...auditedOf(row), public: row.is_public === 1, entries, attachments: files },
      });
      await this.#emitChanged(tx, row, [{ public: rules.public, entries }, listBefore], false);
      return notice;
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    const { db, clock, audit, finder, lists } = this.#deps;
    const viewer = call.viewer();
    await db.write("notices.remove", async (tx) => {
      const row = await finder.editable(tx, viewer, id);
      const version = row.version + 1;
      await repo.update(tx, id, { version, deleted_at: clock.now(), deleted_by: viewer.characterId });
      await audit.record(tx, call.actor, {
        action: "notices.remove",
        object: { kind: "notice", id },
        before: { title: row.title, text: row.body },
      });
      const list = { public: row.is_public === 1, entries: await lists.entries(tx, id) };
      await this.#emitChanged(tx, { ...row, version }, [list], true);
    });
  }

  async restore(call: CallContext, id: number): Promise<Notice> {
    const { db, audit, board, lists } = this.#deps;
    const viewer = call.viewer();
    return await db.write("notices.restore", async (tx) => {
      const removed = await repo.find(tx, id);
      if (!removed) throw new AppError(noticesErrors.notFound);
      const { level } = await lists.decide(tx, viewer, id, rulesOf(removed));
      if (!mayRestore(removed, level)) throw new AppError(noticesErrors.notFound);
      await repo.update(tx, id, { version: removed.version + 1, deleted_at: null, deleted_by: null });
      const { row, notice } = await board.readChanged(tx, viewer, id);
      await audit.record(tx, call.actor, {
        action: "notices.restore",
        object: { kind: "notice", id },
        after: { title: row.title },
      });
      const list = { public: row.is_public === 1, entries: await lists.entries(tx, id) };
      await this.#emitChanged(tx, row, [list], false);
      return notice;
    });
  }

  /** Purges removed and expired notices with their access lists; returns how many. */
  async purge(tx: Tx, before: number, limit: number): Promise<number> {
    const { attachments, lists } = this.#deps;
    const ids = await repo.findPurgeable(tx, before, limit);
    if (ids.length > 0) await repo.purge(tx, ids);
    await lists.remove(tx, ids);
    await attachments.release(tx, ids);
    return ids.length;
  }

  /** A config admin deleted an attachment: the browsers that show the notice load it again. */
  async attachmentLost(tx: Tx, row: repo.NoticeRow): Promise<void> {
    const changed = { version: row.version + 1, updated_at: this.#deps.clock.now() };
    await repo.update(tx, row.id, changed);
    const list = { public: row.is_public === 1, entries: await this.#deps.lists.entries(tx, row.id) };
    await this.#emitChanged(tx, { ...row, ...changed }, [list], row.deleted_at !== null);
  }

  async #emitChanged(
    tx: Tx,
    row: repo.NoticeRow,
    lists: readonly { readonly public: boolean; readonly entries: readonly Entry[] }[],
    removed: boolean,
  ): Promise<void> {
    await this.#deps.outbox.emit(tx, noticesChanged, {
      key: `notice/${row.id}`,
      version: row.version,
      payload: accessChangeOf({ id: row.id, removed }, rulesOf(row), lists),
    });
  }
}
