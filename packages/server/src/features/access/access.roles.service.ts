import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CallContext } from "#core/feature.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { countByGrade, countInGrades } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import {
  accessErrors,
  type deleteRole,
  type listRoles,
  type putRole,
  type RoleDetails,
  type RoleGrants,
  type roleHistory,
} from "./access.contract.ts";
import { editsRole, escalations, knownGrants, rightsEditorLoses, seesJob, seesRole, withRole } from "./access.editing.policy.ts";
import { grantsOf, outputOfDecision, outputOfGrants } from "./access.output.policy.ts";
import { type Decision, explainRights, type Grants, heldRights, type RoleName } from "./access.policy.ts";
import type { StoredRole } from "./access.repo.ts";
import { valuesOfChanges, valuesOfDecisions, valuesOfGrants } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { StoredRules } from "./access.rules.service.ts";
import type { AccessService } from "./access.service.ts";
import type { RoleChange, WrittenRole } from "./access.store.service.ts";

export interface RolesDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly jobs: JobsApi;
  readonly rows: AttributeRows;
}

type RoleList = OutputOf<typeof listRoles>;
type SavedRole = OutputOf<typeof putRole>;

export function unknownRole({ job, grade }: RoleName): AppError {
  return new AppError(accessErrors.roleUnknown, { params: { job, grade } });
}

/** Throws 404 for a role that the viewer does not see, 403 for one that they only see. */
export function requireEditable(viewer: Viewer, { job, grade }: RoleName): void {
  if (!seesRole(viewer, job, grade)) throw unknownRole({ job, grade });
  if (editsRole(viewer, job, grade)) return;
  throw new AppError(accessErrors.gradeNotBelow, { params: { grade, own: viewer.grade } });
}

/** Shows and changes the roles of jobs, within what the viewer may see and give away. */
export class RolesService {
  readonly #db: Database;
  readonly #access: AccessService;
  readonly #jobs: JobsApi;
  readonly #rows: AttributeRows;

  constructor({ db, access, jobs, rows }: RolesDeps) {
    this.#db = db;
    this.#access = access;
    this.#jobs = jobs;
    this.#rows = rows;
  }

  async list(call: CallContext, job: string): Promise<RoleList> {
    const viewer = call.viewer();
    return await this.#db.read("access.listRoles", async (tx) => {
      const rules = await this.#access.rulesIn(tx);
      const info = seesJob(viewer, job) ? await this.#jobs.job(tx, job) : null;
      const roles = rules.roles.filter((role) => role.job === job);
      if (!seesJob(viewer, job) || (job !== viewer.job && !info && roles.length === 0))
        throw new AppError(accessErrors.jobUnknown, { params: { job } });
      const labels = await this.#jobs.labels(tx);
      const grades = [
        ...(info?.grades ?? []).map(({ grade }) => grade),
        ...roles.map(({ grade }) => grade),
        ...(info || job !== viewer.job ? [] : [viewer.grade]),
      ];
      const people = await countByGrade(tx, job);
      const shown = [...new Set(grades)].filter((grade) => seesRole(viewer, job, grade)).toSorted((a, b) => b - a);
      return {
        job,
        label: labels.label(job),
        limited: rules.limits.has(job),
        grades: shown.map((grade): RoleList["grades"][number] => {
          const role = roles.find((one) => one.grade === grade);
          const grants = [...(role?.grants.values() ?? [])];
          const allowed = grants.filter(({ allow }) => allow).length;
          const mayEdit = editsRole(viewer, job, grade);
          return {
            grade,
            label: labels.badge(job, grade).gradeLabel,
            role: role ? { version: role.version, updatedAt: role.updatedAt, allowed, denied: grants.length - allowed } : null,
            held: Object.keys(heldRights(rules, { job, grade, jobAdmin: false })).length,
            people: people.get(grade) ?? 0,
            mayEdit,
            mayDelete: mayEdit && role !== undefined,
          };
        }),
      };
    });
  }

  async get(call: CallContext, name: RoleName): Promise<RoleDetails> {
    const viewer = call.viewer();
    return await this.#db.read(
      "access.getRole",
      async (tx) => await this.#details(tx, await this.#readVisible(tx, viewer, name), viewer, name),
    );
  }

  async create(call: CallContext, name: RoleName): Promise<RoleDetails> {
    const { affected: _nobody, ...created } = await this.#change(call, name, "access.createRole", async (tx, role) => {
      await this.#checkGrade(tx, name);
      if (role) throw new AppError(accessErrors.roleExists, { params: { grade: name.grade } });
      return new Map();
    });
    return created;
  }

  /** Version 0 creates the role. */
  async put(call: CallContext, name: RoleName, { version, grants }: { version: number; grants: RoleGrants }): Promise<SavedRole> {
    const viewer = call.viewer();
    requireEditable(viewer, name);
    this.#access.check(Object.entries(grants).map(([permission, { attributes }]) => [permission, attributes]));
    return await this.#change(call, name, "access.putRole", async (tx, role) => {
      if (!role && version === 0) await this.#checkGrade(tx, name);
      if ((role?.version ?? 0) !== version) {
        const current = await this.#details(tx, await this.#access.rulesIn(tx), viewer, name);
        throw new AppError(accessErrors.stale, { extra: { current } });
      }
      return grantsOf(grants);
    });
  }

  async remove(call: CallContext, name: RoleName): Promise<OutputOf<typeof deleteRole>> {
    const viewer = call.viewer();
    requireEditable(viewer, name);
    return await this.#db.write("access.deleteRole", async (tx) => {
      const role = await this.#access.store.lock(tx, name.job, name.grade);
      if (!role) throw unknownRole(name);
      const change = { action: "access.deleteRole", ...name, role, after: null };
      const { version, affected } = await this.#write(tx, viewer, call.actor, change);
      return { version: version ?? role.version, affected: await countInGrades(tx, name.job, affected) };
    });
  }

  async history(call: CallContext, name: RoleName): Promise<OutputOf<typeof roleHistory>> {
    return await this.#db.read("access.roleHistory", async (tx) => {
      await this.#readVisible(tx, call.viewer(), name);
      const revisions = await this.#access.store.revisions(tx, name);
      return { revisions, labels: await this.#rows.labels(tx, valuesOfChanges(revisions)) };
    });
  }

  async undo(call: CallContext, name: RoleName, version: number): Promise<SavedRole> {
    return await this.#change(
      call,
      name,
      "access.undoRole",
      async (tx, role) => await this.#access.store.grantsWithout(tx, name, role, version),
    );
  }

  /** Throws for a grade that may have no role. */
  async #checkGrade(tx: Tx, { job, grade }: RoleName): Promise<void> {
    this.#access.checkGrade(grade);
    const info = await this.#jobs.job(tx, job);
    if (info && !info.grades.some((one) => one.grade === grade))
      throw new AppError(accessErrors.gradeUnknown, { params: { job, grade } });
  }

  /** Throws 404 for a grade that the viewer does not see or that does not exist. */
  async #readVisible(tx: Tx, viewer: Viewer, { job, grade }: RoleName): Promise<StoredRules> {
    if (!seesRole(viewer, job, grade)) throw unknownRole({ job, grade });
    const rules = await this.#access.rulesIn(tx);
    const info = await this.#jobs.job(tx, job);
    const exists = info?.grades.some((one) => one.grade === grade) ?? (job === viewer.job && viewer.grade === grade);
    if (!exists && !rules.roles.some((role) => role.job === job && role.grade === grade)) throw unknownRole({ job, grade });
    return rules;
  }

  async #change(
    call: CallContext,
    name: RoleName,
    action: string,
    work: (tx: Tx, role: StoredRole | null) => Promise<Grants | null>,
  ): Promise<SavedRole> {
    const viewer = call.viewer();
    requireEditable(viewer, name);
    return await this.#db.write(action, async (tx) => {
      const role = await this.#access.store.lock(tx, name.job, name.grade);
      const after = await work(tx, role);
      const { affected } = await this.#write(tx, viewer, call.actor, { action, ...name, role, after });
      const details = await this.#details(tx, await this.#access.rulesIn(tx), viewer, name);
      return { ...details, affected: await countInGrades(tx, name.job, affected) };
    });
  }

  async #details(tx: Tx, rules: StoredRules, viewer: Viewer, { job, grade }: RoleName): Promise<RoleDetails> {
    const role = rules.roles.find((one) => one.job === job && one.grade === grade);
    const who = { job, grade, jobAdmin: false };
    const without = { ...rules, roles: withRole(rules.roles, job, grade, null) };
    const limits = rules.limits.get(job);
    const grants = knownGrants(rules.permissions, role?.grants ?? new Map());
    const explained: [Decision[], Decision[]] = [explainRights(rules, who), explainRights(without, who)];
    const [decisions, inherited] = explained;
    const named = [valuesOfGrants(grants), ...explained.map(valuesOfDecisions), limits ?? []];
    return {
      job,
      grade,
      version: role?.version ?? 0,
      grants: outputOfGrants(grants),
      decisions: decisions.map(outputOfDecision),
      inherited: inherited.map(outputOfDecision),
      limits: limits ? structuredClone(Object.fromEntries(limits)) : null,
      labels: await this.#rows.labels(tx, ...named),
      mayEdit: editsRole(viewer, job, grade),
    };
  }

  /** Writes the role unless that would give away what the editor does not hold, or lock the editor out. */
  async #write(tx: Tx, viewer: Viewer, actor: Actor, change: RoleChange): Promise<WrittenRole> {
    const { job, grade, role, after } = change;
    await this.#rows.check(tx, valuesOfGrants(role?.grants), valuesOfGrants(after));
    const rules = await this.#access.rulesIn(tx);
    const roles = withRole(rules.roles, job, grade, after);
    const beyond = viewer.jobAdmin === null ? escalations(rules, roles, job, grade, viewer.rights.all()) : [];
    if (beyond.length > 0) throw new AppError(accessErrors.beyondYourRights, { params: { permission: beyond[0]! } });
    const [lost] = rightsEditorLoses(rules, roles, viewer);
    if (lost !== undefined) throw new AppError(accessErrors.takesFromYourself, { params: { permission: lost } });
    return await this.#access.store.put(tx, actor, change);
  }
}
