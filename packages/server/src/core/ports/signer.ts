/**
 * Signs URLs that this server issues (files, proxied pictures), so that clients cannot make up their
 * own. The key is derived from `http.sessions.cookieSecret`: changing it invalidates every signature.
 */
export interface Signer {
  /** `purpose` (`<feature>.<what>`) is signed as well, so a signature is valid for one purpose only. 22 characters, base64url. */
  sign(purpose: string, text: string): string;
  /** Compares in constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
}
