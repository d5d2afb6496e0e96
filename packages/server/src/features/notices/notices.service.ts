import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import {
  type AccesslistsApi,
  type AccessLists,
  type Entry,
  type Rules,
  subjectOf,
} from "#features/accesslists/accesslists.api.ts";
import type { AccessList } from "#features/accesslists/accesslists.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import { type Notice, noticeLevels, noticesChanged, noticesErrors, noticesPermissions } from "./notices.contract.ts";
import * as repo from "./notices.repo.ts";

export interface NoticesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly accesslists: AccesslistsApi;
  readonly jobs: JobsApi;
}

interface Words {
  readonly title: string;
  readonly text: string;
  readonly expiresAt: number | null;
  readonly access: AccessList;
}

type Tuple = [subject: string, job: string, minGrade: number, id: number, level: number];

const rulesOf = (row: repo.NoticeRow): Rules => ({
  creatorId: row.creator_id,
  creatorJob: row.creator_job,
  public: row.is_public === 1,
});

function noticeOf(row: repo.NoticeRow, labels: JobLabels, level: number): Notice {
  return {
    id: row.id,
    version: row.version,
    title: row.title,
    text: row.body,
    expiresAt: row.expires_at,
    creator: row.creator_id === null ? null : { id: row.creator_id, name: row.creator_name },
    job: labels.badge(row.creator_job, row.creator_grade),
    public: row.is_public === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    level: noticeLevels[level - 1] ?? "view",
  };
}

export function createNoticesService(deps: NoticesDeps) {
  const lists: AccessLists = deps.accesslists.register({
    kind: repo.noticeKind,
    levels: noticeLevels,
    async rules(tx, id) {
      const row = await repo.find(tx, id);
      return row && row.deleted_at === null ? rulesOf(row) : null;
    },
  });

  /** The notice and what the viewer may do; unseen ones are not there. */
  async function see(tx: Tx, viewer: Viewer, id: number) {
    const row = await repo.find(tx, id);
    if (!row || row.deleted_at !== null) throw new AppError(noticesErrors.notFound);
    const decision = await lists.decide(tx, viewer, id, rulesOf(row));
    if (decision.level === 0) throw new AppError(noticesErrors.notFound);
    return { row, decision };
  }

  async function seeToEdit(tx: Tx, viewer: Viewer, id: number) {
    const seen = await see(tx, viewer, id);
    await lists.need(tx, seen.decision, id, "edit");
    return seen.row;
  }

  function checkPublic(viewer: Viewer, wanted: boolean, before: boolean): void {
    if (!wanted || before) return;
    const fields = viewer.rights.attribute(noticesPermissions.create.id, "fields");
    if (!Array.isArray(fields) || !fields.includes("public")) throw new AppError(noticesErrors.publicNotAllowed);
  }

  async function announce(
    tx: Tx,
    row: repo.NoticeRow,
    lists: readonly { readonly public: boolean; readonly entries: readonly Entry[] }[],
    removed: boolean,
  ): Promise<void> {
    const { creatorId, creatorJob } = rulesOf(row);
    await deps.outbox.emit(tx, noticesChanged, {
      key: `notice/${row.id}`,
      version: row.version,
      payload: {
        id: row.id,
        removed,
        creatorId,
        creatorJob,
        lists: lists.map(({ public: isPublic, entries }) => ({
          public: isPublic,
          entries: entries.map((entry): Tuple => [entry.subject, entry.job, entry.minGrade, entry.id, entry.level]),
        })),
      },
    });
  }

  async function reread(tx: Tx, viewer: Viewer, id: number) {
    const row = await repo.find(tx, id);
    if (!row) throw new Error("the notice just written is not there");
    const { level } = await lists.decide(tx, viewer, id, rulesOf(row));
    return { row, notice: noticeOf(row, await deps.jobs.labels(tx), level) };
  }

  return {
    list: async (viewer: Viewer, query: { before?: number | undefined; limit?: number | undefined }) =>
      await deps.db.read("notices.list", async (tx) => {
        const { before, limit = 20 } = query;
        const found = await repo.readBoard(tx, subjectOf(viewer), {
          now: deps.clock.now(),
          limit: limit + 1,
          ...(before === undefined ? {} : { before }),
        });
        const rows = found.slice(0, limit);
        const decisions = await lists.decideMany(
          tx,
          viewer,
          rows.map((row) => ({ id: row.id, rules: rulesOf(row) })),
        );
        const labels = await deps.jobs.labels(tx);
        return {
          items: rows.map((row) => noticeOf(row, labels, decisions.get(row.id)?.level ?? 1)),
          next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
        };
      }),

    get: async (viewer: Viewer, id: number) =>
      await deps.db.read("notices.get", async (tx) => {
        const { row, decision } = await see(tx, viewer, id);
        const mayEdit = decision.level === noticeLevels.length;
        return {
          notice: noticeOf(row, await deps.jobs.labels(tx), decision.level),
          access: mayEdit ? { public: row.is_public === 1, entries: await lists.list(tx, id) } : null,
        };
      }),

    async create(call: CallContext, words: Words): Promise<Notice> {
      const viewer = call.viewer();
      checkPublic(viewer, words.access.public, false);
      return await deps.db.write("notices.create", async (tx) => {
        const at = deps.clock.now();
        const id = await repo.insert(tx, {
          version: 1,
          title: words.title,
          body: words.text,
          expires_at: words.expiresAt,
          creator_id: viewer.characterId,
          creator_job: viewer.job,
          creator_grade: viewer.grade,
          creator_name: viewer.characterName,
          is_public: words.access.public ? 1 : 0,
          created_at: at,
          updated_at: at,
        });
        const rules = { creatorId: viewer.characterId, creatorJob: viewer.job, public: words.access.public };
        const entries = await lists.save(tx, viewer, id, words.access.entries, rules);
        const { row, notice } = await reread(tx, viewer, id);
        await deps.audit.record(tx, call.actor, {
          action: "notices.create",
          object: { kind: "notice", id },
          after: { title: words.title, text: words.text, expiresAt: words.expiresAt, public: words.access.public, entries },
        });
        await announce(tx, row, [{ public: rules.public, entries }], false);
        return notice;
      });
    },

    async put(call: CallContext, id: number, change: Words & { version: number }): Promise<Notice> {
      const viewer = call.viewer();
      return await deps.db.write("notices.put", async (tx) => {
        const before = await seeToEdit(tx, viewer, id);
        if (before.version !== change.version)
          throw new AppError(noticesErrors.stale, { extra: { current: (await reread(tx, viewer, id)).notice } });
        checkPublic(viewer, change.access.public, before.is_public === 1);
        const entriesBefore = await lists.entries(tx, id);
        await repo.update(tx, id, {
          version: before.version + 1,
          title: change.title,
          body: change.text,
          expires_at: change.expiresAt,
          is_public: change.access.public ? 1 : 0,
          updated_at: deps.clock.now(),
        });
        const rules = { ...rulesOf(before), public: change.access.public };
        const entries = await lists.save(tx, viewer, id, change.access.entries, rules);
        const { row, notice } = await reread(tx, viewer, id);
        await deps.audit.record(tx, call.actor, {
          action: "notices.put",
          object: { kind: "notice", id },
          before: {
            title: before.title,
            text: before.body,
            expiresAt: before.expires_at,
            public: before.is_public === 1,
            entries: entriesBefore,
          },
          after: { title: row.title, text: row.body, expiresAt: row.expires_at, public: row.is_public === 1, entries },
        });
        const lost = { public: before.is_public === 1, entries: entriesBefore };
        await announce(tx, row, [{ public: rules.public, entries }, lost], false);
        return notice;
      });
    },

    async remove(call: CallContext, id: number): Promise<void> {
      const viewer = call.viewer();
      await deps.db.write("notices.remove", async (tx) => {
        const row = await seeToEdit(tx, viewer, id);
        const version = row.version + 1;
        await repo.update(tx, id, { version, deleted_at: deps.clock.now(), deleted_by: viewer.characterId });
        await deps.audit.record(tx, call.actor, {
          action: "notices.remove",
          object: { kind: "notice", id },
          before: { title: row.title, text: row.body },
        });
        const list = { public: row.is_public === 1, entries: await lists.entries(tx, id) };
        await announce(tx, { ...row, version }, [list], true);
      });
    },

    async restore(call: CallContext, id: number): Promise<Notice> {
      const viewer = call.viewer();
      return await deps.db.write("notices.restore", async (tx) => {
        const removed = await repo.find(tx, id);
        const level = removed?.deleted_at == null ? 0 : (await lists.decide(tx, viewer, id, rulesOf(removed))).level;
        if (!removed || level < noticeLevels.length) throw new AppError(noticesErrors.notFound);
        await repo.update(tx, id, { version: removed.version + 1, deleted_at: null, deleted_by: null });
        const { row, notice } = await reread(tx, viewer, id);
        await deps.audit.record(tx, call.actor, {
          action: "notices.restore",
          object: { kind: "notice", id },
          after: { title: row.title },
        });
        const list = { public: row.is_public === 1, entries: await lists.entries(tx, id) };
        await announce(tx, row, [list], false);
        return notice;
      });
    },

    /** For good, with their access lists. */
    async removeGone(tx: Tx, before: number, limit: number): Promise<number> {
      const ids = await repo.findGone(tx, before, limit);
      if (ids.length > 0) await repo.purge(tx, ids);
      await lists.forget(tx, ids);
      return ids.length;
    },
  };
}

export type NoticesService = ReturnType<typeof createNoticesService>;
