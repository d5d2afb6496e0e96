import type { Actor } from "#core/actor.ts";
import type { GameRequestDefinition, GameRequestState, InputOf } from "#core/contract/index.ts";
import { Overtaken } from "#core/db/errors.ts";
import { validatorOf } from "#core/validator.ts";
import type { CallContext, Finding, Registry } from "#core/feature.ts";
import {
  type Clock,
  type Database,
  type GameRequestHandler,
  type GameRequestOutcome,
  type Ids,
  type Outbox,
  TaskFailedForGood,
  type Tasks,
  type Tx,
} from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { GameRequestsApi, GameRequestStatus, GameServer, NewGameRequest } from "./gamerequests.api.ts";
import { endRequest, expireRequest, gamerequestsSent, type putReceipts, type Receipt } from "./gamerequests.contract.ts";
import { endOrder, isConnected, openKey, serverState, stateAfter } from "./gamerequests.policy.ts";
import * as repo from "./gamerequests.repo.ts";
import type { SourcesService } from "./gamerequests.sources.service.ts";

export interface GameRequestsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tasks: Tasks;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly registry: Registry;
  readonly sources: SourcesService;
}

/** The most of a payload and of an answer, in characters of their JSON. */
const mostCharacters = 16 * 1024;

/** An end with what is stored of it. */
interface End {
  readonly state: GameRequestState;
  readonly answer: Record<string, unknown> | null;
  readonly reason: string | null;
}

function outcomeOf({ state, answer, reason }: End): GameRequestOutcome {
  if (state === "done") return { state, answer: answer ?? {} };
  if (state === "refused") return { state, reason: reason ?? "" };
  return state === "expired" ? { state } : { state: "unknown", reason };
}

/** Sends requests to game servers and receives what became of them. */
export class GameRequestsService implements GameRequestsApi {
  readonly #deps: GameRequestsDeps;

  constructor(deps: GameRequestsDeps) {
    this.#deps = deps;
  }

  async send<D extends GameRequestDefinition>(
    tx: Tx,
    actor: Actor,
    kind: D,
    { payload, key, source = null, expiresMs = kind.expiresMs }: NewGameRequest<D>,
  ): Promise<string> {
    const { db, clock, ids, tasks, outbox } = this.#deps;
    const json = JSON.stringify(payload);
    if (!this.#handlerOf(kind.id)) throw new TypeError(`nothing handles the end of ${kind.id}`);
    if (!validatorOf(kind.payload).Check(payload)) throw new TypeError(`${kind.id}: the payload does not fit its schema`);
    if (json.length > mostCharacters) throw new TypeError(`${kind.id}: the payload is too long`);
    const id = ids.next();
    const position = await this.#nextPosition(tx);
    const now = await db.now(tx);
    const open = openKey(kind.id, key);
    const running = open === null ? null : await this.#makeRoom(tx, open, json, now);
    if (running !== null) return running;
    const expiresAt = now + Math.min(expiresMs, kind.expiresMs);
    await repo.insert(tx, {
      id,
      position,
      kind: kind.id,
      object_key: key ?? null,
      open_key: open,
      source,
      state: "open",
      payload: json,
      sent_at: now,
      expires_at: expiresAt,
      kept_since: clock.now(),
    });
    await tasks.enqueue(tx, expireRequest, { payload: { id }, key: id, dueAt: expiresAt });
    await this.#record(tx, actor, kind, { action: "gamerequests.send", id, info: { kind: kind.id, key: key ?? null, source } });
    await outbox.emit(tx, gamerequestsSent, { key: "requests", version: position, payload: { position, source } });
    return id;
  }

  async latest(tx: Tx, kind: GameRequestDefinition, key: string): Promise<GameRequestStatus | null> {
    const row = await repo.latestOf(tx, kind.id, key);
    if (row === null) return null;
    const { id, reason, sent_at: sentAt, expires_at: expiresAt, ended_at: endedAt } = row;
    return { id, state: row.state as GameRequestState, reason, sentAt, expiresAt, endedAt };
  }

  async servers(tx: Tx): Promise<GameServer[]> {
    const now = this.#deps.clock.now();
    return (await repo.listServers(tx)).map(({ source, last_polled_at: lastPolledAt }) => ({
      source,
      lastPolledAt,
      connected: isConnected(lastPolledAt, now),
    }));
  }

  async receive(call: CallContext, { source = "default", receipts }: InputOf<typeof putReceipts>["body"]) {
    const { db, sources } = this.#deps;
    return await db.write("gamerequests.receipts", async (tx) => {
      await sources.require(tx, call, source);
      const rows = new Map((await repo.lockAll(tx, [...new Set(receipts.map(({ id }) => id))])).map((row) => [row.id, row]));
      const result = { accepted: 0, unchanged: 0, missing: [] as string[] };
      for (const receipt of receipts) {
        const row = rows.get(receipt.id);
        if (row === undefined || (row.source !== null && row.source !== source)) {
          result.missing.push(receipt.id);
          continue;
        }
        const state = stateAfter(row.state as GameRequestState, receipt.outcome);
        if (state === null) result.unchanged += 1;
        else {
          await this.#end(tx, call.actor, row, this.#endOf(row, state, receipt));
          rows.set(row.id, { ...row, state });
          result.accepted += 1;
        }
      }
      return result;
    });
  }

  /** The deadline of a request has passed. */
  async expire(tx: Tx, id: string): Promise<void> {
    const [row] = await repo.lockAll(tx, [id]);
    const state = row && stateAfter(row.state as GameRequestState, "deadline");
    if (row && state) await this.#end(tx, { kind: "system", name: expireRequest.id }, row, { state, answer: null, reason: null });
  }

  /** Nothing where a later end has replaced this one: that has a task of its own. */
  async runEnd(tx: Tx, id: string, state: GameRequestState): Promise<void> {
    const [row] = await repo.lockAll(tx, [id]);
    if (!row) throw new TaskFailedForGood(`the request ${id} was removed before its end could be run`);
    if (row.state !== state) return;
    const payload = JSON.parse(row.payload) as Record<string, unknown>;
    const answer = row.answer === null ? null : (JSON.parse(row.answer) as Record<string, unknown>);
    const outcome = outcomeOf({ state, answer, reason: row.reason });
    await this.#handlerOf(row.kind)?.ended(tx, { id, key: row.object_key, payload }, outcome);
  }

  async start(): Promise<void> {
    const { db, ids } = this.#deps;
    await db.write("gamerequests.start", async (tx) => await repo.ensureStream(tx, ids.next()));
  }

  /** Positions that plugins know may be given a second time after a restore. */
  async restored(tx: Tx): Promise<void> {
    await repo.changeEpoch(tx, this.#deps.ids.next());
  }

  /** When the plugins polled last, for the doctor; nothing where none has ever polled. */
  async findings(): Promise<Finding[]> {
    const { db, clock } = this.#deps;
    const servers = await db.read("gamerequests.findings", async (tx) => await this.servers(tx));
    const now = clock.now();
    return servers.map(({ source, lastPolledAt }): Finding => {
      const seconds = Math.max(0, Math.round((now - lastPolledAt) / 1000));
      switch (serverState(lastPolledAt, now)) {
        case "connected":
          return { id: "gamerequests.connected", state: "ok", params: { source, seconds } };
        case "silent":
          return { id: "gamerequests.silent", state: "warning", params: { source, count: Math.round(seconds / 60) } };
        case "gone":
          return { id: "gamerequests.gone", state: "ok", params: { source, hours: Math.floor(seconds / 3600) } };
      }
    });
  }

  async #nextPosition(tx: Tx): Promise<number> {
    const given = await repo.nextPosition(tx);
    if (given !== null) return given;
    await repo.ensureStream(tx, this.#deps.ids.next());
    const first = await repo.nextPosition(tx);
    if (first === null) throw new Overtaken("the stream of requests was deleted meanwhile");
    return first;
  }

  /**
   * One that no plugin has fetched is replaced. The same one, fetched and before its deadline, stays: its id is
   * returned, and nothing more is sent. Any other that was fetched goes on without its key.
   */
  async #makeRoom(tx: Tx, open: string, payload: string, now: number): Promise<string | null> {
    const before = await repo.lockOpen(tx, open);
    if (before === null) return null;
    if (before.state !== "open") {
      if (before.payload === payload && before.expires_at > now) return before.id;
      await repo.update(tx, before.id, { open_key: null });
      return null;
    }
    await repo.remove(tx, before.id);
    await this.#deps.tasks.cancel(tx, expireRequest, before.id);
    return null;
  }

  #endOf({ kind }: repo.RequestRow, state: GameRequestState, { answer = {}, reason }: Receipt): End {
    if (state !== "done") return { state, answer: null, reason: reason ?? null };
    const handler = this.#handlerOf(kind);
    const fits =
      JSON.stringify(answer).length <= mostCharacters && (!handler || validatorOf(handler.request.answer).Check(answer));
    if (fits) return { state, answer, reason: null };
    return { state: "unknown", answer: null, reason: "The game server ran it, but its answer does not fit the schema." };
  }

  async #end(tx: Tx, actor: Actor, row: repo.RequestRow, end: End): Promise<void> {
    const { clock, tasks } = this.#deps;
    const now = clock.now();
    await repo.update(tx, row.id, {
      state: end.state,
      answer: end.answer === null ? null : JSON.stringify(end.answer),
      reason: end.reason,
      open_key: null,
      ended_at: now,
      kept_since: now,
    });
    if (actor.kind === "sync") await tasks.cancel(tx, expireRequest, row.id);
    const info = { kind: row.kind, key: row.object_key, before: row.state, after: end.state, reason: end.reason };
    await this.#record(tx, actor, this.#handlerOf(row.kind)?.request, { action: "gamerequests.end", id: row.id, info });
    const ended = { id: row.id, state: end.state, order: endOrder(row) };
    await tasks.enqueue(tx, endRequest, { payload: ended });
  }

  async #record(
    tx: Tx,
    actor: Actor,
    definition: GameRequestDefinition | undefined,
    { action, id, info }: { readonly action: string; readonly id: string; readonly info: object },
  ): Promise<void> {
    if (definition?.audited === false) return;
    await this.#deps.audit.record(tx, actor, { action, object: { kind: "gamerequests.request", id }, info });
  }

  #handlerOf(kind: string): GameRequestHandler | undefined {
    return this.#deps.registry.parts("gameRequests").find(({ request }) => request.id === kind);
  }
}
