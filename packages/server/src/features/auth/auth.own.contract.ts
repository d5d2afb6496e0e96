import { Type, type Static } from "typebox";
import { access, defineOperation, Instant } from "#core/contract/index.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import {
  AccountInfo,
  authErrors,
  exampleAccount,
  exampleSignedIn,
  password,
  SignedIn,
  typedToken,
  username,
} from "./auth.base.contract.ts";

/** Options for the pages before the sign-in. */
export const authOptions = defineOperation({
  id: "auth.options",
  method: "GET",
  path: "/api/auth/options",
  summary: "Which ways of signing in are open",
  access: access.public(),
  rate: "read",
  input: {},
  output: Type.Object({ signUp: Type.Boolean(), passwordMinimum: Type.Integer() }),
  example: { output: { signUp: true, passwordMinimum: 8 } },
});

const tokenErrors = [
  accountsErrors.tokenNotValid,
  accountsErrors.tokenWithdrawn,
  accountsErrors.passwordTooShort,
  accountsErrors.busy,
  authErrors.throttled,
  authErrors.cookieCannotStick,
];

/** Uses up a registration token and signs in. */
export const register = defineOperation({
  id: "auth.register",
  method: "POST",
  path: "/api/auth/register",
  summary: "Register with a token that the game server or an admin gave",
  access: access.public(),
  rate: "login",
  input: { body: Type.Object({ token: typedToken, username, password }) },
  output: SignedIn,
  errors: [...tokenErrors, accountsErrors.signUpOff, accountsErrors.usernameInvalid, accountsErrors.usernameTaken],
  example: { body: { token: "7K2M-Q9XA", username: "mara", password: "correct horse" }, output: exampleSignedIn },
});

/** Uses up a reset token, ends every session of the account and signs in. */
export const reset = defineOperation({
  id: "auth.reset",
  method: "POST",
  path: "/api/auth/reset",
  summary: "Set a new password with a reset token",
  access: access.public(),
  rate: "login",
  input: { body: Type.Object({ token: typedToken, password }) },
  output: SignedIn,
  errors: tokenErrors,
  example: { body: { token: "7K2M-Q9XA", password: "correct horse" }, output: exampleSignedIn },
});

export const ownAccount = defineOperation({
  id: "auth.account",
  method: "GET",
  path: "/api/auth/account",
  summary: "The signed-in account",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({
    account: AccountInfo,
    licence: Type.String(),
    groups: Type.Array(Type.String()),
    createdAt: Instant,
    passwordMinimum: Type.Integer(),
  }),
  example: {
    output: {
      account: exampleAccount,
      licence: "0a1b2c3d",
      groups: ["staff"],
      createdAt: 1_790_000_000_000,
      passwordMinimum: 8,
    },
  },
});

const passwordErrors = [authErrors.passwordRefused, authErrors.throttled, accountsErrors.busy];

export const changeUsername = defineOperation({
  id: "auth.changeUsername",
  method: "PUT",
  path: "/api/auth/account/username",
  summary: "Change your user name",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ username, password }) },
  output: AccountInfo,
  errors: [...passwordErrors, accountsErrors.usernameInvalid, accountsErrors.usernameTaken],
  example: { body: { username: "mara", password: "correct horse" }, output: exampleAccount },
});

/** Ends all other sessions; this one continues under another id. */
export const changePassword = defineOperation({
  id: "auth.changePassword",
  method: "PUT",
  path: "/api/auth/account/password",
  summary: "Change your password",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ password, newPassword: password }) },
  output: null,
  errors: [...passwordErrors, accountsErrors.passwordTooShort],
  example: { body: { password: "correct horse", newPassword: "battery staple" } },
});

export const SessionInfo = Type.Object({
  id: Type.String(),
  /** Whether it is the session of the caller. */
  current: Type.Boolean(),
  /** From the user agent; empty when unknown. */
  browser: Type.String(),
  system: Type.String(),
  address: Type.String(),
  createdAt: Instant,
  /** Accurate to a minute. */
  lastSeenAt: Instant,
});
export type SessionInfo = Static<typeof SessionInfo>;

const exampleSession: SessionInfo = {
  id: "3f2a9c",
  current: true,
  browser: "Firefox",
  system: "Windows",
  address: "203.0.113.7",
  createdAt: 1_790_000_000_000,
  lastSeenAt: 1_790_000_600_000,
};
const sessionId = Type.String({ minLength: 1, maxLength: 64 });
const accountId = Type.Integer({ minimum: 1 });

export const ownSessions = defineOperation({
  id: "auth.sessions",
  method: "GET",
  path: "/api/auth/sessions",
  summary: "Your sessions, the one used last first",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({ sessions: Type.Array(SessionInfo) }),
  example: { output: { sessions: [exampleSession] } },
});

export const revokeSession = defineOperation({
  id: "auth.revokeSession",
  method: "DELETE",
  path: "/api/auth/sessions/:sessionId",
  summary: "End one of your sessions",
  access: access.account(),
  rate: "write",
  input: { params: Type.Object({ sessionId }) },
  output: null,
  errors: [authErrors.sessionUnknown],
  example: { params: { sessionId: "3f2a9c" } },
});

export const revokeOtherSessions = defineOperation({
  id: "auth.revokeOtherSessions",
  method: "DELETE",
  path: "/api/auth/sessions",
  summary: "End all your sessions but this one",
  access: access.account(),
  rate: "write",
  input: {},
  output: Type.Object({ ended: Type.Integer() }),
  example: { output: { ended: 2 } },
});

export const signInOf = defineOperation({
  id: "auth.signInOf",
  method: "GET",
  path: "/api/accounts/:accountId/sign-in",
  summary: "Sessions and second factor of an account",
  access: access.configAdmin(),
  rate: "read",
  input: { params: Type.Object({ accountId }) },
  output: Type.Object({
    sessions: Type.Array(SessionInfo),
    /** Whether the sign-in asks for a second factor. */
    factor: Type.Boolean(),
    /** False when it was stored under another `secret`. */
    factorReadable: Type.Boolean(),
  }),
  example: { params: { accountId: 7 }, output: { sessions: [exampleSession], factor: true, factorReadable: true } },
});

export const revokeSessionOf = defineOperation({
  id: "auth.revokeSessionOf",
  method: "DELETE",
  path: "/api/accounts/:accountId/sessions/:sessionId",
  summary: "End a session of an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ accountId, sessionId }) },
  output: null,
  errors: [authErrors.sessionUnknown],
  example: { params: { accountId: 7, sessionId: "3f2a9c" } },
});

export const revokeSessionsOf = defineOperation({
  id: "auth.revokeSessionsOf",
  method: "DELETE",
  path: "/api/accounts/:accountId/sessions",
  summary: "End all sessions of an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ accountId }) },
  output: Type.Object({ ended: Type.Integer() }),
  example: { params: { accountId: 7 }, output: { ended: 2 } },
});

export const ownOperations = [
  authOptions,
  register,
  reset,
  ownAccount,
  changeUsername,
  changePassword,
  ownSessions,
  revokeSession,
  revokeOtherSessions,
  signInOf,
  revokeSessionOf,
  revokeSessionsOf,
];
