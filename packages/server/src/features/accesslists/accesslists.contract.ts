import { Type, type Static } from "typebox";
import { access, defineErrors, defineOperation, Nullable, OneOf } from "#core/contract/index.ts";

/** Most entries of one list. */
export const mostEntries = 20;

export const accesslistsErrors = defineErrors("accesslists", {
  objectUnknown: { status: 404 },
  levelMissing: { status: 403, params: ["level", "grantors"] },
  levelUnknown: { status: 400, params: ["level", "levels"] },
  subjectTwice: { status: 400, params: ["subject"] },
  jobUnknown: { status: 400, params: ["job"] },
  citizenUnknown: { status: 400, params: ["citizen"] },
  /** Existing entries may stay, and the own character may always be named. */
  citizensHidden: { status: 403, params: ["permission", "job"] },
  jobsHidden: { status: 403, params: ["permission", "field", "job"] },
  /** No feature of this server has them. */
  groupsMissing: { status: 400 },
  qualificationsMissing: { status: 400 },
  groupUnknown: { status: 400, params: ["group"] },
  qualificationUnknown: { status: 400, params: ["qualification"] },
  requiredEntry: { status: 400, params: ["subject", "level"] },
  locksYouOut: { status: 400, params: ["level"] },
});

export const subjectKinds = ["job", "citizen", "group", "qualification"] as const;

/** An entry about a job from a grade upwards, one citizen, the members of a job group, or the holders of a qualification. */
export const AccessEntry = Type.Object({
  subject: OneOf(subjectKinds),
  /** For a job entry, else empty. */
  job: Type.String({ maxLength: 50 }),
  /** For a job entry, this grade and every higher one; else 0. */
  minGrade: Type.Integer({ minimum: 0, maximum: 1000 }),
  /** Id of the citizen, group or qualification, else 0. */
  id: Type.Integer({ minimum: 0 }),
  /** A level of this kind of object, or `blocked`. */
  level: Type.String({ maxLength: 20 }),
  /** Set by a template: the entry stays, at this level or a higher one. */
  required: Nullable(Type.String({ maxLength: 20 })),
});
export type AccessEntry = Static<typeof AccessEntry>;

export const AccessList = Type.Object({
  /** Every character may view it, but not more. */
  public: Type.Boolean(),
  entries: Type.Array(AccessEntry, { maxItems: mostEntries }),
});
export type AccessList = Static<typeof AccessList>;

/**
 * Payload of the event that an object with an access list was created, changed, removed or restored: what decides whom
 * it concerns.
 */
export const AccessChange = Type.Object({
  id: Type.Integer(),
  removed: Type.Boolean(),
  creatorId: Nullable(Type.Integer()),
  creatorJob: Type.String(),
  /** The list after the change; after a change of the list also that before it, for viewers who lost the object. */
  lists: Type.Array(
    Type.Object({
      public: Type.Boolean(),
      /** `[subject, job, minGrade, id, level]`. */
      entries: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer(), Type.Integer(), Type.Integer()])),
    }),
  ),
});
export type AccessChange = Static<typeof AccessChange>;

/** Message of the topic about such objects: the browser reads again what it shows. */
export const ObjectChanged = Type.Object({ id: Type.Integer(), removed: Type.Boolean() });

/**
 * What decided: an entry, a rule or job admin; `none` when nothing granted access, `hidden` where it depends on a group
 * whose members the viewer may not see: then there is no level either.
 */
export const reasonKinds = ["entry", "blocked", "creator", "public", "jobAdmin", "none", "hidden"] as const;

const objectParams = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 32 }),
  id: Type.Integer({ minimum: 1 }),
});

/** An entry with a name of its subject; a citizen is `CIT-12` for viewers who may not see people. */
const LabelledEntry = Type.Object({ ...AccessEntry.properties, label: Type.String() });

/**
 * Explains the access of the viewer. Viewers who may edit the list can ask about others whose job they
 * may see: those of the own job, or all by `citizens.list` with the field `job`.
 */
export const explainAccess = defineOperation({
  id: "accesslists.explain",
  method: "GET",
  path: "/api/access-lists/:kind/:id/explain",
  summary: "Why a person can or cannot open an object",
  access: access.character(),
  rate: "read",
  input: {
    params: objectParams,
    query: Type.Object({ citizenId: Type.Optional(Type.Integer({ minimum: 1 })) }),
  },
  output: Type.Object({
    /** The levels of this kind of object in rising order, without `blocked`. */
    levels: Type.Array(Type.String()),
    /** Highest level held; null for none, and where it is hidden. */
    level: Nullable(Type.String()),
    /** `entry` is the one that decided, if one did. */
    reason: Type.Object({ kind: OneOf(reasonKinds), entry: Nullable(LabelledEntry) }),
    /** Jobs and people with the highest level, who can change the list. */
    grantors: Type.Array(Type.String()),
  }),
  errors: [
    accesslistsErrors.objectUnknown,
    accesslistsErrors.levelMissing,
    accesslistsErrors.citizenUnknown,
    accesslistsErrors.jobsHidden,
  ],
  example: {
    params: { kind: "notices", id: 1 },
    query: { citizenId: 12 },
    output: { levels: ["view", "edit"], level: "view", reason: { kind: "public", entry: null }, grantors: ["Police · Chief"] },
  },
});

/** Requires the highest level of the object. */
export const accessAudience = defineOperation({
  id: "accesslists.audience",
  method: "GET",
  path: "/api/access-lists/:kind/:id/audience",
  summary: "Who can open an object",
  access: access.character(),
  rate: "read",
  input: { params: objectParams },
  output: Type.Object({
    levels: Type.Array(Type.String()),
    public: Type.Boolean(),
    creator: Nullable(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        job: Type.String(),
        /** Null for viewers who may not see the jobs of people. */
        stillInJob: Nullable(Type.Boolean()),
      }),
    ),
    entries: Type.Array(
      Type.Object({
        ...LabelledEntry.properties,
        /** Characters whom the entry matches now, up to 1,000; null for viewers who may not see the jobs of people, and for groups and qualifications. */
        people: Nullable(Type.Integer()),
      }),
    ),
  }),
  errors: [accesslistsErrors.objectUnknown, accesslistsErrors.levelMissing],
  example: {
    params: { kind: "notices", id: 1 },
    output: {
      levels: ["view", "edit"],
      public: false,
      creator: { id: 12, name: "Mara Lind", job: "Police", stillInJob: true },
      entries: [
        {
          subject: "job",
          job: "police",
          minGrade: 2,
          id: 0,
          level: "edit",
          required: null,
          label: "Police · Sergeant",
          people: 14,
        },
      ],
    },
  },
});

export const accesslistsContract = { operations: [explainAccess, accessAudience], errors: accesslistsErrors };
