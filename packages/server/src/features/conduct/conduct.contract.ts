import { Type } from "typebox";
import {
  access,
  days,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  extend,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  textOf,
  Version,
} from "#core/contract/index.ts";
import { filesErrors } from "#features/files/files.contract.ts";
import {
  conductErrors,
  ConductEntry,
  conductLimits,
  conductPermissions,
  EntryContent,
  entryFilters,
  exampleEntry,
  id,
  Points,
} from "./conduct.base.contract.ts";
import { createKind, listKinds, orderKinds, putKind, putRules, removeKind, restoreKind } from "./conduct.kinds.contract.ts";
import { entryMachine } from "./conduct.machine.ts";

export * from "./conduct.base.contract.ts";
export * from "./conduct.kinds.contract.ts";

/** How long entries are kept after they expired or were withdrawn; without an expiry, after their release. Milliseconds. */
export const entriesKeptMs = days(3 * 365);
/** A draft that nobody touches. Milliseconds. */
export const draftsKeptMs = days(90);

/** The kind of exports (`exports.request`) with the entries of a job as CSV. */
export const conductExport = "conduct.entries";
export const mostExported = 20_000;

const byId = Type.Object({ id });
const { view, write } = conductPermissions;

const narrowing = {
  /** Entries about this citizen. */
  citizenId: Type.Optional(id),
  kindId: Type.Optional(id),
  state: Type.Optional(OneOf(entryFilters)),
};
export const ListFilter = Type.Object(narrowing);

const exampleDraft = {
  ...exampleEntry,
  version: 1,
  state: "draft" as const,
  releasedAt: null,
  may: ["edit" as const, "remove" as const, "release" as const],
};
const exampleContent = { kindId: 4, points: 3, text: exampleEntry.text, expiresOn: "2027-03-01" };

export const listEntries = defineOperation({
  id: "conduct.list",
  method: "GET",
  path: "/api/conduct/entries",
  summary: "Conduct entries of your job that you see, the newest first",
  access: access.permission(view, write),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, ...narrowing }) },
  output: PageOf(ConductEntry),
  example: {
    query: { state: "released" },
    output: { items: [exampleEntry], next: null, total: 1, totalCapped: false },
  },
});

/** Released entries alone, also of a job that the character left a short time ago. */
export const listOwnEntries = defineOperation({
  id: "conduct.own",
  method: "GET",
  path: "/api/conduct/own",
  summary: "Conduct entries about you, the newest first, and your points in your job",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery }) },
  output: extend(PageOf(ConductEntry), {
    points: Points,
    /** How many wait for you to acknowledge them. */
    waiting: Type.Integer({ minimum: 0 }),
  }),
  example: {
    query: {},
    output: {
      items: [{ ...exampleEntry, may: ["acknowledge", "reply"] }],
      next: null,
      total: 1,
      totalCapped: false,
      points: { negative: 3, positive: 0 },
      waiting: 1,
    },
  },
});

export const getPoints = defineOperation({
  id: "conduct.points",
  method: "GET",
  path: "/api/conduct/people/:id/points",
  summary: "Points that count now for a person in your job",
  access: access.permission(view, write),
  rate: "read",
  input: { params: byId },
  /** Null for those who do not see all entries. */
  output: Type.Object({ points: Nullable(Points) }),
  example: { params: { id: 12 }, output: { points: { negative: 3, positive: 0 } } },
});

export const getEntry = defineOperation({
  id: "conduct.get",
  method: "GET",
  path: "/api/conduct/entries/:id",
  summary: "Read one conduct entry",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: ConductEntry,
  errors: [conductErrors.notFound],
  example: { params: { id: 27 }, output: exampleEntry },
});

const refusals = [conductErrors.notYours, conductErrors.notLower, conductErrors.aboutYourself];
const contentRefusals = [
  conductErrors.kindNotFound,
  conductErrors.notColleague,
  conductErrors.expiresTooEarly,
  conductErrors.expiresTooLate,
  filesErrors.notFound,
  filesErrors.tooMany,
];

export const createEntry = defineOperation({
  id: "conduct.create",
  method: "POST",
  path: "/api/conduct/entries",
  summary: "Write the draft of a conduct entry about a colleague",
  access: access.permission(write),
  rate: "write",
  input: { body: extend(EntryContent, { citizenId: id }) },
  output: ConductEntry,
  errors: [...refusals, ...contentRefusals, conductErrors.draftsFull, conductErrors.entriesFull],
  example: { body: { ...exampleContent, citizenId: 12 }, output: exampleDraft },
});

export const putEntry = defineOperation({
  id: "conduct.put",
  method: "PUT",
  path: "/api/conduct/entries/:id",
  summary: "Change the draft of a conduct entry",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: extend(EntryContent, { version: Version }) },
  output: ConductEntry,
  errors: [
    conductErrors.notFound,
    ...refusals,
    ...contentRefusals,
    conductErrors.rests,
    conductErrors.notDraft,
    conductErrors.stale,
  ],
  example: { params: { id: 27 }, body: { ...exampleContent, version: 1 }, output: exampleDraft },
});

export const removeEntry = defineOperation({
  id: "conduct.remove",
  method: "DELETE",
  path: "/api/conduct/entries/:id",
  summary: "Delete the draft of a conduct entry; it can be restored for a time",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [conductErrors.notFound, ...refusals, conductErrors.notDraft],
  example: { params: { id: 27 } },
});

export const restoreEntry = defineOperation({
  id: "conduct.restore",
  method: "POST",
  path: "/api/conduct/entries/:id/restore",
  summary: "Restore the deleted draft of a conduct entry",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: ConductEntry,
  errors: [conductErrors.notFound, ...refusals, conductErrors.draftsFull, conductErrors.entriesFull],
  example: { params: { id: 27 }, output: exampleDraft },
});

export const releaseEntry = defineOperation({
  id: "conduct.release",
  method: "POST",
  path: "/api/conduct/entries/:id/release",
  summary: "Release a conduct entry: its person reads it, its points count, and it is never changed again",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: ConductEntry,
  errors: [
    conductErrors.notFound,
    ...refusals,
    conductErrors.kindNotFound,
    conductErrors.notColleague,
    conductErrors.rests,
    conductErrors.expiresTooEarly,
    conductErrors.expiresTooLate,
    conductErrors.textMissing,
    conductErrors.notDraft,
    conductErrors.stale,
  ],
  example: { params: { id: 27 }, body: { version: 1 }, output: exampleEntry },
});

export const withdrawEntry = defineOperation({
  id: "conduct.withdraw",
  method: "POST",
  path: "/api/conduct/entries/:id/withdraw",
  summary: "Withdraw a released conduct entry: it stays readable and counts no more",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({ version: Version, reason: textOf(conductLimits.reason) }),
  },
  output: ConductEntry,
  errors: [conductErrors.notFound, ...refusals, conductErrors.notReleased, conductErrors.stale],
  example: {
    params: { id: 27 },
    body: { version: 2, reason: "It was another car" },
    output: {
      ...exampleEntry,
      version: 3,
      state: "withdrawn",
      withdrawn: { at: 1_795_001_000_000, by: "Ida Holm", reason: "It was another car" },
      may: [],
    },
  },
});

const answerRefusals = [conductErrors.notFound, conductErrors.notSubject, conductErrors.notReleased, conductErrors.stale];

export const acknowledgeEntry = defineOperation({
  id: "conduct.acknowledge",
  method: "POST",
  path: "/api/conduct/entries/:id/acknowledge",
  summary: "Acknowledge a conduct entry about you, once",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: ConductEntry,
  errors: [...answerRefusals, conductErrors.notWanted, conductErrors.acknowledged],
  example: {
    params: { id: 27 },
    body: { version: 2 },
    output: { ...exampleEntry, version: 3, acknowledgedAt: 1_795_000_900_000, may: ["reply"] },
  },
});

export const replyToEntry = defineOperation({
  id: "conduct.reply",
  method: "POST",
  path: "/api/conduct/entries/:id/reply",
  summary: "Reply to a conduct entry about you, once",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({ version: Version, text: textOf(conductLimits.reply) }),
  },
  output: ConductEntry,
  errors: [...answerRefusals, conductErrors.replied],
  example: {
    params: { id: 27 },
    body: { version: 2, text: "I was chasing somebody on foot." },
    output: {
      ...exampleEntry,
      version: 3,
      reply: { at: 1_795_000_900_000, text: "I was chasing somebody on foot." },
      may: ["acknowledge"],
    },
  },
});

/** Something changed in the register of a job. `citizenId`: also for this person, who may read it. */
export const conductChanged = defineEvent({
  id: "conduct.changed",
  version: 1,
  payload: Type.Object({ job: Type.String(), citizenId: Nullable(id) }),
});

/** Something changed that the viewer sees of the register. */
export const conductTopic = defineTopic({
  name: "conduct",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [listEntries, listOwnEntries, getPoints, getEntry, listKinds] },
  example: { job: "police" },
});

const notification = (name: string, tone: "info" | "warning", params: readonly string[]) =>
  defineNotification({ id: `conduct.${name}`, tone, params, channels: ["bell", "toast"] });

export const entryReleased = notification("released", "warning", ["job", "kind"]);
export const entryWithdrawn = notification("withdrawn", "info", ["job", "kind"]);
export const entryAcknowledged = notification("acknowledged", "info", ["name"]);
export const entryReplied = notification("replied", "info", ["name"]);
export const thresholdReached = notification("threshold", "warning", ["name", "points", "threshold"]);

export const conductContract = {
  operations: [
    listEntries,
    listOwnEntries,
    getPoints,
    getEntry,
    createEntry,
    putEntry,
    removeEntry,
    restoreEntry,
    releaseEntry,
    withdrawEntry,
    acknowledgeEntry,
    replyToEntry,
    listKinds,
    createKind,
    putKind,
    removeKind,
    restoreKind,
    orderKinds,
    putRules,
  ],
  events: [conductChanged],
  topics: [conductTopic],
  notifications: [entryReleased, entryWithdrawn, entryAcknowledged, entryReplied, thresholdReached],
  machines: [entryMachine],
  objects: ["conduct.entry", "conduct.kind"],
  actions: ["conduct.attachmentLost"],
  errors: conductErrors,
  permissions: Object.values(conductPermissions),
};
