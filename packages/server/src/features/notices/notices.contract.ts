import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineFileKind,
  defineOperation,
  definePermission,
  defineTopic,
  Instant,
  Nullable,
  OneOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import { AccessChange, AccessList, accesslistsErrors, ObjectChanged } from "#features/accesslists/accesslists.contract.ts";
import { exampleFile, filesErrors, type FileType, pictureTypes, UploadedFile } from "#features/files/files.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";

export const noticesErrors = defineErrors("notices", {
  notFound: { status: 404 },
  stale: { status: 409 },
  publicNotAllowed: { status: 403 },
  otherJobNotAllowed: { status: 403, params: ["job"] },
});

export const noticesPermissions = {
  /** Without a field only for the own job; `jobs` adds those of others, `public` everybody. */
  create: definePermission("notices.create", { fields: { type: "strings", values: ["jobs", "public"] } }),
};

/** In rising order; the access lists add `blocked`. */
export const noticeLevels = ["view", "edit"] as const;

export const noticeLimits = { title: 120, text: 2000, attachments: 10 } as const;

export const attachmentKind = defineFileKind("notices.attachment", { owner: "the ID of the notice" });
export const attachmentTypes: readonly FileType[] = [...pictureTypes, "application/pdf"];

const content = {
  title: Type.String({ minLength: 1, maxLength: noticeLimits.title }),
  text: Type.String({ maxLength: noticeLimits.text }),
  /** When it leaves the board; null for a notice without an end. */
  expiresAt: Nullable(Instant),
};

export const Notice = Type.Object({
  id: Type.Integer(),
  version: Version,
  ...content,
  creator: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
  job: JobBadge,
  public: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  /** The level that the viewer holds. */
  level: OneOf(noticeLevels),
  attachments: Type.Array(UploadedFile),
});
export type Notice = Static<typeof Notice>;

const exampleContent = { title: "Radio check at 20:00", text: "Channel 3, all units.", expiresAt: null };
const exampleNotice = {
  id: 1,
  version: 1,
  ...exampleContent,
  creator: { id: 12, name: "Mara Lind" },
  job: { name: "police", label: "Police", grade: 3, gradeLabel: "Sergeant" },
  public: false,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  level: "edit" as const,
  attachments: [exampleFile],
};
const exampleAccess = {
  public: false,
  entries: [{ subject: "job" as const, job: "police", minGrade: 0, id: 0, level: "view", required: null }],
};

const byId = Type.Object({ id: Type.Integer({ minimum: 1 }) });
const NewNotice = Type.Object({
  ...content,
  access: AccessList,
  /** Ids of files of the kind `notices.attachment`. Left out: none, or those that the notice has. */
  attachments: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: noticeLimits.attachments, uniqueItems: true })),
});

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
      cursor: pageQuery.cursor,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    }),
  },
  output: Type.Object({ items: Type.Array(Notice), next: Nullable(Type.String()) }),
  example: { query: { limit: 20 }, output: { items: [exampleNotice], next: null } },
});

/** The access list is null for viewers who may not edit the notice. */
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

const refusals = [
  noticesErrors.publicNotAllowed,
  noticesErrors.otherJobNotAllowed,
  filesErrors.notFound,
  filesErrors.tooMany,
  accesslistsErrors.citizensHidden,
  ...Object.values(accesslistsErrors).filter(({ status }) => status === 400),
];

export const createNotice = defineOperation({
  id: "notices.create",
  method: "POST",
  path: "/api/notices",
  summary: "Post a notice",
  access: access.permission(noticesPermissions.create),
  rate: "write",
  input: { body: NewNotice },
  output: Notice,
  errors: refusals,
  example: { body: { ...exampleContent, access: exampleAccess }, output: exampleNotice },
});

export const putNotice = defineOperation({
  id: "notices.put",
  method: "PUT",
  path: "/api/notices/:id",
  summary: "Edit a notice and who may see it",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version, ...NewNotice.properties }) },
  output: Notice,
  errors: [noticesErrors.notFound, noticesErrors.stale, accesslistsErrors.levelMissing, ...refusals],
  example: { params: { id: 1 }, body: { version: 1, ...exampleContent, access: exampleAccess }, output: exampleNotice },
});

export const removeNotice = defineOperation({
  id: "notices.remove",
  method: "DELETE",
  path: "/api/notices/:id",
  summary: "Remove a notice",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [noticesErrors.notFound, accesslistsErrors.levelMissing],
  example: { params: { id: 1 } },
});

/** Requires the level that removing it required. */
export const restoreNotice = defineOperation({
  id: "notices.restore",
  method: "POST",
  path: "/api/notices/:id/restore",
  summary: "Restore a removed notice",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: Notice,
  errors: [noticesErrors.notFound],
  example: { params: { id: 1 }, output: exampleNotice },
});

/** A notice was created, changed, removed or restored. The payload holds what decides who may see it. */
export const noticesChanged = defineEvent({
  id: "notices.changed",
  version: 1,
  payload: AccessChange,
});

/** The board changed for this viewer, whose browser reloads it. */
export const noticesTopic = defineTopic({
  name: "notices",
  kind: "event",
  access: access.character(),
  message: ObjectChanged,
  invalidates: { answers: [listNotices, getNotice] },
  example: { id: 1, removed: false },
});

export const noticesContract = {
  operations: [listNotices, getNotice, createNotice, putNotice, removeNotice, restoreNotice],
  events: [noticesChanged],
  topics: [noticesTopic],
  permissions: Object.values(noticesPermissions),
  objects: ["notice"],
  errors: noticesErrors,
};
