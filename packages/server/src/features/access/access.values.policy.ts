import { type AttributeDefinition, type AttributeValue, everyRow, type GradesOfJob, ranks } from "#core/contract/index.ts";
import { knownRanks } from "#core/rank.ts";

type JobGrades = Readonly<Record<string, GradesOfJob>>;

const isList = (value: AttributeValue): value is readonly string[] => Array.isArray(value);
const isSet = (grades: GradesOfJob): grades is readonly number[] => Array.isArray(grades);
const isGrade = (grade: unknown) => Number.isInteger(grade) && (grade as number) >= 0;

/** A stored value as this version reads it: without strings that it does not know, and a rank with those that it includes. */
export function knownValue(attribute: AttributeDefinition, value: AttributeValue): AttributeValue {
  if (attribute.type === "strings") return clip(value, attribute.values);
  return attribute.type === "rank" ? knownRanks(value) : value;
}

/** All values of an attribute that has a fixed list of them. */
export function allValues(attribute: AttributeDefinition): readonly string[] {
  return attribute.type === "strings" ? attribute.values : attribute.type === "rank" ? ranks : [];
}

/** The value where no role sets the attribute; undefined if it has none then. */
export function unsetValue(attribute: AttributeDefinition): AttributeValue | undefined {
  return attribute.type === "data" ? [everyRow] : undefined;
}

/**
 * For `JSON.stringify` of rights, whose digest then stays the same when a new version adds an attribute that no
 * role sets: processes of both versions accept the same tokens during an upgrade.
 */
export function withoutUnset(_name: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 && value[0] === everyRow ? undefined : value;
}

/** The value of somebody who holds everything; undefined for grades and jobs, which then limit nothing. */
export function fullValue(attribute: AttributeDefinition): AttributeValue | undefined {
  const values = allValues(attribute);
  return values.length > 0 ? values : unsetValue(attribute);
}

/** Whether a value has the shape that the attribute takes, with strings that the attribute knows. */
export function isValidValue(attribute: AttributeDefinition, value: AttributeValue): boolean {
  if (attribute.type === "strings") return isList(value) && value.every((one) => attribute.values.includes(one));
  if (attribute.type === "rank") return isList(value) && value.every((one) => (ranks as readonly string[]).includes(one));
  if (attribute.type === "jobs") return isList(value) && value.every((one) => typeof one === "string" && one !== everyRow);
  if (attribute.type === "data") return isList(value) && value.every((one) => typeof one === "string" && one !== "");
  if (isList(value) || typeof value !== "object") return false;
  return Object.values(value).every((grades) => (isSet(grades) ? grades.every(isGrade) : isGrade(grades)));
}

/** The grades of one job that both cover; null when there are none. */
function bothGrades(a: GradesOfJob, b: GradesOfJob): GradesOfJob | null {
  if (!isSet(a) && !isSet(b)) return Math.min(a, b);
  const set = isSet(a) ? a : (b as readonly number[]);
  const other = isSet(a) ? b : a;
  const left = set.filter((grade) => (isSet(other) ? other.includes(grade) : grade <= other));
  return left.length === 0 ? null : left;
}

function clipList(value: readonly string[], most: readonly string[]): readonly string[] {
  if (most.includes(everyRow)) return value;
  return value.includes(everyRow) ? most : value.filter((one) => most.includes(one));
}

/** What both values of an attribute cover, in the order of the first. Without `most`, all of `value`. */
export function clip(value: AttributeValue, most: AttributeValue | undefined): AttributeValue {
  if (most === undefined) return value;
  if (isList(value)) return isList(most) ? clipList(value, most) : [];
  const limits: JobGrades = isList(most) ? {} : most;
  return Object.fromEntries(
    Object.entries(value).flatMap(([job, grades]) => {
      const limit = Object.hasOwn(limits, job) ? limits[job] : undefined;
      const left = limit === undefined ? null : bothGrades(grades, limit);
      return left === null ? [] : [[job, left]];
    }),
  );
}

function gradesWithin(inner: GradesOfJob, outer: readonly GradesOfJob[]): boolean {
  if (isSet(inner)) return inner.every((grade) => outer.some((one) => (isSet(one) ? one.includes(grade) : grade <= one)));
  // A highest grade includes every grade below it, also those that a set does not name.
  return outer.some((one) => !isSet(one) && inner <= one);
}

/** Whether everything that `inner` covers is covered by one of `outer`. */
export function isSubset(inner: AttributeValue, outer: readonly AttributeValue[]): boolean {
  if (isList(inner)) {
    const lists = outer.filter(isList);
    return lists.some((value) => value.includes(everyRow)) || inner.every((one) => lists.some((value) => value.includes(one)));
  }
  const maps = outer.filter((value): value is JobGrades => !isList(value));
  return Object.entries(inner).every(([job, grades]) =>
    gradesWithin(
      grades,
      maps.flatMap((value) => (Object.hasOwn(value, job) ? [value[job]!] : [])),
    ),
  );
}
