import type { PreferenceDefinition } from "#core/contract/index.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { type Preference, preferenceLimits, preferencesChanged, preferencesErrors } from "./preferences.contract.ts";
import { problemOf, readStored, storedText, tooMuch } from "./preferences.policy.ts";
import * as repo from "./preferences.repo.ts";

export interface PreferencesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly citizens: CitizensApi;
  readonly registry: Registry;
}

interface NewValue {
  readonly characterId?: number;
  readonly value: unknown;
  /** That the caller has seen; without it the last write wins. */
  readonly version?: number;
}

/** Keeps what people chose. */
export class PreferencesService {
  readonly #deps: PreferencesDeps;

  constructor(deps: PreferencesDeps) {
    this.#deps = deps;
  }

  async list(call: CallContext): Promise<{ items: Preference[] }> {
    const { accountId } = call.account();
    const rows = await this.#deps.db.read("preferences.list", async (tx) => await repo.ofAccount(tx, accountId));
    const known = new Map(this.#deps.registry.preferences().map((one) => [one.id, one]));
    return {
      items: rows.flatMap((row) => {
        const definition = known.get(row.name);
        return definition ? [outputOf(definition, row)] : [];
      }),
    };
  }

  async put(call: CallContext, name: string, { characterId, value, version: seen }: NewValue): Promise<Preference> {
    const { db, clock } = this.#deps;
    const definition = this.#find(name);
    const problem = problemOf(definition, value);
    if (problem) throw new AppError(preferencesErrors.valueInvalid, { params: { name, ...problem } });
    return await retryOnDuplicate(db, "preferences.put", async (tx) => {
      const key = await this.#keyOf(tx, call, definition, characterId);
      const rows = await this.#withoutGone(tx, await repo.ofAccount(tx, key.account_id));
      const isSame = (row: repo.PreferenceKey) => row.name === key.name && row.character_id === key.character_id;
      const before = rows.find(isSame);
      if (seen !== undefined && seen !== (before?.version ?? 0)) {
        const current = before ? outputOf(definition, before) : null;
        throw new AppError(preferencesErrors.stale, { extra: { current } });
      }
      const text = storedText(definition, value);
      if (before?.value === text) return outputOf(definition, before);
      const others = rows.filter((row) => !isSame(row)).map((row) => row.value);
      requireRoom(name, text, others);
      const row = { ...key, value: text, version: (before?.version ?? 0) + 1, updated_at: clock.now() };
      await repo.put(tx, row);
      await this.#changed(tx, call, key);
      return outputOf(definition, row);
    });
  }

  async purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await repo.purgeAccounts(tx, accountIds);
  }

  async purgeCharacters(tx: Tx, characterIds: readonly number[]): Promise<void> {
    await repo.purgeCharacters(tx, characterIds);
  }

  /** Deletes the rows of characters that were removed, which nobody can reach any more; returns the others. */
  async #withoutGone(tx: Tx, rows: readonly repo.StoredPreference[]): Promise<readonly repo.StoredPreference[]> {
    const ids = [...new Set(rows.map((row) => row.character_id))].filter((id) => id !== 0);
    if (ids.length === 0) return rows;
    const kept = new Set(await this.#deps.citizens.stored(tx, ids));
    const gone = ids.filter((id) => !kept.has(id));
    if (gone.length === 0) return rows;
    await repo.removeCharacters(tx, rows[0]!.account_id, gone);
    return rows.filter((row) => !gone.includes(row.character_id));
  }

  #find(name: string): PreferenceDefinition {
    const found = this.#deps.registry.preferences().find(({ id }) => id === name);
    if (!found) throw new AppError(preferencesErrors.nameUnknown, { params: { name } });
    return found;
  }

  async #keyOf(
    tx: Tx,
    call: CallContext,
    { id: name, per }: PreferenceDefinition,
    characterId: number | undefined,
  ): Promise<repo.PreferenceKey> {
    const { accountId: account_id, licence } = call.account();
    if (per === "account") {
      if (characterId !== undefined) throw new AppError(preferencesErrors.notPerCharacter, { params: { name } });
      return { account_id, character_id: 0, name };
    }
    if (characterId === undefined) throw new AppError(preferencesErrors.characterNeeded, { params: { name } });
    const character = await this.#deps.citizens.character(tx, characterId);
    if (character?.licence !== licence) throw new AppError(preferencesErrors.characterUnknown);
    return { account_id, character_id: characterId, name };
  }

  /**
   * Display preferences can be switched to and fro as often as somebody likes, so an entry stands for all changes of
   * a minute. It names no value: a saved view may hold the name of somebody who is searched for.
   */
  async #changed(tx: Tx, call: CallContext, { account_id, name }: repo.PreferenceKey) {
    const { audit, outbox, clock } = this.#deps;
    await audit.recordFolded(tx, call.actor, { action: "preferences.put", object: { kind: "account", id: account_id } });
    await outbox.emit(tx, preferencesChanged, {
      key: `account/${account_id}/preferences`,
      version: clock.now(),
      payload: { accountId: account_id, name },
    });
  }
}

function outputOf(definition: PreferenceDefinition, row: repo.StoredPreference): Preference {
  const { name, character_id, version } = row;
  return { name, characterId: character_id === 0 ? null : character_id, value: readStored(definition, row.value), version };
}

function requireRoom(name: string, text: string, others: readonly string[]): void {
  const beyond = tooMuch(text, others);
  if (beyond === "one") throw new AppError(preferencesErrors.tooLarge, { params: { name, most: preferenceLimits.one / 1024 } });
  if (beyond === "all") throw new AppError(preferencesErrors.full, { params: { most: preferenceLimits.all / 1024 } });
}
