import { Type, type Static } from "typebox";
import {
  anyTextOf,
  Day,
  days,
  defineErrors,
  defineFileKind,
  definePermission,
  extend,
  Instant,
  lineOf,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { type FileType, pictureTypes, UploadedFile } from "#features/files/files.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { entryMachine } from "./conduct.machine.ts";

export const conductPermissions = {
  /** Of what they wrote themselves; `all` adds what others of the job wrote. */
  view: definePermission("conduct.view", { fields: { type: "strings", values: ["all"] } }),
  /** About lower grades; `all` adds entries of other authors, `any` every grade. */
  write: definePermission("conduct.write", { fields: { type: "strings", values: ["all", "any"] } }),
  kinds: definePermission("conduct.kinds"),
  /** With `conduct.view` or `conduct.write`. */
  export: definePermission("conduct.export"),
};

export const conductErrors = defineErrors("conduct", {
  notFound: { status: 404 },
  kindNotFound: { status: 404 },
  notYours: { status: 403, params: ["permission", "job"] },
  notLower: { status: 403, params: ["permission", "job", "name"] },
  aboutYourself: { status: 403 },
  notSubject: { status: 403 },
  notColleague: { status: 409 },
  rests: { status: 409, params: ["days"] },
  draftsFull: { status: 409, params: ["most"] },
  entriesFull: { status: 409, params: ["most"] },
  expiresTooEarly: { status: 409, params: ["day"] },
  expiresTooLate: { status: 409, params: ["day", "most"] },
  textMissing: { status: 409 },
  notDraft: { status: 409 },
  notReleased: { status: 409 },
  notWanted: { status: 409 },
  acknowledged: { status: 409 },
  replied: { status: 409 },
  nameTaken: { status: 409, params: ["name"] },
  kindsFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  stale: { status: 409 },
});

/** Limits of what people write; columns and pages have the same. */
export const conductLimits = { text: 4000, reason: 500, reply: 2000, kind: 48, points: 100, attachments: 10 } as const;

/** Most drafts of one author, and entries about one person, in a job. */
export const mostDrafts = 100;
export const mostEntries = 1000;

/** How long somebody who left a job reads what was released about them. Milliseconds. */
export const readableMs = days(30);

/** Entries about somebody who comes back within this time count again. */
export const returnDays = 60;
/** The same in milliseconds. */
export const returnMs = days(returnDays);

export const attachmentKind = defineFileKind("conduct.attachment", { owner: "the ID of the conduct entry" });
export const attachmentTypes: readonly FileType[] = [...pictureTypes, "application/pdf"];

export const tones = ["positive", "negative"] as const;
export type Tone = (typeof tones)[number];

/** What the list can be narrowed to. Expired ones were released; so were those that wait to be acknowledged. */
export const entryFilters = ["draft", "released", "expired", "withdrawn", "unacknowledged"] as const;
export type EntryFilter = (typeof entryFilters)[number];

export const id = Type.Integer({ minimum: 1 });
const points = Type.Integer({ minimum: 0, maximum: conductLimits.points });

export const KindContent = Type.Object({
  name: lineOf(conductLimits.kind),
  colour: Type.String({ pattern: "^#[0-9a-f]{6}$", "x-problem": "must be a colour, such as #2563eb" }),
  tone: OneOf(tones),
  /** What the form of a new entry begins with. */
  points,
  /** The same, as days from now; null for no expiry. */
  expiresAfter: Nullable(Type.Integer({ minimum: 1, maximum: 1825 })),
  /** Whether its person is asked to acknowledge it. */
  acknowledge: Type.Boolean(),
});
export type KindContent = Static<typeof KindContent>;

export const ConductKind = extend(KindContent, { id, version: Version, deleted: Type.Boolean() });
export type ConductKind = Static<typeof ConductKind>;

export const EntryContent = Type.Object({
  kindId: id,
  points,
  text: anyTextOf(conductLimits.text),
  /** The first day on which it no longer counts, in the zone of `loc`; null for no expiry. */
  expiresOn: Nullable(Day),
  /** Ids of files of the kind `conduct.attachment`. Left out: none, or those that the entry has. */
  attachments: Type.Optional(Type.Array(id, { maxItems: conductLimits.attachments, uniqueItems: true })),
});
export type EntryContent = Static<typeof EntryContent>;

const Person = Type.Object({ id, name: Type.String() });

export const entryActions = ["edit", "remove", "release", "withdraw", "acknowledge", "reply"] as const;

export const ConductEntry = Type.Object({
  id,
  version: Version,
  citizen: extend(Person, { job: JobBadge }),
  /** Null once the author was removed for good. */
  author: Nullable(Person),
  kind: Type.Object({ id, name: Type.String(), colour: Type.String() }),
  tone: OneOf(tones),
  points,
  text: Type.String(),
  expiresOn: Nullable(Day),
  expired: Type.Boolean(),
  state: OneOf(entryMachine.states),
  createdAt: Instant,
  releasedAt: Nullable(Instant),
  withdrawn: Nullable(Type.Object({ at: Instant, by: Nullable(Type.String()), reason: Type.String() })),
  acknowledge: Type.Boolean(),
  acknowledgedAt: Nullable(Instant),
  reply: Nullable(Type.Object({ at: Instant, text: Type.String() })),
  /** Its person has left the job since: it does not count. */
  left: Type.Boolean(),
  attachments: Type.Array(UploadedFile),
  /** What the viewer can do with it now. */
  may: Type.Array(OneOf(entryActions)),
});
export type ConductEntry = Static<typeof ConductEntry>;

/** The sums of what counts now, by tone. */
export const Points = Type.Object({ negative: Type.Integer({ minimum: 0 }), positive: Type.Integer({ minimum: 0 }) });
export type Points = Static<typeof Points>;

export const exampleKindContent: KindContent = {
  name: "Written warning",
  colour: "#b45309",
  tone: "negative",
  points: 3,
  expiresAfter: 90,
  acknowledge: true,
};
export const exampleKind: ConductKind = { ...exampleKindContent, id: 4, version: 1, deleted: false };

export const exampleEntry: ConductEntry = {
  id: 27,
  version: 2,
  citizen: { id: 12, name: "Mara Lind", job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" } },
  author: { id: 15, name: "Ida Holm" },
  kind: { id: 4, name: "Written warning", colour: "#b45309" },
  tone: "negative",
  points: 3,
  text: "Left the patrol car unlocked with the shotgun in it.",
  expiresOn: "2027-03-01",
  expired: false,
  state: "released",
  createdAt: 1_795_000_000_000,
  releasedAt: 1_795_000_600_000,
  withdrawn: null,
  acknowledge: true,
  acknowledgedAt: null,
  reply: null,
  left: false,
  attachments: [],
  may: ["withdraw"],
};
