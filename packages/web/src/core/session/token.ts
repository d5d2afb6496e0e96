import type { OutputOf } from "@rollcall/server/contract/core";
import type { token } from "@rollcall/server/contract/auth";
import type { Clock } from "#core/clock.ts";
import { asProblem, Problem } from "#core/problem.ts";

export type IssuedToken = OutputOf<typeof token>;

export interface TokenKeeper {
  /** Issues tokens for `characterId` from now on. */
  choose(characterId: number): Promise<IssuedToken>;
  /** The current token, or a new one when it is about to expire. Concurrent callers share one request. */
  fresh(): Promise<string>;
  /** Requests a new token in any case: rights have changed. */
  again(): Promise<void>;
  /** The server refused this token; a newer one is kept. */
  drop(refused: string | null): void;
  forget(): void;
}

export interface TokenKeeperOptions {
  readonly clock: Clock;
  readonly serverNow: () => number;
  readonly issue: (characterId: number) => Promise<IssuedToken>;
  readonly issued: (token: IssuedToken) => void;
  /** The server refused to issue a token; a network failure does not count. */
  readonly refused: (problem: Problem) => void;
}

/** A token is renewed this long before it expires; one that lives shorter, as it ends with job admin, after half of its lifetime. Milliseconds. */
const MARGIN = 60_000;
/** Delay after a failed renewal in the background. Milliseconds. */
const RETRY = 15_000;

/** Keeps the user token in memory and renews it before it expires. */
export function createTokenKeeper({ clock, serverNow, issue, issued, refused }: TokenKeeperOptions): TokenKeeper {
  let character: number | null = null;
  let held: { token: string; until: number; margin: number } | null = null;
  let running: Promise<IssuedToken> | null = null;
  let cancelTimer: () => void = () => {};

  function plan(delay: number): void {
    cancelTimer();
    cancelTimer = clock.after(delay, () => {
      void renew().catch((error: unknown) => {
        if (asProblem(error).status === 0 && character !== null) plan(RETRY);
      });
    });
  }

  function renew(): Promise<IssuedToken> {
    if (running) return running;
    const wanted = character;
    if (wanted === null) return Promise.reject(new Problem("system.characterNeeded", 401));
    running = issue(wanted)
      .then((answer) => {
        if (character === wanted) keep(answer);
        return answer;
      })
      .catch((error: unknown) => {
        const problem = asProblem(error);
        if (character === wanted && (problem.status === 401 || problem.status === 403)) {
          held = null;
          cancelTimer();
          refused(problem);
        }
        throw problem;
      })
      .finally(() => {
        running = null;
      });
    return running;
  }

  function keep(answer: IssuedToken): void {
    const lifetime = Math.max(0, answer.expiresAt - serverNow());
    const margin = Math.min(MARGIN, lifetime / 2);
    held = { token: answer.token, until: clock.now() + lifetime, margin };
    plan(Math.max(lifetime - margin, 1_000));
    issued(answer);
  }

  return {
    async choose(characterId) {
      await running?.catch(() => undefined);
      character = characterId;
      held = null;
      return renew();
    },
    async fresh() {
      if (held && held.until - clock.now() > held.margin / 2) return held.token;
      return (await renew()).token;
    },
    async again() {
      await running?.catch(() => undefined);
      held = null;
      await renew();
    },
    drop(token) {
      if (held?.token === token) held = null;
    },
    forget() {
      character = null;
      held = null;
      cancelTimer();
    },
  };
}
