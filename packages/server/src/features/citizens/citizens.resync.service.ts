import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, EndedGameRequest, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { GameRequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import { citizensErrors, resyncChanged, resyncRequest, type ResyncStatus } from "./citizens.contract.ts";
import { type CitizenSource, type CustomColumns, rowsOf, sourceOf } from "./citizens.repo.ts";

export interface ResyncDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly requests: GameRequestsApi;
  readonly custom: CustomColumns;
  readonly filterEmptyName: boolean;
}

/** Asks the game server to send one citizen again. */
export class ResyncService {
  readonly #deps: ResyncDeps;

  constructor(deps: ResyncDeps) {
    this.#deps = deps;
  }

  async status(id: number): Promise<ResyncStatus> {
    return await this.#deps.db.read("citizens.getResync", async (tx) => {
      await this.#citizen(tx, id);
      return await this.#status(tx, id);
    });
  }

  async request(call: CallContext, id: number): Promise<ResyncStatus> {
    const { db, requests, audit } = this.#deps;
    return await db.write("citizens.requestResync", async (tx) => {
      const { identifier, first_name, last_name } = await this.#citizen(tx, id);
      // The one that a game server runs now sends the citizen anyway.
      const last = await requests.latest(tx, resyncRequest, String(id));
      if (last?.state === "delivered" && last.expiresAt > (await db.now(tx))) return await this.#status(tx, id);
      const connected = (await requests.servers(tx)).filter((server) => server.connected).map(({ source }) => source);
      if (connected.length === 0) throw new AppError(citizensErrors.noGameServer);
      // Who sent the citizen may be the database sync tool, which fetches no requests.
      const own = await sourceOf(tx, id);
      const source = own !== null && connected.includes(own) ? own : null;
      const target = { kind: "citizen", id, name: `${first_name} ${last_name}`.trim() } as const;
      await audit.record(tx, call.actor, { action: "citizens.requestResync", object: target, target });
      await this.#announce(tx, id);
      await requests.send(tx, call.actor, resyncRequest, { payload: { identifier }, key: String(id), source });
      return await this.#status(tx, id);
    });
  }

  async ended(tx: Tx, { key }: EndedGameRequest): Promise<void> {
    await this.#announce(tx, Number(key));
  }

  async #announce(tx: Tx, id: number): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, resyncChanged, { key: `resync ${id}`, version: clock.now(), payload: { id } });
  }

  async #status(tx: Tx, id: number): Promise<ResyncStatus> {
    const { requests } = this.#deps;
    const [last] = await requests.servers(tx);
    const found = await requests.latest(tx, resyncRequest, String(id));
    const request = found && { state: found.state, reason: found.reason, sentAt: found.sentAt, endedAt: found.endedAt };
    return { connected: last?.connected ?? false, lastPolledAt: last?.lastPolledAt ?? null, request };
  }

  async #citizen(tx: Tx, id: number): Promise<CitizenSource> {
    const { custom, filterEmptyName } = this.#deps;
    const [row] = await rowsOf(tx, { ids: [id], filterEmptyName }, custom);
    if (!row) throw new AppError(citizensErrors.notFound);
    return row;
  }
}
