import { createHash, timingSafeEqual } from "node:crypto";
import { isShortSecret } from "#core/secrets.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import { type RateLimiter, networkKey } from "./rate.ts";
import { createRecent } from "#core/recent.ts";

const maxWrong = 10_000;

function sameText(a: string, b: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/**
 * Whether a token is one of `sync.apiTokens`. Wrong tokens are limited by network before they are
 * compared with a short token, so that it cannot be guessed. A valid long token is accepted whatever its
 * network sent before: an unknown client there must not lock out the game server. A repeated wrong token
 * counts once, so that a resource with an outdated token does not block its network.
 */
export function createSyncTokens(tokens: readonly string[], rates: RateLimiter) {
  const long = tokens.filter((token) => !isShortSecret(token));
  const short = tokens.filter(isShortSecret);
  const wrong = createRecent(maxWrong);
  const isOneOf = (known: readonly string[], token: string) => known.filter((one) => sameText(one, token)).length > 0;

  return function isSyncToken(token: string, address: string): boolean {
    if (isOneOf(long, token)) return true;
    const network = networkKey(address);
    const guess = `${network} ${syncTokenFingerprint(token)}`;
    if (wrong.has(guess)) return false;
    rates.consume("syncGuess", network);
    if (isOneOf(short, token)) {
      rates.refund("syncGuess", network);
      return true;
    }
    wrong.add(guess);
    return false;
  };
}
