import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Signer, Tx } from "#core/ports/index.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import { gamerequestsErrors } from "./gamerequests.contract.ts";
import { mayServe } from "./gamerequests.policy.ts";
import * as repo from "./gamerequests.repo.ts";

export interface SourcesDeps {
  readonly clock: Clock;
  readonly signer: Signer;
  /** `sync.apiTokens`. */
  readonly syncTokens: readonly string[];
}

/** Lets each game server be served by one token at a time, so that a token of another one gets and ends none of its requests. */
export class SourcesService {
  readonly #deps: SourcesDeps;
  /** Keyed, so that the stored fingerprint cannot be computed from a sync token alone. */
  readonly #configured: readonly string[];

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
    this.#configured = deps.syncTokens.map((token) => this.#keyed(syncTokenFingerprint(token)));
  }

  /** Notes a poll. Throws `gamerequests.sourceTaken`. */
  async notePoll(tx: Tx, call: CallContext, source: string): Promise<void> {
    const { before, token } = await this.require(tx, call, source);
    const agent = call.headers["user-agent"];
    await repo.notePoll(tx, {
      source,
      last_polled_at: this.#deps.clock.now(),
      client_version: typeof agent === "string" ? agent.slice(0, 100) : null,
      token,
      previous_token: before?.token === token ? before.previous_token : (before?.token ?? null),
    });
  }

  /** Throws `gamerequests.sourceTaken` unless the token of the call may serve this game server. */
  async require(
    tx: Tx,
    { actor }: CallContext,
    source: string,
  ): Promise<{ readonly before: repo.ServerRow | null; readonly token: string | null }> {
    const before = await repo.lockServer(tx, source);
    const token = actor.kind === "sync" ? this.#keyed(actor.tokenFingerprint) : null;
    const others = token === null ? [] : await repo.servedWith(tx, token);
    const now = this.#deps.clock.now();
    if (!mayServe(before, token, { others, configured: this.#configured, now }))
      throw new AppError(gamerequestsErrors.sourceTaken, { params: { source } });
    return { before, token };
  }

  #keyed(fingerprint: string): string {
    return this.#deps.signer.sign("gamerequests.syncToken", fingerprint);
  }
}
