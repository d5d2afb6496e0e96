import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Rules } from "#features/accesslists/accesslists.api.ts";
import { type Notice, noticeLevels, noticesErrors, noticesPermissions } from "./notices.contract.ts";
import type { NoticeRow } from "./notices.repo.ts";

/** What grants a level without an entry of the access list. */
export function rulesOf(row: Pick<NoticeRow, "creator_id" | "creator_job" | "is_public">): Rules {
  return { creatorId: row.creator_id, creatorJob: row.creator_job, public: row.is_public === 1 };
}

/** The id of a notice as the owner of files; 0 for what is none. */
export function noticeIdOf(owner: string): number {
  return /^[1-9][0-9]{0,14}$/.test(owner) ? Number(owner) : 0;
}

/** The name of a level above 0. */
export function levelOf(level: number): Notice["level"] {
  return noticeLevels[level - 1] ?? "view";
}

/** Whether a notice exists for somebody who holds this level of it. */
export function isVisible({ deleted_at }: Pick<NoticeRow, "deleted_at">, level: number): boolean {
  return deleted_at === null && level > 0;
}

/** The level that changes, removes and restores a notice, and reads its access list. */
export const editLevel = "edit" satisfies Notice["level"];

export function mayEdit(level: number): boolean {
  return level > noticeLevels.indexOf(editLevel);
}

/** Only a removed notice, by those who may edit it. */
export function mayRestore({ deleted_at }: Pick<NoticeRow, "deleted_at">, level: number): boolean {
  return deleted_at !== null && mayEdit(level);
}

/** Whether somebody else changed the notice after `version`, which the change was made from. */
export function isStale(stored: Pick<NoticeRow, "version">, version: number): boolean {
  return stored.version !== version;
}

/** Throws `notices.publicNotAllowed` when a notice becomes public without the field `public` of the right to create. */
export function checkPublic({ rights }: Pick<Viewer, "rights">, wanted: boolean, before: boolean): void {
  if (!wanted || before) return;
  const fields = rights.attribute(noticesPermissions.create.id, "fields");
  if (!Array.isArray(fields) || !fields.includes("public")) throw new AppError(noticesErrors.publicNotAllowed);
}
