import { Type, type Static } from "typebox";
import {
  access,
  changedParts,
  days,
  defineApproval,
  defineErrors,
  defineEvent,
  defineOperation,
  defineOrders,
  defineSavedViews,
  defineSyncKind,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";
import { accountLogin, accountStanding, panelEvents } from "./accounts.machine.ts";
import { gameLicence } from "#features/sync/sync.contract.ts";
import { syncAccounts } from "./accounts.sync.contract.ts";
import { exampleToken, IssuedToken, openToken, TokenKind, tokenLinks } from "./accounts.tokens.contract.ts";

export * from "./accounts.sync.contract.ts";
export * from "./accounts.tokens.contract.ts";

export const accountsErrors = defineErrors("accounts", {
  usernameInvalid: { status: 400 },
  usernameTaken: { status: 409, params: ["username"] },
  licenceTaken: { status: 409, params: ["licence"] },
  licenceHasLogin: { status: 409, params: ["licence", "account"] },
  passwordTooShort: { status: 400, params: ["minimum"] },
  passwordTooLong: { status: 400, params: ["maximum"] },
  notFound: { status: 404, params: ["account"] },
  ownAccount: { status: 409 },
  busy: { status: 429, params: ["seconds"] },
  tokenNotValid: { status: 400 },
  tokenWithdrawn: { status: 400 },
  tokenMissing: { status: 404 },
  signUpOff: { status: 403 },
  alreadyRegistered: { status: 409, params: ["username"] },
  notRegistered: { status: 409 },
  disabled: { status: 409 },
  notDisabled: { status: 409 },
  deleted: { status: 409 },
  notDeleted: { status: 409 },
  outOfReach: { status: 403, params: ["licence"] },
  nothingToConfirm: { status: 409 },
  otherToConfirm: { status: 409 },
});

const tokenErrors = [
  accountsErrors.signUpOff,
  accountsErrors.alreadyRegistered,
  accountsErrors.notRegistered,
  accountsErrors.disabled,
  accountsErrors.deleted,
];

/**
 * A token that the game server shows to the player, who uses it to register (within seven days) or to
 * set another password (within 24 hours). A new token replaces the older ones of its kind. For an
 * unknown licence an account is created. The present password stays valid until a reset token is used.
 * Accounts that have or had admin powers, or whose groups claim some, get no token from the game server.
 */
export const syncAccountToken = defineOperation({
  id: "accounts.syncToken",
  method: "POST",
  path: "/api/sync/v1/accounts/tokens",
  summary: "Issue a registration or reset token for a licence",
  access: access.sync(),
  idempotent: "effect",
  rate: "sync",
  input: { body: Type.Object({ licence: gameLicence, kind: TokenKind }) },
  output: IssuedToken,
  errors: [...tokenErrors, accountsErrors.outOfReach],
  example: { body: { licence: "license:0a1b2c3d", kind: "register" }, output: exampleToken },
});

const AdminPower = OneOf(["config", "job"]);

/** A live character of the account's game licence. */
const AccountCharacter = Type.Object({ id: Type.Integer(), name: Type.String() });
export type AccountCharacter = Static<typeof AccountCharacter>;

export const AccountRow = Type.Object({
  id: Type.Integer(),
  username: Nullable(Type.String()),
  licence: Type.String(),
  groups: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  hasPassword: Type.Boolean(),
  admin: Nullable(AdminPower),
  /** The powers that groups from the game server would add once a config admin confirms them. */
  adminWaiting: Nullable(AdminPower),
  /** The first two in the list, all of them for one account. */
  characters: Type.Array(AccountCharacter),
  characterCount: Type.Integer(),
  createdAt: Instant,
  /** When it was last used, to a minute; null when nobody ever signed in to it. */
  lastSeenAt: Nullable(Instant),
  /** Set while it can still be restored. */
  deletedAt: Nullable(Instant),
});
export type AccountRow = Static<typeof AccountRow>;

export const AccountDetail = extend(AccountRow, {
  disabledReason: Nullable(Type.String()),
  deletedBy: Nullable(Type.String()),
  deletedReason: Nullable(Type.String()),
  /** What its present state allows a config admin to do. */
  events: Type.Array(OneOf(panelEvents)),
  /** Tokens that may still be used. */
  tokens: Type.Array(Type.Object({ kind: TokenKind, createdBy: Type.String(), createdAt: Instant, expiresAt: Instant })),
});
export type AccountDetail = Static<typeof AccountDetail>;

const exampleRow: AccountRow = {
  id: 7,
  username: "mara",
  licence: "0a1b2c3d",
  groups: ["admin"],
  enabled: true,
  hasPassword: true,
  admin: "config",
  adminWaiting: null,
  characters: [{ id: 12, name: "Mara Lind" }],
  characterCount: 1,
  createdAt: 1_790_000_000_000,
  lastSeenAt: 1_790_000_600_000,
  deletedAt: null,
};
const exampleDetail: AccountDetail = {
  ...exampleRow,
  disabledReason: null,
  deletedBy: null,
  deletedReason: null,
  events: ["issueResetToken", "move", "disable", "delete"],
  tokens: [{ kind: "reset", createdBy: "mara", createdAt: 1_790_000_000_000, expiresAt: 1_790_086_400_000 }],
};
const accountParams = Type.Object({ accountId: Type.Integer({ minimum: 1 }) });
const reason = Type.String({ minLength: 3, maxLength: 255 });

/** Filters of the list, which config admins open without a character too. */
export const accountsViews = defineSavedViews("accounts.views", { per: "account" });

/** Orders of the list. Accounts without a user name are first in `username`, those never used first in `lastSeenAt`. */
export const accountsOrders = defineOrders(["username", "lastSeenAt", "createdAt"], { default: "-createdAt" });

export const listAccounts = defineOperation({
  id: "accounts.list",
  method: "GET",
  path: "/api/accounts",
  summary: "List accounts, the newest first by default",
  access: access.configAdmin(),
  rate: "read",
  input: {
    query: Type.Object({
      /** Part of the user name or of the licence, or the name of a character, with typos. */
      q: Type.Optional(Type.String({ maxLength: 64 })),
      /** The account that plays this character. */
      character: Type.Optional(Type.Integer({ minimum: 1 })),
      only: Type.Optional(OneOf(["disabled", "admins", "waiting", "withoutPassword", "deleted"])),
      ...pageQuery,
      ...accountsOrders.query,
    }),
  },
  output: PageOf(AccountRow),
  example: { query: { q: "mar" }, output: { items: [exampleRow], next: null, total: 1, totalCapped: false } },
});

export const getAccount = defineOperation({
  id: "accounts.get",
  method: "GET",
  path: "/api/accounts/:accountId",
  summary: "One account",
  access: access.configAdmin(),
  rate: "read",
  input: { params: accountParams },
  output: AccountDetail,
  errors: [accountsErrors.notFound],
  example: { params: { accountId: 7 }, output: exampleDetail },
});

/** Creates an account and a token with which its owner registers; the user name is reserved for it. */
export const createAccount = defineOperation({
  id: "accounts.create",
  method: "POST",
  path: "/api/accounts",
  summary: "Create an account with a registration token",
  access: access.configAdmin(),
  rate: "write",
  input: {
    body: Type.Object({ licence: gameLicence, username: Type.Optional(Type.String({ minLength: 3, maxLength: 24 })) }),
  },
  output: IssuedToken,
  errors: [...tokenErrors, accountsErrors.usernameInvalid, accountsErrors.usernameTaken],
  example: { body: { licence: "0a1b2c3d", username: "mara" }, output: exampleToken },
});

/** Disabling also ends the account's sessions. */
export const setAccountEnabled = defineOperation({
  id: "accounts.setEnabled",
  method: "PUT",
  path: "/api/accounts/:accountId/enabled",
  summary: "Enable or disable an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: accountParams, body: Type.Object({ enabled: Type.Boolean(), reason: Type.Optional(reason) }) },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.ownAccount, accountsErrors.deleted, accountsErrors.notDisabled],
  example: { params: { accountId: 7 }, body: { enabled: false, reason: "Ticket 42" }, output: exampleDetail },
});

export const issueAccountToken = defineOperation({
  id: "accounts.issueToken",
  method: "POST",
  path: "/api/accounts/:accountId/tokens",
  summary: "Issue a registration or reset token for an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: accountParams, body: Type.Object({ kind: TokenKind }) },
  output: IssuedToken,
  errors: [accountsErrors.notFound, ...tokenErrors],
  example: { params: { accountId: 7 }, body: { kind: "reset" }, output: exampleToken },
});

/** The token can no longer be used; an account has one of each kind. */
export const revokeAccountToken = defineOperation({
  id: "accounts.revokeToken",
  method: "DELETE",
  path: "/api/accounts/:accountId/tokens/:kind",
  summary: "Revoke a registration or reset token of an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: extend(accountParams, { kind: TokenKind }) },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.tokenMissing],
  example: { params: { accountId: 7, kind: "reset" }, output: { ...exampleDetail, tokens: [] } },
});

/**
 * Moves the login to another licence, with user name, password, second factor, connections and
 * sessions. An account without a login at that licence is merged; the call is refused when it has one.
 */
export const setAccountLicence = defineOperation({
  id: "accounts.setLicence",
  method: "PUT",
  path: "/api/accounts/:accountId/licence",
  summary: "Move an account to another game licence",
  access: access.configAdmin(),
  rate: "write",
  input: { params: accountParams, body: Type.Object({ licence: gameLicence, reason }) },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.ownAccount, accountsErrors.licenceHasLogin, accountsErrors.deleted],
  example: { params: { accountId: 7 }, body: { licence: "9f8e7d6c", reason: "New computer" }, output: exampleDetail },
});

/** The account can be restored for 21 days, and its user name stays reserved for them. */
export const deleteAccount = defineOperation({
  id: "accounts.delete",
  method: "PUT",
  path: "/api/accounts/:accountId/deletion",
  summary: "Delete an account and end its sessions",
  access: access.configAdmin(),
  rate: "write",
  input: { params: accountParams, body: Type.Object({ reason }) },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.ownAccount, accountsErrors.deleted],
  example: { params: { accountId: 7 }, body: { reason: "Asked for it" }, output: exampleDetail },
});

export const restoreAccount = defineOperation({
  id: "accounts.restore",
  method: "DELETE",
  path: "/api/accounts/:accountId/deletion",
  summary: "Restore a deleted account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: accountParams },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.notDeleted],
  example: { params: { accountId: 7 }, output: exampleDetail },
});

/** Confirms the admin groups that the game server sent for this account. */
export const confirmAdmin = defineOperation({
  id: "accounts.confirmAdmin",
  method: "POST",
  path: "/api/accounts/:accountId/admin-confirmation",
  summary: "Confirm the admin powers that the game named for an account",
  access: access.configAdmin(),
  rate: "write",
  /** The power that the admin saw: the game server may have sent other groups since. */
  input: { params: accountParams, body: Type.Object({ power: AdminPower }) },
  output: AccountDetail,
  errors: [accountsErrors.notFound, accountsErrors.nothingToConfirm, accountsErrors.otherToConfirm],
  example: { params: { accountId: 7 }, body: { power: "job" }, output: exampleDetail },
});

/** An account gained admin powers, or its groups from the game server wait for a confirmation (`waiting`). */
export const powersGained = defineEvent({
  id: "accounts.powersGained",
  version: 1,
  payload: Type.Object({
    accountId: Type.Integer(),
    name: Type.String(),
    power: AdminPower,
    waiting: Type.Boolean(),
  }),
});

/** Columns of an account of which a change is reported. */
export const accountParts = [
  "licence",
  "username",
  "password_hash",
  "staff_groups",
  "confirmed_groups",
  "enabled",
  "last_character_id",
  "game_character",
  "session_epoch",
  "deleted_at",
] as const;
export type AccountPart = (typeof accountParts)[number];

/**
 * Groups, password or state of accounts changed; every process invalidates what it cached of their
 * sessions. `endSessions`: all their sessions ended with this change, because the accounts have
 * another session epoch.
 */
export const accountsChanged = defineEvent({
  id: "accounts.changed",
  version: 2,
  parts: accountParts,
  /** `changed` is what changed of any of them. */
  payload: Type.Object({
    accountIds: Type.Array(Type.Integer()),
    endSessions: Type.Boolean(),
    changed: changedParts(accountParts),
  }),
});

/** Accounts were removed for good: whatever a feature stores of them is deleted by its reaction. */
export const accountsPurged = defineEvent({
  id: "accounts.purged",
  version: 1,
  payload: Type.Object({ accountIds: Type.Array(Type.Integer(), { minItems: 1, maxItems: 100 }) }),
});

/** Admin powers that the game server reported wait for a config admin. */
export const adminPowerApproval = defineApproval({
  id: "accounts.adminPower",
  delegable: false,
  params: ["account", "power", "groups"],
  remindAfterMs: days(1),
  withdrawable: false,
});

export const accountsContract = {
  operations: [
    syncAccounts,
    syncAccountToken,
    listAccounts,
    getAccount,
    createAccount,
    setAccountEnabled,
    issueAccountToken,
    revokeAccountToken,
    openToken,
    setAccountLicence,
    deleteAccount,
    restoreAccount,
    confirmAdmin,
  ],
  events: [accountsChanged, accountsPurged, powersGained],
  links: Object.values(tokenLinks),
  actions: [
    "accounts.powersGained",
    "accounts.powersWaiting",
    "accounts.resetPassword",
    "accounts.rename",
    "accounts.setGroups",
    "accounts.merge",
  ],
  sync: [defineSyncKind({ kind: "accounts", manifest: false, key: "licence", operations: [syncAccounts] })],
  approvals: [adminPowerApproval],
  objects: ["account"],
  machines: [accountLogin, accountStanding],
  errors: accountsErrors,
  preferences: [accountsViews],
};
