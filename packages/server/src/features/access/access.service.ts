import type { Actor, Rights } from "#core/actor.ts";
import type { AttributeDefinition, AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Log, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { adminPowers, type AdminLists } from "./access.admins.policy.ts";
import type { AccessApi, GrantChange } from "./access.api.ts";
import { accessErrors, rolesChanged } from "./access.contract.ts";
import { createRights, defaultJob, heldRights, type Role, type RightsOf } from "./access.policy.ts";
import * as repo from "./access.repo.ts";

/** A copy of the roles is trusted this long when no event said that it is old. */
const copyMs = 2000;

export interface AccessDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly admins: AdminLists;
  readonly startJobGrade: number;
  readonly permissions: () => readonly PermissionDefinition[];
  /** Subsystem `perms`. */
  readonly log: Log;
}

interface Copy {
  readonly epoch: number;
  readonly roles: readonly Role[];
  readonly checkedAt: number;
  readonly rights: Map<string, Rights>;
}

function fits(attribute: AttributeDefinition, value: AttributeValue): boolean {
  if (attribute.type === "strings") {
    return Array.isArray(value) && value.every((one: string) => attribute.values.includes(one));
  }
  if (attribute.type === "jobs") return Array.isArray(value);
  return !Array.isArray(value) && Object.values(value).every((grade) => Number.isInteger(grade));
}

export function createAccessService(deps: AccessDeps): AccessApi & { heardChange(): void; alignDefaultRole(): Promise<void> } {
  let copy: Copy | null = null;
  let reading: Promise<Copy> | null = null;
  const listeners: (() => void)[] = [];

  async function read(): Promise<Copy> {
    const now = deps.clock.monotonic();
    const fresh = await deps.db.read("access.roles", async (tx) => {
      const epoch = await repo.readEpoch(tx);
      return copy?.epoch === epoch ? null : { epoch, roles: await repo.readRoles(tx) };
    });
    const changed = fresh !== null && copy !== null;
    copy =
      fresh === null && copy ? { ...copy, checkedAt: now } : { rights: new Map(), checkedAt: now, epoch: 0, roles: [], ...fresh };
    if (fresh !== null) deps.log.debug({ epoch: fresh.epoch, roles: fresh.roles.length }, "roles read");
    if (changed) for (const listener of listeners) listener();
    return copy;
  }

  async function current(): Promise<Copy> {
    if (copy !== null && deps.clock.monotonic() - copy.checkedAt < copyMs) return copy;
    reading ??= read().finally(() => (reading = null));
    return await reading;
  }

  function check(change: GrantChange, grade: number): void {
    if (grade < deps.startJobGrade) {
      throw new AppError(accessErrors.gradeTooLow, { params: { grade, minimum: deps.startJobGrade } });
    }
    for (const [permission, grant] of Object.entries(change.grants)) {
      const definition = deps.permissions().find(({ id }) => id === permission);
      if (!definition) throw new AppError(accessErrors.permissionUnknown, { params: { permission } });
      for (const [attribute, value] of Object.entries(grant?.attributes ?? {})) {
        const known = definition.attributes[attribute];
        if (!known) throw new AppError(accessErrors.attributeUnknown, { params: { permission, attribute } });
        if (!fits(known, value)) {
          throw new AppError(accessErrors.attributeValueInvalid, {
            params: { permission, attribute, value: JSON.stringify(value) },
          });
        }
      }
    }
  }

  return {
    async rightsOf(who: RightsOf) {
      const { rights, roles, epoch } = await current();
      const key = who.jobAdmin ? "admin" : `${who.grade} ${who.job}`;
      const known = rights.get(key);
      if (known) return known;
      const resolved = createRights(heldRights(deps.permissions(), roles, who), `${epoch}:${key}`);
      rights.set(key, resolved);
      return resolved;
    },
    powersOf: (account) => adminPowers(deps.admins, account),
    async change(tx: Tx, actor: Actor, change: GrantChange) {
      const grade = change.job === defaultJob ? deps.startJobGrade : (change.grade ?? deps.startJobGrade);
      check(change, grade);
      const at = deps.clock.now();
      const roleId = (await repo.findRole(tx, change.job, grade)) ?? (await repo.insertRole(tx, change.job, grade, at));
      await repo.touchRole(tx, roleId, at);
      for (const [permission, grant] of Object.entries(change.grants)) {
        if (grant === null) await repo.removeGrant(tx, roleId, permission);
        else
          await repo.putGrant(tx, roleId, permission, {
            allow: grant.allow,
            attributes: grant.attributes ?? {},
          });
      }
      const epoch = await repo.raiseEpoch(tx);
      await deps.audit.record(tx, actor, {
        action: "access.change",
        object: { kind: "role", id: `${change.job}/${grade}` },
        after: change.grants,
      });
      await deps.outbox.emit(tx, rolesChanged, {
        key: `role/${change.job}`,
        version: epoch,
        payload: { job: change.job, epoch },
      });
      tx.afterCommit(() => {
        deps.log.debug({ job: change.job, grade, epoch, permissions: Object.keys(change.grants) }, "role changed");
        if (copy) copy = { ...copy, checkedAt: -copyMs };
      });
    },
    roles: async (tx) => await repo.readRoles(tx),
    onChange: (listener) => void listeners.push(listener),
    heardChange() {
      const forget = () => {
        if (copy) copy = { ...copy, checkedAt: Number.NEGATIVE_INFINITY };
      };
      forget();
      // A read under way may have begun before the change: then its answer is old already.
      const again =
        reading === null
          ? current()
          : reading
              .catch(() => undefined)
              .then(forget)
              .then(current);
      void again.catch(() => undefined);
    },
    async alignDefaultRole() {
      await deps.db.write(
        "access.alignDefaultRole",
        async (tx) => await repo.moveDefaultRole(tx, defaultJob, deps.startJobGrade),
      );
    },
  };
}
