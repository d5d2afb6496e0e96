import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { type Draft, draftLimits, draftsErrors } from "./drafts.contract.ts";
import { beyond, isTooLarge } from "./drafts.policy.ts";
import * as repo from "./drafts.repo.ts";

export interface DraftsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly citizens: CitizensApi;
}

/** Which draft; without a character, the one of the account itself. */
interface Which {
  readonly form: string;
  readonly characterId?: number | undefined;
}

/**
 * Keeps what people have typed and not sent. It changes nothing that anybody else sees, and may hold what
 * a person decided not to say: so no audit entry, and no event.
 */
export class DraftsService {
  readonly #deps: DraftsDeps;

  constructor(deps: DraftsDeps) {
    this.#deps = deps;
  }

  async get(call: CallContext, which: Which): Promise<{ draft: Draft | null }> {
    const row = await this.#deps.db.read("drafts.get", async (tx) => await repo.find(tx, await this.#keyOf(tx, call, which)));
    if (!row || row.saved_at < this.#deps.clock.now() - draftLimits.keptMs) return { draft: null };
    const { base_version, value, device, saved_at } = row;
    return { draft: { baseVersion: base_version, value: JSON.parse(value) as unknown, device, savedAt: saved_at } };
  }

  async put(call: CallContext, which: Which, draft: Omit<Draft, "savedAt">): Promise<{ savedAt: number }> {
    const { db, clock } = this.#deps;
    const value = JSON.stringify(draft.value);
    if (isTooLarge(value)) throw new AppError(draftsErrors.tooLarge, { params: { most: draftLimits.bytes / 1024 } });
    return await retryOnDuplicate(db, "drafts.put", async (tx) => {
      const key = await this.#keyOf(tx, call, which);
      const rows = await repo.ofAccount(tx, key.account_id);
      const isSame = (row: repo.DraftKey) => row.form === key.form && row.character_id === key.character_id;
      const savedAt = clock.now();
      const row = { ...key, base_version: draft.baseVersion, value, device: draft.device, saved_at: savedAt };
      if (rows.some(isSame)) await repo.update(tx, row);
      else {
        for (const old of beyond(rows)) await repo.remove(tx, old);
        await repo.insert(tx, row);
      }
      return { savedAt };
    });
  }

  async remove(call: CallContext, which: Which): Promise<void> {
    await this.#deps.db.write("drafts.remove", async (tx) => await repo.remove(tx, await this.#keyOf(tx, call, which)));
  }

  async removeOld(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.removeOld(tx, before, limit);
  }

  async purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await repo.purgeAccounts(tx, accountIds);
  }

  async #keyOf(tx: Tx, call: CallContext, { form, characterId }: Which): Promise<repo.DraftKey> {
    const { accountId: account_id, licence } = call.account();
    if (characterId === undefined) return { account_id, character_id: 0, form };
    const character = await this.#deps.citizens.character(tx, characterId);
    if (character?.licence !== licence) throw new AppError(draftsErrors.characterUnknown);
    return { account_id, character_id: characterId, form };
  }
}
