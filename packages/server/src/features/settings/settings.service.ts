import { type Actor, actorName } from "#core/actor.ts";
import { CachedValue } from "#core/cached.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi, SettingsCheck } from "./settings.api.ts";
import {
  defaultSettings,
  keptByUndo,
  type Revision,
  type Settings,
  settingsChanged,
  settingsErrors,
} from "./settings.contract.ts";
import { changesBetween, complete, undoChanges } from "./settings.policy.ts";
import * as repo from "./settings.repo.ts";

/** How long the cached settings are used when no event invalidated them. */
const cacheTtlMs = 2000;
const shownRevisions = 100;

export interface SettingsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
}

interface Versioned {
  readonly version: number;
  readonly settings: Settings;
}

function checkLocale(tag: string): void {
  if (tag === "") return;
  try {
    new Intl.NumberFormat(tag).format(1);
  } catch (error) {
    throw new AppError(settingsErrors.languageTagUnknown, { params: { tag }, cause: error });
  }
}

async function stored(tx: Tx): Promise<Versioned> {
  const found = await repo.latest(tx);
  return { version: found?.version ?? 0, settings: complete(found?.document) };
}

/** Reads and changes the application settings, of which this process caches one version. */
export class SettingsService {
  readonly api: SettingsApi = {
    known: () => this.#newest.settings,
    current: async () => (await this.#cache.get()).settings,
    read: async (tx) => (await stored(tx)).settings,
    change: async (tx, actor, edit) => {
      const before = await stored(tx);
      return (await this.#write(tx, actor, before, edit(before.settings))).settings;
    },
    addCheck: (check) => void this.#checks.push(check),
  };
  readonly #deps: SettingsDeps;
  readonly #checks: SettingsCheck[] = [];
  readonly #cache: CachedValue<Versioned>;
  /** The highest version that was read; the cache says whether it is still current. */
  #newest: Versioned = { version: 0, settings: defaultSettings };

  constructor(deps: SettingsDeps) {
    this.#deps = deps;
    this.#cache = new CachedValue({ clock: deps.clock, ttlMs: cacheTtlMs, load: async () => await this.#load() });
  }

  async start(): Promise<void> {
    await this.#cache.reload();
  }

  /** Reloads in the background, for callers of `known`. */
  invalidate(): void {
    this.#cache.invalidate();
    void this.#cache.get().catch(() => undefined);
  }

  async get(): Promise<Versioned> {
    return await this.#deps.db.read("settings.get", stored);
  }

  async put(
    call: CallContext,
    { version, settings, confirmed = [] }: Versioned & { readonly confirmed?: readonly string[] },
  ): Promise<Versioned> {
    return await this.#change(async (tx) => {
      const before = await stored(tx);
      if (before.version !== version) throw new AppError(settingsErrors.stale, { extra: { current: before } });
      return await this.#write(tx, call.actor, before, settings, confirmed);
    });
  }

  async history(): Promise<{ revisions: Revision[] }> {
    const found = await this.#deps.db.read("settings.history", async (tx) => await repo.newest(tx, shownRevisions + 1));
    const revisions = found.slice(0, shownRevisions).map(({ version, at, by, document }, index) => {
      const before = complete(found[index + 1]?.document);
      return { version, at, by, changes: changesBetween(before, complete(document)) };
    });
    return { revisions };
  }

  async undo(call: CallContext, version: number): Promise<Versioned> {
    return await this.#change(async (tx) => {
      const undone = await repo.find(tx, version);
      if (!undone) throw new AppError(settingsErrors.revisionUnknown, { params: { version } });
      const earlier = complete((await repo.find(tx, version - 1))?.document);
      const before = await stored(tx);
      const made = changesBetween(earlier, complete(undone.document));
      const undoing = made.filter(({ path }) => !keptByUndo.includes(path));
      if (made.length > 0 && undoing.length === 0) throw new AppError(settingsErrors.setupStaysFinished);
      return await this.#write(tx, call.actor, before, undoChanges(before.settings, undoing));
    });
  }

  /** Never an older version than the last one: reads may end in another order than they began. */
  async #load(): Promise<Versioned> {
    const found = await this.#deps.db.read("settings.read", stored);
    if (found.version < this.#newest.version) return this.#newest;
    this.#newest = found;
    return found;
  }

  async #change(work: (tx: Tx) => Promise<Versioned>): Promise<Versioned> {
    const result = await retryOnDuplicate(this.#deps.db, "settings.change", work);
    await this.#cache.get();
    return result;
  }

  /** Writes `after` as the next version; unchanged settings write nothing. */
  async #write(tx: Tx, actor: Actor, before: Versioned, after: Settings, confirmed: readonly string[] = []): Promise<Versioned> {
    const { audit, clock, outbox } = this.#deps;
    checkLocale(after.display.locale);
    const differing = changesBetween(before.settings, after);
    if (differing.length === 0) return before;
    for (const check of this.#checks) await check(tx, actor, before.settings, after, confirmed);
    const version = before.version + 1;
    await repo.insert(tx, { version, at: clock.now(), by: actorName(actor), document: after });
    await audit.record(tx, actor, {
      action: "settings.change",
      object: { kind: "settings", id: version },
      before: Object.fromEntries(differing.map((change) => [change.path, change.before])),
      after: Object.fromEntries(differing.map((change) => [change.path, change.after])),
    });
    await outbox.emit(tx, settingsChanged, {
      key: "settings",
      version,
      payload: { version, changed: differing.map(({ path }) => path) },
    });
    return { version, settings: after };
  }
}
