import type { OauthOutcome } from "./oauth.contract.ts";

/** `mapping` of a provider: the paths of the claims. */
export interface Mapping {
  readonly id: string | null;
  readonly username: string | null;
  readonly avatar: string | null;
}

/** A person at a provider. */
export interface Identity {
  readonly id: string;
  /** JSON type of the id. Integers beyond 2^53 are parsed as texts. */
  readonly idKind: "text" | "number";
  readonly username: string | null;
  /** As in the claims: an address, or with `chat` the hash of a picture. */
  readonly avatar: string | null;
}

const longestId = 255;
const longestPath = 1000;
const nowhere = "https://nowhere.invalid";

/** A path of the application as given, or `/` for anything that could lead elsewhere. */
export function ownPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith("/") || !URL.canParse(text, nowhere)) return "/";
  const { origin, pathname, search } = new URL(text, nowhere);
  const path = pathname + search;
  // `/.//host` becomes `//host`, which browsers take for another host.
  if (origin !== nowhere || path.startsWith("//") || path.length > longestPath || /^\/api(?:\/|$)/i.test(pathname)) return "/";
  return path;
}

/** The path of the application with the outcome of the external sign-in. */
export function withOutcome(path: string, outcome: OauthOutcome, provider: string): string {
  const { pathname, searchParams } = new URL(ownPath(path), nowhere);
  searchParams.set("oauth", outcome);
  searchParams.set("provider", provider);
  return `${pathname}?${searchParams.toString()}`;
}

/**
 * The value at a path like `a.b.c`. A field whose own name has dots (`https://example.org/id`) takes
 * precedence. Undefined when there is none.
 */
export function claimAt(claims: unknown, path: string): unknown {
  if (typeof claims !== "object" || claims === null) return undefined;
  if (Object.hasOwn(claims, path)) return (claims as Record<string, unknown>)[path];
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const [head, rest] = [path.slice(0, dot), path.slice(dot + 1)];
    if (!Object.hasOwn(claims, head)) continue;
    const found = claimAt((claims as Record<string, unknown>)[head], rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses JSON; integers beyond 2^53 become texts, to stay exact: ids of people may be that large. */
export function parseClaims(text: string): unknown {
  const exact = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "") ? context?.source : value;
  return JSON.parse(text, exact);
}

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text === "" ? null : text;
}

const claimed = (sources: readonly unknown[], path: string | null): string | null => {
  if (path === null) return null;
  for (const claims of sources) {
    const text = textOf(claimAt(claims, path));
    if (text !== null) return text;
  }
  return null;
};

/** An id that could be confused with that of another person, once it is trimmed or displayed. */
export class IdentityRefused extends Error {
  override name = "IdentityRefused";
}

function idOf(sources: readonly unknown[], path: string | null): Pick<Identity, "id" | "idKind"> | null {
  if (path === null) return null;
  for (const claims of sources) {
    const value = claimAt(claims, path);
    if (typeof value === "number" && Number.isSafeInteger(value)) return { id: String(value), idKind: "number" };
    if (typeof value !== "string" || value.trim() === "") continue;
    if (value !== value.trim() || /\p{Cc}/u.test(value) || !value.isWellFormed())
      throw new IdentityRefused(`the id at ${path} begins or ends with a blank, or contains a control character`);
    return { id: value, idKind: "text" };
  }
  return null;
}

/**
 * Reads a person from the claims; of several sources the first with a claim is used. Null without a
 * usable id. The id is used unchanged, because providers distinguish people by every character. Throws
 * `IdentityRefused` for an id that could not be stored unchanged.
 */
export function identityOf(sources: readonly unknown[], mapping: Mapping): Identity | null {
  const found = idOf(sources, mapping.id);
  if (found === null || found.id.length > longestId) return null;
  const username = claimed(sources, mapping.username);
  return { ...found, username: username?.slice(0, 255) ?? null, avatar: claimed(sources, mapping.avatar) };
}

/** The same for the chat platform, with its usual claims where `mapping` names none. */
export function chatIdentity(sources: readonly unknown[], mapping: Mapping): Identity | null {
  const person = identityOf(sources, { id: mapping.id ?? "id", username: mapping.username, avatar: mapping.avatar ?? "avatar" });
  if (person === null || mapping.username !== null) return person;
  const displayed = claimed(sources, "global_name");
  return { ...person, username: (displayed ?? claimed(sources, "username"))?.slice(0, 255) ?? null };
}

/** The address of a chat avatar; null unless there is a picture. `base` has no slash at its end. */
export function chatAvatar(base: string, { id, avatar }: Identity): string | null {
  if (avatar === null || !/^\w{1,100}$/.test(avatar)) return null;
  return `${base}/avatars/${encodeURIComponent(id)}/${avatar}.png?size=128`;
}

/** Whether `chatAvatar` made this address, with this `base`. */
export function isChatAvatar(base: string, url: string): boolean {
  return (
    url.startsWith(`${base}/avatars/`) &&
    /^(?!\.{1,2}\/)[\w%.~-]+\/\w{1,100}\.png\?size=128$/.test(url.slice(`${base}/avatars/`.length))
  );
}

/** An http or https address of at most 2,000 characters; null for anything else. */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > 2000 || !URL.canParse(text)) return null;
  return ["http:", "https:"].includes(new URL(text).protocol) ? text : null;
}

/**
 * Possible issuers of a sign-in page, as OpenID discovery names them: every folder above it, the
 * deepest first. The issuer of `https://id.example.org/realms/city/auth` may be `.../realms/city`.
 */
export function issuersOf(authURL: string): string[] {
  const { origin, pathname } = new URL(authURL);
  const parts = pathname.split("/").filter((part) => part !== "");
  const folders = parts.slice(0, -1).map((_part, above) => [origin, ...parts.slice(0, parts.length - 1 - above)].join("/"));
  return [...folders, origin];
}
