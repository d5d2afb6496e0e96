import type { InputOf } from "#core/contract/index.ts";
import type { Cursor } from "#core/cursor.ts";
import type { Tx } from "#core/ports/index.ts";
import type { listAudit } from "./audit.contract.ts";
import * as repo from "./audit.list.repo.ts";
import { normalised, type Reader, wordsOf } from "./audit.policy.ts";
import type { StoredEntry } from "./audit.repo.ts";

export type AuditQuery = InputOf<typeof listAudit>["query"];

/** One page of entries, newest first. */
export interface Found {
  readonly items: StoredEntry[];
  readonly next: Cursor | null;
  readonly total: number;
  readonly totalCapped: boolean;
}

interface PageRequest {
  readonly after: Cursor | null;
  readonly limit: number;
}

const mostCounted = 1000;
/** Postings that one step of a search reads, and steps of one page. */
const postingsPerStep = 4000;
const mostSteps = 5;
const countedPostings = 2000;
const mostTerms = 6;

/** The shapes of trace ids, as error notes and answers carry them. */
const traceId = /^(?:[\da-f]{32}|[\da-z]{26})$/;

const cursorOf = ({ at, id }: { at: number; id: number }): Cursor => ({ key: String(at), id });

function pageOf(rows: readonly StoredEntry[], limit: number): Pick<Found, "items" | "next"> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last ? cursorOf(last) : null };
}

const newestFirst = (a: repo.Posting, b: repo.Posting) => b.at - a.at || b.entry - a.entry;

/** Searches the audit log. */
export class AuditSearch {
  /** A page of the entries that a reader sees and a query asks for: by trace id, by words, or by filters alone. */
  async find(tx: Tx, reader: Reader, query: AuditQuery, page: PageRequest): Promise<Found> {
    const filter = await this.#filterOf(tx, reader, query);
    const text = normalised(query.q ?? "").trim();
    if (traceId.test(text)) {
      const traced = await this.filtered(tx, { ...filter, trace: text }, page);
      if (traced.items.length > 0) return traced;
    }
    const terms = wordsOf(text).slice(0, mostTerms);
    return terms.length === 0 ? await this.filtered(tx, filter, page) : await this.#findByTerms(tx, filter, terms, page);
  }

  /** The number of matching entries up to `cap`; null for a search by words, which does not count them. */
  async count(tx: Tx, reader: Reader, query: AuditQuery, cap: number): Promise<number | null> {
    if ((query.q ?? "").trim() !== "") return null;
    return await repo.countEntries(tx, await this.#filterOf(tx, reader, query), cap);
  }

  /** A page of the entries that match a filter, with their number up to 1000. */
  async filtered(tx: Tx, filter: repo.EntryFilter, { after, limit }: PageRequest): Promise<Found> {
    const rows = await repo.listEntries(tx, filter, after, limit + 1);
    const complete = after === null && rows.length <= limit;
    const total = complete ? rows.length : await repo.countEntries(tx, filter, mostCounted + 1);
    return { ...pageOf(rows, limit), total: Math.min(total, mostCounted), totalCapped: total > mostCounted };
  }

  async #filterOf(tx: Tx, reader: Reader, query: AuditQuery): Promise<repo.EntryFilter> {
    const { q: _q, cursor: _cursor, limit: _limit, action, job, ...same } = query;
    const filter = {
      ...same,
      jobs: [...(reader.job === null ? [] : [reader.job]), ...(job === undefined ? [] : [job])],
    };
    if (action === undefined) return filter;
    if (!action.endsWith(".")) return { ...filter, actions: [action] };
    return { ...filter, actions: (await repo.listActions(tx)).filter((one) => one.startsWith(action)) };
  }

  /**
   * Entries that hold every term. The search follows the postings of the rarest term. Each step reads a
   * bounded number of them, so a page may have fewer entries than its limit and still have a next one.
   */
  async #findByTerms(tx: Tx, filter: repo.EntryFilter, terms: readonly string[], { after, limit }: PageRequest): Promise<Found> {
    const lists: number[][] = [];
    for (const term of terms) lists.push(await repo.wordsHolding(tx, term));
    if (lists.some((words) => words.length === 0)) return { items: [], next: null, total: 0, totalCapped: false };
    const { driver, others } = await this.#splitByRarest(tx, lists);
    const each = Math.max(Math.floor(postingsPerStep / driver.length), 64);
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

  /** Splits the lists of words into the rarest, whose postings the search follows, and the others. */
  async #splitByRarest(tx: Tx, lists: readonly (readonly number[])[]) {
    const counts = lists.length > 1 ? await repo.countPostings(tx, lists, countedPostings) : [0];
    const rarest = counts.indexOf(Math.min(...counts));
    return { driver: lists[rarest] ?? [], others: lists.filter((_words, at) => at !== rarest) };
  }
}
