import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { GameRequestState, InputOf, OutputOf } from "#core/contract/index.ts";
import type { Clock, Database, Ids, Outbox } from "#core/ports/index.ts";
import { CachedMap } from "#core/cached.ts";
import {
  type DeliveredRequest,
  gamerequestsDelivered,
  gamerequestsErrors,
  mostDelivered,
  mostPolls,
  type pollRequests,
} from "./gamerequests.contract.ts";
import { isForeign, stateAfter } from "./gamerequests.policy.ts";
import * as repo from "./gamerequests.repo.ts";
import type { SourcesService } from "./gamerequests.sources.service.ts";

export interface PollDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sources: SourcesService;
  readonly outbox: Outbox;
}

type Query = InputOf<typeof pollRequests>["query"];
type Answer = OutputOf<typeof pollRequests>;

/** A poll is recorded this often for each game server; more often would write without a use. */
const noteMs = 10_000;
const mostServers = 1000;
/** Until a call that was refused as one too many may succeed. */
const retrySeconds = 5;

interface Waiting {
  readonly source: string;
  wake(): void;
}

function deliveredOf(row: repo.RequestRow, now: number): DeliveredRequest {
  const { id, position, kind, sent_at: sentAt, expires_at: expiresAt } = row;
  const payload = JSON.parse(row.payload) as Record<string, unknown>;
  return { id, position, kind, payload, sentAt, expiresInMs: expiresAt - now };
}

/** Gives requests to the plugins that poll for them. A poll that waits holds no connection of the database. */
export class PollService {
  readonly #deps: PollDeps;
  readonly #waiting = new Set<Waiting>();
  readonly #polls = new Map<string, number>();
  readonly #noted: CachedMap<string, true>;

  constructor(deps: PollDeps) {
    this.#deps = deps;
    this.#noted = new CachedMap({ clock: deps.clock, ttlMs: noteMs, max: mostServers });
  }

  async poll(call: CallContext, { source = "default", epoch, after = 0, wait = 0 }: Query): Promise<Answer> {
    const { clock } = this.#deps;
    await this.#note(call, source);
    const leave = this.#enter(call);
    const until = clock.monotonic() + wait * 1000;
    const signal = call.signal();
    try {
      for (;;) {
        // Before the read, so that a request that is sent after it ends the wait.
        const waiting = this.#wait(source, signal);
        try {
          const answer = await this.#read(source, { epoch, after });
          const left = until - clock.monotonic();
          if (answer.requests.length > 0 || answer.reset || left <= 0 || signal.aborted) return answer;
          await waiting.until(left);
        } finally {
          waiting.end();
        }
      }
    } finally {
      leave();
    }
  }

  /** A request was sent: to this game server, or to any when it is null. */
  wake(source: string | null): void {
    for (const one of this.#waiting) if (source === null || one.source === source) one.wake();
  }

  #enter({ actor }: CallContext): () => void {
    const token = actor.kind === "sync" ? actor.tokenFingerprint : "";
    const open = this.#polls.get(token) ?? 0;
    if (open >= mostPolls)
      throw new AppError(gamerequestsErrors.tooManyPolls, { params: { most: mostPolls, seconds: retrySeconds } });
    this.#polls.set(token, open + 1);
    return () => {
      const left = (this.#polls.get(token) ?? 1) - 1;
      if (left === 0) this.#polls.delete(token);
      else this.#polls.set(token, left);
    };
  }

  #wait(source: string, signal: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { source, wake: resolve };
    this.#waiting.add(waiting);
    signal.addEventListener("abort", waiting.wake);
    return {
      until: async (ms: number) => {
        const timer = this.#deps.clock.setTimeout(resolve, ms);
        await promise;
        timer.cancel();
      },
      end: () => {
        this.#waiting.delete(waiting);
        signal.removeEventListener("abort", waiting.wake);
      },
    };
  }

  /** Most polls find nothing, so it is first read without a lock. */
  async #read(source: string, given: { readonly epoch: string | undefined; readonly after: number }): Promise<Answer> {
    const { db, ids } = this.#deps;
    const found = await db.read("gamerequests.poll", async (tx) => {
      const stream = await repo.findStream(tx);
      if (stream === null) return null;
      const reset = isForeign(given, stream);
      const after = reset ? 0 : given.after;
      const rows = await repo.listDeliverable(tx, { source, after, now: await db.now(tx), limit: 1 });
      return { reset, after, any: rows.length > 0, epoch: stream.epoch, position: stream.last_position };
    });
    if (found === null) {
      await db.write("gamerequests.start", async (tx) => await repo.ensureStream(tx, ids.next()));
      return await this.#read(source, given);
    }
    const { reset, epoch, position } = found;
    if (!found.any) return { requests: [], epoch, position, reset };
    return { ...(await this.#deliver(source, found.after, position)), epoch, reset };
  }

  async #deliver(source: string, after: number, position: number): Promise<Pick<Answer, "requests" | "position">> {
    const { db, outbox } = this.#deps;
    return await db.write("gamerequests.deliver", async (tx) => {
      const now = await db.now(tx);
      const rows = await repo.listDeliverable(tx, { source, after, now, limit: mostDelivered });
      const fresh = rows.filter(({ state }) => stateAfter(state as GameRequestState, "deliver") !== null);
      await repo.markDelivered(
        tx,
        fresh.map(({ id }) => id),
        source,
        now,
      );
      for (const { id, kind, position: version, object_key: key } of fresh)
        await outbox.emit(tx, gamerequestsDelivered, { key: `request ${id}`, version, payload: { id, kind, key } });
      return { requests: rows.map((row) => deliveredOf(row, now)), position: rows.at(-1)?.position ?? position };
    });
  }

  /** Also while it waits for long, a game server polls often enough to count as connected. */
  async #note(call: CallContext, source: string): Promise<void> {
    const { db, sources } = this.#deps;
    const { actor } = call;
    const key = `${actor.kind === "sync" ? actor.tokenFingerprint : ""} ${source}`;
    if (this.#noted.fresh(key) === true) return;
    await db.write("gamerequests.notePoll", async (tx) => await sources.notePoll(tx, call, source));
    this.#noted.set(key, true);
  }
}
