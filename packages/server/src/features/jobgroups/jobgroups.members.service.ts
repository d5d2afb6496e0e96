import type { Viewer } from "#core/actor.ts";
import type { NotificationDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import {
  addedByHand,
  changeLeaders,
  changeMembers,
  jobgroupsErrors,
  madeLeader,
  mostByHand,
  mostLeaders,
  type People,
  removedByHand,
} from "./jobgroups.contract.ts";
import * as repo from "./jobgroups.members.repo.ts";
import { requireAbility } from "./jobgroups.policy.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { FoundGroup, ShownGroups } from "./jobgroups.shown.service.ts";

export interface MembersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
}

/** What differs between members by hand and leaders. */
interface Post {
  readonly action: string;
  readonly table: repo.PostTable;
  readonly most: number;
  readonly full: (typeof jobgroupsErrors)["membersFull" | "leadersFull"];
  readonly added: NotificationDefinition;
  readonly removed: NotificationDefinition | null;
}

const byHand: Post = {
  ...{ action: changeMembers.id, table: "jobgroups_hand", most: mostByHand, full: jobgroupsErrors.membersFull },
  ...{ added: addedByHand, removed: removedByHand },
};
const leading: Post = {
  ...{ action: changeLeaders.id, table: "jobgroups_leaders", most: mostLeaders, full: jobgroupsErrors.leadersFull },
  ...{ added: madeLeader, removed: null },
};

/** Who is in a group by hand, and who leads it. */
export class GroupMembers {
  readonly #deps: MembersDeps;

  constructor(deps: MembersDeps) {
    this.#deps = deps;
  }

  async changeMembers(call: CallContext, id: number, people: People): Promise<{ undo: People }> {
    return await this.#change(call, id, people, byHand, (viewer, { row, relation }) => {
      requireAbility(viewer, "hand", relation);
      if (row.membership === "rule" && people.add.length > 0)
        throw new AppError(jobgroupsErrors.notByHand, { params: { name: row.name } });
    });
  }

  async changeLeaders(call: CallContext, id: number, people: People): Promise<{ undo: People }> {
    return await this.#change(call, id, people, leading, (viewer, { relation }) => requireAbility(viewer, "manage", relation));
  }

  async #change(
    call: CallContext,
    id: number,
    { add, remove }: People,
    post: Post,
    require: (viewer: Viewer, found: FoundGroup) => void,
  ): Promise<{ undo: People }> {
    const { db, clock, resolver } = this.#deps;
    const viewer = call.viewer();
    return await db.write(post.action, async (tx) => {
      const found = await this.#deps.shown.find(tx, viewer, id);
      require(viewer, found);
      const held = new Set((await repo.postsIn(tx, post.table, id)).map(({ citizen_id }) => citizen_id));
      const fresh = add.filter((one) => !held.has(one) && !remove.includes(one));
      const gone = remove.filter((one) => held.has(one));
      const grades = await repo.gradesOf(tx, viewer.job, fresh);
      if (fresh.some((one) => !grades.has(one))) throw new AppError(jobgroupsErrors.personUnknown);
      if (fresh.length > 0 && held.size + fresh.length - gone.length > post.most)
        throw new AppError(post.full, { params: { most: post.most } });
      if (fresh.length + gone.length > 0) {
        const row = { group_id: id, job: viewer.job, added_by: viewer.characterId, added_at: clock.now() };
        await repo.addPosts(
          tx,
          post.table,
          fresh.map((citizen_id) => ({ ...row, citizen_id })),
        );
        await repo.removePosts(tx, post.table, id, gone);
        await resolver.people(tx, viewer.job, [...fresh, ...gone]);
        // Also where nobody came or left: who leads is shown, and decides what that person may do.
        await resolver.announce(tx, viewer.job, [...fresh, ...gone]);
        await this.#record(tx, call, found, post, { fresh, gone });
      }
      return { undo: { add: gone, remove: fresh } };
    });
  }

  async #record(
    tx: Tx,
    call: CallContext,
    { row: { id, name } }: FoundGroup,
    post: Post,
    { fresh, gone }: { readonly fresh: readonly number[]; readonly gone: readonly number[] },
  ): Promise<void> {
    const viewer = call.viewer();
    const names = await namesOfCitizens(tx, [...fresh, ...gone]);
    const called = (ids: readonly number[]) => ids.map((one) => names.get(one) ?? `CIT-${one}`).join(", ");
    const info = { job: viewer.job, added: called(fresh), removed: called(gone) };
    await this.#deps.audit.record(tx, call.actor, { action: post.action, object: { kind: "jobgroups.group", id, name }, info });
    const params = { group: name, by: viewer.characterName };
    for (const [kind, ids] of [
      [post.added, fresh],
      [post.removed, gone],
    ] as const) {
      const others = ids.filter((one) => one !== viewer.characterId);
      if (kind === null || others.length === 0) continue;
      const recipients = await accountsPlaying(tx, others);
      // Somebody who was removed may no longer see the group.
      const link = kind === post.removed ? "/groups" : `/groups/${id}`;
      if (recipients.length > 0)
        await this.#deps.notifications.notify(tx, kind, { recipients, params, link, key: `group/${id}` });
    }
  }
}
