import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { type AccessLists, type Decision, subjectOf } from "#features/accesslists/accesslists.api.ts";
import type { AccessList } from "#features/accesslists/accesslists.contract.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import { type Notice, noticesErrors } from "./notices.contract.ts";
import { isVisible, levelOf, mayEdit, rulesOf } from "./notices.policy.ts";
import * as repo from "./notices.repo.ts";

export interface BoardDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobsApi;
  /** The access lists of notices. */
  readonly lists: AccessLists;
}

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
    level: levelOf(level),
  };
}

/** Shows the notices that a viewer may see. */
export class NoticeBoard {
  readonly #deps: BoardDeps;

  constructor(deps: BoardDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, query: { before?: number | undefined; limit?: number | undefined }) {
    const { db, clock, jobs, lists } = this.#deps;
    return await db.read("notices.list", async (tx) => {
      const { before, limit = 20 } = query;
      const found = await repo.readBoard(tx, subjectOf(viewer), {
        now: clock.now(),
        limit: limit + 1,
        ...(before === undefined ? {} : { before }),
      });
      const rows = found.slice(0, limit);
      const decisions = await lists.decideMany(
        tx,
        viewer,
        rows.map((row) => ({ id: row.id, rules: rulesOf(row) })),
      );
      const labels = await jobs.labels(tx);
      return {
        items: rows.map((row) => noticeOf(row, labels, decisions.get(row.id)?.level ?? 1)),
        next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
      };
    });
  }

  /** The access list only for viewers who may edit the notice. */
  async get(viewer: Viewer, id: number): Promise<{ notice: Notice; access: AccessList | null }> {
    const { db, jobs, lists } = this.#deps;
    return await db.read("notices.get", async (tx) => {
      const { row, decision } = await this.readVisible(tx, viewer, id);
      return {
        notice: noticeOf(row, await jobs.labels(tx), decision.level),
        access: mayEdit(decision.level) ? { public: row.is_public === 1, entries: await lists.list(tx, id) } : null,
      };
    });
  }

  /** Throws 404 for a notice that was removed or that the viewer may not see. */
  async readVisible(tx: Tx, viewer: Viewer, id: number): Promise<{ row: repo.NoticeRow; decision: Decision }> {
    const row = await repo.find(tx, id);
    if (!row) throw new AppError(noticesErrors.notFound);
    const decision = await this.#deps.lists.decide(tx, viewer, id, rulesOf(row));
    if (!isVisible(row, decision.level)) throw new AppError(noticesErrors.notFound);
    return { row, decision };
  }

  /** A notice after a change in the same unit of work. */
  async readChanged(tx: Tx, viewer: Viewer, id: number): Promise<{ row: repo.NoticeRow; notice: Notice }> {
    const { jobs, lists } = this.#deps;
    const row = await repo.find(tx, id);
    if (!row) throw new Error("the notice that was just written does not exist");
    const { level } = await lists.decide(tx, viewer, id, rulesOf(row));
    return { row, notice: noticeOf(row, await jobs.labels(tx), level) };
  }
}
