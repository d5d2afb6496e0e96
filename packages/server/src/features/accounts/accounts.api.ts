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
  readonly createdAt: number;
}

export interface NewAccount {
  readonly licence: string;
  readonly username: string;
  readonly password: string;
  readonly groups?: readonly string[];
}

export interface AccountsApi {
  byId(tx: Tx, id: number): Promise<Account | null>;
  /** Compared without case. */
  byUsername(tx: Tx, username: string): Promise<Account | null>;
  byLicence(tx: Tx, licence: string): Promise<Account | null>;
  list(tx: Tx): Promise<Account[]>;
  /** The stored argon2id hash, null without a password. */
  passwordHash(tx: Tx, id: number): Promise<string | null>;
  /** Outside any unit of work: hashes. Takes as long for null, which never matches. */
  passwordMatches(hash: string | null, password: string): Promise<boolean>;
  rememberCharacter(tx: Tx, id: number, characterId: number): Promise<void>;
  /**
   * Creates a login, or gives user name and password to the account that the game server announced
   * for this licence. Hashes outside any unit of work.
   */
  create(actor: Actor, account: NewAccount): Promise<Account>;
  resetPassword(actor: Actor, username: string, password: string): Promise<Account>;
  setGroups(actor: Actor, username: string, groups: readonly string[]): Promise<Account>;
  /** Called after a commit that changed what this account may do. */
  onChange(listener: (accountId: number) => void): void;
}

export const accountsApi = apiToken<AccountsApi>("accounts");
