import type { Viewer } from "#core/actor.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import { foldLetters } from "#core/contract/fold.ts";
import { AppError } from "#core/errors.ts";
import { covers, type Member, type Reach, reachOf } from "#core/rank.ts";
import {
  type ActivityKind,
  activityKinds,
  type ChangedField,
  changedFields,
  type ColleagueField,
  colleagueFields,
  colleaguesErrors,
  colleaguesPermissions,
} from "./colleagues.base.contract.ts";
import type { ChangedPart, colleaguesChanged } from "./colleagues.contract.ts";

type Ranked = "view" | "edit" | "activity" | "promote" | "dismiss";
type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** Nobody. */
const none: Reach = { any: false, own: false, upTo: null };

function listed<T extends string>(
  { rights }: Pick<Viewer, "rights">,
  right: Ranked,
  attribute: string,
  known: readonly T[],
): T[] {
  const value = rights.attribute(colleaguesPermissions[right].id, attribute);
  return known.filter((one) => Array.isArray(value) && (value as readonly string[]).includes(one));
}

/** Whom a right reaches. */
export function reachIn(viewer: Standing, right: Ranked): Reach {
  const { id } = colleaguesPermissions[right];
  return viewer.rights.has(id) ? reachOf(viewer.rights.attribute(id, "whose"), viewer) : none;
}

/** Of whom the viewer sees a field. */
export function reachOfField(viewer: Standing, field: ColleagueField): Reach {
  return listed(viewer, "view", "fields", colleagueFields).includes(field) ? reachIn(viewer, "view") : none;
}

export const reachesNobody = ({ any, own, upTo }: Reach): boolean => !any && !own && upTo === null;

const memberOf = (viewer: Standing, { id, grade }: { readonly id: number; readonly grade: number }): Member => {
  return { characterId: id, job: viewer.job, grade };
};

/** A colleague of the viewer's job. */
export interface Subject {
  readonly id: number;
  readonly grade: number;
  readonly name: string;
}

export function sees(viewer: Standing, field: ColleagueField, subject: Pick<Subject, "id" | "grade">): boolean {
  return covers(reachOfField(viewer, field), viewer, memberOf(viewer, subject));
}

/** Who does not see a note or labels changes neither: what was there would be lost unseen, or told by what changes. */
const isBlind = (viewer: Standing, field: ChangedField, subject: Pick<Subject, "id" | "grade">): boolean =>
  field !== "name" && !sees(viewer, field, subject);

/** What the viewer may change of a colleague. */
export function changeable(viewer: Standing, subject: Pick<Subject, "id" | "grade">): ChangedField[] {
  if (!covers(reachIn(viewer, "edit"), viewer, memberOf(viewer, subject))) return [];
  return listed(viewer, "edit", "fields", changedFields).filter((field) => !isBlind(viewer, field, subject));
}

/** Throws what is missing. */
export function requireChange(viewer: Standing, fields: readonly ChangedField[], subject: Subject): void {
  const permission = colleaguesPermissions.edit.id;
  const allowed = listed(viewer, "edit", "fields", changedFields);
  const field = fields.find((one) => !allowed.includes(one));
  if (field !== undefined) throw fieldHidden(viewer, permission, field);
  if (!covers(reachIn(viewer, "edit"), viewer, memberOf(viewer, subject)))
    throw new AppError(colleaguesErrors.notYours, { params: { permission, name: subject.name, job: viewer.job } });
  const blind = fields.find((one) => isBlind(viewer, one, subject));
  if (blind !== undefined) throw fieldHidden(viewer, colleaguesPermissions.view.id, blind);
}

export function fieldHidden({ job }: Pick<Viewer, "job">, permission: string, field: string): AppError {
  return new AppError(colleaguesErrors.fieldHidden, { params: { permission, field, job } });
}

/** The kinds of activities that the viewer sees; throws for one that is wanted and not among them. */
export function kindsSeen(viewer: Standing, wanted: ActivityKind | undefined): ActivityKind[] {
  const seen = listed(viewer, "activity", "kinds", activityKinds);
  if (wanted === undefined) return seen;
  if (!seen.includes(wanted)) throw fieldHidden(viewer, colleaguesPermissions.activity.id, wanted);
  return [wanted];
}

export type ColleaguesChange = PayloadOf<typeof colleaguesChanged>;

/** The jobs of a change, where it concerns this part; a program of an earlier version does not say what it concerns. */
export function jobsChanged({ jobs, about }: ColleaguesChange, part: ChangedPart): readonly string[] {
  return (about?.includes(part) ?? true) ? jobs : [];
}

interface Crew {
  readonly callsign: string | null;
  /** Ids of citizens. */
  readonly crew: readonly number[];
}

/** Who is in a unit whose callsign begins so, with it. */
export function crewsByCallsign(units: readonly Crew[], q: string): Map<number, string> {
  const wanted = foldLetters(q.trim());
  const found = units.flatMap(({ callsign, crew }) =>
    callsign !== null && wanted !== "" && foldLetters(callsign).startsWith(wanted)
      ? crew.map((id) => [id, callsign] as const)
      : [],
  );
  return new Map(found);
}

/** Viewers with an equal one export the same. */
export function scopeOf(viewer: Standing): string {
  const labels = reachOfField(viewer, "labels");
  return JSON.stringify([viewer.job, labels, labels.own ? viewer.characterId : null]);
}
