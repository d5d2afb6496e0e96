import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { FilesApi } from "#features/files/files.api.ts";
import { type FileAddress, pictureTypes } from "#features/files/files.contract.ts";
import { avatarChanged, avatarKind, citizensErrors } from "./citizens.contract.ts";
import { namesOfCitizens } from "./citizens.reads.ts";

const mostBytes = 32 * 1024 * 1024;

export interface AvatarDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly files: FilesApi;
}

/** The picture that a player gives the own character. */
export function createAvatars({ db, clock, outbox, audit, files }: AvatarDeps) {
  async function announce(tx: Tx, owner: string): Promise<void> {
    await outbox.emit(tx, avatarChanged, { key: `avatar/${owner}`, version: clock.now(), payload: { id: Number(owner) } });
  }

  const avatars = files.register({
    kind: avatarKind,
    namespace: "avatars",
    types: pictureTypes,
    maxBytes: mostBytes,
    picture: { maxEdge: 512, square: true },
    most: 1,
    async mayUpload(_tx, viewer, owner) {
      if (owner !== String(viewer.characterId)) throw new AppError(citizensErrors.otherCharacter);
    },
    async labels(tx, owners) {
      const names = await namesOfCitizens(tx, owners.map(Number));
      return new Map([...names].map(([id, name]) => [String(id), name]));
    },
    lost: announce,
  });

  return {
    /** Addresses of the avatars of these citizens, for this session. */
    async of(tx: Tx, account: Pick<AccountActor, "sessionId">, ids: readonly number[]): Promise<Map<number, FileAddress>> {
      const found = await avatars.of(tx, ids.map(String));
      return new Map(
        [...found].flatMap(([owner, [file]]) => (file === undefined ? [] : [[Number(owner), files.address(account, file)]])),
      );
    },

    own: async (viewer: Viewer): Promise<{ avatar: FileAddress | null }> =>
      await db.read("citizens.getAvatar", async (tx) => {
        const [file] = (await avatars.of(tx, [String(viewer.characterId)])).get(String(viewer.characterId)) ?? [];
        return { avatar: file === undefined ? null : files.address(viewer, file) };
      }),

    async put(call: CallContext, file: number | null): Promise<{ avatar: FileAddress | null }> {
      const viewer: Viewer = call.viewer();
      const id = viewer.characterId;
      const owner = String(id);
      await db.write("citizens.putAvatar", async (tx) => {
        const [before = null] = (await avatars.of(tx, [owner])).get(owner) ?? [];
        if (before === file) return;
        if (file === null) await avatars.release(tx, owner);
        else await avatars.attach(tx, viewer, owner, file);
        await audit.record(tx, call.actor, {
          action: "citizens.putAvatar",
          object: { kind: "citizen", id },
          before: { file: before },
          after: { file },
        });
        await announce(tx, owner);
      });
      return { avatar: file === null ? null : files.address(viewer, file) };
    },

    /** They are gone for good, and with them what they showed. */
    async forget(tx: Tx, ids: readonly number[]): Promise<void> {
      for (const owner of (await avatars.of(tx, ids.map(String))).keys()) await avatars.release(tx, owner);
    },
  };
}

export type Avatars = ReturnType<typeof createAvatars>;
