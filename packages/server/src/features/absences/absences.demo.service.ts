import type { Demo } from "#core/demo.ts";
import type { Approvals, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { absenceApproval, absencesPermissions, createKind } from "./absences.contract.ts";
import { demoAbsences, demoJob, demoKinds } from "./absences.demo.policy.ts";
import * as kinds from "./absences.kinds.repo.ts";
import { columnsOf } from "./absences.kinds.service.ts";
import type { AbsencesService } from "./absences.service.ts";
import type { ShownAbsences } from "./absences.shown.service.ts";

export interface AbsencesDemoDeps {
  readonly db: Database;
  readonly audit: AuditApi;
  readonly approvals: () => Approvals;
  readonly shown: ShownAbsences;
  readonly service: AbsencesService;
}

/** From the start, where those of the logins are. */
const looked = 800;

/** They have waited for days, so that everybody with the right decides. */
const anybody = { by: "right", permission: absencesPermissions.approve.id, job: demoJob } as const;

/** Kinds and absences of some people of the demo city. */
export class AbsencesDemo {
  readonly #deps: AbsencesDemoDeps;

  constructor(deps: AbsencesDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    const { db, shown } = this.#deps;
    const identifiers = demo.city.people.slice(0, looked).map(({ identifier }) => identifier);
    return await db.write("absences.demo", async (tx) => {
      const approvals = this.#deps.approvals();
      const ids = await this.#kinds(tx, demo);
      if (ids === null) return 0;
      const found = await charactersWithJobs(tx, identifiers);
      const people = identifiers.flatMap((identifier) => found.get(identifier) ?? []);
      const planned = demoAbsences(people, shown.today());
      const names = await namesOfCitizens(tx, [...new Set(planned.map(({ id }) => id))]);
      for (const one of planned) {
        const { name, needsApproval } = demoKinds[one.kind]!;
        const { actor } = demo;
        const row = await this.#deps.service.store(tx, actor, {
          person: { id: one.id, name: names.get(one.id) ?? "", job: demoJob },
          kind: { id: ids[one.kind]!, name, needsApproval },
          span: one.span,
          reason: one.reason,
          substituteId: one.substituteId,
        });
        if (one.state === "requested") await approvals.widen(tx, actor, absenceApproval, String(row.id), [anybody]);
        if (!needsApproval || one.state === "requested") continue;
        const verdict =
          one.state === "approved" ? ({ approve: true } as const) : ({ approve: false, reason: "Too many are away" } as const);
        await approvals.decide(tx, actor, absenceApproval, String(row.id), verdict);
      }
      return planned.length;
    });
  }

  /** Ids of the new kinds; null where the job has kinds already. */
  async #kinds(tx: Tx, { actor }: Demo): Promise<number[] | null> {
    if ((await kinds.kindsOf(tx, demoJob)).length > 0) return null;
    const ids: number[] = [];
    for (const [at, content] of demoKinds.entries()) {
      const row = { ...columnsOf(content), job: demoJob, deleted_marker: 0, position: at + 1, version: 1 };
      const id = await kinds.insert(tx, row);
      const object = { kind: "absences.kind", id, name: content.name };
      await this.#deps.audit.record(tx, actor, { action: createKind.id, object, info: { job: demoJob }, after: content });
      ids.push(id);
    }
    return ids;
  }
}
