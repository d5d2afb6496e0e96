import { type Actor, actorName } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Log, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { accessErrors, type AccessRevision, rolesChanged } from "./access.contract.ts";
import { type AffectedGrades, affectedGrades, namedChanges } from "./access.affected.policy.ts";
import { differences, revertGrants, withRole } from "./access.editing.policy.ts";
import * as limitsRepo from "./access.limits.repo.ts";
import { defaultJob, type Grants, type Limits, type RoleName, type Rules } from "./access.policy.ts";
import * as repo from "./access.repo.ts";

const shownRevisions = 100;

export interface StoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly log: Log;
  /** As of a unit of work. */
  readonly rules: (tx: Tx) => Promise<Rules>;
}

/** What a change of a role became. */
export interface WrittenRole {
  /** Null where nothing was written, because the role says the same already. */
  readonly version: number | null;
  readonly affected: readonly AffectedGrades[];
}

export interface RoleChange extends RoleName {
  /** For the audit log. */
  readonly action: string;
  /** As `lock` returned it. */
  readonly role: repo.StoredRole | null;
  /** Null deletes the role. */
  readonly after: Grants | null;
}

export interface LimitsUpdate {
  /** For the audit log. */
  readonly action: string;
  readonly job: string;
  readonly before: limitsRepo.StoredLimits;
  readonly after: Limits | null;
}

/** The grade of a role in its history. The default role follows `game.startJobGrade`; its history stays at grade 0. */
function historyGrade({ job, grade }: RoleName): number {
  return job === defaultJob ? 0 : grade;
}

/** Writes roles and limits, each with its history, audit entry and event, in the caller's unit of work. */
export class RoleStore {
  readonly #deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  /** Makes changes of roles and limits wait for each other, then returns this role as it is. */
  async lock(tx: Tx, job: string, grade: number): Promise<repo.StoredRole | null> {
    await repo.raiseEpoch(tx);
    const roles = await repo.readRoles(tx, job);
    return roles.find((role) => role.grade === grade) ?? null;
  }

  /** Writes nothing when the role already says the same. */
  async put(tx: Tx, actor: Actor, { action, job, grade, role, after }: RoleChange): Promise<WrittenRole> {
    const was = role?.grants ?? null;
    const changes = differences(was, after);
    if (changes.length === 0 && (was === null) === (after === null)) return { version: null, affected: [] };
    const rules = await this.#deps.rules(tx);
    const affected = affectedGrades(rules, { ...rules, roles: withRole(rules.roles, job, grade, after) }, job);
    const at = this.#deps.clock.now();
    const of = historyGrade({ job, grade });
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
    await this.#deps.audit.record(tx, actor, {
      action,
      object: { kind: "role", id: `${job}/${grade}` },
      before: Object.fromEntries(changes.map((change) => [change.permission, change.before])),
      after: Object.fromEntries(changes.map((change) => [change.permission, change.after])),
    });
    await this.#emitChanged(tx, actor, job, affected);
    return { version, affected };
  }

  /** The last hundred changes of a role, newest first. */
  async revisions(tx: Tx, role: RoleName): Promise<AccessRevision[]> {
    const found = await repo.newestRevisions(tx, role.job, historyGrade(role), shownRevisions);
    return found.map(({ version, at, by, was, became }) => ({
      version,
      at,
      by,
      changes: structuredClone(differences(was, became)) as AccessRevision["changes"],
    }));
  }

  /**
   * The grants of a role without one of its changes; null when that change created the role and
   * nothing else is in it. Throws `access.revisionUnknown`.
   */
  async grantsWithout(tx: Tx, { job, grade }: RoleName, role: repo.StoredRole | null, version: number): Promise<Grants | null> {
    const revision = await repo.findRevision(tx, job, historyGrade({ job, grade }), version);
    if (!revision) throw new AppError(accessErrors.revisionUnknown, { params: { version } });
    const after = revertGrants(role?.grants ?? new Map(), differences(revision.was, revision.became));
    return revision.was === null && after.size === 0 ? null : after;
  }

  async putLimits(tx: Tx, actor: Actor, { action, job, before, after }: LimitsUpdate): Promise<readonly AffectedGrades[]> {
    const plain = (limits: Limits | null) => limits && Object.fromEntries(limits);
    const at = this.#deps.clock.now();
    const version = before.version + 1;
    const rules = await this.#deps.rules(tx);
    const limits = new Map([...rules.limits].filter(([name]) => name !== job));
    if (after !== null) limits.set(job, after);
    const affected = affectedGrades(rules, { ...rules, limits }, job);
    await limitsRepo.putLimits(tx, job, { version, limits: after }, at);
    await limitsRepo.insertLimitsRevision(tx, job, { version, at, by: actorName(actor), was: before.limits, became: after });
    await this.#deps.audit.record(tx, actor, {
      action,
      object: { kind: "limits", id: job },
      before: { limits: plain(before.limits) },
      after: { limits: plain(after) },
    });
    await this.#emitChanged(tx, actor, job, affected);
    return affected;
  }

  async #emitChanged(tx: Tx, actor: Actor, job: string, grades: readonly AffectedGrades[]): Promise<void> {
    const { outbox, log } = this.#deps;
    const epoch = await repo.readEpoch(tx);
    const affected = grades.map(({ from, to, ...changes }) => ({ from, to, ...namedChanges(changes) }));
    const byAccount = "accountId" in actor ? actor.accountId : null;
    const payload = { job, epoch, ...(job === defaultJob ? {} : { affected }), byAccount };
    await outbox.emit(tx, rolesChanged, { key: `role/${job}`, version: epoch, payload });
    tx.afterCommit(() => log.debug({ job, epoch }, "roles changed"));
  }
}
