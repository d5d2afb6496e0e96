import { Type, type Static } from "typebox";
import { defineErrors } from "#core/contract/index.ts";

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
  sessionUnknown: { status: 404 },
  factorExpired: { status: 401 },
  factorCodeWrong: { status: 403 },
  factorUnreadable: { status: 409 },
  factorNotSet: { status: 409 },
  factorAlreadySet: { status: 409 },
  factorNeedsSecret: { status: 409 },
});

export const AccountInfo = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  configAdmin: Type.Boolean(),
  /** May enter job admin mode. */
  mayJobAdmin: Type.Boolean(),
  /** Would be an admin, but the settings ask for a second factor first. */
  factorNeededForAdmin: Type.Boolean(),
});
export type AccountInfo = Static<typeof AccountInfo>;

export const exampleAccount = { id: 1, username: "mara", configAdmin: false, mayJobAdmin: false, factorNeededForAdmin: false };

/** How far a sign-in came, and who it is once it is through. */
export const SignedIn = Type.Object({
  /** Whether the second factor is still to come, on the page `/login/factor`. */
  factorNeeded: Type.Boolean(),
  account: Type.Optional(AccountInfo),
});
export type SignedIn = Static<typeof SignedIn>;

export const exampleSignedIn = { factorNeeded: false, account: exampleAccount };

export const username = Type.String({ minLength: 1, maxLength: 64 });
export const password = Type.String({ minLength: 1, maxLength: 256 });
/** A registration or reset token as it was typed: case and groups do not matter. */
export const typedToken = Type.String({ minLength: 1, maxLength: 128 });
