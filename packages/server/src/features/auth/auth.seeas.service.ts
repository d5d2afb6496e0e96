import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors } from "./auth.contract.ts";
import type { EmitSessionsChanged } from "./auth.open.service.ts";
import { setSeeAs } from "./auth.repo.ts";

export interface SeeAsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly emitChanged: EmitSessionsChanged;
}

const defaultMinutes = 15;

/** Shows the application as a lower grade of the job would see it, in the same session. */
export class SeeAsService {
  readonly #deps: SeeAsDeps;

  constructor(deps: SeeAsDeps) {
    this.#deps = deps;
  }

  async begin(call: CallContext, { grade, minutes = defaultMinutes }: { grade: number; minutes?: number }) {
    const { emitChanged, audit, clock, db } = this.#deps;
    const { job, sessionId, grade: own } = call.viewer();
    if (grade >= own) throw new AppError(authErrors.seeAsNotBelow, { params: { grade, own } });
    const until = clock.now() + minutes * 60_000;
    await db.write("auth.seeAs", async (tx) => {
      await setSeeAs(tx, sessionId, { job, grade, until });
      await audit.record(tx, call.actor, {
        action: "auth.seeAs",
        object: { kind: "role", id: `${job}/${grade}` },
        info: { until },
      });
      await emitChanged(tx, [sessionId]);
    });
    return { grade, until };
  }

  async end(call: CallContext): Promise<void> {
    const { emitChanged, audit, db } = this.#deps;
    const { job, grade, sessionId } = call.viewer();
    await db.write("auth.endSeeAs", async (tx) => {
      await setSeeAs(tx, sessionId, null);
      await audit.record(tx, call.actor, { action: "auth.endSeeAs", object: { kind: "role", id: `${job}/${grade}` } });
      await emitChanged(tx, [sessionId]);
    });
  }
}
