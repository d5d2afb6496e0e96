import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface Account {
  readonly id: number;
  readonly licence: string;
  readonly username: string | null;
  readonly groups: readonly string[];
  /** Those that count for admin powers while groups from the game server wait for a confirmation. */
  readonly confirmedGroups: readonly string[];
  readonly enabled: boolean;
  readonly hasPassword: boolean;
  readonly lastCharacterId: number | null;
  /** The game's identifier of the character that the game server reported last. */
  readonly gameCharacter: string | null;
  readonly createdAt: number;
  /** A session opened for another epoch of the account is refused. */
  readonly sessionEpoch: number;
}

export interface NewAccount {
  readonly licence: string;
  readonly username: string;
  readonly password: string;
  readonly groups?: readonly string[];
}

/** The caller whose password is hashed, by which the hashing queues take turns. */
export interface HashingCaller {
  /** The network that the request came from, or another key of the same caller. */
  readonly network: string;
  /** The account signed in from there before: waits in another queue than unknown callers. */
  readonly known: boolean;
}

export interface AccountsApi {
  /** Minimum length of a password, in characters. */
  readonly passwordMinimum: number;
  byId(tx: Tx, id: number): Promise<Account | null>;
  /** Compared without case. */
  byUsername(tx: Tx, username: string): Promise<Account | null>;
  byLicence(tx: Tx, licence: string): Promise<Account | null>;
  list(tx: Tx): Promise<Account[]>;
  /** Whether anybody has a user name and a password; with `enabled`, whether anybody can sign in. */
  hasLogin(tx: Tx, which?: { readonly enabled?: true }): Promise<boolean>;
  /** Enabled accounts that had admin powers at some time; `powersOf` of `access` decides whether they still have them. */
  admins(tx: Tx): Promise<Account[]>;
  /** The stored argon2id hash, null without a password. */
  passwordHash(tx: Tx, id: number): Promise<string | null>;
  /** The same, locked until the unit of work ends. */
  lockPasswordHash(tx: Tx, id: number): Promise<string | null>;
  /**
   * Outside any unit of work, because it hashes. Takes as long for null, which never matches. Throws
   * `accounts.busy` when too many wait, from this network or in all. `before` runs when the turn of this
   * call has come, before anything is hashed; its errors are thrown.
   */
  passwordMatches(hash: string | null, password: string, caller: HashingCaller, before?: () => Promise<void>): Promise<boolean>;
  /** Before anything is read for an unknown caller. Throws `accounts.busy` when none can wait for a hash now. */
  rejectUnknownWhenFull(): void;
  /** Outside any unit of work. Throws `accounts.passwordTooShort` and `accounts.busy`. */
  hashPassword(password: string, caller: HashingCaller): Promise<string>;
  /** Ends every session of the account, including the caller's. */
  storePassword(tx: Tx, actor: Actor, id: number, hash: string): Promise<void>;
  rename(tx: Tx, actor: Actor, id: number, username: string): Promise<void>;
  rememberCharacter(tx: Tx, id: number, characterId: number): Promise<void>;
  /** Sessions of these accounts were used at this instant. */
  noteSeen(tx: Tx, ids: readonly number[], at: number): Promise<void>;
  /**
   * Creates a login, or stores user name and password for the account that the game server sent for
   * this licence. Outside any unit of work, because it hashes. `before` runs first in the one that stores the login.
   */
  create(actor: Actor, account: NewAccount, before?: (tx: Tx) => Promise<void>): Promise<Account>;
  resetPassword(actor: Actor, username: string, password: string): Promise<Account>;
  setGroups(actor: Actor, username: string, groups: readonly string[]): Promise<Account>;
  /** Confirms the admin groups that the game server sent for this user name or licence. Throws `accounts.nothingToConfirm` and `accounts.otherToConfirm`. */
  confirmAdmin(actor: Actor, nameOrLicence: string, power: "config" | "job"): Promise<Account>;
  /** By user name or licence, as the next two. Disabling ends sessions and tokens. */
  setEnabled(actor: Actor, nameOrLicence: string, input: { enabled: boolean; reason?: string }): Promise<Account>;
  setLicence(actor: Actor, nameOrLicence: string, input: { licence: string; reason: string }): Promise<Account>;
  /** Marks it as deleted; config admins can restore it. Returns the account as it was. */
  remove(actor: Actor, nameOrLicence: string, reason: string): Promise<Account>;
  /** Uses up a registration token. Throws `accounts.tokenNotValid`, and errors of the user name or the password. */
  register(actor: Actor, input: { token: string; username: string; password: string }, caller: HashingCaller): Promise<Account>;
  /** Uses up a reset token and ends every session of the account. */
  reset(actor: Actor, input: { token: string; password: string }, caller: HashingCaller): Promise<Account>;
}

export const accountsApi = apiToken<AccountsApi>("accounts");
