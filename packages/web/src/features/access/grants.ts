import { everyRow, type OutputOf } from "@rollcall/server/contract/core";
import type {
  accessCatalogue,
  AccessDecision,
  JobLimits,
  LimitsRevision,
  RoleGrant,
  RoleGrants,
} from "@rollcall/server/contract/access";
import { permissionName } from "#core/messages.ts";
import type { Translate } from "#core/i18n.ts";
import { isRecord } from "#core/problem.ts";

/** A role to compare with. */
export interface OtherRole {
  readonly value: string;
  readonly label: string;
  read(): Promise<RoleGrants>;
}

export type Catalogue = OutputOf<typeof accessCatalogue>;
export type Permission = Catalogue["permissions"][number];
export type Attribute = Permission["attributes"][number];
export type Value = RoleGrant["attributes"][string];
export type GrantChoice = "allow" | "deny" | "inherit";

export interface GrantChange {
  readonly permission: string;
  readonly before: RoleGrant | null;
  readonly after: RoleGrant | null;
}

/** A key that is equal for equal grants, regardless of the order of their attributes. */
function keyOf(grant: RoleGrant | null | undefined): string {
  if (!grant) return "";
  return JSON.stringify([grant.allow, Object.entries(grant.attributes).toSorted(([a], [b]) => a.localeCompare(b))]);
}

export function changesBetween(before: RoleGrants, after: RoleGrants): GrantChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((permission) => keyOf(before[permission]) !== keyOf(after[permission]))
    .map((permission) => ({ permission, before: before[permission] ?? null, after: after[permission] ?? null }));
}

export const choiceOf = (grant: RoleGrant | undefined): GrantChoice =>
  grant === undefined ? "inherit" : grant.allow ? "allow" : "deny";

export function withGrant(grants: RoleGrants, permission: string, grant: RoleGrant | null): RoleGrants {
  const { [permission]: _gone, ...others } = grants;
  return grant === null ? others : { ...others, [permission]: grant };
}

/** The limits that allow a job to give exactly these grants. */
export function limitsOf(grants: RoleGrants): JobLimits {
  return Object.fromEntries(
    Object.entries(grants).flatMap(([permission, { allow, attributes }]) => (allow ? [[permission, attributes]] : [])),
  );
}

/** Changes of limits as changes of grants: what a job may not give counts as denied. */
export function changesOfLimits(changes: LimitsRevision["changes"]): GrantChange[] {
  const grantOf = (values: Record<string, Value> | null): RoleGrant => ({ allow: values !== null, attributes: values ?? {} });
  return changes.map(({ permission, before, after }) => ({ permission, before: grantOf(before), after: grantOf(after) }));
}

export function grouped(permissions: readonly Permission[]): { feature: string; permissions: Permission[] }[] {
  const features = [...new Set(permissions.map(({ feature }) => feature))];
  return features.map((feature) => ({ feature, permissions: permissions.filter((one) => one.feature === feature) }));
}

export function featureName(t: Translate, feature: string): string {
  return t(`${feature}.name`, { defaultValue: feature });
}

/** Permissions whose id, name or feature contain every word of the search text. */
export function found(t: Translate, permissions: readonly Permission[], text: string): Permission[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  return permissions.filter(({ id, feature }) => {
    const haystack = `${id} ${permissionName(t, id)} ${featureName(t, feature)}`.toLowerCase();
    return terms.every((word) => haystack.includes(word));
  });
}

/** The name of one value of an attribute. */
export function valueName(t: Translate, feature: string, value: string): string {
  return t(`${feature}.fields.${value}`, { defaultValue: t(`access.ranks.${value}`, { defaultValue: value }) });
}

export function attributeName(t: Translate, name: string): string {
  return t(`access.attributes.${name}`, { defaultValue: name });
}

/** The value where no role sets the attribute. */
export function unsetValue({ type }: Attribute): Value | undefined {
  return type === "data" ? [everyRow] : undefined;
}

/** The value with which an attribute begins: the least that is worth setting. */
export function firstValue({ type, values }: Attribute): Value {
  return type === "jobGrades" ? {} : type === "rank" ? values.slice(0, 1) : [];
}

/** The name of a row that an attribute names. A row without a known label was chosen here and is not saved yet. */
export function rowName(t: Translate, labels: Readonly<Record<string, string | null>>, id: string): string {
  if (id === everyRow) return t("access.everyRow");
  const label = labels[id];
  return label === null ? t("access.deletedRow", { id }) : (label ?? id);
}

/** A whole value in one line; with `labels` it names rows. */
export function valueSummary(
  t: Translate,
  feature: string,
  value: Value,
  labels: Readonly<Record<string, string | null>> | null = null,
): string {
  if (Array.isArray(value)) {
    const names = (value as readonly string[]).map((one) =>
      labels === null ? valueName(t, feature, one) : rowName(t, labels, one),
    );
    return names.length === 0 ? t("access.nothing") : names.join(", ");
  }
  const jobs = Object.entries(value as Readonly<Record<string, number | readonly number[]>>);
  if (jobs.length === 0) return t("access.nothing");
  return jobs
    .map(([job, grades]) =>
      typeof grades === "number"
        ? t("access.upTo", { job, grade: grades })
        : t("access.onlyGrades", { job, grades: grades.join(", ") }),
    )
    .join("; ");
}

type Grades = number | readonly number[];

/** The same grades in the other form, as far as it can express them: a list if `only`, else the highest grade. */
export function gradesAs(only: boolean, grades: Grades, job: { readonly grades: readonly { readonly grade: number }[] }): Grades {
  if (only === (typeof grades !== "number")) return grades;
  if (typeof grades === "number") return job.grades.map(({ grade }) => grade).filter((grade) => grade <= grades);
  return Math.max(0, ...grades);
}

/** A job's grade as people know it: its label with its number, as far as the label is known. */
export function gradeText(t: Translate, grade: number, job: GradesOf | undefined): string {
  const label = job?.grades.find((one) => one.grade === grade)?.label ?? "";
  return label === "" ? t("access.grade", { grade }) : t("access.gradeNamed", { label, grade });
}

interface GradesOf {
  readonly grades: readonly { readonly grade: number; readonly label: string }[];
}

interface Around {
  /** The decision without the role that is edited. */
  readonly inherited: AccessDecision | undefined;
  /** The grade of that role; null for the default role. */
  readonly at: { readonly job: string; readonly grade: number } | null;
  /** The limits of the job do not include the permission. */
  readonly beyond: boolean;
}

/** What holds with a choice in a role: where lower grades say the same already, it holds from theirs. */
export function effectOf(choice: GrantChoice, { inherited, at, beyond }: Around): AccessDecision | undefined {
  if (choice === "inherit" || (beyond && choice === "allow")) return inherited;
  const held = choice === "allow";
  if (inherited?.reason === "role" && inherited.held === held) return inherited;
  const permission = inherited?.permission ?? "";
  return { permission, held, reason: at ? "role" : "default", from: at, clipped: null, attributes: [] };
}

/** The origin of a decision, as text; `job` is that of the role which decides. */
export function reasonText(t: Translate, decision: AccessDecision | undefined, job?: GradesOf): string {
  if (!decision) return t("access.reason.none");
  const { reason, held, from } = decision;
  if (reason === "role")
    return t(held ? "access.reason.roleAllows" : "access.reason.roleDenies", { grade: gradeText(t, from?.grade ?? 0, job) });
  if (reason === "default") return t(held ? "access.reason.defaultAllows" : "access.reason.defaultDenies");
  return t(`access.reason.${reason}`);
}

interface Copied {
  readonly rollcall: "role";
  readonly v: 1;
  readonly grants: RoleGrants;
}

export function copyOf(grants: RoleGrants): string {
  return JSON.stringify({ rollcall: "role", v: 1, grants } satisfies Copied, null, 2);
}

/** The grants of a copied role; null for any other text. */
export function pasted(text: string): RoleGrants | null {
  try {
    const value = JSON.parse(text) as Partial<Copied> | null;
    if (value?.rollcall !== "role" || value.v !== 1 || !isRecord(value.grants)) return null;
    const grants = Object.entries(value.grants);
    const whole = grants.every(([, grant]) => typeof grant?.allow === "boolean" && isRecord(grant.attributes));
    return whole ? Object.fromEntries(grants.map(([id, { allow, attributes }]) => [id, { allow, attributes }])) : null;
  } catch {
    return null;
  }
}
