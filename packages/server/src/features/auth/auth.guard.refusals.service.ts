import type { Clock } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import type { Account } from "#features/accounts/accounts.api.ts";
import type { Subjects } from "./auth.throttle.policy.ts";

/** How long, and how many, refusals are answered from memory. */
const refusalMs = 2_000;
const maxRefusals = 20_000;
/** An account with this many known addresses is not closed in memory: the list may be incomplete, so the database is asked. */
export const maxKnownAddresses = 1000;

/** A sign-in that has to wait. */
export interface Refusal {
  /** Milliseconds. */
  readonly wait: number;
  /** Null when it is not known which account it is about, or when there is none. */
  readonly account: Pick<Account, "id"> | null;
}

interface Blocked {
  readonly until: number;
  readonly account: Pick<Account, "id">;
}

/** What the database said about a refused sign-in. */
export interface StoredRefusal {
  readonly account: Pick<Account, "id">;
  /** Milliseconds that this network has to wait. */
  readonly wait: number;
  /** Milliseconds that callers whom the account does not know have to wait; 0 for none. */
  readonly accountWait: number;
  /** Addresses from which the account signed in before, at most `maxKnownAddresses`. */
  readonly addresses: readonly string[];
}

/** Refusals that this process read from the database a moment ago, answered again without it. */
export class RecentRefusals {
  readonly #clock: Clock;
  readonly #networks = new BoundedMap<string, Blocked>(maxRefusals);
  readonly #accounts = new BoundedMap<string, Blocked & { readonly addresses: ReadonlySet<string> }>(maxRefusals);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `subjects` are those of the name as typed. */
  find({ pair = "", account = "" }: Subjects, address: string): Refusal | null {
    const now = this.#clock.now();
    const closed = this.#accounts.get(account);
    const forUnknown = closed === undefined || closed.addresses.has(address) ? undefined : closed;
    for (const blocked of [forUnknown, this.#networks.get(pair)]) {
      if (blocked !== undefined && blocked.until > now) return { wait: blocked.until - now, account: blocked.account };
    }
    return null;
  }

  /** For a short time only: another process may remove the wait, or the account may sign in from this network. */
  add({ pair = "", account: name = "" }: Subjects, { account, wait, accountWait, addresses }: StoredRefusal): void {
    const now = this.#clock.now();
    this.#networks.set(pair, { until: now + Math.min(wait, refusalMs), account: { id: account.id } });
    if (accountWait === 0 || addresses.length >= maxKnownAddresses) return;
    this.#accounts.set(name, {
      until: now + Math.min(accountWait, refusalMs),
      account: { id: account.id },
      addresses: new Set(addresses),
    });
  }
}
