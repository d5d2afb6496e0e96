import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The in-game tablet embeds Rollcall in a frame; pages of a game resource have these origins. */
const tabletAncestors = ["nui://*", "https://cfx-nui-rollcall"];

const noncePlaceholder = "__CSP_NONCE__";

export interface PageOptions {
  readonly publicUrl: string;
  readonly origins: readonly string[];
  /** Other origins that the page may call. */
  readonly connect?: readonly string[];
  /** A fresh secret for each page. */
  readonly nonce: () => string;
}

export interface WebOptions extends PageOptions {
  /** Folder of the built web application. */
  readonly root: string;
}

/** The policy of an HTML page; `nonce` allows the style elements that the component library creates. */
export function contentSecurityPolicy(nonce: string, options: Pick<PageOptions, "publicUrl" | "origins" | "connect">): string {
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
    `frame-ancestors 'self' ${[...new Set([...options.origins, ...tabletAncestors])].join(" ")}`,
  ].join("; ");
}

/** Sends a page with a fresh nonce; never cached, so that a new version is loaded at once. */
export function sendPage(reply: FastifyReply, html: string, options: PageOptions): FastifyReply {
  const nonce = options.nonce();
  return reply
    .header("content-security-policy", contentSecurityPolicy(nonce, options))
    .header("cache-control", "no-cache")
    .type("text/html; charset=utf-8")
    .send(html.replaceAll(noncePlaceholder, nonce));
}

function createPageReader(file: string) {
  let known = { mtimeMs: 0, html: "" };
  return (): string | null => {
    if (!existsSync(file)) return null;
    const { mtimeMs } = statSync(file);
    if (mtimeMs !== known.mtimeMs) known = { mtimeMs, html: readFileSync(file, "utf8") };
    return known.html;
  };
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

const notBuilt =
  "<!doctype html><title>Rollcall</title><p>The web application is not built. Run <code>npm run build</code> and reload.</p>";

function wantsPage(request: FastifyRequest): boolean {
  const asset = request.url.startsWith("/api/") || request.url.startsWith("/assets/");
  return (
    (request.method === "GET" || request.method === "HEAD") && !asset && (request.headers.accept ?? "").includes("text/html")
  );
}

/**
 * Serves the built web application: hashed assets as immutable, and the page for every other URL that a
 * browser navigates to.
 */
export async function mountWeb(app: FastifyInstance, options: WebOptions): Promise<void> {
  const page = createPageReader(path.join(options.root, "index.html"));
  const answer = (reply: FastifyReply) => sendPage(reply, page() ?? notBuilt, options);
  app.get("/", (_request, reply) => answer(reply));
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
  app.get<{ Params: { "*": string } }>("/*", (request, reply) => {
    const file = request.params["*"];
    if (files.has(file)) return reply.sendFile(file);
    if (!wantsPage(request)) return reply.callNotFound();
    return answer(reply);
  });
}
