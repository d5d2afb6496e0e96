import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineOperation,
  defineOrders,
  definePermission,
  definePreference,
  defineSavedViews,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";

export const auditPermissions = { view: definePermission("audit.view") };

export const auditErrors = defineErrors("audit", { notFound: { status: 404 } });

export const auditResults = ["ok", "denied", "failed"] as const;

const text = Nullable(Type.String());
const number = Nullable(Type.Integer());

/** An entry as it is listed; `folded` is the number of equal records that it stands for. */
export const AuditRow = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  at: Instant,
  actor: Type.Object({
    kind: OneOf(["system", "cli", "sync", "link", "anonymous", "account", "character"]),
    /** User name, token fingerprint, operating-system user or schedule. */
    name: Type.String(),
    accountId: number,
    characterId: number,
    characterName: text,
    job: text,
    grade: number,
    adminReason: text,
    /** `job/grade` as which the person saw the panel. */
    seenAs: text,
  }),
  address: text,
  /** Family of the client program, as `Firefox, Windows`. */
  program: text,
  traceId: text,
  action: Type.String(),
  result: OneOf(auditResults),
  /** `name` is the present one of what still exists, where the entry itself names nothing. */
  object: Nullable(Type.Object({ kind: Type.String(), id: Type.String(), name: text })),
  target: Nullable(Type.Object({ kind: OneOf(["citizen", "account"]), id: Type.Integer(), name: text })),
  folded: Type.Integer({ minimum: 1 }),
});
export type AuditRow = Static<typeof AuditRow>;

/** An entry with what was changed. Secrets are `[hidden]`. */
export const AuditEntry = extend(AuditRow, {
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
  info: Type.Optional(Type.Unknown()),
});
export type AuditEntry = Static<typeof AuditEntry>;

const id = Type.Integer({ minimum: 1 });
const key = (maxLength: number) => Type.String({ minLength: 1, maxLength });

/** What the list, the export as JSON and the export as CSV can be narrowed by. */
const filters = {
  q: Type.Optional(Type.String({ maxLength: 64, description: "Words and parts of words, all of which occur" })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  account: Type.Optional(id),
  character: Type.Optional(id),
  action: Type.Optional(key(100)),
  result: Type.Optional(OneOf(auditResults)),
  objectKind: Type.Optional(key(50)),
  objectId: Type.Optional(key(64)),
  targetKind: Type.Optional(OneOf(["citizen", "account"])),
  targetId: Type.Optional(id),
  job: Type.Optional(key(50)),
  address: Type.Optional(key(64)),
};

/** Filters of the list, which config admins open without a character too. */
export const auditViews = defineSavedViews("audit.views", { per: "account" });

/** Orders of the list. */
export const auditOrders = defineOrders(["at"], { default: "-at" });

export const AuditFilters = Type.Object(filters);

/** Of the export as CSV. */
export const AuditExportFilters = Type.Object({ ...filters, ...auditOrders.query });

/** The kind of exports (`exports.request`) with the entries as CSV. */
export const auditExport = "audit.entries";

const exampleRow: AuditRow = {
  id: 4711,
  at: 1_790_000_000_000,
  actor: {
    kind: "character",
    name: "mara",
    accountId: 3,
    characterId: 12,
    characterName: "Mara Lind",
    job: "police",
    grade: 3,
    adminReason: null,
    seenAs: null,
  },
  address: "203.0.113.9",
  program: "Firefox, Windows",
  traceId: "01k6mzq0d7v0x3c9k2n8r4t5aa",
  action: "access.change",
  result: "ok",
  object: { kind: "role", id: "police/3", name: null },
  target: null,
  folded: 1,
};

export const listAudit = defineOperation({
  id: "audit.list",
  method: "GET",
  path: "/api/audit",
  summary: "Search the audit log, newest first by default",
  access: access.permissionOrConfigAdmin(auditPermissions.view),
  rate: "search",
  input: { query: Type.Object({ ...filters, ...pageQuery, ...auditOrders.query }) },
  output: PageOf(AuditRow),
  example: { query: { q: "mara", action: "access." }, output: { items: [exampleRow], next: null, total: 1, totalCapped: false } },
});

export const auditFacets = defineOperation({
  id: "audit.facets",
  method: "GET",
  path: "/api/audit/facets",
  summary: "Actions that occur in the audit log",
  access: access.permissionOrConfigAdmin(auditPermissions.view),
  rate: "read",
  input: {},
  output: Type.Object({ actions: Type.Array(Type.String()), everyJob: Type.Boolean() }),
  example: { output: { actions: ["access.change", "auth.login"], everyJob: false } },
});

export const auditHistory = defineOperation({
  id: "audit.history",
  method: "GET",
  path: "/api/audit/objects/:kind/:id",
  summary: "What happened to one object, newest first",
  access: access.permissionOrConfigAdmin(auditPermissions.view),
  rate: "read",
  input: {
    params: Type.Object({ kind: key(50), id: key(64) }),
    query: Type.Object(pageQuery),
  },
  output: PageOf(AuditEntry),
  example: {
    params: { kind: "role", id: "police-3" },
    output: { items: [{ ...exampleRow, after: { "citizens.list": { allow: true } } }], next: null, total: 1, totalCapped: false },
  },
});

/** Most entries of one export. */
export const mostExported = 100_000;

export const exportAudit = defineOperation({
  id: "audit.export",
  // Each export is an entry of the log, and reads much: a link on another site must not cause one.
  method: "POST",
  path: "/api/audit/export",
  summary: "Export the audit log as JSON, at most 100,000 entries; `exports.request` writes it as CSV",
  access: access.permissionOrConfigAdmin(auditPermissions.view),
  rate: "export",
  input: { query: AuditFilters },
  output: null,
  answer: "file",
  example: { query: { action: "access." } },
});

export const AccessLogEntry = Type.Object({
  id,
  at: Instant,
  job: text,
  times: Type.Integer({ minimum: 1 }),
  /** Only for callers who may read the audit log. */
  name: Type.Optional(text),
});

export const myAccessLog = defineOperation({
  id: "audit.lookups",
  method: "GET",
  path: "/api/audit/lookups",
  summary: "The access log of the chosen character, newest first",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ from: Type.Optional(Instant), ...pageQuery }) },
  output: PageOf(AccessLogEntry),
  example: {
    output: { items: [{ id: 4711, at: 1_790_000_000_000, job: "police", times: 2 }], next: null, total: 1, totalCapped: false },
  },
});

/** When the player of a character last looked at its access log: later entries are news. */
export const accessLogSeen = definePreference({
  id: "audit.accessLogSeen",
  per: "character",
  version: 1,
  schema: Type.Object({ at: Instant }, { additionalProperties: false }),
  default: { at: 0 },
});

export const getAudit = defineOperation({
  id: "audit.get",
  method: "GET",
  path: "/api/audit/entries/:id",
  summary: "One entry of the audit log with what was changed",
  access: access.permissionOrConfigAdmin(auditPermissions.view),
  rate: "read",
  input: { params: Type.Object({ id }) },
  output: AuditEntry,
  errors: [auditErrors.notFound],
  example: {
    params: { id: 4711 },
    output: { ...exampleRow, before: { signUp: true }, after: { signUp: false } },
  },
});

export const auditContract = {
  operations: [listAudit, auditFacets, auditHistory, exportAudit, myAccessLog, getAudit],
  errors: auditErrors,
  permissions: Object.values(auditPermissions),
  preferences: [auditViews, accessLogSeen],
};
