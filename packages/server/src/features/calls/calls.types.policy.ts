import { foldLetters } from "#core/contract/fold.ts";
import { keptRowsBy } from "#core/ordered.ts";
import { type Call, callsErrors, type IncidentType, mostTypes, type TypeContent } from "./calls.base.contract.ts";
import { type CallsRules, usualRules } from "./calls.types.contract.ts";
import type { RulesRow, TypeRow } from "./calls.types.repo.ts";

interface More {
  readonly jobs: readonly string[];
  readonly checklist: readonly string[];
  readonly questions: readonly string[];
}

const filled = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== "");

/** Without what else the caller sent. */
export function trimmedType(content: TypeContent): TypeContent {
  const { code, name, priority, colour, icon, message, jobs, checklist, questions } = content;
  const lines = { checklist: filled(checklist), questions: filled(questions) };
  return {
    code,
    name: name.trim() || name,
    priority,
    colour,
    icon,
    message: message?.trim() || null,
    jobs: [...new Set(jobs)],
    ...lines,
  };
}

/** A type beside a call; null where there is none. */
export function typeTagOf(row: TypeRow | null | undefined): Call["type"] {
  if (row === null || row === undefined) return null;
  const { id, code, name, colour, icon } = row;
  return { id, code, name, colour, icon };
}

export function typeOf(row: TypeRow): TypeContent {
  const { jobs, checklist, questions } = JSON.parse(row.more) as More;
  const { code, name, priority, colour, icon, message } = row;
  return { code, name, priority, colour, icon, message, jobs: [...jobs], checklist: [...checklist], questions: [...questions] };
}

export function columnsOfType({ code, name, priority, colour, icon, message, jobs, checklist, questions }: TypeContent) {
  const more = JSON.stringify({ v: 1, jobs, checklist, questions });
  return { code, code_key: foldLetters(code), name, priority, colour, icon, message, more };
}

export const shownType = (row: TypeRow): IncidentType => ({
  ...typeOf(row),
  id: row.id,
  version: row.version,
  deleted: row.deleted_at !== null,
});

export function rulesOfRow(row: RulesRow | undefined): CallsRules {
  if (row === undefined) return usualRules;
  return { version: row.version, public: row.public === 1, idleMinutes: row.idle_minutes, waitSeconds: row.wait_seconds };
}

export function rowOfRules(job: string, rules: CallsRules, at: number): RulesRow {
  return {
    job,
    public: rules.public ? 1 : 0,
    idle_minutes: rules.idleMinutes,
    wait_seconds: rules.waitSeconds,
    version: rules.version,
    updated_at: at,
  };
}

/** What speaks against a change of the types of a job; they go by their code. */
export const kept = keptRowsBy<TypeRow>(
  mostTypes,
  {
    notFound: callsErrors.typeNotFound,
    nameTaken: callsErrors.codeTaken,
    full: callsErrors.typesFull,
    deletedFull: callsErrors.deletedFull,
  },
  { param: "code", nameOf: ({ code }) => code, keyOf: ({ code_key: key }) => key },
);

/** Which of these jobs somebody of `own` may not call; null when all may be called. */
export function notCallable(jobs: readonly string[], own: string, open: ReadonlySet<string>): string | null {
  return jobs.find((job) => job !== own && !open.has(job)) ?? null;
}
