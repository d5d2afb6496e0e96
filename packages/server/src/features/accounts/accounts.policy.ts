import type { TokenKind } from "./accounts.contract.ts";

/** Letters (with umlauts), digits, `_`, `-` and `.`; compared without case. */
const usernamePattern = /^[\p{L}\p{N}_.-]{3,24}$/u;

export const passwordMinimum = 8;

const longestKey = 64;

export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}

/** Some letters become up to eighteen when written plainly: what is compared must fit as well. */
export function usernameValid(username: string): boolean {
  return usernamePattern.test(username) && usernameKey(username).length <= longestKey;
}

const day = 24 * 60 * 60_000;
/** How long a token may be used. */
export const tokenMs: Readonly<Record<TokenKind, number>> = { register: 7 * day, reset: day };
/** A deleted account can be restored this long; then it goes for good. */
export const deletedKeptMs = 21 * day;

/** Why no token of this kind can be given for an account, null when one can. */
export function tokenRefusal(
  kind: TokenKind,
  account: { username: string | null; hasPassword: boolean; enabled: boolean; deleted: boolean },
): "deleted" | "disabled" | "alreadyRegistered" | "notRegistered" | null {
  if (account.deleted) return "deleted";
  if (!account.enabled) return "disabled";
  if (kind === "register") return account.hasPassword ? "alreadyRegistered" : null;
  return account.username === null ? "notRegistered" : null;
}
