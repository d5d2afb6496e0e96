import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { FilesApi, OwnedPictures } from "#features/files/files.api.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import { avatarChanged, avatarKind, citizensErrors, putAvatar } from "./citizens.contract.ts";
import { seesAvatar } from "./citizens.policy.ts";
import { namesOfCitizens } from "./citizens.reads.ts";

export interface AvatarDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly files: FilesApi;
}

/** The picture that players give their own character. */
export class AvatarsService {
  readonly #deps: AvatarDeps;
  readonly #avatars: OwnedPictures;

  constructor(deps: AvatarDeps) {
    this.#deps = deps;
    this.#avatars = deps.files.registerPicture({
      kind: avatarKind,
      namespace: "avatars",
      square: true,
      action: putAvatar.id,
      objectOf: (owner) => ({ kind: "citizen", id: Number(owner) }),
      async mayUpload(_tx, viewer, owner) {
        if (owner !== String(viewer.characterId)) throw new AppError(citizensErrors.otherCharacter);
      },
      async mayView(tx, viewer, owners) {
        const seen = owners.map(Number).filter((id) => seesAvatar(viewer, id));
        return new Set([...(await namesOfCitizens(tx, seen)).keys()].map(String));
      },
      async labels(tx, owners) {
        const names = await namesOfCitizens(tx, owners.map(Number));
        return new Map([...names].map(([id, name]) => [String(id), name]));
      },
      changed: async (tx, owner) => await this.#emitChanged(tx, owner),
    });
  }

  /** Addresses of the avatars of these citizens, for this session. */
  async of(tx: Tx, account: Pick<AccountActor, "sessionId">, ids: readonly number[]): Promise<Map<number, FileAddress>> {
    const found = await this.#avatars.of(tx, account, ids.map(String));
    return new Map([...found].map(([owner, address]) => [Number(owner), address]));
  }

  async own(viewer: Viewer): Promise<{ avatar: FileAddress | null }> {
    const id = viewer.characterId;
    return await this.#deps.db.read("citizens.getAvatar", async (tx) => {
      return { avatar: (await this.of(tx, viewer, [id])).get(id) ?? null };
    });
  }

  async put(call: CallContext, file: number | null): Promise<{ avatar: FileAddress | null }> {
    return { avatar: await this.#avatars.put(call, String(call.viewer().characterId), file) };
  }

  /** Releases the avatars of citizens that were purged. */
  async release(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.#avatars.release(tx, ids.map(String));
  }

  async #emitChanged(tx: Tx, owner: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, avatarChanged, { key: `avatar/${owner}`, version: clock.now(), payload: { id: Number(owner) } });
  }
}
