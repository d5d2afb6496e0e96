/**
 * Marks addresses that we gave out ourselves (of files, of proxied pictures), so that nobody makes up
 * his own. The key comes from `http.sessions.cookieSecret`: with another one, every mark is void.
 */
export interface Signer {
  /** `purpose` (`<feature>.<what>`) is bound in: a mark of one purpose is none of another. 22 characters, base64url. */
  sign(purpose: string, text: string): string;
  /** In constant time. */
  verify(purpose: string, text: string, mark: string): boolean;
}
