import { Type, type Static } from "typebox";
import { access, defineOperation, defineSyncKind } from "#core/contract/index.ts";
import { batchExample, batchOf, batchResult, batchSource, deletedIds, gameKey } from "#features/sync/sync.contract.ts";

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
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncLicence) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({ type: "drive", label: "Driving licence" }),
});

/** Marks types as deleted. Citizens who hold one keep it, and its label is shown until the row is purged. */
export const syncLicencesDelete = defineOperation({
  id: "licences.syncDelete",
  method: "POST",
  path: "/api/sync/v1/licences/delete",
  summary: "Report deleted licence types",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: Type.Object({ source: batchSource, types: deletedIds(gameKey(60)) }) },
  output: batchResult,
  example: { body: { types: ["drive"] }, output: { accepted: 1, unchanged: 0, rejected: [] } },
});

export const licencesContract = {
  operations: [syncLicences, syncLicencesDelete],
  actions: ["licences.remove"],
  sync: [defineSyncKind({ kind: "licences", manifest: true, key: "type", operations: [syncLicences, syncLicencesDelete] })],
  objects: ["licences"],
};
