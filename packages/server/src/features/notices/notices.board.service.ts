import type { Viewer } from "#core/actor.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { idCursor } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AccessLists } from "#features/accesslists/accesslists.api.ts";
import type { AccessList } from "#features/accesslists/accesslists.contract.ts";
import type { UploadedFile } from "#features/files/files.contract.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { NoticeAttachments } from "./notices.attachments.service.ts";
import type { Notice } from "./notices.contract.ts";
import { levelOf, mayEdit, rulesOf } from "./notices.policy.ts";
import * as repo from "./notices.repo.ts";
import type { NoticeFinder } from "./notices.visible.service.ts";

export interface BoardDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobsApi;
  /** The access lists of notices. */
  readonly lists: AccessLists;
  readonly finder: NoticeFinder;
  readonly attachments: NoticeAttachments;
}

interface Shown {
  readonly labels: JobLabels;
  readonly level: number;
  readonly attachments: readonly UploadedFile[] | undefined;
}

function noticeOf(row: repo.NoticeRow, { labels, level, attachments = [] }: Shown): Notice {
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
    level: levelOf(level),
    attachments: [...attachments],
  };
}

/** Shows the notices that a viewer may see. */
export class NoticeBoard {
  readonly #deps: BoardDeps;

  constructor(deps: BoardDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, query: { cursor?: string | undefined; limit?: number | undefined }) {
    const { db, clock, jobs, lists, attachments } = this.#deps;
    const { cursor, limit = 20 } = query;
    const before = cursor === undefined ? undefined : readCursor(cursor).id;
    return await db.read("notices.list", async (tx) => {
      const found = await repo.readBoard(tx, lists.subjectOf(viewer), {
        now: clock.now(),
        limit: limit + 1,
        ...(before === undefined ? {} : { before }),
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const decisions = await lists.decideMany(
        tx,
        viewer,
        rows.map((row) => ({ id: row.id, rules: rulesOf(row) })),
      );
      const labels = await jobs.labels(tx);
      const files = await attachments.of(
        tx,
        viewer,
        rows.map(({ id }) => id),
      );
      return {
        items: rows.flatMap((row) => {
          const level = decisions.get(row.id)?.level ?? 0;
          return level > 0 ? [noticeOf(row, { labels, level, attachments: files.get(row.id) })] : [];
        }),
        next: found.length > limit && last ? writeCursor(idCursor(last)) : null,
      };
    });
  }

  /** The access list only for viewers who may edit the notice. */
  async get(viewer: Viewer, id: number): Promise<{ notice: Notice; access: AccessList | null }> {
    const { db, lists, finder } = this.#deps;
    return await db.read("notices.get", async (tx) => {
      const { row, decision } = await finder.visible(tx, viewer, id);
      return {
        notice: await this.#shown(tx, viewer, row, decision.level),
        access: mayEdit(decision.level) ? { public: row.is_public === 1, entries: await lists.list(tx, id) } : null,
      };
    });
  }

  /** A notice after a change in the same unit of work. */
  async readChanged(tx: Tx, viewer: Viewer, id: number): Promise<{ row: repo.NoticeRow; notice: Notice }> {
    const { lists } = this.#deps;
    const row = await repo.find(tx, id);
    if (!row) throw new Error("the notice that was just written does not exist");
    const { level } = await lists.decide(tx, viewer, id, rulesOf(row));
    return { row, notice: await this.#shown(tx, viewer, row, level) };
  }

  async #shown(tx: Tx, viewer: Viewer, row: repo.NoticeRow, level: number): Promise<Notice> {
    const { jobs, attachments } = this.#deps;
    const files = await attachments.of(tx, viewer, [row.id]);
    return noticeOf(row, { labels: await jobs.labels(tx), level, attachments: files.get(row.id) });
  }
}
