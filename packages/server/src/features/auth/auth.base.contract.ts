import { Type, type Static } from "typebox";
import { defineErrors } from "#core/contract/index.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";

export const authErrors = defineErrors("auth", {
  wrongPassword: { status: 401 },
  throttled: { status: 429, params: ["seconds"] },
  busy: { status: 429, params: ["seconds"] },
  accountDisabled: { status: 403 },
  cookieCannotStick: { status: 400, params: ["option", "value", "seen"] },
  characterNotYours: { status: 403 },
  characterLocked: { status: 403 },
  jobAdminNotAllowed: { status: 403 },
  jobUnknown: { status: 404, params: ["job"] },
  seeAsNotBelow: { status: 403, params: ["grade", "own"] },
  passwordRefused: { status: 403 },
  confirmationNeeded: { status: 403 },
  signInAnew: { status: 403, params: ["minutes"] },
  sessionUnknown: { status: 404 },
  factorExpired: { status: 401 },
  factorCodeWrong: { status: 403 },
  factorUnreadable: { status: 409 },
  factorNotSet: { status: 409 },
  factorAlreadySet: { status: 409 },
  factorNeedsSecret: { status: 409 },
  zoneUnknown: { status: 400, params: ["zone"] },
});

export const AccountInfo = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  configAdmin: Type.Boolean(),
  /** May enter job admin mode. */
  mayJobAdmin: Type.Boolean(),
  /** Would be an admin, but the settings require a second factor and this session showed no code of one. */
  factorNeededForAdmin: Type.Boolean(),
});
export type AccountInfo = Static<typeof AccountInfo>;

export const exampleAccount = { id: 1, username: "mara", configAdmin: false, mayJobAdmin: false, factorNeededForAdmin: false };

/** State of a sign-in, and the account once it is complete. */
export const SignedIn = Type.Object({
  /** Whether the page `/login/factor` has to ask for the second factor. */
  factorNeeded: Type.Boolean(),
  account: Type.Optional(AccountInfo),
});
export type SignedIn = Static<typeof SignedIn>;

export const exampleSignedIn = { factorNeeded: false, account: exampleAccount };

export const username = Type.String({ minLength: 1, maxLength: 64 });
/** Six digits of the app, or a recovery code. */
export const code = Type.String({ minLength: 1, maxLength: 40 });
export const password = Type.String({ minLength: 1, maxLength: 256 });
/** A registration or reset token as typed: case and groups do not matter. */
export const typedToken = Type.String({ minLength: 1, maxLength: 128 });

/** Proves that the caller is the account's owner: the password, or else a code of the second factor. */
export const OwnerProof = Type.Object({ password: Type.Optional(password), code: Type.Optional(code) });
export type OwnerProof = Static<typeof OwnerProof>;

export const ownerProofErrors = [
  authErrors.passwordRefused,
  authErrors.confirmationNeeded,
  authErrors.signInAnew,
  authErrors.factorCodeWrong,
  authErrors.factorNotSet,
  authErrors.factorUnreadable,
  authErrors.throttled,
  accountsErrors.busy,
];
