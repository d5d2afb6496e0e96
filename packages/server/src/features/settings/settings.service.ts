import { type Actor, actorName } from "#core/actor.ts";
import { writeAnew } from "#core/db/anew.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "./settings.api.ts";
import { defaultSettings, type Revision, type Settings, settingsChanged, settingsErrors } from "./settings.contract.ts";
import { changesBetween, complete, takeBack } from "./settings.policy.ts";
import * as repo from "./settings.repo.ts";

/** A copy is trusted this long when no event said that it is old. */
const copyMs = 2000;
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

export function createSettingsService(deps: SettingsDeps) {
  const listeners: ((settings: Settings) => void)[] = [];
  let copy: Versioned & { readonly at: number } = {
    version: 0,
    settings: defaultSettings,
    at: Number.NEGATIVE_INFINITY,
  };
  let reading: Promise<Settings> | null = null;
  /** How many changes this process heard of. */
  let changes = 0;

  async function stored(tx: Tx): Promise<Versioned> {
    const found = await repo.latest(tx);
    return { version: found?.version ?? 0, settings: complete(found?.document) };
  }

  async function read(): Promise<Settings> {
    const [at, began] = [deps.clock.monotonic(), changes];
    const found = await deps.db.read("settings.read", stored);
    if (found.version < copy.version) return copy.settings;
    const changed = found.version !== copy.version;
    // A change during the read may not be in it: then the copy is old already.
    copy = { ...found, at: began === changes ? at : Number.NEGATIVE_INFINITY };
    if (changed) for (const listener of listeners) listener(found.settings);
    return found.settings;
  }

  function forget(): void {
    changes += 1;
    copy = { ...copy, at: Number.NEGATIVE_INFINITY };
  }

  async function current(): Promise<Settings> {
    for (;;) {
      if (deps.clock.monotonic() - copy.at < copyMs) return copy.settings;
      const asked = changes;
      reading ??= read().finally(() => (reading = null));
      const settings = await reading;
      if (asked === changes) return settings;
    }
  }

  /** Writes `after` as the next version; the same settings again write nothing. */
  async function write(tx: Tx, actor: Actor, before: Versioned, after: Settings): Promise<Versioned> {
    checkLocale(after.display.locale);
    const differing = changesBetween(before.settings, after);
    if (differing.length === 0) return before;
    const version = before.version + 1;
    await repo.insert(tx, { version, at: deps.clock.now(), by: actorName(actor), document: after });
    await deps.audit.record(tx, actor, {
      action: "settings.change",
      object: { kind: "settings", id: version },
      before: Object.fromEntries(differing.map((change) => [change.path, change.before])),
      after: Object.fromEntries(differing.map((change) => [change.path, change.after])),
    });
    await deps.outbox.emit(tx, settingsChanged, { key: "settings", version, payload: { version } });
    tx.afterCommit(forget);
    return { version, settings: after };
  }

  const api: SettingsApi = {
    known: () => copy.settings,
    current,
    read: async (tx) => (await stored(tx)).settings,
    async change(tx, actor, edit) {
      const before = await stored(tx);
      return (await write(tx, actor, before, edit(before.settings))).settings;
    },
    onChange: (listener) => void listeners.push(listener),
  };

  async function changed(work: (tx: Tx) => Promise<Versioned>): Promise<Versioned> {
    const result = await writeAnew(deps.db, "settings.change", work);
    await read();
    return result;
  }

  return {
    api,
    heardChange() {
      forget();
      void current().catch(() => undefined);
    },
    start: async () => void (await read()),
    get: async () => await deps.db.read("settings.get", stored),

    put: async (call: CallContext, { version, settings }: Versioned) =>
      await changed(async (tx) => {
        const before = await stored(tx);
        if (before.version !== version) throw new AppError(settingsErrors.stale, { extra: { current: before } });
        return await write(tx, call.actor, before, settings);
      }),

    async history(): Promise<{ revisions: Revision[] }> {
      const found = await deps.db.read("settings.history", async (tx) => await repo.newest(tx, shownRevisions + 1));
      const revisions = found.slice(0, shownRevisions).map(({ version, at, by, document }, index) => {
        const before = complete(found[index + 1]?.document);
        return { version, at, by, changes: changesBetween(before, complete(document)) };
      });
      return { revisions };
    },

    undo: async (call: CallContext, version: number) =>
      await changed(async (tx) => {
        const undone = await repo.find(tx, version);
        if (!undone) throw new AppError(settingsErrors.revisionUnknown, { params: { version } });
        const earlier = complete((await repo.find(tx, version - 1))?.document);
        const before = await stored(tx);
        const undoing = changesBetween(earlier, complete(undone.document));
        return await write(tx, call.actor, before, takeBack(before.settings, undoing));
      }),
  };
}

export type SettingsService = ReturnType<typeof createSettingsService>;
