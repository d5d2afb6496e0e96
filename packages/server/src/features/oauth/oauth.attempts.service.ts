import { createHash } from "node:crypto";
import type { AccountActor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import { type Clock, type Database, OutgoingFailed } from "#core/ports/index.ts";
import type { OauthOutcome } from "./oauth.contract.ts";
import type { AttemptSecrets } from "./oauth.exchange.service.ts";
import { IdentityRefused } from "./oauth.policy.ts";
import { ProviderIncomplete } from "./oauth.providers.service.ts";
import * as repo from "./oauth.repo.ts";
import { ExchangeFailed } from "./oauth.tokens.service.ts";

/** How long a browser may be away at the provider. */
const attemptMs = 10 * 60_000;
/** Attempts that one browser may have open in its tabs. */
const maxOpen = 4;

/** Ends an attempt with an outcome that the page of the application shows; the message is for the log. */
export class AttemptEnded extends Error {
  override name = "AttemptEnded";
  readonly outcome: OauthOutcome;
  constructor(outcome: OauthOutcome, message: string = outcome) {
    super(message);
    this.outcome = outcome;
  }
}

/** The outcome of an error of the provider or of the user; throws any other error. */
export function attemptEnd(error: unknown): AttemptEnded {
  if (error instanceof AttemptEnded) return error;
  if (error instanceof OutgoingFailed) return new AttemptEnded("unreachable", `${error.problem}: ${error.message}`);
  if (error instanceof ProviderIncomplete) return new AttemptEnded("unreachable", error.message);
  if (error instanceof IdentityRefused) return new AttemptEnded("identityRefused", error.message);
  if (error instanceof ExchangeFailed) return new AttemptEnded("exchangeFailed", error.message);
  throw error;
}

const storedState = (state: string) => createHash("sha256").update(`oauth state\n${state}`).digest("hex");

function secretsIn(cookie: string | null): AttemptSecrets[] {
  try {
    return JSON.parse(cookie ?? "[]") as AttemptSecrets[];
  } catch {
    return [];
  }
}

function storeSecrets(call: CallContext, secrets: readonly AttemptSecrets[]): void {
  call.cookies.set("oauth", secrets.length === 0 ? null : JSON.stringify(secrets), attemptMs / 1000);
}

/** A browser that is sent to a provider. */
export interface NewAttempt {
  readonly provider: string;
  /** Path of the application to return to. */
  readonly path: string;
  /** The account that connects; null signs in. */
  readonly account: AccountActor | null;
  readonly secrets: AttemptSecrets;
}

/** Binds an external sign-in to the browser that began it: a row for the state, and the secrets in its cookie. */
export class AttemptsService {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async begin(call: CallContext, { provider, path, account, secrets }: NewAttempt): Promise<void> {
    const now = this.#clock.now();
    await this.#db.write("oauth.begin", async (tx) => {
      await repo.insertAttempt(tx, {
        id: storedState(secrets.state),
        provider,
        account_id: account?.accountId ?? null,
        session_id: account?.sessionId ?? null,
        return_path: path,
        created_at: now,
        expires_at: now + attemptMs,
      });
    });
    const others = secretsIn(await call.cookies.get("oauth")).slice(1 - maxOpen);
    storeSecrets(call, [...others, secrets]);
  }

  /**
   * Finds the attempt of an answer and uses it up; calls `onPath` as soon as its path is known. Throws
   * `AttemptEnded` when this browser has no such attempt.
   */
  async claim(
    call: CallContext,
    provider: string,
    state: string | undefined,
    onPath: (path: string) => void,
  ): Promise<{ attempt: repo.Attempt; secrets: AttemptSecrets }> {
    if (state === undefined) throw new AttemptEnded("stateWrong");
    const id = storedState(state);
    const attempt = await this.#db.read("oauth.attempt", async (tx) => await repo.findAttempt(tx, id));
    if (attempt === null) throw new AttemptEnded("stateWrong");
    onPath(attempt.return_path);
    if (attempt.provider !== provider || attempt.used_at !== null) throw new AttemptEnded("stateWrong");
    if (attempt.expires_at <= this.#clock.now()) throw new AttemptEnded("expired");
    const open = secretsIn(await call.cookies.get("oauth"));
    const secrets = open.find((one) => one.state === state);
    if (secrets === undefined) throw new AttemptEnded("cookieLost");
    const first = await this.#db.write("oauth.claim", async (tx) => await repo.useAttempt(tx, id, this.#clock.now()));
    if (!first) throw new AttemptEnded("stateWrong");
    storeSecrets(
      call,
      open.filter((one) => one !== secrets),
    );
    return { attempt, secrets };
  }
}
