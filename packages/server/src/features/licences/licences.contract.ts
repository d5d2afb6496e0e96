import { Type, type Static } from "typebox";
import { access, defineOperation } from "#core/contract/index.ts";
import { batchOf, batchResult, batchExample, gameKey } from "#features/sync/sync.contract.ts";

/** A licence type (driving, weapon ...) as the game server sends it. */
export const SyncLicence = Type.Object({
  type: gameKey(60),
  label: Type.String({ maxLength: 100 }),
});
export type SyncLicence = Static<typeof SyncLicence>;

export const syncLicences = defineOperation({
  id: "licences.sync",
  method: "POST",
  path: "/api/sync/v1/licences",
  summary: "Send licence types with their labels",
  access: access.sync(),
  rate: "sync",
  input: { body: batchOf(SyncLicence) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({ type: "drive", label: "Driving licence" }),
});

export const licencesContract = {
  operations: [syncLicences],
  keptForGood: [{ kind: "licences", tables: ["licences"] }],
};
