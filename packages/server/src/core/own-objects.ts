import type { Storage, StorageEntry, StoredObject } from "./ports/storage.ts";

/** Objects in the storage that are not Rollcall's: their number, and the first names. */
export class ForeignNames {
  #count = 0;
  readonly #first: string[] = [];

  add(name: string): void {
    this.#count += 1;
    // oxlint-disable-next-line no-control-regex -- a name may contain control characters that a terminal or a log would interpret
    if (this.#first.length < mostNamed) this.#first.push(name.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "?").slice(0, 100));
  }

  get count(): number {
    return this.#count;
  }

  /** For example `backups/, rollcall.db and 12 more`. */
  get names(): string {
    const more = this.#count - this.#first.length;
    return this.#first.join(", ") + (more > 0 ? ` and ${more} more` : "");
  }
}

/**
 * Which objects belong to this instance. Everything else below the folder or prefix is foreign: it is
 * neither read nor removed, and does not cause a failure.
 */
export interface OwnObjects {
  owns(key: string): boolean;
  /** Own objects, ordered by key, above `after`; the rest is added to `foreign`, a folder as one entry. */
  list(storage: Storage, foreign: ForeignNames, options?: { readonly after?: string }): AsyncIterable<StoredObject>;
  /** Objects that probes of killed processes left behind. */
  probes(storage: Storage): AsyncIterable<StoredObject>;
}

const mostNamed = 5;
const id = "[0-9A-HJKMNP-TV-Z]{26}";
const monthPattern = "[0-9]{4}(?:0[1-9]|1[0-2])";
const [monthFolder, objectName, probeName] = [
  new RegExp(`^${monthPattern}/$`),
  new RegExp(`^${id}(?:-t)?$`),
  new RegExp(`^${id}-[0-9]{1,9}$`),
];
const keyShape = new RegExp(`^([^/]+)/${monthPattern}/${id}(?:-t)?$`);
const probeFolder = "probe/";

/** The key of a new object: `<namespace>/<yyyymm>/<id>`. */
export function objectKey(namespace: string, now: number, newId: string): string {
  return `${namespace}/${new Date(now).toISOString().slice(0, 7).replace("-", "")}/${newId}`;
}

/** The key of the thumbnail of an object. */
export const thumbnailKey = (key: string) => `${key}-t`;
/** The key of the original, given its own key or that of its thumbnail. */
export const wholeKey = (key: string) => key.replace(/-t$/, "");

type Accept = (entry: StorageEntry) => boolean;

/** The objects of `namespaces`, which may grow until the first call. */
export function createOwnObjects(namespaces: () => ReadonlySet<string>): OwnObjects {
  async function* accepted(storage: Storage, folder: string, foreign: ForeignNames, accept: Accept, after = "") {
    for await (const entry of storage.entries(folder, after === "" ? {} : { after })) {
      if (accept(entry)) yield entry;
      else foreign.add(folder + entry.name);
    }
  }

  const isObject =
    (shape: RegExp): Accept =>
    ({ name, object }) =>
      object !== null && shape.test(name);

  async function* list(storage: Storage, foreign: ForeignNames, after: string): AsyncIterable<StoredObject> {
    const known = namespaces();
    const isSpace: Accept = ({ name, isFolder }) => isFolder && (name === probeFolder || known.has(name.slice(0, -1)));
    const isMonth: Accept = ({ name, isFolder }) => isFolder && monthFolder.test(name);
    for await (const space of accepted(storage, "", foreign, isSpace)) {
      if (space.name === probeFolder) {
        for await (const _probe of accepted(storage, probeFolder, foreign, isObject(probeName)));
        continue;
      }
      for await (const month of accepted(storage, space.name, foreign, isMonth)) {
        const folder = space.name + month.name;
        if (folder < after && !after.startsWith(folder)) continue;
        const above = after.startsWith(folder) ? after.slice(folder.length) : "";
        for await (const { object } of accepted(storage, folder, foreign, isObject(objectName), above)) if (object) yield object;
      }
    }
  }

  async function* probes(storage: Storage): AsyncIterable<StoredObject> {
    const isProbe = isObject(probeName);
    for await (const entry of storage.entries(probeFolder)) if (isProbe(entry) && entry.object) yield entry.object;
  }

  return {
    owns: (key) => namespaces().has(keyShape.exec(key)?.[1] ?? ""),
    list: (storage, foreign, { after = "" } = {}) => list(storage, foreign, after),
    probes,
  };
}
