import type { Finding } from "#core/feature.ts";
import { type Clock, type Database, type Log, type Outgoing, OutgoingFailed, type Schedule } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { type UpdateStatus, updateNotification } from "./updates.contract.ts";
import { isNewer, newestFor, readFeed, type Release } from "./updates.policy.ts";
import * as repo from "./updates.repo.ts";

const feedTimeoutMs = 10_000;
const feedBytes = 1_000_000;

export interface UpdatesDeps {
  readonly settings: { readonly enabled: boolean; readonly interval: number };
  readonly feedURL: string;
  readonly running: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  readonly schedule: Schedule;
  readonly log: Log;
  readonly access: AccessApi;
  readonly accounts: AccountsApi;
  readonly notifications: NotificationsApi;
}

type Look = { readonly newest: Release | null } | { readonly problem: string };

export function createUpdatesService(deps: UpdatesDeps, jobId: string) {
  const { db, clock, running, settings } = deps;

  async function askFeed(): Promise<Look> {
    try {
      const { status, body } = await deps.outgoing.request({
        url: deps.feedURL,
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

  /** Every config admin, once for each version. */
  async function tell(tx: Parameters<NotificationsApi["notify"]>[0], version: string): Promise<void> {
    const admins = (await deps.accounts.list(tx)).filter(
      (account) => account.enabled && deps.access.powersOf(account).configAdmin,
    );
    await deps.notifications.notify(
      tx,
      updateNotification,
      admins.map(({ id }) => ({ accountId: id, params: { version }, link: "/panel/status" })),
    );
  }

  async function keep(look: Look): Promise<void> {
    await db.write("updates.check", async (tx) => {
      const before = await repo.find(tx);
      const now = clock.now();
      if ("problem" in look) {
        const known = { known_at: before?.known_at ?? null, version: before?.version ?? null, notes: before?.notes ?? "" };
        const rest = { url: before?.url ?? null, published_at: before?.published_at ?? null, told: before?.told ?? null };
        await repo.save(tx, before !== null, { checked_at: now, problem: look.problem.slice(0, 300), ...known, ...rest });
        return;
      }
      const { newest } = look;
      const toTell = newest !== null && newest.version !== before?.told && isNewer(newest.version, running);
      if (toTell) await tell(tx, newest.version);
      await repo.save(tx, before !== null, {
        checked_at: now,
        known_at: now,
        problem: null,
        version: newest?.version ?? null,
        notes: newest?.notes ?? "",
        url: newest?.url ?? null,
        published_at: newest?.publishedAt ?? null,
        told: toTell ? newest.version : (before?.told ?? null),
      });
    });
  }

  async function status(): Promise<UpdateStatus> {
    const row = await db.read("updates.status", repo.find);
    const isOffered = settings.enabled && row !== null && row.version !== null && isNewer(row.version, running);
    return {
      enabled: settings.enabled,
      running,
      checkedAt: row?.checked_at ?? null,
      knownAt: row?.known_at ?? null,
      problem: row?.problem ?? null,
      available: isOffered ? { version: row.version ?? "", notes: row.notes, url: row.url, publishedAt: row.published_at } : null,
    };
  }

  return {
    status,

    /** Asks the feed; being offline is nothing to make noise about. */
    async check(): Promise<void> {
      if (!settings.enabled) return;
      const look = await askFeed();
      if ("problem" in look) deps.log.debug({ problem: look.problem }, "the release feed did not answer");
      else deps.log.debug({ newest: look.newest?.version ?? null }, "the release feed answered");
      await keep(look);
    },

    /** A new instance, and one that was off for long, need not wait for the first interval to pass. */
    async start(): Promise<void> {
      if (!settings.enabled) return;
      const row = await db.read("updates.status", repo.find);
      if (row !== null && clock.now() - row.checked_at < settings.interval) return;
      await db.write("updates.ask", async (tx) => void (await deps.schedule.request(tx, jobId)));
      deps.schedule.nudge();
    },

    async findings(): Promise<Finding[]> {
      const { enabled, available, checkedAt, knownAt, problem } = await status();
      const found = (name: string, state: Finding["state"], params: Finding["params"] = {}) => [
        { id: `updates.${name}`, state, params },
      ];
      const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");
      if (!enabled) return found("off", "ok");
      if (available !== null) return found("available", "warning", { version: available.version, running });
      if (checkedAt === null) return found("notYet", "ok");
      if (problem === null) return found("current", "ok", { running });
      if (knownAt === null) return found("neverKnown", "ok", { since: day(checkedAt), problem });
      return found("unknown", "warning", { since: day(knownAt), problem });
    },
  };
}

export type UpdatesService = ReturnType<typeof createUpdatesService>;
