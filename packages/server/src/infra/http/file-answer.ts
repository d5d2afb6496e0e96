import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ByteRange, FileAnswer } from "#core/contract/operation.ts";

/** Files cannot run scripts in the origin of the web application. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The requested range: null for the whole file (no range, several ranges, or another unit), "none" for
 * a range beyond the end. RFC 9110, section 14.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | "none" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return null;
  const [, first = "", last = ""] = match;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "none" : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return null;
  return from >= size ? "none" : { from, to };
}

/** Whether `If-None-Match` matches the etag; weak comparison, as RFC 9110 requires here. */
function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === `"${etag}"`);
}

function describe(reply: FastifyReply, { type, name, etag, cacheSeconds, shared }: FileAnswer): void {
  void reply.type(type).header("content-security-policy", inertPolicy);
  const cached = `${shared === true ? "public" : "private"}, max-age=${cacheSeconds}`;
  void reply.header("cache-control", cacheSeconds === undefined ? "no-store" : cached);
  if (etag !== undefined) void reply.header("etag", `"${etag}"`);
  if (name === undefined) return;
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  const extended =
    plain === name
      ? ""
      : `; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
  void reply.header("content-disposition", `attachment; filename="${plain}"${extended}`);
}

async function open(body: FileAnswer["body"], range: ByteRange | null): Promise<string | Buffer | Readable> {
  if (typeof body === "function") return Readable.from(await body(range), { objectMode: false });
  if (typeof body === "string") return body;
  if (!(body instanceof Uint8Array)) return Readable.from(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return range === null ? bytes : bytes.subarray(range.from, range.to + 1);
}

/** Sends a file: the whole, one range (206), or 304 if the client has it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer): Promise<FastifyReply> {
  describe(reply, answer);
  const { size, etag, body } = answer;
  if (etag !== undefined && matchesEtag(request.headers["if-none-match"], etag)) return await reply.code(304).send();
  const supportsRanges = size !== undefined && (typeof body === "function" || body instanceof Uint8Array);
  if (!supportsRanges) return await reply.send(await open(body, null));
  // Ranges refer to the uncompressed bytes.
  request.headers["x-no-compression"] = "1";
  void reply.header("accept-ranges", "bytes");
  const condition = request.headers["if-range"];
  const unchanged = condition === undefined || condition === `"${etag}"`;
  const range = unchanged ? rangeOf(request.headers.range, size) : null;
  if (range === "none") return await reply.code(416).header("content-range", `bytes */${size}`).send();
  if (range !== null) void reply.code(206).header("content-range", `bytes ${range.from}-${range.to}/${size}`);
  void reply.header("content-length", range === null ? size : range.to - range.from + 1);
  if (request.method === "HEAD") return await reply.send(Readable.from([]));
  return await reply.send(await open(body, range));
}
