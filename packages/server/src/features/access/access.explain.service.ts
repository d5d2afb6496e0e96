import { guardErrors } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { PermissionDefinition } from "#core/contract/index.ts";
import type { Database } from "#core/ports/index.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { bundlesOf } from "./access.bundles.policy.ts";
import { accessErrors } from "./access.contract.ts";
import { seesRole } from "./access.editing.policy.ts";
import { outputOfDecision } from "./access.output.policy.ts";
import type { Decision } from "./access.policy.ts";
import { valuesOfDecisions } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { AccessService } from "./access.service.ts";
import { allValues } from "./access.values.policy.ts";

export interface ExplainDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly citizens: CitizensApi;
  readonly rows: AttributeRows;
  readonly permissions: () => readonly PermissionDefinition[];
}

/** A citizen, or a job with a grade. */
interface Subject {
  readonly citizenId?: number;
  readonly job?: string;
  readonly grade?: number;
}

/** A decision as the viewer may know it: seen as a lower grade, only what the own grade holds is held. */
function seenDecision(viewer: Viewer, decision: Decision) {
  const seen = outputOfDecision(decision);
  if (!decision.held) return seen;
  if (!viewer.rights.has(decision.permission)) return { ...seen, held: false, reason: "ownGrade" as const, attributes: [] };
  const attributes = seen.attributes.map((one) => ({
    ...one,
    value: viewer.rights.attribute(decision.permission, one.name) ?? [],
  }));
  return { ...seen, attributes };
}

/** Which rights exist, and why a job and grade holds them or not. */
export class ExplainService {
  readonly #deps: ExplainDeps;

  constructor(deps: ExplainDeps) {
    this.#deps = deps;
  }

  catalogue() {
    const permissions = this.#deps.permissions();
    return {
      permissions: permissions.map(({ id, attributes }) => ({
        id,
        feature: id.slice(0, id.indexOf(".")),
        attributes: Object.entries(attributes).map(([name, definition]) => ({
          name,
          type: definition.type,
          values: [...allValues(definition)],
          ...(definition.type === "data" ? { source: definition.source } : {}),
        })),
      })),
      bundles: bundlesOf(permissions),
    };
  }

  async mine(viewer: Viewer) {
    const { access, db, rows } = this.#deps;
    const { job, grade } = viewer;
    const decisions = await access.explain({ job, grade, jobAdmin: viewer.jobAdmin !== null });
    return {
      job,
      grade,
      decisions: decisions.map((decision) => seenDecision(viewer, decision)),
      labels: await db.read("access.mine", async (tx) => await rows.labels(tx, valuesOfDecisions(decisions))),
      powers: access.powerSourcesOf(viewer),
    };
  }

  async rightsOf(viewer: Viewer, subject: Subject) {
    const found = await this.#find(viewer, subject);
    const { access, db, rows } = this.#deps;
    const decisions = await access.explain({ job: found.job, grade: found.grade, jobAdmin: false });
    const labels = await db.read("access.labels", async (tx) => await rows.labels(tx, valuesOfDecisions(decisions)));
    return { ...found, decisions: decisions.map(outputOfDecision), labels };
  }

  /** Throws 404 for what the viewer does not see. */
  async #find(viewer: Viewer, { citizenId, job, grade }: Subject) {
    const { db, citizens } = this.#deps;
    if (citizenId !== undefined) {
      const found = await db.read("access.rightsOf", async (tx) => await citizens.character(tx, citizenId));
      if (!found || !seesRole(viewer, found.job.name, found.job.grade)) throw new AppError(accessErrors.personUnknown);
      const name = `${found.firstName} ${found.lastName}`.trim();
      return { job: found.job.name, grade: found.job.grade, citizen: { id: found.id, name } };
    }
    if (job === undefined || grade === undefined)
      throw new AppError(guardErrors.invalidInput, {
        params: { field: "citizenId", problem: "is required, unless job and grade are given" },
      });
    if (!seesRole(viewer, job, grade)) throw new AppError(accessErrors.jobUnknown, { params: { job } });
    return { job, grade, citizen: null };
  }
}
