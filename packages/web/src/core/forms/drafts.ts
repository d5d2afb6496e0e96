import type { Clock } from "#core/clock.ts";
import { asProblem, isRecord } from "#core/problem.ts";
import type { KeptValues } from "#core/storage.ts";
import { isSame, type Values } from "./contract.ts";
import type { Stored } from "./merge.ts";

/** Lifetime of a draft on the device since its last change, as on the server. Milliseconds. */
const LIFETIME = 30 * 86_400_000;
/** Least time between two writes to the server. Milliseconds. */
const PAUSE = 2_000;
/** Time after which a failed write is tried again. Milliseconds. */
const AGAIN = 10_000;

/** What somebody typed, and the record as it was when they began. */
export interface KeptDraft {
  /** Of its last change, by the server's clock. Milliseconds. */
  readonly at: number;
  readonly base: Stored<Values>;
  readonly mine: Values;
}

/** The drafts of one form on the server. Each call may fail: the device has its own copy. */
export interface RemoteDrafts {
  read(): Promise<{ baseVersion: number; value: unknown; device: string; savedAt: number } | null>;
  write(draft: { baseVersion: number; value: unknown; device: string }): Promise<unknown>;
  remove(): Promise<unknown>;
}

export interface DraftsOptions {
  readonly kept: KeptValues;
  readonly clock: Clock;
  /** The server's time. Milliseconds. */
  readonly now: () => number;
  readonly remote: RemoteDrafts;
  /** Name of this device. */
  readonly device: string;
  /** Name of the draft on the device: the form, and whose it is. */
  readonly name: string;
}

/** The draft of one form: written on the device with each change, and on the server soon after. */
export interface DraftKeeper {
  local(): KeptDraft | null;
  /** The draft on the server if another device wrote it after the one here; null without one, and without a connection. */
  fromElsewhere(): Promise<KeptDraft | null>;
  /** `onlyHere`: the server still has another draft, about which the person has not decided. */
  write(base: Stored<Values>, mine: Values, onlyHere?: boolean): void;
  /** Sends what waits now: the page is being left. */
  flush(): void;
  /** It was sent, or discarded. */
  drop(): void;
}

export function createDraftKeeper({ kept, clock, now, remote, device, name }: DraftsOptions): DraftKeeper {
  const key = `draft.${name}`;
  let waiting: KeptDraft | null = null;
  let cancel: (() => void) | null = null;
  // One after the other, so that a removal is not overtaken by the write before it.
  let queue: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<unknown>) => (queue = queue.then(work).catch(() => undefined));

  const send = () => {
    cancel?.();
    cancel = null;
    const draft = waiting;
    waiting = null;
    if (!draft) return;
    const { base, mine } = draft;
    void inOrder(async () => {
      try {
        await remote.write({ baseVersion: base.version, value: { base: base.values, mine }, device });
      } catch (error) {
        // A later change replaces it; without one it is tried again.
        if (isFinal(error) || waiting || kept.read(key) === undefined) return;
        waiting = draft;
        cancel ??= clock.after(AGAIN, send);
      }
    });
  };

  const local = () => {
    const draft = readDraft(kept.read(key));
    if (!draft) return null;
    if (now() - draft.at <= LIFETIME) return draft;
    kept.remove(key);
    return null;
  };

  return {
    local,
    async fromElsewhere() {
      const found = await remote.read().catch(() => null);
      if (!found || found.device === device || !isRecord(found.value)) return null;
      const { baseVersion, savedAt, value } = found;
      const draft = readDraft({ at: savedAt, base: { version: baseVersion, values: value["base"] }, mine: value["mine"] });
      const here = local();
      return draft && (!here || (draft.at > here.at && !isSame(draft.mine, here.mine))) ? draft : null;
    },
    write(base, mine, onlyHere = false) {
      const draft = { at: now(), base, mine };
      kept.write(key, draft);
      if (onlyHere) return;
      waiting = draft;
      cancel ??= clock.after(PAUSE, send);
    },
    flush: send,
    drop() {
      cancel?.();
      cancel = null;
      waiting = null;
      kept.remove(key);
      void inOrder(async () => await remote.remove());
    },
  };
}

/** The server would refuse it the next time as well, as one that is too large. */
function isFinal(error: unknown): boolean {
  const { status } = asProblem(error);
  return status >= 400 && status < 500 && status !== 429;
}

function readDraft(found: unknown): KeptDraft | null {
  if (!isRecord(found) || typeof found["at"] !== "number" || !isRecord(found["base"]) || !isRecord(found["mine"])) return null;
  const { version, values } = found["base"];
  if (typeof version !== "number" || !isRecord(values)) return null;
  return { at: found["at"], base: { version, values }, mine: found["mine"] };
}

/**
 * What becomes of a draft that is found when its form opens. `restore`: it was written here on the record as it is
 * stored now, so it overwrites nothing. `offer`: the record has changed since, or another device wrote it.
 */
export function openingOf(draft: KeptDraft | null, stored: Stored<Values>, isHere: boolean): "nothing" | "restore" | "offer" {
  if (!draft || isSame(draft.mine, stored.values)) return "nothing";
  return isHere && draft.base.version === stored.version ? "restore" : "offer";
}
