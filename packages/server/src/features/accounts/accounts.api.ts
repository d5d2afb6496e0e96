import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface Account {
  readonly id: number;
  readonly licence: string;
  readonly username: string | null;
  readonly groups: readonly string[];
  readonly enabled: boolean;
  readonly hasPassword: boolean;
  readonly lastCharacterId: number | null;
  /** The game's identifier of the character that the game server reported last. */
  readonly gameCharacter: string | null;
  readonly createdAt: number;
}

export interface NewAccount {
  readonly licence: string;
  readonly username: string;
  readonly password: string;
  readonly groups?: readonly string[];
}

/** Who asks for a password to be checked: hashing is shared out by it. */
export interface HashingFor {
  /** The network that the request came from. */
  readonly network: string;
  /** The account signed in from there before: has a queue of its own, out of reach of strangers. */
  readonly trusted: boolean;
}

/** What signing in does for accounts; hung in once, by the feature `auth`. */
export interface AccountsHooks {
  /** Ends all sessions of an account in the transaction of the change. */
  endSessions(tx: Tx, accountId: number): Promise<void>;
  powersOf(account: { licence: string; groups: readonly string[] }): { configAdmin: boolean; mayJobAdmin: boolean };
}

/** Removes what a feature keeps of an account that goes for good, in the unit of work in which it goes. */
export type ForgetAccount = (tx: Tx, accountId: number) => Promise<void>;

export interface AccountsApi {
  /** Characters that a password has at least. */
  readonly passwordMinimum: number;
  byId(tx: Tx, id: number): Promise<Account | null>;
  /** Compared without case. */
  byUsername(tx: Tx, username: string): Promise<Account | null>;
  byLicence(tx: Tx, licence: string): Promise<Account | null>;
  list(tx: Tx): Promise<Account[]>;
  /** The stored argon2id hash, null without a password. */
  passwordHash(tx: Tx, id: number): Promise<string | null>;
  /**
   * Outside any unit of work: hashes. Takes as long for null, which never matches. Throws
   * `accounts.busy` when too many wait from this network, or of all strangers.
   */
  passwordMatches(hash: string | null, password: string, by: HashingFor): Promise<boolean>;
  /** Before anything is read for a stranger. Throws `accounts.busy` when none can wait for a hash now. */
  refuseStrangersWhenFull(): void;
  /** Outside any unit of work. Throws `accounts.passwordTooShort` and `accounts.busy`. */
  hashPassword(password: string, by: HashingFor): Promise<string>;
  /** Ends every session of the account, also the caller's. */
  storePassword(tx: Tx, actor: Actor, id: number, hash: string): Promise<void>;
  rename(tx: Tx, actor: Actor, id: number, username: string): Promise<void>;
  rememberCharacter(tx: Tx, id: number, characterId: number): Promise<void>;
  /**
   * Creates a login, or gives user name and password to the account that the game server announced
   * for this licence. Hashes outside any unit of work.
   */
  create(actor: Actor, account: NewAccount): Promise<Account>;
  resetPassword(actor: Actor, username: string, password: string): Promise<Account>;
  setGroups(actor: Actor, username: string, groups: readonly string[]): Promise<Account>;
  /** Uses up a registration token. Throws `accounts.tokenNotValid` and what is wrong with name or password. */
  register(actor: Actor, input: { token: string; username: string; password: string }, by: HashingFor): Promise<Account>;
  /** Uses up a reset token and ends every session of the account. */
  reset(actor: Actor, input: { token: string; password: string }, by: HashingFor): Promise<Account>;
  attach(hooks: AccountsHooks): void;
  /** Every feature that keeps something of an account says here how it goes. */
  onGone(forget: ForgetAccount): void;
  /** Called after a commit that changed what this account may do. */
  onChange(listener: (accountId: number) => void): void;
}

export const accountsApi = apiToken<AccountsApi>("accounts");
