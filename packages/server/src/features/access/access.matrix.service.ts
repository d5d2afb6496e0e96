import type { OutputOf } from "#core/contract/index.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database } from "#core/ports/index.ts";
import type { roleMatrix } from "./access.contract.ts";
import { knownGrants } from "./access.editing.policy.ts";
import { outputOfDecision, outputOfGrants } from "./access.output.policy.ts";
import { explainRights } from "./access.policy.ts";
import type { RolesService } from "./access.roles.service.ts";
import { valuesOfDecisions, valuesOfGrants } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { AccessService } from "./access.service.ts";

export interface MatrixDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly rows: AttributeRows;
  readonly roles: RolesService;
}

/** All roles of a job at once. */
export class MatrixService {
  readonly #deps: MatrixDeps;

  constructor(deps: MatrixDeps) {
    this.#deps = deps;
  }

  /** Of the grades that the viewer sees. */
  async matrix(call: CallContext, job: string): Promise<OutputOf<typeof roleMatrix>> {
    const { db, access, rows, roles } = this.#deps;
    const { label, grades } = await roles.list(call, job);
    return await db.read("access.matrix", async (tx) => {
      const rules = await access.rulesIn(tx);
      const found = grades.map((one) => {
        const role = rules.roles.find(({ job: of, grade }) => of === job && grade === one.grade);
        const grants = knownGrants(rules.permissions, role?.grants ?? new Map());
        return { one, grants, decisions: explainRights(rules, { job, grade: one.grade, jobAdmin: false }) };
      });
      const named = found.flatMap(({ grants, decisions }) => [valuesOfGrants(grants), valuesOfDecisions(decisions)]);
      return {
        job,
        label,
        grades: found.map(({ one, grants, decisions }) => ({
          ...one,
          grants: outputOfGrants(grants),
          decisions: decisions.map(outputOfDecision),
        })),
        labels: await rows.labels(tx, ...named),
      };
    });
  }
}
