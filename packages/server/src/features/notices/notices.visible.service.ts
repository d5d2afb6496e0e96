import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccessLists, Decision } from "#features/accesslists/accesslists.api.ts";
import { noticesErrors } from "./notices.contract.ts";
import { editLevel, isVisible, rulesOf } from "./notices.policy.ts";
import * as repo from "./notices.repo.ts";

/** Finds single notices for a viewer. */
export class NoticeFinder {
  readonly #lists: AccessLists;

  /** `lists`: the access lists of notices. */
  constructor(lists: AccessLists) {
    this.#lists = lists;
  }

  /** Throws 404 for a notice that was removed or that the viewer may not see. */
  async visible(tx: Tx, viewer: Viewer, id: number): Promise<{ row: repo.NoticeRow; decision: Decision }> {
    const row = await repo.find(tx, id);
    if (!row) throw new AppError(noticesErrors.notFound);
    const decision = await this.#lists.decide(tx, viewer, id, rulesOf(row));
    if (!isVisible(row, decision.level)) throw new AppError(noticesErrors.notFound);
    return { row, decision };
  }

  /** Also throws 403 for a notice that the viewer may see but not edit. */
  async editable(tx: Tx, viewer: Viewer, id: number): Promise<repo.NoticeRow> {
    const { row, decision } = await this.visible(tx, viewer, id);
    await this.#lists.requireLevel(tx, viewer, decision, id, editLevel);
    return row;
  }
}
