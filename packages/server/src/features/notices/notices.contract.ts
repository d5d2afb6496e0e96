import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineOperation,
  definePermission,
  defineTopic,
  Instant,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { AccessList, accesslistsErrors } from "#features/accesslists/accesslists.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";

export const noticesErrors = defineErrors("notices", {
  notFound: { status: 404 },
  stale: { status: 409 },
  publicNotAllowed: { status: 403 },
});

export const noticesPermissions = {
  create: definePermission("notices.create", { fields: { type: "strings", values: ["public"] } }),
};

/** In rising order; the access lists add `blocked`. */
export const noticeLevels = ["view", "edit"] as const;

export const noticeLimits = { title: 120, text: 2000 } as const;

const words = {
  title: Type.String({ minLength: 1, maxLength: noticeLimits.title }),
  text: Type.String({ maxLength: noticeLimits.text }),
  /** It leaves the board by itself; null for one that stays. */
  expiresAt: Nullable(Instant),
};

export const Notice = Type.Object({
  id: Type.Integer(),
  version: Version,
  ...words,
  creator: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
  job: JobBadge,
  public: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  /** What the viewer may do with it. */
  level: OneOf(noticeLevels),
});
export type Notice = Static<typeof Notice>;

const exampleWords = { title: "Radio check at 20:00", text: "Channel 3, all units.", expiresAt: null };
const exampleNotice = {
  id: 1,
  version: 1,
  ...exampleWords,
  creator: { id: 12, name: "Mara Lind" },
  job: { name: "police", label: "Police", grade: 3, gradeLabel: "Sergeant" },
  public: false,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  level: "edit" as const,
};
const exampleAccess = {
  public: false,
  entries: [{ subject: "job" as const, job: "police", minGrade: 0, id: 0, level: "view", required: null }],
};

const byId = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const NewNotice = Type.Object({ ...words, access: AccessList });

/** The board as the viewer sees it, newest first. */
export const listNotices = defineOperation({
  id: "notices.list",
  method: "GET",
  path: "/api/notices",
  summary: "List the notices that the viewer may see",
  access: access.character(),
  rate: "read",
  input: {
    query: Type.Object({
      before: Type.Optional(Type.Integer({ minimum: 1, description: "`next` of the page before" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
  },
  output: Type.Object({ items: Type.Array(Notice), next: Nullable(Type.Integer()) }),
  example: { query: { limit: 20 }, output: { items: [exampleNotice], next: null } },
});

/** One notice with its access list, for those who may edit it. */
export const getNotice = defineOperation({
  id: "notices.get",
  method: "GET",
  path: "/api/notices/:id",
  summary: "Read one notice",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: Type.Object({ notice: Notice, access: Nullable(AccessList) }),
  errors: [noticesErrors.notFound],
  example: { params: { id: 1 }, output: { notice: exampleNotice, access: exampleAccess } },
});

const refusals = [noticesErrors.publicNotAllowed, ...Object.values(accesslistsErrors).filter(({ status }) => status === 400)];

export const createNotice = defineOperation({
  id: "notices.create",
  method: "POST",
  path: "/api/notices",
  summary: "Put up a notice",
  access: access.permission(noticesPermissions.create),
  rate: "write",
  input: { body: NewNotice },
  output: Notice,
  errors: refusals,
  example: { body: { ...exampleWords, access: exampleAccess }, output: exampleNotice },
});

export const putNotice = defineOperation({
  id: "notices.put",
  method: "PUT",
  path: "/api/notices/:id",
  summary: "Change a notice and who may see it",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version, ...NewNotice.properties }) },
  output: Notice,
  errors: [noticesErrors.notFound, noticesErrors.stale, accesslistsErrors.levelMissing, ...refusals],
  example: { params: { id: 1 }, body: { version: 1, ...exampleWords, access: exampleAccess }, output: exampleNotice },
});

export const removeNotice = defineOperation({
  id: "notices.remove",
  method: "DELETE",
  path: "/api/notices/:id",
  summary: "Take a notice down",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [noticesErrors.notFound, accesslistsErrors.levelMissing],
  example: { params: { id: 1 } },
});

/** Takes a removal back; for whoever could have removed it. */
export const restoreNotice = defineOperation({
  id: "notices.restore",
  method: "POST",
  path: "/api/notices/:id/restore",
  summary: "Put a removed notice up again",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: Notice,
  errors: [noticesErrors.notFound],
  example: { params: { id: 1 }, output: exampleNotice },
});

/** A notice was put up, changed or taken down; carries what decides who may see it. */
export const noticesChanged = defineEvent({
  id: "notices.changed",
  version: 1,
  payload: Type.Object({
    id: Type.Integer(),
    removed: Type.Boolean(),
    creatorId: Nullable(Type.Integer()),
    creatorJob: Type.String(),
    /** The list after the change, and the one before it where it is another: who lost the notice hears of it too. */
    lists: Type.Array(
      Type.Object({
        public: Type.Boolean(),
        /** `[subject, job, minGrade, id, level]`. */
        entries: Type.Array(Type.Tuple([Type.String(), Type.String(), Type.Integer(), Type.Integer(), Type.Integer()])),
      }),
    ),
  }),
});

/** Tells that the board changed for this viewer; the board is then read again. */
export const noticesTopic = defineTopic({
  name: "notices",
  kind: "event",
  access: access.character(),
  message: Type.Object({ id: Type.Integer(), removed: Type.Boolean() }),
  example: { id: 1, removed: false },
});

export const noticesContract = {
  operations: [listNotices, getNotice, createNotice, putNotice, removeNotice, restoreNotice],
  events: [noticesChanged],
  topics: [noticesTopic],
  permissions: Object.values(noticesPermissions),
  errors: noticesErrors,
};
