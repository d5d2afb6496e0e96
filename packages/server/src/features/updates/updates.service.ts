import type { Finding } from "#core/feature.ts";
import {
  type Clock,
  type Database,
  type Log,
  type Outgoing,
  OutgoingFailed,
  type Schedules,
  type Tx,
} from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { type UpdateStatus, updateNotification } from "./updates.contract.ts";
import { isNewer, newestFor, readFeed, type Release } from "./updates.policy.ts";
import * as repo from "./updates.repo.ts";

const feedTimeoutMs = 10_000;
const feedBytes = 1_000_000;

export interface UpdatesDeps {
  readonly settings: { readonly enabled: boolean; readonly interval: number; readonly feedURL: string | null };
  /** The running version. */
  readonly running: string;
  /** The schedule that calls `check`. */
  readonly scheduleId: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  readonly schedule: Schedules;
  readonly log: Log;
  readonly access: AccessApi;
  readonly accounts: AccountsApi;
  readonly notifications: NotificationsApi;
}

type FeedAnswer = { readonly newest: Release | null } | { readonly problem: string };

const found = (name: string, state: Finding["state"], params: Finding["params"] = {}): Finding[] => [
  { id: `updates.${name}`, state, params },
];

/** Checks for new versions. */
export class UpdatesService {
  readonly #deps: UpdatesDeps;

  constructor(deps: UpdatesDeps) {
    this.#deps = deps;
  }

  /** Null when nobody looks for new versions. */
  get #feed(): string | null {
    const { enabled, feedURL } = this.#deps.settings;
    return enabled ? feedURL : null;
  }

  async status(): Promise<UpdateStatus> {
    const { db, settings, running } = this.#deps;
    const row = await db.read("updates.status", async (tx) => await repo.find(tx));
    const isOffered = this.#feed !== null && row !== null && row.version !== null && isNewer(row.version, running);
    return {
      enabled: settings.enabled,
      hasFeed: settings.feedURL !== null,
      running,
      checkedAt: row?.checked_at ?? null,
      knownAt: row?.known_at ?? null,
      problem: row?.problem ?? null,
      available: isOffered ? { version: row.version ?? "", notes: row.notes, url: row.url, publishedAt: row.published_at } : null,
    };
  }

  /** Requests the feed. A feed that cannot be reached is only logged for debugging: instances may be offline. */
  async check(): Promise<void> {
    const { log } = this.#deps;
    const feed = this.#feed;
    if (feed === null) return;
    const answer = await this.#requestFeed(feed);
    if ("problem" in answer) log.debug({ problem: answer.problem }, "the release feed did not answer");
    else log.debug({ newest: answer.newest?.version ?? null }, "the release feed answered");
    await this.#store(answer);
  }

  /** A new instance, and one that was off for long, does not wait for the first interval to pass. */
  async start(): Promise<void> {
    const { db, clock, settings, schedule, scheduleId } = this.#deps;
    if (this.#feed === null) return;
    const row = await db.read("updates.status", async (tx) => await repo.find(tx));
    if (row !== null && clock.now() - row.checked_at < settings.interval) return;
    await db.write("updates.ask", async (tx) => void (await schedule.request(tx, scheduleId)));
  }

  /** For the doctor. */
  async findings(): Promise<Finding[]> {
    const { running } = this.#deps;
    const { enabled, hasFeed, available, checkedAt, knownAt, problem } = await this.status();
    const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");
    if (!enabled) return found("off", "ok");
    if (!hasFeed) return found("noFeed", "ok");
    if (available !== null) return found("available", "warning", { version: available.version, running });
    if (checkedAt === null) return found("notYet", "ok");
    if (problem === null) return found("current", "ok", { running });
    if (knownAt === null) return found("neverKnown", "ok", { since: day(checkedAt), problem });
    return found("unknown", "warning", { since: day(knownAt), problem });
  }

  async #requestFeed(url: string): Promise<FeedAnswer> {
    const { outgoing, running } = this.#deps;
    try {
      const { status, body } = await outgoing.request({
        url,
        from: "endpoint",
        headers: { accept: "application/json" },
        timeoutMs: feedTimeoutMs,
        maxBytes: feedBytes,
      });
      if (status !== 200) return { problem: `HTTP ${status}` };
      const releases = readFeed(JSON.parse(new TextDecoder().decode(body)));
      return releases === null ? { problem: "the answer is no list of releases" } : { newest: newestFor(running, releases) };
    } catch (error) {
      if (error instanceof OutgoingFailed) return { problem: error.message };
      if (error instanceof SyntaxError) return { problem: "the answer is not JSON" };
      throw error;
    }
  }

  async #store(answer: FeedAnswer): Promise<void> {
    const { db, clock, running } = this.#deps;
    await db.write("updates.check", async (tx) => {
      const before = await repo.find(tx);
      const now = clock.now();
      if ("problem" in answer) {
        const known = { known_at: before?.known_at ?? null, version: before?.version ?? null, notes: before?.notes ?? "" };
        const rest = { url: before?.url ?? null, published_at: before?.published_at ?? null, told: before?.told ?? null };
        await repo.save(tx, before !== null, { checked_at: now, problem: answer.problem.slice(0, 300), ...known, ...rest });
        return;
      }
      const { newest } = answer;
      const isNew = newest !== null && newest.version !== before?.told && isNewer(newest.version, running);
      if (isNew) await this.#notifyAdmins(tx, newest.version);
      await repo.save(tx, before !== null, {
        checked_at: now,
        known_at: now,
        problem: null,
        version: newest?.version ?? null,
        notes: newest?.notes ?? "",
        url: newest?.url ?? null,
        published_at: newest?.publishedAt ?? null,
        told: isNew ? newest.version : (before?.told ?? null),
      });
    });
  }

  async #notifyAdmins(tx: Tx, version: string): Promise<void> {
    const { accounts, access, notifications } = this.#deps;
    const admins = (await accounts.admins(tx)).filter((account) => access.powersOf(account).configAdmin);
    const recipients = admins.map(({ id }) => ({ accountId: id }));
    await notifications.notify(tx, updateNotification, { recipients, params: { version }, link: "/panel/status", key: "newest" });
  }
}
