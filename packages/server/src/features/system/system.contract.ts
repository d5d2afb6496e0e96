import { Type, type Static } from "typebox";
import { access, defineOperation, guardErrors, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { BrowserTracing } from "#features/traces/traces.browser.contract.ts";

/** What a browser needs before the sign-in. */
export const ClientConfig = Type.Object({
  name: Type.String(),
  version: Type.String(),
  publicUrl: Type.String(),
  mode: Type.String(),
  /** Lowest grade offered in editors. */
  startJobGrade: Type.Integer(),
  /** Fields that the configuration switched off, as `citizens.visum`. */
  disabledFields: Type.Array(Type.String()),
  /** The time zone for dates without a viewer's own zone. */
  zone: Type.String(),
  /** For browsers whose language is not supported. */
  defaultLanguage: Type.String(),
  /** BCP 47 tag for numbers and dates; empty follows the viewer's language. */
  locale: Type.String(),
  /** URLs, empty for none. */
  links: Type.Object({ privacyPolicy: Type.String(), imprint: Type.String() }),
  /** How browsers send their spans. */
  tracing: BrowserTracing,
  /** A message of the operators to everyone; its id changes with its text. */
  banner: Nullable(
    Type.Object({
      id: Type.String(),
      text: Type.String(),
      tone: OneOf(["info", "warning", "danger"]),
      expiresAt: Nullable(Instant),
    }),
  ),
});
export type ClientConfig = Static<typeof ClientConfig>;

export const clientConfig = defineOperation({
  id: "system.client",
  method: "GET",
  path: "/api/system/client",
  summary: "Public settings of this instance",
  access: access.public(),
  rate: "read",
  input: {},
  output: ClientConfig,
  example: {
    output: {
      name: "Rollcall",
      version: "0.1.0",
      publicUrl: "http://localhost:8080",
      mode: "release",
      startJobGrade: 0,
      disabledFields: [],
      zone: "UTC",
      defaultLanguage: "en",
      locale: "",
      tracing: null,
      links: { privacyPolicy: "https://city.example/privacy", imprint: "" },
      banner: { id: "5f1d", text: "Restart at 04:00", tone: "info", expiresAt: null },
    },
  },
});

export const PartState = Type.Object({
  part: Type.String(),
  state: Type.Union([Type.Literal("ok"), Type.Literal("degraded"), Type.Literal("down")]),
  /** Milliseconds since the state last changed. */
  age: Type.Integer(),
  reason: Nullable(Type.String()),
});
export type PartState = Static<typeof PartState>;

export const systemStatus = defineOperation({
  id: "system.status",
  method: "GET",
  path: "/api/system/status",
  summary: "State of each part of the system",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    version: Type.String(),
    startedAt: Instant,
    parts: Type.Array(PartState),
    warnings: Type.Array(Type.String()),
    notInEffect: Type.Array(Type.String()),
  }),
  example: {
    output: {
      version: "0.1.0",
      startedAt: 1_790_000_000_000,
      parts: [{ part: "database", state: "ok", age: 1000, reason: null }],
      warnings: [],
      notInEffect: ["storage.type"],
    },
  },
});

/** The command that makes a backup reads it back before it writes its entry into the audit log. */
export const lastBackup = defineOperation({
  id: "system.lastBackup",
  method: "GET",
  path: "/api/system/backup",
  summary: "When the last verified backup was made",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    /** Null when the audit log, which forgets after `audit.retentionDays`, has none. */
    at: Nullable(Instant),
  }),
  example: { output: { at: 1_790_000_000_000 } },
});

/** For supervisors where `http.adminListen` is off; says no more than whether a balancer may send people here. */
export const readiness = defineOperation({
  id: "system.ready",
  method: "GET",
  path: "/api/system/ready",
  summary: "Whether this process can serve",
  access: access.public(),
  rate: "read",
  input: {},
  output: Type.Object({ state: OneOf(["ok", "down"]) }),
  example: { output: { state: "ok" } },
});

/** `text` and `remedy` are in the texts of the feature that `id` names, under `findings`. */
export const FindingShape = Type.Object({
  /** `<feature>.<name>`. */
  id: Type.String(),
  state: OneOf(["ok", "hint", "warning", "problem"]),
  params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
});

/** Runs every check, with a remedy for each problem; the same as `rollcall doctor`. */
export const doctor = defineOperation({
  id: "system.doctor",
  method: "GET",
  path: "/api/system/doctor",
  summary: "Examine the whole system",
  access: access.configAdmin(),
  rate: "search",
  input: {},
  output: Type.Object({ findings: Type.Array(FindingShape) }),
  example: { output: { findings: [{ id: "system.database", state: "ok", params: { kind: "sqlite", version: "3.54.1" } }] } },
});

/** How this request arrived, for the checks that only a browser can make. */
export const clientAddress = defineOperation({
  id: "system.seen",
  method: "GET",
  path: "/api/system/seen",
  summary: "How the server sees a request of this browser",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    /** The address of the client by `http.trustedProxies`. */
    address: Type.String(),
    /** Whether a proxy forwarded the request. */
    forwarded: Type.Boolean(),
    /** Whether the proxy is not in `http.trustedProxies`, so that its headers are ignored. */
    ignored: Type.Boolean(),
    publicUrl: Type.String(),
  }),
  example: { output: { address: "203.0.113.7", forwarded: true, ignored: false, publicUrl: "https://city.example" } },
});

export const systemContract = {
  operations: [clientConfig, readiness, systemStatus, lastBackup, doctor, clientAddress],
  actions: [
    "system.migrate",
    "system.backup",
    "system.restore",
    "system.rotateSecret",
    "system.newInstallationId",
    "system.claimInstallation",
    "system.changeZone",
    "system.deleteOldStreams",
  ],
  errors: guardErrors,
};
