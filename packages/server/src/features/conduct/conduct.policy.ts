import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { covers, type Reach } from "#core/rank.ts";
import {
  type ConductEntry,
  conductErrors,
  conductPermissions,
  readableMs,
  returnMs,
  type Tone,
} from "./conduct.base.contract.ts";
import type { Threshold } from "./conduct.kinds.contract.ts";
import { entryMachine, type EntryState } from "./conduct.machine.ts";

type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** A stored entry, as far as it decides who may do what. */
export interface Judged {
  readonly job: string;
  readonly citizen_id: number;
  readonly author_id: number | null;
  readonly state: string;
  readonly wants_ack: number;
  readonly acknowledged_at: number | null;
  readonly replied_at: number | null;
  readonly left_at: number | null;
  readonly deleted_at: number | null;
}

/** What a viewer reads of the register of their job: nothing, what they wrote, or everything. */
export type Register = "none" | "own" | "all";

const includes = ({ rights }: Pick<Viewer, "rights">, permission: string, value: string): boolean => {
  const fields = rights.attribute(permission, "fields");
  return Array.isArray(fields) && (fields as readonly string[]).includes(value);
};

export function registerOf(viewer: Pick<Viewer, "rights">): Register {
  const { view, write } = conductPermissions;
  if (viewer.rights.has(view.id) && includes(viewer, view.id, "all")) return "all";
  return viewer.rights.has(view.id) || viewer.rights.has(write.id) ? "own" : "none";
}

/** What the viewer reads, for policies and queries alike. */
export interface Reader {
  readonly characterId: number;
  readonly job: string;
  readonly register: Register;
  /** Who left later still reads what was released about them. */
  readonly leftAfter: number;
}

export function readerOf(viewer: Standing, now: number): Reader {
  const { characterId, job } = viewer;
  return { characterId, job, register: registerOf(viewer), leftAfter: now - readableMs };
}

/** Whether the viewer reads it as a part of the register. */
export function inRegister({ characterId, job, register }: Reader, entry: Judged): boolean {
  if (entry.deleted_at !== null || entry.job !== job || register === "none") return false;
  return register === "all" || entry.author_id === characterId;
}

/** Whether the viewer reads it because it is about them. */
export function asSubject({ characterId, leftAfter }: Reader, entry: Judged): boolean {
  if (entry.deleted_at !== null || entry.citizen_id !== characterId || entry.state === "draft") return false;
  return entry.left_at === null || entry.left_at > leftAfter;
}

export const mayRead = (reader: Reader, entry: Judged): boolean => inRegister(reader, entry) || asSubject(reader, entry);

/** Whom the viewer outranks, or everybody. */
function reachOfWrite(viewer: Standing): Reach {
  return { any: includes(viewer, conductPermissions.write.id, "any"), own: false, upTo: viewer.grade - 1 };
}

export interface Subject {
  readonly id: number;
  readonly grade: number;
  readonly name: string;
  /** Of the account in the game, whose characters are one person; left out where nobody asks who they are. */
  readonly licence?: string;
}

type Writer = Standing & Pick<Subject, "licence">;

/** What keeps the viewer from writing about somebody of their job; null for nothing. */
export function refusalAbout(viewer: Writer, { id, grade, name, licence }: Subject): AppError | null {
  const permission = conductPermissions.write.id;
  const { job, rights } = viewer;
  if (!rights.has(permission)) return new AppError(guardErrors.permissionMissing, { params: { permission, job } });
  const isOwn = licence !== undefined && licence !== "" && licence === viewer.licence;
  if (id === viewer.characterId || isOwn) return new AppError(conductErrors.aboutYourself);
  if (covers(reachOfWrite(viewer), viewer, { characterId: id, job, grade })) return null;
  return new AppError(conductErrors.notLower, { params: { permission, job, name } });
}

/** What keeps the viewer from changing an entry that they read; null for nothing. */
export function refusalOf(viewer: Writer, entry: Judged, subject: Subject): AppError | null {
  const permission = conductPermissions.write.id;
  const { job } = viewer;
  const about = refusalAbout(viewer, subject);
  if (about !== null) return about;
  if (entry.job === job && (entry.author_id === viewer.characterId || includes(viewer, permission, "all"))) return null;
  return new AppError(conductErrors.notYours, { params: { permission, job } });
}

/** Whether its person can still answer it. */
export const canAnswer = (entry: Pick<Judged, "left_at">): boolean => entry.left_at === null;

export function actionsOf(viewer: Writer, entry: Judged, subject: Subject): ConductEntry["may"] {
  const state = entry.state as EntryState;
  const writes = refusalOf(viewer, entry, subject) === null;
  const answers = entry.citizen_id === viewer.characterId && canAnswer(entry);
  const can = (event: "edit" | "release" | "withdraw" | "acknowledge" | "reply") =>
    nextState(entryMachine, state, event) !== null;
  return [
    // About somebody who left it rests until they come back.
    ...(writes && can("edit") && entry.left_at === null ? (["edit"] as const) : []),
    ...(writes && can("edit") ? (["remove"] as const) : []),
    ...(writes && can("release") && entry.left_at === null ? (["release"] as const) : []),
    ...(writes && can("withdraw") ? (["withdraw"] as const) : []),
    ...(answers && can("acknowledge") && entry.wants_ack === 1 && entry.acknowledged_at === null
      ? (["acknowledge"] as const)
      : []),
    ...(answers && can("reply") && entry.replied_at === null ? (["reply"] as const) : []),
  ];
}

/** Points count whole until the day of the expiry, and then not at all. */
export function isExpired({ expires_at: at }: { readonly expires_at: number | null }, now: number): boolean {
  return at !== null && at <= now;
}

/** The thresholds that a release crosses: a sum that was above one before does not cross it again. */
export function crossed(thresholds: readonly Threshold[], before: number, after: number): Threshold[] {
  return thresholds.filter(({ points }) => before < points && after >= points);
}

/** How the sum of negative points changes by an entry. */
export const negativePoints = ({ tone, points }: { readonly tone: Tone; readonly points: number }): number =>
  tone === "negative" ? points : 0;

/** When the person left, after the game said whether they are in the job; undefined where nothing changes. */
export function leftAtAfter(leftAt: number | null, isIn: boolean, at: number): number | null | undefined {
  if (!isIn) return leftAt === null ? at : undefined;
  return leftAt !== null && at - leftAt <= returnMs ? null : undefined;
}

/** The entry that owns a file; 0, which no entry has, for a text that is no number. */
export const entryIdOf = (owner: string): number => (/^[1-9]\d{0,14}$/.test(owner) ? Number(owner) : 0);

/** Viewers with an equal one export the same. */
export function scopeOf(viewer: Standing): string {
  const register = registerOf(viewer);
  return JSON.stringify([viewer.job, register, register === "own" ? viewer.characterId : null]);
}
