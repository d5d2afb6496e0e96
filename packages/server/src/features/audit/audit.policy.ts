import { type Actor, linkName } from "#core/actor.ts";
import type { AuditRecord } from "./audit.api.ts";

const secretName = /password|secret|token|hash|seed|recovery/i;

/** A copy in which the values of members with a secret name are hidden. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, secretName.test(name) ? "[hidden]" : withoutSecrets(member)]),
  );
}

const programs: readonly (readonly [RegExp, string])[] = [
  [/CitizenFX|FiveM/i, "FiveM"],
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Windows/, "Windows"],
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** Family of program and system, as `Firefox, Windows`; other user agents as they are; null for none. */
export function browserFamily(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent === "") return null;
  const found = (list: typeof programs) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const names = [found(programs), found(systems)].filter((name) => name !== undefined);
  return names.length > 0 ? names.join(", ") : userAgent.slice(0, 40);
}

/** The columns that name the actor and the origin of an action. */
export interface ActorColumns {
  readonly actor_kind: Actor["kind"];
  readonly actor_name: string;
  readonly account_id: number | null;
  readonly character_id: number | null;
  readonly character_name: string | null;
  readonly job: string | null;
  readonly grade: number | null;
  readonly admin_reason: string | null;
  readonly seen_as: string | null;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly trace_id: string | null;
}

const noColumns = {
  account_id: null,
  character_id: null,
  character_name: null,
  job: null,
  grade: null,
  admin_reason: null,
  seen_as: null,
  address: null,
  user_agent: null,
  trace_id: null,
};

export function actorColumns(actor: Actor): ActorColumns {
  if (actor.kind === "system") return { ...noColumns, actor_kind: "system", actor_name: actor.name };
  if (actor.kind === "cli") return { ...noColumns, actor_kind: "cli", actor_name: actor.user };
  const from = { ...noColumns, address: actor.address, trace_id: actor.traceId, user_agent: browserFamily(actor.userAgent) };
  switch (actor.kind) {
    case "sync":
      return { ...from, actor_kind: "sync", actor_name: actor.tokenFingerprint };
    case "link":
      return { ...from, actor_kind: "link", actor_name: linkName(actor) };
    case "anonymous":
      return { ...from, actor_kind: "anonymous", actor_name: "" };
    case "account":
      return { ...from, actor_kind: "account", actor_name: actor.username, account_id: actor.accountId };
    case "character":
      return {
        ...from,
        actor_kind: "character",
        actor_name: actor.username,
        account_id: actor.accountId,
        character_id: actor.characterId,
        character_name: actor.characterName,
        job: actor.job,
        grade: actor.grade,
        admin_reason: actor.jobAdmin?.reason ?? null,
        seen_as: actor.seeAs ? `${actor.job}/${actor.grade}` : null,
      };
  }
}

/** The person whom a record concerns: the one that it names, else its object if that is a person. */
export function targetOf({ target, object }: AuditRecord): AuditRecord["target"] | null {
  if (target) return target;
  if (object?.kind !== "account" && object?.kind !== "citizen") return null;
  const id = Number(object.id);
  return Number.isSafeInteger(id) && id > 0 ? { kind: object.kind, id } : null;
}

/** In lower case, without diacritics. */
export function normalised(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
}

const longestWord = 40;
const mostWords = 32;
/** Instants and hashes, which are never typed into a search. */
const noise = /^\d{11,}$|^[\da-f]{24,}$/;

/** The searchable parts of a text, of two to forty characters; addresses stay whole with their dots and colons. */
export function wordsOf(text: string): string[] {
  const parts = normalised(text).match(/[\p{L}\p{N}]+(?:[.:][\p{L}\p{N}]+)*/gu) ?? [];
  const words = parts.flatMap((part) => (/^[\d.:a-f]+$/.test(part) ? [part] : part.split(/[.:]/)));
  return [
    ...new Set(
      words.map((word) => Array.from(word).slice(0, longestWord).join("")).filter((word) => word.length > 1 && !noise.test(word)),
    ),
  ];
}

function* leaves(value: unknown): Iterable<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (Array.isArray(value)) for (const member of value) yield* leaves(member);
  else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      yield name.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
      yield* leaves(member);
    }
  }
}

export interface Searchable {
  readonly actor_name: string;
  readonly character_name: string | null;
  readonly target_name: string | null;
  readonly object_name: string | null;
  readonly action: string;
  readonly object_id: string | null;
  readonly address: string | null;
  readonly admin_reason: string | null;
}

/** The words under which an entry is found, at most 32: those of the actor and the object first. */
export function entryWords(entry: Searchable, values: readonly unknown[]): string[] {
  const action = entry.action.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll(".", " ");
  const texts = [
    entry.character_name,
    entry.target_name,
    entry.object_name,
    entry.actor_name,
    action,
    entry.object_id,
    entry.address,
    entry.admin_reason,
  ];
  const words = new Set<string>();
  for (const text of [...texts, ...values.flatMap((value) => [...leaves(value)])]) {
    if (text === null) continue;
    for (const word of wordsOf(text)) {
      words.add(word);
      if (words.size === mostWords) return [...words];
    }
  }
  return [...words];
}

/** The word itself, and its suffixes of at least three letters. */
export function suffixesOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.flatMap((_letter, at) => (at === 0 || letters.length - at >= 3 ? [letters.slice(at).join("")] : []));
}

/** Which entries a reader sees: those of one job, or all. */
export interface Reader {
  readonly job: string | null;
}

/** Job admins and config admins see the entries of every job, unless they see the panel as another grade. */
export function readerOf(actor: Actor): Reader {
  if (actor.kind === "account") return { job: null };
  if (actor.kind !== "character") throw new Error(`${actor.kind} cannot read the audit log`);
  const everything = actor.jobAdmin !== null || (actor.configAdmin && !actor.seeAs);
  return { job: everything ? null : actor.job };
}
