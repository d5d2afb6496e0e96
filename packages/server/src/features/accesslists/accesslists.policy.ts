import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { citizensPermissions } from "#features/citizens/citizens.contract.ts";
import { type AccessEntry, accesslistsErrors, type reasonKinds } from "./accesslists.contract.ts";
import {
  creatorPrincipal,
  everybody,
  type Grant,
  type InJob,
  type Principal,
  principalOf,
  principalsOf,
} from "./accesslists.principals.policy.ts";

/** The level of an entry that refuses; the levels of a kind of object count from 1. */
export const blocked = 0;
/** The lowest level, and all that the public rule gives. */
export const viewLevel = 1;

/** An entry with its level as a number. */
export interface Entry {
  readonly subject: AccessEntry["subject"];
  readonly job: string;
  readonly minGrade: number;
  readonly id: number;
  readonly level: number;
  /** Lowest level that a template requires; 0 for an entry without a template. */
  readonly required: number;
}

/** What an object grants without entries. */
export interface Rules {
  readonly creatorId: number | null;
  /** The job in which it was created: the creator rule holds while the creator is in it. */
  readonly creatorJob: string;
  readonly public: boolean;
}

/** Everything about a person that decides in an access list. */
export interface Subject extends InJob {
  /** Principals of kinds that other features register. */
  readonly held: readonly Principal[];
  /** While job admin is on, every list grants the highest level. */
  readonly jobAdmin: boolean;
}

export interface Decision {
  /** 0 for none. */
  readonly level: number;
  readonly reason: (typeof reasonKinds)[number];
  readonly entry: Entry | null;
}

export function subjectOf({ characterId, job, grade, jobAdmin }: Viewer, held: readonly Principal[]): Subject {
  return { characterId, job, grade, jobAdmin: jobAdmin !== null, held };
}

/** All that a person is in an access list. */
export const allPrincipals = (who: Subject): Principal[] => [...principalsOf(who), ...who.held];

/** What an object's list and rules grant, one for each principal. */
export function grantsOf(entries: readonly Entry[], rules: Rules, top: number): Grant[] {
  const { creatorId, creatorJob } = rules;
  return [
    ...entries.map((entry) => ({ principal: principalOf(entry), level: entry.level })),
    ...(rules.public ? [{ principal: everybody, level: viewLevel }] : []),
    ...(creatorId === null ? [] : [{ principal: creatorPrincipal(creatorId, creatorJob), level: top }]),
  ];
}

export function matches(entry: Entry, who: Subject): boolean {
  switch (entry.subject) {
    case "job":
      return entry.job === who.job && entry.minGrade <= who.grade;
    case "citizen":
      return entry.id === who.characterId;
    case "group":
    case "qualification":
      return who.held.includes(principalOf(entry));
  }
}

/** The field of `citizens.list` that shows the jobs of citizens. */
export const jobField = "job";

/** What a viewer may see of people. Labels, counts and explanations of a list reveal no more than that. */
export interface ViewScope {
  /** The names of people, and thereby who exists. */
  readonly people: boolean;
  /** The jobs of all people. */
  readonly jobs: boolean;
  readonly characterId: number;
  readonly job: string;
}

export function viewScopeOf({ rights, characterId, job }: Viewer): ViewScope {
  const { id } = citizensPermissions.list;
  const fields = rights.attribute(id, "fields");
  const people = rights.has(id);
  return { people, jobs: people && Array.isArray(fields) && fields.includes(jobField), characterId, job };
}

export const seesName = (scope: ViewScope, citizen: number): boolean => scope.people || scope.characterId === citizen;
export const seesJob = (scope: ViewScope, job: string): boolean => scope.jobs || scope.job === job;

/** Throws unless the viewer may see every citizen of these entries or the entry existed before. */
export function checkNamed(scope: ViewScope, before: readonly Entry[], entries: readonly Entry[]): void {
  const known = new Set(before.filter(({ subject }) => subject === "citizen").map(({ id }) => id));
  if (entries.every(({ subject, id }) => subject !== "citizen" || seesName(scope, id) || known.has(id))) return;
  throw new AppError(accesslistsErrors.citizensHidden, {
    params: { permission: citizensPermissions.list.id, job: scope.job },
  });
}

export function jobsHidden(scope: ViewScope): AppError {
  const params = { permission: citizensPermissions.list.id, field: jobField, job: scope.job };
  return new AppError(accesslistsErrors.jobsHidden, { params });
}

/** Highest for a person, then for a qualification, a job by its grade, and a group of jobs. */
function specificity({ subject, minGrade }: Entry): number {
  return { citizen: 1_000_000, qualification: 100_000, job: minGrade, group: -1 }[subject];
}

const strongest = (a: Entry, b: Entry) => b.level - a.level || specificity(b) - specificity(a);

/**
 * What a person may do with an object whose kind has `top` levels. A matching block refuses, whatever
 * else matches; otherwise the highest level of all matching entries and rules counts.
 */
export function decide(entries: readonly Entry[], rules: Rules, who: Subject, top: number): Decision {
  if (who.jobAdmin) return { level: top, reason: "jobAdmin", entry: null };
  const mine = entries.filter((entry) => matches(entry, who)).sort(strongest);
  const block = mine.filter(({ level }) => level === blocked)[0];
  if (block) return { level: 0, reason: "blocked", entry: block };
  const isCreator = rules.creatorId === who.characterId && rules.creatorJob === who.job;
  if (isCreator) return { level: top, reason: "creator", entry: null };
  const best = mine[0];
  if (best) return { level: best.level, reason: "entry", entry: best };
  return rules.public ? { level: viewLevel, reason: "public", entry: null } : { level: 0, reason: "none", entry: null };
}

/**
 * The same for somebody else, as far as the viewer may know it: where it depends on `hidden` principals, the decision is
 * the same whether that person holds them or not.
 */
export function decideOpenly(
  entries: readonly Entry[],
  rules: Rules,
  who: Subject,
  top: number,
  hidden: readonly Principal[],
): Decision {
  const known = who.held.filter((one) => !hidden.includes(one));
  const without = decide(entries, rules, { ...who, held: known }, top);
  const withAll = decide(entries, rules, { ...who, held: [...known, ...hidden] }, top);
  const isSame = without.reason === withAll.reason && without.entry === withAll.entry;
  return isSame ? without : { level: 0, reason: "hidden", entry: null };
}

export const keyOf = ({ subject, job, minGrade, id }: Pick<Entry, "subject" | "job" | "minGrade" | "id">) =>
  subject === "job" ? `job ${job} ${minGrade}` : `${subject} ${id}`;

/** The number of a level's name; throws for a name that this kind does not have. */
export function levelNumber(levels: readonly string[], name: string): number {
  if (name === "blocked") return blocked;
  const found = levels.indexOf(name);
  if (found < 0) throw new AppError(accesslistsErrors.levelUnknown, { params: { level: name, levels: levels.join(", ") } });
  return found + 1;
}

export const levelName = (levels: readonly string[], level: number): string =>
  level === blocked ? "blocked" : (levels[level - 1] ?? "");

/** Parses entries of the contract. Throws `AppError` for a subject that occurs twice and for unknown levels. */
export function parseEntries(levels: readonly string[], entries: readonly AccessEntry[]): Entry[] {
  const seen = new Set<string>();
  return entries.map((entry) => {
    const job = entry.subject === "job" ? entry.job : "";
    const minGrade = entry.subject === "job" ? entry.minGrade : 0;
    const id = entry.subject === "job" ? 0 : entry.id;
    const parsed = {
      subject: entry.subject,
      job,
      minGrade,
      id,
      level: levelNumber(levels, entry.level),
      required: entry.required === null ? 0 : levelNumber(levels, entry.required),
    };
    const key = keyOf(parsed);
    if (seen.has(key)) throw new AppError(accesslistsErrors.subjectTwice, { params: { subject: key } });
    seen.add(key);
    return parsed;
  });
}

export function writeEntry(levels: readonly string[], entry: Entry): AccessEntry {
  const { subject, job, minGrade, id, level, required } = entry;
  return {
    subject,
    job,
    minGrade,
    id,
    level: levelName(levels, level),
    required: required === 0 ? null : levelName(levels, required),
  };
}

/**
 * Keeps what a template requires: its entries stay, at their level or a higher one. Entries that a
 * client marks as required are not.
 */
export function keepRequired(levels: readonly string[], before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const wanted = new Map(before.filter(({ required }) => required > 0).map((entry) => [keyOf(entry), entry]));
  const kept = after.map((entry) => {
    const rule = wanted.get(keyOf(entry));
    wanted.delete(keyOf(entry));
    if (rule && entry.level < rule.required) throw requiredEntry(levels, rule);
    return { ...entry, required: rule?.required ?? 0 };
  });
  const [missing] = wanted.values();
  if (missing) throw requiredEntry(levels, missing);
  return kept;
}

function requiredEntry(levels: readonly string[], entry: Entry): AppError {
  return new AppError(accesslistsErrors.requiredEntry, {
    params: { subject: keyOf(entry), level: levelName(levels, entry.required) },
  });
}
