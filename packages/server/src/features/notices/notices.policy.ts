import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Entry, Rules } from "#features/accesslists/accesslists.api.ts";
import type { AccessEntry } from "#features/accesslists/accesslists.contract.ts";
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

/** Fields of the right to put up notices. */
type Reach = "jobs" | "public";

function reaches({ rights }: Pick<Viewer, "rights">, ...fields: readonly Reach[]): boolean {
  const held = rights.attribute(noticesPermissions.create.id, "fields");
  return Array.isArray(held) && fields.some((field) => held.includes(field));
}

/** Throws `notices.publicNotAllowed` when a notice becomes public without the field `public` of the right to create. */
export function checkPublic(viewer: Pick<Viewer, "rights">, wanted: boolean, before: boolean): void {
  if (wanted && !before && !reaches(viewer, "public")) throw new AppError(noticesErrors.publicNotAllowed);
}

/** Throws `notices.otherJobNotAllowed` when entries show the notice to a job that is neither the own one nor among those of `before`. */
export function checkJobs(
  viewer: Pick<Viewer, "rights" | "job">,
  wanted: readonly Pick<AccessEntry, "subject" | "job" | "level">[],
  before: readonly Pick<Entry, "subject" | "job" | "level">[],
): void {
  if (reaches(viewer, "jobs", "public")) return;
  const known = before.filter(({ subject, level }) => subject === "job" && level > 0).map(({ job }) => job);
  const shown = wanted.filter(({ subject, level }) => subject === "job" && level !== "blocked");
  const other = shown.find(({ job }) => job !== viewer.job && !known.includes(job));
  if (other) throw new AppError(noticesErrors.otherJobNotAllowed, { params: { job: other.job } });
}
