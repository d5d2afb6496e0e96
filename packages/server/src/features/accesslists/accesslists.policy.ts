import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { type AccessEntry, accesslistsErrors, type reasonKinds } from "./accesslists.contract.ts";

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
  /** Lowest level that a template asks for; 0 for an entry of one's own. */
  readonly required: number;
}

/** What stands for entries that nobody wrote. */
export interface Rules {
  readonly creatorId: number | null;
  /** The job in which it was made: the creator rule holds while its creator is in it. */
  readonly creatorJob: string;
  readonly public: boolean;
}

/** Everything about a person that an access list asks for. */
export interface Subject {
  readonly characterId: number;
  readonly job: string;
  readonly grade: number;
  /** Ids of the qualifications held. */
  readonly qualifications: readonly number[];
  /** While job admin is on, no list refuses anything. */
  readonly jobAdmin: boolean;
}

export interface Decision {
  /** 0 for none. */
  readonly level: number;
  readonly reason: (typeof reasonKinds)[number];
  readonly entry: Entry | null;
}

export function subjectOf(viewer: Viewer): Subject {
  const { characterId, job, grade, jobAdmin } = viewer;
  return { characterId, job, grade, jobAdmin: jobAdmin !== null, qualifications: [] };
}

export function matches(entry: Entry, who: Subject): boolean {
  switch (entry.subject) {
    case "job":
      return entry.job === who.job && entry.minGrade <= who.grade;
    case "citizen":
      return entry.id === who.characterId;
    case "qualification":
      return who.qualifications.includes(entry.id);
  }
}

/** The more somebody was meant personally, the higher; among job entries the higher grade. */
function specificity({ subject, minGrade }: Entry): number {
  if (subject === "citizen") return 1_000_000;
  return subject === "qualification" ? 100_000 : minGrade;
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

/** Entries as the wire has them become numbers; a subject may stand once. */
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
 * Keeps what a template asked for: its entries stay, at their level or a higher one, and only a template
 * makes an entry required.
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
