import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#core/errors.ts";
import type { Clock } from "#core/ports/index.ts";
import type { HashingFor } from "./accounts.api.ts";
import { accountsErrors } from "./accounts.contract.ts";

/** argon2id with 19 MiB and two passes: about 30 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

interface LaneLimits {
  /** Waiting from one network. */
  readonly perNetwork: number;
  readonly total: number;
  /** While others wait: pause after each hash, in multiples of the time that it took. */
  readonly rest: number;
}

/**
 * Who signed in from there before never waits behind strangers, and a crowd of strangers leaves most of
 * a processor to everybody else: alone one waits for nothing, in a full queue about four seconds.
 */
const limits: Readonly<Record<"trusted" | "strangers", LaneLimits>> = {
  trusted: { perNetwork: 8, total: 200, rest: 0 },
  strangers: { perNetwork: 4, total: 32, rest: 3 },
};
const busySeconds = 5;

/** One hash at a time, in turn by network: a flood from one place waits behind itself. */
export function createLane({ perNetwork, total, rest }: LaneLimits, clock: Clock) {
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  let running = false;

  function next(): void {
    for (const [network, queue] of waiting) {
      const go = queue.shift();
      // Behind the other networks: its next one waits for one of each.
      waiting.delete(network);
      if (queue.length > 0) waiting.set(network, queue);
      if (!go) continue;
      count -= 1;
      go();
      return;
    }
    running = false;
  }

  async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (running) {
      const queue = waiting.get(network) ?? [];
      if (queue.length >= perNetwork || count >= total) {
        throw new AppError(accountsErrors.busy, { params: { seconds: busySeconds } });
      }
      count += 1;
      await new Promise<void>((resolve) => waiting.set(network, [...queue, resolve]));
    }
    running = true;
    const begun = clock.monotonic();
    try {
      return await work();
    } finally {
      const pause = count === 0 ? 0 : (clock.monotonic() - begun) * rest;
      if (pause === 0) next();
      else clock.setTimeout(next, pause);
    }
  }

  return Object.assign(inTurn, { full: () => count >= total });
}

/** Hashes and checks passwords, a few at a time. */
export function createPasswords(clock: Clock) {
  const lanes = { trusted: createLane(limits.trusted, clock), strangers: createLane(limits.strangers, clock) };
  let decoy: Promise<string> | undefined;

  async function inTurn<T>(by: HashingFor, work: () => Promise<T>): Promise<T> {
    return await (by.trusted ? lanes.trusted : lanes.strangers)(by.network, work);
  }

  return {
    /** Throws `accounts.busy` when no stranger can wait for a hash now. */
    refuseStrangersWhenFull(): void {
      if (lanes.strangers.full()) throw new AppError(accountsErrors.busy, { params: { seconds: busySeconds } });
    },

    async hashPassword(password: string, by: HashingFor): Promise<string> {
      return await inTurn(by, async () => await hash(password.normalize("NFKC"), cost));
    },

    /** Takes as long for an account that does not exist: the time must not tell which names do. */
    async passwordMatches(stored: string | null, password: string, by: HashingFor): Promise<boolean> {
      decoy ??= hash("a password that nobody has", cost);
      const against = stored ?? (await decoy);
      const matches = await inTurn(by, async () => await verify(against, password.normalize("NFKC")));
      return stored !== null && matches;
    },
  };
}
