import type { InputOf, Page } from "#core/contract/index.ts";
import { writeCursor } from "#core/cursor.ts";
import type { Position } from "#core/db/lists.ts";
import { cursorOf, keysetPage, type PageQuery, positionOf, readPage } from "#core/paging.ts";
import type { Tx } from "#core/ports/index.ts";
import type { listAudit } from "./audit.contract.ts";
import * as repo from "./audit.list.repo.ts";
import { normalised, type Reader, wordsOf } from "./audit.policy.ts";
import type { StoredEntry } from "./audit.repo.ts";
import { auditList } from "./audit.schema.ts";

export type AuditQuery = InputOf<typeof listAudit>["query"];

/** Which page of the entries, in which order. */
export type AuditPage = PageQuery<"at">;

/** Postings that one step of a search reads, and steps of one page. */
const postingsPerStep = 4000;
const mostSteps = 5;
const countedPostings = 2000;
const mostTerms = 6;

/** The shapes of trace ids, as error notes and answers carry them. */
const traceId = /^(?:[\da-f]{32}|[\da-z]{26})$/;

const usualLimit = 50;

/** Compares postings in the order of a position. */
function inOrder({ descending }: Position) {
  const sign = descending ? -1 : 1;
  return (a: repo.Posting, b: repo.Posting) => sign * (a.at - b.at || a.entry - b.entry);
}

/** Searches the audit log. */
export class AuditSearch {
  /** A page of the entries that a reader sees and a query asks for: by trace id, by words, or by filters alone. */
  async find(tx: Tx, reader: Reader, query: AuditQuery): Promise<Page<StoredEntry>> {
    const filter = await this.#filterOf(tx, reader, query);
    const text = normalised(query.q ?? "").trim();
    if (traceId.test(text)) {
      const traced = await this.filtered(tx, { ...filter, trace: text }, query);
      if (traced.items.length > 0) return traced;
    }
    const terms = wordsOf(text).slice(0, mostTerms);
    return terms.length === 0 ? await this.filtered(tx, filter, query) : await this.#findByTerms(tx, filter, terms, query);
  }

  /** The number of matching entries up to `cap`; null for a search by words, which does not count them. */
  async count(tx: Tx, reader: Reader, query: AuditQuery, cap: number): Promise<number | null> {
    if ((query.q ?? "").trim() !== "") return null;
    return await repo.countEntries(tx, await this.#filterOf(tx, reader, query), cap);
  }

  /** A page of the entries that match a filter. */
  async filtered(tx: Tx, filter: repo.EntryFilter, page: AuditPage): Promise<Page<StoredEntry>> {
    return await readPage(auditList, page, {
      rows: async (position, limit) => await repo.listEntries(tx, filter, position, limit),
      count: async (cap) => await repo.countEntries(tx, filter, cap),
    });
  }

  async #filterOf(tx: Tx, reader: Reader, query: AuditQuery): Promise<repo.EntryFilter> {
    const { q: _q, order: _order, cursor: _cursor, limit: _limit, action, job, ...same } = query;
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
  async #findByTerms(tx: Tx, filter: repo.EntryFilter, terms: readonly string[], page: AuditPage): Promise<Page<StoredEntry>> {
    const position = positionOf(auditList, page);
    const limit = page.limit ?? usualLimit;
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
    const compare = inOrder(position);
    const items: StoredEntry[] = [];
    let { after } = position;
    for (let step = 0; step < mostSteps; step++) {
      const postings = await repo.nextPostings(tx, driver, { ...range, descending: position.descending, after }, each);
      // Behind the last posting of a word that has more, its next ones may come before those of other words.
      const full = driver.flatMap((word) => {
        const own = postings.filter((posting) => posting.word === word);
        return own.length === each ? own.slice(-1) : [];
      });
      const safe = full.toSorted(compare)[0];
      const ids = [...new Set(postings.filter((one) => !safe || compare(one, safe) <= 0).map(({ entry }) => entry))];
      const wanted = { ...filter, ids, words: others };
      if (ids.length > 0) items.push(...(await repo.entriesAmong(tx, wanted, position, limit + 1 - items.length)));
      if (items.length > limit) break;
      if (!safe) return { items, next: null, total: items.length, totalCapped: position.after !== null };
      after = { key: safe.at, id: safe.entry };
    }
    const cursor = ({ at, id }: StoredEntry) => cursorOf(position, { order_key: at, id });
    const found = keysetPage({ rows: items, limit, count: Math.min(items.length, limit), cursorOf: cursor });
    const reached = after && writeCursor({ order: position.order, ...after });
    return { ...found, next: found.next ?? reached, totalCapped: true };
  }

  /** Splits the lists of words into the rarest, whose postings the search follows, and the others. */
  async #splitByRarest(tx: Tx, lists: readonly (readonly number[])[]) {
    const counts = lists.length > 1 ? await repo.countPostings(tx, lists, countedPostings) : [0];
    const rarest = counts.indexOf(Math.min(...counts));
    return { driver: lists[rarest] ?? [], others: lists.filter((_words, at) => at !== rarest) };
  }
}
