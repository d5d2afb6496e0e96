import type { Rights } from "#core/actor.ts";
import { CachedValue } from "#core/cached.ts";
import type { PermissionDefinition } from "#core/contract/index.ts";
import type { Clock, Database, Log, Tx } from "#core/ports/index.ts";
import { readLimits } from "./access.limits.repo.ts";
import type { Rules } from "./access.policy.ts";
import * as repo from "./access.repo.ts";

/** How long cached roles are used without a reload when no event reported a change. */
const ttlMs = 2000;

export interface RulesDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Subsystem `perms`. */
  readonly log: Log;
  readonly permissions: () => readonly PermissionDefinition[];
}

export interface StoredRules extends Rules {
  readonly roles: readonly repo.StoredRole[];
}

export interface CachedRules {
  readonly epoch: number;
  readonly rules: StoredRules;
  /** Rights that were resolved from these rules, by the key of the caller. */
  readonly rights: Map<string, Rights>;
}

/** The roles and limits, cached in this process. */
export class RulesCache {
  readonly #deps: RulesDeps;
  readonly #cached: CachedValue<CachedRules>;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
    this.#cached = new CachedValue({ clock: deps.clock, ttlMs, load: async (previous) => await this.#load(previous) });
  }

  /** At most two seconds old, and never older than the last `invalidate`. */
  async get(): Promise<CachedRules> {
    return await this.#cached.get();
  }

  /**
   * As of a unit of work. Every change of roles and limits raises the epoch, so what is cached counts while the
   * epochs agree. What is read here is not cached: it may be older than the cache, or be rolled back.
   */
  async getIn(tx: Tx): Promise<CachedRules> {
    return await this.#since(tx, this.#cached.last);
  }

  /** The next `get` reads the epoch, and the roles if it changed. */
  invalidate(): void {
    this.#cached.invalidate();
  }

  /** From the database, as of this unit of work. */
  async readIn(tx: Tx): Promise<StoredRules> {
    const roles = await repo.readRoles(tx);
    const limits = await readLimits(tx);
    const inForce = [...limits].flatMap(([job, stored]) => (stored.limits === null ? [] : [[job, stored.limits] as const]));
    return { permissions: this.#deps.permissions(), roles, limits: new Map(inForce) };
  }

  async #load(previous: CachedRules | null): Promise<CachedRules> {
    const { db, log } = this.#deps;
    const loaded = await db.read("access.roles", async (tx) => await this.#since(tx, previous));
    if (loaded !== previous) log.debug({ epoch: loaded.epoch, roles: loaded.rules.roles.length }, "roles read");
    return loaded;
  }

  async #since(tx: Tx, previous: CachedRules | null): Promise<CachedRules> {
    const epoch = await repo.readEpoch(tx);
    return previous?.epoch === epoch ? previous : { epoch, rules: await this.readIn(tx), rights: new Map<string, Rights>() };
  }
}
