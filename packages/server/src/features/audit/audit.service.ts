import type { Actor } from "#core/actor.ts";
import type { Clock } from "#core/ports/index.ts";
import type { AuditApi, AuditRecord } from "./audit.api.ts";
import { foldInto, insertEntry, type NewAuditEntry } from "./audit.repo.ts";

const foldWindowMs = 60_000;
const secretName = /password|secret|token|hash|seed/i;

/** A copy without members whose name says that they are secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, secretName.test(name) ? "[hidden]" : withoutSecrets(member)]),
  );
}

type Who = Pick<
  NewAuditEntry,
  "actor_kind" | "actor_name" | "account_id" | "character_id" | "job" | "admin_reason" | "address" | "trace_id"
>;

function whoOf(actor: Actor): Who {
  const nobody = {
    account_id: null,
    character_id: null,
    job: null,
    admin_reason: null,
    address: null,
    trace_id: null,
  };
  switch (actor.kind) {
    case "system":
      return { ...nobody, actor_kind: "system", actor_name: actor.name };
    case "cli":
      return { ...nobody, actor_kind: "cli", actor_name: actor.user };
    case "sync":
      return {
        ...nobody,
        actor_kind: "sync",
        actor_name: actor.tokenFingerprint,
        address: actor.address,
        trace_id: actor.traceId,
      };
    case "anonymous":
      return {
        ...nobody,
        actor_kind: "anonymous",
        actor_name: "",
        address: actor.address,
        trace_id: actor.traceId,
      };
    case "account":
      return {
        ...nobody,
        actor_kind: "account",
        actor_name: actor.username,
        account_id: actor.accountId,
        address: actor.address,
        trace_id: actor.traceId,
      };
    case "character":
      return {
        actor_kind: "character",
        actor_name: actor.username,
        account_id: actor.accountId,
        character_id: actor.characterId,
        job: actor.job,
        admin_reason: actor.jobAdmin?.reason ?? (actor.seeAs ? `seeing as grade ${actor.grade}` : null),
        address: actor.address,
        trace_id: actor.traceId,
      };
  }
}

export function createAuditService(clock: Clock): AuditApi {
  const entryOf = (actor: Actor, record: AuditRecord): NewAuditEntry => {
    const { before, after, info } = record;
    const data = before ?? after ?? info;
    return {
      at: clock.now(),
      ...whoOf(actor),
      action: record.action,
      result: record.result ?? "ok",
      object_kind: record.object?.kind ?? null,
      object_id: record.object === undefined ? null : String(record.object.id),
      data: data === undefined ? null : JSON.stringify(withoutSecrets({ v: 1, before, after, info })),
    };
  };
  return {
    record: async (tx, actor, record) => await insertEntry(tx, entryOf(actor, record)),
    async recordFolded(tx, actor, record) {
      const entry = entryOf(actor, record);
      if (!(await foldInto(tx, entry, entry.at - foldWindowMs))) await insertEntry(tx, entry);
    },
  };
}
