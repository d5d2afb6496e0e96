import { Type, type Static } from "typebox";
import { access, defineOperation, Nullable } from "#core/contract/index.ts";
import { batchExample, batchOf, batchResult, gameKey, gameLicence } from "#features/sync/sync.contract.ts";

/**
 * An account as the game server sends it, by its game licence (with or without `license:`). An
 * unknown licence creates an account that cannot sign in until it has a user name and password.
 */
export const SyncAccount = Type.Object({
  licence: gameLicence,
  groups: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 }),
  lastCharacterIdentifier: Type.Optional(
    Nullable(gameKey(64, { description: "The game's identifier of the character played last" })),
  ),
});
export type SyncAccount = Static<typeof SyncAccount>;

export const syncAccounts = defineOperation({
  id: "accounts.sync",
  method: "POST",
  path: "/api/sync/v1/accounts",
  summary: "Send accounts with their staff groups",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncAccount) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({ licence: "license:0a1b2c3d", groups: ["admin"] }),
});
