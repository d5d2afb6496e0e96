import { AppError } from "#core/errors.ts";
import { networkOf } from "#core/network.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { authErrors } from "./auth.contract.ts";
import * as repo from "./auth.repo.ts";
import { afterFailure, type CounterKind, noFailures, waitFor } from "./auth.throttle.policy.ts";

/** What failures are counted under. */
export type Subjects = Readonly<Partial<Record<CounterKind, string>>>;

/** A browser that signed in before is counted by itself, wherever it is now. */
export function loginSubjects(username: string, address: string, device?: string): Subjects {
  const name = username.normalize("NFKC").toLowerCase().trim().slice(0, 64);
  const network = networkOf(address);
  const pair = device === undefined ? `pair ${network} ${name}` : `device ${device} ${name}`;
  return { pair: pair.slice(0, 150), address: `address ${network}`, account: `account ${name}` };
}

/** Of somebody signed in who says the password again: an open browser is no place to guess it. */
export function ownSubjects(accountId: number): Subjects {
  return { pair: `own ${accountId}` };
}

export function factorSubjects(accountId: number, address: string): Subjects {
  return { pair: `factor ${networkOf(address)} ${accountId}`.slice(0, 150), factor: `factor ${accountId}` };
}

export function tokenSubjects(address: string): Subjects {
  return { address: `token ${networkOf(address)}` };
}

export function createThrottle(clock: Clock) {
  return {
    /** Milliseconds to wait before the next try. */
    async wait(tx: Tx, subjects: Subjects, knownAddress: boolean): Promise<number> {
      const counters = await repo.readCounters(tx, Object.values(subjects));
      const counted = Object.entries(subjects).map(([kind, subject]) => [kind, counters.get(subject) ?? noFailures]);
      return waitFor(Object.fromEntries(counted), knownAddress, clock.now());
    },

    async fail(tx: Tx, subjects: Subjects): Promise<void> {
      const now = clock.now();
      for (const [kind, subject] of Object.entries(subjects) as [CounterKind, string][]) {
        const counter = await repo.lockCounter(tx, subject);
        await repo.putCounter(tx, subject, afterFailure(kind, counter, now));
      }
    },

    error: (wait: number) => new AppError(authErrors.throttled, { params: { seconds: Math.ceil(wait / 1000) } }),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
