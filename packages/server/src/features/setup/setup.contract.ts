import { Type } from "typebox";
import { access, defineErrors, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { syncKinds } from "#features/sync/sync.kinds.contract.ts";

export const setupErrors = defineErrors("setup", {
  notNeeded: { status: 409 },
  tokenWrong: { status: 403 },
});

/** Whether no account can sign in yet, so that the first admin has to be created. */
export const setupState = defineOperation({
  id: "setup.state",
  method: "GET",
  path: "/api/setup",
  summary: "Whether this instance still lacks its first admin",
  access: access.public(),
  rate: "read",
  input: {},
  output: Type.Object({ needed: Type.Boolean() }),
  example: { output: { needed: false } },
});

const Token = Type.String({ minLength: 1, maxLength: 128 });

/** Before somebody fills in a form. Not a GET, whose address is in logs; counted like attempts to sign in. */
export const setupCheck = defineOperation({
  id: "setup.check",
  method: "POST",
  path: "/api/setup/check",
  summary: "Whether a token creates the first admin",
  access: access.public(),
  rate: "login",
  input: { body: Type.Object({ token: Token }) },
  output: null,
  errors: [setupErrors.notNeeded, setupErrors.tokenWrong],
  example: { body: { token: "p3Jx-printed-at-the-start" } },
});

/** Creates the first admin with the token that the start of the program logged, and signs in. */
export const setupBegin = defineOperation({
  id: "setup.begin",
  method: "POST",
  path: "/api/setup",
  summary: "Create the first admin",
  access: access.public(),
  rate: "login",
  input: {
    body: Type.Object({
      token: Token,
      username: Type.String({ minLength: 1, maxLength: 64 }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
      /** Game licence of the admin, with or without `license:`; can be added later. */
      licence: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    }),
  },
  output: null,
  errors: [setupErrors.notNeeded, setupErrors.tokenWrong],
  example: { body: { token: "p3Jx-printed-at-the-start", username: "mara", password: "a good password" } },
});

/** Whether the game server can send its data, and when it last did. */
export const setupSync = defineOperation({
  id: "setup.sync",
  method: "GET",
  path: "/api/setup/sync",
  summary: "State of the Sync API for the setup",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    enabled: Type.Boolean(),
    /** Number of tokens in `sync.apiTokens`. */
    tokens: Type.Integer(),
    /** Options of config.yaml whose secret can be guessed or looked up. */
    weakSecrets: Type.Array(Type.String()),
    lastDataAt: Nullable(Instant),
  }),
  example: { output: { enabled: true, tokens: 1, weakSecrets: [], lastDataAt: 1_790_000_000_000 } },
});

/** What the game server has sent so far; counts all rows, so only the setup page follows it. */
export const setupReceived = defineOperation({
  id: "setup.received",
  method: "GET",
  path: "/api/setup/received",
  summary: "How much the game server has sent",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    kinds: Type.Array(Type.Object({ kind: OneOf(syncKinds), count: Type.Integer({ minimum: 0 }) })),
    lastDataAt: Nullable(Instant),
  }),
  example: { output: { kinds: [{ kind: "jobs", count: 8 }], lastDataAt: 1_790_000_000_000 } },
});

export const setupContract = { operations: [setupState, setupCheck, setupBegin, setupSync, setupReceived], errors: setupErrors };
