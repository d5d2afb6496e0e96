import { hash, verify } from "@node-rs/argon2";
import { AppError } from "#core/errors.ts";
import type { HashingFor } from "./accounts.api.ts";
import { accountsErrors } from "./accounts.contract.ts";

/** argon2id with 19 MiB and two passes: about 30 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

interface LaneLimits {
  /** Waiting from one network. */
  readonly perNetwork: number;
  readonly total: number;
}

/** Strangers wait at most about a second; who signed in from there before never waits behind them. */
const limits: Readonly<Record<"trusted" | "strangers", LaneLimits>> = {
  trusted: { perNetwork: 8, total: 200 },
  strangers: { perNetwork: 4, total: 32 },
};
const busySeconds = 2;

/** One hash at a time, in turn by network: a flood from one place waits behind itself. */
export function createLane({ perNetwork, total }: LaneLimits) {
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
    try {
      return await work();
    } finally {
      next();
    }
  }

  return Object.assign(inTurn, { full: () => count >= total });
}

const lanes = { trusted: createLane(limits.trusted), strangers: createLane(limits.strangers) };

async function inTurn<T>(by: HashingFor, work: () => Promise<T>): Promise<T> {
  return await (by.trusted ? lanes.trusted : lanes.strangers)(by.network, work);
}

/** Throws `accounts.busy` when no stranger can wait for a hash now. */
export function refuseStrangersWhenFull(): void {
  if (lanes.strangers.full()) throw new AppError(accountsErrors.busy, { params: { seconds: busySeconds } });
}

export async function hashPassword(password: string, by: HashingFor): Promise<string> {
  return await inTurn(by, async () => await hash(password.normalize("NFKC"), cost));
}

let decoy: Promise<string> | undefined;

/** Takes as long for an account that does not exist: the time must not tell which names do. */
export async function passwordMatches(stored: string | null, password: string, by: HashingFor): Promise<boolean> {
  decoy ??= hash("a password that nobody has", cost);
  const against = stored ?? (await decoy);
  const matches = await inTurn(by, async () => await verify(against, password.normalize("NFKC")));
  return stored !== null && matches;
}
