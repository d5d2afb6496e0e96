import { createHash } from "node:crypto";
import { ForeignNames, type OwnObjects } from "#core/own-objects.ts";
import type { Clock, Database, Storage, StoredObject } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { MoveReport, MoveRequest } from "./files.api.ts";
import * as repo from "./files.repo.ts";

export interface MoveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly own: OwnObjects;
}

/** Objects that are copied at once. */
const concurrency = 8;
/** Objects after which the progress is recorded. */
const chunkSize = 80;

interface Content {
  readonly size: number;
  readonly sha256: string;
}

/** Passes bytes on; once they ended, `content` returns their size and hash. */
function hashed(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let size = 0;
  async function* pass() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { bytes: pass(), content: (): Content => ({ size, sha256: hash.digest("hex") }) };
}

async function contentIn(storage: Storage, key: string): Promise<Content | null> {
  const found = await storage.open(key);
  if (!found) return null;
  const { bytes, content } = hashed(found.bytes);
  for await (const chunk of bytes) void chunk;
  return content();
}

const same = (a: Content | null, b: Content | null) => a !== null && a.size === b?.size && a.sha256 === b.sha256;

/** Copies one object and reads it back; null when it no longer exists at the source. */
async function copy(from: Storage, to: Storage, key: string): Promise<Content | null> {
  const found = await from.open(key);
  if (!found) return null;
  const { bytes, content } = hashed(found.bytes);
  await to.put(key, bytes);
  const source = content();
  if (!same(source, await contentIn(to, key))) throw new Error(`${key} differs in the ${to.kind} from what was copied`);
  return source;
}

async function alreadyCopied(from: Storage, to: Storage, key: string): Promise<Content | null> {
  const copied = await contentIn(to, key);
  return copied !== null && same(await contentIn(from, key), copied) ? copied : null;
}

async function* chunksOf(objects: AsyncIterable<StoredObject>): AsyncIterable<StoredObject[]> {
  let chunk: StoredObject[] = [];
  for await (const object of objects) {
    chunk.push(object);
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

async function forEachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}

/**
 * Moves every object of Rollcall between two backends. An object stays at the source until it is proven
 * that the target has it. A run that was killed continues after its last recorded chunk.
 */
export class FilesMover {
  readonly #deps: MoveDeps;

  constructor(deps: MoveDeps) {
    this.#deps = deps;
  }

  async move(request: MoveRequest): Promise<MoveReport> {
    const { db, clock, audit } = this.#deps;
    const damaged = new Set<string>();
    const before = (await this.#begin(request.to.kind)).objects;
    const state = await this.#copyAll(request, damaged);
    const foreign = new ForeignNames();
    const proven = await this.#prove(request, foreign);
    await this.#record({ ...state, ...proven, finished_at: clock.now() });
    const removed = request.removeSource ? await this.#removeAll(request) : 0;
    const report = { ...proven, before, damaged: [...damaged].sort(), removed };
    await db.write("files.moved", async (tx) => {
      const info = { to: request.to.kind, ...report, foreign: foreign.count };
      await audit.record(tx, request.actor, { action: "files.move", info });
    });
    return { ...report, foreign };
  }

  async #record(record: repo.MoveRecord): Promise<void> {
    await this.#deps.db.write("files.move", async (tx) => await repo.putMove(tx, record));
  }

  async #begin(target: string): Promise<repo.MoveRecord> {
    const known = await this.#deps.db.read("files.move", async (tx) => await repo.findMove(tx, target));
    if (known) return known;
    const started_at = this.#deps.clock.now();
    const fresh = { target, after_key: "", objects: 0, bytes: 0, started_at, finished_at: null };
    await this.#record(fresh);
    return fresh;
  }

  /** Copies all objects after the last recorded key. A finished move copies none: newer ones are left to `#prove`. */
  async #copyAll({ from, to, progress }: MoveRequest, damaged: Set<string>): Promise<repo.MoveRecord> {
    const { db, own } = this.#deps;
    let state = await this.#begin(to.kind);
    if (state.finished_at !== null) return state;
    // A killed run may have copied a part of the first chunk already.
    let first = true;
    for await (const chunk of chunksOf(own.list(from, new ForeignNames(), { after: state.after_key }))) {
      const keys = chunk.map(({ key }) => key);
      const known = await db.read("files.known", async (tx) => await repo.findByKeys(tx, keys));
      let bytes = 0;
      await forEachConcurrently(keys, async (key) => {
        const content = (first ? await alreadyCopied(from, to, key) : null) ?? (await copy(from, to, key));
        const row = known.get(key);
        if (content && row && !same(content, row)) damaged.add(key);
        bytes += content?.size ?? 0;
      });
      const last = keys.at(-1) ?? state.after_key;
      state = { ...state, after_key: last, objects: state.objects + keys.length, bytes: state.bytes + bytes };
      first = false;
      await this.#record(state);
      progress(state);
    }
    return state;
  }

  /** Reads the whole source once more, and copies what was added or changed since. */
  async #prove({ from, to, progress }: MoveRequest, foreign: ForeignNames): Promise<{ objects: number; bytes: number }> {
    let [objects, bytes] = [0, 0];
    for await (const chunk of chunksOf(this.#deps.own.list(from, foreign))) {
      await forEachConcurrently(chunk, async ({ key, size }) => {
        const copied = await to.stat(key);
        if (copied?.size === size) bytes += size;
        else bytes += (await copy(from, to, key))?.size ?? 0;
        objects += 1;
      });
      progress({ objects, bytes });
    }
    return { objects, bytes };
  }

  /** Throws at the first object that is not byte for byte in the target. */
  async #removeAll({ from, to, progress }: MoveRequest): Promise<number> {
    let [removed, bytes] = [0, 0];
    for await (const chunk of chunksOf(this.#deps.own.list(from, new ForeignNames()))) {
      await forEachConcurrently(chunk, async ({ key, size }) => {
        if (!same(await contentIn(from, key), await contentIn(to, key)))
          throw new Error(`${key} differs between the ${to.kind} and the source, and was not removed`);
        await from.remove(key);
        removed += 1;
        bytes += size;
      });
      progress({ objects: removed, bytes });
    }
    return removed;
  }
}
