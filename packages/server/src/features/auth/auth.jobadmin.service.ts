import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { authErrors } from "./auth.contract.ts";
import type { EmitSessionsChanged } from "./auth.open.service.ts";
import { setJobAdmin } from "./auth.repo.ts";

export interface JobAdminDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly emitChanged: EmitSessionsChanged;
}

/** Enters and leaves job admin mode. */
export class JobAdminService {
  readonly #deps: JobAdminDeps;

  constructor(deps: JobAdminDeps) {
    this.#deps = deps;
  }

  async enter(call: CallContext, input: { reason: string; job?: string; minutes?: number }) {
    const { emitChanged, audit, clock, db, jobs } = this.#deps;
    const viewer: Viewer = call.viewer();
    if (!viewer.mayJobAdmin) throw new AppError(authErrors.jobAdminNotAllowed);
    const job = input.job ?? viewer.job;
    const until = clock.now() + (input.minutes ?? 60) * 60_000;
    await db.write("auth.enterJobAdmin", async (tx) => {
      const known = await jobs.job(tx, job);
      if (!known && job !== viewer.job) throw new AppError(authErrors.jobUnknown, { params: { job } });
      await setJobAdmin(tx, viewer.sessionId, { job, reason: input.reason, until });
      await audit.record(tx, call.actor, {
        action: "auth.enterJobAdmin",
        object: { kind: "job", id: job },
        info: { reason: input.reason, until },
      });
      await emitChanged(tx, [viewer.sessionId]);
    });
    return { job, reason: input.reason, until };
  }

  async leave(call: CallContext): Promise<void> {
    const { emitChanged, audit, db } = this.#deps;
    const viewer = call.viewer();
    await db.write("auth.leaveJobAdmin", async (tx) => {
      await setJobAdmin(tx, viewer.sessionId, null);
      await audit.record(tx, call.actor, {
        action: "auth.leaveJobAdmin",
        object: { kind: "job", id: viewer.job },
      });
      await emitChanged(tx, [viewer.sessionId]);
    });
  }
}
