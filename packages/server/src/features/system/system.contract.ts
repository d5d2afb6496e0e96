import { Type, type Static } from "typebox";
import { access, defineErrors, defineOperation, doorErrors, Instant, Nullable, OneOf } from "#core/contract/index.ts";

export const systemErrors = {
  ...doorErrors,
  ...defineErrors("system", { postalsMissing: { status: 404 } }),
};

/** What the browser needs to know before anyone signed in. */
export const ClientConfig = Type.Object({
  name: Type.String(),
  version: Type.String(),
  publicUrl: Type.String(),
  mode: Type.String(),
  /** Lowest grade offered in editors. */
  startJobGrade: Type.Integer(),
  /** Fields that the configuration switched off, as `citizens.visum`. */
  disabledFields: Type.Array(Type.String()),
  /** Days are shown in this zone where no viewer's zone applies. */
  zone: Type.String(),
  /** For browsers whose own language is none of ours. */
  defaultLanguage: Type.String(),
  /** BCP 47 tag for numbers and dates; empty follows the viewer's language. */
  locale: Type.String(),
  /** Addresses, empty where there is none. */
  links: Type.Object({ privacyPolicy: Type.String(), imprint: Type.String() }),
  /** What the operators want everybody to know; its id changes with its text. */
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

export const Postal = Type.Object({ code: Type.String(), x: Type.Number(), y: Type.Number() });

/** The postal codes of the map, from `postalsFile`. */
export const postals = defineOperation({
  id: "system.postals",
  method: "GET",
  path: "/api/system/postals",
  summary: "Postal codes with their map positions",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ postals: Type.Array(Postal) }),
  errors: [systemErrors.postalsMissing],
  example: { output: { postals: [{ code: "1001", x: -120.5, y: 33.1 }] } },
});

export const systemContract = {
  operations: [clientConfig, systemStatus, postals],
  errors: systemErrors,
};
