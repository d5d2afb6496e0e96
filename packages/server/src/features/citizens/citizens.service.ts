import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { LicencesApi } from "#features/licences/licences.api.ts";
import type { AvatarsService } from "./citizens.avatar.service.ts";
import {
  type Citizen,
  type CitizenField,
  citizensErrors,
  citizensPermissions,
  citizensPurged,
  purgedAtOnce,
} from "./citizens.contract.ts";
import {
  cutToScope,
  disabledFields,
  hiddenFields,
  profileScopeOf,
  type ViewScope,
  viewScopeOf,
  wholeCitizen,
  withAvatar,
} from "./citizens.policy.ts";
import { removeOf as removeMovesOf } from "./citizens.moves.repo.ts";
import { type CustomColumns, rowsOf, purge, readDetails } from "./citizens.repo.ts";

export interface CitizensDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly licences: LicencesApi;
  readonly custom: CustomColumns;
  readonly filterEmptyName: boolean;
  readonly avatars: AvatarsService;
}

/** Shows one citizen, and purges deleted ones. */
export class CitizensService {
  readonly #deps: CitizensDeps;
  readonly #disabled: readonly CitizenField[];

  constructor(deps: CitizensDeps) {
    this.#deps = deps;
    this.#disabled = disabledFields(deps.custom);
  }

  viewScopeOf(viewer: Viewer): ViewScope {
    return viewScopeOf(viewer.rights, this.#disabled);
  }

  /** Null when this viewer may not open the citizen. */
  profileScopeOf(viewer: Viewer, id: number): ViewScope | null {
    return profileScopeOf(viewer, id, this.#disabled);
  }

  async get(call: CallContext, id: number): Promise<Citizen> {
    const { db, jobs, licences, avatars, audit, custom, filterEmptyName } = this.#deps;
    const viewer = call.viewer();
    const scope = this.profileScopeOf(viewer, id);
    if (scope === null)
      throw new AppError(guardErrors.permissionMissing, { params: { permission: citizensPermissions.view.id, job: viewer.job } });
    const isOwn = id === viewer.characterId;
    const found = await db.read("citizens.get", async (tx) => {
      const [row] = await rowsOf(tx, { ids: [id], filterEmptyName }, custom);
      if (!row) throw new AppError(citizensErrors.notFound);
      const details = await readDetails(tx, id);
      const licenceLabels = await licences.labels(tx, details.licences);
      const citizen = wholeCitizen(row, details, await jobs.labels(tx), licenceLabels, this.#disabled);
      const avatar = (await avatars.of(tx, viewer, [id])).get(id);
      // What is missing in the own record is nothing that its player could be granted.
      const hidden = isOwn ? [] : hiddenFields(scope.fields, this.#disabled);
      return { ...cutToScope(citizen, scope), ...withAvatar(avatar), hidden };
    });
    // Players who open their own character leave no entry in the access log.
    if (!isOwn) {
      const name = `${found.firstName} ${found.lastName}`.trim();
      const target = { kind: "citizen", id, name } as const;
      await audit.noteView(call.actor, { action: "citizens.view", object: target, target });
    }
    return found;
  }

  /** Purges citizens and the pictures that their players uploaded. */
  async purgeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await purge(tx, before, limit);
    await removeMovesOf(tx, ids);
    await this.#deps.avatars.release(tx, ids);
    const { clock, outbox } = this.#deps;
    for (let i = 0; i < ids.length; i += purgedAtOnce) {
      const citizenIds = ids.slice(i, i + purgedAtOnce);
      await outbox.emit(tx, citizensPurged, { key: `citizen/${citizenIds[0]}`, version: clock.now(), payload: { citizenIds } });
    }
    return ids.length;
  }
}
