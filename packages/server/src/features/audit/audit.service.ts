import type { Viewer } from "#core/actor.ts";
import type { Page } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Database } from "#core/ports/index.ts";
import { auditErrors, auditPermissions, type AuditEntry, type AuditRow } from "./audit.contract.ts";
import * as repo from "./audit.list.repo.ts";
import type { AuditNames } from "./audit.names.service.ts";
import { entryOf, rowOf } from "./audit.output.policy.ts";
import type { Reader } from "./audit.policy.ts";
import type { StoredEntry } from "./audit.repo.ts";
import type { AuditPage, AuditQuery, AuditSearch } from "./audit.search.service.ts";

/** Reads the audit log. */
export class AuditService {
  readonly #db: Database;
  readonly #search: AuditSearch;
  readonly #names: AuditNames;

  constructor({ db, search, names }: { readonly db: Database; readonly search: AuditSearch; readonly names: AuditNames }) {
    this.#db = db;
    this.#search = search;
    this.#names = names;
  }

  async list(reader: Reader, query: AuditQuery): Promise<Page<AuditRow>> {
    return await this.#page("audit.list", reader, query, rowOf);
  }

  async history(reader: Reader, { kind, id }: { kind: string; id: string }, query: AuditPage): Promise<Page<AuditEntry>> {
    return await this.#page("audit.history", reader, { ...query, objectKind: kind, objectId: id }, entryOf);
  }

  /** Throws 404 for an entry that does not exist or that the reader does not see. */
  async get(reader: Reader, id: number): Promise<AuditEntry> {
    const entry = await this.#db.read("audit.get", async (tx) => await repo.findEntry(tx, id));
    const visible = entry && (reader.job === null || entry.job === reader.job);
    if (!visible) throw new AppError(auditErrors.notFound);
    const [named] = await this.#db.read("audit.names", async (tx) => await this.#names.fill(tx, [entryOf(entry)]));
    return named!;
  }

  async facets(reader: Reader) {
    const actions = await this.#db.read("audit.facets", async (tx) => await repo.listActions(tx));
    return { actions, everyJob: reader.job === null };
  }

  /** Who opened the profile of the viewer's character; names only with the right to read the audit log. */
  async accessLog(viewer: Viewer, { from, ...query }: AuditPage & { readonly from?: number }) {
    const since = from === undefined ? {} : { from };
    const filter = { targetKind: "citizen", targetId: viewer.characterId, actions: ["citizens.view"], ...since };
    const found = await this.#db.read("audit.lookups", async (tx) => await this.#search.filtered(tx, filter, query));
    const named = viewer.rights.has(auditPermissions.view.id);
    const items = found.items.map(({ id, at, job, folded, character_name }) => ({
      id,
      at,
      job,
      times: folded,
      ...(named ? { name: character_name } : {}),
    }));
    return { ...found, items };
  }

  async #page<T extends AuditRow>(
    name: string,
    reader: Reader,
    query: AuditQuery,
    outputOf: (entry: StoredEntry) => T,
  ): Promise<Page<T>> {
    return await this.#db.read(name, async (tx) => {
      const found = await this.#search.find(tx, reader, query);
      return { ...found, items: await this.#names.fill(tx, found.items.map(outputOf)) };
    });
  }
}
