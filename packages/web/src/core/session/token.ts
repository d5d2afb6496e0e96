import type { OutputOf } from "@rollcall/server/contract/core";
import type { token } from "@rollcall/server/contract/auth";
import type { Clock } from "#core/clock.ts";
import { asProblem, Problem } from "#core/problem.ts";

export type Minted = OutputOf<typeof token>;

export interface TokenKeeper {
  /** Makes `characterId` the one that tokens are made for. */
  choose(characterId: number): Promise<Minted>;
  /** The held token, or a new one when it is about to end. One request however many ask. */
  fresh(): Promise<string>;
  /** A new token in any case: rights have changed. */
  again(): Promise<void>;
  /** The server refused this token; a newer one is kept. */
  drop(refused: string | null): void;
  forget(): void;
}

export interface TokenKeeperParts {
  readonly clock: Clock;
  readonly serverNow: () => number;
  readonly mint: (characterId: number) => Promise<Minted>;
  readonly minted: (minted: Minted) => void;
  /** A new token was refused by the server, not by the line. */
  readonly refused: (problem: Problem) => void;
}

/** A token is renewed this long before it ends. Milliseconds. */
const MARGIN = 60_000;
/** After a failed renewal in the background. Milliseconds. */
const RETRY = 15_000;

/** Holds the user token in memory and renews it before it ends. */
export function createTokenKeeper({ clock, serverNow, mint, minted, refused }: TokenKeeperParts): TokenKeeper {
  let character: number | null = null;
  let held: { token: string; until: number } | null = null;
  let running: Promise<Minted> | null = null;
  let cancelTimer: () => void = () => {};

  function plan(delay: number): void {
    cancelTimer();
    cancelTimer = clock.after(delay, () => {
      void renew().catch((error: unknown) => {
        if (asProblem(error).status === 0 && character !== null) plan(RETRY);
      });
    });
  }

  function renew(): Promise<Minted> {
    if (running) return running;
    const wanted = character;
    if (wanted === null) return Promise.reject(new Problem("system.characterNeeded", 401));
    running = mint(wanted)
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

  function keep(answer: Minted): void {
    const lifetime = Math.max(0, answer.expiresAt - serverNow());
    held = { token: answer.token, until: clock.now() + lifetime };
    plan(Math.max(lifetime - MARGIN, 1_000));
    minted(answer);
  }

  return {
    async choose(characterId) {
      await running?.catch(() => undefined);
      character = characterId;
      held = null;
      return renew();
    },
    async fresh() {
      const margin = MARGIN / 2;
      if (held && held.until - clock.now() > margin) return held.token;
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
