import type { Rights, Viewer } from "#core/actor.ts";
import { type AttributeValue, reachesRow } from "#core/contract/index.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import { type Citizen, type CitizenField, citizenFields, citizensPermissions, type CitizenRow } from "./citizens.contract.ts";
import type { CitizenDetails, CitizenSource, CustomColumns, ListedCitizen } from "./citizens.repo.ts";

/** Which restricted fields a viewer sees. */
export type VisibleFields = ReadonlySet<CitizenField>;

/** Fields that the configuration switched off for everyone. */
export function disabledFields(custom: CustomColumns): CitizenField[] {
  const off: CitizenField[] = [];
  if (custom.visum === null) off.push("visum");
  if (custom.playtime === null) off.push("playtime");
  return off;
}

export function visibleFields(rights: Rights, disabled: readonly CitizenField[]): VisibleFields {
  const held = rights.attribute(citizensPermissions.list.id, "fields");
  const named = Array.isArray(held) ? (held as readonly string[]) : [];
  return new Set(citizenFields.filter((field) => named.includes(field) && !disabled.includes(field)));
}

/** What a viewer sees of a whole citizen. */
export interface ViewScope {
  readonly fields: VisibleFields;
  /** The value of `licenceTypes`; undefined shows every type. */
  readonly licenceTypes: AttributeValue | undefined;
}

export function viewScopeOf(rights: Rights, disabled: readonly CitizenField[]): ViewScope {
  return {
    fields: visibleFields(rights, disabled),
    licenceTypes: rights.attribute(citizensPermissions.list.id, "licenceTypes"),
  };
}

/** What the game knows of somebody, and that person may always see. */
const ownFields: readonly CitizenField[] = ["job", "phone", "licences"];

/** What a viewer sees of one citizen; null when the viewer may not open it. */
export function profileScopeOf(
  { characterId, rights }: Pick<Viewer, "characterId" | "rights">,
  id: number,
  disabled: readonly CitizenField[],
): ViewScope | null {
  const { fields, licenceTypes } = viewScopeOf(rights, disabled);
  if (id === characterId) return { fields: new Set([...fields, ...ownFields]), licenceTypes: undefined };
  return rights.has(citizensPermissions.view.id) ? { fields, licenceTypes } : null;
}

/** The same text where the same is seen, so that viewers with equal rights share one rendering. */
export function viewScopeClass({ fields, licenceTypes }: ViewScope): string {
  const types = fields.has("licences") && Array.isArray(licenceTypes) ? (licenceTypes as readonly string[]).toSorted() : null;
  return JSON.stringify([[...fields].toSorted(), types]);
}

/** Everything of a citizen, for the event; `cut` removes what a viewer may not see. */
export function wholeCitizen(
  row: CitizenSource,
  details: CitizenDetails,
  labels: JobLabels,
  licences: ReadonlyMap<string, string>,
  disabled: readonly CitizenField[],
): Citizen {
  return {
    ...toFullRow({ ...row, jobs: details.jobs }, labels, disabled),
    phoneNumbers: details.phones.map(({ number, is_primary }) => ({ number, primary: is_primary === 1 })),
    licences: details.licences.map((type) => ({ type, label: licences.get(type) ?? type })),
    hidden: [],
  };
}

export function toFullRow(row: ListedCitizen, labels: JobLabels, disabled: readonly CitizenField[]): CitizenRow {
  return {
    id: row.id,
    version: row.version,
    firstName: row.first_name,
    lastName: row.last_name,
    dateOfBirth: row.date_of_birth,
    sex: row.sex,
    height: row.height,
    job: labels.badge(row.job, row.grade),
    jobs: row.jobs.map(({ job, grade, is_primary }) => ({ ...labels.badge(job, grade), primary: is_primary === 1 })),
    phoneNumber: row.phone_number,
    ...(disabled.includes("visum") ? {} : { visum: row.visum }),
    ...(disabled.includes("playtime") ? {} : { playtime: row.playtime }),
    updatedAt: row.updated_at,
  };
}

/** Whether the viewer may see the avatar of this citizen, which lists and profiles show. */
export function seesAvatar({ characterId, rights }: Pick<Viewer, "characterId" | "rights">, id: number): boolean {
  return id === characterId || rights.has(citizensPermissions.list.id) || rights.has(citizensPermissions.view.id);
}

export const withAvatar = (avatar: FileAddress | undefined) => (avatar === undefined ? {} : { avatar });

const membersOf: Readonly<Record<CitizenField, readonly string[]>> = {
  job: ["job", "jobs"],
  phone: ["phoneNumber", "phoneNumbers"],
  licences: ["licences"],
  visum: ["visum"],
  playtime: ["playtime"],
};

/** A copy without the restricted fields that this viewer may not see. */
export function cut<T extends object>(citizen: T, fields: VisibleFields): T {
  const copy = { ...citizen } as Record<string, unknown>;
  for (const field of citizenFields) {
    if (!fields.has(field)) for (const member of membersOf[field]) delete copy[member];
  }
  return copy as T;
}

/** A copy without what this viewer may not see: restricted fields, and licences of other types. */
export function cutToScope<T extends Partial<Pick<Citizen, "licences">>>(citizen: T, { fields, licenceTypes }: ViewScope): T {
  const left = cut(citizen, fields);
  return left.licences === undefined
    ? left
    : { ...left, licences: left.licences.filter(({ type }) => reachesRow(licenceTypes, type)) };
}

/** The fields that were cut, each with the right that would show it; switched-off fields are not listed. */
export function hiddenFields(fields: VisibleFields, disabled: readonly CitizenField[]): Citizen["hidden"] {
  return citizenFields
    .filter((field) => !fields.has(field) && !disabled.includes(field))
    .map((field) => ({ field, permission: citizensPermissions.list.id }));
}
