import { eventsOf, nextState, type StateMachine } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { accountsErrors } from "./accounts.contract.ts";
import {
  type AccountEvent,
  accountLogin,
  type AccountLoginState,
  accountStanding,
  type AccountStandingState,
} from "./accounts.machine.ts";

/** What the state of an account is derived from. */
export interface AccountFacts {
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly enabled: boolean;
  readonly deleted: boolean;
}

export interface AccountState {
  readonly login: AccountLoginState;
  readonly standing: AccountStandingState;
}

/** The facts as the table holds them. */
export function factsOf(row: {
  readonly username: string | null;
  readonly password_hash: string | null;
  readonly enabled: 0 | 1;
  readonly deleted_at: number | null;
}): AccountFacts {
  const { username, password_hash, enabled, deleted_at } = row;
  return { username, hasPassword: password_hash !== null, enabled: enabled === 1, deleted: deleted_at !== null };
}

export function stateOf({ username, hasPassword, enabled, deleted }: AccountFacts): AccountState {
  return {
    login: hasPassword ? "registered" : username === null ? "unregistered" : "reserved",
    standing: deleted ? (enabled ? "deleted" : "deletedDisabled") : enabled ? "enabled" : "disabled",
  };
}

/** A table refuses what it names only for other states; what it does not name does not concern it. */
function refuses(machine: StateMachine, state: string, event: AccountEvent): boolean {
  return eventsOf(machine).includes(event) && nextState(machine, state, event) === null;
}

export type Refusal = "deleted" | "disabled" | "notDeleted" | "notDisabled" | "alreadyRegistered" | "notRegistered";

/** Why the event is not possible for this account, null when it is. */
export function refusalOf(facts: AccountFacts, event: AccountEvent): Refusal | null {
  const { login, standing } = stateOf(facts);
  if (refuses(accountStanding, standing, event)) {
    if (event === "restore" || event === "purge") return "notDeleted";
    if (facts.deleted) return "deleted";
    return facts.enabled ? "notDisabled" : "disabled";
  }
  if (!refuses(accountLogin, login, event)) return null;
  return login === "registered" || event === "merge" ? "alreadyRegistered" : "notRegistered";
}

/** Throws what names the state of the account and the remedy, unless the event is possible. */
export function requirePossible(facts: AccountFacts, event: AccountEvent): void {
  const refusal = refusalOf(facts, event);
  if (refusal === null) return;
  const params = refusal === "alreadyRegistered" ? { params: { username: facts.username ?? "" } } : {};
  throw new AppError(accountsErrors[refusal], params);
}
