import { type Actor, actorName, type Viewer } from "#core/actor.ts";
import { type NotificationDefinition, type PayloadOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { type Absence, absencesErrors } from "./absences.base.contract.ts";
import { absenceHappened, absencesChanged } from "./absences.contract.ts";
import * as repo from "./absences.repo.ts";
import type { ShownAbsences } from "./absences.shown.service.ts";

export interface ChangesDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly shown: ShownAbsences;
}

type What = PayloadOf<typeof absenceHappened>["what"];

/** What every change of an absence leaves behind, and how the one who made it reads it. */
export class AbsenceChanges {
  readonly #deps: ChangesDeps;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  async changed(tx: Tx, { job }: Pick<repo.AbsenceRow, "job">): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, absencesChanged, { key: "absences", version: clock.now(), payload: { jobs: [job] } });
  }

  /** For the histories of other features. */
  async happened(tx: Tx, row: repo.AbsenceRow, what: What, actorId: number | null): Promise<void> {
    const { id, citizen_id: citizenId, job, first_day: firstDay, last_day: lastDay, version } = row;
    const payload = { id, citizenId, job, what, firstDay, lastDay, actorId };
    await this.#deps.outbox.emit(tx, absenceHappened, { key: `absence ${id}`, version, payload });
  }

  /** Without kind and reason: not everybody who reads the audit log may know them. */
  async record(
    tx: Tx,
    actor: Actor,
    action: string,
    { id, job, citizen_id: citizenId }: repo.AbsenceRow,
    change: { readonly before?: Record<string, unknown>; readonly after: Record<string, unknown> },
  ): Promise<void> {
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? actorName(actor);
    await this.#deps.audit.record(tx, actor, {
      action,
      object: { kind: "absences.absence", id, name },
      info: { job },
      ...change,
    });
  }

  async notifySubstitute(tx: Tx, row: repo.AbsenceRow, kind: NotificationDefinition): Promise<void> {
    if (row.substitute_id === null) return;
    const name = (await namesOfCitizens(tx, [row.citizen_id])).get(row.citizen_id) ?? "";
    await this.#notify(tx, row, kind, { to: row.substitute_id, name });
  }

  /** What somebody else did about the absence of a person. */
  async notifyPerson(tx: Tx, row: repo.AbsenceRow, kind: NotificationDefinition, by: string): Promise<void> {
    await this.#notify(tx, row, kind, { to: row.citizen_id, name: by });
  }

  async stale(tx: Tx, viewer: Viewer, row: repo.AbsenceRow): Promise<AppError> {
    return new AppError(absencesErrors.stale, { extra: { current: await this.shown(tx, viewer, row) } });
  }

  async shown(tx: Tx, viewer: Viewer, { id }: Pick<repo.AbsenceRow, "id">): Promise<Absence> {
    const { shown } = this.#deps;
    const seeing = await shown.seeing(tx, viewer);
    const [absence] = await shown.shown(tx, seeing, await repo.byIds(tx, seeing, [id]));
    return absence!;
  }

  async #notify(
    tx: Tx,
    row: repo.AbsenceRow,
    kind: NotificationDefinition,
    { to, name }: { readonly to: number; readonly name: string },
  ): Promise<void> {
    const recipients = await accountsPlaying(tx, [to]);
    const params = { name, first: row.first_day, last: row.last_day };
    await this.#deps.notifications.notify(tx, kind, { recipients, params, link: "/absences", key: `absence/${row.id}` });
  }
}

export const daysOf = ({ first_day: firstDay, last_day: lastDay, state }: repo.AbsenceRow) => ({ firstDay, lastDay, state });
