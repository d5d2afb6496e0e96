import { Type, type Static, type TSchema } from "typebox";
import { access, defineErrors, defineOperation, defineTopic, inWords, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { manifestKinds, syncKinds } from "./sync.kinds.contract.ts";

/** Most items in one call of the Sync API: published in its status and enforced by the guard. */
export const batchLimit = 500;

const keyPattern = "[^\\s\\u0000-\\u001f](?:[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f])?$";

const keyProblem = "must have no blank at its beginning or end, and no control characters";

/** A text key of the game: no control characters, no surrounding blanks. */
export function gameKey(maxLength: number, options: { readonly description?: string } = {}) {
  return Type.String({ minLength: 1, maxLength, pattern: `^${keyPattern}`, ...inWords(keyProblem), ...options });
}

/** A game licence, with or without its `license:` prefix; the prefix alone is refused. */
export const gameLicence = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: `^(?!license:(?:license:|\\s|$))${keyPattern}`,
  ...inWords(`must be a licence, with or without license: before it, and ${keyProblem}`),
});

/** Names the sender (a server, a tool) on the status page. */
export const batchSource = Type.Optional(Type.String({ minLength: 1, maxLength: 64, default: "default" }));

/** Body of a batch call. */
export function batchOf<T extends TSchema>(item: T) {
  return Type.Object({
    source: batchSource,
    items: Type.Array(item, {
      minItems: 1,
      maxItems: batchLimit,
      description:
        "A field that an item leaves out keeps its stored value; null erases it. Of an ID that is repeated, the last item wins field by field.",
    }),
  });
}

/** The ids of a call that reports deletions. */
export function deletedIds<T extends TSchema>(id: T) {
  return Type.Array(id, { minItems: 1, maxItems: batchLimit });
}

/** Item by item: valid items are stored although others are invalid. */
export const batchResult = Type.Object({
  accepted: Type.Integer({ description: "Items that changed something" }),
  unchanged: Type.Integer({ description: "Items equal to what was stored, and items that a later one of their ID replaced" }),
  rejected: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "Position in `items`" }),
      id: Nullable(Type.String()),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
});
export type BatchResult = Static<typeof batchResult>;

export function batchExample(item: unknown) {
  return {
    body: { source: "city-1", items: [item] },
    output: { accepted: 1, unchanged: 0, rejected: [] },
  };
}

export const syncErrors = defineErrors("sync", {
  disabled: { status: 404 },
  itemInvalid: { status: 400, params: ["field", "problem"] },
  manifestTooUncertain: { status: 409, params: ["missing", "total", "kind"] },
});

export type SyncKindName = (typeof syncKinds)[number];

const KindStatus = Type.Object({
  kind: OneOf(syncKinds),
  count: Type.Integer(),
  sources: Type.Array(
    Type.Object({
      source: Type.String(),
      lastDataAt: Instant,
      clientVersion: Nullable(Type.String()),
    }),
  ),
});

export const SyncStatus = Type.Object({
  version: Type.String({ description: "Version of the program" }),
  api: Type.Literal("v1"),
  limits: Type.Object({
    batchItems: Type.Integer(),
    bodyBytes: Type.Integer(),
    manifestIds: Type.Integer(),
    items: Type.Array(Type.Object({ kind: Type.String(), items: Type.Integer() }), {
      description: "Most items in one call by what it carries, such as `positions`; for everything else `batchItems`",
    }),
  }),
  kinds: Type.Array(KindStatus),
});
export type SyncStatus = Static<typeof SyncStatus>;

const exampleStatus = {
  version: "0.1.0",
  api: "v1",
  limits: {
    batchItems: batchLimit,
    bodyBytes: 4_194_304,
    manifestIds: 500_000,
    items: [
      { kind: "duty", items: batchLimit },
      { kind: "positions", items: 2000 },
    ],
  },
  kinds: [
    {
      kind: "users",
      count: 2000,
      sources: [
        {
          source: "city-1",
          lastDataAt: 1_790_000_000_000,
          clientVersion: "rollcall-sync-sdk/0.1.0",
        },
      ],
    },
  ],
};

export const syncStatus = defineOperation({
  id: "sync.status",
  method: "GET",
  path: "/api/sync/v1/status",
  summary: "Counts, last data per kind and source, limits and versions",
  access: access.sync(),
  rate: "sync",
  input: {},
  output: SyncStatus,
  example: { output: exampleStatus },
});

/** Most ids in one manifest. */
export const manifestLimit = 500_000;

/**
 * Marks everything of the kind that the list does not name as deleted. Refused when that is more than a
 * tenth of the kind, unless `confirm` states exactly how many.
 */
export const syncManifest = defineOperation({
  id: "sync.manifest",
  method: "POST",
  path: "/api/sync/v1/manifest/:kind",
  summary: "Reconcile deletions with the list of IDs that exist",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    params: Type.Object({ kind: OneOf(manifestKinds) }),
    body: Type.Object({
      source: batchSource,
      ids: Type.Array(gameKey(64), { maxItems: manifestLimit }),
      confirm: Type.Optional(
        Type.Integer({ minimum: 0, description: "How many are to be removed; needed when it is more than a tenth" }),
      ),
    }),
  },
  output: Type.Object({
    removed: Type.Integer(),
    /** Ids in the list that are not stored here: send their items. */
    missingHere: Type.Array(Type.String(), { maxItems: 1000 }),
    missingHereTotal: Type.Integer(),
  }),
  bodyLimit: 48 * 1024 * 1024,
  errors: [syncErrors.manifestTooUncertain],
  example: {
    params: { kind: "users" },
    body: { ids: ["char1:0a1b2c3d"] },
    output: { removed: 0, missingHere: [], missingHereTotal: 0 },
  },
});

/** When data last arrived, for the age shown in the browser. The latest value wins. */
export const freshnessTopic = defineTopic({
  name: "sync.freshness",
  kind: "state",
  access: access.character(),
  message: Type.Object({ lastDataAt: Nullable(Instant) }),
  example: { lastDataAt: 1_790_000_000_000 },
});

/** The action of a call that was refused before its caller was known, whatever it was to do. */
export const refusedSyncCall = "sync.refuse";

export const syncContract = {
  operations: [syncStatus, syncManifest],
  actions: [refusedSyncCall],
  topics: [freshnessTopic],
  objects: ["source"],
  errors: syncErrors,
};
