import { Type, type Static } from "typebox";
import { access, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import { authErrors, code, exampleSignedIn, password, SignedIn } from "./auth.base.contract.ts";

const codeErrors = [authErrors.factorCodeWrong, authErrors.factorUnreadable, authErrors.throttled];
const passwordErrors = [authErrors.passwordRefused, authErrors.throttled, accountsErrors.busy];

/** The second step of signing in, within five minutes of the first. */
export const loginFactor = defineOperation({
  id: "auth.loginFactor",
  method: "POST",
  path: "/api/auth/login/factor",
  summary: "Sign in with the second factor",
  access: access.public(),
  rate: "login",
  input: { body: Type.Object({ code }) },
  output: SignedIn,
  errors: [...codeErrors, authErrors.factorExpired, authErrors.accountDisabled, authErrors.cookieCannotStick],
  example: { body: { code: "123456" }, output: exampleSignedIn },
});

export const FactorState = Type.Object({
  /** `unreadable`: stored under another `secret`; only a recovery code or an admin helps. */
  state: OneOf(["off", "on", "unreadable"]),
  /** False without the option `secret`, when no factor can be set up. */
  available: Type.Boolean(),
  since: Nullable(Instant),
  recoveryCodesLeft: Type.Integer(),
  /** The settings require one for admin powers, and this session showed no code of it. */
  neededForAdmin: Type.Boolean(),
});
export type FactorState = Static<typeof FactorState>;

export const ownFactor = defineOperation({
  id: "auth.factor",
  method: "GET",
  path: "/api/auth/factor",
  summary: "Your second factor",
  access: access.account(),
  rate: "read",
  input: {},
  output: FactorState,
  example: {
    output: { state: "on", available: true, since: 1_790_000_000_000, recoveryCodesLeft: 9, neededForAdmin: false },
  },
});

/** The first step: the sign-in asks for no code until one confirmed the factor. */
export const enrolFactor = defineOperation({
  id: "auth.enrolFactor",
  method: "POST",
  path: "/api/auth/factor",
  summary: "Set up a second factor",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ password }) },
  output: Type.Object({
    /** Base 32, for typing into the app. */
    secret: Type.String(),
    /** `otpauth://` address, for a QR code. */
    uri: Type.String(),
  }),
  errors: [...passwordErrors, authErrors.factorAlreadySet, authErrors.factorNeedsSecret],
  example: {
    body: { password: "correct horse" },
    output: { secret: "JBSWY3DPEHPK3PXP", uri: "otpauth://totp/City:mara?secret=JBSWY3DPEHPK3PXP" },
  },
});

const RecoveryCodes = Type.Object({
  /** Shown once; each works once in place of a code of the app. */
  recoveryCodes: Type.Array(Type.String()),
});
const exampleCodes = { recoveryCodes: ["7K2M-Q9XA-4B0T-ZC8W"] };

export const confirmFactor = defineOperation({
  id: "auth.confirmFactor",
  method: "POST",
  path: "/api/auth/factor/confirmation",
  summary: "Turn the second factor on with a first code",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ code }) },
  output: RecoveryCodes,
  errors: [...codeErrors, authErrors.factorNotSet, authErrors.factorAlreadySet],
  example: { body: { code: "123456" }, output: exampleCodes },
});

export const renewRecoveryCodes = defineOperation({
  id: "auth.renewRecoveryCodes",
  method: "POST",
  path: "/api/auth/factor/recovery-codes",
  summary: "Replace the recovery codes",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ password, code }) },
  output: RecoveryCodes,
  errors: [...passwordErrors, ...codeErrors, authErrors.factorNotSet],
  example: { body: { password: "correct horse", code: "123456" }, output: exampleCodes },
});

export const disableFactor = defineOperation({
  id: "auth.disableFactor",
  method: "POST",
  path: "/api/auth/factor/removal",
  summary: "Turn the second factor off",
  access: access.account(),
  rate: "write",
  input: { body: Type.Object({ password, code }) },
  output: null,
  errors: [...passwordErrors, ...codeErrors, authErrors.factorNotSet],
  example: { body: { password: "correct horse", code: "123456" } },
});

export const adminsWithoutFactor = defineOperation({
  id: "auth.adminsWithoutFactor",
  method: "GET",
  path: "/api/auth/factor/missing",
  summary: "Accounts with admin powers and credentials, but without a second factor",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    /** The first five. */
    accounts: Type.Array(Type.Object({ id: Type.Integer({ minimum: 1 }), username: Type.String() })),
    total: Type.Integer({ minimum: 0 }),
  }),
  example: { output: { accounts: [{ id: 7, username: "mara" }], total: 1 } },
});

/** For an owner who lost the app and the recovery codes, or whose factor cannot be read any more. */
export const resetFactorOf = defineOperation({
  id: "auth.resetFactorOf",
  method: "DELETE",
  path: "/api/accounts/:accountId/factor",
  summary: "Remove the second factor of an account",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ accountId: Type.Integer({ minimum: 1 }) }) },
  output: null,
  errors: [authErrors.factorNotSet],
  example: { params: { accountId: 7 } },
});

export const factorOperations = [
  loginFactor,
  ownFactor,
  enrolFactor,
  confirmFactor,
  renewRecoveryCodes,
  disableFactor,
  adminsWithoutFactor,
  resetFactorOf,
];
