import { Type, type Static } from "typebox";
import { access, days, defineOperation, defineSecretLink, Instant, Nullable, OneOf } from "#core/contract/index.ts";

export const TokenKind = OneOf(["register", "reset"]);
export type TokenKind = Static<typeof TokenKind>;

const tokenLink = (kind: TokenKind, maxAgeMs: number) =>
  defineSecretLink({
    id: `accounts.${kind}`,
    operations: ["accounts.openToken"],
    topics: [],
    maxAgeMs,
    uses: 1,
    budget: { perMinute: 60 },
  });

/** Tokens are secret links, each for one use; the subject is the id of the account. */
export const tokenLinks = { register: tokenLink("register", days(7)), reset: tokenLink("reset", days(1)) };

/** A token, shown once: only a hash of it is stored. */
export const IssuedToken = Type.Object({
  /** In groups of characters, as users read and type it. */
  token: Type.String(),
  /** Where it is used, with the token in the fragment, which browsers send to no server. */
  url: Type.String(),
  expiresAt: Instant,
  accountId: Type.Integer(),
  /** The present user name, null before registration. */
  username: Nullable(Type.String()),
});
export type IssuedToken = Static<typeof IssuedToken>;

export const exampleToken: IssuedToken = {
  token: "7K2M-Q9XA-4B0T-ZC8W-1N5E-R7HJ-3VGD-KP6S-YF2Q-M9TA-0X4B-C8ZW-N100",
  url: "https://city.example/register#7K2M-Q9XA-4B0T-ZC8W-1N5E-R7HJ-3VGD-KP6S-YF2Q-M9TA-0X4B-C8ZW-N100",
  expiresAt: 1_790_000_000_000,
  accountId: 7,
  username: null,
};

/** What the page of a token shows before it is used. Tokens that a version without secret links issued are unknown to it. */
export const openToken = defineOperation({
  id: "accounts.openToken",
  method: "GET",
  path: "/api/accounts/token",
  summary: "What a registration or reset token is for",
  access: access.link(tokenLinks.register, tokenLinks.reset),
  rate: "read",
  input: {},
  output: Type.Object({
    kind: TokenKind,
    /** Null when the account has none yet. */
    username: Nullable(Type.String()),
  }),
  example: { output: { kind: "reset", username: "mara" } },
});
