import type { Actor, Viewer } from "#core/actor.ts";
import type { InputOf, Page } from "#core/contract/index.ts";
import { type Cursor, readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { auditErrors, auditPermissions, type AuditEntry, type AuditRow, type listAudit } from "./audit.contract.ts";
import * as repo from "./audit.list.repo.ts";
import { normalised, wordsOf } from "./audit.policy.ts";
import type { StoredEntry } from "./audit.repo.ts";

export type AuditQuery = InputOf<typeof listAudit>["query"];

/** How far somebody sees: the entries of one job, or all. */
export interface Reader {
  readonly job: string | null;
}

/** Job admins and config admins see every job's entries, unless they see with the eyes of another grade. */
export function readerOf(actor: Actor): Reader {
  if (actor.kind === "account") return { job: null };
  if (actor.kind !== "character") throw new Error(`${actor.kind} reads no audit trail`);
  const everything = actor.jobAdmin !== null || (actor.configAdmin && !actor.seeAs);
  return { job: everything ? null : actor.job };
}

const mostCounted = 1000;
/** Postings looked at in one step of a search, and steps of one page. */
const postingsAtOnce = 4000;
const mostSteps = 5;
const countedPostings = 2000;

export function rowOf(entry: StoredEntry): AuditRow {
  const { object_kind, object_id, target_kind, target_id } = entry;
  return {
    id: entry.id,
    at: entry.at,
    actor: {
      kind: entry.actor_kind as AuditRow["actor"]["kind"],
      name: entry.actor_name,
      accountId: entry.account_id,
      characterId: entry.character_id,
      characterName: entry.character_name,
      job: entry.job,
      grade: entry.grade,
      adminReason: entry.admin_reason,
      seenAs: entry.seen_as,
    },
    address: entry.address,
    program: entry.user_agent,
    traceId: entry.trace_id,
    action: entry.action,
    result: entry.result as AuditRow["result"],
    object: object_kind === null ? null : { kind: object_kind, id: object_id ?? "" },
    target:
      target_kind === null || target_id === null
        ? null
        : { kind: target_kind as "citizen" | "account", id: target_id, name: entry.target_name },
    folded: entry.folded,
  };
}

export function entryOf(entry: StoredEntry): AuditEntry {
  const data = (entry.data === null ? {} : JSON.parse(entry.data)) as Pick<AuditEntry, "before" | "after" | "info">;
  const { before, after, info } = data;
  const parts = Object.entries({ before, after, info }).filter(([, value]) => value !== undefined);
  return { ...rowOf(entry), ...Object.fromEntries(parts) };
}

/** The ids that error notes and answers carry. */
const traceId = /^(?:[\da-f]{32}|[\da-z]{26})$/;

interface Found {
  readonly items: StoredEntry[];
  readonly next: Cursor | null;
  readonly total: number;
  readonly totalCapped: boolean;
}

const cursorOf = ({ at, id }: { at: number; id: number }): Cursor => ({ key: String(at), id });

function pageOf(rows: readonly StoredEntry[], limit: number): Pick<Found, "items" | "next"> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(last) : null };
}

const newestFirst = (a: repo.Posting, b: repo.Posting) => b.at - a.at || b.entry - a.entry;

export function createAuditService(deps: { readonly db: Database }) {
  async function filterOf(tx: Tx, reader: Reader, query: AuditQuery): Promise<repo.EntryFilter> {
    const { q: _q, cursor: _cursor, limit: _limit, action, job, ...same } = query;
    const filter = {
      ...same,
      jobs: [...(reader.job === null ? [] : [reader.job]), ...(job === undefined ? [] : [job])],
    };
    if (action === undefined) return filter;
    if (!action.endsWith(".")) return { ...filter, actions: [action] };
    return { ...filter, actions: (await repo.listActions(tx)).filter((one) => one.startsWith(action)) };
  }

  async function plain(tx: Tx, filter: repo.EntryFilter, after: Cursor | null, limit: number): Promise<Found> {
    const rows = await repo.listEntries(tx, filter, after, limit + 1);
    const complete = after === null && rows.length <= limit;
    const total = complete ? rows.length : await repo.countEntries(tx, filter, mostCounted + 1);
    return { ...pageOf(rows, limit), total: Math.min(total, mostCounted), totalCapped: total > mostCounted };
  }

  /**
   * Entries that hold every term, newest first. Goes along the postings of the rarest term; each
   * step looks at a bounded number of them, so that a page may end before its limit and go on.
   */
  async function searched(
    tx: Tx,
    filter: repo.EntryFilter,
    terms: readonly string[],
    after: Cursor | null,
    limit: number,
  ): Promise<Found> {
    const lists: number[][] = [];
    for (const term of terms) lists.push(await repo.wordsHolding(tx, term));
    if (lists.some((words) => words.length === 0)) return { items: [], next: null, total: 0, totalCapped: false };
    const counts = lists.length > 1 ? await repo.countPostings(tx, lists, countedPostings) : [0];
    const rarest = counts.indexOf(Math.min(...counts));
    const [driver, others] = [lists[rarest] ?? [], lists.filter((_words, at) => at !== rarest)];
    const each = Math.max(Math.floor(postingsAtOnce / driver.length), 64);
    const job = filter.jobs?.[0];
    const range = {
      ...(filter.from === undefined ? {} : { from: filter.from }),
      ...(filter.to === undefined ? {} : { to: filter.to }),
      ...(job === undefined ? {} : { job }),
    };
    const items: StoredEntry[] = [];
    let below = after;
    for (let step = 0; step < mostSteps; step++) {
      const postings = await repo.newestPostings(tx, driver, { ...range, below }, each);
      // Below the oldest posting of a word that has more, other words may have newer ones.
      const full = driver.flatMap((word) => {
        const own = postings.filter((posting) => posting.word === word);
        return own.length === each ? own.slice(-1) : [];
      });
      const safe = full.toSorted(newestFirst)[0];
      const ids = [...new Set(postings.filter((one) => !safe || newestFirst(one, safe) <= 0).map(({ entry }) => entry))];
      if (ids.length > 0) items.push(...(await repo.entriesAmong(tx, filter, ids, others, limit + 1 - items.length)));
      if (items.length > limit) break;
      if (!safe) return { items, next: null, total: items.length, totalCapped: after !== null };
      below = { key: String(safe.at), id: safe.entry };
    }
    const page = pageOf(items, limit);
    return { ...page, next: page.next ?? below, total: Math.min(page.items.length, mostCounted), totalCapped: true };
  }

  async function find(tx: Tx, reader: Reader, query: AuditQuery, after: Cursor | null, limit: number): Promise<Found> {
    const filter = await filterOf(tx, reader, query);
    const text = normalised(query.q ?? "").trim();
    if (traceId.test(text)) {
      const traced = await plain(tx, { ...filter, trace: text }, after, limit);
      if (traced.items.length > 0) return traced;
    }
    const terms = wordsOf(text).slice(0, 6);
    return terms.length === 0 ? await plain(tx, filter, after, limit) : await searched(tx, filter, terms, after, limit);
  }

  async function page<T>(name: string, reader: Reader, query: AuditQuery, cut: (entry: StoredEntry) => T): Promise<Page<T>> {
    const after = query.cursor === undefined ? null : readCursor(query.cursor);
    const found = await deps.db.read(name, async (tx) => await find(tx, reader, query, after, query.limit ?? 50));
    return { ...found, items: found.items.map(cut), next: found.next && writeCursor(found.next) };
  }

  return {
    find,
    list: async (reader: Reader, query: AuditQuery) => await page("audit.list", reader, query, rowOf),

    history: async (reader: Reader, { kind, id }: { kind: string; id: string }, query: Pick<AuditQuery, "cursor" | "limit">) =>
      await page("audit.history", reader, { ...query, objectKind: kind, objectId: id }, entryOf),

    async get(reader: Reader, id: number): Promise<AuditEntry> {
      const entry = await deps.db.read("audit.get", async (tx) => await repo.findEntry(tx, id));
      const visible = entry && (reader.job === null || entry.job === reader.job);
      if (!visible) throw new AppError(auditErrors.notFound);
      return entryOf(entry);
    },

    async facets(reader: Reader) {
      const actions = await deps.db.read("audit.facets", repo.listActions);
      return { actions, everyJob: reader.job === null };
    },

    async lookups(viewer: Viewer, query: Pick<AuditQuery, "cursor" | "limit">) {
      const limit = query.limit ?? 50;
      const after = query.cursor === undefined ? null : readCursor(query.cursor);
      const filter = { targetKind: "citizen", targetId: viewer.characterId, actions: ["citizens.view"] };
      const found = await deps.db.read("audit.lookups", async (tx) => await plain(tx, filter, after, limit));
      const named = viewer.rights.has(auditPermissions.view.id);
      const items = found.items.map(({ id, at, job, folded, character_name }) => ({
        id,
        at,
        job,
        times: folded,
        ...(named ? { name: character_name } : {}),
      }));
      return { ...found, items, next: found.next && writeCursor(found.next) };
    },
  };
}

export type AuditService = ReturnType<typeof createAuditService>;
