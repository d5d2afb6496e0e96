import { Type } from "typebox";
import { access, defineErrors, defineOperation, Instant, Nullable } from "#core/contract/index.ts";

export const setupErrors = defineErrors("setup", {
  notNeeded: { status: 409 },
  tokenWrong: { status: 403 },
});

/** Whether nobody can sign in yet, so that the first admin has to be made. */
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

/** Makes the first admin with the token that the start of the program printed, and signs in. */
export const setupBegin = defineOperation({
  id: "setup.begin",
  method: "POST",
  path: "/api/setup",
  summary: "Create the first admin",
  access: access.public(),
  rate: "login",
  input: {
    body: Type.Object({
      token: Type.String({ minLength: 1, maxLength: 128 }),
      username: Type.String({ minLength: 1, maxLength: 64 }),
      password: Type.String({ minLength: 1, maxLength: 256 }),
      /** Game licence of the admin, with or without `license:`; may be added later. */
      licence: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    }),
  },
  output: null,
  errors: [setupErrors.notNeeded, setupErrors.tokenWrong],
  example: { body: { token: "p3Jx-printed-at-the-start", username: "mara", password: "a good password" } },
});

/** Whether the game server can send its data, and did. */
export const setupSync = defineOperation({
  id: "setup.sync",
  method: "GET",
  path: "/api/setup/sync",
  summary: "State of the Sync API for the first steps",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    enabled: Type.Boolean(),
    /** How many tokens `sync.apiTokens` holds. */
    tokens: Type.Integer(),
    lastDataAt: Nullable(Instant),
  }),
  example: { output: { enabled: true, tokens: 1, lastDataAt: 1_790_000_000_000 } },
});

export const setupContract = { operations: [setupState, setupBegin, setupSync], errors: setupErrors };
