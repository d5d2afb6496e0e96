import { type Actor, actorName } from "#core/actor.ts";
import type { Clock, Log, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { rolesChanged } from "./access.contract.ts";
import { differences } from "./access.editing.policy.ts";
import * as limitsRepo from "./access.limits.repo.ts";
import { defaultJob, type Grants, type Limits } from "./access.policy.ts";
import * as repo from "./access.repo.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly log: Log;
  /** This process's copy is old. */
  readonly forget: () => void;
}

export interface RoleChange {
  /** For the audit trail. */
  readonly action: string;
  readonly job: string;
  readonly grade: number;
  /** As `lock` gave it. */
  readonly role: repo.StoredRole | null;
  /** Null deletes the role. */
  readonly after: Grants | null;
}

/** Where the history of a role stands: the default role moves with `game.startJobGrade`, its history does not. */
export function historyGrade(job: string, grade: number): number {
  return job === defaultJob ? 0 : grade;
}

/** Writes roles and limits: each with its history, audit entry and event, in the caller's unit of work. */
export function createRoleStore(deps: StoreDeps) {
  async function announce(tx: Tx, job: string, epoch: number): Promise<void> {
    await deps.outbox.emit(tx, rolesChanged, { key: `role/${job}`, version: epoch, payload: { job, epoch } });
    tx.afterCommit(() => {
      deps.log.debug({ job, epoch }, "roles changed");
      deps.forget();
    });
  }

  return {
    /** Makes changes of roles and limits wait for each other, then gives this one as it is. */
    async lock(tx: Tx, job: string, grade: number): Promise<repo.StoredRole | null> {
      await repo.raiseEpoch(tx);
      const roles = await repo.readRoles(tx, job);
      return roles.find((role) => role.grade === grade) ?? null;
    },

    /** Saying the same again writes nothing. */
    async put(tx: Tx, actor: Actor, { action, job, grade, role, after }: RoleChange): Promise<void> {
      const was = role?.grants ?? null;
      const changes = differences(was, after);
      if (changes.length === 0 && (was === null) === (after === null)) return;
      const at = deps.clock.now();
      const of = historyGrade(job, grade);
      const [last] = await repo.newestRevisions(tx, job, of, 1);
      const version = Math.max(last?.version ?? 0, role?.version ?? 0) + 1;
      if (after === null) {
        if (role) await repo.deleteRole(tx, role.id);
      } else {
        const id = role?.id ?? (await repo.insertRole(tx, job, grade, version, at));
        if (role) await repo.touchRole(tx, id, version, at);
        await repo.removeGrants(
          tx,
          id,
          changes.filter((change) => change.after === null).map(({ permission }) => permission),
        );
        await repo.putGrants(
          tx,
          id,
          changes.flatMap((change) => (change.after === null ? [] : [[change.permission, change.after] as const])),
        );
      }
      await repo.insertRevision(tx, job, of, { version, at, by: actorName(actor), was, became: after });
      await deps.audit.record(tx, actor, {
        action,
        object: { kind: "role", id: `${job}/${grade}` },
        before: Object.fromEntries(changes.map((change) => [change.permission, change.before])),
        after: Object.fromEntries(changes.map((change) => [change.permission, change.after])),
      });
      await announce(tx, job, await repo.readEpoch(tx));
    },

    async putLimits(
      tx: Tx,
      actor: Actor,
      { action, job, before, after }: { action: string; job: string; before: limitsRepo.StoredLimits; after: Limits | null },
    ): Promise<void> {
      const plain = (limits: Limits | null) => limits && Object.fromEntries(limits);
      const at = deps.clock.now();
      const version = before.version + 1;
      await limitsRepo.putLimits(tx, job, { version, limits: after }, at);
      await limitsRepo.insertLimitsRevision(tx, job, { version, at, by: actorName(actor), was: before.limits, became: after });
      await deps.audit.record(tx, actor, {
        action,
        object: { kind: "limits", id: job },
        before: { limits: plain(before.limits) },
        after: { limits: plain(after) },
      });
      await announce(tx, job, await repo.readEpoch(tx));
    },
  };
}

export type RoleStore = ReturnType<typeof createRoleStore>;
