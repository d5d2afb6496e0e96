import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineErrors,
  defineNotification,
  defineOperation,
  defineWorkerTask,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { exportMachine } from "./exports.machine.ts";

export const exportsErrors = defineErrors("exports", {
  notFound: { status: 404 },
  kindUnknown: { status: 404, params: ["kind"] },
  tooManyOpen: { status: 409, params: ["most"] },
  tooManyRows: { status: 409, params: ["most"] },
  tooLarge: { status: 409, params: ["megabytes"] },
  refused: { status: 403 },
  failed: { status: 409 },
});

/** The most exports of an account that wait or run at once. */
export const mostOpen = 3;
/** The most exports of an account that are kept: the oldest finished one is removed when another is requested. */
export const mostKept = 20;
/** How long a finished export is kept. Milliseconds. */
export const keptMs = days(1);

export const exportStates = ["waiting", "running", "done", "failed"] as const;

const id = Type.Integer({ minimum: 1 });
const Params = Type.Unsafe<Record<string, string | number>>({ type: "object", additionalProperties: true });

export const Export = Type.Object({
  id,
  kind: Type.String(),
  state: OneOf(exportStates),
  /** Rows that were written so far, and all of them where their number is known. */
  rows: Type.Integer({ minimum: 0 }),
  total: Nullable(Type.Integer({ minimum: 0 })),
  bytes: Type.Integer({ minimum: 0 }),
  error: Nullable(Type.Object({ code: Type.String(), params: Params })),
  createdAt: Instant,
  finishedAt: Nullable(Instant),
  /** When it is removed. */
  expiresAt: Instant,
});
export type Export = Static<typeof Export>;

const example: Export = {
  id: 7,
  kind: "audit.entries",
  state: "running",
  rows: 12_500,
  total: 60_000,
  bytes: 0,
  error: null,
  createdAt: 1_790_000_000_000,
  finishedAt: null,
  expiresAt: 1_790_086_400_000,
};

export const requestExport = defineOperation({
  id: "exports.request",
  method: "POST",
  path: "/api/exports",
  summary: "Export a list as CSV, written by a background task; each kind of list has its own permission and filters",
  access: access.account(),
  rate: "export",
  input: {
    body: Type.Object({
      kind: Type.String({ minLength: 3, maxLength: 100 }),
      filter: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
      /** The character whose rights apply; null for a config admin without one. */
      characterId: Nullable(id),
      /** Of the headers. */
      language: OneOf(["en", "de"]),
    }),
  },
  output: Export,
  errors: [exportsErrors.kindUnknown, exportsErrors.tooManyOpen, exportsErrors.refused],
  example: {
    body: { kind: "audit.entries", filter: { action: "access." }, characterId: 12, language: "en" },
    output: { ...example, state: "waiting", rows: 0, total: null },
  },
});

export const listExports = defineOperation({
  id: "exports.list",
  method: "GET",
  path: "/api/exports",
  summary: "Your exports with their progress, newest first",
  access: access.account(),
  rate: "read",
  input: { query: Type.Object({ kind: Type.Optional(Type.String({ minLength: 3, maxLength: 100 })) }) },
  output: Type.Object({ items: Type.Array(Export) }),
  example: { output: { items: [example] } },
});

export const removeExport = defineOperation({
  id: "exports.remove",
  method: "DELETE",
  path: "/api/exports/:id",
  summary: "Cancel one of your exports, or remove a finished one with its file",
  access: access.account(),
  rate: "write",
  input: { params: Type.Object({ id }) },
  output: null,
  errors: [exportsErrors.notFound],
  example: { params: { id: 7 } },
});

export const downloadExport = defineOperation({
  id: "exports.download",
  method: "GET",
  path: "/api/exports/:id/file",
  summary: "Download the file of one of your exports",
  access: access.account(),
  rate: "download",
  input: { params: Type.Object({ id }) },
  output: null,
  answer: "file",
  errors: [exportsErrors.notFound, exportsErrors.refused],
  example: { params: { id: 7 } },
});

export const writeExport = defineWorkerTask({
  id: "exports.write",
  payload: Type.Object({ id }),
  lane: "bulk",
  retry: { attempts: 5, firstMs: 2000, maxMs: 60_000 },
});

/** Removes the file of an export whose row is gone. */
export const dropExport = defineWorkerTask({
  id: "exports.drop",
  payload: Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }) }),
  lane: "network",
});

export const exportReady = defineNotification({
  id: "exports.ready",
  tone: "success",
  params: ["name", "rows"],
  channels: ["bell", "toast"],
});

export const exportFailed = defineNotification({
  id: "exports.failed",
  tone: "warning",
  params: ["name"],
  channels: ["bell", "toast"],
});

export const exportsContract = {
  operations: [requestExport, listExports, removeExport, downloadExport],
  tasks: [writeExport, dropExport],
  errors: exportsErrors,
  machines: [exportMachine],
  notifications: [exportReady, exportFailed],
  objects: ["exports.export"],
};
