import { Type, type Static } from "typebox";
import {
  access,
  Day,
  defineEvent,
  defineFileKind,
  defineOperation,
  defineOrders,
  defineSavedViews,
  defineSyncKind,
  defineTopic,
  guardErrors,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
  extend,
} from "#core/contract/index.ts";
import { citizensErrors, citizensPermissions } from "./citizens.shapes.contract.ts";
import { listMoves } from "./citizens.moves.contract.ts";
import { getResync, requestResync, resyncChanged, resyncRequest, resyncTopic } from "./citizens.resync.contract.ts";
import { exampleAddress, FileAddress, filesErrors } from "#features/files/files.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { batchExample, batchOf, batchResult, batchSource, deletedIds, gameKey } from "#features/sync/sync.contract.ts";

export * from "./citizens.moves.contract.ts";
export * from "./citizens.resync.contract.ts";
export * from "./citizens.shapes.contract.ts";

/** Filters of the list. */
export const citizensViews = defineSavedViews("citizens.views");

/** Orders of the list. `visum` is refused to viewers who do not see it. */
export const citizensOrders = defineOrders(["name", "dateOfBirth", "visum", "updatedAt"], { default: "name" });

/** A row of the list. Restricted fields that the viewer may not see are absent. */
export const CitizenRow = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  version: Version,
  firstName: Type.String(),
  lastName: Type.String(),
  dateOfBirth: Nullable(Type.String()),
  sex: Nullable(Type.String()),
  height: Nullable(Type.Number()),
  /** The first one. */
  job: Type.Optional(JobBadge),
  /** All, the first one too: a filter finds people by each of them. */
  jobs: Type.Optional(Type.Array(extend(JobBadge, { primary: Type.Boolean() }))),
  /** For the viewer's session; absent in live messages, which do not change it. */
  avatar: Type.Optional(FileAddress),
  phoneNumber: Type.Optional(Nullable(Type.String())),
  visum: Type.Optional(Nullable(Type.Integer())),
  playtime: Type.Optional(Nullable(Type.Integer())),
  updatedAt: Instant,
});
export type CitizenRow = Static<typeof CitizenRow>;

export const Citizen = extend(CitizenRow, {
  phoneNumbers: Type.Optional(Type.Array(Type.Object({ number: Type.String(), primary: Type.Boolean() }))),
  licences: Type.Optional(Type.Array(Type.Object({ type: Type.String(), label: Type.String() }))),
  /** Restricted fields that were left out, each with the right that would show it. */
  hidden: Type.Array(Type.Object({ field: Type.String(), permission: Type.String() })),
});
export type Citizen = Static<typeof Citizen>;

const exampleJob = { name: "police", label: "Police", grade: 3, gradeLabel: "Sergeant" };
const exampleRow = {
  id: 12,
  version: 1,
  firstName: "Mara",
  lastName: "Lind",
  dateOfBirth: "1990-04-01",
  sex: "f",
  height: 172,
  job: exampleJob,
  jobs: [{ ...exampleJob, primary: true }],
  phoneNumber: "555-0123",
  updatedAt: 1_790_000_000_000,
};

/** What the list and its export can be narrowed by, and their order. */
const filters = {
  q: Type.Optional(Type.String({ maxLength: 64, description: "Name in any order, accents and typos forgiven" })),
  dateOfBirth: Type.Optional(Day),
  phone: Type.Optional(Type.String({ maxLength: 20, description: "Part of a phone number; only its digits count" })),
  plate: Type.Optional(
    Type.String({ maxLength: 32, description: "Part of the plate of an owned vehicle, of at least two letters or digits" }),
  ),
  job: Type.Optional(Type.String({ maxLength: 50 })),
  ...citizensOrders.query,
};

export const CitizensFilters = Type.Object(filters);

/** The kind of exports (`exports.request`) with the list as CSV. */
export const citizensExport = "citizens.list";

/** Most citizens of one export. */
export const mostExported = 250_000;

export const listCitizens = defineOperation({
  id: "citizens.list",
  method: "GET",
  path: "/api/citizens",
  summary: "List and search citizens",
  access: access.permission(citizensPermissions.list),
  rate: "search",
  input: {
    query: Type.Object({ ...pageQuery, ...filters }),
  },
  output: PageOf(CitizenRow),
  errors: [citizensErrors.fieldHidden],
  example: {
    query: { q: "lind mara" },
    output: { items: [exampleRow], next: null, total: 1, totalCapped: false },
  },
});

/** Players open their own character whatever their rights are, and see of it what the game knows of them. */
export const getCitizen = defineOperation({
  id: "citizens.get",
  method: "GET",
  path: "/api/citizens/:id",
  summary: "Open a citizen's profile: anybody's with the permission, and your own character's without it",
  access: access.character(),
  rate: "read",
  input: { params: Type.Object({ id: Type.Integer({ minimum: 1 }) }) },
  output: Citizen,
  errors: [citizensErrors.notFound, guardErrors.permissionMissing],
  example: {
    params: { id: 12 },
    output: {
      ...exampleRow,
      phoneNumbers: [{ number: "555-0123", primary: true }],
      licences: [{ type: "drive", label: "Driving licence" }],
      hidden: [],
    },
  },
});

export const avatarKind = defineFileKind("citizens.avatar", { owner: "the ID of the citizen" });

/** Takes the id of an uploaded file, or null to remove the picture. */
export const putAvatar = defineOperation({
  id: "citizens.putAvatar",
  method: "PUT",
  path: "/api/citizens/avatar",
  summary: "Set or remove the picture of your character",
  access: access.character(),
  rate: "write",
  input: { body: Type.Object({ file: Nullable(Type.Integer({ minimum: 1 })) }) },
  output: Type.Object({ avatar: Nullable(FileAddress) }),
  errors: [filesErrors.notFound],
  example: { body: { file: 31 }, output: { avatar: exampleAddress } },
});

/** Of the chosen character, whatever its rights are. */
export const getAvatar = defineOperation({
  id: "citizens.getAvatar",
  method: "GET",
  path: "/api/citizens/avatar",
  summary: "The picture of your character",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ avatar: Nullable(FileAddress) }),
  example: { output: { avatar: exampleAddress } },
});

/** A character as the game server sends it. Fields that are left out keep their stored value; null erases. */
export const SyncUser = Type.Object({
  identifier: gameKey(64),
  licence: Type.Optional(
    Nullable(
      gameKey(64, {
        description:
          "Of the owning account; null, or left out for a new character: the part of `identifier` behind the first colon",
      }),
    ),
  ),
  firstName: Type.String({ maxLength: 50 }),
  lastName: Type.String({ maxLength: 50 }),
  dateOfBirth: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 10,
        description:
          "YYYY-MM-DD, DD.MM.YYYY or DD/MM/YYYY. A day that is in no calendar, such as 1990-02-31, is rejected; 0000-00-00 is none, and another text is shown as it is",
      }),
    ),
  ),
  sex: Type.Optional(Nullable(Type.String({ maxLength: 2 }))),
  height: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1000 }))),
  jobs: Type.Array(
    Type.Object({
      name: gameKey(50),
      grade: Type.Integer({ minimum: 0, maximum: 1000 }),
      primary: Type.Optional(Type.Boolean()),
    }),
    { minItems: 1, maxItems: 8, description: "The whole list; the first one is primary unless another says so" },
  ),
  phoneNumbers: Type.Optional(
    Nullable(
      Type.Array(Type.Object({ number: gameKey(20), primary: Type.Optional(Type.Boolean()) }), {
        maxItems: 8,
        description: "The whole list; null erases like an empty one",
      }),
    ),
  ),
  licences: Type.Optional(
    Nullable(Type.Array(gameKey(60), { maxItems: 50, description: "The whole list; null erases like an empty one" })),
  ),
  visum: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
  playtime: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Seconds" }))),
});
export type SyncUser = Static<typeof SyncUser>;

export const syncUsers = defineOperation({
  id: "citizens.sync",
  method: "POST",
  path: "/api/sync/v1/users",
  summary: "Send characters with jobs, licences and phone numbers",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncUser) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({
    identifier: "char1:0a1b2c3d",
    firstName: "Mara",
    lastName: "Lind",
    dateOfBirth: "1990-04-01",
    sex: "f",
    height: 172,
    jobs: [{ name: "police", grade: 3 }],
    phoneNumbers: [{ number: "555-0123" }],
    licences: ["drive"],
  }),
});

/** Marks characters as deleted. One that is sent again is restored with everything that was stored of it. */
export const syncUsersDelete = defineOperation({
  id: "citizens.syncDelete",
  method: "POST",
  path: "/api/sync/v1/users/delete",
  summary: "Report deleted characters",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    body: Type.Object({ source: batchSource, identifiers: deletedIds(gameKey(64)) }),
  },
  output: batchResult,
  example: {
    body: { identifiers: ["char1:0a1b2c3d"] },
    output: { accepted: 1, unchanged: 0, rejected: [] },
  },
});

/** One entry of `citizens.changed`: everything the list shows, before it is cut to a viewer's rights. */
export const CitizenChange = extend(Citizen, { deleted: Type.Boolean() });
export type CitizenChange = Static<typeof CitizenChange>;

/** What the game sends of a citizen: columns and lists, by the names under which they are stored. */
export const citizenParts = [
  "identifier",
  "licence",
  "first_name",
  "last_name",
  "date_of_birth",
  "sex",
  "height",
  "job",
  "grade",
  "phone_number",
  "visum",
  "playtime",
  "jobs",
  "phones",
  "licences",
  "deleted_at",
] as const;
export type CitizenPart = (typeof citizenParts)[number];

export const citizensChanged = defineEvent({
  id: "citizens.changed",
  version: 2,
  parts: citizenParts,
  payload: Type.Object({
    items: Type.Array(CitizenChange),
    /** By citizen. New ones are left out. Beside the items, because viewers may not see which parts changed. */
    changed: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), parts: Type.Array(OneOf(citizenParts)) }))),
    /** By citizen: the jobs that the game began to call by their names for people off duty. Left out where there is none. */
    offDuty: Type.Optional(Type.Array(Type.Object({ id: Type.Integer(), jobs: Type.Array(Type.String()) }))),
  }),
});

/** What an event tells of them. */
export type ChangedCitizens = Static<typeof citizensChanged.payload>;

/** Parts of a citizen that say in which jobs they are. */
export const jobParts: readonly CitizenPart[] = ["jobs", "job", "grade"];

/**
 * Citizens who are new, were removed or are back, or of whom one of these parts changed; all of them where the
 * event does not say which parts did.
 */
export function movedIn({ items, changed }: ChangedCitizens, parts: readonly CitizenPart[]): number[] {
  const partsOf = new Map((changed ?? []).map((one) => [one.id, one.parts]));
  const isFollowed = (part: CitizenPart) => part === "deleted_at" || parts.includes(part);
  return [...new Set(items.map(({ id }) => id))].filter((id) => partsOf.get(id)?.some(isFollowed) ?? true);
}

/** The most citizens that one event names. */
export const purgedAtOnce = 1000;

/** Citizens were removed for good: whatever a feature stores of them is deleted by its reaction. */
export const citizensPurged = defineEvent({
  id: "citizens.purged",
  version: 1,
  payload: Type.Object({ citizenIds: Type.Array(Type.Integer(), { minItems: 1, maxItems: purgedAtOnce }) }),
});

const ChangeMessage = Type.Object({ items: Type.Array(CitizenChange) });
const exampleChange = { items: [{ ...exampleRow, version: 2, hidden: [], deleted: false }] };

/** Every change of a citizen, cut to what the viewer's list shows. */
export const citizensTopic = defineTopic({
  name: "citizens",
  kind: "event",
  access: access.permission(citizensPermissions.list),
  message: ChangeMessage,
  carries: { answers: [listCitizens], apart: ["avatar"] },
  example: exampleChange,
});

/** Changes of one citizen, for those who may open it. */
export const citizenTopic = defineTopic({
  name: "citizens/:id",
  kind: "event",
  access: access.character(),
  message: ChangeMessage,
  carries: { answers: [getCitizen], apart: ["avatar"] },
  example: exampleChange,
});

/** The picture of a citizen was set or removed. It carries no address, because addresses are made for each session. */
export const avatarChanged = defineEvent({
  id: "citizens.avatarChanged",
  version: 1,
  payload: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
});

const AvatarMessage = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** Citizens whose picture changed. */
export const avatarsTopic = defineTopic({
  name: "avatars",
  kind: "event",
  access: access.permission(citizensPermissions.list),
  message: AvatarMessage,
  invalidates: { answers: [listCitizens], holding: true },
  example: { id: 12 },
});

/** The picture of one citizen changed. For the viewer's own character, and for viewers who may open profiles. */
export const avatarTopic = defineTopic({
  name: "avatars/:id",
  kind: "event",
  access: access.character(),
  message: AvatarMessage,
  invalidates: { answers: [getCitizen, getAvatar] },
  example: { id: 12 },
});

export const citizensContract = {
  operations: [listCitizens, listMoves, getCitizen, getAvatar, putAvatar, getResync, requestResync, syncUsers, syncUsersDelete],
  events: [citizensChanged, citizensPurged, avatarChanged, resyncChanged],
  topics: [citizensTopic, citizenTopic, avatarsTopic, avatarTopic, resyncTopic],
  gameRequests: [resyncRequest],
  actions: ["citizens.view", "citizens.remove"],
  sync: [defineSyncKind({ kind: "users", manifest: true, key: "identifier", operations: [syncUsers, syncUsersDelete] })],
  objects: ["citizen", "citizens"],
  errors: citizensErrors,
  permissions: Object.values(citizensPermissions),
  preferences: [citizensViews],
};
