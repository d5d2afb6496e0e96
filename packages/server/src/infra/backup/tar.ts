import { BackupRefused } from "./format.ts";

const block = 512;
const largestOctal = 8 ** 11 - 1;
const longestName = 100;

/** One file of an archive. Its bytes must be read or skipped before the next entry is read. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  bytes(): AsyncGenerator<Uint8Array>;
}

function header(name: string, size: number, type: "0" | "x", mtime: number): Buffer {
  const buffer = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    buffer.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1");
  buffer.write(name, 0, longestName, "utf8");
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(mtime / 1000), 136, 12);
  buffer.write("        ", 148, "latin1");
  buffer.write(type, 156, "latin1");
  buffer.write("ustar\x0000", 257, "latin1");
  octal(
    buffer.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return buffer;
}

const padding = (size: number) => Buffer.alloc((block - (size % block)) % block);

/** A record of the extended header; its length includes the length field itself. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (String(length).length !== String(bytes).length) length = bytes + String(length).length;
  return `${length}${rest}`;
}

/** The header of a file; `mtime` in milliseconds UTC. */
export function tarHead(name: string, size: number, mtime: number): Buffer {
  const long = Buffer.byteLength(name) > longestName;
  const large = size > largestOctal;
  if (!long && !large) return header(name, size, "0", mtime);
  const extended = Buffer.from(`${long ? record("path", name) : ""}${large ? record("size", String(size)) : ""}`);
  return Buffer.concat([
    header("././@PaxHeader", extended.byteLength, "x", mtime),
    extended,
    padding(extended.byteLength),
    header(Buffer.from(name).subarray(0, longestName).toString("latin1"), large ? 0 : size, "0", mtime),
  ]);
}

/** The padding after a file. */
export const tarPadding = padding;

/** The end of the archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * block);

/** Reads a stream in chunks of a requested size. */
class ChunkReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** At most `max` bytes; null at the end. */
  async some(max: number): Promise<Uint8Array | null> {
    while (this.#rest.byteLength === 0) {
      const next = await this.#source.next();
      if (next.done === true) return null;
      this.#rest = next.value;
    }
    const chunk = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(chunk.byteLength);
    return chunk;
  }

  async exactly(size: number): Promise<Buffer | null> {
    const chunks: Uint8Array[] = [];
    for (let left = size; left > 0;) {
      const part = await this.some(left);
      if (part === null) {
        if (left === size) return null;
        throw new BackupRefused("the archive is cut off");
      }
      chunks.push(part);
      left -= part.byteLength;
    }
    return Buffer.concat(chunks);
  }
}

function text(buffer: Buffer, at: number, length: number): string {
  const end = buffer.indexOf(0, at);
  return buffer.toString("utf8", at, end === -1 || end > at + length ? at + length : end);
}

function checked(head: Buffer): Buffer {
  const given = Number.parseInt(text(head, 148, 8).trim(), 8);
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (given !== sum) throw new BackupRefused("the archive is damaged: a file header in it has a wrong checksum");
  return head;
}

function extendedOf(buffer: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < buffer.byteLength;) {
    const space = buffer.indexOf(0x20, at);
    const length = Number(buffer.toString("latin1", at, space));
    if (space === -1 || !Number.isInteger(length) || length < 5) throw new BackupRefused("the archive is damaged");
    const [key = "", value = ""] = buffer.toString("utf8", space + 1, at + length - 1).split(/=(.*)/s);
    records.set(key, value);
    at += length;
  }
  return records;
}

/** The files of an archive, one after the other, in bounded memory. Throws `BackupRefused` if it is not an archive. */
export async function* tarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const chunks = new ChunkReader(source);
  let extended = new Map<string, string>();
  for (;;) {
    const head = await chunks.exactly(block);
    if (head === null || head.every((byte) => byte === 0)) return;
    checked(head);
    const size = Number(extended.get("size") ?? Number.parseInt(text(head, 124, 12).trim(), 8));
    const type = text(head, 156, 1);
    if (type === "x") {
      extended = extendedOf((await chunks.exactly(size)) ?? Buffer.alloc(0));
      await chunks.exactly(padding(size).byteLength);
      continue;
    }
    if (type !== "0")
      throw new BackupRefused(`the archive contains an entry that is not a plain file (${text(head, 0, longestName)})`);
    let left = size;
    const bytes = async function* (): AsyncGenerator<Uint8Array> {
      while (left > 0) {
        const part = await chunks.some(left);
        if (part === null) throw new BackupRefused("the archive is cut off");
        left -= part.byteLength;
        yield part;
      }
    };
    yield { name: extended.get("path") ?? text(head, 0, longestName), size, bytes };
    for await (const _skipped of bytes());
    await chunks.exactly(padding(size).byteLength);
    extended = new Map();
  }
}
