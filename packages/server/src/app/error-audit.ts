import type { Actor } from "#core/actor.ts";
import type { AppError } from "#core/errors.ts";
import type { Clock, Database, Logs } from "#core/ports/index.ts";
import { networkOf } from "#core/network.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { refusedSyncCall } from "#features/sync/sync.contract.ts";

interface NoteOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logs: Logs;
  readonly audit: AuditApi;
  /** Most pairs of person and operation whose refusals are counted at the same time. */
  readonly mostKept?: number;
}

type Result = "denied" | "failed";

interface Note {
  readonly actor: Actor;
  readonly operation: string;
  readonly result: Result;
  readonly info: object;
  /** Refusals that are not written yet. */
  times: number;
}

/** How long further refusals of the same person and operation are only counted after one was written. */
const countedMs = 5000;
const writtenAtOnce = 50;

function personOf(actor: Actor): string {
  if ("accountId" in actor) return `account ${actor.accountId}`;
  if (actor.kind === "link") return `link ${actor.linkId}`;
  if (actor.kind === "sync") return `token ${actor.tokenFingerprint}`;
  return actor.kind === "anonymous" ? networkOf(actor.address) : actor.kind;
}

/**
 * Records refusals and failures in the audit log. The first is written at once; those that follow
 * within seconds are written together, so that a repeated refused call does not cause a write each.
 */
export function createErrorAudit({ db, clock, logs, audit, mostKept = 5000 }: NoteOptions) {
  const log = logs.subsystem("audit");
  const recent = new Map<string, Note>();
  let timer: { cancel(): void } | null = null;
  let pending: Promise<unknown> = Promise.resolve();

  async function write(notes: readonly Note[]): Promise<void> {
    const all = notes.map((note) => ({ ...note }));
    // Reset before the first await: `note` adds to the counts meanwhile.
    for (const note of notes) note.times = 0;
    for (let i = 0; i < all.length; i += writtenAtOnce) {
      const part = all.slice(i, i + writtenAtOnce);
      try {
        await db.write("audit.note", async (tx) => {
          for (const { actor, operation: action, result, info, times } of part)
            await audit.recordFolded(tx, actor, { action, result, info }, times);
        });
      } catch (problem) {
        const operations = part.map(({ operation }) => operation);
        log.warn({ err: problem, operations }, "refusals or failures could not be recorded");
      }
    }
  }

  function writeLater(): void {
    timer ??= clock.setTimeout(() => {
      timer = null;
      const waiting = [...recent].filter(([, { times }]) => times > 0);
      recent.clear();
      for (const [key, note] of waiting) recent.set(key, note);
      if (waiting.length > 0) writeLater();
      pending = Promise.all([pending, write(waiting.map(([, note]) => note))]);
    }, countedMs);
  }

  async function note(result: Result, actor: Actor, operation: string, error: AppError): Promise<void> {
    const key = `${result} ${operation} ${personOf(actor)}`;
    const known = recent.get(key);
    const info = { code: error.definition.code, ...error.params };
    const latest = { actor, operation, result, info, times: (known?.times ?? 0) + 1 };
    recent.delete(key);
    recent.set(key, latest);
    writeLater();
    if (known) return;
    await write([latest]);
    const [oldest] = recent.size > mostKept ? recent : [];
    if (!oldest) return;
    recent.delete(oldest[0]);
    if (oldest[1].times > 0) await write([oldest[1]]);
  }

  return {
    denied: async (actor: Actor, operation: string, error: AppError) => await note("denied", actor, operation, error),
    failed: async (actor: Actor, operation: string, error: AppError) => await note("failed", actor, operation, error),
    /** A caller without a valid token is anybody: their refusals share entries, and no answer waits for a broken database. */
    async refusedSync(actor: Actor, operation: string, error: AppError): Promise<void> {
      const [, why = ""] = error.definition.code.split(".", 2);
      try {
        await audit.noteRefused(actor, { action: refusedSyncCall, result: "denied", info: { why, operation } });
      } catch (problem) {
        log.warn({ err: problem, operation }, "a refused call of the Sync API could not be recorded");
      }
    },
    /** Writes what is only counted so far, and waits for all writes. */
    async flush(): Promise<void> {
      timer?.cancel();
      timer = null;
      const waiting = [...recent.values()].filter(({ times }) => times > 0);
      recent.clear();
      await Promise.all([pending, write(waiting)]);
    },
  };
}
