/** Why a browser on this page would drop the session cookie: the wrong option, its value, and what the browser sent. */
export interface CookieProblem {
  readonly [name: string]: string;
  readonly option: string;
  readonly value: string;
  readonly seen: string;
}

/**
 * `origin` is the header of the request. Null when the browser will store the cookie, or when the
 * caller is not a browser.
 */
export function cookieProblem(
  origin: string | string[] | undefined,
  settings: { readonly domain: string; readonly publicUrl: string },
): CookieProblem | null {
  if (typeof origin !== "string" || origin === "null") return null;
  const page = new URL(origin);
  const domain = settings.domain.replace(/^\./, "").toLowerCase();
  const inDomain = page.hostname === domain || page.hostname.endsWith(`.${domain}`);
  if (!inDomain) return { option: "http.sessions.domain", value: settings.domain, seen: page.hostname };
  const local = page.hostname === "localhost" || page.hostname.endsWith(".localhost");
  if (settings.publicUrl.startsWith("https:") && page.protocol === "http:" && !local) {
    return { option: "http.publicURL", value: settings.publicUrl, seen: origin };
  }
  return null;
}
