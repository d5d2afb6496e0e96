import { Type, type Static } from "typebox";
import { access, defineErrors, defineEvent, defineOperation } from "#core/contract/index.ts";
import { batchOf, batchResult, batchExample, gameKey } from "#features/sync/sync.contract.ts";

export const accountsErrors = defineErrors("accounts", {
  usernameInvalid: { status: 400 },
  usernameTaken: { status: 409, params: ["username"] },
  licenceTaken: { status: 409, params: ["licence"] },
  passwordTooShort: { status: 400, params: ["minimum"] },
  notFound: { status: 404, params: ["account"] },
});

/**
 * An account as the game server sends it, by its game licence (with or without `license:`). An
 * unknown licence creates an account that cannot sign in until it has a user name and password.
 */
export const SyncAccount = Type.Object({
  licence: gameKey(64),
  groups: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 }),
});
export type SyncAccount = Static<typeof SyncAccount>;

export const syncAccounts = defineOperation({
  id: "accounts.sync",
  method: "POST",
  path: "/api/sync/v1/accounts",
  summary: "Send accounts with their staff groups",
  access: access.sync(),
  rate: "sync",
  input: { body: batchOf(SyncAccount) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({ licence: "license:0a1b2c3d", groups: ["admin"] }),
});

/** Groups, password or state of accounts changed: what processes know of their sessions is old. */
export const accountsChanged = defineEvent({
  id: "accounts.changed",
  version: 1,
  payload: Type.Object({ accountIds: Type.Array(Type.Integer()), endSessions: Type.Boolean() }),
});

export const accountsContract = {
  operations: [syncAccounts],
  events: [accountsChanged],
  errors: accountsErrors,
};
