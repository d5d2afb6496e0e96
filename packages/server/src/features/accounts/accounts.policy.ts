/** Letters (with umlauts), digits, `_`, `-` and `.`; compared without case. */
const usernamePattern = /^[\p{L}\p{N}_.-]{3,24}$/u;

export const passwordMinimum = 8;

export function usernameValid(username: string): boolean {
  return usernamePattern.test(username);
}

export function usernameKey(username: string): string {
  return username.normalize("NFKC").toLowerCase();
}
