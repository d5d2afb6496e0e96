import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineNotification,
  defineOperation,
  Instant,
  Nullable,
  OneOf,
  inWords,
} from "#core/contract/index.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import { OwnerProof, ownerProofErrors } from "#features/auth/auth.contract.ts";

export const oauthErrors = defineErrors("oauth", {
  notConnected: { status: 404, params: ["provider"] },
  imageNotFound: { status: 404 },
  connectByPost: { status: 410, params: ["name"] },
});

/**
 * Outcome of an external sign-in, in the address of the page that the browser returns to:
 * `?oauth=<outcome>&provider=<name>`. The texts are under `outcomes`.
 */
export const oauthOutcomes = [
  "connected",
  /** No account is connected to that person. */
  "unconnected",
  /** The person refused at the provider. */
  "denied",
  /** The provider answered with an error. */
  "providerError",
  "expired",
  /** An answer that was used already, or that does not belong to an attempt. */
  "stateWrong",
  /** The cookie of the browser that was sent to the provider is missing. */
  "cookieLost",
  "unreachable",
  /** The provider's token, id token or answer about the person is not valid. */
  "exchangeFailed",
  /** The claims have no id at `mapping.id`. */
  "noIdentity",
  /** The id begins or ends with a blank or contains control characters, so that it could be confused with another one. */
  "identityRefused",
  "disabled",
  /** Connected to another account. */
  "taken",
  /** The account is connected to another person at this provider. */
  "alreadyConnected",
  "signInNeeded",
  "unknownProvider",
] as const;
export type OauthOutcome = (typeof oauthOutcomes)[number];

const providerName = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,64}$",
  ...inWords("must be the name of a provider: letters, digits, hyphens and underscores"),
});
const byName = Type.Object({ name: providerName });
const ofAccount = Type.Object({ accountId: Type.Integer({ minimum: 1 }) });
const ofAccountByName = Type.Object({ accountId: Type.Integer({ minimum: 1 }), name: providerName });

export const Provider = Type.Object({
  name: Type.String(),
  label: Type.String(),
  homepage: Nullable(Type.String()),
  /** Path on Rollcall's own origin. */
  icon: Nullable(Type.String()),
  /** `<set>:<icon>`, when there is no picture; without either, a neutral icon is shown. */
  iconName: Nullable(Type.String()),
});
export type Provider = Static<typeof Provider>;

/** `none`: the provider returned none, or none were stored yet. `noSecret`: not stored, because `secret` is not set. `reconnect`: unreadable with the present `secret`. */
const TokenState = OneOf(["stored", "none", "noSecret", "reconnect"]);

export const Connection = Type.Object({
  provider: Type.String(),
  label: Type.String(),
  /** False when config.yaml no longer names the provider. */
  configured: Type.Boolean(),
  username: Nullable(Type.String()),
  /** Path on Rollcall's own origin. */
  avatar: Nullable(Type.String()),
  connectedAt: Instant,
  updatedAt: Instant,
  tokens: TokenState,
});
export type Connection = Static<typeof Connection>;

const Connections = Type.Object({ connections: Type.Array(Connection) });

const exampleProvider = {
  name: "forum",
  label: "Forum",
  homepage: "https://forum.example.org",
  icon: null,
  iconName: "tabler:messages",
};
const exampleConnection = {
  provider: "forum",
  label: "Forum",
  configured: true,
  username: "mara",
  avatar: "/api/oauth2/connections/forum/avatar",
  connectedAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  tokens: "stored",
} as const;

/** Path of the application to return to; anything else leads to the start page. */
const returnPath = Type.String({ maxLength: 1000 });

export const listProviders = defineOperation({
  id: "oauth.providers",
  method: "GET",
  path: "/api/oauth2/providers",
  summary: "Providers that people may sign in with",
  access: access.public(),
  rate: "read",
  input: {},
  output: Type.Object({ providers: Type.Array(Provider) }),
  example: { output: { providers: [exampleProvider] } },
});

export const providerIcon = defineOperation({
  id: "oauth.providerIcon",
  method: "GET",
  path: "/api/oauth2/providers/:name/icon",
  summary: "Icon of a provider",
  access: access.public(),
  rate: "read",
  input: { params: byName },
  output: null,
  answer: "file",
  errors: [oauthErrors.imageNotFound],
  example: { params: { name: "forum" } },
});

/** Redirects to the provider's sign-in page. */
export const beginLogin = defineOperation({
  id: "oauth.login",
  method: "GET",
  path: "/api/oauth2/login/:name",
  summary: "Sign in with a provider",
  access: access.public(),
  rate: "login",
  input: {
    params: byName,
    query: Type.Object({
      /** Connected an account in earlier versions; refused now, because any page can link here. */
      connect: Type.Optional(OneOf(["1"])),
      return: Type.Optional(returnPath),
    }),
  },
  output: null,
  answer: "redirect",
  errors: [oauthErrors.connectByPost],
  example: { params: { name: "forum" }, query: { return: "/citizens" } },
});

/** The address to which the provider redirects the browser. */
export const finishLogin = defineOperation({
  id: "oauth.callback",
  method: "GET",
  path: "/api/oauth2/callback/:name",
  summary: "Where a provider sends people back to",
  access: access.public(),
  rate: "login",
  input: {
    params: byName,
    query: Type.Object({
      state: Type.Optional(Type.String({ maxLength: 512 })),
      code: Type.Optional(Type.String({ maxLength: 4096 })),
      iss: Type.Optional(Type.String({ maxLength: 1000 })),
      error: Type.Optional(Type.String({ maxLength: 1000 })),
    }),
  },
  output: null,
  answer: "redirect",
  example: { params: { name: "forum" }, query: { state: "x", code: "y" } },
});

export const listConnections = defineOperation({
  id: "oauth.connections",
  method: "GET",
  path: "/api/oauth2/connections",
  summary: "Connections of the signed-in account",
  access: access.account(),
  rate: "read",
  input: {},
  output: Connections,
  example: { output: { connections: [exampleConnection] } },
});

/**
 * Begins to connect the signed-in account: the browser opens `location`, and the provider's answer is
 * accepted in this session only. Requires the password or a code of the second factor; for an account
 * that has neither, a session that was opened within the last five minutes.
 */
export const connect = defineOperation({
  id: "oauth.connect",
  method: "POST",
  path: "/api/oauth2/connections/:name",
  summary: "Connect the signed-in account with a provider",
  access: access.account(),
  rate: "login",
  input: { params: byName, body: Type.Object({ return: returnPath, ...OwnerProof.properties }) },
  output: Type.Object({ location: Type.String() }),
  errors: ownerProofErrors,
  example: {
    params: { name: "forum" },
    body: { return: "/account/connections", password: "correct horse" },
    output: { location: "https://forum.example.org/authorize?state=x" },
  },
});

export const disconnect = defineOperation({
  id: "oauth.disconnect",
  method: "DELETE",
  path: "/api/oauth2/connections/:name",
  summary: "Disconnect the signed-in account from a provider",
  access: access.account(),
  rate: "write",
  input: { params: byName },
  output: null,
  errors: [oauthErrors.notConnected],
  example: { params: { name: "forum" } },
});

export const connectionAvatar = defineOperation({
  id: "oauth.avatar",
  method: "GET",
  path: "/api/oauth2/connections/:name/avatar",
  summary: "Avatar of one of your connections",
  access: access.account(),
  rate: "read",
  input: { params: byName },
  output: null,
  answer: "file",
  errors: [oauthErrors.imageNotFound],
  example: { params: { name: "forum" } },
});

export const listConnectionsOf = defineOperation({
  id: "oauth.connectionsOf",
  method: "GET",
  path: "/api/oauth2/accounts/:accountId/connections",
  summary: "Connections of an account",
  access: access.configAdmin(),
  rate: "read",
  input: { params: ofAccount },
  output: Connections,
  errors: [accountsErrors.notFound],
  example: { params: { accountId: 1 }, output: { connections: [exampleConnection] } },
});

export const disconnectOf = defineOperation({
  id: "oauth.disconnectOf",
  method: "DELETE",
  path: "/api/oauth2/accounts/:accountId/connections/:name",
  summary: "Disconnect an account from a provider",
  access: access.configAdmin(),
  rate: "write",
  input: { params: ofAccountByName },
  output: null,
  errors: [oauthErrors.notConnected],
  example: { params: { accountId: 1, name: "forum" } },
});

export const connectionAvatarOf = defineOperation({
  id: "oauth.avatarOf",
  method: "GET",
  path: "/api/oauth2/accounts/:accountId/connections/:name/avatar",
  summary: "Avatar of an account's connection",
  access: access.configAdmin(),
  rate: "read",
  input: { params: ofAccountByName },
  output: null,
  answer: "file",
  errors: [oauthErrors.imageNotFound],
  example: { params: { accountId: 1, name: "forum" } },
});

export const oauthConnected = defineNotification({
  id: "oauth.connected",
  tone: "warning",
  params: ["provider"],
  channels: ["bell", "toast", "game"],
  always: true,
});

export const oauthContract = {
  operations: [
    listProviders,
    providerIcon,
    beginLogin,
    finishLogin,
    listConnections,
    connect,
    disconnect,
    connectionAvatar,
    listConnectionsOf,
    disconnectOf,
    connectionAvatarOf,
  ],
  objects: ["provider"],
  errors: oauthErrors,
  notifications: [oauthConnected],
};
