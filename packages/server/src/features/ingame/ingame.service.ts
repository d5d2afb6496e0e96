import { guardErrors } from "#core/contract/guard.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, EndedGameRequest, Outbox, Tx } from "#core/ports/index.ts";
import { TokenBucket, TokenBuckets } from "#core/token-bucket.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { citizenIdentifier } from "#features/citizens/citizens.reads.ts";
import type { GameRequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import type { PositionsApi } from "#features/positions/positions.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import { ingameErrors, setWaypoint, type Waypoint, waypointChanged, waypointLimits, waypointRequest } from "./ingame.contract.ts";

export interface IngameDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly requests: GameRequestsApi;
  readonly positions: PositionsApi;
  readonly postals: PostalsApi;
}

/** A postal, or a place. */
interface Target {
  readonly postal?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

/** Of so many characters it is known how many waypoints they sent lately. */
const mostCharacters = 10_000;

/** What people have the game server do for their own character. */
export class IngameService {
  readonly #deps: IngameDeps;
  /** In the memory of this process: a protection against floods, not exact accounting. */
  readonly #sent = new TokenBuckets(mostCharacters);

  constructor(deps: IngameDeps) {
    this.#deps = deps;
  }

  async waypoint(characterId: number): Promise<{ waypoint: Waypoint | null }> {
    return await this.#deps.db.read("ingame.waypoint", async (tx) => await this.#waypoint(tx, characterId));
  }

  async setWaypoint(call: CallContext, target: Target): Promise<{ waypoint: Waypoint | null }> {
    const { characterId: id, characterName: name } = call.viewer();
    const { db, requests, positions, audit } = this.#deps;
    const { x, y, label } = this.#targetOf(target);
    // A character without a place is not in the game, whatever else is known of it.
    const source = positions.place(id)?.source;
    if (source === undefined) throw new AppError(ingameErrors.notInGame);
    this.#count(id);
    return await db.write(setWaypoint.id, async (tx) => {
      const identifier = await citizenIdentifier(tx, id);
      if (identifier === null) throw new AppError(ingameErrors.notInGame);
      const server = (await requests.servers(tx)).find((one) => one.source === source);
      if (server?.connected !== true) throw new AppError(ingameErrors.noGameServer, { params: { source } });
      await audit.recordFolded(tx, call.actor, { action: setWaypoint.id, object: { kind: "citizen", id, name } });
      await this.#announce(tx, id);
      await requests.send(tx, call.actor, waypointRequest, { payload: { identifier, x, y, label }, key: String(id), source });
      return await this.#waypoint(tx, id);
    });
  }

  async ended(tx: Tx, { key }: EndedGameRequest): Promise<void> {
    await this.#announce(tx, Number(key));
  }

  #count(id: number): void {
    const bucket = this.#sent.of(String(id), () => new TokenBucket(this.#deps.clock, waypointLimits));
    if (bucket.tokens < 1) {
      const seconds = Math.ceil((1 - bucket.tokens) / waypointLimits.perSecond);
      throw new AppError(guardErrors.rateLimited, { params: { seconds } });
    }
    bucket.take(1);
  }

  #targetOf({ postal, x, y }: Target): { x: number; y: number; label: string } {
    if (postal === undefined && x !== undefined && y !== undefined) return { x, y, label: "" };
    if (postal === undefined || x !== undefined || y !== undefined) throw new AppError(ingameErrors.noTarget);
    const found = this.#deps.postals.find(postal);
    if (found === null) throw new AppError(ingameErrors.postalUnknown, { params: { postal } });
    return { x: found.x, y: found.y, label: found.code };
  }

  async #waypoint(tx: Tx, id: number): Promise<{ waypoint: Waypoint | null }> {
    const found = await this.#deps.requests.latest(tx, waypointRequest, String(id));
    if (found === null) return { waypoint: null };
    const { state, reason, sentAt, endedAt } = found;
    return { waypoint: { state, reason, sentAt, endedAt } };
  }

  async #announce(tx: Tx, character: number): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, waypointChanged, { key: `waypoint ${character}`, version: clock.now(), payload: { character } });
  }
}
