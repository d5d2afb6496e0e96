import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ByteRange, FileAnswer } from "#core/contract/operation.ts";

/** What an answer shows or saves can run nothing in our origin. */
const inertPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * The one range that the client asks for: null for the whole (no range, several, another unit, or one
 * of other content), "none" for one beyond the end. RFC 9110, section 14.
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

/** Whether `If-None-Match` names this content; weak comparison, as RFC 9110 asks for here. */
function knows(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === `"${etag}"`);
}

function describe(reply: FastifyReply, { type, name, etag, cacheSeconds, shared }: FileAnswer): void {
  void reply.type(type).header("content-security-policy", inertPolicy);
  const kept = `${shared === true ? "public" : "private"}, max-age=${cacheSeconds}`;
  void reply.header("cache-control", cacheSeconds === undefined ? "no-store" : kept);
  if (etag !== undefined) void reply.header("etag", `"${etag}"`);
  if (name === undefined) return;
  const plain = name.replaceAll(/[^\w.-]/g, "_");
  const whole =
    plain === name
      ? ""
      : `; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
  void reply.header("content-disposition", `attachment; filename="${plain}"${whole}`);
}

async function open(body: FileAnswer["body"], range: ByteRange | null): Promise<string | Buffer | Readable> {
  if (typeof body === "function") return Readable.from(await body(range), { objectMode: false });
  if (typeof body === "string") return body;
  if (!(body instanceof Uint8Array)) return Readable.from(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return range === null ? bytes : bytes.subarray(range.from, range.to + 1);
}

/** Answers with a file: whole, one range of it, or that the client has it already. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, answer: FileAnswer): Promise<FastifyReply> {
  describe(reply, answer);
  const { size, etag, body } = answer;
  if (etag !== undefined && knows(request.headers["if-none-match"], etag)) return await reply.code(304).send();
  const divisible = size !== undefined && (typeof body === "function" || body instanceof Uint8Array);
  if (!divisible) return await reply.send(await open(body, null));
  // A part of something compressed on the way is a part of nothing.
  request.headers["x-no-compression"] = "1";
  void reply.header("accept-ranges", "bytes");
  const condition = request.headers["if-range"];
  const same = condition === undefined || condition === `"${etag}"`;
  const range = same ? rangeOf(request.headers.range, size) : null;
  if (range === "none") return await reply.code(416).header("content-range", `bytes */${size}`).send();
  if (range !== null) void reply.code(206).header("content-range", `bytes ${range.from}-${range.to}/${size}`);
  void reply.header("content-length", range === null ? size : range.to - range.from + 1);
  if (request.method === "HEAD") return await reply.send(Readable.from([]));
  return await reply.send(await open(body, range));
}
