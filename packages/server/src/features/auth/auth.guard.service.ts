import { CachedValue } from "#core/cached.ts";
import { AppError } from "#core/errors.ts";
import { networkOf } from "#core/network.ts";
import type { Clock, Database, Ids } from "#core/ports/index.ts";
import type { Account, AccountsApi, HashingCaller } from "#features/accounts/accounts.api.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import { authErrors } from "./auth.contract.ts";
import { maxKnownAddresses, RecentRefusals, type Refusal } from "./auth.guard.refusals.service.ts";
import type { DeviceCookie } from "./auth.open.service.ts";
import * as repo from "./auth.repo.ts";
import { MemoryThrottle } from "./auth.throttle.memory.service.ts";
import { accountSubjects, nameSubjects, networkSubjects, type Subjects, tokenSubjects } from "./auth.throttle.policy.ts";
import { nothingToFinish, type FinishAttempt, type Throttle } from "./auth.throttle.service.ts";

export interface LoginGuardDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: AccountsApi;
  readonly throttle: Throttle;
}

/** A sign-in whose password may be checked. */
export interface Attempt {
  readonly account: Account | null;
  /** The stored hash, null without account or password. */
  readonly hash: string | null;
  /** The account signed in from this address or with this browser before. */
  readonly known: boolean;
  readonly caller: HashingCaller;
  /** Counted in the database; null for a name that no account has. */
  readonly stored: Subjects | null;
  readonly inMemory: Subjects;
}

/** How long, and how many, of the addresses that any account signed in from are cached; with more the database is asked. */
const addressesTtlMs = 5_000;
const maxAddresses = 50_000;

/** One hashing queue for each account where it signed in before: unknown callers cannot delay it. */
export const knownCaller = (accountId: number): HashingCaller => ({ network: `account ${accountId}`, known: true });

const unknownCaller = (address: string): HashingCaller => ({ network: networkOf(address), known: false });

function asAuthBusy(error: unknown): unknown {
  if (!(error instanceof AppError) || error.definition !== accountsErrors.busy) return error;
  return new AppError(authErrors.busy, { params: error.params, cause: error });
}

/**
 * The login guard (flood guard). Protects the sign-in against floods: decides whose attempt is checked, who has to wait and what is
 * counted. The checks run from the cheapest to the most expensive, memory before database before hash;
 * see `docs/sign-in.md`.
 */
export class LoginGuard {
  readonly #deps: LoginGuardDeps;
  readonly #memory: MemoryThrottle;
  readonly #refusals: RecentRefusals;
  readonly #addresses: CachedValue<ReadonlySet<string>>;

  constructor(deps: LoginGuardDeps) {
    this.#deps = deps;
    this.#memory = new MemoryThrottle(deps.clock, deps.ids);
    this.#refusals = new RecentRefusals(deps.clock);
    this.#addresses = new CachedValue<ReadonlySet<string>>({
      clock: deps.clock,
      ttlMs: addressesTtlMs,
      load: async () => await deps.db.read("auth.addresses", async (tx) => new Set(await repo.allAddresses(tx, maxAddresses))),
    });
  }

  /** Before anything is hashed. Throws `auth.busy` when no unknown caller can wait for a hash now. */
  async admit(username: string, address: string, device: DeviceCookie | null): Promise<Attempt | Refusal> {
    if (device === null) {
      const refusal = await this.#refusalFromMemory(username, address);
      if (refusal !== null) return refusal;
    }
    return await this.#prepare(username, address, device);
  }

  /**
   * Outside any unit of work. The attempt is counted when its turn in the hashing queue has come, before the
   * password is checked. Throws `auth.throttled` and `auth.busy`.
   */
  async checkPassword(attempt: Attempt, password: string): Promise<{ readonly right: boolean; readonly finish: FinishAttempt }> {
    let finish = nothingToFinish;
    const countAttempt = async () => void (finish = await this.#count(attempt));
    try {
      const right = await this.#deps.accounts.passwordMatches(attempt.hash, password, attempt.caller, countAttempt);
      return { right, finish };
    } catch (error) {
      throw asAuthBusy(error);
    }
  }

  /** Runs what redeems a token; only a token that is not valid stays counted, against its network. Throws `auth.throttled`. */
  async redeem(address: string, work: (caller: HashingCaller) => Promise<Account>): Promise<Account> {
    const counted = this.#memory.consume(tokenSubjects(address));
    let account: Account;
    try {
      account = await work(unknownCaller(address));
    } catch (error) {
      const wrong = error instanceof AppError && error.definition === accountsErrors.tokenNotValid;
      if (!wrong) this.#memory.refund(counted);
      throw error;
    }
    this.#memory.refund(counted);
    return account;
  }

  /** What this process knows without asking the database about the name. */
  async #refusalFromMemory(username: string, address: string): Promise<Refusal | null> {
    const recent = this.#refusals.find(nameSubjects(username, address), address);
    if (recent !== null) return recent;
    const wait = this.#memory.wait(networkSubjects(address));
    if (wait > 0 && (await this.#isUnknown(address))) return { wait, account: null };
    await this.#refuseWhenFull(address);
    return null;
  }

  /** Whether no account signed in from this address; false when that is not known without the database. */
  async #isUnknown(address: string): Promise<boolean> {
    const addresses = await this.#addresses.get();
    return addresses.size < maxAddresses && !addresses.has(address);
  }

  /** While the hashing queue of unknown callers is full, a guess from an unknown address costs no statement. */
  async #refuseWhenFull(address: string): Promise<void> {
    try {
      this.#deps.accounts.rejectUnknownWhenFull();
    } catch (error) {
      if (await this.#isUnknown(address)) throw asAuthBusy(error);
    }
  }

  /** As many statements for a name that no account has: the time must not reveal which names exist. */
  async #prepare(username: string, address: string, device: DeviceCookie | null): Promise<Attempt | Refusal> {
    const { accounts, db, throttle } = this.#deps;
    const found = await db.read("auth.login", async (tx) => {
      const account = await accounts.byUsername(tx, username);
      const id = account?.id ?? 0;
      const ownDevice = account !== null && device?.accountId === account.id;
      const known = (await repo.knowsAddress(tx, id, address)) || ownDevice;
      const subjects = accountSubjects(id, address, ownDevice ? device.device : undefined);
      const wait = await throttle.wait(tx, subjects, known);
      const refusesUnknown = wait > 0 && !known && account !== null;
      const accountWait = refusesUnknown ? await throttle.wait(tx, { account: subjects.account ?? "" }, false) : 0;
      const addresses = accountWait > 0 ? await repo.addressesOf(tx, id, maxKnownAddresses) : [];
      return { account, known, subjects, wait, accountWait, addresses, hash: await accounts.passwordHash(tx, id) };
    });
    const { account, known, hash } = found;
    if (account !== null && found.wait > 0) this.#refusals.add(nameSubjects(username, address), { ...found, account });
    const inMemory = { ...networkSubjects(address), ...(account === null ? nameSubjects(username, address) : {}) };
    const wait = Math.max(account === null ? 0 : found.wait, this.#memory.wait(inMemory, known));
    if (wait > 0) return { wait, account };
    const caller = known && account !== null ? knownCaller(account.id) : unknownCaller(address);
    return { account, hash, known, caller, inMemory, stored: account === null ? null : found.subjects };
  }

  /** Outside any unit of work. Throws `auth.throttled`. */
  async #count({ known, stored, inMemory }: Attempt): Promise<FinishAttempt> {
    const { db, throttle } = this.#deps;
    const counted = this.#memory.consume(inMemory, known);
    try {
      const storedAttempt = await db.write("auth.loginTry", async (tx) =>
        stored === null ? await throttle.consumeDecoy(tx) : await throttle.consume(tx, stored, known),
      );
      return async (tx, forget) => {
        if (storedAttempt !== undefined) await throttle.refund(tx, storedAttempt, forget);
        tx.afterCommit(() => this.#memory.refund(counted, forget));
      };
    } catch (error) {
      this.#memory.refund(counted);
      throw error;
    }
  }
}
