import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sessionCookieName } from "./cookie.ts";

/** The frames around the application in the in-game tablet: the game's own page, and in it that of the resource. */
const tabletAncestors = (resource: string) => ["nui://game", `https://cfx-nui-${resource}`];

const noncePlaceholder = "__CSP_NONCE__";
const originsPlaceholder = "__ORIGINS__";
/** Filled with `none` where the browser sent no session: the page then does not ask who is signed in. */
const sessionPlaceholder = "__SESSION__";

/** What the page loads at once, by its address (`vite/begin.ts` of the web application). */
const preloadsPlaceholder = "__PRELOADS__";
const textsPlaceholder = "__TEXTS__";
interface Preloads {
  readonly links: string;
  readonly texts: string;
}

/** The routes of the page and its files. */
export const pageRoutes: ReadonlySet<string> = new Set(["/", "/*"]);

export interface PageOptions {
  readonly publicUrl: string;
  readonly origins: readonly string[];
  /** Name of the game resource with the tablet. */
  readonly gameResource: string;
  /** Other origins that the page may call. */
  readonly connect?: readonly string[];
  /** A fresh secret for each page. */
  readonly nonce: () => string;
}

export interface WebOptions extends PageOptions {
  /** Folder of the built web application. */
  readonly root: string;
  /** Whether nobody can sign in yet. */
  readonly needsSetup?: () => Promise<boolean>;
}

/** The policy of an HTML page; `nonce` allows the style elements that the component library creates. */
export function contentSecurityPolicy(nonce: string, options: Omit<PageOptions, "nonce">): string {
  const socket = options.publicUrl.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", socket, ...(options.connect ?? [])].join(" "),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors 'self' ${[...new Set([...options.origins, ...tabletAncestors(options.gameResource)])].join(" ")}`,
  ].join("; ");
}

/** Sends a page with a fresh nonce; never cached, so that a new version is loaded at once. */
export function sendPage(reply: FastifyReply, html: string, options: PageOptions): FastifyReply {
  const nonce = options.nonce();
  return (
    reply
      .header("content-security-policy", contentSecurityPolicy(nonce, options))
      .header("cache-control", "private, no-cache")
      // A robot that obeys robots.txt reads no page, but may still list its address.
      .header("x-robots-tag", "noindex, nofollow")
      .type("text/html; charset=utf-8")
      .send(html.replaceAll(noncePlaceholder, nonce).replaceAll(originsPlaceholder, addressesOf(options).join(" ")))
  );
}

/** Where the page works; the one of `http.publicURL` first. The page says so when it was opened elsewhere. */
function addressesOf({ origins, publicUrl }: PageOptions): readonly string[] {
  const { origin } = new URL(publicUrl);
  return origins.includes(origin) ? [origin, ...origins.filter((one) => one !== origin)] : origins;
}

interface BuiltPage {
  readonly html: string;
  /** By the address that a page is at or below. */
  readonly preloads: Readonly<Record<string, Preloads>>;
}

const notBuiltWith: Preloads = { links: "", texts: "" };

function createPageReader(file: string) {
  let known: BuiltPage & { readonly mtimeMs: number } = { mtimeMs: 0, html: "", preloads: {} };
  return (): BuiltPage | null => {
    if (!existsSync(file)) return null;
    const { mtimeMs } = statSync(file);
    if (mtimeMs !== known.mtimeMs) {
      const beside = `${file}.preloads.json`;
      const preloads = existsSync(beside) ? (JSON.parse(readFileSync(beside, "utf8")) as BuiltPage["preloads"]) : {};
      known = { mtimeMs, html: readFileSync(file, "utf8"), preloads };
    }
    return known;
  };
}

/** The page for one request: what it loads depends on its address and on whether somebody is signed in. */
function pageFor(request: FastifyRequest, { html, preloads }: BuiltPage): string {
  const signedIn = hasSession(request);
  const [address = ""] = request.url.split("?");
  const at = Object.keys(preloads)
    .filter((one) => `${address}/`.startsWith(`${one}/`))
    .toSorted((a, b) => b.length - a.length)[0];
  const { links, texts } = preloads[signedIn ? (at ?? "") : "none"] ?? notBuiltWith;
  return html
    .replaceAll(sessionPlaceholder, signedIn ? "" : "none")
    .replaceAll(preloadsPlaceholder, () => links)
    .replaceAll(textsPlaceholder, () => texts);
}

/** Paths of the files to serve, separated by `/`; without hidden files and the page itself. */
function filesIn(root: string): ReadonlySet<string> {
  if (!existsSync(root)) return new Set();
  const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = all.map(({ parentPath, name }) => path.relative(root, path.join(parentPath, name)).split(path.sep));
  return new Set(
    names
      .filter((parts) => !parts.some((part) => part.startsWith(".")) && !parts.at(-1)!.startsWith("index.html"))
      .map((parts) => parts.join("/")),
  );
}

/** What stands here is about people of one community; a search engine has no business with it. */
const robots = "User-agent: *\nDisallow: /\n";

const notBuilt =
  "<!doctype html><title>Rollcall</title><p>The web application is not built. Run <code>npm run build</code> and reload.</p>";

function wantsPage(request: FastifyRequest): boolean {
  const asset = request.url.startsWith("/api/") || request.url.startsWith("/assets/");
  return (
    (request.method === "GET" || request.method === "HEAD") && !asset && (request.headers.accept ?? "").includes("text/html")
  );
}

const hasSession = ({ headers: { cookie } }: FastifyRequest) => cookie?.includes(`${sessionCookieName}=`) === true;

/** Where people arrive who know no other address. */
const entrances: ReadonlySet<string> = new Set(["/", "/login"]);

/** A form for signing in would be a dead end while nobody can. */
async function leadsToSetup({ url }: FastifyRequest, { needsSetup }: WebOptions): Promise<boolean> {
  if (needsSetup === undefined || !entrances.has(url.split("?")[0] ?? "")) return false;
  // Without a database the page says itself what is wrong.
  return await needsSetup().catch(() => false);
}

/**
 * Serves the built web application: hashed assets as immutable, and the page for every other URL that a
 * browser navigates to.
 */
export async function mountWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const page = createPageReader(path.join(options.root, "index.html"));
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await leadsToSetup(request, options)) return await reply.header("cache-control", "no-store").redirect("/setup", 302);
    const built = page();
    return await sendPage(reply, built === null ? notBuilt : pageFor(request, built), options);
  };
  app.get("/", async (request, reply) => await answer(request, reply));
  const files = filesIn(options.root);
  if (files.size > 0) {
    await app.register(fastifyStatic, {
      root: options.root,
      serve: false,
      preCompressed: true,
      setHeaders(response, file) {
        const hashed = file.includes(`${path.sep}assets${path.sep}`);
        response.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "public, max-age=300");
      },
    } as Parameters<typeof fastifyStatic>[1] & object);
  }
  app.get<{ Params: { "*": string } }>("/*", async (request, reply) => {
    const file = request.params["*"];
    if (file === "robots.txt") return reply.type("text/plain; charset=utf-8").send(robots);
    if (files.has(file)) return reply.sendFile(file);
    if (!wantsPage(request)) return reply.callNotFound();
    return await answer(request, reply);
  });
}
