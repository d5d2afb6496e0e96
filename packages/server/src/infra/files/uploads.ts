import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Clock, type Spooled, storageFailure, type Uploads, UploadTooLarge, UploadTooSlow } from "#core/ports/index.ts";

const headBytes = 4096;
const readBytes = 64 * 1024;
const [idleMs, minimumMs, slowestBytesPerMs] = [20_000, 60_000, 16];

/** A file without a name, which the system removes when the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), "rollcall-upload-"));
  try {
    return await open(path.join(folder, "part"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

const unavailable = (error: unknown) => storageFailure(error);

async function* read(file: FileHandle, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < size;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(readBytes), 0, readBytes, at);
    if (bytesRead === 0) throw new Error(`an upload of ${size} bytes ended after ${at}`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Passes chunks on; throws `UploadTooSlow` when the next one is late. */
async function* inTime(bytes: AsyncIterable<Uint8Array>, clock: Clock, maxBytes: number): AsyncIterable<Uint8Array> {
  const deadline = clock.monotonic() + minimumMs + maxBytes / slowestBytesPerMs;
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const left = Math.min(idleMs, deadline - clock.monotonic());
      if (left <= 0) throw new UploadTooSlow("too slow");
      const pending = chunks.next();
      const late = Promise.withResolvers<never>();
      const timer = clock.setTimeout(() => late.reject(new UploadTooSlow("too slow")), left);
      const { done, value } = await Promise.race([pending, late.promise]).finally(() => timer.cancel());
      if (done === true) return;
      yield value;
    }
  } finally {
    // Not awaited, because a stalled stream does not end either.
    chunks.return?.()?.catch(() => undefined);
  }
}

export function createUploads(clock: Clock): Uploads {
  return {
    async take(bytes, maxBytes): Promise<Spooled> {
      const file = await openUnnamed().catch((error: unknown) => {
        throw unavailable(error);
      });
      const hash = createHash("sha256");
      const head = Buffer.alloc(headBytes);
      let size = 0;
      try {
        for await (const chunk of inTime(bytes, clock, maxBytes)) {
          if (size + chunk.length > maxBytes) throw new UploadTooLarge(`more than ${maxBytes} bytes`);
          if (size < headBytes) head.set(chunk.subarray(0, headBytes - size), size);
          hash.update(chunk);
          await writeAll(file, chunk, size).catch((error: unknown) => {
            throw unavailable(error);
          });
          size += chunk.length;
        }
      } catch (error) {
        await file.close();
        throw error;
      }
      return {
        size,
        sha256: hash.digest("hex"),
        head: head.subarray(0, Math.min(size, headBytes)),
        bytes: () => read(file, size),
        close: async () => await file.close(),
      };
    },
  };
}
