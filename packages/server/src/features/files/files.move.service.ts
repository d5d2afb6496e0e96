import { createHash } from "node:crypto";
import type { Clock, Database, Storage, StoredObject } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { MoveReport, MoveRequest } from "./files.api.ts";
import * as repo from "./files.repo.ts";

export interface MoveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
}

/** Objects under way at once. */
const atOnce = 8;
/** Objects after which it is noted how far it came. */
const step = 80;

interface Seen {
  readonly size: number;
  readonly sha256: string;
}

/** Hands bytes on and tells, at the end, what they were. */
function watched(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let size = 0;
  async function* passing() {
    for await (const part of bytes) {
      hash.update(part);
      size += part.length;
      yield part;
    }
  }
  return { passing: passing(), seen: (): Seen => ({ size, sha256: hash.digest("hex") }) };
}

async function seenIn(storage: Storage, key: string): Promise<Seen | null> {
  const found = await storage.open(key);
  if (!found) return null;
  const { passing, seen } = watched(found.bytes);
  for await (const part of passing) void part;
  return seen();
}

const same = (a: Seen | null, b: Seen | null) => a !== null && a.size === b?.size && a.sha256 === b.sha256;

/** Copies one object and reads it back; null when it went away meanwhile. */
async function copy(from: Storage, to: Storage, key: string): Promise<Seen | null> {
  const found = await from.open(key);
  if (!found) return null;
  const { passing, seen } = watched(found.bytes);
  await to.put(key, passing);
  const source = seen();
  if (!same(source, await seenIn(to, key))) throw new Error(`${key} came out of the ${to.kind} other than it went in`);
  return source;
}

async function alreadyThere(from: Storage, to: Storage, key: string): Promise<Seen | null> {
  const there = await seenIn(to, key);
  return there !== null && same(await seenIn(from, key), there) ? there : null;
}

async function* pagesOf(objects: AsyncIterable<StoredObject>): AsyncIterable<StoredObject[]> {
  let page: StoredObject[] = [];
  for await (const object of objects) {
    if (object.key.startsWith("probe/")) continue;
    page.push(object);
    if (page.length < step) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
    }),
  );
}

/**
 * Moves everything between two backends. Whatever happens, an object is at the source until the target
 * was proven to have it, and a run that was killed is taken up where the last noted step ended.
 */
export function createFilesMove({ db, clock, audit }: MoveDeps) {
  async function note(record: repo.MoveRecord): Promise<void> {
    await db.write("files.move", async (tx) => await repo.putMove(tx, record));
  }

  async function begin(target: string): Promise<repo.MoveRecord> {
    const known = await db.read("files.move", async (tx) => await repo.findMove(tx, target));
    if (known) return known;
    const fresh = { target, after_key: "", objects: 0, bytes: 0, started_at: clock.now(), finished_at: null };
    await note(fresh);
    return fresh;
  }

  /** Copies all above the last noted key; once that was done, what came since is left to `prove`. */
  async function copyAll({ from, to, progress }: MoveRequest, damaged: Set<string>): Promise<repo.MoveRecord> {
    let state = await begin(to.kind);
    if (state.finished_at !== null) return state;
    // Of the first step, a run that was killed may have copied some already.
    let begun = true;
    for await (const page of pagesOf(from.list("", { after: state.after_key }))) {
      const keys = page.map(({ key }) => key);
      const known = await db.read("files.known", async (tx) => await repo.known(tx, keys));
      let bytes = 0;
      await eachOf(keys, async (key) => {
        const seen = (begun ? await alreadyThere(from, to, key) : null) ?? (await copy(from, to, key));
        const row = known.get(key);
        if (seen && row && !same(seen, row)) damaged.add(key);
        bytes += seen?.size ?? 0;
      });
      const last = keys.at(-1) ?? state.after_key;
      state = { ...state, after_key: last, objects: state.objects + keys.length, bytes: state.bytes + bytes };
      begun = false;
      await note(state);
      progress(state);
    }
    return state;
  }

  /** Goes through the whole source once more: what came or changed meanwhile is copied too. */
  async function prove({ from, to, progress }: MoveRequest): Promise<{ objects: number; bytes: number }> {
    let [objects, bytes] = [0, 0];
    for await (const page of pagesOf(from.list(""))) {
      await eachOf(page, async ({ key, size }) => {
        const there = await to.stat(key);
        if (there?.size === size) bytes += size;
        else bytes += (await copy(from, to, key))?.size ?? 0;
        objects += 1;
      });
      progress({ objects, bytes });
    }
    return { objects, bytes };
  }

  /** Only what is byte for byte in the target. */
  async function removeAll({ from, to, progress }: MoveRequest): Promise<number> {
    let [removed, bytes] = [0, 0];
    for await (const page of pagesOf(from.list(""))) {
      await eachOf(page, async ({ key, size }) => {
        if (!same(await seenIn(from, key), await seenIn(to, key)))
          throw new Error(`${key} is not in the ${to.kind} as it is here`);
        await from.remove(key);
        removed += 1;
        bytes += size;
      });
      progress({ objects: removed, bytes });
    }
    return removed;
  }

  return async function move(request: MoveRequest): Promise<MoveReport> {
    const damaged = new Set<string>();
    const before = (await begin(request.to.kind)).objects;
    const state = await copyAll(request, damaged);
    const proven = await prove(request);
    await note({ ...state, ...proven, finished_at: clock.now() });
    const removed = request.removeSource ? await removeAll(request) : 0;
    const report = { ...proven, before, damaged: [...damaged].sort(), removed };
    await db.write("files.moved", async (tx) => {
      await audit.record(tx, request.actor, { action: "files.move", info: { to: request.to.kind, ...report } });
    });
    return report;
  };
}
